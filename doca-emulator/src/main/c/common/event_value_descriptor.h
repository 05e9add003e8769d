/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor of a sync event, from the process that exports it to one that imports it. */
#ifndef DOCA_EMULATOR_EVENT_VALUE_DESCRIPTOR_H_
#define DOCA_EMULATOR_EVENT_VALUE_DESCRIPTOR_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_dev.h>
#include <doca_error.h>

/* By which way an importer gets to the value. */
enum event_value_kind {
    EVENT_VALUE_PCI = 1,
    EVENT_VALUE_NET = 2,
};

#define EVENT_VALUE_SECRET_SIZE 16

/* There is no padding. */
struct event_value_descriptor {
    char magic[8];
    uint32_t version;
    /* Of the whole descriptor. */
    uint32_t size;
    /* Of the export by this kind. */
    uint8_t secret[EVENT_VALUE_SECRET_SIZE];
    uint32_t kind;
    /* Of the file in the exporting process. */
    int32_t pid;
    int32_t fd;
    /* The effective user. */
    uint32_t user;
    /* The function that the value was exported by, and on which side of the PCI bus that is. */
    uint32_t side;
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    char vuid[DOCA_DEVINFO_VUID_SIZE];
    uint8_t reserved[7];
    /* Over all that is before it. */
    uint64_t checksum;
};

_Static_assert(sizeof(struct event_value_descriptor) % 8 == 0 &&
                       offsetof(struct event_value_descriptor, checksum) ==
                               offsetof(struct event_value_descriptor, reserved) + 7,
               "padding is not initialized");

/* Fills in what all descriptors have in common, when all else is there. */
void event_value_seal_descriptor(struct event_value_descriptor *descriptor);

/*
 * The descriptor as an importer of the kind may use it, when it is whole and makes sense: INVALID_VALUE otherwise, with
 * a record in the log. Who wrote it is not known: nothing is taken for granted.
 */
doca_error_t event_value_read_descriptor(const void *bytes, size_t size, enum event_value_kind kind,
                                         struct event_value_descriptor *descriptor);

#endif /* DOCA_EMULATOR_EVENT_VALUE_DESCRIPTOR_H_ */
