/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer: a window (head, len) into one memory map, with a data segment (data, data_len) inside it.
 * Buffers may be chained into lists; the first element represents the whole list.
 */
#ifndef DOCA_BUF_H_
#define DOCA_BUF_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>
#include <doca_types.h>
#include <doca_compat.h>
#if API_BEFORE(2.6)
#include <stdbool.h>
#endif

API_HEADER(common, 2.5)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;

DOCA_STABLE
doca_error_t doca_buf_chain_list(struct doca_buf *list1, struct doca_buf *list2);

DOCA_EXPERIMENTAL API_SINCE(2.10)
doca_error_t doca_buf_chain_list_tail(
        struct doca_buf *list1_head, struct doca_buf *list1_tail, struct doca_buf *list2);

DOCA_STABLE
doca_error_t doca_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount);

DOCA_STABLE API_GETS(buf->data)
doca_error_t doca_buf_get_data(const struct doca_buf *buf, void **data);

DOCA_STABLE API_GETS(buf->data_len)
doca_error_t doca_buf_get_data_len(const struct doca_buf *buf, size_t *data_len);

DOCA_STABLE API_GETS(buf->head)
doca_error_t doca_buf_get_head(const struct doca_buf *buf, void **head);

DOCA_STABLE API_GETS(buf->list_head->list_tail)
doca_error_t doca_buf_get_last_in_list(struct doca_buf *buf, struct doca_buf **last_buf);

DOCA_STABLE API_GETS(buf->len)
doca_error_t doca_buf_get_len(const struct doca_buf *buf, size_t *len);

DOCA_STABLE API_GETS(count_elements(buf))
doca_error_t doca_buf_get_list_len(const struct doca_buf *buf, uint32_t *num_elements);

DOCA_STABLE API_GETS(buf->next)
doca_error_t doca_buf_get_next_in_list(struct doca_buf *buf, struct doca_buf **next_buf);

DOCA_STABLE API_GETS(buf->refcount)
doca_error_t doca_buf_get_refcount(const struct doca_buf *buf, uint16_t *refcount);

DOCA_STABLE
doca_error_t doca_buf_inc_refcount(struct doca_buf *buf, uint16_t *refcount);

DOCA_STABLE
doca_error_t doca_buf_is_first_in_list(const struct doca_buf *buf, uint8_t *is_first);

DOCA_STABLE API_GETS(!is_alone(buf))
doca_error_t doca_buf_is_in_list(const struct doca_buf *buf, uint8_t *is_in_list);

DOCA_STABLE API_GETS(buf->next == NULL)
doca_error_t doca_buf_is_last_in_list(const struct doca_buf *buf, uint8_t *is_last);

DOCA_STABLE
doca_error_t doca_buf_reset_data_len(struct doca_buf *buf);

DOCA_STABLE
doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len);

DOCA_STABLE API_SINCE(2.10)
doca_error_t doca_buf_set_data_len(struct doca_buf *buf, size_t data_len);

DOCA_STABLE
doca_error_t doca_buf_unchain_list(struct doca_buf *list1, struct doca_buf *list2);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_BUF_H_ */
