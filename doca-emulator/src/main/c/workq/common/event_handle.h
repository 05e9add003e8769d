/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handles that programs of releases with work queues wait on. A handle is an epoll descriptor, which watches
 * progress engines and an eventfd. The eventfd is for events that have already occurred.
 *
 * A forked child has its own eventfd with the same number, and /dev/null in place of the epoll descriptor, until
 * event_handle_renew() replaces that, too.
 */
#ifndef DOCA_EMULATOR_WORKQ_EVENT_HANDLE_H_
#define DOCA_EMULATOR_WORKQ_EVENT_HANDLE_H_

#include <stdbool.h>

#include <core_pe.h>

#include "common/shared.h"

struct event_handle {
    /* Both are -1 if it is not open. */
    int epoll;
    int event;
    /* See process_generation(). */
    unsigned int generation;
};

#define EVENT_HANDLE_CLOSED ((struct event_handle){.epoll = -1, .event = -1})

/* Returns 0 or errno. If it fails, the handle is closed. */
int event_handle_open(struct event_handle *handle) EMULATOR_SHARED(event_handle_open);

/* Does nothing if it is closed. */
void event_handle_close(struct event_handle *handle) EMULATOR_SHARED(event_handle_close);

/* Returns whether the handle belongs to the parent of this process. */
bool event_handle_is_inherited(const struct event_handle *handle);

/* Opens an inherited handle again, with the same numbers and without engines. Returns 0 or errno. */
int event_handle_renew(struct event_handle *handle);

/* Makes the handle readable when the engine has a notification. Returns 0 or errno. */
int event_handle_watch(const struct event_handle *handle, const struct core_pe *pe)
        EMULATOR_SHARED(event_handle_watch);

void event_handle_unwatch(const struct event_handle *handle, const struct core_pe *pe);

/* Makes the handle readable until it is cleared. */
void event_handle_signal(const struct event_handle *handle) EMULATOR_SHARED(event_handle_signal);

void event_handle_clear(const struct event_handle *handle) EMULATOR_SHARED(event_handle_clear);

#endif /* DOCA_EMULATOR_WORKQ_EVENT_HANDLE_H_ */
