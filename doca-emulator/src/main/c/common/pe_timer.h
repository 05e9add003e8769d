/* SPDX-License-Identifier: Apache-2.0 */
/* Signals queues of progress engines at a given time, from a thread that starts with the first use. */
#ifndef DOCA_EMULATOR_PE_TIMER_H_
#define DOCA_EMULATOR_PE_TIMER_H_

#include <stdint.h>

#include "pe.h"
#include "shared.h"

/* Schedules one call of pe_notify() for that time, in terms of clock_now(), or earlier. */
void pe_timer_set(struct pe_queue *queue, uint64_t time) EMULATOR_SHARED(pe_timer_set);

/* Call this before the engine is destroyed. */
void pe_timer_cancel(struct pe_queue *queue);

/* Calls pe_notify() at once for all scheduled queues. */
void pe_timer_fire_all(void);

#endif /* DOCA_EMULATOR_PE_TIMER_H_ */
