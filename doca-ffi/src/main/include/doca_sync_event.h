/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A 64-bit value that CPUs, DPAs, GPUs and remote peers publish to and wait for.
 */
#ifndef DOCA_SYNC_EVENT_H_
#define DOCA_SYNC_EVENT_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>
#include <doca_types.h>
#include <doca_compat.h>
#if API_BEFORE(2.6)
#include <doca_ctx.h>
#include <doca_pe.h>
#endif

API_HEADER(common, 2.5)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_ctx;
struct doca_dev;
struct doca_devinfo;
struct doca_dpa;
struct doca_gpu;
struct doca_sync_event;
struct doca_sync_event_remote_net;
struct doca_sync_event_task_get;
struct doca_sync_event_task_notify_add;
struct doca_sync_event_task_notify_set;
struct doca_sync_event_task_wait_eq;
struct doca_sync_event_task_wait_gt;
struct doca_sync_event_task_wait_neq;
struct doca_task;

typedef uint64_t doca_dpa_dev_sync_event_remote_net_t;
typedef uint64_t doca_dpa_dev_sync_event_t;
typedef uint64_t doca_gpu_dev_sync_event_remote_net_t;
typedef uint64_t doca_gpu_dev_sync_event_t;
typedef void (*doca_sync_event_task_get_completion_cb_t)(struct doca_sync_event_task_get *, union doca_data, union doca_data);
typedef void (*doca_sync_event_task_notify_add_completion_cb_t)(struct doca_sync_event_task_notify_add *, union doca_data, union doca_data);
typedef void (*doca_sync_event_task_notify_set_completion_cb_t)(struct doca_sync_event_task_notify_set *, union doca_data, union doca_data);
typedef void (*doca_sync_event_task_wait_eq_completion_cb_t)(struct doca_sync_event_task_wait_eq *, union doca_data, union doca_data);
typedef void (*doca_sync_event_task_wait_gt_completion_cb_t)(struct doca_sync_event_task_wait_gt *, union doca_data, union doca_data);
typedef void (*doca_sync_event_task_wait_neq_completion_cb_t)(struct doca_sync_event_task_wait_neq *, union doca_data, union doca_data);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_publisher_location_cpu(struct doca_sync_event *event, struct doca_dev *dev);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_publisher_location_dpa(struct doca_sync_event *event, struct doca_dpa *dpa);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_publisher_location_gpu(struct doca_sync_event *event, struct doca_gpu *gpu);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_publisher_location_remote_net(struct doca_sync_event *event);

DOCA_EXPERIMENTAL API_SINCE(2.7) API_WAS(doca_sync_event_add_publisher_location_dpu)
doca_error_t doca_sync_event_add_publisher_location_remote_pci(struct doca_sync_event *event);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_subscriber_location_cpu(struct doca_sync_event *event, struct doca_dev *dev);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_subscriber_location_dpa(struct doca_sync_event *event, struct doca_dpa *dpa);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_add_subscriber_location_gpu(struct doca_sync_event *event, struct doca_gpu *gpu);

DOCA_EXPERIMENTAL API_SINCE(2.7) API_WAS(doca_sync_event_add_subscriber_location_dpu)
doca_error_t doca_sync_event_add_subscriber_location_remote_pci(struct doca_sync_event *event);

DOCA_EXPERIMENTAL
struct doca_ctx *doca_sync_event_as_ctx(struct doca_sync_event *event);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_is_create_from_export_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_is_export_to_dpa_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_is_export_to_gpu_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_is_export_to_remote_net_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL API_SINCE(2.7) API_WAS(doca_sync_event_cap_is_export_to_dpu_supported)
doca_error_t doca_sync_event_cap_is_export_to_remote_pci_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_remote_net_is_create_from_export_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_remote_net_is_export_to_dpa_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_remote_net_is_export_to_gpu_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_task_get_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_task_notify_add_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_cap_task_notify_set_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL API_SINCE(2.10)
doca_error_t doca_sync_event_cap_task_wait_eq_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL API_UNTIL(3.0) API_LIKE(doca_sync_event_cap_task_wait_eq_is_supported)
doca_error_t doca_sync_event_cap_task_wait_gt_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL API_SINCE(2.10)
doca_error_t doca_sync_event_cap_task_wait_neq_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_create(struct doca_sync_event **event);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_create_from_export(
        struct doca_dev *dev, const uint8_t *data, size_t sz, struct doca_sync_event **event);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_destroy(struct doca_sync_event *event);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_export_to_remote_net(struct doca_sync_event *event, const uint8_t **data, size_t *sz);

