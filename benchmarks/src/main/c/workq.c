/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop of a program for release 2.2: jobs on a work queue. It is a separate program, because that release has other
 * functions of the same names.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_dma.h>
#include <doca_mmap.h>

#include "bench_case.h"
#include "check.h"

/* The size of each part of the shared file, as in region.c. */
#define PART ((off_t)4 << 30)

struct memory {
    uint8_t *addr;
    size_t len;
    struct doca_mmap *mmap;
};

struct queue {
    struct doca_dev *dev;
    struct memory source;
    struct memory target;
    struct doca_dma *dma;
    struct doca_workq *workq;
    struct doca_buf_inventory *inventory;
    struct doca_dma_job_memcpy *jobs;
    uint32_t depth;
};

static struct doca_dev *
open_device(void) {
    struct doca_devinfo **devices;
    uint32_t num_devices;
    struct doca_dev *dev = NULL;

    CHECK(doca_devinfo_list_create(&devices, &num_devices));
    for (uint32_t i = 0; i < num_devices && dev == NULL; i++) {
        if (doca_dma_job_get_supported(devices[i], DOCA_DMA_JOB_MEMCPY) == DOCA_SUCCESS) {
            CHECK(doca_dev_open(devices[i], &dev));
        }
    }
    CHECK(doca_devinfo_list_destroy(devices));
    if (dev == NULL) {
        fail("no device copies by DMA");
    }
    return dev;
}

/* The memory that the process in Java copies in. */
static struct memory
map_memory(struct doca_dev *dev, size_t len, uint32_t permissions, int part) {
    const char *path = getenv("DOCA_BENCH_MEMORY");
    const int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
    if (file < 0 || ftruncate(file, 2 * PART) != 0) {
        fail("%s cannot be used as memory", path == NULL ? "DOCA_BENCH_MEMORY is not set: nothing" : path);
    }
    struct memory memory = {.len = len};
    memory.addr = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, file, part * PART);
    if (memory.addr == MAP_FAILED) {
        fail("%zu bytes of %s cannot be mapped", len, path);
    }
    close(file);
    for (size_t i = 0; i < len; i++) {
        memory.addr[i] = (uint8_t)(i % 251);
    }
    CHECK(doca_mmap_create(NULL, &memory.mmap));
    CHECK(doca_mmap_dev_add(memory.mmap, dev));
    CHECK(doca_mmap_set_permissions(memory.mmap, permissions));
    CHECK(doca_mmap_set_memrange(memory.mmap, memory.addr, len));
    CHECK(doca_mmap_start(memory.mmap));
    return memory;
}

static void
unmap_memory(struct memory *memory) {
    CHECK(doca_mmap_destroy(memory->mmap));
    munmap(memory->addr, memory->len);
}

static void *
open_drain(size_t size, uint32_t depth) {
    struct queue *queue = allocate(1, sizeof(*queue));

    queue->depth = depth;
    queue->jobs = allocate(depth, sizeof(*queue->jobs));
    queue->dev = open_device();
    queue->source = map_memory(queue->dev, size * depth, DOCA_ACCESS_LOCAL_READ_ONLY, 0);
    queue->target = map_memory(queue->dev, size * depth, DOCA_ACCESS_LOCAL_READ_WRITE, 1);
    CHECK(doca_dma_create(&queue->dma));
    struct doca_ctx *ctx = doca_dma_as_ctx(queue->dma);
    CHECK(doca_ctx_dev_add(ctx, queue->dev));
    CHECK(doca_ctx_start(ctx));
    CHECK(doca_workq_create(depth, &queue->workq));
    CHECK(doca_ctx_workq_add(ctx, queue->workq));
    CHECK(doca_buf_inventory_create(NULL, 2 * (size_t)depth, DOCA_BUF_EXTENSION_NONE, &queue->inventory));
    CHECK(doca_buf_inventory_start(queue->inventory));
    for (uint32_t i = 0; i < depth; i++) {
        struct doca_buf *src;
        struct doca_dma_job_memcpy *job = &queue->jobs[i];
        CHECK(doca_buf_inventory_buf_by_data(queue->inventory, queue->source.mmap, queue->source.addr + i * size, size,
                                             &src));
        CHECK(doca_buf_inventory_buf_by_addr(queue->inventory, queue->target.mmap, queue->target.addr + i * size, size,
                                             &job->dst_buff));
        job->src_buff = src;
        job->base = (struct doca_job){.type = DOCA_DMA_JOB_MEMCPY, .ctx = ctx, .user_data = {.u64 = i}};
    }
    return queue;
}

/* Rounds of submitting all jobs and retrieving all events. */
static uint64_t
run_drain(void *state, uint64_t rounds) {
    struct queue *queue = state;

    for (uint64_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; i < queue->depth; i++) {
            CHECK(doca_buf_reset_data_len(queue->jobs[i].dst_buff));
            CHECK(doca_workq_submit(queue->workq, &queue->jobs[i].base));
        }
        for (uint32_t num_done = 0; num_done < queue->depth;) {
            struct doca_event event;
            const doca_error_t result =
                    doca_workq_progress_retrieve(queue->workq, &event, DOCA_WORKQ_RETRIEVE_FLAGS_NONE);
            if (result != DOCA_ERROR_AGAIN) {
                CHECK(result);
                num_done++;
            }
        }
    }
    return rounds * queue->depth;
}

static void
close_drain(void *state) {
    struct queue *queue = state;
    struct doca_ctx *ctx = doca_dma_as_ctx(queue->dma);

    CHECK(doca_ctx_workq_rm(ctx, queue->workq));
    CHECK(doca_ctx_stop(ctx));
    CHECK(doca_ctx_dev_rm(ctx, queue->dev));
    CHECK(doca_dma_destroy(queue->dma));
    CHECK(doca_workq_destroy(queue->workq));
    for (uint32_t i = 0; i < queue->depth; i++) {
        CHECK(doca_buf_refcount_rm((struct doca_buf *)queue->jobs[i].src_buff, NULL));
        CHECK(doca_buf_refcount_rm(queue->jobs[i].dst_buff, NULL));
    }
    CHECK(doca_buf_inventory_destroy(queue->inventory));
    unmap_memory(&queue->target);
    unmap_memory(&queue->source);
    CHECK(doca_dev_close(queue->dev));
    free(queue->jobs);
    free(queue);
}

static const struct bench_case case_drain_2_2 = {
    .name = "drain", .open = open_drain, .run = run_drain, .close = close_drain};

const struct bench_case *const bench_cases[] = {&case_drain_2_2, NULL};
