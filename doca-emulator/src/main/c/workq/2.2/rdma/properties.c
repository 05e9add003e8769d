/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of contexts, available once the context has a device, and capabilities of devices. */
#include "common/sdk_log.h"
#include "workq/2.2/rdma/rdma.h"

static doca_error_t
check_device(const struct doca_rdma *rdma) {
    if (!IS_LIVE(job_rdma_class, rdma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (rdma->core == NULL) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: has no device", rdma);
    }
    return DOCA_SUCCESS;
}

/* Defines a function of the API by a function of the core, with the remaining parameters. */
#define PROPERTY_CALL(function, core_function, parameters, arguments) \
    doca_error_t function parameters { \
        const doca_error_t result = check_device(rdma); \
        return result == DOCA_SUCCESS ? core_function arguments : result; \
    }

#define PROPERTY(name, core_getter, core_setter, type) \
    PROPERTY_CALL(doca_rdma_get_##name, core_getter, (const struct doca_rdma *rdma, type *name), (rdma->core, name)) \
    PROPERTY_CALL(doca_rdma_set_##name, core_setter, (struct doca_rdma *rdma, type name), (rdma->core, name))

PROPERTY(gid_index, core_rdma_get_gid_index, core_rdma_set_gid_index, uint32_t)
PROPERTY(mtu, core_rdma_get_mtu, core_rdma_set_mtu, enum doca_mtu_size)
PROPERTY(recv_queue_size, core_rdma_get_recv_queue_size, core_rdma_set_recv_queue_size, uint32_t)
PROPERTY(send_queue_size, core_rdma_get_send_queue_size, core_rdma_set_send_queue_size, uint32_t)
PROPERTY(sl, core_rdma_get_sl, core_rdma_set_sl, uint32_t)
PROPERTY(recv_buf_chain_len, core_rdma_task_receive_get_dst_buf_list_len, core_rdma_task_receive_set_dst_buf_list_len,
         uint32_t)
PROPERTY_CALL(doca_rdma_get_permissions, core_rdma_get_permissions, (struct doca_rdma *rdma, uint32_t *permissions),
              (rdma->core, permissions))
PROPERTY_CALL(doca_rdma_set_permissions, core_rdma_set_permissions, (struct doca_rdma *rdma, uint32_t permissions),
              (rdma->core, permissions))
PROPERTY_CALL(doca_rdma_set_grh_enabled, core_rdma_set_grh_enabled, (struct doca_rdma *rdma, bool grh_enabled),
              (rdma->core, grh_enabled))
PROPERTY_CALL(doca_rdma_set_transport_type, core_rdma_set_transport_type,
              (struct doca_rdma *rdma, enum doca_rdma_transport_type transport_type),
              (rdma->core, (enum core_rdma_transport_type)transport_type))

doca_error_t
doca_rdma_get_grh_enabled(const struct doca_rdma *rdma, bool *grh_enabled) {
    uint8_t value;
    doca_error_t result = check_device(rdma);
    result = result == DOCA_SUCCESS ? core_rdma_get_grh_enabled(rdma->core, grh_enabled == NULL ? NULL : &value)
                                    : result;
    if (result == DOCA_SUCCESS) {
        *grh_enabled = value != 0;
    }
    return result;
}

doca_error_t
doca_rdma_get_transport_type(const struct doca_rdma *rdma, enum doca_rdma_transport_type *transport_type) {
    enum core_rdma_transport_type value;
    doca_error_t result = check_device(rdma);
    result = result == DOCA_SUCCESS ? core_rdma_get_transport_type(rdma->core, transport_type == NULL ? NULL : &value)
                                    : result;
    if (result == DOCA_SUCCESS) {
        *transport_type = (enum doca_rdma_transport_type)value;
    }
    return result;
}

/*
 * Capabilities
 */

doca_error_t
doca_rdma_get_transport_type_supported(const struct doca_devinfo *devinfo,
                                       enum doca_rdma_transport_type transport_type) {
    return core_rdma_cap_transport_type_is_supported(devinfo, (enum core_rdma_transport_type)transport_type);
}

/* A device supports all types or none. */
doca_error_t
doca_rdma_job_get_supported(const struct doca_devinfo *devinfo, enum doca_rdma_job_types job_type) {
    return rdma_job_list_limit((int)job_type) == 0 ? DOCA_ERROR_NOT_SUPPORTED
                                                   : core_rdma_cap_task_send_is_supported(devinfo);
}

doca_error_t
doca_rdma_get_max_buf_chain_len(const struct doca_devinfo *devinfo, enum doca_rdma_job_types job_type,
                                enum doca_rdma_transport_type transport_type, uint32_t *max_buf_chain_len) {
    const uint32_t limit = rdma_job_list_limit((int)job_type);
    if (limit == 0 || max_buf_chain_len == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: job type %#x, place for the length %p",
                          (unsigned int)job_type, (void *)max_buf_chain_len);
    }
    const doca_error_t result = doca_rdma_get_transport_type_supported(devinfo, transport_type);
    if (result == DOCA_SUCCESS) {
        *max_buf_chain_len = limit;
    }
    return result;
}
