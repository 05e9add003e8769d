/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory maps: ranges of memory that devices, and peers by exports, can access.
 */
#ifndef DOCA_MMAP_H_
#define DOCA_MMAP_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_compat.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_types.h>

API_HEADER(common, 1.4)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dev;
struct doca_mmap;

typedef void (doca_mmap_memrange_free_cb_t)(void *, size_t, void *);

#if API_BEFORE(1.5)
/* Assumed: the number is not public. */
enum doca_mmap_property {
    DOCA_MMAP_MAX_NUM_CHUNKS = 1,
};
#endif

__DOCA_EXPERIMENTAL API_UNTIL(1.5)
doca_error_t doca_mmap_create(const char *name, struct doca_mmap **mmap);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_COMPAT()
doca_error_t doca_mmap_create(const union doca_data *user_data, struct doca_mmap **mmap);

__DOCA_EXPERIMENTAL API_UNTIL(1.5)
doca_error_t doca_mmap_create_from_export(
        const char *name, const uint8_t *export_desc, size_t export_desc_len, struct doca_dev *dev,
        struct doca_mmap **mmap);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_mmap_create_from_export, 2.2) API_COMPAT(doca_mmap_create_from_export)
doca_error_t doca_mmap_create_from_export(
        const union doca_data *user_data, const void *export_desc, size_t export_desc_len, struct doca_dev *dev,
        struct doca_mmap **mmap);

__DOCA_EXPERIMENTAL API_LIKE(doca_mmap_destroy, 2.2) API_COMPAT(doca_mmap_destroy)
doca_error_t doca_mmap_destroy(struct doca_mmap *mmap);

__DOCA_EXPERIMENTAL API_LIKE(doca_mmap_add_dev, 2.2) API_COMPAT(doca_mmap_add_dev)
doca_error_t doca_mmap_dev_add(struct doca_mmap *mmap, struct doca_dev *dev);

__DOCA_EXPERIMENTAL API_COMPAT(doca_mmap_rm_dev)
doca_error_t doca_mmap_dev_rm(struct doca_mmap *mmap, struct doca_dev *dev);

__DOCA_EXPERIMENTAL API_UNTIL(1.5)
doca_error_t doca_mmap_export(
        struct doca_mmap *mmap, const struct doca_dev *dev, uint8_t **export_desc, size_t *export_desc_len);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2)
doca_error_t doca_mmap_export(
        struct doca_mmap *mmap, const struct doca_dev *dev, void **export_desc, size_t *export_desc_len);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_COMPAT(doca_mmap_export_pci)
doca_error_t doca_mmap_export_dpu(
        struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc, size_t *export_desc_len);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_COMPAT(doca_mmap_export_rdma)
doca_error_t doca_mmap_export_rdma(
        struct doca_mmap *mmap, const struct doca_dev *dev, const void **export_desc, size_t *export_desc_len);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_mmap_get_exported, 2.2) API_COMPAT(doca_mmap_get_exported)
doca_error_t doca_mmap_get_exported(struct doca_mmap *mmap, uint8_t *exported);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_mmap_get_from_export, 2.2) API_COMPAT(doca_mmap_get_from_export)
doca_error_t doca_mmap_get_from_export(struct doca_mmap *mmap, uint8_t *from_export);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2)
doca_error_t doca_mmap_get_max_num_chunks(struct doca_mmap *mmap, uint32_t *max_num_chunks);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_mmap_get_max_num_devices, 2.2) API_COMPAT(doca_mmap_get_max_num_devices)
doca_error_t doca_mmap_get_max_num_devices(struct doca_mmap *mmap, uint32_t *max_num_devices);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_mmap_get_memrange) API_COMPAT(doca_mmap_get_memrange)
doca_error_t doca_mmap_get_memrange(const struct doca_mmap *mmap, void **addr, size_t *len);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_mmap_get_num_bufs, 2.2) API_COMPAT(doca_mmap_get_num_bufs)
doca_error_t doca_mmap_get_num_bufs(struct doca_mmap *mmap, uint32_t *num_bufs);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_mmap_get_user_data, 2.2)
doca_error_t doca_mmap_get_user_data(struct doca_mmap *mmap, union doca_data *user_data);

__DOCA_EXPERIMENTAL API_UNTIL(1.5)
doca_error_t doca_mmap_populate(
        struct doca_mmap *mmap, char *addr, size_t len, size_t pg_sz, doca_mmap_memrange_free_cb_t *free_cb,
        void *opaque);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2)
doca_error_t doca_mmap_populate(
        struct doca_mmap *mmap, void *addr, size_t len, size_t pg_sz, doca_mmap_memrange_free_cb_t *free_cb,
        void *opaque);

__DOCA_EXPERIMENTAL API_UNTIL(1.5)
doca_error_t doca_mmap_property_get(
        struct doca_mmap *mmap, enum doca_mmap_property property, uint8_t *value, uint32_t size);

__DOCA_EXPERIMENTAL API_UNTIL(1.5)
doca_error_t doca_mmap_property_set(
        struct doca_mmap *mmap, enum doca_mmap_property property, const uint8_t *value, uint32_t size);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2)
doca_error_t doca_mmap_set_max_num_chunks(struct doca_mmap *mmap, uint32_t max_num_chunks);

__DOCA_EXPERIMENTAL API_SINCE(2.2)
doca_error_t doca_mmap_set_dmabuf_memrange(struct doca_mmap *mmap, int dmabuf_fd, size_t offset, size_t len);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_mmap_set_free_cb) API_COMPAT(doca_mmap_set_free_cb)
doca_error_t doca_mmap_set_free_cb(struct doca_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb, void *opaque);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_mmap_set_max_num_devices, 2.2) API_COMPAT(doca_mmap_set_max_num_devices)
doca_error_t doca_mmap_set_max_num_devices(struct doca_mmap *mmap, uint32_t max_num_devices);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_mmap_set_memrange) API_COMPAT(doca_mmap_set_memrange)
doca_error_t doca_mmap_set_memrange(struct doca_mmap *mmap, void *addr, size_t len);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_COMPAT(doca_mmap_set_permissions)
doca_error_t doca_mmap_set_permissions(struct doca_mmap *mmap, uint32_t access_mask);

__DOCA_EXPERIMENTAL API_LIKE(doca_mmap_start, 2.2) API_COMPAT(doca_mmap_start)
doca_error_t doca_mmap_start(struct doca_mmap *mmap);

__DOCA_EXPERIMENTAL API_LIKE(doca_mmap_stop, 2.2) API_COMPAT(doca_mmap_stop)
doca_error_t doca_mmap_stop(struct doca_mmap *mmap);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_MMAP_H_ */
