/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RDMA: connections, one-sided and two-sided transfers, atomics, and remote sync events.
 */
#ifndef DOCA_RDMA_H_
#define DOCA_RDMA_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>
#include <doca_types.h>
#include <doca_compat.h>
#if API_BEFORE(2.6)
#include <stdbool.h>
#include <doca_buf.h>
#include <doca_ctx.h>
#include <doca_pe.h>
#include <doca_sync_event.h>
#endif

API_HEADER(rdma, 2.5)

#if !API_BEFORE(2.9)
#ifdef __ELF__
/*
 * Marks each object file as one of DOCA 3.0. Functions of releases before 2.9 have the same names and other parameters, so the
 * emulator refuses programs that may be of such a release.
 */
__asm__(".pushsection .note.doca,\"a\",%note\n\t"
        ".balign 4\n\t"
        ".long 5, 4, 1\n\t"
        ".asciz \"DOCA\"\n\t"
        ".balign 4\n\t"
        ".long 300\n\t"
        ".popsection");
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_ctx;
struct doca_dev;
struct doca_devinfo;
struct doca_dpa_completion;
struct doca_dpa_dev_rdma;
struct doca_gpu_dev_rdma;
struct doca_rdma;
struct doca_rdma_addr;
struct doca_rdma_connection;
struct doca_rdma_task_atomic_cmp_swp;
struct doca_rdma_task_atomic_fetch_add;
struct doca_rdma_task_read;
struct doca_rdma_task_receive;
struct doca_rdma_task_remote_net_sync_event_get;
struct doca_rdma_task_remote_net_sync_event_notify_add;
struct doca_rdma_task_remote_net_sync_event_notify_set;
struct doca_rdma_task_send;
struct doca_rdma_task_send_imm;
struct doca_rdma_task_write;
struct doca_rdma_task_write_imm;
struct doca_sync_event_remote_net;
struct doca_task;
struct rdma_cm_id;

enum doca_rdma_transport_type {
    DOCA_RDMA_TRANSPORT_TYPE_RC = 0,
    DOCA_RDMA_TRANSPORT_TYPE_DC = 1,
};

#if !API_BEFORE(2.9)
enum doca_rdma_addr_type {
    DOCA_RDMA_ADDR_TYPE_IPv4 = 0,
    DOCA_RDMA_ADDR_TYPE_IPv6 = 1,
    DOCA_RDMA_ADDR_TYPE_GID = 2,
};
#endif

enum doca_rdma_opcode {
    DOCA_RDMA_OPCODE_RECV_SEND = 0,
    DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM = 1,
    DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM = 2,
};

/* A global identifier, as raw bytes in network order. */
struct doca_rdma_gid {
    uint8_t raw[DOCA_GID_BYTE_LENGTH];
};

typedef uint64_t doca_dpa_dev_rdma_t;
typedef void (*doca_rdma_connection_disconnection_cb_t)(struct doca_rdma_connection *, union doca_data, union doca_data);
typedef void (*doca_rdma_connection_established_cb_t)(struct doca_rdma_connection *, union doca_data, union doca_data);
typedef void (*doca_rdma_connection_failure_cb_t)(struct doca_rdma_connection *, union doca_data, union doca_data);
typedef void (*doca_rdma_connection_request_cb_t)(struct doca_rdma_connection *, union doca_data);
typedef void (*doca_rdma_task_atomic_cmp_swp_completion_cb_t)(struct doca_rdma_task_atomic_cmp_swp *, union doca_data, union doca_data);
typedef void (*doca_rdma_task_atomic_fetch_add_completion_cb_t)(struct doca_rdma_task_atomic_fetch_add *, union doca_data, union doca_data);
typedef void (*doca_rdma_task_read_completion_cb_t)(struct doca_rdma_task_read *, union doca_data, union doca_data);
typedef void (*doca_rdma_task_receive_completion_cb_t)(struct doca_rdma_task_receive *, union doca_data, union doca_data);
typedef void (*doca_rdma_task_remote_net_sync_event_get_completion_cb_t)(struct doca_rdma_task_remote_net_sync_event_get *, union doca_data, union doca_data);
typedef void (*doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t)(struct doca_rdma_task_remote_net_sync_event_notify_add *, union doca_data, union doca_data);
typedef void (*doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t)(struct doca_rdma_task_remote_net_sync_event_notify_set *, union doca_data, union doca_data);
typedef void (*doca_rdma_task_send_completion_cb_t)(struct doca_rdma_task_send *, union doca_data, union doca_data);
typedef void (*doca_rdma_task_send_imm_completion_cb_t)(struct doca_rdma_task_send_imm *, union doca_data, union doca_data);
typedef void (*doca_rdma_task_write_completion_cb_t)(struct doca_rdma_task_write *, union doca_data, union doca_data);
typedef void (*doca_rdma_task_write_imm_completion_cb_t)(struct doca_rdma_task_write_imm *, union doca_data, union doca_data);

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_addr_create(
        enum doca_rdma_addr_type addr_type, const char *address, uint16_t port, struct doca_rdma_addr **addr);

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_addr_destroy(struct doca_rdma_addr *addr);

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_addr_get_params(
        struct doca_rdma_addr *addr, enum doca_rdma_addr_type *addr_type, const char **address, uint16_t *port);

