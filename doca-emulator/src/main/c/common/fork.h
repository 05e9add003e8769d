/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of forked children. A child of fork() gets copies of its parent's memory and files, but none of its threads,
 * and a lock that another thread held stays locked. What was running in the parent is dead in the child: see
 * ctx_is_inherited(). The functions here keep the child from harming its parent, and let it begin anew.
 */
#ifndef DOCA_EMULATOR_FORK_H_
#define DOCA_EMULATOR_FORK_H_

#include <pthread.h>

#include "shared.h"

/* From now on children have /dev/null in place of the file. Without memory they get the file. From any thread. */
void fork_withhold(int fd);

/* From now on children have an eventfd of their own in place of this one. Otherwise as fork_withhold(). */
void fork_renew_event(int fd);

/* To be called before a file is closed that one of the two was called for. */
void fork_release(int fd);

/*
 * From now on the lock is held during forks, so that the child finds whole what it guards. The child then calls the
 * function, which forgets the threads and jobs of the parent. A thread takes locks in the order of these calls.
 */
void fork_guard(pthread_mutex_t *lock, void (*forget)(void)) EMULATOR_SHARED(fork_guard);

#endif /* DOCA_EMULATOR_FORK_H_ */
