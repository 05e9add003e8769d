/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sync events across processes: the export of an event, and events created from an export to the other side of the PCI
 * bus. sync_event_remote.c contains the events of remote peers.
 */
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "device_info.h"
#include "sdk_log.h"
#include "settings.h"
#include "sync_event.h"
#include "sync_event_export.h"

/*
 * Export
 */

static doca_error_t
check_export(const struct doca_sync_event *event, const uint8_t **data, const size_t *sz) {
    if (!IS_LIVE(sync_event_class, event)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (data == NULL || sz == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Sync event %p: Invalid input: no place for the descriptor", event);
    }
    if (event->importer != NULL) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Sync event %p: Failed to export: the event is from an export",
                          event);
    }
    return DOCA_SUCCESS;
}

static doca_error_t
check_exportable(const struct doca_sync_event *event, bool has_location, const char *location) {
    if (!has_location) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Sync event %p: Failed to export: has no %s", event, location);
    }
    if (!sync_event_is_started(event)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Sync event %p: Failed to export: is not started", event);
    }
    return DOCA_SUCCESS;
}

/* Returns the first descriptor again until the stop. */
static void
give_descriptor(const struct doca_sync_event *event, enum event_value_kind kind, const struct doca_dev *dev,
                struct event_value_descriptor *descriptor, const uint8_t **data, size_t *sz) {
    if (descriptor->head.size == 0) {
        event_value_describe(event->value, kind, device_function(dev), descriptor);
    }
    *data = (const uint8_t *)descriptor;
    *sz = descriptor->head.size;
}

doca_error_t
doca_sync_event_export_to_remote_pci(
        struct doca_sync_event *event, struct doca_dev *dev, const uint8_t **data, size_t *sz) {
    doca_error_t result = check_export(event, data, sz);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (!device_is_open(dev)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    result = check_exportable(event, event->publishers.remote_pci || event->subscribers.remote_pci,
                              "remote PCI location");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (event->lacks_pci_permission) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Sync event %p: Failed to export: its buffer lacks the permission "
                                                    "PCI_READ_WRITE",
                          event);
    }
    if (!sync_event_crosses_pci(device_function(dev))) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED,
                          "Sync event %p: Failed to export: the DPU has no representor of device %p", event, dev);
    }
    give_descriptor(event, EVENT_VALUE_PCI, dev, &event->pci_descriptor, data, sz);
    return DOCA_SUCCESS;
}

doca_error_t
doca_sync_event_export_to_remote_net(struct doca_sync_event *event, const uint8_t **data, size_t *sz) {
    doca_error_t result = check_export(event, data, sz);
    if (result == DOCA_SUCCESS) {
        result = check_exportable(event, event->publishers.remote_net, "remote net publisher");
    }
    if (result != DOCA_SUCCESS) {
        return result;
    }
    const struct doca_dev *dev = event->subscribers.cpu != NULL ? event->subscribers.cpu : event->publishers.cpu;
    if (event->is_ctx && emulator_release_is_at_most(EMULATOR_RELEASE_2_5)) {
        /* NVIDIA's library crashes the process here. */
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED,
                          "Sync event %p: Failed to export: release 2.5 exports no event that runs as a context", event);
    }
    if (dev == NULL || !device_function(dev)->rdma.supported) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED,
                          "Sync event %p: Failed to export: no CPU location has a device with RDMA", event);
    }
    give_descriptor(event, EVENT_VALUE_NET, dev, &event->net_descriptor, data, sz);
    return DOCA_SUCCESS;
}

/*
 * Import
 */

static bool
is_function(const struct topology_function *function, const struct event_value_descriptor *descriptor) {
    return function->side == descriptor->side &&
           strncmp(function->pci_addr, descriptor->pci_addr, sizeof(descriptor->pci_addr)) == 0 &&
           strncmp(function->vuid, descriptor->vuid, sizeof(descriptor->vuid)) == 0;
}

/* The exporting function and the importing one must be visible to each other across the bus. */
static doca_error_t
check_sides(const struct event_value_descriptor *descriptor, const struct doca_dev *dev) {
    const struct topology *topology;
    const struct topology_function *importer = device_function(dev);
    const doca_error_t result = topology_get(&topology);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (!sync_event_crosses_pci(importer)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED,
                          "Failed to import a sync event: the DPU has no representor of device %p", dev);
    }
    if (importer->side == descriptor->side) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED,
                          "Failed to import a sync event: it is of this side of the PCI bus");
    }
    for (size_t i = 0; i < topology->num_functions; i++) {
        const struct topology_function *function = &topology->functions[i];
        if (is_function(function, descriptor) && sync_event_crosses_pci(function)) {
            return DOCA_SUCCESS;
        }
    }
    return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED,
                      "Failed to import a sync event: the other side of the PCI bus has no function %s (%s)",
                      descriptor->pci_addr, descriptor->vuid);
}

doca_error_t
sync_event_open_import(struct doca_sync_event *event) {
    struct event_value_descriptor descriptor;
    doca_error_t result = event_value_read_descriptor(event->import, event->import_size, EVENT_VALUE_PCI, &descriptor);
    if (result == DOCA_SUCCESS) {
        result = check_sides(&descriptor, event->importer);
    }
    return result == DOCA_SUCCESS ? event_value_open(&descriptor, &event->value) : result;
}

static doca_error_t
set_import(struct doca_sync_event *event, struct doca_dev *dev, const uint8_t *data, size_t sz) {
    event->import = malloc(sz);
    if (event->import == NULL) {
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "Sync event %p: No memory for its descriptor", event);
    }
    memcpy(event->import, data, sz);
    event->import_size = sz;
    device_hold(dev);
    event->importer = dev;
    return emulator_release_is_at_most(EMULATOR_RELEASE_2_5) ? sync_event_open_import(event) : DOCA_SUCCESS;
}

/* Release 2.5 reads the descriptor here, and later ones when the event is started. */
doca_error_t
doca_sync_event_create_from_export(
        struct doca_dev *dev, const uint8_t *data, size_t sz, struct doca_sync_event **event) {
    if (data == NULL || sz == 0 || event == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: %zu bytes at %p, event %p", sz, data, event);
    }
    if (!device_is_open(dev)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    struct doca_sync_event *created;
    doca_error_t result = sync_event_create(&created);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = set_import(created, dev, data, sz);
    if (result != DOCA_SUCCESS) {
        (void)doca_sync_event_destroy(created);
        return result;
    }
    *event = created;
    SDK_LOG_INFO("Sync event %p: was created from an export", created);
    return DOCA_SUCCESS;
}