DOCA_EXPERIMENTAL
struct doca_ctx *doca_rdma_as_ctx(struct doca_rdma *rdma);

DOCA_EXPERIMENTAL API_SINCE(2.9) API_UNSUPPORTED()
doca_error_t doca_rdma_bridge_accept(
        struct doca_rdma *rdma, void *private_data, uint8_t private_data_len,
        struct doca_rdma_connection *rdma_connection);

DOCA_EXPERIMENTAL API_SINCE(2.9) API_UNSUPPORTED()
doca_error_t doca_rdma_bridge_established(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection);

DOCA_EXPERIMENTAL API_SINCE(2.9) API_UNSUPPORTED()
doca_error_t doca_rdma_bridge_prepare_connection(
        struct doca_rdma *rdma, struct rdma_cm_id *cm_id, struct doca_rdma_connection **rdma_connection);

#if API_BEFORE(2.9)
DOCA_EXPERIMENTAL API_LIKE(doca_rdma_cap_get_gid)
doca_error_t doca_rdma_cap_get_gid(
        struct doca_devinfo *devinfo, uint32_t start_index, uint32_t num_entries, struct doca_rdma_gid *gid_array);
#else
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_get_gid(
        const struct doca_devinfo *devinfo, uint32_t start_index, uint32_t num_entries,
        struct doca_rdma_gid *gid_array);
#endif

#if API_BEFORE(2.9)
DOCA_EXPERIMENTAL API_LIKE(doca_rdma_cap_get_gid_table_size)
doca_error_t doca_rdma_cap_get_gid_table_size(struct doca_devinfo *devinfo, uint32_t *gid_table_size);
#else
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_get_gid_table_size(const struct doca_devinfo *devinfo, uint32_t *gid_table_size);
#endif

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_get_max_message_size(const struct doca_devinfo *devinfo, uint32_t *max_message_size);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_get_max_recv_queue_size(const struct doca_devinfo *devinfo, uint32_t *max_recv_queue_size);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_get_max_send_buf_list_len(
        const struct doca_devinfo *devinfo, uint32_t *max_send_buf_list_len);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_get_max_send_queue_size(const struct doca_devinfo *devinfo, uint32_t *max_send_queue_size);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_atomic_cmp_swp_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_atomic_fetch_add_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_read_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
        const struct doca_devinfo *devinfo, enum doca_rdma_transport_type transport_type,
        uint32_t *max_buf_list_len);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_receive_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_remote_net_sync_event_get_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_remote_net_sync_event_notify_add_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_remote_net_sync_event_notify_set_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_send_imm_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_send_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_write_imm_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_task_write_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_cap_transport_type_is_supported(
        const struct doca_devinfo *devinfo, enum doca_rdma_transport_type transport_type);

#if API_BEFORE(2.9)
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_connect(
        struct doca_rdma *rdma, const void *remote_rdma_conn_details, size_t remote_rdma_conn_details_size);
#endif

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_connect(
        struct doca_rdma *rdma, const void *remote_rdma_conn_details, size_t remote_rdma_conn_details_size,
        struct doca_rdma_connection *rdma_connection);

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_connect_to_addr(
        struct doca_rdma *rdma, struct doca_rdma_addr *addr, union doca_data connection_user_data);

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_connection_accept(
        struct doca_rdma_connection *rdma_connection, void *private_data, uint8_t private_data_len);

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_connection_disconnect(struct doca_rdma_connection *rdma_connection);

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_connection_get_addr(
        const struct doca_rdma_connection *rdma_connection, struct doca_rdma_addr **addr);

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_connection_get_id(const struct doca_rdma_connection *rdma_connection, uint32_t *connection_id);

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_connection_get_user_data(
        const struct doca_rdma_connection *rdma_connection, union doca_data *connection_user_data);

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_connection_reject(struct doca_rdma_connection *rdma_connection);

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_connection_set_user_data(
        struct doca_rdma_connection *rdma_connection, union doca_data connection_user_data);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_create(struct doca_dev *dev, struct doca_rdma **rdma);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_destroy(struct doca_rdma *rdma);

