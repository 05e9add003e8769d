/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads of the emulator beside those of the program.
 */
#ifndef DOCA_EMULATOR_SERVICE_THREAD_H_
#define DOCA_EMULATOR_SERVICE_THREAD_H_

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

/* Starts a thread that gets no signals, which are for the threads of the program. 0 or an error of errno.h. */
static inline int
service_thread_start(pthread_t *thread, void *(*run)(void *), void *argument) {
    sigset_t all;
    sigset_t before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(thread, NULL, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

#endif /* DOCA_EMULATOR_SERVICE_THREAD_H_ */
