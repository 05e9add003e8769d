/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The buffers that operations of RDMA fill. The send queue of release 2.2 remembers the buffer that the job in each of
 * its places has filled; a send has none, and when it takes such a place, the library adds its length to the buffer of
 * the job before, or fails if that is full, even if the program has freed the buffer or uses it for something else. So
 * a job gets a copy of the buffer, from inventories that live as long as the context of the old SDK, and the length of
 * the program's own buffer is updated here.
 */
#ifndef DOCA_COMPAT_RDMA_DESTINATION_H_
#define DOCA_COMPAT_RDMA_DESTINATION_H_

#include "rdma.h"

/* Submits the job of a task, with a copy of the buffer that it fills. */
doca_error_t rdma_submit(struct doca_ctx *ctx, struct doca_task *task);

/*
 * Frees the copy of a completed job, adds to the length of the program's buffer, and returns the status of the task.
 * The result is what the old SDK has returned for the job.
 */
doca_error_t rdma_complete(struct doca_task *task, doca_error_t result);

/* Destroys the inventories, after the context of the old SDK. */
void rdma_destroy_copies(struct doca_rdma *rdma);

#endif /* DOCA_COMPAT_RDMA_DESTINATION_H_ */