DOCA_EXPERIMENTAL API_SINCE(3.0) API_UNSUPPORTED()
doca_error_t doca_rdma_dpa_completion_attach(struct doca_rdma *rdma, struct doca_dpa_completion *dpa_comp);

#if API_BEFORE(2.9)
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_export(
        const struct doca_rdma *rdma, const void **local_rdma_conn_details, size_t *local_rdma_conn_details_size);
#endif

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_export(
        struct doca_rdma *rdma, const void **local_rdma_conn_details, size_t *local_rdma_conn_details_size,
        struct doca_rdma_connection **rdma_connection);

DOCA_EXPERIMENTAL API_SINCE(2.9) API_GETS(rdma->properties.connection_request_timeout)
doca_error_t doca_rdma_get_connection_request_timeout(const struct doca_rdma *rdma, uint16_t *timeout);

#if API_BEFORE(2.9)
DOCA_EXPERIMENTAL API_UNSUPPORTED()
doca_error_t doca_rdma_get_dpa_handle(struct doca_rdma *rdma, struct doca_dpa_dev_rdma **dpa_rdma);
#endif

DOCA_EXPERIMENTAL API_SINCE(2.9) API_UNSUPPORTED()
doca_error_t doca_rdma_get_dpa_handle(struct doca_rdma *rdma, doca_dpa_dev_rdma_t *dpa_rdma);

DOCA_EXPERIMENTAL API_GETS(rdma->properties.gid_index)
doca_error_t doca_rdma_get_gid_index(const struct doca_rdma *rdma, uint32_t *gid_index);

DOCA_EXPERIMENTAL API_SINCE(3.0) API_UNSUPPORTED()
doca_error_t doca_rdma_get_gpu_handle(struct doca_rdma *rdma, struct doca_gpu_dev_rdma **gpu_rdma);

#if API_BEFORE(2.6)
DOCA_EXPERIMENTAL API_LIKE(doca_rdma_get_grh_enabled)
doca_error_t doca_rdma_get_grh_enabled(const struct doca_rdma *rdma, bool *grh_enabled);
#else
DOCA_EXPERIMENTAL API_GETS(rdma->properties.grh_enabled)
doca_error_t doca_rdma_get_grh_enabled(const struct doca_rdma *rdma, uint8_t *grh_enabled);
#endif

DOCA_EXPERIMENTAL API_SINCE(2.9) API_GETS(rdma->properties.max_num_connections)
doca_error_t doca_rdma_get_max_num_connections(struct doca_rdma *rdma, uint16_t *max_num_connections);

DOCA_EXPERIMENTAL API_GETS(rdma->properties.max_send_buf_list_len)
doca_error_t doca_rdma_get_max_send_buf_list_len(const struct doca_rdma *rdma, uint32_t *max_send_buf_list_len);

DOCA_EXPERIMENTAL API_GETS(rdma->properties.mtu)
doca_error_t doca_rdma_get_mtu(const struct doca_rdma *rdma, enum doca_mtu_size *mtu);

DOCA_EXPERIMENTAL API_GETS(rdma->properties.permissions)
doca_error_t doca_rdma_get_permissions(struct doca_rdma *rdma, uint32_t *permissions);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_get_recv_queue_size(const struct doca_rdma *rdma, uint32_t *recv_queue_size);

DOCA_EXPERIMENTAL API_SINCE(3.0) API_GETS(rdma->properties.rnr_retry_count)
doca_error_t doca_rdma_get_rnr_retry_count(const struct doca_rdma *rdma, uint8_t *rnr_retry_count);

DOCA_EXPERIMENTAL API_GETS(rdma->properties.send_queue_size)
doca_error_t doca_rdma_get_send_queue_size(const struct doca_rdma *rdma, uint32_t *send_queue_size);

DOCA_EXPERIMENTAL API_GETS(rdma->properties.sl)
doca_error_t doca_rdma_get_sl(const struct doca_rdma *rdma, uint32_t *sl);

DOCA_EXPERIMENTAL API_GETS(rdma->properties.transport_type)
doca_error_t doca_rdma_get_transport_type(
        const struct doca_rdma *rdma, enum doca_rdma_transport_type *transport_type);

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_set_connection_request_timeout(struct doca_rdma *rdma, uint16_t timeout);

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_set_connection_state_callbacks(
        struct doca_rdma *rdma, doca_rdma_connection_request_cb_t doca_rdma_connect_request_cb,
        doca_rdma_connection_established_cb_t doca_rdma_connect_established_cb,
        doca_rdma_connection_failure_cb_t doca_rdma_connect_failure_cb,
        doca_rdma_connection_disconnection_cb_t doca_rdma_disconnect_cb);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_gid_index(struct doca_rdma *rdma, uint32_t gid_index);

