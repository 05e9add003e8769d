/* SPDX-License-Identifier: Apache-2.0 */
/* Pools of tasks, and the properties of tasks. Also compiled by doca-compat. */
#include <string.h>

#include "array_store.h"
#include "ctx.h"
#include "sdk_log.h"
#include "task.h"

static struct array_store pools;

struct doca_task *
task_pool_at(const struct task_pool *pool, uint32_t index) {
    return (struct doca_task *)(pool->memory->elements + index * pool->task_size);
}

doca_error_t
task_pool_create(struct task_pool *pool, struct doca_ctx *ctx, uint32_t num_tasks, size_t task_size) {
    pool->memory = array_store_take(&pools, num_tasks, task_size);
    if (pool->memory == NULL) {
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "%s %p: No memory for %u tasks", ctx->ops->name, ctx, num_tasks);
    }
    pool->task_size = task_size;
    pool->num_tasks = num_tasks;
    TAILQ_INIT(&pool->free);
    for (uint32_t i = 0; i < num_tasks; i++) {
        struct doca_task *task = task_pool_at(pool, i);
        memset(task, 0, task_size);
        *task = (struct doca_task){.state = TASK_FREE, .ctx = ctx, .pool = pool};
        TAILQ_INSERT_TAIL(&pool->free, task, link);
    }
    return DOCA_SUCCESS;
}

void
task_pool_destroy(struct task_pool *pool) {
    for (uint32_t i = 0; i < pool->num_tasks; i++) {
        task_pool_at(pool, i)->state = TASK_FREE;
    }
    if (pool->memory != NULL) {
        array_store_return(&pools, pool->memory);
    }
    pool->memory = NULL;
    pool->num_tasks = 0;
}

doca_error_t
task_alloc(struct task_pool *pool, struct doca_ctx *ctx, union doca_data user_data, struct doca_task **task) {
    if (ctx->state != DOCA_CTX_STATE_RUNNING) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "%s %p: Failed to allocate a task: is %s and not running",
                          ctx->ops->name, ctx, ctx_state_name(ctx));
    }
    return task_take(pool, ctx, user_data, task);
}

doca_error_t
task_take(struct task_pool *pool, struct doca_ctx *ctx, union doca_data user_data, struct doca_task **task) {
    struct doca_task *allocated = pool->num_tasks == 0 ? NULL : TAILQ_FIRST(&pool->free);
    if (allocated == NULL) {
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "%s %p: Failed to allocate a task: all %u are allocated",
                          ctx->ops->name, ctx, pool->num_tasks);
    }
    TAILQ_REMOVE(&pool->free, allocated, link);
    allocated->state = TASK_OWNED;
    allocated->status = DOCA_SUCCESS;
    allocated->user_data = user_data;
    ctx->num_allocated++;
    *task = allocated;
    return DOCA_SUCCESS;
}

void
doca_task_free(struct doca_task *task) {
    if (!TASK_IS_LIVE(task)) {
        return;
    }
    if (task->state != TASK_OWNED || task->step != NULL) {
        SDK_LOG_ERR("Task %p: Failed to free: %s", task,
                    task->state == TASK_FREE        ? "was freed before"
                    : task->state == TASK_SUBMITTED ? "is in flight"
                                                    : "is lent to a graph that runs");
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
    return TASK_IS_LIVE(task) ? task->status : DOCA_ERROR_INVALID_VALUE;
}

struct doca_ctx *
doca_task_get_ctx(const struct doca_task *task) {
    return TASK_IS_LIVE(task) ? task->ctx : NULL;
}

union doca_data
doca_task_get_user_data(const struct doca_task *task) {
    return TASK_IS_LIVE(task) ? task->user_data : (union doca_data){0};
}

void
doca_task_set_user_data(struct doca_task *task, union doca_data user_data) {
    if (TASK_IS_LIVE(task)) {
        task->user_data = user_data;
    }
}
