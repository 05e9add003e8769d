/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of forked children. A child of fork() gets copies of its parent's memory and files, but none of its threads, and
 * a lock that another thread held would stay locked. Operations of the parent do not continue in the child: see
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

/* A lock that forks hold, so that the child finds it free and the guarded data consistent. */
struct fork_guarded {
    pthread_mutex_t *lock;
    /* Called in the child, while it has one thread: discards the parent's threads and jobs. NULL if there are none. */
    void (*forget)(void);
    /* Of fork.c. */
    struct fork_guarded *next;
};

void fork_guard(struct fork_guarded *guard) EMULATOR_SHARED(fork_guard);

/*
 * From the loading of the library on, forks hold the lock. All locks with static storage need this, in any order, except
 * those under which a program's function is called. The name is that of the guard.
 */
#define GUARD_IN_FORKS(name, guarded_lock, forget_function)                                                \
    static void __attribute__((constructor)) guard_##name##_in_forks(void) {                               \
        static struct fork_guarded guard = {.lock = (guarded_lock), .forget = (forget_function)};          \
        fork_guard(&guard);                                                                                \
    }

#endif /* DOCA_EMULATOR_FORK_H_ */
