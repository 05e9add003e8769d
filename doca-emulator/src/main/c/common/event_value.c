/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "event_value.h"
#include "event_value_block.h"
#include "fork.h"
#include "peer_memory.h"
#include "sdk_log.h"
#include "shared_block.h"
#include "shared_lock.h"

/* The interval between two checks whether the owner is still alive. */
#define LOOK_INTERVAL_NS (UINT64_C(1) * 1000 * 1000)
/* How long the owner waits for a process that accesses the memory, and in which intervals. */
#define CLOSE_TIMEOUT_S 5
#define CLOSE_INTERVAL_NS 50000
/* The number of reads of a changing value after which a reader takes the lock. */
#define MAX_NUM_READS 64

struct event_value {
    struct event_block *block;
    /* A checked copy, because another process may change the block itself at any time. */
    struct event_block_header header;
    bool imported;
    /* A forked child inherits the parent's state, but is not the owner. */
    unsigned int generation;
    /* For an importer: the time of its last check of the owner. */
    _Atomic uint64_t looked_at;

    /* Of the owner. */
    int fd;
    uint32_t num_users;
    struct event_value *next;
};

static const struct shared_block_use export_use = {.task = "start a sync event", .thing = "the sync event"};
static const struct shared_block_use import_use = {.task = "import a sync event", .thing = "the sync event"};

/* Values of this process at addresses. */
static struct {
    pthread_mutex_t lock;
    struct event_value *first;
} addressed = {.lock = PTHREAD_MUTEX_INITIALIZER};

GUARD_IN_FORKS(addressed, &addressed.lock, NULL)

#define REFUSE_IMPORT(error, ...) SDK_REFUSE(error, "Failed to import a sync event: " __VA_ARGS__)

static pid_t
owner_pid(const struct event_value *value) {
    return process_pid(value->header.place.process);
}

/*
 * Liveness
 */

static bool
owner_has_died(const struct event_value *value) {
    int error;
    if (peer_is_there(&value->header.place, &error)) {
        return false;
    }
    return peer_is_gone(error) || process_has_ended(value->header.place.process);
}

static doca_error_t
fail_ended(const struct event_value *value) {
    return SDK_REFUSE(DOCA_ERROR_IO_FAILED, "Process %d has stopped the sync event", (int)owner_pid(value));
}

static doca_error_t
fail_inherited(const struct event_value *value) {
    return SDK_REFUSE(DOCA_ERROR_IO_FAILED, "The sync event is one of process %d, the parent of this process",
                      (int)owner_pid(value));
}

doca_error_t
event_value_check(struct event_value *value) {
    if (value->generation != process_generation()) {
        return fail_inherited(value);
    }
    if (!value->imported) {
        return DOCA_SUCCESS;
    }
    if (atomic_load(&value->block->is_live) == 0) {
        return fail_ended(value);
    }
    const uint64_t now = clock_now();
    if (now - atomic_load_explicit(&value->looked_at, memory_order_relaxed) < LOOK_INTERVAL_NS) {
        return DOCA_SUCCESS;
    }
    if (owner_has_died(value)) {
        return SDK_REFUSE(DOCA_ERROR_IO_FAILED, "Process %d, which the sync event is of, has ended",
                          (int)owner_pid(value));
    }
    atomic_store_explicit(&value->looked_at, now, memory_order_relaxed);
    return DOCA_SUCCESS;
}

/*
 * A value in the block is updated by instructions.
 */

static bool
is_addressed(const struct event_value *value) {
    return value->header.addr != 0;
}

/*
 * A value at an address. Importers and the owner copy it with system calls: if the program has wrongly freed the memory,
 * a system call fails, where a load would crash the process.
 */

static uint64_t *
address_of(const struct event_value *value) {
    return (uint64_t *)(uintptr_t)value->header.addr;
}

static doca_error_t
fail_freed(const struct event_value *value) {
    return SDK_REFUSE(DOCA_ERROR_IO_FAILED, "The memory of the sync event at %p has been freed", address_of(value));
}

/*
 * Returns whether a seccomp filter forbids the system calls that read and write memory of processes; only other
 * processes need them.
 */
static bool
is_forbidden(ssize_t len) {
    return len < 0 && (errno == EPERM || errno == ENOSYS);
}

static doca_error_t
read_own(const struct event_value *value, uint64_t *result) {
    uint64_t current;
    const struct iovec local = {.iov_base = &current, .iov_len = sizeof(current)};
    const struct iovec own = {.iov_base = address_of(value), .iov_len = sizeof(current)};
    const ssize_t len = process_vm_readv(owner_pid(value), &local, 1, &own, 1, 0);
    if (is_forbidden(len)) {
        current = __atomic_load_n(address_of(value), __ATOMIC_SEQ_CST);
    } else if (len != (ssize_t)sizeof(current)) {
        return fail_freed(value);
    }
    *result = current;
    return DOCA_SUCCESS;
}

