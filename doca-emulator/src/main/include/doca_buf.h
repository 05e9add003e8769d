/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers: ranges of a memory map with a data segment, and lists of them.
 */
#ifndef DOCA_BUF_H_
#define DOCA_BUF_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>

API_HEADER(common, 1.4)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_dev;

enum doca_buf_extension {
    DOCA_BUF_EXTENSION_NONE = 0,
    DOCA_BUF_EXTENSION_LINKED_LIST = 1, API_SINCE(1.5) API_UNTIL(2.2)
};

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2)
doca_error_t doca_buf_get_lkey(
        const struct doca_buf *buf, struct doca_dev *dev, uint32_t doca_access_flags, uint32_t *lkey);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2) API_LIKE(doca_buf_get_data)
doca_error_t doca_buf_get_data(struct doca_buf *buf, void **data);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_buf_get_data) API_COMPAT(doca_buf_get_data)
doca_error_t doca_buf_get_data(const struct doca_buf *buf, void **data);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2) API_LIKE(doca_buf_get_data_len)
doca_error_t doca_buf_get_data_len(struct doca_buf *buf, size_t *data_len);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_buf_get_data_len) API_COMPAT(doca_buf_get_data_len)
doca_error_t doca_buf_get_data_len(const struct doca_buf *buf, size_t *data_len);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2) API_LIKE(doca_buf_get_head)
doca_error_t doca_buf_get_head(struct doca_buf *buf, void **head);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_buf_get_head) API_COMPAT(doca_buf_get_head)
doca_error_t doca_buf_get_head(const struct doca_buf *buf, void **head);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2) API_LIKE(doca_buf_get_len)
doca_error_t doca_buf_get_len(struct doca_buf *buf, size_t *len);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_buf_get_len) API_COMPAT(doca_buf_get_len)
doca_error_t doca_buf_get_len(const struct doca_buf *buf, size_t *len);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_buf_get_refcount) API_COMPAT(doca_buf_get_refcount)
doca_error_t doca_buf_get_refcount(struct doca_buf *buf, uint16_t *refcount);

__DOCA_EXPERIMENTAL API_UNTIL(1.5)
doca_error_t doca_buf_head_get(struct doca_buf *buf, uint8_t **head);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_buf_is_in_list) API_COMPAT(doca_buf_is_in_list)
doca_error_t doca_buf_is_in_list(const struct doca_buf *buf, uint8_t *is_in_list);

__DOCA_EXPERIMENTAL API_UNTIL(1.5) API_LIKE(doca_buf_get_len)
doca_error_t doca_buf_len_get(struct doca_buf *buf, size_t *len);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_buf_chain_list) API_COMPAT(doca_buf_chain_list)
doca_error_t doca_buf_list_chain(struct doca_buf *list1, struct doca_buf *list2);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_COMPAT()
doca_error_t doca_buf_list_is_first(const struct doca_buf *buf, bool *is_first);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_COMPAT()
doca_error_t doca_buf_list_is_last(const struct doca_buf *buf, bool *is_last);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_buf_get_last_in_list) API_COMPAT(doca_buf_get_last_in_list)
doca_error_t doca_buf_list_last(struct doca_buf *buf, struct doca_buf **last_buf);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_buf_get_next_in_list) API_COMPAT(doca_buf_get_next_in_list)
doca_error_t doca_buf_list_next(struct doca_buf *buf, struct doca_buf **next_buf);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_buf_get_list_len) API_COMPAT(doca_buf_get_list_len)
doca_error_t doca_buf_list_num_elements(const struct doca_buf *buf, uint32_t *num_elements);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_buf_unchain_list) API_COMPAT(doca_buf_unchain_list)
doca_error_t doca_buf_list_unchain(struct doca_buf *list1, struct doca_buf *list2);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2) API_LIKE(doca_buf_inc_refcount)
doca_error_t doca_buf_refcount_add(struct doca_buf *buf, uint16_t *refcount);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_COMPAT(doca_buf_inc_refcount) API_UNSUPPORTED()
doca_error_t doca_buf_refcount_add(struct doca_buf *buf, uint16_t *refcount);

__DOCA_EXPERIMENTAL API_UNTIL(1.5) API_LIKE(doca_buf_get_refcount)
doca_error_t doca_buf_refcount_get(struct doca_buf *buf, uint16_t *refcount);

__DOCA_EXPERIMENTAL API_LIKE(doca_buf_dec_refcount) API_COMPAT(doca_buf_dec_refcount)
doca_error_t doca_buf_refcount_rm(struct doca_buf *buf, uint16_t *refcount);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_buf_reset_data_len) API_COMPAT(doca_buf_reset_data_len)
doca_error_t doca_buf_reset_data_len(struct doca_buf *buf);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_buf_set_data) API_COMPAT(doca_buf_set_data)
doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_BUF_H_ */
