/* SPDX-License-Identifier: Apache-2.0 */
/* The sync event capabilities of a device, and the accelerators that the emulator does not have. */
#include "device_info.h"
#include "sdk_log.h"
#include "sync_event.h"
#include "sync_event_export.h"
#include "sync_event_remote.h"

static doca_error_t
get_support(const struct topology_function *function, bool (*is_supported)(const struct topology_function *)) {
    if (function == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    return is_supported(function) ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

static bool
is_any(const struct topology_function *function) {
    (void)function;
    return true;
}

static bool
has_rdma(const struct topology_function *function) {
    return function->rdma.supported;
}

#define CAPABILITY(name, is_supported) \
    doca_error_t doca_sync_event_cap_##name##_supported(const struct doca_devinfo *devinfo) { \
        return get_support(devinfo_function(devinfo, __func__), is_supported); \
    }

CAPABILITY(is_create_from_export, sync_event_crosses_pci)
CAPABILITY(is_export_to_remote_pci, sync_event_crosses_pci)
CAPABILITY(is_export_to_remote_net, has_rdma)
CAPABILITY(remote_net_is_create_from_export, has_rdma)
CAPABILITY(task_get_is, is_any)
CAPABILITY(task_notify_add_is, is_any)
CAPABILITY(task_notify_set_is, is_any)
CAPABILITY(task_wait_eq_is, is_any)
CAPABILITY(task_wait_neq_is, is_any)

/*
 * Accelerators
 */

static doca_error_t
refuse_accelerator(const char *what) {
    return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Sync events of a %s are not supported: the emulator has no %s", what,
                      what);
}

static bool
is_none(const struct topology_function *function) {
    (void)function;
    return false;
}

CAPABILITY(is_export_to_dpa, is_none)
CAPABILITY(is_export_to_gpu, is_none)
CAPABILITY(remote_net_is_export_to_dpa, is_none)
CAPABILITY(remote_net_is_export_to_gpu, is_none)

doca_error_t
doca_sync_event_add_publisher_location_dpa(struct doca_sync_event *event, struct doca_dpa *dpa) {
    (void)dpa;
    return IS_LIVE(sync_event_class, event) ? refuse_accelerator("DPA") : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t
doca_sync_event_add_publisher_location_gpu(struct doca_sync_event *event, struct doca_gpu *gpu) {
    (void)gpu;
    return IS_LIVE(sync_event_class, event) ? refuse_accelerator("GPU") : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t
doca_sync_event_add_subscriber_location_dpa(struct doca_sync_event *event, struct doca_dpa *dpa) {
    (void)dpa;
    return IS_LIVE(sync_event_class, event) ? refuse_accelerator("DPA") : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t
doca_sync_event_add_subscriber_location_gpu(struct doca_sync_event *event, struct doca_gpu *gpu) {
    (void)gpu;
    return IS_LIVE(sync_event_class, event) ? refuse_accelerator("GPU") : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t
doca_sync_event_get_dpa_handle(
        struct doca_sync_event *event, struct doca_dpa *dpa, doca_dpa_dev_sync_event_t *dpa_dev_se_handle) {
    (void)dpa;
    (void)dpa_dev_se_handle;
    return IS_LIVE(sync_event_class, event) ? refuse_accelerator("DPA") : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t
doca_sync_event_get_gpu_handle(
        struct doca_sync_event *event, struct doca_gpu *gpu, doca_gpu_dev_sync_event_t **gpu_dev_se) {
    (void)gpu;
    (void)gpu_dev_se;
    return IS_LIVE(sync_event_class, event) ? refuse_accelerator("GPU") : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t
doca_sync_event_remote_net_get_dpa_handle(struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
                                          doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event) {
    (void)dpa;
    (void)dpa_remote_event;
    return IS_LIVE(sync_event_remote_class, event) ? refuse_accelerator("DPA") : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t
doca_sync_event_remote_net_get_gpu_handle(struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
                                          doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event) {
    (void)gpu;
    (void)gpu_remote_event;
    return IS_LIVE(sync_event_remote_class, event) ? refuse_accelerator("GPU") : DOCA_ERROR_INVALID_VALUE;
}