#if API_BEFORE(2.6)
DOCA_EXPERIMENTAL API_LIKE(doca_rdma_set_grh_enabled)
doca_error_t doca_rdma_set_grh_enabled(struct doca_rdma *rdma, bool grh_enabled);
#else
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_grh_enabled(struct doca_rdma *rdma, uint8_t grh_enabled);
#endif

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_set_max_num_connections(struct doca_rdma *rdma, uint16_t max_num_connections);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_max_send_buf_list_len(struct doca_rdma *rdma, uint32_t max_send_buf_list_len);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_mtu(struct doca_rdma *rdma, enum doca_mtu_size mtu);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_permissions(struct doca_rdma *rdma, uint32_t permissions);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_recv_queue_size(struct doca_rdma *rdma, uint32_t recv_queue_size);

DOCA_EXPERIMENTAL API_SINCE(3.0)
doca_error_t doca_rdma_set_rnr_retry_count(struct doca_rdma *rdma, uint8_t rnr_retry_count);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_send_queue_size(struct doca_rdma *rdma, uint32_t send_queue_size);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_sl(struct doca_rdma *rdma, uint32_t sl);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_set_transport_type(struct doca_rdma *rdma, enum doca_rdma_transport_type transport_type);

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_start_listen_to_port(struct doca_rdma *rdma, uint16_t port);

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_stop_listen_to_port(struct doca_rdma *rdma, uint16_t port);

#if API_BEFORE(2.9)
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_atomic_cmp_swp_allocate_init(
        struct doca_rdma *rdma, struct doca_buf *dst_buf, struct doca_buf *result_buf, uint64_t cmp_data,
        uint64_t swap_data, union doca_data user_data, struct doca_rdma_task_atomic_cmp_swp **task);
#endif

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_task_atomic_cmp_swp_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_buf *dst_buf,
        struct doca_buf *result_buf, uint64_t cmp_data, uint64_t swap_data, union doca_data user_data,
        struct doca_rdma_task_atomic_cmp_swp **task);

DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_atomic_cmp_swp_as_task(struct doca_rdma_task_atomic_cmp_swp *task);

DOCA_EXPERIMENTAL
uint64_t doca_rdma_task_atomic_cmp_swp_get_cmp_data(const struct doca_rdma_task_atomic_cmp_swp *task);

DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_atomic_cmp_swp_get_dst_buf(const struct doca_rdma_task_atomic_cmp_swp *task);

DOCA_EXPERIMENTAL API_SINCE(2.9)
const struct doca_rdma_connection *doca_rdma_task_atomic_cmp_swp_get_rdma_connection(
        const struct doca_rdma_task_atomic_cmp_swp *task);

DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_atomic_cmp_swp_get_result_buf(const struct doca_rdma_task_atomic_cmp_swp *task);

DOCA_EXPERIMENTAL
uint64_t doca_rdma_task_atomic_cmp_swp_get_swap_data(const struct doca_rdma_task_atomic_cmp_swp *task);

DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_cmp_swp_set_cmp_data(struct doca_rdma_task_atomic_cmp_swp *task, uint64_t cmp_data);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_atomic_cmp_swp_set_conf(
        struct doca_rdma *rdma, doca_rdma_task_atomic_cmp_swp_completion_cb_t successful_task_completion_cb,
        doca_rdma_task_atomic_cmp_swp_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_cmp_swp_set_dst_buf(struct doca_rdma_task_atomic_cmp_swp *task, struct doca_buf *dst_buf);

DOCA_EXPERIMENTAL API_SINCE(2.9)
void doca_rdma_task_atomic_cmp_swp_set_rdma_connection(
        struct doca_rdma_task_atomic_cmp_swp *task, struct doca_rdma_connection *rdma_connection);

DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_cmp_swp_set_result_buf(
        struct doca_rdma_task_atomic_cmp_swp *task, struct doca_buf *result_buf);

DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_cmp_swp_set_swap_data(struct doca_rdma_task_atomic_cmp_swp *task, uint64_t swap_data);

#if API_BEFORE(2.9)
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_atomic_fetch_add_allocate_init(
        struct doca_rdma *rdma, struct doca_buf *dst_buf, struct doca_buf *result_buf, uint64_t add_data,
        union doca_data user_data, struct doca_rdma_task_atomic_fetch_add **task);
#endif

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_task_atomic_fetch_add_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_buf *dst_buf,
        struct doca_buf *result_buf, uint64_t add_data, union doca_data user_data,
        struct doca_rdma_task_atomic_fetch_add **task);

DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_atomic_fetch_add_as_task(struct doca_rdma_task_atomic_fetch_add *task);

DOCA_EXPERIMENTAL
uint64_t doca_rdma_task_atomic_fetch_add_get_add_data(const struct doca_rdma_task_atomic_fetch_add *task);

DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_atomic_fetch_add_get_dst_buf(const struct doca_rdma_task_atomic_fetch_add *task);

DOCA_EXPERIMENTAL API_SINCE(2.9)
const struct doca_rdma_connection *doca_rdma_task_atomic_fetch_add_get_rdma_connection(
        const struct doca_rdma_task_atomic_fetch_add *task);

DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_atomic_fetch_add_get_result_buf(const struct doca_rdma_task_atomic_fetch_add *task);

DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_fetch_add_set_add_data(struct doca_rdma_task_atomic_fetch_add *task, uint64_t add_data);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_atomic_fetch_add_set_conf(
        struct doca_rdma *rdma, doca_rdma_task_atomic_fetch_add_completion_cb_t successful_task_completion_cb,
        doca_rdma_task_atomic_fetch_add_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_fetch_add_set_dst_buf(
        struct doca_rdma_task_atomic_fetch_add *task, struct doca_buf *dst_buf);

DOCA_EXPERIMENTAL API_SINCE(2.9)
void doca_rdma_task_atomic_fetch_add_set_rdma_connection(
        struct doca_rdma_task_atomic_fetch_add *task, struct doca_rdma_connection *rdma_connection);

DOCA_EXPERIMENTAL
void doca_rdma_task_atomic_fetch_add_set_result_buf(
        struct doca_rdma_task_atomic_fetch_add *task, struct doca_buf *result_buf);

#if API_BEFORE(2.9)
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_read_allocate_init(
        struct doca_rdma *rdma, const struct doca_buf *src_buf, struct doca_buf *dst_buf, union doca_data user_data,
        struct doca_rdma_task_read **task);
#endif

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_task_read_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, const struct doca_buf *src_buf,
        struct doca_buf *dst_buf, union doca_data user_data, struct doca_rdma_task_read **task);

DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_read_as_task(struct doca_rdma_task_read *task);

DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_read_get_dst_buf(const struct doca_rdma_task_read *task);

DOCA_EXPERIMENTAL API_SINCE(2.9)
const struct doca_rdma_connection *doca_rdma_task_read_get_rdma_connection(const struct doca_rdma_task_read *task);

DOCA_EXPERIMENTAL API_SINCE(2.6) API_WAS(doca_rdma_task_read_get_result_length)
uint32_t doca_rdma_task_read_get_result_len(const struct doca_rdma_task_read *task);

