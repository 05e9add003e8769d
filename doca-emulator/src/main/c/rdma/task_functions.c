/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The API functions that configure, create, read and change tasks. The kinds differ in their types and in the members of
 * their tasks.
 */
#include "common/property.h"
#include "common/sdk_log.h"
#include "rdma/rdma.h"

#define MAX_NUM_TASKS (1 << 20)

/*
 * For all kinds
 */

void
rdma_dispose_tasks(struct rdma_task_conf *conf) {
    for (uint32_t i = 0; i < conf->pool.num_tasks; i++) {
        rdma_extents_dispose(&as_rdma_task(task_pool_at(&conf->pool, i))->local);
    }
    task_pool_destroy(&conf->pool);
}

static doca_error_t
check_conf(const struct doca_rdma *rdma, const char *kind, rdma_task_callback_t completed,
           rdma_task_callback_t failed, uint32_t num_tasks) {
    if (completed == NULL || failed == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Invalid input: %s is NULL", rdma,
                          completed == NULL ? "successful_task_completion_cb" : "error_task_completion_cb");
    }
    if (num_tasks > MAX_NUM_TASKS) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Invalid input: %u %s tasks, must be up to %d", rdma,
                          num_tasks, kind, MAX_NUM_TASKS);
    }
    if (rdma->ctx.state != DOCA_CTX_STATE_IDLE) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to configure %s tasks: is %s and not idle", rdma,
                          kind, ctx_state_name(&rdma->ctx));
    }
    return DOCA_SUCCESS;
}

static doca_error_t
set_conf(struct doca_rdma *rdma, enum rdma_task_kind kind, const char *name, rdma_task_callback_t completed,
         rdma_task_callback_t failed, uint32_t num_tasks) {
    if (!IS_LIVE(rdma_class, rdma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    doca_error_t result = check_conf(rdma, name, completed, failed, num_tasks);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    struct rdma_task_conf *conf = &rdma->confs[kind];
    rdma_dispose_tasks(conf);
    conf->completed = completed;
    conf->failed = failed;
    return task_pool_create(&conf->pool, &rdma->ctx, num_tasks, sizeof(struct rdma_task));
}

/* Creates a task with these arguments; arguments that the kind does not have are zero. */
static doca_error_t
alloc(struct doca_rdma *rdma, const struct rdma_task *arguments, union doca_data user_data, struct rdma_task **task) {
    struct doca_task *allocated;
    if (!IS_LIVE(rdma_class, rdma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (task == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Invalid input: task is NULL", rdma);
    }
    const doca_error_t result =
            task_alloc(&rdma->confs[arguments->kind].pool, &rdma->ctx, user_data, &allocated);
    if (result == DOCA_SUCCESS) {
        struct rdma_task *created = as_rdma_task(allocated);
        created->kind = arguments->kind;
        created->connection = arguments->connection;
        created->src = arguments->src;
        created->dst = arguments->dst;
        created->result_buf = arguments->result_buf;
        created->event = arguments->event;
        created->immediate = arguments->immediate;
        created->cmp_data = arguments->cmp_data;
        created->data = arguments->data;
        *task = created;
    }
    return result;
}

/* Refuses a NULL task. */
static bool
is_task(const void *task) {
    return TASK_IS_LIVE((const struct doca_task *)task);
}

/* Refuses a task in flight, too. */
static bool
may_change(const void *task) {
    return TASK_MAY_CHANGE((const struct doca_task *)task);
}

#define OF(task) ((struct rdma_task *)(task))

/* Defines the functions that all kinds have. */
#define TASK_COMMON(name, kind) \
    doca_error_t doca_rdma_task_##name##_set_conf( \
            struct doca_rdma *rdma, doca_rdma_task_##name##_completion_cb_t successful_task_completion_cb, \
            doca_rdma_task_##name##_completion_cb_t error_task_completion_cb, uint32_t num_tasks) { \
        return set_conf(rdma, kind, #name, (rdma_task_callback_t)successful_task_completion_cb, \
                        (rdma_task_callback_t)error_task_completion_cb, num_tasks); \
    } \
    struct doca_task *doca_rdma_task_##name##_as_task(struct doca_rdma_task_##name *task) { \
        return is_task(task) ? (struct doca_task *)task : NULL; \
    }

/* Defines the getter of a property of the task, with its name in the API. */
#define TASK_GETTER(name, part, type, member, none) \
    type doca_rdma_task_##name##_get_##part(const struct doca_rdma_task_##name *task) { \
        return is_task(task) ? OF(task)->member : (none); \
    }

#define TASK_PROPERTY(name, part, type, member, none) \
    TASK_GETTER(name, part, type, member, none) \
    void doca_rdma_task_##name##_set_##part(struct doca_rdma_task_##name *task, type part) { \
        if (may_change(task)) { \
            OF(task)->member = part; \
        } \
    }

