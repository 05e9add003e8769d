/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The DMA engine: copies from source buffers to a destination buffer.
 */
#ifndef DOCA_DMA_H_
#define DOCA_DMA_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>
#include <doca_types.h>
#include <doca_compat.h>
#if API_BEFORE(2.6)
#include <inttypes.h>
#include <doca_buf.h>
#include <doca_ctx.h>
#include <doca_pe.h>
#endif

API_HEADER(dma, 2.5)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_ctx;
struct doca_dev;
struct doca_devinfo;
struct doca_dma;
struct doca_dma_task_memcpy;
struct doca_gpu_dma;
struct doca_task;

typedef void (*doca_dma_task_memcpy_completion_cb_t)(struct doca_dma_task_memcpy *, union doca_data, union doca_data);

DOCA_STABLE
struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma);

DOCA_STABLE API_GETS(dma->capabilities->max_num_tasks)
doca_error_t doca_dma_cap_get_max_num_tasks(struct doca_dma *dma, uint32_t *max_num_tasks);

DOCA_STABLE
doca_error_t doca_dma_cap_task_memcpy_get_max_buf_list_len(
        const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len);

DOCA_STABLE
doca_error_t doca_dma_cap_task_memcpy_get_max_buf_size(const struct doca_devinfo *devinfo, uint64_t *buf_size);

DOCA_STABLE
doca_error_t doca_dma_cap_task_memcpy_is_supported(const struct doca_devinfo *devinfo);

DOCA_STABLE
doca_error_t doca_dma_create(struct doca_dev *dev, struct doca_dma **dma);

DOCA_STABLE
doca_error_t doca_dma_destroy(struct doca_dma *dma);

DOCA_EXPERIMENTAL API_SINCE(2.10) API_UNSUPPORTED()
doca_error_t doca_dma_get_gpu_handle(struct doca_dma *dma, struct doca_gpu_dma **gpu_dma);

DOCA_STABLE
doca_error_t doca_dma_task_memcpy_alloc_init(
        struct doca_dma *dma, const struct doca_buf *src, struct doca_buf *dst, union doca_data user_data,
        struct doca_dma_task_memcpy **task);

DOCA_STABLE
struct doca_task *doca_dma_task_memcpy_as_task(struct doca_dma_task_memcpy *task);

DOCA_STABLE
struct doca_buf *doca_dma_task_memcpy_get_dst(const struct doca_dma_task_memcpy *task);

DOCA_STABLE
const struct doca_buf *doca_dma_task_memcpy_get_src(const struct doca_dma_task_memcpy *task);

DOCA_STABLE
doca_error_t doca_dma_task_memcpy_set_conf(
        struct doca_dma *dma, doca_dma_task_memcpy_completion_cb_t task_completion_cb,
        doca_dma_task_memcpy_completion_cb_t task_error_cb, uint32_t num_memcpy_tasks);

DOCA_STABLE
void doca_dma_task_memcpy_set_dst(struct doca_dma_task_memcpy *task, struct doca_buf *dst);

DOCA_STABLE
void doca_dma_task_memcpy_set_src(struct doca_dma_task_memcpy *task, const struct doca_buf *src);

DOCA_EXPERIMENTAL API_SINCE(3.2) API_GETS(dma->ordered)
doca_error_t doca_dma_get_ordered_completions(struct doca_dma *dma, uint8_t *ordered_completions);

DOCA_EXPERIMENTAL API_SINCE(3.2)
doca_error_t doca_dma_set_ordered_completions(struct doca_dma *dma, uint8_t ordered_completions);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_DMA_H_ */
