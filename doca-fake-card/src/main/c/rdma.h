/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_RDMA_H
#define CARD_RDMA_H

#include <infiniband/mlx5dv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "qp.h"

/*
 * Requests of reliable connections, to queue pairs of this process and of others. Each queue pair has one request in
 * flight; its target executes it. All functions are called with card_lock() held.
 */

/* In place of a syndrome: the request keeps waiting for its peer. */
#define CARD_RDMA_WAITS (-1)

bool card_is_rdma(uint32_t opcode);

/* Executes the next request of a send queue, or the rest of it. Returns 0, a syndrome, or CARD_RDMA_WAITS. */
int card_run_rdma(struct card_qp *qp, const struct mlx5_wqe_ctrl_seg *control, uint32_t *bytes);

/* Abandons the request that waits for its peer, if there is one. */
void card_abandon_flight(struct card_qp *qp);

/* Executes requests of other processes, and handles their answers. Returns whether there were any. */
bool card_handle_messages(void);

#endif
