/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locks in memory that processes share. Any process may write arbitrary data to that memory. A holder that ends does
 * not keep its lock.
 */
#ifndef DOCA_EMULATOR_SHARED_LOCK_H_
#define DOCA_EMULATOR_SHARED_LOCK_H_

#include <stdatomic.h>
#include <stdint.h>

#include "shared.h"

/* The process that holds the lock, or 0. A lock of zeros is free. It has no pointers that a process could alter. */
struct shared_lock {
    _Atomic uint64_t holder;
};

/*
 * 0, or EOWNERDEAD if the previous holder has ended and may have left the guarded data inconsistent; both mean that
 * the lock is taken. Otherwise an error of errno.h: ETIMEDOUT if a living holder does not release it for seconds.
 * From any thread, once at a time.
 */
int shared_lock_take(struct shared_lock *lock) EMULATOR_SHARED(shared_lock_take);

/* Returns such an error as a part of a sentence about the lock. */
const char *shared_lock_describe_error(int error) EMULATOR_SHARED(shared_lock_describe_error);

void shared_lock_give(struct shared_lock *lock) EMULATOR_SHARED(shared_lock_give);

#endif /* DOCA_EMULATOR_SHARED_LOCK_H_ */
