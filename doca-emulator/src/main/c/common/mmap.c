/* SPDX-License-Identifier: Apache-2.0 */
/* Memory maps, of this process' memory or imported from another process. mmap_export.c exports and imports them. */
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "device.h"
#include "faults.h"
#include "guarded.h"
#include "import.h"
#include "mmap.h"
#include "mmap_object.h"
#include "object_pin.h"
#include "pinning.h"
#include "process.h"
#include "property.h"
#include "sdk_log.h"
#include "settings.h"

#define CACHE_LINE_SIZE 64
/* How long a stop waits for engine threads. */
#define PIN_TIMEOUT_S 5
#define COPY_CHUNK_SIZE ((size_t)32 * 1024)

#define ALL_ACCESS \
    (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | RDMA_ACCESS | PCI_ACCESS | DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING)

struct object_class mmap_class = OBJECT_CLASS("mmap", struct doca_mmap);

/*
 * Devices
 */

static uint32_t
num_devices(const struct doca_mmap *mmap) {
    return mmap->devices == NULL ? 0 : mmap->devices->num_devices;
}

/* Makes a new list with room for a number of devices, and copies as many of the current ones. Returns NULL without memory. */
static struct mmap_device_list *
copy_devices(const struct doca_mmap *mmap, uint32_t num) {
    struct mmap_device_list *list = malloc(sizeof(*list) + num * sizeof(list->devices[0]));
    if (list != NULL) {
        const uint32_t num_copied = num < num_devices(mmap) ? num : num_devices(mmap);
        list->previous = mmap->devices;
        list->num_devices = num;
        if (num_copied > 0) {
            memcpy(list->devices, mmap->devices->devices, num_copied * sizeof(list->devices[0]));
        }
    }
    return list;
}

static void
free_earlier_lists(struct mmap_device_list *list) {
    while (list->previous != NULL) {
        struct mmap_device_list *earlier = list->previous;
        list->previous = earlier->previous;
        free(earlier);
    }
}

/* Engine threads may be reading the earlier lists of a started map. */
static void
set_devices(struct doca_mmap *mmap, struct mmap_device_list *list) {
    __atomic_store_n(&mmap->devices, list, __ATOMIC_RELEASE);
    if (!mmap->started) {
        free_earlier_lists(list);
    }
}

bool
mmap_append_device(struct doca_mmap *mmap, struct doca_dev *dev) {
    /* As on a NIC: an index, and a byte that changes with each use of the index. */
    static uint32_t last_mkey = 0x1000;
    struct mmap_device_list *list = copy_devices(mmap, num_devices(mmap) + 1);
    if (list == NULL) {
        return false;
    }
    device_hold(dev);
    list->devices[list->num_devices - 1] =
            (struct mmap_device){.dev = dev, .mkey = __atomic_add_fetch(&last_mkey, 0x101, __ATOMIC_RELAXED)};
    set_devices(mmap, list);
    return true;
}

static bool
remove_device(struct doca_mmap *mmap, struct doca_dev *dev) {
    struct mmap_device_list *list = copy_devices(mmap, num_devices(mmap) - 1);
    if (list == NULL) {
        return false;
    }
    /* The last device takes the place of the removed one. */
    const ptrdiff_t index = mmap_find_device(mmap, dev) - mmap->devices->devices;
    if (index < (ptrdiff_t)list->num_devices) {
        list->devices[index] = mmap->devices->devices[list->num_devices];
    }
    set_devices(mmap, list);
    device_release(dev);
    return true;
}

static void
free_devices(struct doca_mmap *mmap) {
    for (uint32_t i = 0; i < num_devices(mmap); i++) {
        device_release(mmap->devices->devices[i].dev);
    }
    if (mmap->devices != NULL) {
        free_earlier_lists(mmap->devices);
        free(mmap->devices);
        mmap->devices = NULL;
    }
}

