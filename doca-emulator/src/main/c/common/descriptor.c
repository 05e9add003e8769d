/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "descriptor.h"
#include "sdk_log.h"
#include "settings.h"

#define REFUSE(format, ...) SDK_REFUSE(type->error, "Failed to %s: " format, type->task, __VA_ARGS__)

void
descriptor_seal(const struct descriptor_type *type, struct descriptor_head *head, size_t size) {
    memcpy(head->magic, type->magic, DESCRIPTOR_MAGIC_SIZE);
    head->version = emulator_descriptor_version(type->version);
    head->size = (uint32_t)size;
    head->checksum = descriptor_checksum(head);
}

static doca_error_t
check_version(const struct descriptor_type *type, uint32_t version) {
    const char *other_release = emulator_other_release(version);
    if (other_release != NULL) {
        return REFUSE("the descriptor is of libraries of release %s, and these are of %s", other_release,
                      emulator_abi.names[0]);
    }
    if (version != emulator_descriptor_version(type->version)) {
        return REFUSE("the descriptor is of version %u, this emulator is of version %u", version, type->version);
    }
    return DOCA_SUCCESS;
}

doca_error_t
descriptor_read(const struct descriptor_type *type, const void *bytes, size_t size, struct descriptor_head *head) {
    if (size < DESCRIPTOR_MAGIC_SIZE || memcmp(bytes, type->magic, DESCRIPTOR_MAGIC_SIZE) != 0) {
        return REFUSE("%zu bytes at %p are no %s of the emulator", size, bytes, type->name);
    }
    memset(head, 0, type->max_size);
    memcpy(head, bytes, size < type->max_size ? size : type->max_size);
    const size_t whole_size = type->min_size == type->max_size ? type->max_size : head->size;
    if (size != whole_size || size < type->min_size || size > type->max_size) {
        return REFUSE("the descriptor has %zu bytes instead of %zu", size, whole_size);
    }
    if (head->size != size || head->checksum != descriptor_checksum(head)) {
        return REFUSE("%s", "the descriptor was altered: its checksum is wrong");
    }
    return check_version(type, head->version);
}
