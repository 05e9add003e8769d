/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A double of the SDK of DOCA 2.5 with two RDMA contexts, whose results a test sets. Its functions have other names in C,
 * because later releases have declared some of them differently. Used by one thread.
 */
#include "connections_double.h"

#include <stdlib.h>
#include <string.h>

#include "sdk.h"

struct connections_double connections_double;

/* Tasks of all kinds are the same. */
struct sdk_task {
    struct context_double *context;
    task_double_callback succeeded;
    task_double_callback failed;
    union doca_data user_data;
    doca_error_t status;
};

struct kind {
    task_double_callback succeeded;
    task_double_callback failed;
};

static struct kind receives;
static struct kind writes;
static struct sdk_task *in_flight[8];
static size_t num_in_flight;

/* Defines a function of the SDK, of that name. */
#define SDK(result, name, parameters) \
    result double_##name parameters __asm__(#name); \
    result double_##name parameters

/* Returns NULL if the pointer is to an object of another kind. */
static struct context_double *
context_of(const void *ctx) {
    for (size_t i = 0; i < connections_double.num_contexts; i++) {
        if (ctx == &connections_double.contexts[i]) {
            return &connections_double.contexts[i];
        }
    }
    return NULL;
}

static void
change_state(struct context_double *context, enum doca_ctx_states next) {
    const enum doca_ctx_states previous = context->state;
    context->state = next;
    connections_double.state = next;
    context->state_changed(context->user_data, (struct doca_ctx *)context, previous, next);
}

SDK(doca_error_t, doca_rdma_create, (struct doca_dev *dev, struct doca_rdma **rdma)) {
    (void)dev;
    *rdma = (struct doca_rdma *)&connections_double.contexts[connections_double.num_contexts++];
    connections_double.ctx = (struct doca_ctx *)*rdma;
    return DOCA_SUCCESS;
}

SDK(struct doca_ctx *, doca_rdma_as_ctx, (struct doca_rdma *rdma)) {
    return (struct doca_ctx *)rdma;
}

SDK(doca_error_t, doca_ctx_set_user_data, (struct doca_ctx *ctx, union doca_data user_data)) {
    struct context_double *context = context_of(ctx);
    *(context == NULL ? &connections_double.user_data : &context->user_data) = user_data;
    return DOCA_SUCCESS;
}

SDK(doca_error_t, doca_ctx_set_state_changed_cb, (struct doca_ctx *ctx, doca_ctx_state_changed_callback_t callback)) {
    context_of(ctx)->state_changed = callback;
    return DOCA_SUCCESS;
}

SDK(doca_error_t, doca_ctx_start, (struct doca_ctx *ctx)) {
    change_state(context_of(ctx), DOCA_CTX_STATE_STARTING);
    return DOCA_ERROR_IN_PROGRESS;
}

SDK(doca_error_t, doca_ctx_stop, (struct doca_ctx *ctx)) {
    struct context_double *context = context_of(ctx);
    if (context->state == DOCA_CTX_STATE_RUNNING) {
        change_state(context, DOCA_CTX_STATE_STOPPING);
    }
    context->connected = false;
    change_state(context, DOCA_CTX_STATE_IDLE);
    return DOCA_SUCCESS;
}

SDK(uint8_t, doca_pe_progress, (struct doca_pe *pe)) {
    uint8_t progressed = 0;
    (void)pe;
    for (size_t i = 0; i < connections_double.num_contexts; i++) {
        struct context_double *context = &connections_double.contexts[i];
        if (context->connected && context->state == DOCA_CTX_STATE_STARTING) {
            change_state(context, DOCA_CTX_STATE_RUNNING);
            progressed = 1;
        }
    }
    return progressed;
}

SDK(doca_error_t, doca_rdma_export, (const struct doca_rdma *rdma, const void **details, size_t *size)) {
    (void)rdma;
    *details = "me";
    *size = sizeof("me");
    return DOCA_SUCCESS;
}

SDK(doca_error_t, doca_rdma_connect, (struct doca_rdma *rdma, const void *details, size_t size)) {
    struct context_double *context = context_of(rdma);
    context->connected = size == sizeof("you") && memcmp(details, "you", size) == 0;
    return context->connected ? DOCA_SUCCESS : DOCA_ERROR_CONNECTION_ABORTED;
}

/*
 * Tasks
 */