DOCA_EXPERIMENTAL
const struct doca_buf *doca_rdma_task_read_get_src_buf(const struct doca_rdma_task_read *task);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_read_set_conf(
        struct doca_rdma *rdma, doca_rdma_task_read_completion_cb_t successful_task_completion_cb,
        doca_rdma_task_read_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

DOCA_EXPERIMENTAL
void doca_rdma_task_read_set_dst_buf(struct doca_rdma_task_read *task, struct doca_buf *dst_buf);

DOCA_EXPERIMENTAL API_SINCE(2.9)
void doca_rdma_task_read_set_rdma_connection(
        struct doca_rdma_task_read *task, struct doca_rdma_connection *rdma_connection);

DOCA_EXPERIMENTAL
void doca_rdma_task_read_set_src_buf(struct doca_rdma_task_read *task, const struct doca_buf *src_buf);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_receive_allocate_init(
        struct doca_rdma *rdma, struct doca_buf *dst_buf, union doca_data user_data,
        struct doca_rdma_task_receive **task);

DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_receive_as_task(struct doca_rdma_task_receive *task);

DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_receive_get_dst_buf(const struct doca_rdma_task_receive *task);

DOCA_EXPERIMENTAL API_GETS(rdma->properties.recv_buf_list_len)
doca_error_t doca_rdma_task_receive_get_dst_buf_list_len(const struct doca_rdma *rdma, uint32_t *buf_list_len);

DOCA_EXPERIMENTAL
doca_be32_t doca_rdma_task_receive_get_result_immediate_data(const struct doca_rdma_task_receive *task);

DOCA_EXPERIMENTAL API_SINCE(2.6) API_WAS(doca_rdma_task_receive_get_result_length)
uint32_t doca_rdma_task_receive_get_result_len(const struct doca_rdma_task_receive *task);

DOCA_EXPERIMENTAL
enum doca_rdma_opcode doca_rdma_task_receive_get_result_opcode(const struct doca_rdma_task_receive *task);

DOCA_EXPERIMENTAL API_SINCE(2.9)
const struct doca_rdma_connection *doca_rdma_task_receive_get_result_rdma_connection(
        const struct doca_rdma_task_receive *task);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_receive_set_conf(
        struct doca_rdma *rdma, doca_rdma_task_receive_completion_cb_t successful_task_completion_cb,
        doca_rdma_task_receive_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

DOCA_EXPERIMENTAL
void doca_rdma_task_receive_set_dst_buf(struct doca_rdma_task_receive *task, struct doca_buf *dst_buf);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_receive_set_dst_buf_list_len(struct doca_rdma *rdma, uint32_t buf_list_len);

#if API_BEFORE(2.9)
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_remote_net_sync_event_get_allocate_init(
        struct doca_rdma *rdma, const struct doca_sync_event_remote_net *event, struct doca_buf *dst_buf,
        union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_get **task);
#endif

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_task_remote_net_sync_event_get_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
        const struct doca_sync_event_remote_net *event, struct doca_buf *dst_buf, union doca_data user_data,
        struct doca_rdma_task_remote_net_sync_event_get **task);

DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_remote_net_sync_event_get_as_task(
        struct doca_rdma_task_remote_net_sync_event_get *task);

DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_remote_net_sync_event_get_get_dst_buf(
        const struct doca_rdma_task_remote_net_sync_event_get *task);

DOCA_EXPERIMENTAL API_SINCE(2.9)
const struct doca_rdma_connection *doca_rdma_task_remote_net_sync_event_get_get_rdma_connection(
        const struct doca_rdma_task_remote_net_sync_event_get *task);

DOCA_EXPERIMENTAL API_SINCE(2.6) API_WAS(doca_rdma_task_remote_net_sync_event_get_get_result_length)
uint32_t doca_rdma_task_remote_net_sync_event_get_get_result_len(
        const struct doca_rdma_task_remote_net_sync_event_get *task);

DOCA_EXPERIMENTAL
const struct doca_sync_event_remote_net *doca_rdma_task_remote_net_sync_event_get_get_sync_event(
        const struct doca_rdma_task_remote_net_sync_event_get *task);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_remote_net_sync_event_get_set_conf(
        struct doca_rdma *rdma,
        doca_rdma_task_remote_net_sync_event_get_completion_cb_t successful_task_completion_cb,
        doca_rdma_task_remote_net_sync_event_get_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_get_set_dst_buf(
        struct doca_rdma_task_remote_net_sync_event_get *task, struct doca_buf *dst_buf);

DOCA_EXPERIMENTAL API_SINCE(2.9)
void doca_rdma_task_remote_net_sync_event_get_set_rdma_connection(
        struct doca_rdma_task_remote_net_sync_event_get *task, struct doca_rdma_connection *rdma_connection);

DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_get_set_sync_event(
        struct doca_rdma_task_remote_net_sync_event_get *task, const struct doca_sync_event_remote_net *event);

#if API_BEFORE(2.9)
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
        struct doca_rdma *rdma, struct doca_sync_event_remote_net *event, struct doca_buf *result_buf,
        uint64_t add_data, union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_notify_add **task);
#endif

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
        struct doca_sync_event_remote_net *event, struct doca_buf *result_buf, uint64_t add_data,
        union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_notify_add **task);

DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_remote_net_sync_event_notify_add_as_task(
        struct doca_rdma_task_remote_net_sync_event_notify_add *task);

DOCA_EXPERIMENTAL
uint64_t doca_rdma_task_remote_net_sync_event_notify_add_get_add_data(
        const struct doca_rdma_task_remote_net_sync_event_notify_add *task);

DOCA_EXPERIMENTAL API_SINCE(2.9)
const struct doca_rdma_connection *doca_rdma_task_remote_net_sync_event_notify_add_get_rdma_connection(
        const struct doca_rdma_task_remote_net_sync_event_notify_add *task);

DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_remote_net_sync_event_notify_add_get_result_buf(
        const struct doca_rdma_task_remote_net_sync_event_notify_add *task);

DOCA_EXPERIMENTAL
struct doca_sync_event_remote_net *doca_rdma_task_remote_net_sync_event_notify_add_get_sync_event(
        const struct doca_rdma_task_remote_net_sync_event_notify_add *task);

DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_add_set_add_data(
        struct doca_rdma_task_remote_net_sync_event_notify_add *task, uint64_t add_data);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_remote_net_sync_event_notify_add_set_conf(
        struct doca_rdma *rdma,
        doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t successful_task_completion_cb,
        doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t error_task_completion_cb,
        uint32_t num_tasks);

DOCA_EXPERIMENTAL API_SINCE(2.9)
void doca_rdma_task_remote_net_sync_event_notify_add_set_rdma_connection(
        struct doca_rdma_task_remote_net_sync_event_notify_add *task, struct doca_rdma_connection *rdma_connection);

DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_add_set_result_buf(
        struct doca_rdma_task_remote_net_sync_event_notify_add *task, struct doca_buf *result_buf);

DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_add_set_sync_event(
        struct doca_rdma_task_remote_net_sync_event_notify_add *task, struct doca_sync_event_remote_net *event);

