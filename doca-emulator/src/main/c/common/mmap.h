/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory maps for engines: access checks, and copies between two maps. A map may refer to memory of another process.
 */
#ifndef DOCA_EMULATOR_MMAP_H_
#define DOCA_EMULATOR_MMAP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_mmap.h>

#include "mmap_object.h"
#include "peer_memory.h"
#include "process.h"
#include "shared.h"

/* The device's key for the memory of a started map; each start creates a new one. */
struct mmap_key {
    struct doca_mmap *mmap;
    uint64_t registration;
};

/* The current key of a map; invalid if the map is not started. */
static inline struct mmap_key
mmap_get_key(struct doca_mmap *mmap) {
    return (struct mmap_key){.mmap = mmap, .registration = mmap_is_started(mmap) ? mmap->registration : 0};
}

/*
 * Returns whether the map still exists and has not been stopped since. May be called from any thread. The memory of a destroyed
 * map is kept, so that its number remains readable.
 */
static inline bool
mmap_is_key_valid(const struct mmap_key *key) {
    return key->registration != 0 && mmap_is_started(key->mmap) &&
           __atomic_load_n(&key->mmap->registration, __ATOMIC_RELAXED) == key->registration;
}

/*
 * An engine thread pins the maps of a task, checks the access, copies, and unpins the maps. Stopping or destroying a map
 * waits for the unpin. May be called from any thread, also for a destroyed map.
 */
void mmap_pin(struct doca_mmap *mmap) EMULATOR_SHARED(mmap_pin);
void mmap_unpin(struct doca_mmap *mmap) EMULATOR_SHARED(mmap_unpin);

/*
 * Checks whether an engine of the device may access the range. Returns SUCCESS, BAD_STATE if the map is not started,
 * INVALID_VALUE if the range exceeds it, NOT_PERMITTED for a missing permission or device, and for memory of RDMA peers.
 * The program's thread may call it while a buffer refers to the map; any other thread must have pinned the map.
 */
doca_error_t mmap_check_access(
        struct doca_mmap *mmap, const struct doca_dev *dev, const void *addr, size_t len, enum mmap_access access)
        EMULATOR_SHARED(mmap_check_access);

/* Returns the number of bytes of the map from the address on; 0 if the address lies outside. */
size_t mmap_len_from(const struct doca_mmap *mmap, const void *addr) EMULATOR_SHARED(mmap_len_from);

/*
 * Checks whether an RDMA operation of the device may access the range in the memory of that process with the permission.
 * Returns the same as mmap_check_access(), and NOT_FOUND if the process has not exported the map's memory for RDMA.
 */
doca_error_t mmap_check_remote_access(struct doca_mmap *mmap, const struct doca_dev *dev, process_id owner,
                                      const void *addr, size_t len, uint32_t permission)
        EMULATOR_SHARED(mmap_check_remote_access);

/*
 * Copies between two ranges that the caller has checked, from any thread that may check them. Returns IO_FAILED if
 * memory of another process cannot be accessed.
 */
doca_error_t mmap_copy(
        struct doca_mmap *dst_mmap, void *dst, struct doca_mmap *src_mmap, const void *src, size_t len)
        EMULATOR_SHARED(mmap_copy);

/* Copy from and to a range of the map that the caller has checked, like mmap_copy(). */
doca_error_t mmap_load(struct doca_mmap *mmap, void *dst, const void *src, size_t len) EMULATOR_SHARED(mmap_load);
doca_error_t mmap_store(struct doca_mmap *mmap, void *dst, const void *src, size_t len) EMULATOR_SHARED(mmap_store);

/* Like mmap_copy(), to memory of another process that the caller knows to be writable. */
doca_error_t mmap_copy_to_peer(
        const struct peer_place *peer, void *dst, struct doca_mmap *src_mmap, const void *src, size_t len)
        EMULATOR_SHARED(mmap_copy_to_peer);

/*
 * Returns whether equal addresses in the two maps refer to the same memory because both maps belong to one process.
 */
bool mmap_share_addresses(const struct doca_mmap *a, const struct doca_mmap *b)
        EMULATOR_SHARED(mmap_share_addresses);

/* Returns whether it refers to memory of another process. */
bool mmap_is_imported(const struct doca_mmap *mmap) EMULATOR_SHARED(mmap_is_imported);

/* Kills the process that owns an imported map, and waits for its end. From any thread. */
void mmap_kill_exporter(const struct doca_mmap *mmap) EMULATOR_SHARED(mmap_kill_exporter);

#endif /* DOCA_EMULATOR_MMAP_H_ */