SDK(doca_error_t, doca_rdma_task_receive_set_conf,
    (struct doca_rdma *rdma, task_double_callback succeeded, task_double_callback failed, uint32_t num_tasks)) {
    (void)rdma;
    (void)num_tasks;
    receives = (struct kind){.succeeded = succeeded, .failed = failed};
    return DOCA_SUCCESS;
}

SDK(doca_error_t, doca_rdma_task_write_set_conf,
    (struct doca_rdma *rdma, task_double_callback succeeded, task_double_callback failed, uint32_t num_tasks)) {
    (void)rdma;
    (void)num_tasks;
    writes = (struct kind){.succeeded = succeeded, .failed = failed};
    return DOCA_SUCCESS;
}

static doca_error_t
allocate(struct doca_rdma *rdma, const struct kind *kind, union doca_data user_data, void **task) {
    struct context_double *context = context_of(rdma);
    if (context->state != DOCA_CTX_STATE_RUNNING) {
        return DOCA_ERROR_BAD_STATE;
    }
    struct sdk_task *allocated = calloc(1, sizeof(*allocated));
    *allocated = (struct sdk_task){.context = context, .succeeded = kind->succeeded, .failed = kind->failed, .user_data = user_data};
    *task = allocated;
    connections_double.num_allocated++;
    return DOCA_SUCCESS;
}

SDK(doca_error_t, doca_rdma_task_receive_allocate_init,
    (struct doca_rdma *rdma, struct doca_buf *dst_buf, union doca_data user_data, void **task)) {
    connections_double.dst_buf = dst_buf;
    return allocate(rdma, &receives, user_data, task);
}

SDK(doca_error_t, doca_rdma_task_write_allocate_init,
    (struct doca_rdma *rdma, const struct doca_buf *src_buf, struct doca_buf *dst_buf, union doca_data user_data,
     void **task)) {
    connections_double.src_buf = src_buf;
    connections_double.dst_buf = dst_buf;
    return allocate(rdma, &writes, user_data, task);
}

SDK(struct doca_task *, doca_rdma_task_receive_as_task, (void *task)) {
    return task;
}

SDK(struct doca_task *, doca_rdma_task_write_as_task, (void *task)) {
    return task;
}

SDK(void, doca_rdma_task_write_set_src_buf, (void *task, const struct doca_buf *src_buf)) {
    (void)task;
    connections_double.src_buf = src_buf;
}

SDK(void, doca_rdma_task_write_set_dst_buf, (void *task, struct doca_buf *dst_buf)) {
    (void)task;
    connections_double.dst_buf = dst_buf;
}

SDK(doca_error_t, doca_task_submit, (struct doca_task *task)) {
    connections_double.last_task = task;
    if (connections_double.capacity > 0 && num_in_flight == connections_double.capacity) {
        return DOCA_ERROR_NO_MEMORY;
    }
    if (connections_double.submit_result == DOCA_SUCCESS) {
        connections_double.num_submitted++;
        in_flight[num_in_flight++] = (struct sdk_task *)task;
    }
    return connections_double.submit_result;
}

SDK(doca_error_t, doca_task_get_status, (const struct doca_task *task)) {
    return ((const struct sdk_task *)task)->status;
}

SDK(void, doca_task_free, (struct doca_task *task)) {
    connections_double.num_allocated--;
    free(task);
}

SDK(doca_error_t, doca_graph_instance_set_ctx_node_data,
    (struct doca_graph_instance *instance, struct doca_graph_node *node, struct doca_task *task)) {
    (void)instance;
    (void)node;
    connections_double.node_task = task;
    return DOCA_SUCCESS;
}

SDK(uint32_t, doca_rdma_task_receive_get_result_length, (const void *task)) {
    (void)task;
    return 40;
}

SDK(enum doca_rdma_opcode, doca_rdma_task_receive_get_result_opcode, (const void *task)) {
    (void)task;
    return DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM;
}

SDK(doca_be32_t, doca_rdma_task_receive_get_result_immediate_data, (const void *task)) {
    (void)task;
    return 41;
}

void
connections_double_end(bool success) {
    struct sdk_task *task = in_flight[0];
    memmove(in_flight, in_flight + 1, --num_in_flight * sizeof(*in_flight));
    task->status = success ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
    (success ? task->succeeded : task->failed)(task, task->user_data, task->context->user_data);
}

void
connections_double_break(void) {
    connections_double.submit_result = DOCA_ERROR_BAD_STATE;
    change_state(context_of(connections_double.ctx), DOCA_CTX_STATE_STOPPING);
}
