/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "export.h"
#include "peer_memory.h"
#include "process.h"
#include "sdk_log.h"
#include "settings.h"
#include "shared_block.h"

#define DRAIN_INTERVAL_NS 50000

struct export {
    struct share_descriptor descriptor;
    struct share_block *block;
    /* The address of the nonce of the terms in memory of this process. */
    struct peer_place place;
    unsigned int generation;
    /* Of this process alone: peers can write to the block. */
    bool has_ended;
};

static const struct shared_block_use use = {.task = "export memory", .thing = "the export"};

static doca_error_t
create_block(struct export *export, const struct topology_function *function) {
    void *memory;
    const doca_error_t result =
            shared_block_create(&use, sizeof(struct share_block), &export->descriptor.fd, &memory);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    export->block = memory;
    struct share_header *header = &export->block->header;
    memcpy(header->magic, SHARE_BLOCK_MAGIC, SHARE_MAGIC_SIZE);
    header->version = SHARE_VERSION;
    header->size = sizeof(*export->block);
    header->terms = export->descriptor.terms;
    header->exporter = export->place.process;
    header->beacon = export->place.beacon;
    memcpy(header->pci_addr, function->pci_addr, sizeof(header->pci_addr));
    memcpy(header->vuid, function->vuid, sizeof(header->vuid));
    atomic_store(&export->block->is_live, 1);
    return DOCA_SUCCESS;
}

/* Releases what the export has acquired so far. */
static void
release(struct export *export) {
    if (export->block != NULL) {
        shared_block_destroy(export->descriptor.fd, export->block, sizeof(*export->block));
    }
    if (export->place.beacon != 0) {
        beacon_destroy(&export->place);
    }
    free(export);
}

static uint32_t
pci_descriptor_size(uint8_t choice) {
    return emulator_has_work_queues() ? SHARE_WORKQ_PCI_DESCRIPTOR_SIZE + choice % SHARE_WORKQ_PCI_DESCRIPTOR_SIZES
                                      : SHARE_PCI_DESCRIPTOR_SIZE + choice % SHARE_PCI_DESCRIPTOR_SIZES;
}

doca_error_t
export_create(enum share_kind kind, const void *addr, size_t len, uint32_t permissions,
              const struct topology_function *function, struct export **export) {
    struct export *created = calloc(1, sizeof(*created));
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    created->generation = process_generation();
    created->descriptor = (struct share_descriptor){
            .terms = {.addr = (uintptr_t)addr,
                      .len = len,
                      .kind = kind,
                      .permissions = permissions,
                      .pid = getpid(),
                      .user = geteuid()},
            .fd = -1,
    };
    doca_error_t result = beacon_create(&use, &created->place);
    if (result == DOCA_SUCCESS) {
        memcpy(created->descriptor.terms.nonce, created->place.nonce, SHARE_NONCE_SIZE);
        result = create_block(created, function);
    }
    if (result != DOCA_SUCCESS) {
        release(created);
        return result;
    }
    descriptor_seal(&share_descriptor_type, &created->descriptor.head,
                    kind == SHARE_KIND_PCI ? pci_descriptor_size(created->place.nonce[0]) : SHARE_RDMA_DESCRIPTOR_SIZE);
    *export = created;
    return DOCA_SUCCESS;
}

const struct share_descriptor *
export_descriptor(const struct export *export) {
    return &export->descriptor;
}

bool
export_is_inherited(const struct export *export) {
    return export->generation != process_generation();
}

/* Returns the running process that accesses the memory through the slot, or 0. */
static process_id
find_user(struct share_slot *slot) {
    if (atomic_load(&slot->num_pins) == 0) {
        return 0;
    }
    const process_id importer = atomic_load(&slot->importer);
    return importer == 0 || process_has_ended(importer) ? 0 : importer;
}

void
export_end(struct export *export) {
    if (!export_is_inherited(export)) {
        atomic_store(&export->block->is_live, 0);
        export->has_ended = true;
    }
}

bool
export_has_ended(const struct export *export) {
    return export->has_ended;
}

process_id
export_drain(struct export *export, uint64_t deadline) {
    for (size_t i = 0; i < SHARE_NUM_SLOTS && !export_is_inherited(export); i++) {
        process_id user;
        while ((user = find_user(&export->block->slots[i])) != 0) {
            if (clock_now() > deadline) {
                return user;
            }
            nanosleep(&(struct timespec){.tv_nsec = DRAIN_INTERVAL_NS}, NULL);
        }
    }
    return 0;
}

void
export_destroy(struct export *export) {
    release(export);
}
