/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The assumptions about jobs and events are checked by a copy of a few bytes, before the first context gets its device.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "refuse.h"
#include "release_1_4_sdk.h"

#define TRIAL_LEN 24
#define TRIAL_ROOM 64
#define TRIAL_LIMIT_S 5

struct trial {
    struct doca_dev *dev;
    uint8_t *memory;
    struct doca_mmap *mmap;
    struct doca_buf_inventory *inventory;
    struct doca_buf *src;
    struct doca_buf *dst;
    struct old_dma *dma;
    struct old_ctx *ctx;
    struct old_workq *queue;
};

/* Maps a page with data at its start, and a destination behind them. */
static doca_error_t
begin_trial_memory(struct trial *trial) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    trial->memory = aligned_alloc(page, page);
    if (trial->memory == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    memset(trial->memory, 0, page);
    memset(trial->memory, 0x5a, TRIAL_ROOM);
    uint8_t *target = trial->memory + TRIAL_ROOM;
    doca_error_t result = sdk.mmap_create(NAME, &trial->mmap);
    result = result == DOCA_SUCCESS ? sdk.mmap_start(trial->mmap) : result;
    result = result == DOCA_SUCCESS ? sdk.mmap_dev_add(trial->mmap, trial->dev) : result;
    result = result == DOCA_SUCCESS ? sdk.mmap_populate(trial->mmap, (char *)trial->memory, page, page, NULL, NULL) : result;
    result = result == DOCA_SUCCESS ? sdk.buf_inventory_create(NAME, 2, 0, &trial->inventory) : result;
    result = result == DOCA_SUCCESS ? sdk.buf_inventory_start(trial->inventory) : result;
    result = result == DOCA_SUCCESS ? buf_by_args(trial->inventory, trial->mmap, trial->memory, TRIAL_ROOM, trial->memory,
                                                  TRIAL_LEN, &trial->src)
                                    : result;
    return result == DOCA_SUCCESS ? buf_by_args(trial->inventory, trial->mmap, target, TRIAL_ROOM, target, 0, &trial->dst)
                                  : result;
}

static doca_error_t
begin_trial_queue(struct trial *trial) {
    doca_error_t result = sdk.dma_create(&trial->dma);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    trial->ctx = sdk.dma_as_ctx(trial->dma);
    result = sdk.ctx_dev_add(trial->ctx, trial->dev);
    result = result == DOCA_SUCCESS ? sdk.ctx_start(trial->ctx) : result;
    result = result == DOCA_SUCCESS ? queue_create(1, &trial->queue) : result;
    return result == DOCA_SUCCESS ? queue_attach(trial->ctx, trial->queue) : result;
}

/* Also after a beginning that failed: calls that are not permitted then have no effect. */
static void
end_trial(struct trial *trial) {
    if (trial->queue != NULL) {
        (void)queue_detach(trial->ctx, trial->queue);
        (void)queue_destroy(trial->queue);
    }
    if (trial->dma != NULL) {
        (void)sdk.ctx_stop(trial->ctx);
        (void)sdk.ctx_dev_rm(trial->ctx, trial->dev);
        (void)sdk.dma_destroy(trial->dma);
    }
    if (trial->dst != NULL) {
        (void)buf_refcount_rm(trial->dst, NULL);
    }
    if (trial->src != NULL) {
        (void)buf_refcount_rm(trial->src, NULL);
    }
    if (trial->inventory != NULL) {
        (void)sdk.buf_inventory_stop(trial->inventory);
        (void)sdk.buf_inventory_destroy(trial->inventory);
    }
    if (trial->mmap != NULL) {
        (void)sdk.mmap_dev_rm(trial->mmap, trial->dev);
        (void)sdk.mmap_destroy(trial->mmap);
    }
    free(trial->memory);
}

/* Waits for the event of the only job. */
static doca_error_t
await_event(const struct trial *trial, struct old_event *event) {
    doca_error_t result;
    const time_t limit = time(NULL) + TRIAL_LIMIT_S;
    while ((result = sdk.workq_progress_retrieve(trial->queue->sdk, event, 0)) == DOCA_ERROR_AGAIN && time(NULL) < limit) {
    }
    return result;
}

static bool
is_copied(const uint8_t *memory) {
    for (size_t i = 0; i < TRIAL_ROOM; i++) {
        if (memory[TRIAL_ROOM + i] != (i < TRIAL_LEN ? 0x5a : 0)) {
            return false;
        }
    }
    return true;
}

/* Returns what differs from the assumptions; NULL if nothing does. */
static const char *
find_difference(struct trial *trial) {
    /* The event of a library may be larger than assumed. */
    struct {
        struct old_event event;
        uint8_t behind[64];
    } place = {.behind = {0}};
    const uint8_t zeros[sizeof(place.behind)] = {0};
    struct copy *copy = SLIST_FIRST(&trial->queue->free);
    const struct old_dma_job_memcpy job = {
            .base = {.type = OLD_JOB_DMA_MEMCPY, .ctx = trial->ctx}, .dst = trial->dst, .src = trial->src};
    if (queue_submit(trial->queue, &job.base) != DOCA_SUCCESS) {
        return "the job is refused";
    }
    const doca_error_t result = await_event(trial, &place.event);
    if (result == DOCA_SUCCESS || result == DOCA_ERROR_IO_FAILED) {
        queue_end(trial->queue, copy);
    }
    if (result != DOCA_SUCCESS) {
        return result == DOCA_ERROR_AGAIN ? "the job does not end" : "the job fails";
    }
    if (place.event.type != OLD_JOB_DMA_MEMCPY || place.event.user_data.ptr != copy || place.event.result.u64 != DOCA_SUCCESS
        || memcmp(place.behind, zeros, sizeof(zeros)) != 0) {
        return "the event has other contents";
    }
    return is_copied(trial->memory) ? NULL : "other bytes are copied";
}

doca_error_t
release_1_4_check(struct doca_dev *dev) {
    /* Empty if nothing differs; NULL before the first check. Relaxed: the texts are constant. */
    static _Atomic(const char *) known;
    const char *difference = atomic_load_explicit(&known, memory_order_relaxed);
    if (difference == NULL) {
        struct trial trial = {.dev = dev};
        doca_error_t result = begin_trial_memory(&trial);
        result = result == DOCA_SUCCESS ? begin_trial_queue(&trial) : result;
        difference = result == DOCA_SUCCESS ? find_difference(&trial) : NULL;
        /* A job whose end is not known keeps its memory. */
        if (difference == NULL || trial.queue->num_inflight == 0) {
            end_trial(&trial);
        }
        if (result != DOCA_SUCCESS) {
            return result;
        }
        difference = difference == NULL ? "" : difference;
        atomic_store_explicit(&known, difference, memory_order_relaxed);
    }
    return difference[0] == '\0' ? DOCA_SUCCESS
                                 : REFUSE(DOCA_ERROR_NOT_SUPPORTED,
                                          "DMA cannot be used: this library differs from what is known of DOCA 1.4: %s when %d"
                                          " bytes are copied",
                                          difference, TRIAL_LEN);
}
