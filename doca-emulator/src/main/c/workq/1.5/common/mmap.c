/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of memory maps that not all releases 1.x have, or that have other parameters there. */
#include "common/property.h"
#include "workq/1.x/common/mmap.h"

doca_error_t
doca_mmap_create(const union doca_data *user_data, struct doca_mmap **mmap) {
    return chunk_mmap_create(user_data, mmap);
}

doca_error_t
doca_mmap_create_from_export(const union doca_data *user_data, const void *export_desc, size_t export_desc_len,
                             struct doca_dev *dev, struct doca_mmap **mmap) {
    return chunk_mmap_import(user_data, export_desc, export_desc_len, dev, mmap);
}

doca_error_t
doca_mmap_export(struct doca_mmap *mmap, const struct doca_dev *dev, void **export_desc, size_t *export_desc_len) {
    return chunk_mmap_export(mmap, dev, export_desc, export_desc_len);
}

doca_error_t
doca_mmap_populate(struct doca_mmap *mmap, void *addr, size_t len, size_t pg_sz, doca_mmap_memrange_free_cb_t *free_cb,
                   void *opaque) {
    return chunk_mmap_populate(mmap, addr, len, pg_sz, free_cb, opaque);
}

/*
 * Properties
 */

doca_error_t
doca_mmap_get_user_data(struct doca_mmap *mmap, union doca_data *user_data) {
    return GET_PROPERTY(chunk_mmap_class, mmap, mmap->user_data, user_data);
}

doca_error_t
doca_mmap_get_num_bufs(struct doca_mmap *mmap, uint32_t *num_bufs) {
    return GET_PROPERTY(chunk_mmap_class, mmap, chunk_mmap_count_bufs(mmap), num_bufs);
}

doca_error_t
doca_mmap_get_exported(struct doca_mmap *mmap, uint8_t *exported) {
    return GET_PROPERTY(chunk_mmap_class, mmap, mmap->is_exported, exported);
}

doca_error_t
doca_mmap_get_from_export(struct doca_mmap *mmap, uint8_t *from_export) {
    return GET_PROPERTY(chunk_mmap_class, mmap, mmap->is_imported, from_export);
}

doca_error_t
doca_mmap_get_max_num_chunks(struct doca_mmap *mmap, uint32_t *max_num_chunks) {
    return GET_PROPERTY(chunk_mmap_class, mmap, mmap->max_num_chunks, max_num_chunks);
}

doca_error_t
doca_mmap_get_max_num_devices(struct doca_mmap *mmap, uint32_t *max_num_devices) {
    return GET_PROPERTY(chunk_mmap_class, mmap, mmap->max_num_devs, max_num_devices);
}

doca_error_t
doca_mmap_set_max_num_chunks(struct doca_mmap *mmap, uint32_t max_num_chunks) {
    return chunk_mmap_set_limit(mmap, mmap == NULL ? NULL : &mmap->max_num_chunks, max_num_chunks, "set max_num_chunks");
}

doca_error_t
doca_mmap_set_max_num_devices(struct doca_mmap *mmap, uint32_t max_num_devices) {
    return chunk_mmap_set_limit(mmap, mmap == NULL ? NULL : &mmap->max_num_devs, max_num_devices, "set max_num_devices");
}
