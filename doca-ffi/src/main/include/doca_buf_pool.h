/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool that cuts one memory map into equally sized, aligned buffers.
 */
#ifndef DOCA_BUF_POOL_H_
#define DOCA_BUF_POOL_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_buf.h>
#include <doca_error.h>
#include <doca_types.h>
#include <doca_compat.h>

API_HEADER(common, 2.5)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_buf_pool;
struct doca_mmap;

DOCA_STABLE
doca_error_t doca_buf_pool_buf_alloc(struct doca_buf_pool *buf_pool, struct doca_buf **buf);

DOCA_STABLE
doca_error_t doca_buf_pool_create(
        size_t num_elements, size_t element_size, const struct doca_mmap *mmap, struct doca_buf_pool **buf_pool);

DOCA_STABLE
doca_error_t doca_buf_pool_destroy(struct doca_buf_pool *buf_pool);

DOCA_STABLE API_GETS(buf_pool->element_alignment)
doca_error_t doca_buf_pool_get_element_alignment(const struct doca_buf_pool *buf_pool, size_t *element_alignment);

DOCA_STABLE API_GETS(buf_pool->owner.num_elements)
doca_error_t doca_buf_pool_get_num_elements(const struct doca_buf_pool *buf_pool, uint32_t *num_of_elements);

DOCA_STABLE API_GETS(buf_pool->owner.num_free)
doca_error_t doca_buf_pool_get_num_free_elements(
        const struct doca_buf_pool *buf_pool, uint32_t *num_of_free_elements);

DOCA_STABLE API_GETS(buf_pool->owner.user_data)
doca_error_t doca_buf_pool_get_user_data(const struct doca_buf_pool *buf_pool, union doca_data *user_data);

DOCA_STABLE
doca_error_t doca_buf_pool_set_element_alignment(struct doca_buf_pool *buf_pool, size_t element_alignment);

DOCA_STABLE
doca_error_t doca_buf_pool_set_user_data(struct doca_buf_pool *buf_pool, union doca_data user_data);

DOCA_STABLE
doca_error_t doca_buf_pool_start(struct doca_buf_pool *buf_pool);

DOCA_STABLE
doca_error_t doca_buf_pool_stop(struct doca_buf_pool *buf_pool);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_BUF_POOL_H_ */
