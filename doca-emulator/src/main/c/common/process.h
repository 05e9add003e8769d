/* SPDX-License-Identifier: Apache-2.0 */
/* Identifies processes. A pid alone is not enough, because it is reused after a process has ended. */
#ifndef DOCA_EMULATOR_PROCESS_H_
#define DOCA_EMULATOR_PROCESS_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "shared.h"

/* The pid in the upper bits, the time of the start in the lower ones; never 0. */
typedef uint64_t process_id;

/* Returns this process, or 0 with errno if /proc cannot be read. */
process_id process_self(void) EMULATOR_SHARED(process_self);

pid_t process_pid(process_id process) EMULATOR_SHARED(process_pid);

/* Returns whether the process has certainly ended, so that no thread of it runs any more. */
bool process_has_ended(process_id process) EMULATOR_SHARED(process_has_ended);

/* Returns whether the process has memory. It has none as soon as it begins to end. */
bool process_has_memory(pid_t pid);

/* Kills the process and waits for its end, so that its memory is freed. Does nothing if it has ended. */
void process_kill(process_id process);

/* Stores the effective user of the process. Returns 0 or errno: ENOENT or ESRCH if there is no such process. */
int process_get_user(pid_t pid, uid_t *user);

/* Changed only by process_count_fork(). Relaxed, because a child begins with one thread. */
extern atomic_uint process_generations EMULATOR_SHARED(process_generations);

/* Returns a number that differs in a forked child, so that a child can distinguish its own state from its parent's. */
static inline unsigned int
process_generation(void) {
    return atomic_load_explicit(&process_generations, memory_order_relaxed);
}

/* Called once in each forked child, before anything else of the libraries. */
void process_count_fork(void);

#endif /* DOCA_EMULATOR_PROCESS_H_ */
