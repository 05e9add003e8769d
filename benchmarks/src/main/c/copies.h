/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_COPIES_H_
#define BENCH_COPIES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_dma.h>
#include <doca_pe.h>

#include "region.h"

/* One task and its buffers, allocated once and reused. */
struct copy {
    struct doca_task *task;
    struct doca_buf *src;
    struct doca_buf *dst;
};

/* Tasks of one DMA context: the i-th copies the i-th range of the source to the i-th range of the destination. */
struct copies {
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_buf_inventory *inventory;
    struct copy *copies;
    uint32_t depth;
    /* The number of completed copies. */
    uint64_t num_done;
    /* Used only if completions resubmit: the number of tasks in flight, and whether to submit them again. */
    uint32_t num_inflight;
    bool resubmits;
};

/* The action of a completion. */
enum copies_mode {
    /* Makes the target ready for the next copy. */
    COPIES_REARM,
    /* Only counts; submission prepares the targets. */
    COPIES_COUNT,
    /* Prepares the target, and submits the task again. */
    COPIES_RESUBMIT,
};

/* Both regions have room for depth times size bytes. The structure must not be moved. */
void copies_open(struct copies *copies, struct doca_dev *dev, const struct region *source, const struct region *target,
                 size_t size, uint32_t depth, enum copies_mode mode);

void copies_close(struct copies *copies);

/* Frees the tasks, for callers that allocate new ones. */
void copies_free_tasks(struct copies *copies);

/* COPIES_REARM: rounds of submitting all tasks at once and waiting for all of them. Returns the number of copies. */
uint64_t copies_run(struct copies *copies, uint64_t rounds);

/* COPIES_COUNT: the same. */
uint64_t copies_drain(struct copies *copies, uint64_t rounds);

/* COPIES_RESUBMIT: waits for rounds times depth copies or some more, and leaves the tasks in flight. */
uint64_t copies_keep_full(struct copies *copies, uint64_t rounds);

/* COPIES_RESUBMIT: waits for the tasks in flight. Returns their number. */
uint64_t copies_settle(struct copies *copies);

#endif /* BENCH_COPIES_H_ */
