/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pools that cut one memory map into equally sized, aligned buffers.
 */
#ifndef DOCA_BUFPOOL_H_
#define DOCA_BUFPOOL_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_buf.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

API_HEADER(common, 2.2, 2.5)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_bufpool;
struct doca_mmap;

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_bufpool_buf_alloc(struct doca_bufpool *bufpool, struct doca_buf **buf);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_bufpool_create(
        const union doca_data *user_data, size_t num_elements, uint32_t extensions, size_t element_size,
        size_t element_alignment, const struct doca_mmap *mmap, struct doca_bufpool **bufpool);

__DOCA_EXPERIMENTAL API_LIKE(doca_buf_pool_destroy) API_COMPAT()
doca_error_t doca_bufpool_destroy(struct doca_bufpool *bufpool);

__DOCA_EXPERIMENTAL API_LIKE(doca_buf_pool_get_num_elements) API_COMPAT()
doca_error_t doca_bufpool_get_num_elements(const struct doca_bufpool *bufpool, uint32_t *num_of_elements);

__DOCA_EXPERIMENTAL API_LIKE(doca_buf_pool_get_num_free_elements) API_COMPAT()
doca_error_t doca_bufpool_get_num_free_elements(const struct doca_bufpool *bufpool, uint32_t *num_of_free_elements);

__DOCA_EXPERIMENTAL API_LIKE(doca_buf_pool_get_user_data) API_COMPAT()
doca_error_t doca_bufpool_get_user_data(const struct doca_bufpool *bufpool, union doca_data *user_data);

__DOCA_EXPERIMENTAL API_LIKE(doca_buf_pool_start) API_COMPAT()
doca_error_t doca_bufpool_start(struct doca_bufpool *bufpool);

__DOCA_EXPERIMENTAL API_LIKE(doca_buf_pool_stop) API_COMPAT()
doca_error_t doca_bufpool_stop(struct doca_bufpool *bufpool);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_BUFPOOL_H_ */
