/* SPDX-License-Identifier: Apache-2.0 */
/* The internal part of a memory map. mmap.h has the functions for engines. */
#ifndef DOCA_EMULATOR_MMAP_OBJECT_H_
#define DOCA_EMULATOR_MMAP_OBJECT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_mmap.h>

#include "object.h"

struct import;
struct mmap_export;

/* The access flags that let the other side of the PCI bus, or remote peers, access a map. */
#define PCI_ACCESS (DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE)
#define RDMA_ACCESS (DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)

enum mmap_access {
    MMAP_ACCESS_READ,
    MMAP_ACCESS_WRITE,
};

struct mmap_device {
    struct doca_dev *dev;
    /* The device's key for the memory. */
    uint32_t mkey;
};

/* The devices of a map. A list never changes: each change makes a new one. */
struct mmap_device_list {
    struct mmap_device_list *previous;
    uint32_t num_devices;
    struct mmap_device devices[];
};

struct doca_mmap {
    struct object object;
    /* Read by any thread that uses a buffer of the map; all members below but the devices are constant while it is true. */
    bool started;
    /* The number of this start among the starts of all maps. Read by any thread. */
    uint64_t registration;
    /* NULL until the range is set. */
    uint8_t *addr;
    size_t len;
    uint32_t permissions;
    /* An engine may write if the map has any of these flags. Every map can be read. */
    uint32_t write_permissions;
    /* For memory of another process, otherwise NULL; the address above is then valid in that process. */
    struct import *import;
    /*
     * Read by any thread, with acquire. On release 1.5 it changes while the map is started. Earlier lists, which a thread may still
     * read, are freed with the map. NULL before the first device.
     */
    struct mmap_device_list *devices;

    /* Buffers that refer to the map; counted unless the user chose thread safety instead. */
    uint32_t num_bufs;
    bool counts_bufs;

    /* A list, by device, which includes ended exports that a process still uses. */
    struct mmap_export *exports;
    uint32_t max_num_devices;
    bool was_started;
    doca_mmap_memrange_free_cb_t *free_cb;
    void *free_cb_opaque;
    union doca_data user_data;
};

extern struct object_class mmap_class;

/* Adds the device, which gets a new mkey and is held. Returns false without memory. */
bool mmap_append_device(struct doca_mmap *mmap, struct doca_dev *dev);

/* Marks the map as started, with a new key. */
void mmap_register(struct doca_mmap *mmap);

/*
 * Ends all access through exports, and frees them. Returns IN_USE, with a record in the log, if a process still accesses
 * the memory after seconds; a later call waits for it again.
 */
doca_error_t mmap_end_exports(struct doca_mmap *mmap, const char *what);

static inline const struct mmap_device_list *
mmap_devices(const struct doca_mmap *mmap) {
    return __atomic_load_n(&mmap->devices, __ATOMIC_ACQUIRE);
}

/* Returns NULL if the device was not added. */
static inline const struct mmap_device *
mmap_find_device(const struct doca_mmap *mmap, const struct doca_dev *dev) {
    const struct mmap_device_list *list = mmap_devices(mmap);
    for (uint32_t i = 0; list != NULL && i < list->num_devices; i++) {
        if (list->devices[i].dev == dev) {
            return &list->devices[i];
        }
    }
    return NULL;
}

static inline bool
mmap_has_device(const struct doca_mmap *mmap, const struct doca_dev *dev) {
    return mmap_find_device(mmap, dev) != NULL;
}

static inline bool
mmap_is_started(const struct doca_mmap *mmap) {
    /* A caller that pins the map does so before this call. */
    return __atomic_load_n(&mmap->started, __ATOMIC_SEQ_CST);
}

static inline bool
mmap_contains(const struct doca_mmap *mmap, const void *addr, size_t len) {
    /*
     * Compares integers, as the address is arbitrary. Before the start of the range the offset wraps and is too
     * large.
     */
    const uintptr_t offset = (uintptr_t)addr - (uintptr_t)mmap->addr;
    return len <= mmap->len && offset <= mmap->len - len;
}

/*
 * Returns true if mmap_check_access() permits the access, and the memory is of this process. If this returns false, that function
 * decides, and logs the reason for a refusal.
 */
static inline bool
mmap_permits(const struct doca_mmap *mmap, const struct doca_dev *dev, const void *addr, size_t len,
             enum mmap_access access) {
    return mmap_is_started(mmap) && mmap->import == NULL && mmap_contains(mmap, addr, len) &&
           (access == MMAP_ACCESS_READ || (mmap->permissions & mmap->write_permissions) != 0) &&
           mmap_has_device(mmap, dev);
}

static inline void
mmap_count_buf(struct doca_mmap *mmap) {
    if (mmap->counts_bufs) {
        __atomic_add_fetch(&mmap->num_bufs, 1, __ATOMIC_RELAXED);
    }
}

static inline void
mmap_discount_buf(struct doca_mmap *mmap) {
    if (mmap->counts_bufs) {
        __atomic_sub_fetch(&mmap->num_bufs, 1, __ATOMIC_RELEASE);
    }
}

#endif /* DOCA_EMULATOR_MMAP_OBJECT_H_ */