/* Defines the functions of the connection, whose getter returns it as const. */
#define TASK_CONNECTION(name) \
    TASK_GETTER(name, rdma_connection, const struct doca_rdma_connection *, connection, NULL) \
    void doca_rdma_task_##name##_set_rdma_connection( \
            struct doca_rdma_task_##name *task, struct doca_rdma_connection *rdma_connection) { \
        if (may_change(task)) { \
            OF(task)->connection = rdma_connection; \
        } \
    }

#define TASK_SOURCE(name) TASK_PROPERTY(name, src_buf, const struct doca_buf *, src, NULL)
#define TASK_DESTINATION(name) TASK_PROPERTY(name, dst_buf, struct doca_buf *, dst, NULL)
#define TASK_RESULT_BUF(name) TASK_PROPERTY(name, result_buf, struct doca_buf *, result_buf, NULL)
#define TASK_IMMEDIATE(name) TASK_PROPERTY(name, immediate_data, doca_be32_t, immediate, 0)

/*
 * Receive
 */

TASK_COMMON(receive, RDMA_TASK_RECEIVE)
TASK_DESTINATION(receive)
TASK_GETTER(receive, result_opcode, enum doca_rdma_opcode, result_opcode, DOCA_RDMA_OPCODE_RECV_SEND)
TASK_GETTER(receive, result_len, uint32_t, result_len, 0)
TASK_GETTER(receive, result_immediate_data, doca_be32_t, result_immediate, 0)
TASK_GETTER(receive, result_rdma_connection, const struct doca_rdma_connection *, result_connection, NULL)

doca_error_t
doca_rdma_task_receive_allocate_init(struct doca_rdma *rdma, struct doca_buf *dst_buf, union doca_data user_data,
                                     struct doca_rdma_task_receive **task) {
    const struct rdma_task arguments = {.kind = RDMA_TASK_RECEIVE, .dst = dst_buf};
    return alloc(rdma, &arguments, user_data, (struct rdma_task **)task);
}

/*
 * Send
 */

TASK_COMMON(send, RDMA_TASK_SEND)
TASK_CONNECTION(send)
TASK_SOURCE(send)

doca_error_t
doca_rdma_task_send_allocate_init(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
                                  const struct doca_buf *src_buf, union doca_data user_data,
                                  struct doca_rdma_task_send **task) {
    const struct rdma_task arguments = {.kind = RDMA_TASK_SEND, .connection = rdma_connection, .src = src_buf};
    return alloc(rdma, &arguments, user_data, (struct rdma_task **)task);
}

TASK_COMMON(send_imm, RDMA_TASK_SEND_IMM)
TASK_CONNECTION(send_imm)
TASK_SOURCE(send_imm)
TASK_IMMEDIATE(send_imm)

doca_error_t
doca_rdma_task_send_imm_allocate_init(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
                                      const struct doca_buf *src_buf, doca_be32_t immediate_data,
                                      union doca_data user_data, struct doca_rdma_task_send_imm **task) {
    const struct rdma_task arguments = {.kind = RDMA_TASK_SEND_IMM,
                                        .connection = rdma_connection,
                                        .src = src_buf,
                                        .immediate = immediate_data};
    return alloc(rdma, &arguments, user_data, (struct rdma_task **)task);
}

