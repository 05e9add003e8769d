/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "import.h"
#include "process.h"
#include "sdk_log.h"

struct import {
    /* As the exporter wrote it, once and for all: the block itself may change under the hands of others. */
    struct share_header header;
    pid_t pid;
    struct share_block *block;
    struct share_slot *slot;
    unsigned int generation;
};

#define REFUSE(error, ...) SDK_REFUSE(error, "Failed to import memory: " __VA_ARGS__)

/*
 * The descriptor
 */

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
    if (size < SHARE_MAGIC_SIZE || memcmp(bytes, SHARE_DESCRIPTOR_MAGIC, SHARE_MAGIC_SIZE) != 0) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "%zu bytes at %p are no export descriptor of the emulator", size,
                      bytes);
    }
    if (size != sizeof(*descriptor)) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "the descriptor has %zu bytes instead of %zu", size,
                      sizeof(*descriptor));
    }
    memcpy(descriptor, bytes, sizeof(*descriptor));
    if (descriptor->checksum != share_checksum(descriptor)) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "the descriptor was altered: its checksum is wrong");
    }
    if (descriptor->version != SHARE_VERSION || descriptor->size != sizeof(*descriptor)) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "the descriptor is of version %u, this emulator is of version %d",
                      descriptor->version, SHARE_VERSION);
    }
    return check_terms(descriptor);
}

/*
 * The control block
 */

static doca_error_t
refuse_ended(pid_t pid) {
    return REFUSE(DOCA_ERROR_INVALID_VALUE, "the exporting process %d has ended", (int)pid);
}

/* Root could access the memory of anybody, and shall not. */
static doca_error_t
check_user(const struct share_terms *terms) {
    uid_t user;
    const int error = process_get_user(terms->pid, &user);
    if (error == ENOENT || error == ESRCH) {
        return refuse_ended(terms->pid);
    }
    if (error != 0) {
        return REFUSE(DOCA_ERROR_DRIVER, "the user of process %d is not known: %s", terms->pid, strerror(error));
    }
    if (user != geteuid() || terms->user != geteuid()) {
        return REFUSE(DOCA_ERROR_NOT_PERMITTED, "the exporting process %d is of user %u, and this one of user %u",
                      terms->pid, user != geteuid() ? user : terms->user, geteuid());
    }
    return DOCA_SUCCESS;
}

/* Of a file that was not really opened yet, since it may be anything. */
static doca_error_t
check_file(const struct share_descriptor *descriptor, int location) {
    struct stat status;
    if (fstat(location, &status) != 0) {
        return REFUSE(DOCA_ERROR_DRIVER, "the control block cannot be looked at: %s", strerror(errno));
    }
    if (!S_ISREG(status.st_mode) || status.st_size != sizeof(struct share_block)) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "the export has ended: file %d of process %d is no control block",
                      descriptor->fd, descriptor->terms.pid);
    }
    if (status.st_uid != geteuid() || (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        return REFUSE(DOCA_ERROR_NOT_PERMITTED, "file %d of process %d is of user %u with permissions %o",
                      descriptor->fd, descriptor->terms.pid, status.st_uid, status.st_mode & 07777);
    }
    return DOCA_SUCCESS;
}

static doca_error_t
map_file(int location, struct import *import) {
    static const int needed_seals = F_SEAL_SHRINK | F_SEAL_GROW;
    char path[64];
    snprintf(path, sizeof(path), "/proc/self/fd/%d", location);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        return REFUSE(DOCA_ERROR_DRIVER, "the control block cannot be opened: %s", strerror(errno));
    }
    doca_error_t result = DOCA_SUCCESS;
    const int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0 || (seals & needed_seals) != needed_seals) {
        result = REFUSE(DOCA_ERROR_INVALID_VALUE, "the export has ended: its file is no control block now");
    } else {
        void *block = mmap(NULL, sizeof(*import->block), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (block == MAP_FAILED) {
            result = REFUSE(DOCA_ERROR_NO_MEMORY, "the control block cannot be mapped: %s", strerror(errno));
        } else {
            import->block = block;
        }
    }
    close(fd);
    return result;
}

