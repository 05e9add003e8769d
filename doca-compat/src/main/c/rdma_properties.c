/* SPDX-License-Identifier: Apache-2.0 */
/* The properties and capabilities of RDMA. */
#include "rdma.h"

#include "refuse.h"

doca_error_t
rdma_check_idle(const struct doca_rdma *rdma) {
    return rdma == NULL ? REFUSE_NULL(rdma) : ctx_check_idle(&rdma->ctx, "set a property");
}

#define SETTER(property, type) \
    doca_error_t doca_rdma_set_##property(struct doca_rdma *rdma, type property) { \
        doca_error_t result = rdma_check_idle(rdma); \
        if (result == DOCA_SUCCESS) { \
            result = old.doca_rdma_set_##property(rdma->old, property); \
        } \
        if (result == DOCA_SUCCESS) { \
            rdma->properties.property.value = property; \
            rdma->properties.property.is_set = true; \
        } \
        return result; \
    }

SETTER(permissions, uint32_t)
SETTER(transport_type, enum doca_rdma_transport_type)
SETTER(mtu, enum doca_mtu_size)
SETTER(gid_index, uint32_t)
SETTER(sl, uint32_t)
SETTER(send_queue_size, uint32_t)
SETTER(recv_queue_size, uint32_t)
SETTER(grh_enabled, uint8_t)

#define GETTER(property, type, rdma_type) \
    doca_error_t doca_rdma_get_##property(rdma_type rdma, type *property) { \
        return rdma == NULL ? REFUSE_NULL(rdma) : old.doca_rdma_get_##property(rdma->old, property); \
    }

GETTER(permissions, uint32_t, struct doca_rdma *)
GETTER(mtu, enum doca_mtu_size, const struct doca_rdma *)
GETTER(gid_index, uint32_t, const struct doca_rdma *)
GETTER(sl, uint32_t, const struct doca_rdma *)
GETTER(send_queue_size, uint32_t, const struct doca_rdma *)
GETTER(recv_queue_size, uint32_t, const struct doca_rdma *)

doca_error_t
doca_rdma_get_transport_type(const struct doca_rdma *rdma, enum doca_rdma_transport_type *transport_type) {
    uint32_t type = 0;
    const doca_error_t result = rdma == NULL || transport_type == NULL
                                        ? REFUSE_NULL(rdma)
                                        : old.doca_rdma_get_transport_type(rdma->old, &type);
    if (result == DOCA_SUCCESS) {
        *transport_type = (enum doca_rdma_transport_type)type;
    }
    return result;
}

doca_error_t
doca_rdma_get_grh_enabled(const struct doca_rdma *rdma, uint8_t *grh_enabled) {
    bool enabled = false;
    const doca_error_t result = rdma == NULL || grh_enabled == NULL
                                        ? REFUSE_NULL(rdma)
                                        : old.doca_rdma_get_grh_enabled(rdma->old, &enabled);
    if (result == DOCA_SUCCESS) {
        *grh_enabled = enabled;
    }
    return result;
}

doca_error_t
doca_rdma_task_receive_set_dst_buf_list_len(struct doca_rdma *rdma, uint32_t buf_list_len) {
    doca_error_t result = rdma_check_idle(rdma);
    if (result == DOCA_SUCCESS) {
        result = old.doca_rdma_set_recv_buf_chain_len(rdma->old, buf_list_len);
    }
    if (result == DOCA_SUCCESS) {
        rdma->properties.recv_buf_chain_len.value = buf_list_len;
        rdma->properties.recv_buf_chain_len.is_set = true;
    }
    return result;
}

doca_error_t
doca_rdma_task_receive_get_dst_buf_list_len(const struct doca_rdma *rdma, uint32_t *buf_list_len) {
    return rdma == NULL ? REFUSE_NULL(rdma) : old.doca_rdma_get_recv_buf_chain_len(rdma->old, buf_list_len);
}

#define RESTORE(name) \
    if (result == DOCA_SUCCESS && rdma->properties.name.is_set) { \
        result = old.doca_rdma_set_##name(old_rdma, rdma->properties.name.value); \
    }

doca_error_t
rdma_restore_properties(const struct doca_rdma *rdma, struct old_rdma *old_rdma) {
    doca_error_t result = DOCA_SUCCESS;
    RDMA_PROPERTIES(RESTORE)
    return result;
}

