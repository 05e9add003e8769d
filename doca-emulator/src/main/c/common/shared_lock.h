/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locks in memory that processes share, any of which may write anything to that memory. A process that holds one and
 * ends does not keep it.
 */
#ifndef DOCA_EMULATOR_SHARED_LOCK_H_
#define DOCA_EMULATOR_SHARED_LOCK_H_

#include <stdatomic.h>
#include <stdint.h>

#include "shared.h"

/* The process that holds the lock, or 0. A lock of zeros is free. There are no pointers that a process could alter. */
struct shared_lock {
    _Atomic uint64_t holder;
};

/*
 * 0, or EOWNERDEAD when the holder before has ended and may have left what it guards half done, either of which means
 * that the lock is taken; otherwise an error of errno.h, which is ETIMEDOUT when a living holder does not give it back
 * for seconds. From any thread, once at a time.
 */
int shared_lock_take(struct shared_lock *lock) EMULATOR_SHARED(shared_lock_take);

/* Such an error as a part of a sentence about the lock. */
const char *shared_lock_describe_error(int error) EMULATOR_SHARED(shared_lock_describe_error);

void shared_lock_give(struct shared_lock *lock) EMULATOR_SHARED(shared_lock_give);

#endif /* DOCA_EMULATOR_SHARED_LOCK_H_ */
