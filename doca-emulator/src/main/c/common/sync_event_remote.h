/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sync events of remote peers, for RDMA tasks.
 */
#ifndef DOCA_EMULATOR_SYNC_EVENT_REMOTE_H_
#define DOCA_EMULATOR_SYNC_EVENT_REMOTE_H_

#include <stdatomic.h>
#include <stdbool.h>

#include <doca_sync_event.h>

#include "event_value.h"
#include "object.h"
#include "shared.h"

struct doca_sync_event_remote_net {
    struct object object;
    /* Held. */
    struct doca_dev *dev;
    struct event_value *value;
    /* Tasks in flight. */
    atomic_uint num_tasks;
};

extern struct object_class sync_event_remote_class;

/* Returns whether the handle is a live imported event; if not, logs that. */
bool sync_event_remote_is_live(const struct doca_sync_event_remote_net *event)
        EMULATOR_SHARED(sync_event_remote_is_live);

/* A task in flight keeps the event from being destroyed. */
void sync_event_remote_hold(struct doca_sync_event_remote_net *event) EMULATOR_SHARED(sync_event_remote_hold);
void sync_event_remote_release(struct doca_sync_event_remote_net *event) EMULATOR_SHARED(sync_event_remote_release);

#endif /* DOCA_EMULATOR_SYNC_EVENT_REMOTE_H_ */
