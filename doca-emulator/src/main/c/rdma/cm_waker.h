/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells contexts that something happens on their sockets, by one thread for all contexts of the process. It begins
 * with the first and ends with the last of them; what has happened is looked at by doca_pe_progress().
 */
#ifndef DOCA_EMULATOR_CM_WAKER_H_
#define DOCA_EMULATOR_CM_WAKER_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <doca_error.h>

#include "common/pe.h"

/* Of one context, which embeds it. */
struct cm_waker {
    /* Something has happened since the context was last asleep. */
    atomic_bool awake;
    /* An epoll instance with the sockets of the context. */
    int events;
    struct doca_pe *pe;
    /* The thread knows the context by this number, since it may be gone when the thread learns of an event. */
    uint64_t id;
    /* See process_generation(). */
    unsigned int generation;
    LIST_ENTRY(cm_waker) link;
};

/* Opens the epoll instance and begins to watch it; the context is awake. OPERATING_SYSTEM, which the log explains. */
doca_error_t cm_waker_start(struct cm_waker *waker, struct doca_pe *pe);

/* Whether this is a copy that a fork has left: the sockets are the parent's. */
bool cm_waker_is_inherited(const struct cm_waker *waker);

/* The context has found no event: it is awake again when there is one. */
void cm_waker_sleep(struct cm_waker *waker);

/* No more calls of pe_notify() when this returns. */
void cm_waker_stop(struct cm_waker *waker);

#endif /* DOCA_EMULATOR_CM_WAKER_H_ */
