/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of the ABI of libdoca_rdma from DOCA 2.5 to 2.8 that differ from 3.0 or are called here: a context has one
 * connection, which has no object. The functions of libdoca_common are the same as in 3.0.
 *
 * Each list contains functions with their result, name and parameters.
 */
#ifndef DOCA_COMPAT_CONNECTIONS_SDK_H_
#define DOCA_COMPAT_CONNECTIONS_SDK_H_

#include <doca_ctx.h>
#include <doca_error.h>
#include <doca_graph.h>
#include <doca_log.h>
#include <doca_pe.h>
#include <doca_rdma.h>

#define SDK_COMMON_FUNCTIONS(F) \
    F(doca_error_t, doca_ctx_start, (struct doca_ctx *)) \
    F(doca_error_t, doca_ctx_stop, (struct doca_ctx *)) \
    F(doca_error_t, doca_ctx_get_state, (const struct doca_ctx *, enum doca_ctx_states *)) \
    F(doca_error_t, doca_ctx_set_user_data, (struct doca_ctx *, union doca_data)) \
    F(doca_error_t, doca_ctx_set_state_changed_cb, (struct doca_ctx *, doca_ctx_state_changed_callback_t)) \
    F(doca_error_t, doca_pe_connect_ctx, (struct doca_pe *, struct doca_ctx *)) \
    F(uint8_t, doca_pe_progress, (struct doca_pe *)) \
    F(doca_error_t, doca_task_submit, (struct doca_task *)) \
    F(void, doca_task_free, (struct doca_task *)) \
    F(doca_error_t, doca_task_get_status, (const struct doca_task *)) \
    F(doca_error_t, doca_graph_instance_set_ctx_node_data, \
      (struct doca_graph_instance *, struct doca_graph_node *, struct doca_task *))

#define SDK_RDMA_FUNCTIONS(F) \
    F(doca_error_t, doca_rdma_create, (struct doca_dev *, struct doca_rdma **)) \
    F(doca_error_t, doca_rdma_destroy, (struct doca_rdma *)) \
    F(struct doca_ctx *, doca_rdma_as_ctx, (struct doca_rdma *)) \
    F(doca_error_t, doca_rdma_export, (const struct doca_rdma *, const void **, size_t *)) \
    F(doca_error_t, doca_rdma_connect, (struct doca_rdma *, const void *, size_t)) \
    F(enum doca_rdma_opcode, doca_rdma_task_receive_get_result_opcode, (const struct doca_rdma_task_receive *)) \
    F(doca_be32_t, doca_rdma_task_receive_get_result_immediate_data, (const struct doca_rdma_task_receive *))

/* Functions whose names changed in DOCA 2.6, from "length" to "len" at the end. */
#define SDK_LENGTH_FUNCTIONS(F) \
    F(uint32_t, doca_rdma_task_receive_get_result_len, (const struct doca_rdma_task_receive *)) \
    F(uint32_t, doca_rdma_task_read_get_result_len, (const struct doca_rdma_task_read *)) \
    F(uint32_t, doca_rdma_task_remote_net_sync_event_get_get_result_len, \
      (const struct doca_rdma_task_remote_net_sync_event_get *))

/*
 * The kinds of tasks, each with the parameters of its allocation before the user data, and the fields of a struct
 * rdma_task for them.
 */
#define SDK_TASKS(T) \
    T(receive, (struct doca_rdma *, struct doca_buf *, union doca_data, struct doca_rdma_task_receive **), \
      task->dst_buf) \
    SDK_TASKS_ON_CONNECTION(T)

