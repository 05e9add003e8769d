/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks. Each task of the 3.0 API represents a task of the SDK, which is allocated when the task of the 3.0 API is first
 * submitted on a connection. The lowest bit in the pointer to its struct doca_task is set, which distinguishes it from
 * tasks of the SDK.
 */
#include "context.h"

#include <stdlib.h>
#include <string.h>

#define OWN_BIT ((uintptr_t)1)

static inline struct rdma_task *
own_task(const struct doca_task *task) {
    const uintptr_t address = (uintptr_t)task;
    return (address & OWN_BIT) == 0 ? NULL : (struct rdma_task *)(address - OWN_BIT);
}

static struct doca_task *
as_task(struct rdma_task *task) {
    return (struct doca_task *)((uintptr_t)task + OWN_BIT);
}

/*
 * Tasks of the SDK
 */

#define ALLOCATE(name, parameters, ...) \
    case TASK_##name: { \
        struct doca_rdma_task_##name *typed = NULL; \
        result = sdk.doca_rdma_task_##name##_allocate_init(task->context->rdma, __VA_ARGS__, user_data, &typed); \
        if (result == DOCA_SUCCESS) { \
            task->typed = typed; \
            task->general = sdk.doca_rdma_task_##name##_as_task(typed); \
        } \
        break; \
    }

/* Allocates the task of the SDK, if there is none yet. */
static doca_error_t
require_sdk_task(struct rdma_task *task) {
    const union doca_data user_data = {.ptr = task};
    doca_error_t result = DOCA_SUCCESS;
    if (task->general != NULL) {
        return DOCA_SUCCESS;
    }
    switch (task->kind) {
        SDK_TASKS(ALLOCATE)
    default:
        break;
    }
    return result;
}

static enum queue
queue_number(const struct rdma_task *task) {
    return task->kind == TASK_receive ? RECEIVE_QUEUE : SEND_QUEUE;
}

static struct queue_use *
queue_of(const struct rdma_task *task) {
    return &task->context->queues[queue_number(task)];
}

static doca_error_t
submit(struct rdma_task *task) {
    doca_error_t result = require_sdk_task(task);
    task->has_own_status = false;
    if (result == DOCA_SUCCESS) {
        result = sdk.doca_task_submit(task->general);
    }
    if (result == DOCA_SUCCESS) {
        task->in_flight = true;
        queue_of(task)->num_in_flight++;
    }
    return result;
}

static void
begin_waiting(struct rdma_task *task) {
    task->waits = true;
    queue_of(task)->num_waiting++;
    TAILQ_INSERT_TAIL(&task->context->waiting, task, link);
}

static void
end_waiting(struct rdma_task *task) {
    TAILQ_REMOVE(&task->context->waiting, task, link);
    queue_of(task)->num_waiting--;
    task->waits = false;
}

static void
fail(struct rdma_task *task, doca_error_t status) {
    struct rdma_context *context = task->context;
    end_waiting(task);
    task->has_own_status = true;
    task->status = status;
    context->pools[task->kind].failed(task, task->user_data, context->user_data);
}

static bool
is_for_lack_of_room(doca_error_t result) {
    return result == DOCA_ERROR_NO_MEMORY || result == DOCA_ERROR_FULL || result == DOCA_ERROR_AGAIN;
}

static struct rdma_task *
first_waiting(const struct rdma_context *context, const bool *is_full) {
    struct rdma_task *task;
    TAILQ_FOREACH(task, &context->waiting, link) {
        if (!is_full[queue_number(task)]) {
            break;
        }
    }
    return task;
}

void
tasks_submit_waiting(struct rdma_context *context) {
    bool is_full[NUM_QUEUES] = {false};
    struct rdma_task *task;
    while ((task = first_waiting(context, is_full)) != NULL) {
        const doca_error_t result = submit(task);
        if (result == DOCA_SUCCESS) {
            end_waiting(task);
        } else if (is_for_lack_of_room(result) && queue_of(task)->num_in_flight > 0) {
            is_full[queue_number(task)] = true;
        } else {
            fail(task, result);
        }
    }
}

