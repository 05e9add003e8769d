/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sockets of contexts. doca_pe_progress() polls them itself. One thread for all contexts of the process wakes
 * programs that sleep until they are notified; it starts with the first context and ends with the last.
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

/* The sockets of one context, which embeds it. */
struct waker {
    /* An epoll instance with the sockets of the context. */
    int events;
    struct pe_queue *queue;
    /*
     * The thread identifies the context by this number, since the context may be destroyed before the thread gets an
     * event.
     */
    uint64_t id;
    /* See process_generation(). */
    unsigned int generation;
    /* No event is reported before this time, in terms of clock_now(); 0 at the start. */
    uint64_t rests_until;
    LIST_ENTRY(waker) link;
};

/*
 * Opens the epoll instance and begins to watch it. Until waker_stop() progress visits the context, whose has_events()
 * reports events. Fails like SDK_REFUSE_SYSTEM_ERROR().
 */
doca_error_t waker_start(struct waker *waker, struct doca_ctx *ctx) EMULATOR_SHARED(waker_start);

/* Returns whether this is a forked copy: the sockets belong to the parent. */
bool waker_is_inherited(const struct waker *waker) EMULATOR_SHARED(waker_is_inherited);

/*
 * Reports no event for some milliseconds. A client that cannot be accepted would keep a program from sleeping: it stays
 * connected, and its listener has an event.
 */
void waker_rest(struct waker *waker) EMULATOR_SHARED(waker_rest);

/* Stores an event that a socket has now. Returns false if there is none. */
bool waker_look(const struct waker *waker, struct epoll_event *event) EMULATOR_SHARED(waker_look);

/* Schedules one call of pe_notify() for the next event of a socket. Returns false if a socket already has an event. */
bool waker_sleep(struct waker *waker) EMULATOR_SHARED(waker_sleep);

/* Stops the waker. There are no calls of pe_notify() once this returns. */
void waker_stop(struct waker *waker) EMULATOR_SHARED(waker_stop);

#endif /* DOCA_EMULATOR_WAKER_H_ */
