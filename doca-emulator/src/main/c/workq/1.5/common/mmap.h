/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory maps of several chunks. Each chunk is a map of the core, which gets the devices that the map has at that
 * time.
 */
#ifndef DOCA_EMULATOR_CHUNK_MMAP_H_
#define DOCA_EMULATOR_CHUNK_MMAP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_mmap.h>

#include "common/object.h"

struct chunk {
    uint8_t *addr;
    size_t len;
    /* The core's map. Its type has the same name as the one here. */
    void *core;
};

struct doca_mmap {
    struct object object;
    union doca_data user_data;
    bool is_started;
    bool is_exported;
    bool is_imported;
    struct doca_dev **devs;
    uint32_t num_devs;
    uint32_t max_num_devs;
    struct chunk *chunks;
    uint32_t num_chunks;
    uint32_t max_num_chunks;
};

extern struct object_class chunk_mmap_class;

/* Adds a chunk for a map of the core and takes ownership of the map. Without memory or room the caller keeps it. */
doca_error_t chunk_mmap_add(struct doca_mmap *mmap, void *addr, size_t len, void *core);

/* Returns the chunk that contains the range, or NULL. */
const struct chunk *chunk_mmap_find(const struct doca_mmap *mmap, const void *addr, size_t len);

/* Creates a map without devices and chunks. Returns NULL without memory. */
struct doca_mmap *chunk_mmap_create(const union doca_data *user_data);

#endif /* DOCA_EMULATOR_CHUNK_MMAP_H_ */
