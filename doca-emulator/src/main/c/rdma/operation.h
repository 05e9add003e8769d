/* SPDX-License-Identifier: Apache-2.0 */
/* Operations. The initiator executes them: it reads and writes the memory of its peer without help of the peer. */
#ifndef DOCA_EMULATOR_RDMA_OPERATION_H_
#define DOCA_EMULATOR_RDMA_OPERATION_H_

#include <stdbool.h>

#include "rdma/connection.h"
#include "rdma/task.h"

/*
 * Executes the first operation of its connection and stores the result in the task. Returns false if it has to wait for
 * the peer and must be retried. Called by the thread of the program.
 */
bool rdma_operation_run(struct rdma_task *task);

/* The same, called by any thread; stopping or destroying a map of the task waits for it. */
bool rdma_operation_run_pinned(struct rdma_task *task);

/* Returns whether the first operation of the connection was tried and has to wait. */
bool rdma_operation_waits(const struct doca_rdma_connection *connection);

#endif /* DOCA_EMULATOR_RDMA_OPERATION_H_ */
