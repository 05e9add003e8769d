/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The terms of two processes that share memory: the export descriptor, which travels from one to the other by whatever
 * means, and the control block, which both have mapped. The block is an anonymous file of the exporter, so it goes with
 * the last process that knows it. Both processes run on one machine, so all is in its byte order.
 */
#ifndef DOCA_EMULATOR_SHARE_H_
#define DOCA_EMULATOR_SHARE_H_

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_dev.h>

#define SHARE_DESCRIPTOR_MAGIC "DOCAEMUX"
#define SHARE_BLOCK_MAGIC "DOCAEMUB"
#define SHARE_MAGIC_SIZE 8
/* Of the layout of both. */
#define SHARE_VERSION 2
#define SHARE_NONCE_SIZE 16
/* Descriptors have the lengths of the SDK's: those for PCI vary. */
#define SHARE_MIN_DESCRIPTOR_SIZE 80
#define SHARE_RDMA_DESCRIPTOR_SIZE 104
#define SHARE_PCI_DESCRIPTOR_SIZE 256
#define SHARE_PCI_DESCRIPTOR_SIZES 8
#define SHARE_MAX_DESCRIPTOR_SIZE (SHARE_PCI_DESCRIPTOR_SIZE + SHARE_PCI_DESCRIPTOR_SIZES)
#define SHARE_NUM_SLOTS 128

/* Through what the memory is reached. */
enum share_kind {
    SHARE_KIND_PCI = 1,
    SHARE_KIND_RDMA = 2,
};

/* The shared object and its owner. No two exports are equal, since the nonce is random. There is no padding. */
struct share_terms {
    uint8_t nonce[SHARE_NONCE_SIZE];
    uint64_t addr;
    uint64_t len;
    uint32_t kind;
    /* As given to doca_mmap_set_permissions(). */
    uint32_t permissions;
    int32_t pid;
    /* The effective user. */
    uint32_t user;
};

struct share_descriptor {
    char magic[SHARE_MAGIC_SIZE];
    uint32_t version;
    /* Of the whole descriptor. */
    uint32_t size;
    struct share_terms terms;
    /* Of the control block in the exporting process. */
    int32_t fd;
    uint32_t reserved;
    /* Over all bytes of the descriptor, as if it were 0. */
    uint64_t checksum;
    /* Makes a descriptor as long as one of the SDK; only the first bytes travel. */
    uint8_t filler[SHARE_MAX_DESCRIPTOR_SIZE - SHARE_MIN_DESCRIPTOR_SIZE];
};

_Static_assert(sizeof(struct share_terms) == 48, "padding is not initialized");
_Static_assert(sizeof(struct share_descriptor) == SHARE_MAX_DESCRIPTOR_SIZE, "padding is not initialized");
_Static_assert(offsetof(struct share_descriptor, filler) == SHARE_MIN_DESCRIPTOR_SIZE, "padding is not initialized");

/* One import. */
struct share_slot {
    /* A process_id; 0 when nobody has the slot. */
    alignas(64) _Atomic uint64_t importer;
    /* The number of threads of the importer that are about to access the memory. */
    _Atomic uint32_t num_pins;
};

/* Constant from before the first descriptor is handed out. */
struct share_header {
    char magic[SHARE_MAGIC_SIZE];
    uint32_t version;
    uint32_t size;
    struct share_terms terms;
    /* A process_id. */
    uint64_t exporter;
    /* The address of the nonce in the exporter's own memory, so that nobody mistakes another process for it. */
    uint64_t beacon;
    /* The function that the memory was exported to. */
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    char vuid[DOCA_DEVINFO_VUID_SIZE];
};

struct share_block {
    struct share_header header;
    /*
     * Not 0 while the memory may be accessed. An importer pins its slot, then looks here; the exporter clears this,
     * then waits for the pins to go. One of the two sees the other.
     */
    alignas(64) _Atomic uint32_t is_live;
    struct share_slot slots[SHARE_NUM_SLOTS];
};

/* FNV-1a over so many bytes as the descriptor says, which are there: finds any change of one byte, and nearly all of several. */
static inline uint64_t
share_checksum(const struct share_descriptor *descriptor) {
    const uint8_t *bytes = (const uint8_t *)descriptor;
    uint64_t checksum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < descriptor->size && i < sizeof(*descriptor); i++) {
        const bool is_checksum = i >= offsetof(struct share_descriptor, checksum) &&
                                 i < offsetof(struct share_descriptor, filler);
        checksum = (checksum ^ (is_checksum ? 0 : bytes[i])) * UINT64_C(0x100000001b3);
    }
    return checksum;
}

#endif /* DOCA_EMULATOR_SHARE_H_ */