DOCA_EXPERIMENTAL API_SINCE(2.7) API_WAS(doca_sync_event_export_to_dpu)
doca_error_t doca_sync_event_export_to_remote_pci(
        struct doca_sync_event *event, struct doca_dev *dev, const uint8_t **data, size_t *sz);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_get(struct doca_sync_event *event, uint64_t *value);

DOCA_EXPERIMENTAL API_SINCE(3.0) API_WAS(doca_sync_event_export_to_dpa)
doca_error_t doca_sync_event_get_dpa_handle(
        struct doca_sync_event *event, struct doca_dpa *dpa, doca_dpa_dev_sync_event_t *dpa_dev_se_handle);

DOCA_EXPERIMENTAL API_SINCE(3.0) API_WAS(doca_sync_event_export_to_gpu)
doca_error_t doca_sync_event_get_gpu_handle(
        struct doca_sync_event *event, struct doca_gpu *gpu, doca_gpu_dev_sync_event_t **gpu_dev_se);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_remote_net_create_from_export(
        struct doca_dev *dev, const uint8_t *data, size_t sz, struct doca_sync_event_remote_net **event);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_remote_net_destroy(struct doca_sync_event_remote_net *event);

DOCA_EXPERIMENTAL API_SINCE(3.0) API_WAS(doca_sync_event_remote_net_export_to_dpa)
doca_error_t doca_sync_event_remote_net_get_dpa_handle(
        struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
        doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event);

