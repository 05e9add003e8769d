/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors, which one process makes and another one reads: exports of memory maps and sync events, and RDMA connection
 * details. The program passes them on, so the reader does not trust them. Both processes run on one machine, and its byte
 * order is used.
 */
#ifndef DOCA_EMULATOR_DESCRIPTOR_H_
#define DOCA_EMULATOR_DESCRIPTOR_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "shared.h"

#define DESCRIPTOR_MAGIC_SIZE 8

/* The first member of each descriptor. */
struct descriptor_head {
    char magic[DESCRIPTOR_MAGIC_SIZE];
    uint32_t version;
    /* The size of the whole descriptor. */
    uint32_t size;
    /* Over all bytes of the descriptor, with this member as 0. */
    uint64_t checksum;
};

_Static_assert(sizeof(struct descriptor_head) == 24, "padding is not initialized");

struct descriptor_type {
    char magic[DESCRIPTOR_MAGIC_SIZE + 1];
    /* The version of the layout. */
    uint16_t version;
    uint32_t min_size;
    uint32_t max_size;
    /* The errors of a reader: their number, and the task that fails. */
    doca_error_t error;
    const char *task;
    const char *name;
};

/*
 * FNV-1a over the bytes of a descriptor. Detects any change of one byte, and nearly all changes of several. The caller has
 * checked the size.
 */
static inline uint64_t
descriptor_checksum(const struct descriptor_head *head) {
    const uint8_t *bytes = (const uint8_t *)head;
    uint64_t checksum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < head->size; i++) {
        const bool is_checksum = i >= offsetof(struct descriptor_head, checksum) && i < sizeof(*head);
        checksum = (checksum ^ (is_checksum ? 0 : bytes[i])) * UINT64_C(0x100000001b3);
    }
    return checksum;
}

/* Fills in the head of a descriptor of that size, after all other members have been set. */
void descriptor_seal(const struct descriptor_type *type, struct descriptor_head *head, size_t size)
        EMULATOR_SHARED(descriptor_seal);

/*
 * Copies a descriptor that is complete, unaltered and of this type, version and release to max_size bytes at head; a
 * shorter one is followed by zeros. Otherwise returns the type's error, with a record in the log. Does not check members
 * after the head.
 */
doca_error_t descriptor_read(const struct descriptor_type *type, const void *bytes, size_t size,
                             struct descriptor_head *head) EMULATOR_SHARED(descriptor_read);

#endif /* DOCA_EMULATOR_DESCRIPTOR_H_ */
