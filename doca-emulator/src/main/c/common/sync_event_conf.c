/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of a sync event before its start: its users, and the location of its value. */
#include "buf.h"
#include "device.h"
#include "mmap_object.h"
#include "sdk_log.h"
#include "sync_event.h"

/*
 * Locations
 */

static doca_error_t
check_location(const struct doca_sync_event *event) {
    if (!IS_LIVE(sync_event_class, event)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    return sync_event_check_configurable(event, "add a location");
}

/* There is one location of publishers and one of subscribers: the last one. Only a device of the CPU is kept, for exports. */
static void
forget_remotes(struct sync_event_locations *locations) {
    locations->remote_pci = false;
    locations->remote_net = false;
}

static doca_error_t
add_cpu(struct doca_sync_event *event, struct doca_dev *dev, struct sync_event_locations *locations) {
    if (!device_is_open(dev)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_location(event);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    forget_remotes(locations);
    device_hold(dev);
    if (locations->cpu != NULL) {
        device_release(locations->cpu);
    }
    locations->cpu = dev;
    return DOCA_SUCCESS;
}

/* Sets the location of the publishers or subscribers of an event. That of the others must then be in this process. */
static doca_error_t
add_remote(struct doca_sync_event *event, struct sync_event_locations *locations,
           const struct sync_event_locations *others, bool *location) {
    const doca_error_t result = check_location(event);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (others->remote_pci || others->remote_net) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED,
                          "Sync event %p: Failed to add a location: publishers and subscribers cannot both be remote",
                          event);
    }
    forget_remotes(locations);
    *location = true;
    return DOCA_SUCCESS;
}

/* NULL without an event. */
#define LOCATIONS(event, role) ((event) == NULL ? NULL : &(event)->role)

doca_error_t
doca_sync_event_add_publisher_location_cpu(struct doca_sync_event *event, struct doca_dev *dev) {
    return add_cpu(event, dev, LOCATIONS(event, publishers));
}

doca_error_t
doca_sync_event_add_publisher_location_remote_pci(struct doca_sync_event *event) {
    return add_remote(event, LOCATIONS(event, publishers), LOCATIONS(event, subscribers),
                      LOCATIONS(event, publishers.remote_pci));
}

doca_error_t
doca_sync_event_add_publisher_location_remote_net(struct doca_sync_event *event) {
    return add_remote(event, LOCATIONS(event, publishers), LOCATIONS(event, subscribers),
                      LOCATIONS(event, publishers.remote_net));
}

doca_error_t
doca_sync_event_add_subscriber_location_cpu(struct doca_sync_event *event, struct doca_dev *dev) {
    return add_cpu(event, dev, LOCATIONS(event, subscribers));
}

doca_error_t
doca_sync_event_add_subscriber_location_remote_pci(struct doca_sync_event *event) {
    return add_remote(event, LOCATIONS(event, subscribers), LOCATIONS(event, publishers),
                      LOCATIONS(event, subscribers.remote_pci));
}

/*
 * Memory
 */

static doca_error_t
check_memory(const struct doca_sync_event *event) {
    if (!IS_LIVE(sync_event_class, event)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    return sync_event_check_configurable(event, "set the memory");
}

static doca_error_t
check_address(const struct doca_sync_event *event, const void *addr) {
    if (addr == NULL || (uintptr_t)addr % sizeof(uint64_t) != 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE,
                          "Sync event %p: Invalid input: %p is no address that is a multiple of 8", event, addr);
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_sync_event_set_addr(struct doca_sync_event *event, uint64_t *addr) {
    doca_error_t result = check_address(event, addr);
    if (result == DOCA_SUCCESS) {
        result = check_memory(event);
    }
    if (result == DOCA_SUCCESS) {
        event->addr = addr;
        event->lacks_pci_permission = false;
    }
    return result;
}

/* The access that peers and the CPU need to read and update the value. */
#define BUFFER_ACCESS (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | RDMA_ACCESS)

static doca_error_t
check_buffer(const struct doca_sync_event *event, const struct doca_buf *buf) {
    const struct doca_mmap *mmap = buf->mmap;
    if (buf->next != NULL || buf->list_head != buf) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Sync event %p: Invalid input: buffer %p is of a list", event, buf);
    }
    if (buf->data_len != sizeof(uint64_t)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED,
                          "Sync event %p: Failed to set the memory: the data of buffer %p has %zu bytes, not 8", event,
                          buf, buf->data_len);
    }
    if (mmap->import != NULL || !mmap_is_started(mmap) || !mmap_contains(mmap, buf->data, buf->data_len)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED,
                          "Sync event %p: Failed to set the memory: buffer %p is not of memory of this process", event,
                          buf);
    }
    if ((mmap->permissions & BUFFER_ACCESS) != BUFFER_ACCESS) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED,
                          "Sync event %p: Failed to set the memory: mmap %p has the permissions %#x, needs %#x", event,
                          mmap, mmap->permissions, BUFFER_ACCESS);
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_sync_event_set_doca_buf(struct doca_sync_event *event, struct doca_buf *buf) {
    if (!buf_is_live(buf)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    doca_error_t result = check_memory(event);
    if (result == DOCA_SUCCESS) {
        result = check_buffer(event, buf);
    }
    if (result == DOCA_SUCCESS) {
        result = check_address(event, buf->data);
    }
    if (result == DOCA_SUCCESS) {
        event->addr = (uint64_t *)(void *)buf->data;
        event->lacks_pci_permission = (buf->mmap->permissions & DOCA_ACCESS_FLAG_PCI_READ_WRITE) == 0;
    }
    return result;
}
