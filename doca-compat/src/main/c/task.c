/* SPDX-License-Identifier: Apache-2.0 */
#include "task.h"

#include <string.h>

#include "array_store.h"
#include "ctx.h"
#include "refuse.h"

static struct array_store pools;

static struct doca_task *
task_at(const struct task_pool *pool, uint32_t index) {
    return (struct doca_task *)pool->memory->elements + index;
}

doca_error_t
task_pool_create(struct task_pool *pool, struct doca_ctx *ctx) {
    TAILQ_INIT(&pool->free);
    if (pool->num_tasks == 0) {
        return DOCA_SUCCESS;
    }
    pool->memory = array_store_take(&pools, pool->num_tasks, sizeof(struct doca_task));
    if (pool->memory == NULL) {
        return REFUSE(DOCA_ERROR_NO_MEMORY, "%s %p: No memory for %u tasks", ctx->ops->name, (void *)ctx,
                      pool->num_tasks);
    }
    for (uint32_t i = 0; i < pool->num_tasks; i++) {
        struct doca_task *task = task_at(pool, i);
        memset(task, 0, sizeof(*task));
        task->ctx = ctx;
        task->pool = pool;
        task->job.base = (struct old_job){.type = pool->job_type, .ctx = ctx->old, .user_data = {.ptr = task}};
        TAILQ_INSERT_TAIL(&pool->free, task, link);
    }
    return DOCA_SUCCESS;
}

void
task_pool_destroy(struct task_pool *pool) {
    /* All tasks of an idle context are free. */
    if (pool->memory != NULL) {
        array_store_return(&pools, pool->memory);
        pool->memory = NULL;
    }
    TAILQ_INIT(&pool->free);
}

doca_error_t
task_alloc(struct task_pool *pool, struct doca_ctx *ctx, union doca_data user_data, struct doca_task **task) {
    if (ctx->state != DOCA_CTX_STATE_RUNNING) {
        return REFUSE(DOCA_ERROR_BAD_STATE, "%s %p: Failed to allocate a task: is not running", ctx->ops->name,
                      (void *)ctx);
    }
    struct doca_task *allocated = TAILQ_FIRST(&pool->free);
    if (allocated == NULL) {
        return REFUSE(DOCA_ERROR_NO_MEMORY, "%s %p: Failed to allocate a task: all %u are allocated", ctx->ops->name,
                      (void *)ctx, pool->num_tasks);
    }
    TAILQ_REMOVE(&pool->free, allocated, link);
    allocated->state = TASK_OWNED;
    allocated->status = DOCA_SUCCESS;
    allocated->user_data = user_data;
    ctx->num_allocated++;
    *task = allocated;
    return DOCA_SUCCESS;
}

bool
task_pool_is_used(const struct task_pool *pool) {
    for (uint32_t i = 0; pool->memory != NULL && i < pool->num_tasks; i++) {
        if (task_at(pool, i)->state == TASK_SUBMITTED) {
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

void
doca_task_free(struct doca_task *task) {
    if (task == NULL || task->state != TASK_OWNED || task->step != NULL) {
        (void)REFUSE(DOCA_ERROR_BAD_STATE, "Task %p: Failed to free: is free, in flight, or lent to a graph", (void *)task);
        return;
    }
    struct doca_ctx *ctx = task->ctx;
    task->state = TASK_FREE;
    TAILQ_INSERT_HEAD(&task->pool->free, task, link);
    ctx->num_allocated--;
}

/*
 * Properties
 */

doca_error_t
doca_task_get_status(const struct doca_task *task) {
    return task == NULL ? REFUSE_NULL(task) : task->status;
}

struct doca_ctx *
doca_task_get_ctx(const struct doca_task *task) {
    return task == NULL ? NULL : task->ctx;
}

union doca_data
doca_task_get_user_data(const struct doca_task *task) {
    return task == NULL ? (union doca_data){0} : task->user_data;
}

void
doca_task_set_user_data(struct doca_task *task, union doca_data user_data) {
    if (task != NULL) {
        task->user_data = user_data;
    }
}
