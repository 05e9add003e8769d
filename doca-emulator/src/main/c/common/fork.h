/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of forked children. A child of fork() gets copies of its parent's memory and files, but none of its threads, and
 * a lock that another thread held stays locked. Operations of the parent do not continue in the child: see
 * ctx_is_inherited(). The functions here prevent the child from affecting its parent, and reset the child's state.
 */
#ifndef DOCA_EMULATOR_FORK_H_
#define DOCA_EMULATOR_FORK_H_

#include <pthread.h>

#include "shared.h"

/*
 * From now on children have /dev/null in place of the file. If memory runs out, they inherit the file. May be called
 * from any thread.
 */
void fork_withhold(int fd);

/* From now on children have their own eventfd in place of this one. Otherwise like fork_withhold(). */
void fork_renew_event(int fd);

/* Call this before closing a file that was passed to one of the two functions above. */
void fork_release(int fd);

/*
 * From now on forks hold the lock, so that the child finds the guarded data consistent. The child then calls the
 * function, which discards the parent's threads and jobs; NULL if there are none. A thread takes locks in the order of
 * these calls.
 */
void fork_guard(pthread_mutex_t *lock, void (*forget)(void)) EMULATOR_SHARED(fork_guard);

#endif /* DOCA_EMULATOR_FORK_H_ */
