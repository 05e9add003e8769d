/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holds executed tasks before their report while faults delay or reorder reports. Used by the thread of the program.
 * An incomplete window is released when no more tasks can follow, so every task is reported.
 */
#ifndef DOCA_EMULATOR_DETOUR_H_
#define DOCA_EMULATOR_DETOUR_H_

#include <stdbool.h>

#include "common/faults.h"
#include "dma/memcpy_task.h"

struct doca_dma;

struct detour {
    /* True if tasks with faults have been submitted, so that executed tasks pass through here. */
    bool open;
    /* The generation of the faults that the members below belong to. */
    struct report_order order;
    uint64_t random;
    /* Sorted by the earliest time of their report. */
    struct task_list delayed;
    /* Tasks to be reordered. */
    struct task_list window;
    uint32_t window_len;
    struct task_list passed;
};

void dma_detour_init(struct detour *detour);

/* Returns the next task to report, or NULL. */
struct doca_dma_task_memcpy *dma_detour_next(struct doca_dma *dma);

/*
 * Returns whether dma_detour_next() would find a task. If only the delay has to elapse, schedules a signal of the engine.
 */
bool dma_detour_has_work(struct doca_dma *dma);

/* Moves all held-back tasks to the end of a list. */
void dma_detour_leave(struct detour *detour, struct task_list *tasks);

#endif /* DOCA_EMULATOR_DETOUR_H_ */
