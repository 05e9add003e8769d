/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays of equally sized buffers over one memory map, for DPAs and GPUs.
 */
#ifndef DOCA_BUF_ARRAY_H_
#define DOCA_BUF_ARRAY_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_buf.h>
#include <doca_compat.h>
#include <doca_error.h>
#include <doca_mmap.h>

API_HEADER(common, 2.2)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf_arr;
struct doca_gpu;
struct doca_gpu_buf_arr;
struct doca_mmap;

__DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_create(struct doca_mmap *mmap, struct doca_buf_arr **buf_arr);

__DOCA_EXPERIMENTAL API_LIKE(doca_buf_arr_destroy)
doca_error_t doca_buf_arr_destroy(struct doca_buf_arr *buf_arr);

__DOCA_EXPERIMENTAL API_LIKE(doca_buf_arr_get_gpu_handle)
doca_error_t doca_buf_arr_get_gpu_handle(const struct doca_buf_arr *buf_arr, struct doca_gpu_buf_arr **gpu_buf_arr);

__DOCA_EXPERIMENTAL
doca_error_t doca_buf_arr_set_params(
        struct doca_buf_arr *buf_arr, size_t size, uint32_t num_elem, uint32_t start_offset);

__DOCA_EXPERIMENTAL API_LIKE(doca_buf_arr_set_target_gpu)
doca_error_t doca_buf_arr_set_target_gpu(struct doca_buf_arr *buf_arr, struct doca_gpu *gpu_handler);

__DOCA_EXPERIMENTAL API_LIKE(doca_buf_arr_start)
doca_error_t doca_buf_arr_start(struct doca_buf_arr *buf_arr);

__DOCA_EXPERIMENTAL API_LIKE(doca_buf_arr_stop)
doca_error_t doca_buf_arr_stop(struct doca_buf_arr *buf_arr);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_BUF_ARRAY_H_ */