static uint32_t
get_num_bufs(const struct doca_mmap *mmap) {
    return __atomic_load_n(&mmap->num_bufs, __ATOMIC_ACQUIRE);
}

/* Refuses changes of properties that belong to the exporter. */
static doca_error_t
check_not_imported(const struct doca_mmap *mmap, const char *what) {
    if (mmap->import != NULL) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Mmap %p: Failed to %s: the mmap is from an export", mmap, what);
    }
    return DOCA_SUCCESS;
}

/*
 * Returns whether the permissions are consistent: peers may write only if the owner may write. Releases before 3.0
 * allow relaxed ordering for PCI permissions.
 */
static bool
is_access_mask(uint32_t mask) {
    const bool relaxed = (mask & DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING) != 0;
    const bool changed_by_peers = (mask & (DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)) != 0;
    return (mask & ~(uint32_t)ALL_ACCESS) == 0 && (mask & PCI_ACCESS) != PCI_ACCESS &&
           (!changed_by_peers || (mask & DOCA_ACCESS_FLAG_LOCAL_READ_WRITE) != 0) &&
           (!relaxed || (mask & PCI_ACCESS) == 0 || emulator_release_is_at_most(EMULATOR_RELEASE_2_5));
}

/*
 * For engines and buffers
 */

/* A thread that sees the map started also sees the number. */
void
mmap_register(struct doca_mmap *mmap) {
    static uint64_t last_registration;
    __atomic_store_n(
            &mmap->registration, __atomic_add_fetch(&last_registration, 1, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    __atomic_store_n(&mmap->started, true, __ATOMIC_RELEASE);
}

void
mmap_pin(struct doca_mmap *mmap) {
    object_pin(&mmap->object);
}

void
mmap_unpin(struct doca_mmap *mmap) {
    object_unpin(&mmap->object);
}

/*
 * When this succeeds, no engine thread accesses the memory. A thread may be stuck in memory that is slow to fault in: then the map
 * stays as it was, and a later call waits again.
 */
static doca_error_t
close_to_engines(struct doca_mmap *mmap, const char *what) {
    const bool was_started = mmap->started;
    __atomic_store_n(&mmap->started, false, __ATOMIC_SEQ_CST);
    if (object_wait_for_pins(&mmap->object, clock_now() + PIN_TIMEOUT_S * NS_PER_S)) {
        return DOCA_SUCCESS;
    }
    __atomic_store_n(&mmap->started, was_started, __ATOMIC_RELEASE);
    return SDK_REFUSE(DOCA_ERROR_IN_USE, "Mmap %p: Failed to %s: an engine is still accessing its memory after %d s", mmap, what,
                      PIN_TIMEOUT_S);
}

static bool
is_for_rdma(const struct doca_mmap *mmap) {
    return mmap->import != NULL && import_terms(mmap->import)->kind == SHARE_KIND_RDMA;
}

doca_error_t
mmap_check_access(struct doca_mmap *mmap, const struct doca_dev *dev, const void *addr, size_t len,
                  enum mmap_access access) {
    if (!mmap_is_started(mmap)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Mmap %p: is not started", mmap);
    }
    if (!mmap_contains(mmap, addr, len)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: %zu bytes at %p leave its %zu bytes at %p", mmap, len,
                          addr, mmap->len, mmap->addr);
    }
    if (access == MMAP_ACCESS_WRITE && (mmap->permissions & mmap->write_permissions) == 0) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Mmap %p: lacks the permission %s", mmap,
                          mmap->import == NULL ? "LOCAL_READ_WRITE or PCI_READ_WRITE" : "PCI_READ_WRITE");
    }
    if (!mmap_has_device(mmap, dev)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Mmap %p: device %p was not added to it", mmap, dev);
    }
    if (is_for_rdma(mmap)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Mmap %p: only RDMA operations on its owner can use it", mmap);
    }
    return DOCA_SUCCESS;
}

