/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The buffers that RDMA operations fill. For each entry of the send queue, release 2.2 remembers the buffer that the job
 * has filled. A send has no such buffer. When it takes an entry, the library adds its length to the buffer of the earlier
 * job, or fails if that buffer is full, even if the program has freed the buffer or uses it otherwise. So a job gets a
 * copy of the buffer, from inventories that exist as long as the context of the old SDK, and the length of the program's
 * own buffer is updated here.
 */
#ifndef DOCA_COMPAT_RDMA_DESTINATION_H_
#define DOCA_COMPAT_RDMA_DESTINATION_H_

#include "rdma.h"

/* Submits the job of a task, with a copy of the buffer that it fills. */
doca_error_t rdma_submit(struct doca_ctx *ctx, struct doca_task *task);

/*
 * Frees the copy of a completed job, adds to the length of the program's buffer, and returns the status of the task.
 * `result` is the result of the old SDK for the job.
 */
doca_error_t rdma_complete(struct doca_task *task, doca_error_t result);

/* Destroys the inventories, after the context of the old SDK. */
void rdma_destroy_copies(struct doca_rdma *rdma);

#endif /* DOCA_COMPAT_RDMA_DESTINATION_H_ */