void
tasks_fail_waiting(struct rdma_context *context) {
    while (!TAILQ_EMPTY(&context->waiting)) {
        fail(TAILQ_FIRST(&context->waiting), DOCA_ERROR_BAD_STATE);
    }
}

bool
tasks_are_in_flight(const struct rdma_context *context) {
    return context->queues[RECEIVE_QUEUE].num_in_flight > 0 || context->queues[SEND_QUEUE].num_in_flight > 0;
}

static void
end(struct rdma_task *task) {
    if (task->in_flight) {
        task->in_flight = false;
        if (queue_of(task)->num_in_flight > 0) {
            queue_of(task)->num_in_flight--;
        }
    }
}

/* Submits the waiting tasks before the callback, which may submit others. */
static void
succeeded(void *typed, union doca_data task_user_data, union doca_data ctx_user_data) {
    struct rdma_task *task = task_user_data.ptr;
    struct rdma_context *context = task->context;
    (void)typed;
    (void)ctx_user_data;
    end(task);
    if (queue_of(task)->num_waiting > 0 && context->sdk_state == DOCA_CTX_STATE_RUNNING && !context->is_stop_deferred) {
        tasks_submit_waiting(context);
    }
    context->pools[task->kind].succeeded(task, task->user_data, context->user_data);
}

/* The failure of this task may be the cause of those of the waiting tasks, so its callback comes first. */
static void
failed(void *typed, union doca_data task_user_data, union doca_data ctx_user_data) {
    struct rdma_task *task = task_user_data.ptr;
    struct rdma_context *context = task->context;
    const struct doca_rdma *rdma = context->rdma;
    (void)typed;
    (void)ctx_user_data;
    end(task);
    context->pools[task->kind].failed(task, task->user_data, context->user_data);
    /* The callback may have destroyed the context. */
    if (context_of_rdma(rdma) != context || context->is_stop_deferred) {
        return;
    }
    if (context->sdk_state == DOCA_CTX_STATE_RUNNING) {
        tasks_submit_waiting(context);
    } else {
        tasks_fail_waiting(context);
    }
}

/*
 * Pools
 */

void
tasks_init(struct rdma_context *context) {
    TAILQ_INIT(&context->waiting);
    for (size_t i = 0; i < NUM_TASK_KINDS; i++) {
        TAILQ_INIT(&context->pools[i].free);
    }
}

void
tasks_destroy(struct rdma_context *context) {
    for (size_t i = 0; i < NUM_TASK_KINDS; i++) {
        free(context->pools[i].memory);
    }
}

static doca_error_t
configure(
        struct rdma_context *context, enum task_kind kind, task_callback on_success, task_callback on_failure,
        uint32_t num_tasks) {
    struct task_pool *pool = &context->pools[kind];
    struct rdma_task *memory = calloc((size_t)num_tasks + 1, sizeof(*memory));
    if (memory == NULL || context->num_allocated > 0) {
        free(memory);
        return memory == NULL ? REFUSE(DOCA_ERROR_NO_MEMORY, "RDMA %p: No memory for %u tasks", (void *)context->rdma, num_tasks)
                              : REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to configure tasks: some are allocated",
                                       (void *)context->rdma);
    }
    free(pool->memory);
    *pool = (struct task_pool){.memory = memory, .succeeded = on_success, .failed = on_failure};
    TAILQ_INIT(&pool->free);
    for (uint32_t i = 0; i < num_tasks; i++) {
        memory[i].context = context;
        memory[i].kind = kind;
        TAILQ_INSERT_TAIL(&pool->free, &memory[i], link);
    }
    return DOCA_SUCCESS;
}

/*
 * Takes a task of the kind from its pool and copies `fields` to it. `task` points to a pointer to the type of the kind.
 */
