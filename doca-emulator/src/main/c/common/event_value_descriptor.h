/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor of a sync event, which one process exports and another one imports. */
#ifndef DOCA_EMULATOR_EVENT_VALUE_DESCRIPTOR_H_
#define DOCA_EMULATOR_EVENT_VALUE_DESCRIPTOR_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_dev.h>
#include <doca_error.h>

#include "descriptor.h"

/* The way by which an importer reaches the value. */
enum event_value_kind {
    EVENT_VALUE_PCI = 1,
    EVENT_VALUE_NET = 2,
};

#define EVENT_VALUE_SECRET_SIZE 16

/* There is no padding. */
struct event_value_descriptor {
    struct descriptor_head head;
    /* The secret of the exports of this kind. */
    uint8_t secret[EVENT_VALUE_SECRET_SIZE];
    uint32_t kind;
    /* The descriptor of the file in the exporting process. */
    int32_t pid;
    int32_t fd;
    /* The effective user. */
    uint32_t user;
    /* The function that exported the value, and its side of the PCI bus. */
    uint32_t side;
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    char vuid[DOCA_DEVINFO_VUID_SIZE];
    uint8_t reserved[7];
};

_Static_assert(sizeof(struct event_value_descriptor) == offsetof(struct event_value_descriptor, reserved) + 7,
               "padding is not initialized");

/* Fills in the members that all descriptors share, after all others have been set. */
void event_value_seal_descriptor(struct event_value_descriptor *descriptor);

/*
 * Reads a descriptor that is complete, consistent and of the importer's kind. Otherwise returns INVALID_VALUE, with a
 * record in the log. The source of the bytes is untrusted, so everything is checked.
 */
doca_error_t event_value_read_descriptor(const void *bytes, size_t size, enum event_value_kind kind,
                                         struct event_value_descriptor *descriptor);

#endif /* DOCA_EMULATOR_EVENT_VALUE_DESCRIPTOR_H_ */
