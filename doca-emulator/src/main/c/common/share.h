/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The protocol of two processes that share memory: the export descriptor, which the program passes on, and the control
 * block, which both processes map. The block is an anonymous file of the exporter, so it is freed with the last process
 * that has it. Both processes run on one machine, so its byte order is used.
 */
#ifndef DOCA_EMULATOR_SHARE_H_
#define DOCA_EMULATOR_SHARE_H_

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_dev.h>

#include "descriptor.h"

#define SHARE_BLOCK_MAGIC "DOCAEMUB"
#define SHARE_MAGIC_SIZE 8
/* The version of both layouts. */
#define SHARE_VERSION 3
#define SHARE_NONCE_SIZE 16
/*
 * Descriptors are as long as the SDK's; the length of those for PCI varies. NVIDIA's samples of release 2.2 read no more
 * than 256 bytes.
 */
#define SHARE_MIN_DESCRIPTOR_SIZE 80
#define SHARE_WORKQ_PCI_DESCRIPTOR_SIZE 219
#define SHARE_WORKQ_PCI_DESCRIPTOR_SIZES 4
#define SHARE_RDMA_DESCRIPTOR_SIZE 104
#define SHARE_PCI_DESCRIPTOR_SIZE 256
#define SHARE_PCI_DESCRIPTOR_SIZES 8
#define SHARE_MAX_DESCRIPTOR_SIZE (SHARE_PCI_DESCRIPTOR_SIZE + SHARE_PCI_DESCRIPTOR_SIZES)
#define SHARE_NUM_SLOTS 128

/* The transport of the access. */
enum share_kind {
    SHARE_KIND_PCI = 1,
    SHARE_KIND_RDMA = 2,
};

/* The shared memory and its owner. No two exports are equal, because the nonce is random. There is no padding. */
struct share_terms {
    uint8_t nonce[SHARE_NONCE_SIZE];
    uint64_t addr;
    uint64_t len;
    uint32_t kind;
    /* As passed to doca_mmap_set_permissions(). */
    uint32_t permissions;
    int32_t pid;
    /* The effective user. */
    uint32_t user;
};

struct share_descriptor {
    struct descriptor_head head;
    struct share_terms terms;
    /* The descriptor of the control block in the exporting process. */
    int32_t fd;
    uint32_t reserved;
    /* Makes a descriptor as long as one of the SDK; only the first bytes are used. */
    uint8_t filler[SHARE_MAX_DESCRIPTOR_SIZE - SHARE_MIN_DESCRIPTOR_SIZE];
};

_Static_assert(sizeof(struct share_terms) == 48, "padding is not initialized");
_Static_assert(sizeof(struct share_descriptor) == SHARE_MAX_DESCRIPTOR_SIZE, "padding is not initialized");
_Static_assert(offsetof(struct share_descriptor, filler) == SHARE_MIN_DESCRIPTOR_SIZE, "padding is not initialized");

extern const struct descriptor_type share_descriptor_type;

/* One import. */
struct share_slot {
    /* A process_id; 0 if the slot is free. */
    alignas(64) _Atomic uint64_t importer;
    /* The number of threads of the importer that are about to access the memory. */
    _Atomic uint32_t num_pins;
};

/* Constant once the first descriptor has been returned. */
struct share_header {
    char magic[SHARE_MAGIC_SIZE];
    uint32_t version;
    uint32_t size;
    struct share_terms terms;
    /* A process_id. */
    uint64_t exporter;
    /* The address of the nonce in the exporter's own memory, which identifies its process. */
    uint64_t beacon;
    /* The function that exported the memory. */
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    char vuid[DOCA_DEVINFO_VUID_SIZE];
};

struct share_block {
    struct share_header header;
    /*
     * Nonzero while the memory may be accessed. An importer pins its slot, then reads this; the exporter clears this,
     * then waits until all pins are released. One of the two sees the other.
     */
    alignas(64) _Atomic uint32_t is_live;
    struct share_slot slots[SHARE_NUM_SLOTS];
};

#endif /* DOCA_EMULATOR_SHARE_H_ */
