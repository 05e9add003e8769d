/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts and work queues. A job is submitted to a queue for one of its contexts, and ends as an event of the queue.
 */
#ifndef DOCA_CTX_H_
#define DOCA_CTX_H_

#include <stdint.h>

#include <doca_compat.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_types.h>

API_HEADER(common, 1.4)

#ifdef __cplusplus
extern "C" {
#endif

#define DOCA_ACTION_SDK_RANGE 16

struct doca_ctx;
struct doca_dev;
struct doca_gpu;
struct doca_workq;

enum doca_action_type {
    DOCA_ACTION_NONE = 0,
    DOCA_ACTION_DMA_FIRST = 1 << 16,
    DOCA_ACTION_DEVEMU_FIRST = 2 << 16,
    DOCA_ACTION_DEVEMU_BLOCK_FIRST = 3 << 16, API_UNTIL(2.2)
    DOCA_ACTION_VIRTIO_FIRST = 4 << 16, API_UNTIL(2.2)
    DOCA_ACTION_DEVEMU_PCI_FIRST = 3 << 16, API_SINCE(2.2)
    DOCA_ACTION_VIRTIO_FS_FIRST = 4 << 16, API_SINCE(2.2)
    DOCA_ACTION_VBLK_FIRST = 5 << 16,
    DOCA_ACTION_REGEX_FIRST = 6 << 16,
    DOCA_ACTION_NVME_FIRST = 7 << 16,
    DOCA_ACTION_APPSHIELD_FIRST = 8 << 16,
    DOCA_ACTION_SHA_FIRST = 9 << 16,
    DOCA_ACTION_COMPRESS_FIRST = 10 << 16,
    DOCA_ACTION_IPSEC_FIRST = 11 << 16,
    DOCA_ACTION_RMAX_FIRST = 12 << 16,
    DOCA_ACTION_RDMA_FIRST = 13 << 16, API_SINCE(2.2)
    DOCA_ACTION_GRAPH_FIRST = 14 << 16, API_SINCE(2.2)
    DOCA_ACTION_SYNC_EVENT_FIRST = 15 << 16, API_SINCE(2.2)
    DOCA_ACTION_DPI_FIRST = 16 << 16, API_SINCE(2.2)
    DOCA_ACTION_EC_FIRST = 17 << 16, API_SINCE(2.2)
    DOCA_ACTION_NVRD_TRANSPORT_FIRST = 18 << 16, API_SINCE(2.2)
};

enum doca_job_flags {
    DOCA_JOB_FLAGS_NONE = 0,
};

enum doca_workq_retrieve_flags {
    DOCA_WORKQ_RETRIEVE_FLAGS_NONE = 0,
};

#if API_BEFORE(1.5)
/* Its numbers are not public. */
enum doca_workq_property {
    DOCA_WORKQ_PROPERTY_UNKNOWN = 0,
};
#endif

/* The first member of each library's jobs. */
struct doca_job {
    int type;
    int flags;
    struct doca_ctx *ctx;
    union doca_data user_data;
};

/* The completion of a job. The meaning of the result depends on the type. */
struct doca_event {
    int type;
    union doca_data user_data;
    union doca_data result;
};

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_ctx_dev_add(struct doca_ctx *ctx, struct doca_dev *dev);

__DOCA_EXPERIMENTAL
doca_error_t doca_ctx_dev_rm(struct doca_ctx *ctx, struct doca_dev *dev);

__DOCA_EXPERIMENTAL API_SINCE(1.5)
doca_error_t doca_ctx_get_event_driven_supported(struct doca_ctx *ctx, uint8_t *event_supported);

__DOCA_EXPERIMENTAL API_SINCE(1.5)
doca_error_t doca_ctx_get_max_num_ctx(uint32_t *max_num_ctx);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_UNSUPPORTED()
doca_error_t doca_ctx_set_datapath_on_gpu(struct doca_ctx *ctx, struct doca_gpu *gpu_dev);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_ctx_start(struct doca_ctx *ctx);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_ctx_stop(struct doca_ctx *ctx);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_ctx_workq_add(struct doca_ctx *ctx, struct doca_workq *workq);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_ctx_workq_rm(struct doca_ctx *ctx, struct doca_workq *workq);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_workq_create(uint32_t depth, struct doca_workq **workq);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_workq_destroy(struct doca_workq *workq);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_COMPAT()
doca_error_t doca_workq_event_handle_arm(struct doca_workq *workq);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_COMPAT()
doca_error_t doca_workq_event_handle_clear(struct doca_workq *workq, doca_event_handle_t handle);

__DOCA_EXPERIMENTAL API_SINCE(1.5)
doca_error_t doca_workq_get_depth(const struct doca_workq *workq, uint32_t *depth);

__DOCA_EXPERIMENTAL API_SINCE(1.5)
doca_error_t doca_workq_get_event_driven_enable(struct doca_workq *workq, uint8_t *enabled);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_COMPAT()
doca_error_t doca_workq_get_event_handle(struct doca_workq *workq, doca_event_handle_t *handle);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_workq_progress_retrieve(struct doca_workq *workq, struct doca_event *ev, int flags);

__DOCA_EXPERIMENTAL API_UNTIL(1.5) API_UNSUPPORTED()
doca_error_t doca_workq_property_get(
        const struct doca_workq *workq, enum doca_workq_property property, uint8_t *value, uint32_t size);

__DOCA_EXPERIMENTAL API_UNTIL(1.5) API_UNSUPPORTED()
doca_error_t doca_workq_property_set(
        struct doca_workq *workq, enum doca_workq_property property, const uint8_t *value, uint32_t size);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2)
doca_error_t doca_workq_set_depth(struct doca_workq *workq, uint32_t depth);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_COMPAT()
doca_error_t doca_workq_set_event_driven_enable(struct doca_workq *workq, uint8_t enable);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_UNSUPPORTED()
doca_error_t doca_workq_set_event_handle(
        struct doca_workq *workq, doca_event_handle_t event_handle, uintptr_t completion_key);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_workq_submit(struct doca_workq *workq, const struct doca_job *job);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CTX_H_ */
