/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads of the emulator. They have names, and block all signals, so that signals reach the threads of the program. A
 * thread is started, queried and stopped under one lock of its owner, or by one thread.
 */
#ifndef DOCA_EMULATOR_SERVICE_THREAD_H_
#define DOCA_EMULATOR_SERVICE_THREAD_H_

#include <pthread.h>
#include <stdbool.h>

#include <doca_error.h>

#include "shared.h"

/* One kind of thread. */
struct service_thread_ops {
    /* Up to 15 characters. */
    const char *name;
    void *(*run)(void *argument);
    /* Makes run() return soon. NULL for a thread that ends with the process. */
    void (*end)(void *argument);
};

/* A thread, or none while it is all zeros. */
struct service_thread {
    const struct service_thread_ops *ops;
    void *argument;
    pthread_t thread;
    /* See process_generation(): a forked child does not have the thread. */
    unsigned int generation;
};

/* Starts the thread, which must not be running. Fails like SDK_REFUSE_SYSTEM_ERROR(). */
doca_error_t service_thread_start(struct service_thread *thread, const struct service_thread_ops *ops, void *argument)
        EMULATOR_SHARED(service_thread_start);

/* Returns whether the thread was started in this process and not stopped. */
bool service_thread_is_running(const struct service_thread *thread) EMULATOR_SHARED(service_thread_is_running);

/* Ends the thread and waits for it. Does nothing if it is not running. */
void service_thread_stop(struct service_thread *thread) EMULATOR_SHARED(service_thread_stop);

#endif /* DOCA_EMULATOR_SERVICE_THREAD_H_ */
