/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way of carried-out tasks to their report while faults delay or reorder reports. Used by the thread of the
 * program. Nothing stays here for ever: a window that is not full is enough when no more tasks are to come.
 */
#ifndef DOCA_EMULATOR_DETOUR_H_
#define DOCA_EMULATOR_DETOUR_H_

#include <stdbool.h>

#include "common/faults.h"
#include "dma/memcpy_task.h"

struct doca_dma;

struct detour {
    /* Tasks go this way: some with faults have been submitted. */
    bool open;
    /* The faults that what follows is of. */
    struct report_order order;
    uint64_t random;
    /* By the time before which they must not be reported. */
    struct task_list delayed;
    /* Those whose order will be changed. */
    struct task_list window;
    uint32_t window_len;
    struct task_list passed;
};

void dma_detour_init(struct detour *detour);

/* The next task to report, or NULL. */
struct doca_dma_task_memcpy *dma_detour_next(struct doca_dma *dma);

/* Tells whether dma_detour_next() would find something. If only the time is missing, the engine is signalled then. */
bool dma_detour_has_work(struct doca_dma *dma);

/* Moves all that is held back to the end of a list. */
void dma_detour_leave(struct detour *detour, struct task_list *tasks);

#endif /* DOCA_EMULATOR_DETOUR_H_ */
