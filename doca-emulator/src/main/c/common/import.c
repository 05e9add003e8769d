/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "import.h"
#include "peer_memory.h"
#include "process.h"
#include "sdk_log.h"
#include "settings.h"
#include "shared_block.h"

struct import {
    /* A copy of the exporter's values, made once, because the block itself may change at any time. */
    struct share_header header;
    pid_t pid;
    struct peer_place place;
    struct share_block *block;
    struct share_slot *slot;
    unsigned int generation;
};

#define REFUSE(error, ...) SDK_REFUSE(error, "Failed to import memory: " __VA_ARGS__)

/*
 * The descriptor
 */

const struct descriptor_type share_descriptor_type = {
        .magic = "DOCAEMUX",
        .version = SHARE_VERSION,
        .min_size = SHARE_MIN_DESCRIPTOR_SIZE,
        .max_size = sizeof(struct share_descriptor),
        .error = DOCA_ERROR_INVALID_VALUE,
        .task = "import memory",
        .name = "export descriptor",
};

static doca_error_t
check_terms(const struct share_descriptor *descriptor) {
    const struct share_terms *terms = &descriptor->terms;
    if (terms->kind != SHARE_KIND_PCI && terms->kind != SHARE_KIND_RDMA) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "the descriptor is of the unknown kind %u", terms->kind);
    }
    if (terms->pid <= 0 || descriptor->fd < 0) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "the descriptor names no process and file: %d, %d", terms->pid,
                      descriptor->fd);
    }
    if (terms->addr == 0 || terms->len == 0 || terms->addr > UINTPTR_MAX - terms->len) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "the descriptor names no range: %#llx bytes at %#llx",
                      (unsigned long long)terms->len, (unsigned long long)terms->addr);
    }
    return DOCA_SUCCESS;
}

doca_error_t
import_read_descriptor(const void *bytes, size_t size, struct share_descriptor *descriptor) {
    const doca_error_t result = descriptor_read(&share_descriptor_type, bytes, size, &descriptor->head);
    return result == DOCA_SUCCESS ? check_terms(descriptor) : result;
}

/*
 * The control block
 */

static const struct shared_block_use use = {.task = "import memory", .thing = "the export"};

static doca_error_t
check_header(const struct share_descriptor *descriptor, const struct share_header *header) {
    if (memcmp(header->magic, SHARE_BLOCK_MAGIC, SHARE_MAGIC_SIZE) != 0 || header->version != SHARE_VERSION ||
        header->size != sizeof(struct share_block)) {
        return REFUSE(DOCA_ERROR_DRIVER, "the export has ended: file %d of process %d is no control block",
                      descriptor->fd, descriptor->terms.pid);
    }
    if (memcmp(&header->terms, &descriptor->terms, sizeof(header->terms)) != 0 ||
        process_pid(header->exporter) != descriptor->terms.pid) {
        return REFUSE(DOCA_ERROR_DRIVER, "the export has ended: process %d has another one by now",
                      descriptor->terms.pid);
    }
    return DOCA_SUCCESS;
}

static bool
is_exporting(const struct topology_function *function, const struct share_header *header) {
    return strncmp(function->pci_addr, header->pci_addr, sizeof(header->pci_addr)) == 0 &&
           strncmp(function->vuid, header->vuid, sizeof(header->vuid)) == 0;
}

/*
 * Checks that the exporting function belongs to this machine's card: on the same side, on the DPU, or on the host with
 * a representor on this DPU. All devices of the DPU reach the same host.
 */
static doca_error_t
check_topology(const struct share_header *header) {
    const struct topology *topology;
    const doca_error_t result = topology_get(&topology);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    for (size_t i = 0; i < topology->num_functions; i++) {
        const struct topology_function *function = &topology->functions[i];
        if ((function->side == emulator_settings()->role || function->side == EMULATOR_ROLE_DPU ||
             function->behind != NULL) &&
            is_exporting(function, header)) {
            return DOCA_SUCCESS;
        }
    }
    return REFUSE(DOCA_ERROR_NOT_PERMITTED, "this card has no representor of the exporting function %.*s (%.*s)",
                  (int)sizeof(header->pci_addr), header->pci_addr, (int)sizeof(header->vuid), header->vuid);
}

/* Takes a slot that is free, or whose owner has ended without releasing it. */
static doca_error_t
claim_slot(struct import *import) {
    const process_id self = process_self();
    if (self == 0) {
        return SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to import memory: /proc cannot be read");
    }
    for (int even_owned = 0; even_owned <= 1; even_owned++) {
        for (size_t i = 0; i < SHARE_NUM_SLOTS; i++) {
            struct share_slot *slot = &import->block->slots[i];
            process_id owner = atomic_load(&slot->importer);
            if (owner != 0 && !(even_owned && process_has_ended(owner))) {
                continue;
            }
            if (atomic_compare_exchange_strong(&slot->importer, &owner, self)) {
                atomic_store(&slot->num_pins, 0);
                import->slot = slot;
                return DOCA_SUCCESS;
            }
        }
    }
    return REFUSE(DOCA_ERROR_NO_MEMORY, "it is imported %d times already", SHARE_NUM_SLOTS);
}

