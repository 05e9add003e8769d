/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads of the threaded engine. All DMA contexts of the process share them.
 */
#ifndef DOCA_EMULATOR_WORKERS_H_
#define DOCA_EMULATOR_WORKERS_H_

#include <stdbool.h>

#include <doca_error.h>

#include "common/task.h"
#include "dma/dma.h"

/* The threads run from the first acquire to the last release, which waits for their end. */
doca_error_t dma_workers_acquire(void);
void dma_workers_release(void);

/* Submits the tasks. They are executed in any order, and then returned by dma_workers_take_finished(). */
void dma_workers_submit(struct task_list *tasks);

/* Takes back the tasks of a context that no worker has begun. */
void dma_workers_revoke(struct doca_dma *dma, struct task_list *revoked);

/* Returns a finished task of the context, or NULL; with ordered completions only the one that was submitted first. */
struct doca_dma_task_memcpy *dma_workers_take_finished(struct doca_dma *dma);

bool dma_workers_have_finished(struct doca_dma *dma);

#endif /* DOCA_EMULATOR_WORKERS_H_ */
