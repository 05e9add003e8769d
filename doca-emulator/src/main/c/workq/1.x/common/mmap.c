/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include <core_buf_inventory.h>
#include <core_dev.h>
#include <core_mmap.h>

#include "common/sdk_log.h"
#include "workq/1.x/common/mmap.h"

/* This release has no permissions: the other side of the PCI bus has full access to exported memory. */
#define PERMISSIONS (CORE_ACCESS_FLAG_LOCAL_READ_WRITE | CORE_ACCESS_FLAG_PCI_READ_WRITE)

struct object_class chunk_mmap_class = OBJECT_CLASS("mmap", struct doca_mmap);

static doca_error_t
check_stopped(const struct doca_mmap *mmap, const char *what) {
    if (!IS_LIVE(chunk_mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (mmap->is_imported || mmap->is_started) {
        return SDK_REFUSE(mmap->is_imported ? DOCA_ERROR_NOT_PERMITTED : DOCA_ERROR_BAD_STATE,
                          "Mmap %p: Failed to %s: is %s", mmap, what, mmap->is_imported ? "imported" : "started");
    }
    return DOCA_SUCCESS;
}

/*
 * Chunks
 */

doca_error_t
chunk_mmap_add(struct doca_mmap *mmap, void *addr, size_t len, void *core) {
    if (mmap->num_chunks == mmap->max_num_chunks) {
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "Mmap %p: Failed to add a chunk: has %u, which is its limit", mmap,
                          mmap->num_chunks);
    }
    struct chunk *grown = realloc(mmap->chunks, (mmap->num_chunks + 1) * sizeof(*grown));
    if (grown == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    mmap->chunks = grown;
    mmap->chunks[mmap->num_chunks++] = (struct chunk){.addr = addr, .len = len, .core = core};
    return DOCA_SUCCESS;
}

/* Returns the chunk that contains the range, or NULL. */
static const struct chunk *
find_chunk(const struct doca_mmap *mmap, const void *addr, size_t len) {
    const uintptr_t first = (uintptr_t)addr;
    for (uint32_t i = 0; i < mmap->num_chunks; i++) {
        const struct chunk *chunk = &mmap->chunks[i];
        const uintptr_t offset = first - (uintptr_t)chunk->addr;
        if (first >= (uintptr_t)chunk->addr && offset <= chunk->len && len <= chunk->len - offset) {
            return chunk;
        }
    }
    return NULL;
}

static bool
overlaps(const struct doca_mmap *mmap, const void *addr, size_t len) {
    const uintptr_t first = (uintptr_t)addr;
    for (uint32_t i = 0; i < mmap->num_chunks; i++) {
        const uintptr_t other = (uintptr_t)mmap->chunks[i].addr;
        if (first < other + mmap->chunks[i].len && other < first + len) {
            return true;
        }
    }
    return false;
}

/* Refuses changes of a map that other processes use, or that is itself from another process. */
static doca_error_t
check_not_exported(const struct doca_mmap *mmap, const char *what) {
    if (mmap->is_imported || mmap->is_exported) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Mmap %p: Failed to %s: is %s", mmap, what,
                          mmap->is_imported ? "imported" : "exported");
    }
    return DOCA_SUCCESS;
}

static doca_error_t
configure(void *core, const struct doca_mmap *mmap, void *addr, size_t len) {
    doca_error_t result = core_mmap_set_memrange(core, addr, len);
    result = result == DOCA_SUCCESS ? core_mmap_set_permissions(core, PERMISSIONS) : result;
    result = result == DOCA_SUCCESS ? core_mmap_set_max_num_devices(core, mmap->max_num_devs) : result;
    for (uint32_t i = 0; i < mmap->num_devs && result == DOCA_SUCCESS; i++) {
        result = core_mmap_add_dev(core, mmap->devs[i]);
    }
    return result == DOCA_SUCCESS ? core_mmap_start(core) : result;
}

