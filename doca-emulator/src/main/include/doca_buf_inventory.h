/* SPDX-License-Identifier: Apache-2.0 */
/* Inventories, from which buffers are acquired. */
#ifndef DOCA_BUF_INVENTORY_H_
#define DOCA_BUF_INVENTORY_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_buf.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_mmap.h>

API_HEADER(common, 1.4)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_buf_inventory;
struct doca_mmap;

#if API_BEFORE(1.5)
/* Its numbers are not public. */
enum doca_buf_inventory_property {
    DOCA_BUF_INVENTORY_PROPERTY_UNKNOWN = 0,
};
#endif

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_buf_inventory_buf_get_by_args, 2.2) API_COMPAT(doca_buf_inventory_buf_get_by_args)
doca_error_t doca_buf_inventory_buf_by_args(
        struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len, void *data,
        size_t data_len, struct doca_buf **buf);

__DOCA_EXPERIMENTAL API_LIKE(doca_buf_inventory_buf_dup) API_COMPAT(doca_buf_inventory_buf_dup)
doca_error_t doca_buf_inventory_buf_dup(
        struct doca_buf_inventory *inventory, const struct doca_buf *src_buf, struct doca_buf **dst_buf);

__DOCA_EXPERIMENTAL API_UNTIL(1.5)
doca_error_t doca_buf_inventory_create(
        const char *name, size_t num_elements, uint32_t extensions, struct doca_buf_inventory **buf_inventory);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_COMPAT()
doca_error_t doca_buf_inventory_create(
        const union doca_data *user_data, size_t num_elements, uint32_t extensions,
        struct doca_buf_inventory **buf_inventory);

__DOCA_EXPERIMENTAL API_UNTIL(2.2) API_LIKE(doca_buf_inventory_destroy)
doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_COMPAT(doca_buf_inventory_destroy)
doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_buf_inventory_get_num_elements) API_COMPAT(doca_buf_inventory_get_num_elements)
doca_error_t doca_buf_inventory_get_num_elements(struct doca_buf_inventory *inventory, uint32_t *num_of_elements);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_buf_inventory_get_num_free_elements) API_COMPAT(doca_buf_inventory_get_num_free_elements)
doca_error_t doca_buf_inventory_get_num_free_elements(
        struct doca_buf_inventory *inventory, uint32_t *num_of_free_elements);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_buf_inventory_get_user_data)
doca_error_t doca_buf_inventory_get_user_data(struct doca_buf_inventory *inventory, union doca_data *user_data);

__DOCA_EXPERIMENTAL API_UNTIL(1.5) API_UNSUPPORTED()
doca_error_t doca_buf_inventory_property_get(
        struct doca_buf_inventory *inventory, enum doca_buf_inventory_property property, uint8_t *value, uint32_t size);

__DOCA_EXPERIMENTAL API_UNTIL(1.5) API_UNSUPPORTED()
doca_error_t doca_buf_inventory_property_set(
        struct doca_buf_inventory *inventory, enum doca_buf_inventory_property property, const uint8_t *value,
        uint32_t size);

__DOCA_EXPERIMENTAL API_LIKE(doca_buf_inventory_start) API_COMPAT(doca_buf_inventory_start)
doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory);

__DOCA_EXPERIMENTAL API_LIKE(doca_buf_inventory_stop) API_COMPAT(doca_buf_inventory_stop)
doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory);

#if !API_BEFORE(2.2)
/* Acquires a buffer of the given range with an empty data segment at its start. */
static inline doca_error_t
doca_buf_inventory_buf_by_addr(
        struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len,
        struct doca_buf **buf) {
    return doca_buf_inventory_buf_by_args(inventory, mmap, addr, len, addr, 0, buf);
}

/* Acquires a buffer whose data segment is the whole range. */
static inline doca_error_t
doca_buf_inventory_buf_by_data(
        struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *data, size_t data_len,
        struct doca_buf **buf) {
    return doca_buf_inventory_buf_by_args(inventory, mmap, data, data_len, data, data_len, buf);
}
#endif

__DOCA_EXPERIMENTAL API_UNTIL(1.5)
doca_error_t doca_buf_inventory_buf_by_addr(
        struct doca_buf_inventory *inventory, struct doca_mmap *mmap, char *addr, size_t len, struct doca_buf **buf);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2)
doca_error_t doca_buf_inventory_buf_by_addr(
        struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len, struct doca_buf **buf);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_BUF_INVENTORY_H_ */
