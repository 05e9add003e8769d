/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "clock.h"
#include "process.h"
#include "shared_lock.h"

#define TIMEOUT_S 5
/* The guarded updates are shorter than the time that a thread needs to fall asleep. */
#define NUM_ATTEMPTS_AWAKE 1000
#define PAUSE_NS 100000
/* The interval between two checks whether the holder has ended. */
#define LOOK_INTERVAL_NS (UINT64_C(10) * 1000 * 1000)

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

/* Returns this process, or 0 with errno. A forked child is another process. */
static process_id
self(void) {
    /* The generation is written last, so that a thread that sees it sees the process; all threads write the same. */
    static _Atomic uint64_t process;
    static atomic_uint generation_of_process;
    const unsigned int generation = process_generation() + 1;
    if (atomic_load_explicit(&generation_of_process, memory_order_acquire) == generation) {
        return atomic_load_explicit(&process, memory_order_relaxed);
    }
    const process_id found = process_self();
    if (found != 0) {
        atomic_store_explicit(&process, found, memory_order_relaxed);
        atomic_store_explicit(&generation_of_process, generation, memory_order_release);
    }
    return found;
}

/* Returns whether the lock was free and is taken now. */
static bool
try_take(struct shared_lock *lock, process_id process) {
    uint64_t holder = 0;
    return atomic_compare_exchange_strong_explicit(&lock->holder, &holder, process, memory_order_acquire,
                                                   memory_order_relaxed);
}

/* Returns whether the holder had ended and the lock was taken over from it. */
static bool
try_inherit(struct shared_lock *lock, process_id process) {
    uint64_t holder = atomic_load_explicit(&lock->holder, memory_order_relaxed);
    return holder != 0 && holder != process && process_has_ended(holder) &&
           atomic_compare_exchange_strong_explicit(&lock->holder, &holder, process, memory_order_acquire,
                                                   memory_order_relaxed);
}

static int
wait_and_take(struct shared_lock *lock, process_id process) {
    const uint64_t end = clock_now() + TIMEOUT_S * NS_PER_S;
    uint64_t next_look = 0;
    for (uint32_t i = 0; !try_take(lock, process); i++) {
        if (i < NUM_ATTEMPTS_AWAKE) {
            sched_yield();
            continue;
        }
        const uint64_t now = clock_now();
        if (now >= next_look) {
            if (try_inherit(lock, process)) {
                return EOWNERDEAD;
            }
            next_look = now + LOOK_INTERVAL_NS;
        }
        if (now >= end) {
            return ETIMEDOUT;
        }
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    }
    return 0;
}

int
shared_lock_take(struct shared_lock *lock) {
    const process_id process = self();
    if (process == 0) {
        return errno;
    }
    return try_take(lock, process) ? 0 : wait_and_take(lock, process);
}

int
shared_lock_try(struct shared_lock *lock, process_id process) {
    return try_take(lock, process) ? 0 : try_inherit(lock, process) ? EOWNERDEAD : EBUSY;
}

process_id
shared_lock_holder(const struct shared_lock *lock) {
    return atomic_load_explicit(&lock->holder, memory_order_relaxed);
}

const char *
shared_lock_describe_error(int error) {
    return error == ETIMEDOUT ? "its holder, which may be suspended, has not let go of it for " TEXT(TIMEOUT_S) " s"
                              : strerror(error);
}

void
shared_lock_give(struct shared_lock *lock) {
    atomic_store_explicit(&lock->holder, 0, memory_order_release);
}
