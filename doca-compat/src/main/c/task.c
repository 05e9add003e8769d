/* SPDX-License-Identifier: Apache-2.0 */
#include "task.h"

#include "ctx.h"
#include "refuse.h"

bool
task_pool_is_used(const struct task_pool *pool) {
    for (uint32_t i = 0; i < pool->num_tasks; i++) {
        if (task_pool_at(pool, i)->state == TASK_SUBMITTED) {
            return true;
        }
    }
    return false;
}

void
task_end(struct doca_task *task, doca_error_t status) {
    struct doca_ctx *ctx = task->ctx;
    struct doca_pe *pe = ctx->pe;
    task->status = status;
    task->state = TASK_OWNED;
    ctx->num_inflight--;
    ctx->completing = true;
    pe->callback_depth++;
    if (task->step != NULL) {
        graph_step_ended(task->step, status);
    } else {
        (status == DOCA_SUCCESS ? task->pool->succeeded : task->pool->failed)(task, task->user_data, ctx->user_data);
    }
    pe->callback_depth--;
    ctx->completing = false;
}

/*
 * Submission
 */

static doca_error_t
refuse_submit(const struct doca_task *task) {
    if (task == NULL) {
        return REFUSE_NULL(task);
    }
    if (task->state == TASK_FREE) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "Task %p: Failed to submit: was freed before", (const void *)task);
    }
    if (task->state == TASK_SUBMITTED) {
        return REFUSE(DOCA_ERROR_BAD_STATE, "Task %p: Failed to submit: is in flight already", (const void *)task);
    }
    if (task->step != NULL) {
        return REFUSE(DOCA_ERROR_BAD_STATE, "Task %p: Failed to submit: is lent to a graph that runs", (const void *)task);
    }
    return REFUSE(DOCA_ERROR_BAD_STATE, "%s %p: Failed to submit task %p: is not running", task->ctx->ops->name,
                  (void *)task->ctx, (const void *)task);
}

doca_error_t
doca_task_submit(struct doca_task *task) {
    if (task == NULL || task->state != TASK_OWNED || task->step != NULL || task->ctx->state != DOCA_CTX_STATE_RUNNING) {
        return refuse_submit(task);
    }
    return ctx_submit(task->ctx, task);
}

doca_error_t
task_submit_step(struct doca_task *task) {
    return task->ctx->state == DOCA_CTX_STATE_RUNNING ? ctx_submit(task->ctx, task) : refuse_submit(task);
}

/* Always submits without validation: the old SDK makes the same checks for all jobs. */
doca_error_t
doca_task_try_submit(struct doca_task *task) {
    return doca_task_submit(task);
}