size_t
mmap_len_from(const struct doca_mmap *mmap, const void *addr) {
    const uintptr_t offset = (uintptr_t)addr - (uintptr_t)mmap->addr;
    return offset < mmap->len ? mmap->len - offset : 0;
}

doca_error_t
mmap_check_remote_access(struct doca_mmap *mmap, const struct doca_dev *dev, process_id owner, const void *addr,
                         size_t len, uint32_t permission) {
    if (!mmap_is_started(mmap)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Mmap %p: is not started", mmap);
    }
    if (!is_for_rdma(mmap) || import_exporter(mmap->import) != owner) {
        return SDK_REFUSE(DOCA_ERROR_NOT_FOUND, "Mmap %p: is not of memory that process %d has exported for RDMA",
                          mmap, (int)process_pid(owner));
    }
    if (!mmap_contains(mmap, addr, len)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: %zu bytes at %p leave its %zu bytes at %p", mmap, len,
                          addr, mmap->len, mmap->addr);
    }
    if ((mmap->permissions & permission) == 0) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Mmap %p: lacks the permission %#x, has %#x", mmap, permission,
                          mmap->permissions);
    }
    if (!mmap_has_device(mmap, dev)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Mmap %p: device %p was not added to it", mmap, dev);
    }
    return DOCA_SUCCESS;
}

/* Copies between two processes, neither of which need be this one. */
static doca_error_t
copy_between_imports(
        struct import *dst_import, uint8_t *dst, struct import *src_import, const uint8_t *src, size_t len) {
    uint8_t chunk[COPY_CHUNK_SIZE];
    doca_error_t result = DOCA_SUCCESS;
    for (size_t copied = 0; result == DOCA_SUCCESS && copied < len; copied += sizeof(chunk)) {
        const size_t rest = len - copied;
        const size_t chunk_len = rest < sizeof(chunk) ? rest : sizeof(chunk);
        result = import_read(src_import, chunk, src + copied, chunk_len);
        if (result == DOCA_SUCCESS) {
            result = import_write(dst_import, dst + copied, chunk, chunk_len);
        }
    }
    return result;
}

static doca_error_t
copy_across(struct import *dst_import, void *dst, struct import *src_import, const void *src, size_t len) {
    if (dst_import == NULL) {
        return import_read(src_import, dst, src, len);
    }
    if (src_import == NULL) {
        return import_write(dst_import, dst, src, len);
    }
    return copy_between_imports(dst_import, dst, src_import, src, len);
}

doca_error_t
mmap_copy(struct doca_mmap *dst_mmap, void *dst, struct doca_mmap *src_mmap, const void *src, size_t len) {
    if (dst_mmap->import != NULL || src_mmap->import != NULL) {
        return copy_across(dst_mmap->import, dst, src_mmap->import, src, len);
    }
    return guarded_copy(dst, src, len);
}

doca_error_t
mmap_load(struct doca_mmap *mmap, void *dst, const void *src, size_t len) {
    if (mmap->import != NULL) {
        return import_read(mmap->import, dst, src, len);
    }
    return guarded_copy(dst, src, len);
}

doca_error_t
mmap_store(struct doca_mmap *mmap, void *dst, const void *src, size_t len) {
    if (mmap->import != NULL) {
        return import_write(mmap->import, dst, src, len);
    }
    return guarded_copy(dst, src, len);
}

doca_error_t
mmap_copy_to_peer(
        const struct peer_place *peer, void *dst, struct doca_mmap *src_mmap, const void *src, size_t len) {
    uint8_t chunk[COPY_CHUNK_SIZE];
    doca_error_t result = DOCA_SUCCESS;
    if (src_mmap->import == NULL) {
        return peer_write(peer, dst, src, len);
    }
    for (size_t copied = 0; result == DOCA_SUCCESS && copied < len; copied += sizeof(chunk)) {
        const size_t rest = len - copied;
        const size_t chunk_len = rest < sizeof(chunk) ? rest : sizeof(chunk);
        result = import_read(src_mmap->import, chunk, (const uint8_t *)src + copied, chunk_len);
        if (result == DOCA_SUCCESS) {
            result = peer_write(peer, (uint8_t *)dst + copied, chunk, chunk_len);
        }
    }
    return result;
}

