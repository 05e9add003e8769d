/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "comch/task_send.h"
#include "common/sdk_log.h"

doca_error_t
comch_task_send_set_conf(struct endpoint *endpoint, doca_comch_task_send_completion_cb_t completed,
                         doca_comch_task_send_completion_cb_t failed, uint32_t num_tasks) {
    const doca_error_t result =
            comch_endpoint_check_conf(endpoint, completed == NULL || failed == NULL, "configure send tasks");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (num_tasks == 0 || num_tasks > MAX_NUM_SEND_TASKS) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "%s %p: Invalid input: %u send tasks, must be 1 to %u",
                          endpoint->ctx.ops->name, endpoint, num_tasks, MAX_NUM_SEND_TASKS);
    }
    task_pool_destroy(&endpoint->pool);
    endpoint->completed = completed;
    endpoint->failed = failed;
    return task_pool_create(&endpoint->pool, &endpoint->ctx, num_tasks, sizeof(struct doca_comch_task_send));
}

doca_error_t
comch_task_send_alloc(struct endpoint *endpoint, struct doca_comch_connection *connection, const void *message,
                      uint32_t len, struct doca_comch_task_send **task) {
    if (task == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "%s %p: Invalid input: task is NULL", endpoint->ctx.ops->name,
                          endpoint);
    }
    struct doca_task *allocated;
    const doca_error_t result = task_alloc(&endpoint->pool, &endpoint->ctx, (union doca_data){0}, &allocated);
    if (result == DOCA_SUCCESS) {
        *task = as_send(allocated);
        (*task)->connection = connection;
        (*task)->connection_id = comch_connection_is_live(connection) ? connection->id : 0;
        (*task)->message = message;
        (*task)->len = len;
    }
    return result;
}

static doca_error_t
check_message(const struct doca_comch_task_send *task) {
    const struct endpoint *endpoint = as_endpoint(task->base.ctx);
    const uint32_t longest = comch_endpoint_longest_msg(endpoint);
    if (task->message == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "%s %p: Failed to submit task %p: msg is NULL",
                          endpoint->ctx.ops->name, endpoint, task);
    }
    if (task->len == 0 || task->len > longest) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE,
                          "%s %p: Failed to submit task %p: message of %u bytes, must be 1 to %u",
                          endpoint->ctx.ops->name, endpoint, task, task->len, longest);
    }
    return DOCA_SUCCESS;
}

/* Returns whether the connection exists in this endpoint, and is the one that the task was allocated for. */
static bool
is_known(const struct doca_comch_task_send *task) {
    return comch_connection_is_live(task->connection) && task->connection->id == task->connection_id &&
           task->connection->endpoint == as_endpoint(task->base.ctx);
}

/* Submits a task. The arguments are also checked without validation. */
doca_error_t
comch_task_send_submit(struct doca_task *base, bool validate) {
    struct doca_comch_task_send *task = as_send(base);
    (void)validate;
    const doca_error_t result = check_message(task);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (!is_known(task)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_CONNECTED, "%s %p: Failed to submit task %p: has no connection %p",
                          base->ctx->ops->name, base->ctx, task, task->connection);
    }
    if (task->connection->state != CONNECTION_ESTABLISHED) {
        return SDK_REFUSE(DOCA_ERROR_CONNECTION_RESET, "%s %p: Failed to submit task %p: connection %p has ended",
                          base->ctx->ops->name, base->ctx, task, task->connection);
    }
    return comch_connection_send(task->connection, task);
}

void
comch_task_send_finish(struct doca_comch_task_send *task, doca_error_t result) {
    struct endpoint *endpoint = as_endpoint(task->base.ctx);
    free(task->copy);
    task->copy = NULL;
    task->result = result;
    TAILQ_INSERT_TAIL(&endpoint->ready, &task->base, link);
    pe_signal(endpoint->ctx.queue);
}

static void
report(struct doca_task *base) {
    const struct endpoint *endpoint = as_endpoint(base->ctx);
    (base->status == DOCA_SUCCESS ? endpoint->completed : endpoint->failed)(as_send(base), base->user_data,
                                                                            base->ctx->user_data);
}

bool
comch_task_send_report(struct endpoint *endpoint) {
    struct doca_task *base = TAILQ_FIRST(&endpoint->ready);
    if (base == NULL) {
        return false;
    }
    TAILQ_REMOVE(&endpoint->ready, base, link);
    ctx_complete(base, as_send(base)->result, false, report);
    return true;
}

struct doca_task *
doca_comch_task_send_as_task(struct doca_comch_task_send *task) {
    struct doca_task *base = (struct doca_task *)task;
    return TASK_IS_LIVE(base) ? base : NULL;
}