static doca_error_t
write_own(const struct event_value *value, uint64_t stored) {
    const struct iovec local = {.iov_base = &stored, .iov_len = sizeof(stored)};
    const struct iovec own = {.iov_base = address_of(value), .iov_len = sizeof(stored)};
    const ssize_t len = process_vm_writev(owner_pid(value), &local, 1, &own, 1, 0);
    if (is_forbidden(len)) {
        __atomic_store_n(address_of(value), stored, __ATOMIC_SEQ_CST);
    } else if (len != (ssize_t)sizeof(stored)) {
        return fail_freed(value);
    }
    return DOCA_SUCCESS;
}

static doca_error_t
read_address(const struct event_value *value, uint64_t *result) {
    return value->imported ? peer_read(&value->header.place, result, address_of(value), sizeof(*result))
                           : read_own(value, result);
}

static doca_error_t
write_address(const struct event_value *value, uint64_t stored) {
    return value->imported ? peer_write(&value->header.place, address_of(value), &stored, sizeof(stored))
                           : write_own(value, stored);
}

/* Returns whether the lock was taken, by its result. */
static bool
is_locked(struct event_value *value, int error) {
    if (error == EOWNERDEAD && atomic_load(&value->block->num_changes) % 2 != 0) {
        /* The value is consistent, whether or not the write has happened. */
        atomic_fetch_add(&value->block->num_changes, 1);
    }
    return error == 0 || error == EOWNERDEAD;
}

static doca_error_t
lock(struct event_value *value) {
    const int error = shared_lock_take(&value->block->lock);
    return is_locked(value, error)
                   ? DOCA_SUCCESS
                   : SDK_REFUSE(DOCA_ERROR_IO_FAILED,
                                "The lock of a sync event that process %d has started cannot be had: %s",
                                (int)owner_pid(value), shared_lock_describe_error(error));
}

static void
unlock(struct event_value *value) {
    shared_lock_give(&value->block->lock);
}

/* Under the lock. */
static doca_error_t
change_address(struct event_value *value, uint64_t stored) {
    atomic_fetch_add(&value->block->num_changes, 1);
    const doca_error_t result = write_address(value, stored);
    atomic_fetch_add(&value->block->num_changes, 1);
    return result;
}

/* Under the lock. The last value was stored in the block. */
static doca_error_t
read_locked(const struct event_value *value, uint64_t *result) {
    if (!value->imported || atomic_load(&value->block->is_live) != 0) {
        return read_address(value, result);
    }
    if (atomic_load(&value->block->has_value) == 0) {
        return fail_ended(value);
    }
    *result = atomic_load(&value->block->value);
    return DOCA_SUCCESS;
}

static doca_error_t
load_address(struct event_value *value, uint64_t *result) {
    for (int i = 0; i < MAX_NUM_READS && atomic_load(&value->block->is_live) != 0; i++) {
        const uint64_t before = atomic_load(&value->block->num_changes);
        const doca_error_t error = read_address(value, result);
        if (error != DOCA_SUCCESS) {
            return error;
        }
        if (before % 2 == 0 && atomic_load(&value->block->num_changes) == before &&
            atomic_load(&value->block->is_live) != 0) {
            return DOCA_SUCCESS;
        }
    }
    doca_error_t error = lock(value);
    if (error == DOCA_SUCCESS) {
        error = read_locked(value, result);
        unlock(value);
    }
    return error;
}

static doca_error_t
update_address(struct event_value *value, bool adds, uint64_t operand, uint64_t *before) {
    doca_error_t result = lock(value);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (value->imported && atomic_load(&value->block->is_live) == 0) {
        result = fail_ended(value);
    } else {
        result = read_address(value, before);
    }
    if (result == DOCA_SUCCESS) {
        result = change_address(value, adds ? *before + operand : operand);
    }
    unlock(value);
    return result;
}

/* For owners and importers */

doca_error_t
event_value_load(struct event_value *value, uint64_t *result) {
    if (value->generation != process_generation()) {
        return fail_inherited(value);
    }
    if (is_addressed(value)) {
        return load_address(value, result);
    }
    *result = atomic_load(&value->block->value);
    return DOCA_SUCCESS;
}

doca_error_t
event_value_store(struct event_value *value, uint64_t stored) {
    const doca_error_t result = event_value_check(value);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (is_addressed(value)) {
        uint64_t before;
        return update_address(value, false, stored, &before);
    }
    atomic_store(&value->block->value, stored);
    return DOCA_SUCCESS;
}