bool
mmap_share_addresses(const struct doca_mmap *a, const struct doca_mmap *b) {
    /* A buffer may outlive a map that does not count its buffers; a destroyed map has no import. */
    return mmap_is_started(a) && mmap_is_started(b) &&
           (a->import == b->import || import_is_same_process(a->import, b->import));
}

bool
mmap_is_imported(const struct doca_mmap *mmap) {
    return mmap->import != NULL;
}

void
mmap_kill_exporter(const struct doca_mmap *mmap) {
    process_kill(import_exporter(mmap->import));
}

/*
 * Life
 */

doca_error_t
doca_mmap_create(struct doca_mmap **mmap) {
    if (mmap == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: mmap is NULL");
    }
    struct doca_mmap *created = object_create(&mmap_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    /* Programs that never set permissions may write to their maps. */
    created->permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
    created->write_permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE;
    created->max_num_devices = 1;
    created->counts_bufs = true;
    *mmap = created;
    SDK_LOG_INFO("Mmap %p: was created", created);
    return DOCA_SUCCESS;
}

/* Checks that the devices can hold the pages of the memory for the access, and counts them as locked. */
static doca_error_t
lock_memory(const struct doca_mmap *mmap) {
    char reason[256];
    const bool writable = (mmap->permissions & mmap->write_permissions) != 0;
    if (!pinning_check(mmap->addr, mmap->len, writable, reason, sizeof(reason))) {
        return SDK_REFUSE(DOCA_ERROR_DRIVER, "Mmap %p: Failed to start: cannot register %zu bytes at %p: %s", mmap,
                          mmap->len, mmap->addr, reason);
    }
    if (!pinning_lock(mmap->addr, mmap->len, reason, sizeof(reason))) {
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "Mmap %p: Failed to start: %s", mmap, reason);
    }
    guarded_prepare();
    return DOCA_SUCCESS;
}

/* Memory of another process is locked by that process. */
static void
unlock_memory(const struct doca_mmap *mmap) {
    if (mmap->import == NULL) {
        pinning_unlock(mmap->addr, mmap->len);
    }
}

static doca_error_t
register_memory(const struct doca_mmap *mmap) {
    const doca_error_t result = mmap->import == NULL ? lock_memory(mmap) : DOCA_SUCCESS;
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (!faults_take_registration()) {
        unlock_memory(mmap);
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "Mmap %p: Failed to start: faults leave no registration", mmap);
    }
    return DOCA_SUCCESS;
}

static void
unregister_memory(const struct doca_mmap *mmap) {
    unlock_memory(mmap);
    faults_return_registration();
}