/* The callback is set last, because a range that was not added still belongs to the program. */
static doca_error_t
add_range(struct doca_mmap *mmap, void *addr, size_t len, doca_mmap_memrange_free_cb_t *free_cb, void *opaque) {
    struct doca_mmap *core;
    doca_error_t result = core_mmap_create(&core);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = free_cb == NULL ? DOCA_SUCCESS : core_mmap_set_free_cb(core, free_cb, opaque);
    result = result == DOCA_SUCCESS ? configure(core, mmap, addr, len) : result;
    result = result == DOCA_SUCCESS ? chunk_mmap_add(mmap, addr, len, core) : result;
    if (result != DOCA_SUCCESS) {
        (void)core_mmap_destroy(core);
    }
    return result;
}

doca_error_t
chunk_mmap_populate(struct doca_mmap *mmap, void *addr, size_t len, size_t pg_sz, doca_mmap_memrange_free_cb_t *free_cb,
                    void *opaque) {
    if (!IS_LIVE(chunk_mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_not_exported(mmap, "add a chunk");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (!mmap->is_started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Mmap %p: Failed to add a chunk: is not started", mmap);
    }
    if (addr == NULL || len == 0 || pg_sz == 0 || (pg_sz & (pg_sz - 1)) != 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Invalid input: %zu bytes at %p in pages of %zu", mmap, len,
                          addr, pg_sz);
    }
    if (overlaps(mmap, addr, len)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Mmap %p: Failed to add a chunk: %zu bytes at %p overlap another one", mmap,
                          len, addr);
    }
    if (mmap->num_chunks == mmap->max_num_chunks) {
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "Mmap %p: Failed to add a chunk: has %u, which is its limit", mmap,
                          mmap->num_chunks);
    }
    return add_range(mmap, addr, len, free_cb, opaque);
}