doca_error_t
event_value_add(struct event_value *value, uint64_t added, uint64_t *fetched) {
    const doca_error_t result = event_value_check(value);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (is_addressed(value)) {
        return update_address(value, true, added, fetched);
    }
    *fetched = atomic_fetch_add(&value->block->value, added);
    return DOCA_SUCCESS;
}

bool
event_value_is_imported(const struct event_value *value) {
    return value->imported;
}

process_id
event_value_owner(const struct event_value *value) {
    return value->header.place.process;
}

/*
 * The owner
 */

static void
fill_block(struct event_value *value) {
    struct event_block *block = value->block;
    block->header = value->header;
    atomic_store(&block->has_value, is_addressed(value) ? 0 : 1);
    atomic_store(&block->is_live, 1);
}

static doca_error_t
create_block(struct event_value *value) {
    void *memory;
    const doca_error_t result = shared_block_create(&export_use, sizeof(*value->block), &value->fd, &memory);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    value->block = memory;
    fill_block(value);
    return DOCA_SUCCESS;
}

static doca_error_t
fill_header(struct event_value *value, const uint64_t *addr) {
    struct event_block_header *header = &value->header;
    memcpy(header->magic, EVENT_BLOCK_MAGIC, EVENT_BLOCK_MAGIC_SIZE);
    header->version = EVENT_BLOCK_VERSION;
    header->size = sizeof(*value->block);
    header->addr = (uintptr_t)addr;
    if (getrandom(header->secrets, sizeof(header->secrets), 0) != (ssize_t)sizeof(header->secrets)) {
        return SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to start a sync event: no random bytes");
    }
    return beacon_create(&export_use, &header->place);
}

static doca_error_t
create(uint64_t *addr, struct event_value **value) {
    struct event_value *created = calloc(1, sizeof(*created));
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    created->generation = process_generation();
    created->num_users = 1;
    doca_error_t result = fill_header(created, addr);
    if (result == DOCA_SUCCESS) {
        result = create_block(created);
        if (result != DOCA_SUCCESS) {
            beacon_destroy(&created->header.place);
        }
    }
    if (result != DOCA_SUCCESS) {
        free(created);
        return result;
    }
    *value = created;
    return DOCA_SUCCESS;
}

/* Under the lock. Values inherited from a parent do not belong to this process. */
static struct event_value *
find_addressed(const uint64_t *addr) {
    struct event_value *found = addressed.first;
    while (found != NULL && (address_of(found) != addr || found->generation != process_generation())) {
        found = found->next;
    }
    return found;
}

doca_error_t
event_value_create(uint64_t *addr, struct event_value **value) {
    doca_error_t result = DOCA_SUCCESS;
    if (addr == NULL) {
        return create(NULL, value);
    }
    emulator_lock(&addressed.lock);
    struct event_value *found = find_addressed(addr);
    if (found != NULL) {
        found->num_users++;
        *value = found;
    } else {
        result = create(addr, value);
        if (result == DOCA_SUCCESS) {
            (*value)->next = addressed.first;
            addressed.first = *value;
        }
    }
    emulator_unlock(&addressed.lock);
    return result;
}

void
event_value_describe(const struct event_value *value, enum event_value_kind kind,
                     const struct topology_function *function, struct event_value_descriptor *descriptor) {
    *descriptor = (struct event_value_descriptor){
            .kind = kind,
            .pid = owner_pid(value),
            .fd = value->fd,
            .user = geteuid(),
            .side = function->side,
    };
    memcpy(descriptor->secret, value->header.secrets[kind - 1], sizeof(descriptor->secret));
    memcpy(descriptor->pci_addr, function->pci_addr, sizeof(descriptor->pci_addr));
    memcpy(descriptor->vuid, function->vuid, sizeof(descriptor->vuid));
    event_value_seal_descriptor(descriptor);
}

/*
 * Importers
 */

static doca_error_t
check_header(const struct event_value_descriptor *descriptor, const struct event_block_header *header) {
    if (memcmp(header->magic, EVENT_BLOCK_MAGIC, EVENT_BLOCK_MAGIC_SIZE) != 0 || header->version != EVENT_BLOCK_VERSION ||
        header->size != sizeof(struct event_block)) {
        return REFUSE_IMPORT(DOCA_ERROR_INVALID_VALUE, "it has been stopped: file %d of process %d is no sync event",
                             descriptor->fd, descriptor->pid);
    }
    if (memcmp(header->secrets[descriptor->kind - 1], descriptor->secret, sizeof(descriptor->secret)) != 0 ||
        process_pid(header->place.process) != descriptor->pid) {
        return REFUSE_IMPORT(DOCA_ERROR_INVALID_VALUE, "it has been stopped: process %d has another one by now",
                             descriptor->pid);
    }
    return DOCA_SUCCESS;
}