/*
 * Read and write
 */

TASK_COMMON(read, RDMA_TASK_READ)
TASK_CONNECTION(read)
TASK_SOURCE(read)
TASK_DESTINATION(read)
TASK_GETTER(read, result_len, uint32_t, result_len, 0)

doca_error_t
doca_rdma_task_read_allocate_init(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
                                  const struct doca_buf *src_buf, struct doca_buf *dst_buf, union doca_data user_data,
                                  struct doca_rdma_task_read **task) {
    const struct rdma_task arguments = {
            .kind = RDMA_TASK_READ, .connection = rdma_connection, .src = src_buf, .dst = dst_buf};
    return alloc(rdma, &arguments, user_data, (struct rdma_task **)task);
}

TASK_COMMON(write, RDMA_TASK_WRITE)
TASK_CONNECTION(write)
TASK_SOURCE(write)
TASK_DESTINATION(write)

doca_error_t
doca_rdma_task_write_allocate_init(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
                                   const struct doca_buf *src_buf, struct doca_buf *dst_buf,
                                   union doca_data user_data, struct doca_rdma_task_write **task) {
    const struct rdma_task arguments = {
            .kind = RDMA_TASK_WRITE, .connection = rdma_connection, .src = src_buf, .dst = dst_buf};
    return alloc(rdma, &arguments, user_data, (struct rdma_task **)task);
}

TASK_COMMON(write_imm, RDMA_TASK_WRITE_IMM)
TASK_CONNECTION(write_imm)
TASK_SOURCE(write_imm)
TASK_DESTINATION(write_imm)
TASK_IMMEDIATE(write_imm)

doca_error_t
doca_rdma_task_write_imm_allocate_init(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
                                       const struct doca_buf *src_buf, struct doca_buf *dst_buf,
                                       doca_be32_t immediate_data, union doca_data user_data,
                                       struct doca_rdma_task_write_imm **task) {
    const struct rdma_task arguments = {.kind = RDMA_TASK_WRITE_IMM,
                                        .connection = rdma_connection,
                                        .src = src_buf,
                                        .dst = dst_buf,
                                        .immediate = immediate_data};
    return alloc(rdma, &arguments, user_data, (struct rdma_task **)task);
}

/*
 * Atomics
 */

TASK_COMMON(atomic_cmp_swp, RDMA_TASK_ATOMIC_CMP_SWP)
TASK_CONNECTION(atomic_cmp_swp)
TASK_DESTINATION(atomic_cmp_swp)
TASK_RESULT_BUF(atomic_cmp_swp)
TASK_PROPERTY(atomic_cmp_swp, cmp_data, uint64_t, cmp_data, 0)
TASK_PROPERTY(atomic_cmp_swp, swap_data, uint64_t, data, 0)

doca_error_t
doca_rdma_task_atomic_cmp_swp_allocate_init(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
                                            struct doca_buf *dst_buf, struct doca_buf *result_buf, uint64_t cmp_data,
                                            uint64_t swap_data, union doca_data user_data,
                                            struct doca_rdma_task_atomic_cmp_swp **task) {
    const struct rdma_task arguments = {.kind = RDMA_TASK_ATOMIC_CMP_SWP,
                                        .connection = rdma_connection,
                                        .dst = dst_buf,
                                        .result_buf = result_buf,
                                        .cmp_data = cmp_data,
                                        .data = swap_data};
    return alloc(rdma, &arguments, user_data, (struct rdma_task **)task);
}

TASK_COMMON(atomic_fetch_add, RDMA_TASK_ATOMIC_FETCH_ADD)
TASK_CONNECTION(atomic_fetch_add)
TASK_DESTINATION(atomic_fetch_add)
TASK_RESULT_BUF(atomic_fetch_add)
TASK_PROPERTY(atomic_fetch_add, add_data, uint64_t, data, 0)

