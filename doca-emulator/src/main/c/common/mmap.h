/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory maps as engines see them: what may be reached through a map, and how bytes move between two maps. A map may
 * stand for memory of another process.
 */
#ifndef DOCA_EMULATOR_MMAP_H_
#define DOCA_EMULATOR_MMAP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_mmap.h>

#include "peer_memory.h"
#include "process.h"
#include "shared.h"

enum mmap_access {
    MMAP_ACCESS_READ,
    MMAP_ACCESS_WRITE,
};

/* The key by which a device knows memory, from the start of its map on: another one after each start. */
struct mmap_key {
    struct doca_mmap *mmap;
    uint64_t registration;
};

/* The key of a map as it is now; it is not valid when the map is not started. */
struct mmap_key mmap_get_key(struct doca_mmap *mmap) EMULATOR_SHARED(mmap_get_key);

/* Returns whether the map is still there and has not been stopped since. From any thread. */
bool mmap_is_key_valid(const struct mmap_key *key) EMULATOR_SHARED(mmap_is_key_valid);

/*
 * A thread of an engine pins the maps of a task, checks the access and copies, and unpins them: a map that is stopped
 * or destroyed meanwhile waits for it. From any thread, also for a map that was destroyed.
 */
void mmap_pin(struct doca_mmap *mmap) EMULATOR_SHARED(mmap_pin);
void mmap_unpin(struct doca_mmap *mmap) EMULATOR_SHARED(mmap_unpin);

/*
 * Tells whether an engine of the device may use the range in this way: SUCCESS, BAD_STATE when the map is not started,
 * INVALID_VALUE when the range leaves it, NOT_PERMITTED for a missing permission or device, and for memory of RDMA
 * peers. It can be asked by the thread of the program while a buffer points to the map, and by any that has pinned it.
 */
doca_error_t mmap_check_access(
        struct doca_mmap *mmap, const struct doca_dev *dev, const void *addr, size_t len, enum mmap_access access)
        EMULATOR_SHARED(mmap_check_access);

/*
 * Tells whether an RDMA operation of the device may use the range in the memory of that process, which needs the
 * permission: as mmap_check_access(), and NOT_FOUND when the map is not of memory that the process has exported for
 * RDMA.
 */
doca_error_t mmap_check_remote_access(struct doca_mmap *mmap, const struct doca_dev *dev, process_id owner,
                                      const void *addr, size_t len, uint32_t permission)
        EMULATOR_SHARED(mmap_check_remote_access);

/*
 * Copies between two ranges, each checked before. From any thread that may check. IO_FAILED when memory of another process cannot
 * be reached.
 */
doca_error_t mmap_copy(
        struct doca_mmap *dst_mmap, void *dst, struct doca_mmap *src_mmap, const void *src, size_t len)
        EMULATOR_SHARED(mmap_copy);

/* Copy from and to a range of the map, which was checked before. As mmap_copy(). */
doca_error_t mmap_load(struct doca_mmap *mmap, void *dst, const void *src, size_t len) EMULATOR_SHARED(mmap_load);
doca_error_t mmap_store(struct doca_mmap *mmap, void *dst, const void *src, size_t len) EMULATOR_SHARED(mmap_store);

/* As mmap_copy(), to any memory of another process, of which the caller knows that it may be written. */
doca_error_t mmap_copy_to_peer(
        const struct peer_place *peer, void *dst, struct doca_mmap *src_mmap, const void *src, size_t len)
        EMULATOR_SHARED(mmap_copy_to_peer);

/*
 * Returns whether equal addresses in the two maps are of the same memory, which they are when both maps are of one
 * process.
 */
bool mmap_share_addresses(const struct doca_mmap *a, const struct doca_mmap *b)
        EMULATOR_SHARED(mmap_share_addresses);

/* Returns whether it stands for memory of another process. */
bool mmap_is_imported(const struct doca_mmap *mmap) EMULATOR_SHARED(mmap_is_imported);

/* Kills the process that an imported map is of, and waits for its end. From any thread. */
void mmap_kill_exporter(const struct doca_mmap *mmap) EMULATOR_SHARED(mmap_kill_exporter);

#endif /* DOCA_EMULATOR_MMAP_H_ */
