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

#include "shared.h"

enum mmap_access {
    MMAP_ACCESS_READ,
    MMAP_ACCESS_WRITE,
};

/*
 * Tells whether a DMA engine of the device may use the range in this way: SUCCESS, BAD_STATE when the map is not
 * started, INVALID_VALUE when the range leaves it, NOT_PERMITTED for a missing permission or device. It
 * can be asked at any time from any thread while a buffer points to the map.
 */
doca_error_t mmap_check_access(
        struct doca_mmap *mmap, const struct doca_dev *dev, const void *addr, size_t len, enum mmap_access access)
        EMULATOR_SHARED(mmap_check_access);

/*
 * Copies between two ranges, each checked before. From any thread. IO_FAILED when memory of another process cannot
 * be reached.
 */
doca_error_t mmap_copy(
        struct doca_mmap *dst_mmap, void *dst, struct doca_mmap *src_mmap, const void *src, size_t len)
        EMULATOR_SHARED(mmap_copy);

/*
 * Whether equal addresses in the two maps are of the same memory, which they are when both maps are of one process.
 */
bool mmap_share_addresses(const struct doca_mmap *a, const struct doca_mmap *b)
        EMULATOR_SHARED(mmap_share_addresses);

/* Whether it stands for memory of another process. */
bool mmap_is_imported(const struct doca_mmap *mmap) EMULATOR_SHARED(mmap_is_imported);

/* Kills the process that an imported map is of, and waits for its end. From any thread. */
void mmap_kill_exporter(const struct doca_mmap *mmap) EMULATOR_SHARED(mmap_kill_exporter);

#endif /* DOCA_EMULATOR_MMAP_H_ */