#if API_BEFORE(2.9)
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
        struct doca_rdma *rdma, struct doca_sync_event_remote_net *event, const struct doca_buf *src_buf,
        union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_notify_set **task);
#endif

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
        struct doca_sync_event_remote_net *event, const struct doca_buf *src_buf, union doca_data user_data,
        struct doca_rdma_task_remote_net_sync_event_notify_set **task);

DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_remote_net_sync_event_notify_set_as_task(
        struct doca_rdma_task_remote_net_sync_event_notify_set *task);

DOCA_EXPERIMENTAL API_SINCE(2.9)
const struct doca_rdma_connection *doca_rdma_task_remote_net_sync_event_notify_set_get_rdma_connection(
        const struct doca_rdma_task_remote_net_sync_event_notify_set *task);

DOCA_EXPERIMENTAL
const struct doca_buf *doca_rdma_task_remote_net_sync_event_notify_set_get_src_buf(
        const struct doca_rdma_task_remote_net_sync_event_notify_set *task);

DOCA_EXPERIMENTAL
struct doca_sync_event_remote_net *doca_rdma_task_remote_net_sync_event_notify_set_get_sync_event(
        const struct doca_rdma_task_remote_net_sync_event_notify_set *task);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_remote_net_sync_event_notify_set_set_conf(
        struct doca_rdma *rdma,
        doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t successful_task_completion_cb,
        doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t error_task_completion_cb,
        uint32_t num_tasks);

DOCA_EXPERIMENTAL API_SINCE(2.9)
void doca_rdma_task_remote_net_sync_event_notify_set_set_rdma_connection(
        struct doca_rdma_task_remote_net_sync_event_notify_set *task, struct doca_rdma_connection *rdma_connection);

DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_set_set_src_buf(
        struct doca_rdma_task_remote_net_sync_event_notify_set *task, const struct doca_buf *src_buf);

DOCA_EXPERIMENTAL
void doca_rdma_task_remote_net_sync_event_notify_set_set_sync_event(
        struct doca_rdma_task_remote_net_sync_event_notify_set *task, struct doca_sync_event_remote_net *event);

#if API_BEFORE(2.9)
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_send_allocate_init(
        struct doca_rdma *rdma, const struct doca_buf *src_buf, union doca_data user_data,
        struct doca_rdma_task_send **task);
#endif

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_task_send_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, const struct doca_buf *src_buf,
        union doca_data user_data, struct doca_rdma_task_send **task);

DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_send_as_task(struct doca_rdma_task_send *task);

DOCA_EXPERIMENTAL API_SINCE(2.9)
const struct doca_rdma_connection *doca_rdma_task_send_get_rdma_connection(const struct doca_rdma_task_send *task);

DOCA_EXPERIMENTAL
const struct doca_buf *doca_rdma_task_send_get_src_buf(const struct doca_rdma_task_send *task);

#if API_BEFORE(2.9)
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_send_imm_allocate_init(
        struct doca_rdma *rdma, const struct doca_buf *src_buf, doca_be32_t immediate_data, union doca_data user_data,
        struct doca_rdma_task_send_imm **task);
#endif

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_task_send_imm_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, const struct doca_buf *src_buf,
        doca_be32_t immediate_data, union doca_data user_data, struct doca_rdma_task_send_imm **task);

DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_send_imm_as_task(struct doca_rdma_task_send_imm *task);

DOCA_EXPERIMENTAL
doca_be32_t doca_rdma_task_send_imm_get_immediate_data(const struct doca_rdma_task_send_imm *task);

DOCA_EXPERIMENTAL API_SINCE(2.9)
const struct doca_rdma_connection *doca_rdma_task_send_imm_get_rdma_connection(
        const struct doca_rdma_task_send_imm *task);

