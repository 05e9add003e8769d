/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sockets of contexts. doca_pe_progress() looks at them itself. A program that sleeps until it is notified is woken by
 * one thread for all contexts of the process, which begins with the first and ends with the last of them.
 */
#ifndef DOCA_EMULATOR_WAKER_H_
#define DOCA_EMULATOR_WAKER_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/queue.h>

#include <doca_error.h>

#include "pe.h"
#include "shared.h"

/* Of one context, which embeds it. */
struct waker {
    /* An epoll instance with the sockets of the context. */
    int events;
    struct pe_queue *queue;
    /* The thread knows the context by this number, since it may be gone when the thread learns of an event. */
    uint64_t id;
    /* See process_generation(). */
    unsigned int generation;
    LIST_ENTRY(waker) link;
};

/*
 * Opens the epoll instance and begins to watch it. Until waker_stop() progress visits the context, whose has_events() says
 * so. As SDK_REFUSE_SYSTEM_ERROR().
 */
doca_error_t waker_start(struct waker *waker, struct doca_ctx *ctx) EMULATOR_SHARED(waker_start);

/* Returns whether this is a copy that a fork has left: the sockets are the parent's. */
bool waker_is_inherited(const struct waker *waker) EMULATOR_SHARED(waker_is_inherited);

/* Gives an event that a socket has now, and false when there is none. */
bool waker_look(const struct waker *waker, struct epoll_event *event) EMULATOR_SHARED(waker_look);

/* Has pe_notify() called once, as soon as a socket has an event. False when one has an event already. */
bool waker_sleep(struct waker *waker) EMULATOR_SHARED(waker_sleep);

/* No more calls of pe_notify() when this returns. */
void waker_stop(struct waker *waker) EMULATOR_SHARED(waker_stop);

#endif /* DOCA_EMULATOR_WAKER_H_ */