static doca_error_t
refuse_file(const struct share_descriptor *descriptor, int error) {
    const pid_t pid = descriptor->terms.pid;
    if (error == ENOENT || error == ESRCH) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "the export has ended: process %d has no file %d", (int)pid,
                      descriptor->fd);
    }
    /* What is left of a process is root's. */
    if (!process_has_memory(pid)) {
        return refuse_ended(pid);
    }
    return REFUSE(DOCA_ERROR_DRIVER,
                  "file %d of process %d cannot be opened: %s (a process that is not dumpable cannot export)",
                  descriptor->fd, (int)pid, strerror(error));
}

static doca_error_t
map_block(const struct share_descriptor *descriptor, struct import *import) {
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/fd/%d", descriptor->terms.pid, descriptor->fd);
    const int location = open(path, O_PATH | O_CLOEXEC);
    if (location < 0) {
        return refuse_file(descriptor, errno);
    }
    doca_error_t result = check_file(descriptor, location);
    if (result == DOCA_SUCCESS) {
        result = map_file(location, import);
    }
    close(location);
    return result;
}

static doca_error_t
check_header(const struct share_descriptor *descriptor, const struct share_header *header) {
    if (memcmp(header->magic, SHARE_BLOCK_MAGIC, SHARE_MAGIC_SIZE) != 0 || header->version != SHARE_VERSION ||
        header->size != sizeof(struct share_block)) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "the export has ended: file %d of process %d is no control block",
                      descriptor->fd, descriptor->terms.pid);
    }
    if (memcmp(&header->terms, &descriptor->terms, sizeof(header->terms)) != 0 ||
        process_pid(header->exporter) != descriptor->terms.pid) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "the export has ended: process %d has another one by now",
                      descriptor->terms.pid);
    }
    return DOCA_SUCCESS;
}

/* The exporting function must have a representor on this DPU, whose devices all reach the same host. */
static doca_error_t
check_topology(const struct share_header *header) {
    const struct topology *topology;
    const doca_error_t result = topology_get(&topology);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    for (size_t i = 0; i < topology->num_functions; i++) {
        const struct topology_function *function = &topology->functions[i];
        if (function->side == EMULATOR_ROLE_HOST && function->behind != NULL &&
            strncmp(function->pci_addr, header->pci_addr, sizeof(header->pci_addr)) == 0 &&
            strncmp(function->vuid, header->vuid, sizeof(header->vuid)) == 0) {
            return DOCA_SUCCESS;
        }
    }
    return REFUSE(DOCA_ERROR_NOT_PERMITTED, "this DPU has no representor of the exporting function %.*s (%.*s)",
                  (int)sizeof(header->pci_addr), header->pci_addr, (int)sizeof(header->vuid), header->vuid);
}