/* Returns the maximum for all kinds of jobs that read or write local lists. */
static doca_error_t
max_list_len(const struct doca_devinfo *devinfo, uint32_t *len) {
    static const int types[] = {OLD_JOB_RDMA_SEND, OLD_JOB_RDMA_READ, OLD_JOB_RDMA_WRITE};
    uint32_t least = UINT32_MAX;
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
        uint32_t of_type;
        const doca_error_t result =
                old.doca_rdma_get_max_buf_chain_len(devinfo, types[i], DOCA_RDMA_TRANSPORT_TYPE_RC, &of_type);
        if (result != DOCA_SUCCESS) {
            return result;
        }
        least = of_type < least ? of_type : least;
    }
    *len = least;
    return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_set_max_send_buf_list_len(struct doca_rdma *rdma, uint32_t max_send_buf_list_len) {
    uint32_t limit = 0;
    doca_error_t result = rdma_check_idle(rdma);
    if (result == DOCA_SUCCESS) {
        result = max_list_len(old.doca_dev_as_devinfo(rdma->dev), &limit);
    }
    if (result == DOCA_SUCCESS && max_send_buf_list_len > limit) {
        result = REFUSE(DOCA_ERROR_NOT_SUPPORTED, "RDMA %p: Failed to send lists of %u buffers: the limit is %u",
                        (void *)rdma, max_send_buf_list_len, limit);
    }
    if (result == DOCA_SUCCESS) {
        rdma->max_send_buf_list_len = max_send_buf_list_len;
    }
    return result;
}

doca_error_t
doca_rdma_get_max_send_buf_list_len(const struct doca_rdma *rdma, uint32_t *max_send_buf_list_len) {
    if (rdma == NULL || max_send_buf_list_len == NULL) {
        return REFUSE_NULL(rdma);
    }
    if (rdma->max_send_buf_list_len != 0) {
        *max_send_buf_list_len = rdma->max_send_buf_list_len;
        return DOCA_SUCCESS;
    }
    return max_list_len(old.doca_dev_as_devinfo(rdma->dev), max_send_buf_list_len);
}

/*
 * Capabilities
 */

#define CAP_TASK(task, type) \
    doca_error_t doca_rdma_cap_task_##task##_is_supported(const struct doca_devinfo *devinfo) { \
        return devinfo == NULL ? REFUSE_NULL(devinfo) : old.doca_rdma_job_get_supported(devinfo, type); \
    }

CAP_TASK(receive, OLD_JOB_RDMA_RECEIVE)
CAP_TASK(send, OLD_JOB_RDMA_SEND)
CAP_TASK(send_imm, OLD_JOB_RDMA_SEND_IMM)
CAP_TASK(read, OLD_JOB_RDMA_READ)
CAP_TASK(write, OLD_JOB_RDMA_WRITE)
CAP_TASK(write_imm, OLD_JOB_RDMA_WRITE_IMM)
CAP_TASK(atomic_cmp_swp, OLD_JOB_RDMA_ATOMIC_CMP_SWP)
CAP_TASK(atomic_fetch_add, OLD_JOB_RDMA_ATOMIC_FETCH_ADD)

/* An unsupported event is not an error, so nothing is logged. */
#define CAP_EVENT(task) \
    doca_error_t doca_rdma_cap_task_remote_net_sync_event_##task##_is_supported(const struct doca_devinfo *devinfo) { \
        (void)devinfo; \
        return DOCA_ERROR_NOT_SUPPORTED; \
    }

CAP_EVENT(get)
CAP_EVENT(notify_set)
CAP_EVENT(notify_add)

#define CAP_LIMIT(limit) \
    doca_error_t doca_rdma_cap_get_##limit(const struct doca_devinfo *devinfo, uint32_t *limit) { \
        return devinfo == NULL ? REFUSE_NULL(devinfo) \
                               : old.doca_rdma_get_##limit((struct doca_devinfo *)devinfo, limit); \
    }

CAP_LIMIT(max_message_size)
CAP_LIMIT(max_send_queue_size)
CAP_LIMIT(max_recv_queue_size)
CAP_LIMIT(gid_table_size)

doca_error_t
doca_rdma_cap_get_max_send_buf_list_len(const struct doca_devinfo *devinfo, uint32_t *max_send_buf_list_len) {
    return devinfo == NULL ? REFUSE_NULL(devinfo) : max_list_len(devinfo, max_send_buf_list_len);
}

doca_error_t
doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
        const struct doca_devinfo *devinfo, enum doca_rdma_transport_type transport_type,
        uint32_t *max_buf_list_len) {
    return devinfo == NULL ? REFUSE_NULL(devinfo)
                           : old.doca_rdma_get_max_buf_chain_len(devinfo, OLD_JOB_RDMA_RECEIVE, transport_type,
                                                                 max_buf_list_len);
}

doca_error_t
doca_rdma_cap_transport_type_is_supported(
        const struct doca_devinfo *devinfo, enum doca_rdma_transport_type transport_type) {
    return devinfo == NULL ? REFUSE_NULL(devinfo) : old.doca_rdma_get_transport_type_supported(devinfo, transport_type);
}

doca_error_t
doca_rdma_cap_get_gid(
        const struct doca_devinfo *devinfo, uint32_t start_index, uint32_t num_entries,
        struct doca_rdma_gid *gid_array) {
    return devinfo == NULL
                   ? REFUSE_NULL(devinfo)
                   : old.doca_rdma_get_gid((struct doca_devinfo *)devinfo, start_index, num_entries, gid_array);
}
