/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locks in memory that processes share. Any process may write arbitrary data to that memory. A holder that ends does
 * not keep its lock.
 */
#ifndef DOCA_EMULATOR_SHARED_LOCK_H_
#define DOCA_EMULATOR_SHARED_LOCK_H_

#include <stdatomic.h>
#include <stdint.h>

#include "process.h"
#include "shared.h"

/* The process that holds the lock, or 0. A lock of zeros is free. It has no pointers, which a process could alter. */
struct shared_lock {
    _Atomic uint64_t holder;
};

/*
 * Takes the lock. Returns 0, or EOWNERDEAD if the previous holder has ended and may have left the guarded data
 * inconsistent; in both cases the lock is taken. Otherwise returns an error of errno.h: ETIMEDOUT if a living holder does
 * not release it for seconds. May be called from any thread, but not recursively.
 */
int shared_lock_take(struct shared_lock *lock) EMULATOR_SHARED(shared_lock_take);

/* The same for a caller that knows its process, without waiting: returns EBUSY if a process that has not ended holds it. */
int shared_lock_try(struct shared_lock *lock, process_id process);

/* Returns the process that holds the lock, or 0. */
process_id shared_lock_holder(const struct shared_lock *lock);

/* Returns the text of such an error as a part of a sentence about the lock. */
const char *shared_lock_describe_error(int error) EMULATOR_SHARED(shared_lock_describe_error);

void shared_lock_give(struct shared_lock *lock) EMULATOR_SHARED(shared_lock_give);

#endif /* DOCA_EMULATOR_SHARED_LOCK_H_ */