/* A slot that is free, or whose owner has ended without giving it back. */
static doca_error_t
claim_slot(struct import *import) {
    const process_id self = process_self();
    if (self == 0) {
        return REFUSE(DOCA_ERROR_DRIVER, "/proc cannot be read");
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

static const char *
describe_access_error(int error) {
    switch (error) {
    case 0:
    case EFAULT:
        return "is another program by now";
    case ESRCH:
        return "has ended";
    case EPERM:
        return "does not let this one access its memory: it is not dumpable, or the Yama security module wants it to "
               "call PR_SET_PTRACER, or a seccomp filter forbids it";
    default:
        return strerror(error);
    }
}

/* Whether there is the nonce where the exporter has it; otherwise errno, or 0 for another content. */
static bool
find_beacon(const struct import *import, int *error) {
    uint8_t beacon[SHARE_NONCE_SIZE];
    const struct iovec local = {.iov_base = beacon, .iov_len = sizeof(beacon)};
    const struct iovec remote = {.iov_base = (void *)(uintptr_t)import->header.beacon, .iov_len = sizeof(beacon)};
    const ssize_t len = process_vm_readv(import->pid, &local, 1, &remote, 1, 0);
    *error = len < 0 ? errno : 0;
    return len == (ssize_t)sizeof(beacon) && memcmp(beacon, import->header.terms.nonce, sizeof(beacon)) == 0;
}

static doca_error_t
fail_exporter(const struct import *import, int error) {
    return SDK_REFUSE(DOCA_ERROR_IO_FAILED, "The exporting process %d %s", (int)import->pid,
                      describe_access_error(error));
}

static doca_error_t
fail_range(const struct import *import, const void *addr, size_t len) {
    return SDK_REFUSE(DOCA_ERROR_IO_FAILED,
                      "The exporting process %d has no memory at %p for these %zu bytes any more, or this process has "
                      "none for its side of the copy",
                      (int)import->pid, addr, len);
}

/* Copies some bytes at least. The beacon comes in the same call, so no other process can come between. */
static doca_error_t
read_some(const struct import *import, void *dst, const void *src, size_t len, size_t *copied) {
    uint8_t beacon[SHARE_NONCE_SIZE];
    const struct iovec local[] = {{.iov_base = beacon, .iov_len = sizeof(beacon)}, {.iov_base = dst, .iov_len = len}};
    const struct iovec remote[] = {
            {.iov_base = (void *)(uintptr_t)import->header.beacon, .iov_len = sizeof(beacon)},
            {.iov_base = (void *)src, .iov_len = len},
    };
    const ssize_t total = process_vm_readv(import->pid, local, 2, remote, 2, 0);
    if (total < (ssize_t)sizeof(beacon)) {
        return fail_exporter(import, total < 0 ? errno : 0);
    }
    if (memcmp(beacon, import->header.terms.nonce, sizeof(beacon)) != 0) {
        return fail_exporter(import, 0);
    }
    if (total == (ssize_t)sizeof(beacon)) {
        return fail_range(import, src, len);
    }
    *copied += (size_t)total - sizeof(beacon);
    return DOCA_SUCCESS;
}

static doca_error_t
write_some(const struct import *import, void *dst, const void *src, size_t len, size_t *copied) {
    int error;
    if (!find_beacon(import, &error)) {
        return fail_exporter(import, error);
    }
    const struct iovec local = {.iov_base = (void *)src, .iov_len = len};
    const struct iovec remote = {.iov_base = dst, .iov_len = len};
    const ssize_t total = process_vm_writev(import->pid, &local, 1, &remote, 1, 0);
    if (total < 0 && errno != EFAULT) {
        return fail_exporter(import, errno);
    }
    if (total <= 0) {
        return fail_range(import, dst, len);
    }
    *copied += (size_t)total;
    return DOCA_SUCCESS;
}

static void
unpin(struct import *import) {
    atomic_fetch_sub(&import->slot->num_pins, 1);
}

/* From now on the exporter waits for the access to end, unless it has ended the export before. */
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
    if (result != DOCA_SUCCESS) {
        return result;
    }
    size_t copied = 0;
    while (result == DOCA_SUCCESS && copied < len) {
        result = read_some(import, (uint8_t *)dst + copied, (const uint8_t *)src + copied, len - copied, &copied);
    }
    unpin(import);
    return result;
}

doca_error_t
import_write(struct import *import, void *dst, const void *src, size_t len) {
    doca_error_t result = pin(import);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    size_t copied = 0;
    while (result == DOCA_SUCCESS && copied < len) {
        result = write_some(import, (uint8_t *)dst + copied, (const uint8_t *)src + copied, len - copied, &copied);
    }
    unpin(import);
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

/* Tries once what copies will do, so that it fails here when it cannot work. */
static doca_error_t
check_access(const struct import *import) {
    int error;
    if (atomic_load(&import->block->is_live) == 0) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "process %d has stopped the exported mmap", (int)import->pid);
    }
    if (find_beacon(import, &error)) {
        return DOCA_SUCCESS;
    }
    const bool is_stale = error == 0 || error == EFAULT || error == ESRCH;
    return REFUSE(is_stale ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_DRIVER, "the exporting process %d %s",
                  (int)import->pid, describe_access_error(error));
}

static doca_error_t
open_export(const struct share_descriptor *descriptor, struct import *import) {
    doca_error_t result = check_user(&descriptor->terms);
    if (result == DOCA_SUCCESS) {
        result = map_block(descriptor, import);
    }
    if (result != DOCA_SUCCESS) {
        return result;
    }
    import->header = import->block->header;
    result = check_header(descriptor, &import->header);
    if (result == DOCA_SUCCESS) {
        result = check_topology(&import->header);
    }
    if (result == DOCA_SUCCESS) {
        result = check_access(import);
    }
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

process_id
import_exporter(const struct import *import) {
    return import->header.exporter;
}

void
import_destroy(struct import *import) {
    /* In a forked child the slot is the parent's. */
    if (import->slot != NULL && import->generation == process_generation()) {
        atomic_store(&import->slot->importer, 0);
    }
    if (import->block != NULL) {
        munmap(import->block, sizeof(*import->block));
    }
    free(import);
}
