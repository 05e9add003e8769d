/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_ENGINE_H
#define CARD_ENGINE_H

/* Starts the thread that executes the requests of this process, unless it runs. Call it with card_lock() held. */
void card_start_engine(void);

/* In the child of a fork: starts it again if it ran in the parent. */
void card_restart_engine(void);

#endif
