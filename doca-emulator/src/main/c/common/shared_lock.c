/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "shared_lock.h"

#define TIMEOUT_S 5

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

int
shared_lock_init(pthread_mutex_t *lock) {
    pthread_mutexattr_t attributes;
    int error = pthread_mutexattr_init(&attributes);
    if (error == 0) {
        pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
        pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
        error = pthread_mutex_init(lock, &attributes);
        pthread_mutexattr_destroy(&attributes);
    }
    return error;
}

int
shared_lock_take(pthread_mutex_t *lock) {
    int error = pthread_mutex_trylock(lock);
    if (error == EBUSY) {
        struct timespec deadline;
        clock_gettime(CLOCK_REALTIME, &deadline);
        deadline.tv_sec += TIMEOUT_S;
        error = pthread_mutex_timedlock(lock, &deadline);
    }
    if (error == EOWNERDEAD) {
        const int repair = pthread_mutex_consistent(lock);
        error = repair == 0 ? EOWNERDEAD : repair;
    }
    return error;
}

const char *
shared_lock_describe_error(int error) {
    return error == ETIMEDOUT ? "its holder, which may be suspended, has not let go of it for " TEXT(TIMEOUT_S) " s"
                              : strerror(error);
}

void
shared_lock_give(pthread_mutex_t *lock) {
    pthread_mutex_unlock(lock);
}
