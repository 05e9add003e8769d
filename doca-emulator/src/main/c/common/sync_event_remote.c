/* SPDX-License-Identifier: Apache-2.0 */
#include "device.h"
#include "device_info.h"
#include "sdk_log.h"
#include "sync_event_remote.h"

struct object_class sync_event_remote_class = OBJECT_CLASS("remote sync event", struct doca_sync_event_remote_net);

bool
sync_event_remote_is_live(const struct doca_sync_event_remote_net *event) {
    return IS_LIVE(sync_event_remote_class, event);
}

void
sync_event_remote_hold(struct doca_sync_event_remote_net *event) {
    atomic_fetch_add(&event->num_tasks, 1);
}

void
sync_event_remote_release(struct doca_sync_event_remote_net *event) {
    atomic_fetch_sub(&event->num_tasks, 1);
}

doca_error_t
doca_sync_event_remote_net_create_from_export(struct doca_dev *dev, const uint8_t *data, size_t sz,
                                              struct doca_sync_event_remote_net **event) {
    struct event_value_descriptor descriptor;
    struct event_value *value;
    if (data == NULL || sz == 0 || event == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: %zu bytes at %p, event %p", sz, data, event);
    }
    if (!device_is_open(dev)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!device_function(dev)->rdma.supported) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Failed to import a sync event: device %p has no RDMA", dev);
    }
    doca_error_t result = event_value_read_descriptor(data, sz, EVENT_VALUE_NET, &descriptor);
    if (result == DOCA_SUCCESS) {
        result = event_value_open(&descriptor, &value);
    }
    if (result != DOCA_SUCCESS) {
        return result;
    }
    struct doca_sync_event_remote_net *created = object_create(&sync_event_remote_class);
    if (created == NULL) {
        (void)event_value_close(value);
        return DOCA_ERROR_NO_MEMORY;
    }
    device_hold(dev);
    created->dev = dev;
    created->value = value;
    atomic_init(&created->num_tasks, 0);
    *event = created;
    SDK_LOG_INFO("Remote sync event %p: was created", created);
    return DOCA_SUCCESS;
}

doca_error_t
doca_sync_event_remote_net_destroy(struct doca_sync_event_remote_net *event) {
    if (!IS_LIVE(sync_event_remote_class, event)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const unsigned int num_tasks = atomic_load(&event->num_tasks);
    if (num_tasks > 0) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "Remote sync event %p: Failed to destroy: %u tasks are in flight", event,
                          num_tasks);
    }
    (void)event_value_close(event->value);
    device_release(event->dev);
    object_destroy(&sync_event_remote_class, event);
    SDK_LOG_INFO("Remote sync event %p: was destroyed", event);
    return DOCA_SUCCESS;
}
