/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals queues of progress engines at a time, by a thread that begins with the first use.
 */
#ifndef DOCA_EMULATOR_PE_TIMER_H_
#define DOCA_EMULATOR_PE_TIMER_H_

#include <stdint.h>

#include "pe.h"
#include "shared.h"

/* Has pe_notify() called at that time, in terms of clock_now(), or earlier; once. */
void pe_timer_set(struct pe_queue *queue, uint64_t time) EMULATOR_SHARED(pe_timer_set);

/* To be called before the engine is gone. */
void pe_timer_cancel(struct pe_queue *queue);

/* Calls it at once for all queues that a time is set for. */
void pe_timer_fire_all(void);

#endif /* DOCA_EMULATOR_PE_TIMER_H_ */
