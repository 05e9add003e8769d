/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "event_value_descriptor.h"
#include "sdk_log.h"

#define REFUSE(...) SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Failed to import a sync event: " __VA_ARGS__)

static const struct descriptor_type type = {
        .magic = "DOCAEMUE",
        .version = 2,
        .min_size = sizeof(struct event_value_descriptor),
        .max_size = sizeof(struct event_value_descriptor),
        .error = DOCA_ERROR_INVALID_VALUE,
        .task = "import a sync event",
        .name = "sync event",
};

void
event_value_seal_descriptor(struct event_value_descriptor *descriptor) {
    descriptor_seal(&type, &descriptor->head, sizeof(*descriptor));
}

static bool
is_terminated(const char *text, size_t size) {
    return memchr(text, '\0', size) != NULL;
}

static doca_error_t
check_terms(const struct event_value_descriptor *descriptor, enum event_value_kind kind) {
    if (descriptor->kind != EVENT_VALUE_PCI && descriptor->kind != EVENT_VALUE_NET) {
        return REFUSE("the descriptor is of the unknown kind %u", descriptor->kind);
    }
    if (descriptor->kind != kind) {
        return REFUSE("the descriptor is for %s", descriptor->kind == EVENT_VALUE_PCI
                                                          ? "the other side of the PCI bus"
                                                          : "remote peers");
    }
    if (descriptor->pid <= 0 || descriptor->fd < 0) {
        return REFUSE("the descriptor names no process and file: %d, %d", descriptor->pid, descriptor->fd);
    }
    if (!is_terminated(descriptor->pci_addr, sizeof(descriptor->pci_addr)) ||
        !is_terminated(descriptor->vuid, sizeof(descriptor->vuid))) {
        return REFUSE("the descriptor names no function");
    }
    return DOCA_SUCCESS;
}

doca_error_t
event_value_read_descriptor(const void *bytes, size_t size, enum event_value_kind kind,
                            struct event_value_descriptor *descriptor) {
    const doca_error_t result = descriptor_read(&type, bytes, size, &descriptor->head);
    return result == DOCA_SUCCESS ? check_terms(descriptor, kind) : result;
}