DOCA_EXPERIMENTAL API_SINCE(3.0) API_WAS(doca_sync_event_remote_net_export_to_gpu)
doca_error_t doca_sync_event_remote_net_get_gpu_handle(
        struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
        doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_set_addr(struct doca_sync_event *event, uint64_t *addr);

DOCA_EXPERIMENTAL API_SINCE(2.10)
doca_error_t doca_sync_event_set_doca_buf(struct doca_sync_event *event, struct doca_buf *buf);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_start(struct doca_sync_event *event);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_stop(struct doca_sync_event *event);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_get_alloc_init(
        struct doca_sync_event *event, uint64_t *ret_val_ptr, union doca_data user_data,
        struct doca_sync_event_task_get **task);

DOCA_EXPERIMENTAL
struct doca_task *doca_sync_event_task_get_as_doca_task(struct doca_sync_event_task_get *task);

DOCA_EXPERIMENTAL
uint64_t *doca_sync_event_task_get_get_ret_val_ptr(const struct doca_sync_event_task_get *task);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_get_set_conf(
        struct doca_sync_event *event, doca_sync_event_task_get_completion_cb_t completion_cb,
        doca_sync_event_task_get_completion_cb_t error_cb, uint32_t num_tasks);

DOCA_EXPERIMENTAL
void doca_sync_event_task_get_set_ret_val_ptr(struct doca_sync_event_task_get *task, uint64_t *ret_val_ptr);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_notify_add_alloc_init(
        struct doca_sync_event *event, uint64_t inc_val, uint64_t *fetched_val_ptr, union doca_data user_data,
        struct doca_sync_event_task_notify_add **task);

DOCA_EXPERIMENTAL
struct doca_task *doca_sync_event_task_notify_add_as_doca_task(struct doca_sync_event_task_notify_add *task);

DOCA_EXPERIMENTAL
uint64_t *doca_sync_event_task_notify_add_get_fetched_val_ptr(const struct doca_sync_event_task_notify_add *task);

DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_notify_add_get_inc_val(const struct doca_sync_event_task_notify_add *task);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_notify_add_set_conf(
        struct doca_sync_event *event, doca_sync_event_task_notify_add_completion_cb_t completion_cb,
        doca_sync_event_task_notify_add_completion_cb_t error_cb, uint32_t num_tasks);

DOCA_EXPERIMENTAL
void doca_sync_event_task_notify_add_set_fetched_val_ptr(
        struct doca_sync_event_task_notify_add *task, uint64_t *fetched_val_ptr);

DOCA_EXPERIMENTAL
void doca_sync_event_task_notify_add_set_inc_val(struct doca_sync_event_task_notify_add *task, uint64_t inc_val);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_notify_set_alloc_init(
        struct doca_sync_event *event, uint64_t set_val, union doca_data user_data,
        struct doca_sync_event_task_notify_set **task);

DOCA_EXPERIMENTAL
struct doca_task *doca_sync_event_task_notify_set_as_doca_task(struct doca_sync_event_task_notify_set *task);

DOCA_EXPERIMENTAL
uint64_t doca_sync_event_task_notify_set_get_set_val(const struct doca_sync_event_task_notify_set *task);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_task_notify_set_set_conf(
        struct doca_sync_event *event, doca_sync_event_task_notify_set_completion_cb_t completion_cb,
        doca_sync_event_task_notify_set_completion_cb_t error_cb, uint32_t num_tasks);

DOCA_EXPERIMENTAL
void doca_sync_event_task_notify_set_set_set_val(struct doca_sync_event_task_notify_set *task, uint64_t set_val);

DOCA_EXPERIMENTAL API_SINCE(2.10)
doca_error_t doca_sync_event_task_wait_eq_alloc_init(
        struct doca_sync_event *event, uint64_t wait_val, uint64_t mask, union doca_data user_data,
        struct doca_sync_event_task_wait_eq **task);

DOCA_EXPERIMENTAL API_SINCE(2.10)
struct doca_task *doca_sync_event_task_wait_eq_as_doca_task(struct doca_sync_event_task_wait_eq *task);

DOCA_EXPERIMENTAL API_SINCE(2.10)
uint64_t doca_sync_event_task_wait_eq_get_mask(const struct doca_sync_event_task_wait_eq *task);

DOCA_EXPERIMENTAL API_SINCE(2.10)
uint64_t doca_sync_event_task_wait_eq_get_wait_val(const struct doca_sync_event_task_wait_eq *task);

DOCA_EXPERIMENTAL API_SINCE(2.10)
doca_error_t doca_sync_event_task_wait_eq_set_conf(
        struct doca_sync_event *event, doca_sync_event_task_wait_eq_completion_cb_t completion_cb,
        doca_sync_event_task_wait_eq_completion_cb_t error_cb, uint32_t num_tasks);

DOCA_EXPERIMENTAL API_SINCE(2.10)
void doca_sync_event_task_wait_eq_set_mask(struct doca_sync_event_task_wait_eq *task, uint64_t mask);

DOCA_EXPERIMENTAL API_SINCE(2.10)
void doca_sync_event_task_wait_eq_set_wait_val(struct doca_sync_event_task_wait_eq *task, uint64_t wait_val);

DOCA_EXPERIMENTAL API_UNTIL(3.0)
doca_error_t doca_sync_event_task_wait_gt_alloc_init(
        struct doca_sync_event *event, uint64_t wait_val, uint64_t mask, union doca_data user_data,
        struct doca_sync_event_task_wait_gt **task);

DOCA_EXPERIMENTAL API_UNTIL(3.0) API_LIKE(doca_sync_event_task_wait_eq_as_doca_task)
struct doca_task *doca_sync_event_task_wait_gt_as_doca_task(struct doca_sync_event_task_wait_gt *task);

DOCA_EXPERIMENTAL API_UNTIL(3.0) API_LIKE(doca_sync_event_task_wait_eq_get_mask)
uint64_t doca_sync_event_task_wait_gt_get_mask(const struct doca_sync_event_task_wait_gt *task);

DOCA_EXPERIMENTAL API_UNTIL(3.0) API_LIKE(doca_sync_event_task_wait_eq_get_wait_val)
uint64_t doca_sync_event_task_wait_gt_get_wait_val(const struct doca_sync_event_task_wait_gt *task);

DOCA_EXPERIMENTAL API_UNTIL(3.0) API_LIKE(doca_sync_event_task_wait_eq_set_conf)
doca_error_t doca_sync_event_task_wait_gt_set_conf(
        struct doca_sync_event *event, doca_sync_event_task_wait_gt_completion_cb_t completion_cb,
        doca_sync_event_task_wait_gt_completion_cb_t error_cb, uint32_t num_tasks);

DOCA_EXPERIMENTAL API_UNTIL(3.0) API_LIKE(doca_sync_event_task_wait_eq_set_mask)
void doca_sync_event_task_wait_gt_set_mask(struct doca_sync_event_task_wait_gt *task, uint64_t mask);

DOCA_EXPERIMENTAL API_UNTIL(3.0) API_LIKE(doca_sync_event_task_wait_eq_set_wait_val)
void doca_sync_event_task_wait_gt_set_wait_val(struct doca_sync_event_task_wait_gt *task, uint64_t wait_val);

DOCA_EXPERIMENTAL API_SINCE(2.10)
doca_error_t doca_sync_event_task_wait_neq_alloc_init(
        struct doca_sync_event *event, uint64_t wait_val, uint64_t mask, union doca_data user_data,
        struct doca_sync_event_task_wait_neq **task);

DOCA_EXPERIMENTAL API_SINCE(2.10)
struct doca_task *doca_sync_event_task_wait_neq_as_doca_task(struct doca_sync_event_task_wait_neq *task);

DOCA_EXPERIMENTAL API_SINCE(2.10)
uint64_t doca_sync_event_task_wait_neq_get_mask(const struct doca_sync_event_task_wait_neq *task);

DOCA_EXPERIMENTAL API_SINCE(2.10)
uint64_t doca_sync_event_task_wait_neq_get_wait_val(const struct doca_sync_event_task_wait_neq *task);

DOCA_EXPERIMENTAL API_SINCE(2.10)
doca_error_t doca_sync_event_task_wait_neq_set_conf(
        struct doca_sync_event *event, doca_sync_event_task_wait_neq_completion_cb_t completion_cb,
        doca_sync_event_task_wait_neq_completion_cb_t error_cb, uint32_t num_tasks);

DOCA_EXPERIMENTAL API_SINCE(2.10)
void doca_sync_event_task_wait_neq_set_mask(struct doca_sync_event_task_wait_neq *task, uint64_t mask);

DOCA_EXPERIMENTAL API_SINCE(2.10)
void doca_sync_event_task_wait_neq_set_wait_val(struct doca_sync_event_task_wait_neq *task, uint64_t wait_val);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_update_add(struct doca_sync_event *event, uint64_t value, uint64_t *fetched);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_update_set(struct doca_sync_event *event, uint64_t value);

DOCA_EXPERIMENTAL API_SINCE(2.10)
doca_error_t doca_sync_event_wait_eq(struct doca_sync_event *event, uint64_t value, uint64_t mask);

DOCA_EXPERIMENTAL API_SINCE(2.10)
doca_error_t doca_sync_event_wait_eq_yield(struct doca_sync_event *event, uint64_t value, uint64_t mask);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_gt(struct doca_sync_event *event, uint64_t value, uint64_t mask);

DOCA_EXPERIMENTAL
doca_error_t doca_sync_event_wait_gt_yield(struct doca_sync_event *event, uint64_t value, uint64_t mask);

DOCA_EXPERIMENTAL API_SINCE(2.10)
doca_error_t doca_sync_event_wait_neq(struct doca_sync_event *event, uint64_t value, uint64_t mask);

DOCA_EXPERIMENTAL API_SINCE(2.10)
doca_error_t doca_sync_event_wait_neq_yield(struct doca_sync_event *event, uint64_t value, uint64_t mask);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_SYNC_EVENT_H_ */
