/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells contexts that something happens on their sockets, by one thread for all contexts of the process. It begins
 * with the first and ends with the last of them; what has happened is looked at by doca_pe_progress().
 */
#ifndef DOCA_EMULATOR_WAKER_H_
#define DOCA_EMULATOR_WAKER_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <doca_error.h>

#include "pe.h"
#include "shared.h"

/* Of one context, which embeds it. */
struct waker {
    /* Something has happened since the context was last asleep. */
    atomic_bool awake;
    /* An epoll instance with the sockets of the context. */
    int events;
    struct pe_queue *queue;
    /* The thread knows the context by this number, since it may be gone when the thread learns of an event. */
    uint64_t id;
    /* See process_generation(). */
    unsigned int generation;
    LIST_ENTRY(waker) link;
};

/* Opens the epoll instance and begins to watch it; the context is awake. OPERATING_SYSTEM, which the log explains. */
doca_error_t waker_start(struct waker *waker, struct pe_queue *queue) EMULATOR_SHARED(waker_start);

/* Whether this is a copy that a fork has left: the sockets are the parent's. */
bool waker_is_inherited(const struct waker *waker) EMULATOR_SHARED(waker_is_inherited);

/* The context has found no event: it is awake again when there is one. */
void waker_sleep(struct waker *waker) EMULATOR_SHARED(waker_sleep);

/* No more calls of pe_notify() when this returns. */
void waker_stop(struct waker *waker) EMULATOR_SHARED(waker_stop);

#endif /* DOCA_EMULATOR_WAKER_H_ */
