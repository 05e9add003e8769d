/* SPDX-License-Identifier: Apache-2.0 */
/* RDMA capabilities of devices. */
#include <doca_rdma.h>

#include "common/device.h"
#include "common/sdk_log.h"

static doca_error_t
get_support(const struct doca_devinfo *devinfo) {
    const struct rdma_capabilities *capabilities = devinfo_rdma_capabilities(devinfo);
    if (capabilities == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    return capabilities->supported ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

/* A device supports all tasks or none. */
#define TASK_IS_SUPPORTED(kind) \
    doca_error_t doca_rdma_cap_task_##kind##_is_supported(const struct doca_devinfo *devinfo) { \
        return get_support(devinfo); \
    }

TASK_IS_SUPPORTED(atomic_cmp_swp)
TASK_IS_SUPPORTED(atomic_fetch_add)
TASK_IS_SUPPORTED(read)
TASK_IS_SUPPORTED(receive)
TASK_IS_SUPPORTED(remote_net_sync_event_get)
TASK_IS_SUPPORTED(remote_net_sync_event_notify_add)
TASK_IS_SUPPORTED(remote_net_sync_event_notify_set)
TASK_IS_SUPPORTED(send)
TASK_IS_SUPPORTED(send_imm)
TASK_IS_SUPPORTED(write)
TASK_IS_SUPPORTED(write_imm)

doca_error_t
doca_rdma_cap_transport_type_is_supported(
        const struct doca_devinfo *devinfo, enum doca_rdma_transport_type transport_type) {
    const doca_error_t result = get_support(devinfo);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    switch (transport_type) {
    case DOCA_RDMA_TRANSPORT_TYPE_RC:
        return DOCA_SUCCESS;
    case DOCA_RDMA_TRANSPORT_TYPE_DC:
        return DOCA_ERROR_NOT_SUPPORTED;
    }
    return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: transport type %u", (unsigned int)transport_type);
}

#define GET_CAPABILITY(devinfo, member, out) \
    do { \
        const struct rdma_capabilities *capabilities = devinfo_rdma_capabilities(devinfo); \
        if (capabilities == NULL) { \
            return DOCA_ERROR_INVALID_VALUE; \
        } \
        if ((out) == NULL) { \
            return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: " #out " is NULL"); \
        } \
        if (!capabilities->supported) { \
            return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "The device has no RDMA"); \
        } \
        *(out) = capabilities->member; \
        return DOCA_SUCCESS; \
    } while (0)

doca_error_t
doca_rdma_cap_get_max_message_size(const struct doca_devinfo *devinfo, uint32_t *max_message_size) {
    GET_CAPABILITY(devinfo, max_message_size, max_message_size);
}

doca_error_t
doca_rdma_cap_get_max_send_queue_size(const struct doca_devinfo *devinfo, uint32_t *max_send_queue_size) {
    GET_CAPABILITY(devinfo, max_send_queue_size, max_send_queue_size);
}

doca_error_t
doca_rdma_cap_get_max_recv_queue_size(const struct doca_devinfo *devinfo, uint32_t *max_recv_queue_size) {
    GET_CAPABILITY(devinfo, max_recv_queue_size, max_recv_queue_size);
}

doca_error_t
doca_rdma_cap_get_max_send_buf_list_len(const struct doca_devinfo *devinfo, uint32_t *max_send_buf_list_len) {
    GET_CAPABILITY(devinfo, max_send_buf_list_len, max_send_buf_list_len);
}

doca_error_t
doca_rdma_cap_task_receive_get_max_dst_buf_list_len(const struct doca_devinfo *devinfo,
                                                    enum doca_rdma_transport_type transport_type,
                                                    uint32_t *max_buf_list_len) {
    const doca_error_t result = doca_rdma_cap_transport_type_is_supported(devinfo, transport_type);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    GET_CAPABILITY(devinfo, max_recv_buf_list_len, max_buf_list_len);
}