/* Tries one access, so that missing access is detected here. */
static doca_error_t
check_access(const struct event_value *value) {
    int error;
    char text[PEER_ERROR_SIZE];
    if (atomic_load(&value->block->is_live) == 0) {
        return REFUSE_IMPORT(DOCA_ERROR_INVALID_VALUE, "process %d has stopped it", (int)owner_pid(value));
    }
    if (peer_is_there(&value->header.place, &error)) {
        return DOCA_SUCCESS;
    }
    return REFUSE_IMPORT(peer_is_gone(error) ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_DRIVER, "process %d %s",
                         (int)owner_pid(value), peer_describe_error(error, text));
}

doca_error_t
event_value_open(const struct event_value_descriptor *descriptor, struct event_value **value) {
    const struct shared_block_place place = {.pid = descriptor->pid,
                                             .user = descriptor->user,
                                             .fd = descriptor->fd,
                                             .size = sizeof(struct event_block)};
    void *memory;
    struct event_value *opened = calloc(1, sizeof(*opened));
    if (opened == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    doca_error_t result = shared_block_open(&import_use, &place, &memory);
    if (result != DOCA_SUCCESS) {
        free(opened);
        return result;
    }
    opened->block = memory;
    opened->header = opened->block->header;
    opened->imported = true;
    opened->generation = process_generation();
    result = check_header(descriptor, &opened->header);
    if (result == DOCA_SUCCESS) {
        result = check_access(opened);
    }
    if (result != DOCA_SUCCESS) {
        shared_block_close(memory, sizeof(*opened->block));
        free(opened);
        return result;
    }
    *value = opened;
    return DOCA_SUCCESS;
}

/*
 * The end
 */

/*
 * Importers hold the lock while they access the memory, and the next holder sees that the value has ended. Returns false
 * if another process holds it. A forked child does not end the value of its parent.
 */
static bool
try_end(struct event_value *value) {
    uint64_t last;
    if (value->generation != process_generation()) {
        return true;
    }
    if (is_addressed(value)) {
        if (!is_locked(value, shared_lock_try(&value->block->lock, value->header.place.process))) {
            return false;
        }
        if (read_own(value, &last) == DOCA_SUCCESS) {
            atomic_store(&value->block->value, last);
            atomic_store(&value->block->has_value, 1);
        }
    }
    atomic_store(&value->block->is_live, 0);
    if (is_addressed(value)) {
        unlock(value);
    }
    return true;
}

static void
destroy_owned(struct event_value *value) {
    beacon_destroy(&value->header.place);
    shared_block_destroy(value->fd, value->block, sizeof(*value->block));
    free(value);
}

/* Under the lock of the values at addresses. */
static void
forget_addressed(const struct event_value *value) {
    struct event_value **link = &addressed.first;
    while (*link != value) {
        link = &(*link)->next;
    }
    *link = value->next;
}

/* Returns false if the last user must not leave yet. Sets whether that was the last one. */
static bool
try_leave_addressed(struct event_value *value, bool *is_last) {
    emulator_lock(&addressed.lock);
    *is_last = value->num_users == 1;
    const bool leaves = !*is_last || try_end(value);
    if (leaves) {
        value->num_users--;
    }
    if (leaves && *is_last) {
        forget_addressed(value);
    }
    emulator_unlock(&addressed.lock);
    return leaves;
}

static bool
try_close_owned(struct event_value *value) {
    bool is_last = true;
    const bool leaves = is_addressed(value) ? try_leave_addressed(value, &is_last) : try_end(value);
    if (leaves && is_last) {
        destroy_owned(value);
    }
    return leaves;
}

bool
event_value_try_close(struct event_value *value) {
    if (!value->imported) {
        return try_close_owned(value);
    }
    shared_block_close(value->block, sizeof(*value->block));
    free(value);
    return true;
}

doca_error_t
event_value_close(struct event_value *value) {
    const uint64_t deadline = clock_now() + CLOSE_TIMEOUT_S * NS_PER_S;
    while (!event_value_try_close(value)) {
        if (clock_now() > deadline) {
            return SDK_REFUSE(DOCA_ERROR_IN_USE, "Process %d is still accessing the memory of a sync event after %d s",
                              (int)process_pid(shared_lock_holder(&value->block->lock)), CLOSE_TIMEOUT_S);
        }
        nanosleep(&(struct timespec){.tv_nsec = CLOSE_INTERVAL_NS}, NULL);
    }
    return DOCA_SUCCESS;
}
