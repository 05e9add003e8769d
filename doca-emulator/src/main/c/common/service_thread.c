/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>

#include "process.h"
#include "sdk_log.h"
#include "service_thread.h"

doca_error_t
service_thread_start(struct service_thread *thread, const struct service_thread_ops *ops, void *argument) {
    /* A thread that blocks the signal of its own fault ends the process without the program's handler. */
    static const int own_faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigset_t blocked;
    sigset_t before;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof(own_faults) / sizeof(own_faults[0]); i++) {
        sigdelset(&blocked, own_faults[i]);
    }
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    const int error = pthread_create(&thread->thread, NULL, ops->run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0) {
        return SDK_REFUSE_SYSTEM_ERROR(error, "Failed to start thread %s", ops->name);
    }
    (void)pthread_setname_np(thread->thread, ops->name);
    thread->ops = ops;
    thread->argument = argument;
    thread->generation = process_generation();
    return DOCA_SUCCESS;
}

bool
service_thread_is_running(const struct service_thread *thread) {
    return thread->ops != NULL && thread->generation == process_generation();
}

void
service_thread_stop(struct service_thread *thread) {
    if (service_thread_is_running(thread)) {
        thread->ops->end(thread->argument);
        pthread_join(thread->thread, NULL);
    }
    thread->ops = NULL;
}