#define SDK_TASKS_ON_CONNECTION(T) \
    T(send, (struct doca_rdma *, const struct doca_buf *, union doca_data, struct doca_rdma_task_send **), task->src_buf) \
    T(send_imm, \
      (struct doca_rdma *, const struct doca_buf *, doca_be32_t, union doca_data, struct doca_rdma_task_send_imm **), \
      task->src_buf, task->immediate_data) \
    T(read, \
      (struct doca_rdma *, const struct doca_buf *, struct doca_buf *, union doca_data, struct doca_rdma_task_read **), \
      task->src_buf, task->dst_buf) \
    T(write, \
      (struct doca_rdma *, const struct doca_buf *, struct doca_buf *, union doca_data, struct doca_rdma_task_write **), \
      task->src_buf, task->dst_buf) \
    T(write_imm, \
      (struct doca_rdma *, const struct doca_buf *, struct doca_buf *, doca_be32_t, union doca_data, \
       struct doca_rdma_task_write_imm **), \
      task->src_buf, task->dst_buf, task->immediate_data) \
    T(atomic_cmp_swp, \
      (struct doca_rdma *, struct doca_buf *, struct doca_buf *, uint64_t, uint64_t, union doca_data, \
       struct doca_rdma_task_atomic_cmp_swp **), \
      task->dst_buf, task->result_buf, task->cmp_data, task->swap_data) \
    T(atomic_fetch_add, \
      (struct doca_rdma *, struct doca_buf *, struct doca_buf *, uint64_t, union doca_data, \
       struct doca_rdma_task_atomic_fetch_add **), \
      task->dst_buf, task->result_buf, task->add_data) \
    T(remote_net_sync_event_get, \
      (struct doca_rdma *, const struct doca_sync_event_remote_net *, struct doca_buf *, union doca_data, \
       struct doca_rdma_task_remote_net_sync_event_get **), \
      task->sync_event, task->dst_buf) \
    T(remote_net_sync_event_notify_set, \
      (struct doca_rdma *, struct doca_sync_event_remote_net *, const struct doca_buf *, union doca_data, \
       struct doca_rdma_task_remote_net_sync_event_notify_set **), \
      (struct doca_sync_event_remote_net *)task->sync_event, task->src_buf) \
    T(remote_net_sync_event_notify_add, \
      (struct doca_rdma *, struct doca_sync_event_remote_net *, struct doca_buf *, uint64_t, union doca_data, \
       struct doca_rdma_task_remote_net_sync_event_notify_add **), \
      (struct doca_sync_event_remote_net *)task->sync_event, task->result_buf, task->add_data)

/* The fields of tasks that have setters: the kind, the field, its type. */
#define SDK_FIELDS(F) \
    F(receive, dst_buf, struct doca_buf *) \
    F(send, src_buf, const struct doca_buf *) \
    F(send_imm, src_buf, const struct doca_buf *) \
    F(send_imm, immediate_data, doca_be32_t) \
    F(read, src_buf, const struct doca_buf *) \
    F(read, dst_buf, struct doca_buf *) \
    F(write, src_buf, const struct doca_buf *) \
    F(write, dst_buf, struct doca_buf *) \
    F(write_imm, src_buf, const struct doca_buf *) \
    F(write_imm, dst_buf, struct doca_buf *) \
    F(write_imm, immediate_data, doca_be32_t) \
    F(atomic_cmp_swp, dst_buf, struct doca_buf *) \
    F(atomic_cmp_swp, result_buf, struct doca_buf *) \
    F(atomic_cmp_swp, cmp_data, uint64_t) \
    F(atomic_cmp_swp, swap_data, uint64_t) \
    F(atomic_fetch_add, dst_buf, struct doca_buf *) \
    F(atomic_fetch_add, result_buf, struct doca_buf *) \
    F(atomic_fetch_add, add_data, uint64_t) \
    F(remote_net_sync_event_get, sync_event, const struct doca_sync_event_remote_net *) \
    F(remote_net_sync_event_get, dst_buf, struct doca_buf *) \
    F(remote_net_sync_event_notify_set, sync_event, struct doca_sync_event_remote_net *) \
    F(remote_net_sync_event_notify_set, src_buf, const struct doca_buf *) \
    F(remote_net_sync_event_notify_add, sync_event, struct doca_sync_event_remote_net *) \
    F(remote_net_sync_event_notify_add, result_buf, struct doca_buf *) \
    F(remote_net_sync_event_notify_add, add_data, uint64_t)

#define SDK_MEMBER(result, name, parameters) result(*name) parameters;

#define SDK_TASK_MEMBERS(name, parameters, ...) \
    doca_error_t(*doca_rdma_task_##name##_allocate_init) parameters; \
    struct doca_task *(*doca_rdma_task_##name##_as_task)(struct doca_rdma_task_##name *); \
    doca_error_t (*doca_rdma_task_##name##_set_conf)( \
            struct doca_rdma *, doca_rdma_task_##name##_completion_cb_t, doca_rdma_task_##name##_completion_cb_t, uint32_t);

#define SDK_FIELD_MEMBER(name, field, type) \
    void (*doca_rdma_task_##name##_set_##field)(struct doca_rdma_task_##name *, type);

/* The functions of the installed SDK. Written when a library is opened, before the first call of a function. */
struct sdk {
    SDK_COMMON_FUNCTIONS(SDK_MEMBER)
    SDK_RDMA_FUNCTIONS(SDK_MEMBER)
    SDK_LENGTH_FUNCTIONS(SDK_MEMBER)
    SDK_TASKS(SDK_TASK_MEMBERS)
    SDK_FIELDS(SDK_FIELD_MEMBER)
    doca_error_t (*create_log)(char *, size_t, log_flush_callback, struct doca_log_backend **);
};

extern struct sdk sdk;

#endif /* DOCA_COMPAT_CONNECTIONS_SDK_H_ */