doca_error_t
doca_mmap_start(struct doca_mmap *mmap) {
    if (!IS_LIVE(mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (mmap->addr == NULL) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Mmap %p: Failed to start: the memory range was not set", mmap);
    }
    if (!mmap->started) {
        const doca_error_t result = register_memory(mmap);
        if (result != DOCA_SUCCESS) {
            return result;
        }
        mmap->was_started = true;
        mmap_register(mmap);
        SDK_LOG_INFO("Mmap %p: was started", mmap);
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_mmap_stop(struct doca_mmap *mmap) {
    if (!IS_LIVE(mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    /* The headers of 1.5 name no such refusal. */
    if (get_num_bufs(mmap) > 0 && emulator_settings()->strict && !emulator_release_is_at_most(EMULATOR_RELEASE_1_5)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Mmap %p: Failed to stop: %u buffers point to it", mmap,
                          get_num_bufs(mmap));
    }
    if (mmap->started) {
        /* First, as a refusal leaves the map usable in this process. */
        doca_error_t result = mmap_end_exports(mmap, "stop");
        result = result == DOCA_SUCCESS ? close_to_engines(mmap, "stop") : result;
        if (result != DOCA_SUCCESS) {
            return result;
        }
        unregister_memory(mmap);
        SDK_LOG_INFO("Mmap %p: was stopped", mmap);
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_mmap_destroy(struct doca_mmap *mmap) {
    if (!IS_LIVE(mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (get_num_bufs(mmap) > 0) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Mmap %p: Failed to destroy: %u buffers point to it", mmap,
                          get_num_bufs(mmap));
    }
    const bool was_registered = mmap->started;
    doca_error_t result = mmap_end_exports(mmap, "destroy");
    /* A stale reference from a buffer must not find the map usable. */
    result = result == DOCA_SUCCESS ? close_to_engines(mmap, "destroy") : result;
    if (result != DOCA_SUCCESS) {
        return result;
    }
    doca_mmap_memrange_free_cb_t *free_cb = mmap->was_started ? mmap->free_cb : NULL;
    void *free_cb_opaque = mmap->free_cb_opaque;
    void *addr = mmap->addr;
    const size_t len = mmap->len;
    if (was_registered) {
        unregister_memory(mmap);
    }
    if (mmap->import != NULL) {
        import_destroy(mmap->import);
    }
    free_devices(mmap);
    object_destroy(&mmap_class, mmap);
    SDK_LOG_INFO("Mmap %p: was destroyed", mmap);
    if (free_cb != NULL) {
        free_cb(addr, len, free_cb_opaque);
    }
    return DOCA_SUCCESS;
}

/*
 * Configuration
 */

/* The checks for all kinds of ranges. */
static doca_error_t
check_new_range(const struct doca_mmap *mmap, const void *addr, size_t len) {
    if (addr == NULL || len == 0 || (uintptr_t)addr > UINTPTR_MAX - len) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Invalid input: %zu bytes at %p are no memory range",
                          mmap, len, addr);
    }
    const doca_error_t result = check_not_imported(mmap, "set the memory range");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (mmap->started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Mmap %p: Failed to set the memory range: the mmap is started", mmap);
    }
    if (mmap->addr != NULL) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Mmap %p: Failed to set the memory range: it was set before",
                          mmap);
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_mmap_set_memrange(struct doca_mmap *mmap, void *addr, size_t len) {
    if (!IS_LIVE(mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_new_range(mmap, addr, len);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if ((uintptr_t)addr % CACHE_LINE_SIZE != 0 || len % CACHE_LINE_SIZE != 0) {
        SDK_LOG_WARN("Mmap %p: %zu bytes at %p are not aligned to cache lines of %d bytes", mmap, len, addr,
                     CACHE_LINE_SIZE);
    }
    mmap->addr = addr;
    mmap->len = len;
    return DOCA_SUCCESS;
}

doca_error_t
doca_mmap_set_dmabuf_memrange(struct doca_mmap *mmap, int dmabuf_fd, void *addr, size_t dmabuf_offset, size_t len) {
    (void)dmabuf_offset;
    if (!IS_LIVE(mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (dmabuf_fd < 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Invalid input: %d is no dmabuf", mmap, dmabuf_fd);
    }
    const doca_error_t result = check_new_range(mmap, addr, len);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Mmap %p: dmabuf memory is not emulated", mmap);
}

doca_error_t
doca_mmap_set_permissions(struct doca_mmap *mmap, uint32_t access_mask) {
    if (!IS_LIVE(mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_not_imported(mmap, "set permissions");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (mmap->started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Mmap %p: Failed to set permissions: the mmap is started", mmap);
    }
    if (!is_access_mask(access_mask)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Invalid input: permissions %#x", mmap, access_mask);
    }
    mmap->permissions = access_mask;
    return DOCA_SUCCESS;
}

doca_error_t
doca_mmap_set_max_num_devices(struct doca_mmap *mmap, uint32_t max_num_devices) {
    if (!IS_LIVE(mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (check_not_imported(mmap, "set the number of devices") != DOCA_SUCCESS) {
        return DOCA_ERROR_NOT_PERMITTED;
    }
    if (max_num_devices == 0 || max_num_devices < num_devices(mmap)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Invalid input: at most %u devices, when it has %u",
                          mmap, max_num_devices, num_devices(mmap));
    }
    if (mmap->was_started) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED,
                          "Mmap %p: Failed to set the number of devices: was started before", mmap);
    }
    mmap->max_num_devices = max_num_devices;
    return DOCA_SUCCESS;
}

/* On release 1.5, devices are added to started maps. */
static bool
may_change_devices(const struct doca_mmap *mmap) {
    return !mmap->started || emulator_release_is_at_most(EMULATOR_RELEASE_1_5);
}

doca_error_t
doca_mmap_add_dev(struct doca_mmap *mmap, struct doca_dev *dev) {
    if (!IS_LIVE(mmap_class, mmap) || !device_is_open(dev)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_not_imported(mmap, "add a device");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (!may_change_devices(mmap)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Mmap %p: Failed to add device %p: the mmap is started", mmap, dev);
    }
    if (num_devices(mmap) == mmap->max_num_devices) {
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "Mmap %p: Failed to add device %p: has %u, which is its limit", mmap,
                          dev, num_devices(mmap));
    }
    if (mmap_has_device(mmap, dev)) {
        return SDK_REFUSE(DOCA_ERROR_ALREADY_EXIST, "Mmap %p: device %p was added before", mmap, dev);
    }
    return mmap_append_device(mmap, dev) ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY;
}

doca_error_t
doca_mmap_rm_dev(struct doca_mmap *mmap, struct doca_dev *dev) {
    if (!IS_LIVE(mmap_class, mmap) || !device_is_open(dev)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_not_imported(mmap, "remove a device");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (!may_change_devices(mmap)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Mmap %p: Failed to remove device %p: the mmap is started", mmap, dev);
    }
    if (!mmap_has_device(mmap, dev)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_FOUND, "Mmap %p: device %p was not added", mmap, dev);
    }
    return remove_device(mmap, dev) ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY;
}

doca_error_t
doca_mmap_set_free_cb(struct doca_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb, void *opaque) {
    if (!IS_LIVE(mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_not_imported(mmap, "set the free callback");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (free_cb == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Invalid input: free_cb is NULL", mmap);
    }
    if (mmap->started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Mmap %p: Failed to set the free callback: the mmap is started",
                          mmap);
    }
    mmap->free_cb = free_cb;
    mmap->free_cb_opaque = opaque;
    return DOCA_SUCCESS;
}

doca_error_t
doca_mmap_set_user_data(struct doca_mmap *mmap, union doca_data user_data) {
    if (!IS_LIVE(mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_not_imported(mmap, "set user data");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (mmap->started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Mmap %p: Failed to set user data: the mmap is started", mmap);
    }
    mmap->user_data = user_data;
    return DOCA_SUCCESS;
}

doca_error_t
doca_mmap_enable_thread_safety(struct doca_mmap *mmap) {
    if (!IS_LIVE(mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    /* An imported map is already started, but multithreaded programs call this on it as well. */
    if ((mmap->started && mmap->import == NULL) || get_num_bufs(mmap) > 0) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Mmap %p: Failed to enable thread safety: in use already", mmap);
    }
    mmap->counts_bufs = false;
    return DOCA_SUCCESS;
}

/*
 * Properties
 */

doca_error_t
doca_mmap_get_memrange(const struct doca_mmap *mmap, void **addr, size_t *len) {
    if (!IS_LIVE(mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (addr == NULL || len == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Invalid input: %s is NULL", mmap,
                          addr == NULL ? "addr" : "len");
    }
    if (mmap->addr == NULL) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Mmap %p: the memory range was not set", mmap);
    }
    *addr = mmap->addr;
    *len = mmap->len;
    return DOCA_SUCCESS;
}

#include <getters/mmap.h>