DOCA_EXPERIMENTAL
const struct doca_buf *doca_rdma_task_send_imm_get_src_buf(const struct doca_rdma_task_send_imm *task);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_send_imm_set_conf(
        struct doca_rdma *rdma, doca_rdma_task_send_imm_completion_cb_t successful_task_completion_cb,
        doca_rdma_task_send_imm_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

DOCA_EXPERIMENTAL
void doca_rdma_task_send_imm_set_immediate_data(struct doca_rdma_task_send_imm *task, doca_be32_t immediate_data);

DOCA_EXPERIMENTAL API_SINCE(2.9)
void doca_rdma_task_send_imm_set_rdma_connection(
        struct doca_rdma_task_send_imm *task, struct doca_rdma_connection *rdma_connection);

DOCA_EXPERIMENTAL
void doca_rdma_task_send_imm_set_src_buf(struct doca_rdma_task_send_imm *task, const struct doca_buf *src_buf);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_send_set_conf(
        struct doca_rdma *rdma, doca_rdma_task_send_completion_cb_t successful_task_completion_cb,
        doca_rdma_task_send_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

DOCA_EXPERIMENTAL API_SINCE(2.9)
void doca_rdma_task_send_set_rdma_connection(
        struct doca_rdma_task_send *task, struct doca_rdma_connection *rdma_connection);

DOCA_EXPERIMENTAL
void doca_rdma_task_send_set_src_buf(struct doca_rdma_task_send *task, const struct doca_buf *src_buf);

#if API_BEFORE(2.9)
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_write_allocate_init(
        struct doca_rdma *rdma, const struct doca_buf *src_buf, struct doca_buf *dst_buf, union doca_data user_data,
        struct doca_rdma_task_write **task);
#endif

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_task_write_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, const struct doca_buf *src_buf,
        struct doca_buf *dst_buf, union doca_data user_data, struct doca_rdma_task_write **task);

DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_write_as_task(struct doca_rdma_task_write *task);

DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_write_get_dst_buf(const struct doca_rdma_task_write *task);

DOCA_EXPERIMENTAL API_SINCE(2.9)
const struct doca_rdma_connection *doca_rdma_task_write_get_rdma_connection(const struct doca_rdma_task_write *task);

DOCA_EXPERIMENTAL
const struct doca_buf *doca_rdma_task_write_get_src_buf(const struct doca_rdma_task_write *task);

#if API_BEFORE(2.9)
DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_write_imm_allocate_init(
        struct doca_rdma *rdma, const struct doca_buf *src_buf, struct doca_buf *dst_buf, doca_be32_t immediate_data,
        union doca_data user_data, struct doca_rdma_task_write_imm **task);
#endif

DOCA_EXPERIMENTAL API_SINCE(2.9)
doca_error_t doca_rdma_task_write_imm_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, const struct doca_buf *src_buf,
        struct doca_buf *dst_buf, doca_be32_t immediate_data, union doca_data user_data,
        struct doca_rdma_task_write_imm **task);

DOCA_EXPERIMENTAL
struct doca_task *doca_rdma_task_write_imm_as_task(struct doca_rdma_task_write_imm *task);

DOCA_EXPERIMENTAL
struct doca_buf *doca_rdma_task_write_imm_get_dst_buf(const struct doca_rdma_task_write_imm *task);

DOCA_EXPERIMENTAL
doca_be32_t doca_rdma_task_write_imm_get_immediate_data(const struct doca_rdma_task_write_imm *task);

DOCA_EXPERIMENTAL API_SINCE(2.9)
const struct doca_rdma_connection *doca_rdma_task_write_imm_get_rdma_connection(
        const struct doca_rdma_task_write_imm *task);

DOCA_EXPERIMENTAL
const struct doca_buf *doca_rdma_task_write_imm_get_src_buf(const struct doca_rdma_task_write_imm *task);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_write_imm_set_conf(
        struct doca_rdma *rdma, doca_rdma_task_write_imm_completion_cb_t successful_task_completion_cb,
        doca_rdma_task_write_imm_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

DOCA_EXPERIMENTAL
void doca_rdma_task_write_imm_set_dst_buf(struct doca_rdma_task_write_imm *task, struct doca_buf *dst_buf);

DOCA_EXPERIMENTAL
void doca_rdma_task_write_imm_set_immediate_data(struct doca_rdma_task_write_imm *task, doca_be32_t immediate_data);

DOCA_EXPERIMENTAL API_SINCE(2.9)
void doca_rdma_task_write_imm_set_rdma_connection(
        struct doca_rdma_task_write_imm *task, struct doca_rdma_connection *rdma_connection);

DOCA_EXPERIMENTAL
void doca_rdma_task_write_imm_set_src_buf(struct doca_rdma_task_write_imm *task, const struct doca_buf *src_buf);

DOCA_EXPERIMENTAL
doca_error_t doca_rdma_task_write_set_conf(
        struct doca_rdma *rdma, doca_rdma_task_write_completion_cb_t successful_task_completion_cb,
        doca_rdma_task_write_completion_cb_t error_task_completion_cb, uint32_t num_tasks);

DOCA_EXPERIMENTAL
void doca_rdma_task_write_set_dst_buf(struct doca_rdma_task_write *task, struct doca_buf *dst_buf);

DOCA_EXPERIMENTAL API_SINCE(2.9)
void doca_rdma_task_write_set_rdma_connection(
        struct doca_rdma_task_write *task, struct doca_rdma_connection *rdma_connection);

DOCA_EXPERIMENTAL
void doca_rdma_task_write_set_src_buf(struct doca_rdma_task_write *task, const struct doca_buf *src_buf);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_RDMA_H_ */
