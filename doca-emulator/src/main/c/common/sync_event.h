/* SPDX-License-Identifier: Apache-2.0 */
/* The internal part of a sync event: a shared value, used by calls or, as a context, by tasks. */
#ifndef DOCA_EMULATOR_SYNC_EVENT_H_
#define DOCA_EMULATOR_SYNC_EVENT_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_sync_event.h>

#include "ctx.h"
#include "event_value.h"
#include "sync_event_engine.h"

/* The bits of doca_sync_event.calls that doca_sync_event_start() and a start as a context set; the others count the calls. */
#define SYNC_EVENT_TAKES_CALLS 0x80000000u
#define SYNC_EVENT_TAKES_CALLS_AS_CTX 0x40000000u

/* The publishers or the subscribers. */
struct sync_event_locations {
    /* The device of the CPU location, held; NULL without that location. */
    struct doca_dev *cpu;
    bool remote_pci;
    bool remote_net;
};

struct doca_sync_event {
    struct doca_ctx ctx;
    /* Started as a context: tasks are allowed and, with releases after 2.5, also calls. */
    bool is_ctx;
    /*
     * The number of calls in progress, such as a wait of another thread, and SYNC_EVENT_TAKES_CALLS or
     * SYNC_EVENT_TAKES_CALLS_AS_CTX.
     */
    atomic_uint calls;

    struct sync_event_locations publishers;
    struct sync_event_locations subscribers;
    /* True from the first start on, which is the only one. Also true if a start as a context failed for want of tasks. */
    bool was_started;
    /* The address from the program, or NULL. */
    uint64_t *addr;
    /* True if the other side of the PCI bus may not write the memory. */
    bool lacks_pci_permission;

    /* Set while it is started; of an imported event, from its first start on. */
    struct event_value *value;
    /* Of an imported event: the device, held, and the descriptor as the program has passed it. */
    struct doca_dev *importer;
    void *import;
    size_t import_size;
    struct event_value_descriptor pci_descriptor;
    struct event_value_descriptor net_descriptor;

    struct sync_event_engine engine;
};

extern struct object_class sync_event_class;

/* Creates an event that can be configured. */
doca_error_t sync_event_create(struct doca_sync_event **event);

/*
 * Checks functions that are allowed only before the first start: BAD_STATE later, and NOT_PERMITTED for an imported event.
 */
doca_error_t sync_event_check_configurable(const struct doca_sync_event *event, const char *what);

static inline bool
sync_event_takes_calls(const struct doca_sync_event *event) {
    return (atomic_load(&event->calls) & SYNC_EVENT_TAKES_CALLS) != 0;
}

/* Returns whether it has a value, which both ways of starting create. */
bool sync_event_is_started(const struct doca_sync_event *event);

#endif /* DOCA_EMULATOR_SYNC_EVENT_H_ */
