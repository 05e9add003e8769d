/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_ENGINE_H
#define CARD_ENGINE_H

struct card_qp;

/* Starts the thread that executes the requests of this process, unless it runs. Call it with card_lock() held. */
void card_start_engine(void);

/* Reports all requests of a queue pair in the error state as flushed. Call it with card_lock() held. */
void card_flush_sends(struct card_qp *qp);

/* In the child of a fork: starts it again if it ran in the parent. */
void card_restart_engine(void);

#endif
