/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An array of equally sized buffers over one memory map, for use by a DPA or a GPU.
 */
#ifndef DOCA_BUF_ARRAY_H_
#define DOCA_BUF_ARRAY_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>
#include <doca_types.h>
#include <doca_compat.h>
#if API_BEFORE(2.6)
#include <doca_buf.h>
#include <doca_mmap.h>
#endif

API_HEADER(common, 2.5)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf_arr;
struct doca_dpa;
struct doca_dpa_dev_buf_arr;
struct doca_gpu;
struct doca_gpu_buf_arr;
struct doca_mmap;

typedef uint64_t doca_dpa_dev_buf_arr_t;

#if API_BEFORE(2.9)
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_create(struct doca_mmap *mmap, struct doca_buf_arr **buf_arr);
#endif

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_buf_arr_create(size_t num_elem, struct doca_buf_arr **buf_arr);

DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_destroy(struct doca_buf_arr *buf_arr);

#if API_BEFORE(2.9)
DOCA_EXPERIMENTAL API_LIKE(doca_buf_arr_get_dpa_handle)
doca_error_t doca_buf_arr_get_dpa_handle(
        const struct doca_buf_arr *buf_arr, struct doca_dpa_dev_buf_arr **dpa_buf_arr);
#endif

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_buf_arr_get_dpa_handle(const struct doca_buf_arr *buf_arr, doca_dpa_dev_buf_arr_t *dpa_buf_arr);

DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_get_gpu_handle(const struct doca_buf_arr *buf_arr, struct doca_gpu_buf_arr **gpu_buf_arr);

#if API_BEFORE(2.9)
DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_set_params(
        struct doca_buf_arr *buf_arr, size_t size, uint32_t num_elem, uint32_t start_offset);
#endif

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_buf_arr_set_params(
        struct doca_buf_arr *buf_arr, struct doca_mmap *mmap, size_t elem_size, uint64_t start_offset);

DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_set_target_dpa(struct doca_buf_arr *buf_arr, struct doca_dpa *dpa_handler);

DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_set_target_gpu(struct doca_buf_arr *buf_arr, struct doca_gpu *gpu_handler);

DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_start(struct doca_buf_arr *buf_arr);

DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_stop(struct doca_buf_arr *buf_arr);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_BUF_ARRAY_H_ */
