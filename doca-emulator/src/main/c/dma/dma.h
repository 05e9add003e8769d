/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a DMA context. A task goes from list to list: held, while it may wait for its doorbell; queued (inline
 * engine) or outstanding (threaded engine), until it has been carried out; those of the detour, when there are faults;
 * deferred, while its report waits for that of a later task; ready, until doca_pe_progress() reports it.
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

struct doca_dma {
    struct doca_ctx ctx;
    struct doca_dev *dev;
    const struct dma_capabilities *capabilities;
    doca_dma_task_memcpy_completion_cb_t completed;
    doca_dma_task_memcpy_completion_cb_t failed;
    struct task_pool pool;
    bool strict;
    bool threaded;
    bool ordered;
    /* A task has failed: the others of this run fail with it. */
    bool broken;
    /* Submissions, and the latest one with a report of its own that has ended: it is the report of all before it. */
    uint64_t num_submitted;
    uint64_t last_reported;
    struct task_list held;
    struct task_list queued;
    struct task_list deferred;
    struct task_list ready;
    /* Tasks given to the workers, in the order of submission. */
    struct memcpy_task_list outstanding;
    /* What workers have carried out, in that order. Under the lock of the workers, but for a look at the number. */
    struct task_list finished;
    atomic_uint num_finished;
    struct detour detour;
};

/* The next task that has been carried out, here or by a worker; NULL when there is none. */
struct doca_dma_task_memcpy *dma_next_executed(struct doca_dma *dma);

/* Tells whether that function will find something, now or later. */
static inline bool
dma_is_executing(const struct doca_dma *dma) {
    return !TAILQ_EMPTY(&dma->queued) || !TAILQ_EMPTY(&dma->outstanding);
}

#endif /* DOCA_EMULATOR_DMA_H_ */