doca_error_t
chunk_mmap_take_buf(struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len, void *data,
                    size_t data_len, struct doca_buf **buf) {
    if (!IS_LIVE(chunk_mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const struct chunk *chunk = find_chunk(mmap, addr, len);
    if (chunk == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Invalid input: %zu bytes at %p are in no chunk", mmap, len,
                          addr);
    }
    return core_buf_inventory_buf_get_by_args(inventory, chunk->core, addr, len, data, data_len, buf);
}

/*
 * Devices
 */

static doca_error_t
check_devices(const struct doca_mmap *mmap, const struct doca_dev *dev, const char *what) {
    if (!IS_LIVE(chunk_mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (core_dev_as_devinfo(dev) == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Invalid input: device %p", mmap, dev);
    }
    return check_not_exported(mmap, what);
}

static uint32_t
find_device(const struct doca_mmap *mmap, const struct doca_dev *dev) {
    uint32_t index = 0;
    while (index < mmap->num_devs && mmap->devs[index] != dev) {
        index++;
    }
    return index;
}

/* Adds or removes the device of each chunk. If one fails, undoes the others. */
static doca_error_t
change_chunks(const struct doca_mmap *mmap, struct doca_dev *dev, doca_error_t (*change)(struct doca_mmap *, struct doca_dev *),
              doca_error_t (*undo)(struct doca_mmap *, struct doca_dev *)) {
    for (uint32_t i = 0; i < mmap->num_chunks; i++) {
        const doca_error_t result = change(mmap->chunks[i].core, dev);
        if (result != DOCA_SUCCESS) {
            while (i > 0) {
                (void)undo(mmap->chunks[--i].core, dev);
            }
            return result;
        }
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_mmap_dev_add(struct doca_mmap *mmap, struct doca_dev *dev) {
    doca_error_t result = check_devices(mmap, dev, "add a device");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (find_device(mmap, dev) < mmap->num_devs) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "Mmap %p: Failed to add device %p: was added before", mmap, dev);
    }
    if (mmap->num_devs == mmap->max_num_devs) {
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "Mmap %p: Failed to add a device: has %u, which is its limit", mmap,
                          mmap->num_devs);
    }
    struct doca_dev **grown = realloc(mmap->devs, (mmap->num_devs + 1) * sizeof(*grown));
    if (grown == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    mmap->devs = grown;
    result = change_chunks(mmap, dev, core_mmap_add_dev, core_mmap_rm_dev);
    if (result == DOCA_SUCCESS) {
        mmap->devs[mmap->num_devs++] = dev;
    }
    return result;
}

doca_error_t
doca_mmap_dev_rm(struct doca_mmap *mmap, struct doca_dev *dev) {
    doca_error_t result = check_devices(mmap, dev, "remove a device");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    const uint32_t index = find_device(mmap, dev);
    if (index == mmap->num_devs) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Failed to remove device %p: was not added", mmap, dev);
    }
    result = change_chunks(mmap, dev, core_mmap_rm_dev, core_mmap_add_dev);
    if (result == DOCA_SUCCESS) {
        mmap->devs[index] = mmap->devs[--mmap->num_devs];
    }
    return result;
}

/*
 * Life
 */

doca_error_t
chunk_mmap_create(const union doca_data *user_data, struct doca_mmap **mmap) {
    if (mmap == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: mmap is NULL");
    }
    struct doca_mmap *created = object_create(&chunk_mmap_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    created->user_data = user_data == NULL ? (union doca_data){0} : *user_data;
    created->max_num_devs = 1;
    created->max_num_chunks = 1;
    *mmap = created;
    return DOCA_SUCCESS;
}

uint32_t
chunk_mmap_count_bufs(const struct doca_mmap *mmap) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < mmap->num_chunks; i++) {
        uint32_t num_bufs = 0;
        (void)core_mmap_get_num_bufs(mmap->chunks[i].core, &num_bufs);
        sum += num_bufs;
    }
    return sum;
}

doca_error_t
doca_mmap_destroy(struct doca_mmap *mmap) {
    if (!IS_LIVE(chunk_mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const uint32_t num_bufs = chunk_mmap_count_bufs(mmap);
    if (num_bufs > 0) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Mmap %p: Failed to destroy: %u buffers point to it", mmap, num_bufs);
    }
    doca_error_t result = DOCA_SUCCESS;
    /* A chunk that another process still accesses remains, and a later call continues with it. */
    while (result == DOCA_SUCCESS && mmap->num_chunks > 0) {
        result = core_mmap_destroy(mmap->chunks[mmap->num_chunks - 1].core);
        mmap->num_chunks -= result == DOCA_SUCCESS;
    }
    if (result != DOCA_SUCCESS) {
        return result;
    }
    free(mmap->chunks);
    free(mmap->devs);
    object_destroy(&chunk_mmap_class, mmap);
    return DOCA_SUCCESS;
}

/* Applies an operation to all chunks; returns the first error. */
static doca_error_t
for_all_chunks(const struct doca_mmap *mmap, doca_error_t (*function)(struct doca_mmap *core)) {
    doca_error_t result = DOCA_SUCCESS;
    for (uint32_t i = 0; i < mmap->num_chunks && result == DOCA_SUCCESS; i++) {
        result = function(mmap->chunks[i].core);
    }
    return result;
}

doca_error_t
doca_mmap_start(struct doca_mmap *mmap) {
    if (!IS_LIVE(chunk_mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    /* A chunk of a started map may be stopped, if the stop of another one was refused. */
    const doca_error_t result = for_all_chunks(mmap, core_mmap_start);
    mmap->is_started |= result == DOCA_SUCCESS;
    return result;
}

/* Buffers may point to the map. They can be used again after the next start. */
doca_error_t
doca_mmap_stop(struct doca_mmap *mmap) {
    if (!IS_LIVE(chunk_mmap_class, mmap)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = for_all_chunks(mmap, core_mmap_stop);
    mmap->is_started &= result != DOCA_SUCCESS;
    return result;
}

doca_error_t
chunk_mmap_set_limit(struct doca_mmap *mmap, uint32_t *limit, uint32_t value, const char *what) {
    const doca_error_t result = check_stopped(mmap, what);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (value == 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Failed to %s: 0", mmap, what);
    }
    *limit = value;
    return DOCA_SUCCESS;
}