static doca_error_t
allocate(struct doca_rdma *rdma, struct rdma_task fields, void *task) {
    struct rdma_context *context = context_of_rdma(rdma);
    if (context == NULL) {
        return REFUSE_NULL(rdma);
    }
    if (context->state != DOCA_CTX_STATE_RUNNING) {
        return REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to allocate a task: is not running", (void *)rdma);
    }
    struct task_pool *pool = &context->pools[fields.kind];
    struct rdma_task *own = pool->memory == NULL ? NULL : TAILQ_FIRST(&pool->free);
    if (own == NULL) {
        return REFUSE(DOCA_ERROR_NO_MEMORY, "RDMA %p: Failed to allocate a task: all are allocated", (void *)rdma);
    }
    TAILQ_REMOVE(&pool->free, own, link);
    *own = fields;
    own->context = context;
    context->num_allocated++;
    memcpy(task, &own, sizeof(own));
    return DOCA_SUCCESS;
}

/* Functions of libdoca_common for tasks of any library */

static doca_error_t
check_connection(const struct rdma_task *task) {
    const struct rdma_context *context = task->context;
    return task->kind == TASK_receive || task->connection == &context->connection
                   ? DOCA_SUCCESS
                   : REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Failed to submit task %p: connection %p is not of this context",
                            (void *)context->rdma, (const void *)task, (void *)task->connection);
}

static doca_error_t
submit_own(struct rdma_task *task) {
    struct rdma_context *context = task->context;
    const doca_error_t result = check_connection(task);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    const bool is_connected = context->sdk_state != DOCA_CTX_STATE_STARTING && !context->is_stop_deferred;
    if (is_connected && queue_of(task)->num_waiting == 0) {
        return submit(task);
    }
    if (context->state != DOCA_CTX_STATE_RUNNING || task->waits) {
        return REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to submit task %p: is %s", (void *)context->rdma, (void *)task,
                      task->waits ? "in flight" : "not running");
    }
    if (is_connected) {
        return REFUSE(DOCA_ERROR_NO_MEMORY, "RDMA %p: Failed to submit task %p: others wait for room", (void *)context->rdma,
                      (void *)task);
    }
    begin_waiting(task);
    return DOCA_SUCCESS;
}

doca_error_t
doca_task_submit(struct doca_task *task) {
    struct rdma_task *own = own_task(task);
    return own == NULL ? sdk.doca_task_submit(task) : submit_own(own);
}

void
doca_task_free(struct doca_task *task) {
    struct rdma_task *own = own_task(task);
    if (own == NULL) {
        sdk.doca_task_free(task);
        return;
    }
    if (own->waits) {
        (void)REFUSE(DOCA_ERROR_BAD_STATE, "Task %p: Failed to free: is in flight", (void *)own);
        return;
    }
    if (own->general != NULL) {
        sdk.doca_task_free(own->general);
    }
    own->context->num_allocated--;
    TAILQ_INSERT_HEAD(&own->context->pools[own->kind].free, own, link);
}

doca_error_t
doca_task_get_status(const struct doca_task *task) {
    const struct rdma_task *own = own_task(task);
    if (own == NULL) {
        return sdk.doca_task_get_status(task);
    }
    return own->general == NULL || own->has_own_status ? own->status : sdk.doca_task_get_status(own->general);
}

doca_error_t
doca_graph_instance_set_ctx_node_data(
        struct doca_graph_instance *graph_instance, struct doca_graph_node *node, struct doca_task *task) {
    struct rdma_task *own = own_task(task);
    if (own == NULL) {
        return sdk.doca_graph_instance_set_ctx_node_data(graph_instance, node, task);
    }
    doca_error_t result = check_connection(own);
    if (result == DOCA_SUCCESS) {
        result = require_sdk_task(own);
    }
    return result == DOCA_SUCCESS ? sdk.doca_graph_instance_set_ctx_node_data(graph_instance, node, own->general) : result;
}

/*
 * The functions of each kind
 */

