/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "event_value_descriptor.h"
#include "sdk_log.h"
#include "settings.h"

#define MAGIC "DOCAEMUE"
#define MAGIC_SIZE 8
#define VERSION 1

#define REFUSE(...) SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Failed to import a sync event: " __VA_ARGS__)

/* FNV-1a: detects any change of one byte, and nearly all changes of several. */
static uint64_t
checksum_of(const struct event_value_descriptor *descriptor) {
    const uint8_t *bytes = (const uint8_t *)descriptor;
    uint64_t checksum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < offsetof(struct event_value_descriptor, checksum); i++) {
        checksum = (checksum ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return checksum;
}

void
event_value_seal_descriptor(struct event_value_descriptor *descriptor) {
    memcpy(descriptor->magic, MAGIC, MAGIC_SIZE);
    descriptor->version = emulator_descriptor_version(VERSION);
    descriptor->size = sizeof(*descriptor);
    descriptor->checksum = checksum_of(descriptor);
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
    if (size < MAGIC_SIZE || memcmp(bytes, MAGIC, MAGIC_SIZE) != 0) {
        return REFUSE("%zu bytes at %p are no sync event of the emulator", size, bytes);
    }
    if (size != sizeof(*descriptor)) {
        return REFUSE("the descriptor has %zu bytes instead of %zu", size, sizeof(*descriptor));
    }
    memcpy(descriptor, bytes, sizeof(*descriptor));
    if (descriptor->checksum != checksum_of(descriptor)) {
        return REFUSE("the descriptor was altered: its checksum is wrong");
    }
    const char *other_release = emulator_other_release(descriptor->version);
    if (other_release != NULL) {
        return REFUSE("the descriptor is of libraries of release %s, and these are of %s", other_release,
                      emulator_abi.names[0]);
    }
    if (descriptor->version != emulator_descriptor_version(VERSION) || descriptor->size != sizeof(*descriptor)) {
        return REFUSE("the descriptor is of version %u, this emulator is of version %d", descriptor->version, VERSION);
    }
    return check_terms(descriptor, kind);
}
