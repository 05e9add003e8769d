/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sync events: 64-bit values that CPUs and the other side of the PCI bus update and wait for.
 */
#ifndef DOCA_SYNC_EVENT_H_
#define DOCA_SYNC_EVENT_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_compat.h>
#include <doca_ctx.h>
#include <doca_error.h>

API_HEADER(common, 2.2)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_ctx;
struct doca_dev;
struct doca_devinfo;
struct doca_dpa;
struct doca_gpu;
struct doca_sync_event;

enum doca_sync_event_job_types {
    DOCA_SYNC_EVENT_JOB_WAIT_GT = (15 << 16) + 1,
    DOCA_SYNC_EVENT_JOB_GET = (15 << 16) + 2,
    DOCA_SYNC_EVENT_JOB_UPDATE_SET = (15 << 16) + 3,
    DOCA_SYNC_EVENT_JOB_UPDATE_ADD = (15 << 16) + 4,
};

struct doca_sync_event_result {
    doca_error_t result;
};

/* Waits until the bits of the value that the mask selects are greater. */
struct doca_sync_event_job_wait {
    struct doca_job base;
    uint64_t value;
    uint64_t mask;
};

struct doca_sync_event_job_get {
    struct doca_job base;
    uint64_t *value;
};

struct doca_sync_event_job_update_set {
    struct doca_job base;
    uint64_t value;
};

struct doca_sync_event_job_update_add {
    struct doca_job base;
    uint64_t value;
    uint64_t *fetched;
};

struct doca_sync_event_remote {
    uint64_t data[2];
};

typedef uint64_t doca_dpa_dev_sync_event_t;
typedef uint64_t doca_gpu_dev_sync_event_t;
typedef struct doca_sync_event_remote doca_sync_event_remote_t;

__DOCA_EXPERIMENTAL API_COMPAT()
struct doca_ctx *doca_sync_event_as_ctx(struct doca_sync_event *event);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_sync_event_create(struct doca_sync_event **event);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_sync_event_create_from_export(
        struct doca_dev *dev, const uint8_t *data, size_t sz, struct doca_sync_event **event);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_sync_event_destroy(struct doca_sync_event *event);

__DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_export_remote(struct doca_sync_event *event, doca_sync_event_remote_t *handle);

__DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_export_to_dpa(
        struct doca_sync_event *event, struct doca_dpa *dpa, doca_dpa_dev_sync_event_t *dpa_dev_se_handle);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_sync_event_export_to_dpu(
        struct doca_sync_event *event, struct doca_dev *dev, const uint8_t **data, size_t *sz);

__DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_export_to_gpu(
        struct doca_sync_event *event, struct doca_gpu *gpu, doca_gpu_dev_sync_event_t **gpu_dev_se);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_sync_event_get(struct doca_sync_event *event, uint64_t *value);

__DOCA_EXPERIMENTAL API_LIKE(doca_sync_event_cap_is_create_from_export_supported) API_COMPAT()
doca_error_t doca_sync_event_get_create_from_export_supported(const struct doca_devinfo *devinfo);

__DOCA_EXPERIMENTAL API_LIKE(doca_sync_event_cap_is_export_to_dpa_supported)
doca_error_t doca_sync_event_get_export_to_dpa_supported(const struct doca_devinfo *devinfo);

__DOCA_EXPERIMENTAL API_LIKE(doca_sync_event_cap_is_export_to_remote_pci_supported) API_COMPAT()
doca_error_t doca_sync_event_get_export_to_dpu_supported(const struct doca_devinfo *devinfo);

__DOCA_EXPERIMENTAL API_LIKE(doca_sync_event_cap_is_export_to_gpu_supported)
doca_error_t doca_sync_event_get_export_to_gpu_supported(const struct doca_devinfo *devinfo);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_sync_event_job_get_supported(struct doca_devinfo *devinfo, enum doca_sync_event_job_types type);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_sync_event_publisher_add_location_cpu(struct doca_sync_event *event, struct doca_dev *dev);

__DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_publisher_add_location_dpa(struct doca_sync_event *event, struct doca_dpa *dpa);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_sync_event_publisher_add_location_dpu(struct doca_sync_event *event);

__DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_publisher_add_location_gpu(struct doca_sync_event *event, struct doca_gpu *gpu);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_sync_event_set_addr(struct doca_sync_event *event, uint64_t *addr);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_sync_event_start(struct doca_sync_event *event);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_sync_event_stop(struct doca_sync_event *event);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_sync_event_subscriber_add_location_cpu(struct doca_sync_event *event, struct doca_dev *dev);

__DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_subscriber_add_location_dpa(struct doca_sync_event *event, struct doca_dpa *dpa);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_sync_event_subscriber_add_location_dpu(struct doca_sync_event *event);

__DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_subscriber_add_location_gpu(struct doca_sync_event *event, struct doca_gpu *gpu);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_sync_event_update_add(struct doca_sync_event *event, uint64_t value, uint64_t *fetched);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_sync_event_update_set(struct doca_sync_event *event, uint64_t value);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_sync_event_wait_gt(struct doca_sync_event *event, uint64_t value, uint64_t mask);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_sync_event_wait_gt_yield(struct doca_sync_event *event, uint64_t value, uint64_t mask);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_SYNC_EVENT_H_ */
