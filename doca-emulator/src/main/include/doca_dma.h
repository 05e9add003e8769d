/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts that copy memory.
 */
#ifndef DOCA_DMA_H_
#define DOCA_DMA_H_

#include <inttypes.h>

#include <doca_buf.h>
#include <doca_compat.h>
#include <doca_ctx.h>

API_HEADER(dma, 1.4)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_ctx;
struct doca_devinfo;
struct doca_dma;

enum doca_dma_job_types {
    DOCA_DMA_JOB_MEMCPY = (1 << 16) + 1,
};

#if API_BEFORE(2.2)
enum doca_dma_devinfo_caps {
    DOCA_DMA_CAP_NONE = 0,
    DOCA_DMA_CAP_HW_OFFLOAD = 1,
};
#endif

struct doca_dma_job_memcpy {
    struct doca_job base;
    struct doca_buf *dst_buff;
    const struct doca_buf *src_buff;
#if API_BEFORE(1.5)
    /* Assumed to be the last member: buffers have no data segment yet. */
    size_t num_bytes_to_copy;
#endif
};

struct doca_dma_memcpy_result {
    doca_error_t result;
};

__DOCA_EXPERIMENTAL API_COMPAT()
struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_dma_create(struct doca_dma **dma);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_dma_destroy(struct doca_dma *dma);

__DOCA_EXPERIMENTAL API_UNTIL(1.5)
doca_error_t doca_dma_devinfo_caps_get(struct doca_devinfo *devinfo, uint32_t *caps);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_dma_cap_task_memcpy_get_max_buf_size) API_COMPAT()
doca_error_t doca_dma_get_max_buf_size(const struct doca_devinfo *devinfo, uint64_t *buf_size);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_dma_cap_task_memcpy_get_max_buf_list_len) API_COMPAT()
doca_error_t doca_dma_get_max_list_buf_num_elem(const struct doca_devinfo *devinfo, uint32_t *max_list_num_elem);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_COMPAT()
doca_error_t doca_dma_job_get_supported(struct doca_devinfo *devinfo, enum doca_dma_job_types job_type);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_DMA_H_ */
