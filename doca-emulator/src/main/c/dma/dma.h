/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The internal part of a DMA context. A task moves through these lists: held, while it waits for its doorbell; queued
 * (inline engine; with release 2.5 followed by one of several queues) or outstanding (threaded engine), until it was
 * executed; the lists of the detour, if there are faults; deferred, while its report waits for a later task; ready, until
 * doca_pe_progress() reports it. Since release 3.0, a copy with lists is neither held nor deferred.
 */
#ifndef DOCA_EMULATOR_DMA_H_
#define DOCA_EMULATOR_DMA_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_dma.h>

#include "common/ctx.h"
#include "common/device.h"
#include "common/task.h"
#include "dma/detour.h"
#include "dma/memcpy_task.h"

/* The queues of a context in release 2.5, which get tasks in turn, and the maximum number of buffers in each. */
#define DMA_NUM_QUEUES 8
#define DMA_QUEUE_LEN 128

struct dma_queue {
    struct task_list tasks;
    uint32_t num_extents;
};

struct doca_dma {
    struct doca_ctx ctx;
    struct doca_dev *dev;
    const struct dma_capabilities *capabilities;
    doca_dma_task_memcpy_completion_cb_t completed;
    doca_dma_task_memcpy_completion_cb_t failed;
    struct task_pool pool;
    bool strict;
    /* False with release 2.5: a destination is one range there, whatever the list, and its key is read when it is set. */
    bool scatters;
    bool threaded;
    /* The program requested completions in the order of submission. Since release 3.2 they are always ordered. */
    bool ordered;
    bool has_order;
    /* True when a task has failed or the context stops: the other tasks of this run fail. */
    bool broken;
    /*
     * The number of submissions, and the latest ended one with its own report, which covers all earlier ones.
     */
    uint64_t num_submitted;
    uint64_t last_reported;
    struct task_list held;
    struct task_list queued;
    struct dma_queue queues[DMA_NUM_QUEUES];
    uint32_t num_in_queues;
    uint64_t random;
    struct task_list deferred;
    struct task_list ready;
    /* Tasks passed to the workers, in the order of submission. */
    struct memcpy_task_list outstanding;
    /*
     * The tasks that workers have executed, in the order of execution. Guarded by the lock of the workers, except for
     * reads of the number.
     */
    struct task_list finished;
    atomic_uint num_finished;
    struct detour detour;
};

/* Returns the next task that was executed, here or by a worker; NULL if there is none. */
struct doca_dma_task_memcpy *dma_next_executed(struct doca_dma *dma);

/* Returns whether dma_next_executed() will find a task, now or later. */
static inline bool
dma_is_executing(const struct doca_dma *dma) {
    return !TAILQ_EMPTY(&dma->queued) || dma->num_in_queues > 0 || !TAILQ_EMPTY(&dma->outstanding);
}

/* Returns whether completions are in the order of submission. */
static inline bool
dma_is_ordered(const struct doca_dma *dma) {
    return dma->ordered || dma->has_order;
}

#endif /* DOCA_EMULATOR_DMA_H_ */
