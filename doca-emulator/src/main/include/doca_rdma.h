/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RDMA contexts, of one connection each.
 */
#ifndef DOCA_RDMA_H_
#define DOCA_RDMA_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_buf.h>
#include <doca_compat.h>
#include <doca_ctx.h>
#include <doca_error.h>
#include <doca_types.h>

API_HEADER(rdma, 2.2)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_ctx;
struct doca_devinfo;
struct doca_rdma;
struct doca_rdma_addr;

enum doca_rdma_state {
    DOCA_RDMA_STATE_RESET = 0,
    DOCA_RDMA_STATE_INIT = 1,
    DOCA_RDMA_STATE_CONNECTED = 2,
    DOCA_RDMA_STATE_ERROR = 3,
};

enum doca_rdma_transport_type {
    DOCA_RDMA_TRANSPORT_RC = 0,
    DOCA_RDMA_TRANSPORT_DC = 1,
};

enum doca_rdma_job_types {
    DOCA_RDMA_JOB_RECV = (13 << 16) + 1,
    DOCA_RDMA_JOB_SEND = (13 << 16) + 2,
    DOCA_RDMA_JOB_SEND_IMM = (13 << 16) + 3,
    DOCA_RDMA_JOB_READ = (13 << 16) + 4,
    DOCA_RDMA_JOB_WRITE = (13 << 16) + 5,
    DOCA_RDMA_JOB_WRITE_IMM = (13 << 16) + 6,
    DOCA_RDMA_JOB_ATOMIC_CMP_SWP = (13 << 16) + 7,
    DOCA_RDMA_JOB_ATOMIC_FETCH_ADD = (13 << 16) + 8,
};

enum doca_rdma_opcode_t {
    DOCA_RDMA_OPCODE_RECV_SEND = 0,
    DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM = 1,
    DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM = 2,
};

/* In network order. */
struct doca_rdma_gid {
    uint8_t raw[16];
};

struct doca_rdma_job_recv {
    struct doca_job base;
    struct doca_buf *dst_buff;
};

struct doca_rdma_job_send {
    struct doca_job base;
    const struct doca_buf *src_buff;
    doca_be32_t immediate_data;
    const struct doca_rdma_addr *rdma_peer_addr;
};

struct doca_rdma_job_read_write {
    struct doca_job base;
    struct doca_buf *dst_buff;
    const struct doca_buf *src_buff;
    doca_be32_t immediate_data;
    const struct doca_rdma_addr *rdma_peer_addr;
};

struct doca_rdma_job_atomic {
    struct doca_job base;
    struct doca_buf *cmp_or_add_dest_buff;
    struct doca_buf *result_buff;
    uint64_t swap_or_add_data;
    uint64_t cmp_data;
    const struct doca_rdma_addr *rdma_peer_addr;
};

/* The result of one operation. Before each retrieval the result of the event must point to such a structure. */
struct doca_rdma_result {
    doca_error_t result;
    enum doca_rdma_opcode_t opcode;
    uint32_t length;
    struct doca_rdma_addr *rdma_peer_addr;
    doca_be32_t immediate_data;
};

__DOCA_EXPERIMENTAL API_COMPAT()
struct doca_ctx *doca_rdma_as_ctx(struct doca_rdma *rdma);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_connect(
        struct doca_rdma *rdma, const void *remote_rdma_conn_details, size_t remote_rdma_conn_details_size);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_create(struct doca_rdma **rdma);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_destroy(struct doca_rdma *rdma);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_export(
        const struct doca_rdma *rdma, const void **local_rdma_conn_details, size_t *local_rdma_conn_details_size);

__DOCA_EXPERIMENTAL API_LIKE(doca_rdma_cap_get_gid) API_COMPAT()
doca_error_t doca_rdma_get_gid(
        struct doca_devinfo *devinfo, uint32_t start_index, uint32_t num_entries, struct doca_rdma_gid *gid_array);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_get_gid_index(const struct doca_rdma *rdma, uint32_t *gid_index);

__DOCA_EXPERIMENTAL API_LIKE(doca_rdma_cap_get_gid_table_size) API_COMPAT()
doca_error_t doca_rdma_get_gid_table_size(struct doca_devinfo *devinfo, uint32_t *gid_table_size);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_get_grh_enabled(const struct doca_rdma *rdma, bool *grh_enabled);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_get_max_buf_chain_len(
        const struct doca_devinfo *devinfo, enum doca_rdma_job_types job_type,
        enum doca_rdma_transport_type transport_type, uint32_t *max_buf_chain_len);

__DOCA_EXPERIMENTAL API_LIKE(doca_rdma_cap_get_max_message_size) API_COMPAT()
doca_error_t doca_rdma_get_max_message_size(const struct doca_devinfo *devinfo, uint32_t *max_message_size);

__DOCA_EXPERIMENTAL API_LIKE(doca_rdma_cap_get_max_recv_queue_size) API_COMPAT()
doca_error_t doca_rdma_get_max_recv_queue_size(const struct doca_devinfo *devinfo, uint32_t *max_recv_queue_size);

__DOCA_EXPERIMENTAL API_LIKE(doca_rdma_cap_get_max_send_queue_size) API_COMPAT()
doca_error_t doca_rdma_get_max_send_queue_size(const struct doca_devinfo *devinfo, uint32_t *max_send_queue_size);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_get_mtu(const struct doca_rdma *rdma, enum doca_mtu_size *mtu);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_get_permissions(struct doca_rdma *rdma, uint32_t *permissions);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_get_recv_buf_chain_len(const struct doca_rdma *rdma, uint32_t *recv_buf_chain_len);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_get_recv_queue_size(const struct doca_rdma *rdma, uint32_t *recv_queue_size);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_get_send_queue_size(const struct doca_rdma *rdma, uint32_t *send_queue_size);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_get_sl(const struct doca_rdma *rdma, uint32_t *sl);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_get_state(const struct doca_rdma *rdma, enum doca_rdma_state *state);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_get_transport_type(const struct doca_rdma *rdma, enum doca_rdma_transport_type *transport_type);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_get_transport_type_supported(
        const struct doca_devinfo *devinfo, enum doca_rdma_transport_type transport_type);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_job_get_supported(const struct doca_devinfo *devinfo, enum doca_rdma_job_types job_type);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_set_gid_index(struct doca_rdma *rdma, uint32_t gid_index);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_set_grh_enabled(struct doca_rdma *rdma, bool grh_enabled);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_set_mtu(struct doca_rdma *rdma, enum doca_mtu_size mtu);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_set_permissions(struct doca_rdma *rdma, uint32_t permissions);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_set_recv_buf_chain_len(struct doca_rdma *rdma, uint32_t recv_buf_chain_len);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_set_recv_queue_size(struct doca_rdma *rdma, uint32_t recv_queue_size);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_set_send_queue_size(struct doca_rdma *rdma, uint32_t send_queue_size);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_set_sl(struct doca_rdma *rdma, uint32_t sl);

__DOCA_EXPERIMENTAL API_COMPAT()
doca_error_t doca_rdma_set_transport_type(struct doca_rdma *rdma, enum doca_rdma_transport_type transport_type);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_RDMA_H_ */
