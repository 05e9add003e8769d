/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a sync event: a value that is shared, used by calls or, as a context, by tasks.
 */
#ifndef DOCA_EMULATOR_SYNC_EVENT_H_
#define DOCA_EMULATOR_SYNC_EVENT_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_sync_event.h>

#include "ctx.h"
#include "event_value.h"
#include "sync_event_engine.h"

/* The bit of doca_sync_event.calls that doca_sync_event_start() sets; the others are the number. */
#define SYNC_EVENT_TAKES_CALLS 0x80000000u

/* Who publishes, or who subscribes. */
struct sync_event_locations {
    /* Of the CPU, held; NULL without that location. */
    struct doca_dev *cpu;
    bool remote_pci;
    bool remote_net;
};

struct doca_sync_event {
    struct doca_ctx ctx;
    /* It was started as a context: there are tasks, and no calls. */
    bool is_ctx;
    /* Calls that are under way, such as a wait of another thread, and whether it is started for them. */
    atomic_uint calls;

    struct sync_event_locations publishers;
    struct sync_event_locations subscribers;
    /* It has been started, which release 2.5 does once. */
    bool was_started;
    /* Given by the program, or NULL. */
    uint64_t *addr;
    /* The memory may not be written from the other side of the PCI bus. */
    bool lacks_pci_permission;

    /* While it is started, and of an imported event always. */
    struct event_value *value;
    /* Of an imported event, held. */
    struct doca_dev *importer;
    struct event_value_descriptor pci_descriptor;
    struct event_value_descriptor net_descriptor;

    struct sync_event_engine engine;
};

extern struct object_class sync_event_class;

/* A new event, which can be configured. */
doca_error_t sync_event_create(struct doca_sync_event **event);

/* For what can be changed before the start only: BAD_STATE later, and NOT_PERMITTED for an imported event. */
doca_error_t sync_event_check_configurable(const struct doca_sync_event *event, const char *what);

static inline bool
sync_event_takes_calls(const struct doca_sync_event *event) {
    return (atomic_load(&event->calls) & SYNC_EVENT_TAKES_CALLS) != 0;
}

/* Returns whether it has a value, by either way of starting. */
bool sync_event_is_started(const struct doca_sync_event *event);

#endif /* DOCA_EMULATOR_SYNC_EVENT_H_ */
