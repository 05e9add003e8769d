/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of a host as seen by a DPU process, and one copy from or to it. */
#ifndef DOCA_EMULATOR_REMOTE_H_
#define DOCA_EMULATOR_REMOTE_H_

#include "dma_fixture.h"
#include "peer.h"

#define PAGE ((size_t)4096)
#define READ_WRITE DOCA_ACCESS_FLAG_PCI_READ_WRITE

/* A host's memory, imported. */
struct remote {
    struct peer host;
    struct host_reply exported;
    struct doca_mmap *mmap;
};

static struct doca_dma *dma;

static inline struct doca_mmap *
import(const struct host_reply *exported) {
    struct doca_mmap *imported = NULL;
    REQUIRE_SUCCESS(doca_mmap_create_from_export(NULL, exported->descriptor, exported->descriptor_size, dev,
                                                 &imported));
    return imported;
}

static inline struct remote
start_remote(uint64_t len, uint32_t permissions) {
    struct remote remote;
    remote.host = start_host(len, permissions, &remote.exported);
    remote.mmap = import(&remote.exported);
    return remote;
}

static inline void
end_remote(struct remote *remote) {
    CHECK_SUCCESS(doca_mmap_destroy(remote->mmap));
    end_host(&remote->host);
}

static inline struct doca_buf *
remote_source(const struct remote *remote, uint64_t offset, size_t len) {
    return data_of(remote->mmap, (uint8_t *)(uintptr_t)remote->exported.addr + offset, len);
}

static inline struct doca_buf *
remote_target(const struct remote *remote, uint64_t offset, size_t len) {
    return space_of(remote->mmap, (uint8_t *)(uintptr_t)remote->exported.addr + offset, len);
}

static inline bool
has_ended(void) {
    return count_events(EVENT_COMPLETED) + count_events(EVENT_FAILED) > 0;
}

/* Runs one copy with a context of its own and returns its result; releases both buffers. */
static inline doca_error_t
copy(struct doca_buf *src, struct doca_buf *dst) {
    dma = start_dma(1, 0);
    struct doca_dma_task_memcpy *task = alloc_task(dma, 1, src, dst);
    CHECK_SUCCESS(submit_task(task));
    while (!has_ended()) {
        progress_or_rest(pe);
    }
    const doca_error_t result = events[0].status;
    if (result == DOCA_SUCCESS) {
        CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of(dma));
    } else {
        /* The program is first notified of the failed task. */
        CHECK_EQUAL(2, num_events);
        check_state_event(1, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
        CHECK_EQUAL(DOCA_CTX_STATE_STOPPING, state_of(dma));
    }
    free_task(task);
    end_dma(dma);
    GIVE_BACK(src, dst);
    return result;
}

static inline uint8_t
inverse_at(uint64_t offset) {
    return pattern_at(offset) ^ 0xff;
}

/* Copies in both directions, and compares the data. */
static inline void
check_round_trip(const struct remote *remote, uint64_t offset, size_t len) {
    fill_memory();
    CHECK_SUCCESS(copy(remote_source(remote, offset, len), take_target(0, len)));
    for (size_t i = 0; i < len; i++) {
        if (memory[i] != pattern_at(offset + i)) {
            CHECK_FAILED("byte %zu of %zu at %llu is %d", i, len, (unsigned long long)offset, memory[i]);
            break;
        }
    }
    for (size_t i = 0; i < len; i++) {
        memory[i] = inverse_at(offset + i);
    }
    CHECK_SUCCESS(copy(take_source(0, len), remote_target(remote, offset, len)));
    memset(memory, 0, len);
    CHECK_SUCCESS(copy(remote_source(remote, offset, len), take_target(0, len)));
    for (size_t i = 0; i < len; i++) {
        if (memory[i] != inverse_at(offset + i)) {
            CHECK_FAILED("byte %zu of %zu written at %llu is %d", i, len, (unsigned long long)offset, memory[i]);
            break;
        }
    }
    check_nothing_logged();
}

#endif /* DOCA_EMULATOR_REMOTE_H_ */
