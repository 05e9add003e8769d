/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One memory copy. Its ranges are captured when the task is submitted, so that the program may change the segments of
 * its buffers while the task is in flight.
 */
#ifndef DOCA_EMULATOR_MEMCPY_TASK_H_
#define DOCA_EMULATOR_MEMCPY_TASK_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <doca_dma.h>

#include "common/buf.h"
#include "common/faults.h"
#include "common/mmap.h"
#include "common/task.h"

/* A range of one buffer. */
struct extent {
    struct doca_mmap *mmap;
    uint8_t *addr;
    size_t len;
};

/* A range of the destination. */
struct target {
    struct mmap_key key;
    uint8_t *addr;
    size_t len;
    struct buf_use use;
};

struct doca_dma_task_memcpy {
    struct doca_task base;
    const struct doca_buf *src;
    struct doca_buf *dst;
    /* With release 2.5: the device's key for the destination, the key of its map when the destination was set. */
    struct mmap_key dst_key;

    /* The captured source, one extent for each element. */
    struct extent *extents;
    uint32_t num_extents;
    /* The captured destination: the ranges that the copy fills one after the other, each with the buffer that grows. */
    struct target *targets;
    uint32_t num_targets;
    size_t len;
    /* The fault of the task, or NULL, and the element of the source where it ends the copy. */
    const char *fault;
    uint32_t failed_extent;

    /* Most tasks have one source buffer; memory for more is kept for reuse. */
    struct extent single;
    struct extent *list;
    uint32_t list_capacity;
    struct target single_target;
    struct target *target_list;
    uint32_t target_capacity;

    /* The result of the copy. */
    doca_error_t result;
    /* The number of this submission to the context. */
    uint64_t number;
    /* True if neither its start nor its report depends on other tasks. */
    bool reports_alone;
    /* True if the task failed with others that waited for a common report. */
    bool fails_in_group;
    /*
     * For workers: whether the task is outstanding and, guarded by the lock of the workers, whether a worker has
     * finished it.
     */
    TAILQ_ENTRY(doca_dma_task_memcpy) outstanding;
    bool finished;

    /* True if faults were set when the task was submitted, and their effect on it. */
    bool faulty;
    struct task_faults faults;
};

TAILQ_HEAD(memcpy_task_list, doca_dma_task_memcpy);

static inline struct doca_dma_task_memcpy *
as_memcpy(struct doca_task *task) {
    return (struct doca_dma_task_memcpy *)task;
}

/* Refuses a NULL task. */
static inline struct doca_task *
as_task(const struct doca_dma_task_memcpy *task) {
    return (struct doca_task *)task;
}

/* Sets the destination, and records the key of its map for release 2.5. */
void dma_memcpy_task_set_destination(struct doca_dma_task_memcpy *task, struct doca_buf *dst);

/*
 * Captures the buffers, and records any fault of them in the task. Returns INVALID_VALUE if a buffer is missing, if the
 * source has too many elements or bytes and, with validation, for faults that only strict mode refuses; NO_MEMORY
 * without memory for the capture.
 */
doca_error_t dma_memcpy_task_capture(struct doca_dma_task_memcpy *task, bool validate);

/* Counts the task for the current faults, and records their effect in the task. */
void dma_memcpy_task_add_faults(struct doca_dma_task_memcpy *task);

/* Returns whether the copy has failed at an element that is not the last. */
bool dma_memcpy_task_fails_early(const struct doca_dma_task_memcpy *task);

/* Copies the captured range and sets the result. Called by the thread of the program. */
void dma_memcpy_task_run(struct doca_dma_task_memcpy *task);

/* The same, called by any thread; stopping or destroying a map of the task waits for it. */
void dma_memcpy_task_run_pinned(struct doca_dma_task_memcpy *task);

/* Appends the copied bytes to the data of the destination. */
void dma_memcpy_task_extend_destination(const struct doca_dma_task_memcpy *task);

/* Logs the failed task. The reason is its fault or, without a fault, its result. */
void dma_memcpy_task_log_failure(const struct doca_dma_task_memcpy *task, const char *what);

/* Frees the memory that the task has allocated. */
void dma_memcpy_task_dispose(struct doca_dma_task_memcpy *task);

#endif /* DOCA_EMULATOR_MEMCPY_TASK_H_ */