doca_error_t
doca_rdma_task_atomic_fetch_add_allocate_init(struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
                                              struct doca_buf *dst_buf, struct doca_buf *result_buf,
                                              uint64_t add_data, union doca_data user_data,
                                              struct doca_rdma_task_atomic_fetch_add **task) {
    const struct rdma_task arguments = {.kind = RDMA_TASK_ATOMIC_FETCH_ADD,
                                        .connection = rdma_connection,
                                        .dst = dst_buf,
                                        .result_buf = result_buf,
                                        .data = add_data};
    return alloc(rdma, &arguments, user_data, (struct rdma_task **)task);
}

/*
 * Sync events of peers
 */

TASK_COMMON(remote_net_sync_event_get, RDMA_TASK_EVENT_GET)
TASK_CONNECTION(remote_net_sync_event_get)
TASK_DESTINATION(remote_net_sync_event_get)
TASK_GETTER(remote_net_sync_event_get, result_len, uint32_t, result_len, 0)
TASK_GETTER(remote_net_sync_event_get, sync_event, const struct doca_sync_event_remote_net *, event, NULL)

/* Casts the event, which is const in the API for tasks that only read it. */
static struct doca_sync_event_remote_net *
without_const(const struct doca_sync_event_remote_net *event) {
    return (struct doca_sync_event_remote_net *)(uintptr_t)event;
}

void
doca_rdma_task_remote_net_sync_event_get_set_sync_event(
        struct doca_rdma_task_remote_net_sync_event_get *task, const struct doca_sync_event_remote_net *event) {
    if (may_change(task)) {
        OF(task)->event = without_const(event);
    }
}

doca_error_t
doca_rdma_task_remote_net_sync_event_get_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
        const struct doca_sync_event_remote_net *event, struct doca_buf *dst_buf, union doca_data user_data,
        struct doca_rdma_task_remote_net_sync_event_get **task) {
    const struct rdma_task arguments = {.kind = RDMA_TASK_EVENT_GET,
                                        .connection = rdma_connection,
                                        .event = without_const(event),
                                        .dst = dst_buf};
    return alloc(rdma, &arguments, user_data, (struct rdma_task **)task);
}

#define TASK_EVENT(name) TASK_PROPERTY(name, sync_event, struct doca_sync_event_remote_net *, event, NULL)

TASK_COMMON(remote_net_sync_event_notify_add, RDMA_TASK_EVENT_NOTIFY_ADD)
TASK_CONNECTION(remote_net_sync_event_notify_add)
TASK_EVENT(remote_net_sync_event_notify_add)
TASK_RESULT_BUF(remote_net_sync_event_notify_add)
TASK_PROPERTY(remote_net_sync_event_notify_add, add_data, uint64_t, data, 0)

doca_error_t
doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_sync_event_remote_net *event,
        struct doca_buf *result_buf, uint64_t add_data, union doca_data user_data,
        struct doca_rdma_task_remote_net_sync_event_notify_add **task) {
    const struct rdma_task arguments = {.kind = RDMA_TASK_EVENT_NOTIFY_ADD,
                                        .connection = rdma_connection,
                                        .event = event,
                                        .result_buf = result_buf,
                                        .data = add_data};
    return alloc(rdma, &arguments, user_data, (struct rdma_task **)task);
}

TASK_COMMON(remote_net_sync_event_notify_set, RDMA_TASK_EVENT_NOTIFY_SET)
TASK_CONNECTION(remote_net_sync_event_notify_set)
TASK_EVENT(remote_net_sync_event_notify_set)
TASK_SOURCE(remote_net_sync_event_notify_set)

doca_error_t
doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_sync_event_remote_net *event,
        const struct doca_buf *src_buf, union doca_data user_data,
        struct doca_rdma_task_remote_net_sync_event_notify_set **task) {
    const struct rdma_task arguments = {.kind = RDMA_TASK_EVENT_NOTIFY_SET,
                                        .connection = rdma_connection,
                                        .event = event,
                                        .src = src_buf};
    return alloc(rdma, &arguments, user_data, (struct rdma_task **)task);
}