#define TASK(name, parameters, ...) \
    doca_error_t doca_rdma_task_##name##_set_conf( \
            struct doca_rdma *rdma, doca_rdma_task_##name##_completion_cb_t successful_task_completion_cb, \
            doca_rdma_task_##name##_completion_cb_t error_task_completion_cb, uint32_t num_tasks) { \
        struct rdma_context *context = context_of_rdma(rdma); \
        if (context == NULL) { \
            return REFUSE_NULL(rdma); \
        } \
        const doca_error_t result = sdk.doca_rdma_task_##name##_set_conf( \
                rdma, (doca_rdma_task_##name##_completion_cb_t)succeeded, (doca_rdma_task_##name##_completion_cb_t)failed, \
                num_tasks); \
        return result != DOCA_SUCCESS ? result \
                                      : configure(context, TASK_##name, (task_callback)successful_task_completion_cb, \
                                                  (task_callback)error_task_completion_cb, num_tasks); \
    } \
    struct doca_task *doca_rdma_task_##name##_as_task(struct doca_rdma_task_##name *task) { \
        return as_task((struct rdma_task *)task); \
    }
SDK_TASKS(TASK)

#define CONNECTION(name, parameters, ...) \
    const struct doca_rdma_connection *doca_rdma_task_##name##_get_rdma_connection( \
            const struct doca_rdma_task_##name *task) { \
        return ((const struct rdma_task *)task)->connection; \
    } \
    void doca_rdma_task_##name##_set_rdma_connection( \
            struct doca_rdma_task_##name *task, struct doca_rdma_connection *rdma_connection) { \
        ((struct rdma_task *)task)->connection = rdma_connection; \
    }
SDK_TASKS_ON_CONNECTION(CONNECTION)

#define FIELD(name, field, type) \
    type doca_rdma_task_##name##_get_##field(const struct doca_rdma_task_##name *task) { \
        return (type)((const struct rdma_task *)task)->field; \
    } \
    void doca_rdma_task_##name##_set_##field(struct doca_rdma_task_##name *task, type field) { \
        struct rdma_task *own = (struct rdma_task *)task; \
        own->field = field; \
        if (own->typed != NULL) { \
            sdk.doca_rdma_task_##name##_set_##field(own->typed, field); \
        } \
    }
SDK_FIELDS(FIELD)

/*
 * Allocation
 */

doca_error_t
doca_rdma_task_receive_allocate_init(
        struct doca_rdma *rdma, struct doca_buf *dst_buf, union doca_data user_data,
        struct doca_rdma_task_receive **task) {
    return allocate(
            rdma,
            (struct rdma_task){.kind = TASK_receive, .user_data = user_data, .dst_buf = dst_buf},
            task);
}

doca_error_t
doca_rdma_task_send_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, const struct doca_buf *src_buf,
        union doca_data user_data, struct doca_rdma_task_send **task) {
    return allocate(
            rdma,
            (struct rdma_task){.kind = TASK_send, .connection = rdma_connection, .user_data = user_data,
                    .src_buf = src_buf},
            task);
}

doca_error_t
doca_rdma_task_send_imm_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, const struct doca_buf *src_buf,
        doca_be32_t immediate_data, union doca_data user_data, struct doca_rdma_task_send_imm **task) {
    return allocate(
            rdma,
            (struct rdma_task){.kind = TASK_send_imm, .connection = rdma_connection, .user_data = user_data,
                    .src_buf = src_buf, .immediate_data = immediate_data},
            task);
}

doca_error_t
doca_rdma_task_read_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, const struct doca_buf *src_buf,
        struct doca_buf *dst_buf, union doca_data user_data, struct doca_rdma_task_read **task) {
    return allocate(
            rdma,
            (struct rdma_task){.kind = TASK_read, .connection = rdma_connection, .user_data = user_data,
                    .src_buf = src_buf, .dst_buf = dst_buf},
            task);
}

doca_error_t
doca_rdma_task_write_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, const struct doca_buf *src_buf,
        struct doca_buf *dst_buf, union doca_data user_data, struct doca_rdma_task_write **task) {
    return allocate(
            rdma,
            (struct rdma_task){.kind = TASK_write, .connection = rdma_connection, .user_data = user_data,
                    .src_buf = src_buf, .dst_buf = dst_buf},
            task);
}

