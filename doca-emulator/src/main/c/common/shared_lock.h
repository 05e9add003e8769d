/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locks in memory that processes share. Whoever has one and dies does not keep it.
 */
#ifndef DOCA_EMULATOR_SHARED_LOCK_H_
#define DOCA_EMULATOR_SHARED_LOCK_H_

#include <pthread.h>
#include <stddef.h>

#include "shared.h"

/* 0 or an error of errno.h. */
int shared_lock_init(pthread_mutex_t *lock) EMULATOR_SHARED(shared_lock_init);

/*
 * 0, or EOWNERDEAD when the owner before has died and may have left what it guards half done, either of which means
 * that the lock is taken; otherwise an error of errno.h, which is ETIMEDOUT when a living owner does not let go for
 * seconds.
 */
int shared_lock_take(pthread_mutex_t *lock) EMULATOR_SHARED(shared_lock_take);

/* Such an error as a part of a sentence about the lock. */
const char *shared_lock_describe_error(int error) EMULATOR_SHARED(shared_lock_describe_error);

void shared_lock_give(pthread_mutex_t *lock) EMULATOR_SHARED(shared_lock_give);

#endif /* DOCA_EMULATOR_SHARED_LOCK_H_ */