/*
 * Access
 */

static void
unpin(struct import *import) {
    atomic_fetch_sub(&import->slot->num_pins, 1);
}

/* Makes the exporter wait for the end of the access, unless it has ended the export before. */
static doca_error_t
pin(struct import *import) {
    if (import->generation != process_generation()) {
        return SDK_REFUSE(DOCA_ERROR_IO_FAILED, "The memory of process %d was imported by the parent of this process",
                          (int)import->pid);
    }
    atomic_fetch_add(&import->slot->num_pins, 1);
    if (atomic_load(&import->block->is_live) == 0) {
        unpin(import);
        return SDK_REFUSE(DOCA_ERROR_IO_FAILED, "The exporting process %d has stopped its mmap", (int)import->pid);
    }
    return DOCA_SUCCESS;
}

doca_error_t
import_read(struct import *import, void *dst, const void *src, size_t len) {
    doca_error_t result = pin(import);
    if (result == DOCA_SUCCESS) {
        result = peer_read(&import->place, dst, src, len);
        unpin(import);
    }
    return result;
}

doca_error_t
import_write(struct import *import, void *dst, const void *src, size_t len) {
    doca_error_t result = pin(import);
    if (result == DOCA_SUCCESS) {
        result = peer_write(&import->place, dst, src, len);
        unpin(import);
    }
    return result;
}

bool
import_is_same_process(const struct import *a, const struct import *b) {
    const uint64_t process_a = a == NULL ? process_self() : a->header.exporter;
    const uint64_t process_b = b == NULL ? process_self() : b->header.exporter;
    return process_a == process_b;
}

/*
 * Life
 */

/* Tries one access, so that missing access is detected here. */
static doca_error_t
check_access(const struct import *import) {
    int error;
    char text[PEER_ERROR_SIZE];
    if (atomic_load(&import->block->is_live) == 0) {
        return REFUSE(DOCA_ERROR_DRIVER, "process %d has stopped the exported mmap", (int)import->pid);
    }
    if (peer_is_there(&import->place, &error)) {
        return DOCA_SUCCESS;
    }
    return REFUSE(DOCA_ERROR_DRIVER, "the exporting process %d %s", (int)import->pid, peer_describe_error(error, text));
}

static doca_error_t
open_export(const struct share_descriptor *descriptor, struct import *import) {
    const struct share_terms *terms = &descriptor->terms;
    const struct shared_block_place place = {
            .pid = terms->pid, .user = terms->user, .fd = descriptor->fd, .size = sizeof(struct share_block)};
    void *block;
    doca_error_t result = shared_block_open(&use, &place, &block);
    if (result != DOCA_SUCCESS) {
        /* To a device, an ended export is an unknown key. */
        return result == DOCA_ERROR_INVALID_VALUE ? DOCA_ERROR_DRIVER : result;
    }
    import->block = block;
    import->header = import->block->header;
    result = check_header(descriptor, &import->header);
    if (result == DOCA_SUCCESS && terms->kind == SHARE_KIND_PCI) {
        result = check_topology(&import->header);
    }
    if (result != DOCA_SUCCESS) {
        return result;
    }
    import->place = (struct peer_place){.process = import->header.exporter, .beacon = import->header.beacon};
    memcpy(import->place.nonce, import->header.terms.nonce, sizeof(import->place.nonce));
    result = check_access(import);
    return result == DOCA_SUCCESS ? claim_slot(import) : result;
}

doca_error_t
import_create(const struct share_descriptor *descriptor, struct import **import) {
    struct import *created = calloc(1, sizeof(*created));
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    created->pid = descriptor->terms.pid;
    created->generation = process_generation();
    const doca_error_t result = open_export(descriptor, created);
    if (result != DOCA_SUCCESS) {
        import_destroy(created);
        return result;
    }
    *import = created;
    return DOCA_SUCCESS;
}

const struct share_terms *
import_terms(const struct import *import) {
    return &import->header.terms;
}

const struct topology_function *
import_port(const struct import *import) {
    const struct topology *topology;
    if (topology_get(&topology) != DOCA_SUCCESS) {
        return NULL;
    }
    for (size_t i = 0; i < topology->num_functions; i++) {
        if (is_exporting(&topology->functions[i], &import->header)) {
            return topology->functions[i].behind;
        }
    }
    return NULL;
}

process_id
import_exporter(const struct import *import) {
    return import->header.exporter;
}

void
import_destroy(struct import *import) {
    /* In a forked child the slot belongs to the parent. */
    if (import->slot != NULL && import->generation == process_generation()) {
        atomic_store(&import->slot->importer, 0);
    }
    if (import->block != NULL) {
        shared_block_close(import->block, sizeof(*import->block));
    }
    free(import);
}