doca_error_t
doca_rdma_task_write_imm_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, const struct doca_buf *src_buf,
        struct doca_buf *dst_buf, doca_be32_t immediate_data, union doca_data user_data,
        struct doca_rdma_task_write_imm **task) {
    return allocate(
            rdma,
            (struct rdma_task){.kind = TASK_write_imm, .connection = rdma_connection, .user_data = user_data,
                    .src_buf = src_buf, .dst_buf = dst_buf, .immediate_data = immediate_data},
            task);
}

doca_error_t
doca_rdma_task_atomic_cmp_swp_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_buf *dst_buf,
        struct doca_buf *result_buf, uint64_t cmp_data, uint64_t swap_data, union doca_data user_data,
        struct doca_rdma_task_atomic_cmp_swp **task) {
    return allocate(
            rdma,
            (struct rdma_task){.kind = TASK_atomic_cmp_swp, .connection = rdma_connection, .user_data = user_data,
                    .dst_buf = dst_buf, .result_buf = result_buf, .cmp_data = cmp_data, .swap_data = swap_data},
            task);
}

doca_error_t
doca_rdma_task_atomic_fetch_add_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_buf *dst_buf,
        struct doca_buf *result_buf, uint64_t add_data, union doca_data user_data,
        struct doca_rdma_task_atomic_fetch_add **task) {
    return allocate(
            rdma,
            (struct rdma_task){.kind = TASK_atomic_fetch_add, .connection = rdma_connection, .user_data = user_data,
                    .dst_buf = dst_buf, .result_buf = result_buf, .add_data = add_data},
            task);
}

doca_error_t
doca_rdma_task_remote_net_sync_event_get_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection,
        const struct doca_sync_event_remote_net *event, struct doca_buf *dst_buf, union doca_data user_data,
        struct doca_rdma_task_remote_net_sync_event_get **task) {
    return allocate(
            rdma,
            (struct rdma_task){.kind = TASK_remote_net_sync_event_get, .connection = rdma_connection,
                    .user_data = user_data, .sync_event = event, .dst_buf = dst_buf},
            task);
}

doca_error_t
doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_sync_event_remote_net *event,
        const struct doca_buf *src_buf, union doca_data user_data,
        struct doca_rdma_task_remote_net_sync_event_notify_set **task) {
    return allocate(
            rdma,
            (struct rdma_task){.kind = TASK_remote_net_sync_event_notify_set, .connection = rdma_connection,
                    .user_data = user_data, .sync_event = event, .src_buf = src_buf},
            task);
}

doca_error_t
doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
        struct doca_rdma *rdma, struct doca_rdma_connection *rdma_connection, struct doca_sync_event_remote_net *event,
        struct doca_buf *result_buf, uint64_t add_data, union doca_data user_data,
        struct doca_rdma_task_remote_net_sync_event_notify_add **task) {
    return allocate(
            rdma,
            (struct rdma_task){.kind = TASK_remote_net_sync_event_notify_add, .connection = rdma_connection,
                    .user_data = user_data, .sync_event = event, .result_buf = result_buf, .add_data = add_data},
            task);
}

/* Results of tasks that have succeeded and therefore have a task of the SDK */

#define RESULT(type, name, field) \
    type doca_rdma_task_##name##_get_##field(const struct doca_rdma_task_##name *task) { \
        return sdk.doca_rdma_task_##name##_get_##field(((const struct rdma_task *)task)->typed); \
    }
RESULT(uint32_t, receive, result_len)
RESULT(enum doca_rdma_opcode, receive, result_opcode)
RESULT(doca_be32_t, receive, result_immediate_data)
RESULT(uint32_t, read, result_len)
RESULT(uint32_t, remote_net_sync_event_get, result_len)

const struct doca_rdma_connection *
doca_rdma_task_receive_get_result_rdma_connection(const struct doca_rdma_task_receive *task) {
    return &((const struct rdma_task *)task)->context->connection;
}
