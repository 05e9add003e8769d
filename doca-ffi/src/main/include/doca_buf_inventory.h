/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool of buffer descriptors. Taking a buffer from a started inventory does not allocate.
 */
#ifndef DOCA_BUF_INVENTORY_H_
#define DOCA_BUF_INVENTORY_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_buf.h>
#include <doca_error.h>
#include <doca_types.h>
#include <doca_compat.h>
#if API_BEFORE(2.6)
#include <doca_mmap.h>
#endif

API_HEADER(common, 2.5)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_buf_inventory;
struct doca_mmap;

DOCA_STABLE
doca_error_t doca_buf_inventory_buf_dup(
        struct doca_buf_inventory *inventory, const struct doca_buf *src_buf, struct doca_buf **dst_buf);

DOCA_STABLE
doca_error_t doca_buf_inventory_buf_get_by_args(
        struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len, void *data,
        size_t data_len, struct doca_buf **buf);

DOCA_STABLE
doca_error_t doca_buf_inventory_create(size_t num_elements, struct doca_buf_inventory **inventory);

DOCA_STABLE
doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory);

DOCA_EXPERIMENTAL API_SINCE(3.0)
doca_error_t doca_buf_inventory_expand(struct doca_buf_inventory *inventory, uint32_t num_elements);

DOCA_STABLE API_GETS(inventory->owner.num_elements)
doca_error_t doca_buf_inventory_get_num_elements(
        const struct doca_buf_inventory *inventory, uint32_t *num_of_elements);

DOCA_STABLE API_GETS(inventory->owner.num_free)
doca_error_t doca_buf_inventory_get_num_free_elements(
        const struct doca_buf_inventory *inventory, uint32_t *num_of_free_elements);

DOCA_STABLE API_GETS(inventory->owner.user_data)
doca_error_t doca_buf_inventory_get_user_data(const struct doca_buf_inventory *inventory, union doca_data *user_data);

DOCA_STABLE
doca_error_t doca_buf_inventory_set_user_data(struct doca_buf_inventory *inventory, union doca_data user_data);

DOCA_STABLE
doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory);

DOCA_STABLE
doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory);

DOCA_EXPERIMENTAL API_SINCE(3.2)
doca_error_t doca_buf_inventory_buf_reuse_by_args(
        struct doca_buf *buf, void *addr, size_t len, void *data, size_t data_len);

/* Takes a buffer of the given range with an empty data segment at its start. */
static inline doca_error_t
doca_buf_inventory_buf_get_by_addr(
        struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len, struct doca_buf **buf) {
    return doca_buf_inventory_buf_get_by_args(inventory, mmap, addr, len, addr, 0, buf);
}

/* Takes a buffer whose data segment is the whole range. */
static inline doca_error_t
doca_buf_inventory_buf_get_by_data(
        struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *data, size_t data_len, struct doca_buf **buf) {
    return doca_buf_inventory_buf_get_by_args(inventory, mmap, data, data_len, data, data_len, buf);
}

#if !API_BEFORE(3.2)
/* Sets a buffer to another range of its memory map, with an empty data segment at its start. */
static inline doca_error_t
doca_buf_inventory_buf_reuse_by_addr(struct doca_buf *buf, void *addr, size_t len) {
    return doca_buf_inventory_buf_reuse_by_args(buf, addr, len, addr, 0);
}

/* Sets a buffer to another range of its memory map, whose data segment is the whole range. */
static inline doca_error_t
doca_buf_inventory_buf_reuse_by_data(struct doca_buf *buf, void *data, size_t data_len) {
    return doca_buf_inventory_buf_reuse_by_args(buf, data, data_len, data, data_len);
}
#endif

#ifdef __cplusplus
}
#endif

#endif /* DOCA_BUF_INVENTORY_H_ */
