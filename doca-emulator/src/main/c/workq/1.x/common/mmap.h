/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory maps of several chunks. Each chunk is a map of the core, which gets the devices that the map has at that
 * time. Releases 1.x have the same maps, whose functions partly have other parameters.
 */
#ifndef DOCA_EMULATOR_CHUNK_MMAP_H_
#define DOCA_EMULATOR_CHUNK_MMAP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_buf_inventory.h>
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

/* Creates a map without devices and chunks. */
doca_error_t chunk_mmap_create(const union doca_data *user_data, struct doca_mmap **mmap);

/* Creates the map of an export of another process. */
doca_error_t chunk_mmap_import(
        const union doca_data *user_data, const void *export_desc, size_t export_desc_len, struct doca_dev *dev,
        struct doca_mmap **mmap);

/* Returns a copy of the descriptor of the only chunk, which the caller frees. */
doca_error_t chunk_mmap_export(struct doca_mmap *mmap, const struct doca_dev *dev, void **export_desc, size_t *export_desc_len);

/* Adds a range of the program. */
doca_error_t chunk_mmap_populate(
        struct doca_mmap *mmap, void *addr, size_t len, size_t pg_sz, doca_mmap_memrange_free_cb_t *free_cb,
        void *opaque);

/* Sets one of the limits of a stopped map, which is at least 1. */
doca_error_t chunk_mmap_set_limit(struct doca_mmap *mmap, uint32_t *limit, uint32_t value, const char *what);

uint32_t chunk_mmap_count_bufs(const struct doca_mmap *mmap);

/* Acquires a buffer of a range, which is inside a chunk. */
doca_error_t chunk_mmap_take_buf(
        struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len, void *data, size_t data_len,
        struct doca_buf **buf);

/* Adds a chunk for a map of the core and takes ownership of the map. Without memory or room the caller keeps it. */
doca_error_t chunk_mmap_add(struct doca_mmap *mmap, void *addr, size_t len, void *core);

#endif /* DOCA_EMULATOR_CHUNK_MMAP_H_ */
