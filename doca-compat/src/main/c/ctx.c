/* SPDX-License-Identifier: Apache-2.0 */
#include "ctx.h"

#include <time.h>

#include "refuse.h"

#define STOP_INTERVAL_MS 100

/* Changes the state and notifies the program, which may destroy the context once it is idle. */
static void
enter(struct doca_ctx *ctx, enum doca_ctx_states next) {
    const enum doca_ctx_states previous = ctx->state;
    struct doca_pe *pe = ctx->pe;
    ctx->state = next;
    if (ctx->state_changed != NULL) {
        pe->callback_depth++;
        ctx->state_changed(ctx->user_data, ctx, previous, next);
        pe->callback_depth--;
    }
}

static void
destroy_pools(struct doca_ctx *ctx) {
    for (uint32_t i = 0; i < ctx->num_pools; i++) {
        task_pool_destroy(&ctx->pools[i]);
    }
}

static uint64_t
now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Returns false if the old SDK does not stop the context because another process still accesses memory through it. */
static bool
release(struct doca_ctx *ctx) {
    if (ctx->member.workq != NULL) {
        (void)old.doca_ctx_workq_rm(ctx->old, ctx->member.workq);
        pe_close_queue(&ctx->member);
    }
    if (old.doca_ctx_stop(ctx->old) == DOCA_ERROR_IN_USE) {
        ctx->stop_again_at_ms = now_ms() + STOP_INTERVAL_MS;
        return false;
    }
    ctx->stop_again_at_ms = 0;
    if (ctx->ops->stopped != NULL) {
        ctx->ops->stopped(ctx);
    }
    return true;
}

/* Makes a context without tasks idle, unless a stop was refused a short time ago. */
static bool
try_become_idle(struct doca_ctx *ctx) {
    if (now_ms() < ctx->stop_again_at_ms || !release(ctx)) {
        return false;
    }
    enter(ctx, DOCA_CTX_STATE_IDLE);
    return true;
}

/* Work queues cannot be flushed: jobs in the queue complete normally, and tasks that wait for an entry fail. */
static void
begin_stop(struct doca_ctx *ctx) {
    TAILQ_CONCAT(&ctx->flushed, &ctx->waiting[0], link);
    TAILQ_CONCAT(&ctx->flushed, &ctx->waiting[1], link);
    enter(ctx, DOCA_CTX_STATE_STOPPING);
    if (ctx->ops->drain != NULL && ctx->num_queued > 0) {
        ctx->ops->drain(ctx);
    }
    if (ctx->member.ops->has_work(&ctx->member)) {
        pe_wake(ctx->pe);
    }
}

void
ctx_fail(struct doca_ctx *ctx) {
    ctx->is_broken = true;
    if (ctx->state == DOCA_CTX_STATE_RUNNING) {
        begin_stop(ctx);
    }
}

/*
 * Tasks
 */

static doca_error_t
queue(struct doca_ctx *ctx, struct doca_task *task) {
    const doca_error_t result = ctx->ops->submit != NULL ? ctx->ops->submit(ctx, task)
                                                         : old.doca_workq_submit(ctx->member.workq, &task->job.base);
    ctx->num_queued += result == DOCA_SUCCESS;
    return result;
}

static void
mark_submitted(struct doca_ctx *ctx, struct doca_task *task) {
    task->state = TASK_SUBMITTED;
    task->status = DOCA_ERROR_IN_PROGRESS;
    ctx->num_inflight++;
}

static bool
is_full(const struct doca_ctx *ctx, doca_error_t result) {
    return ctx->num_queued > 0 && (result == DOCA_ERROR_NO_MEMORY || result == DOCA_ERROR_AGAIN);
}

doca_error_t
ctx_submit(struct doca_ctx *ctx, struct doca_task *task) {
    struct task_list *waiting = &ctx->waiting[task->pool->queue];
    doca_error_t result = task->pool->check(task);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (ctx->is_broken) {
        /* As with later releases, a task that a callback submits after the first error fails later. */
        TAILQ_INSERT_TAIL(&ctx->flushed, task, link);
    } else if (!TAILQ_EMPTY(waiting) || (ctx->ops->is_ready != NULL && !ctx->ops->is_ready(ctx))) {
        TAILQ_INSERT_TAIL(waiting, task, link);
    } else {
        result = queue(ctx, task);
        if (result != DOCA_SUCCESS) {
            if (!is_full(ctx, result)) {
                return result;
            }
            TAILQ_INSERT_TAIL(waiting, task, link);
        }
    }
    mark_submitted(ctx, task);
    return DOCA_SUCCESS;
}

static void
submit_first(struct doca_ctx *ctx, struct task_list *waiting) {
    struct doca_task *task;
    while ((task = TAILQ_FIRST(waiting)) != NULL) {
        const doca_error_t result = queue(ctx, task);
        if (is_full(ctx, result)) {
            return;
        }
        TAILQ_REMOVE(waiting, task, link);
        if (result != DOCA_SUCCESS) {
            task->status = result;
            TAILQ_INSERT_TAIL(&ctx->flushed, task, link);
            pe_wake(ctx->pe);
        }
    }
}

/* Receives are submitted first, because the peer may answer a send at once. */
void
ctx_submit_waiting(struct doca_ctx *ctx) {
    submit_first(ctx, &ctx->waiting[1]);
    submit_first(ctx, &ctx->waiting[0]);
}

/*
 * The result of a failed job is usually UNKNOWN. Later releases report IO_FAILED for the first failed job, and the flush
 * error for the others.
 */
static doca_error_t
status_of(const struct doca_ctx *ctx, const struct old_event *event) {
    const doca_error_t status =
            event->result.ptr == &ctx->result ? ctx->result.result : (doca_error_t)event->result.u64;
    if (status != DOCA_SUCCESS && status != DOCA_ERROR_UNKNOWN) {
        return status;
    }
    return ctx->is_broken || ctx->state == DOCA_CTX_STATE_STOPPING ? ctx->ops->flushed : DOCA_ERROR_IO_FAILED;
}

static void
end(struct doca_ctx *ctx, struct doca_task *task, doca_error_t status) {
    task_end(task, status);
    if (status != DOCA_SUCCESS) {
        ctx_fail(ctx);
    }
}

/* Returns the status of a task whose job has completed: UNEXPECTED if the buffers show that it was too long. */
static doca_error_t
store_result(const struct doca_ctx *ctx, struct doca_task *task, const struct old_event *event, doca_error_t status) {
    return ctx->ops->completed != NULL ? ctx->ops->completed(task, event, status) : status;
}

static bool
retrieve(struct doca_ctx *ctx) {
    struct old_event event = {.result = {.ptr = &ctx->result}};
    ctx->result.result = DOCA_SUCCESS;
    const doca_error_t result = pe_retrieve(&ctx->member, &event);
    struct doca_task *task = event.user_data.ptr;
    switch (result) {
    case DOCA_ERROR_UNEXPECTED:
        if (event.type == 0) {
            return false;
        }
        /* The job has completed, and the context keeps running. */
        /* fallthrough */
    case DOCA_SUCCESS:
        ctx->num_queued--;
        if (task != NULL) {
            const doca_error_t status = store_result(ctx, task, &event, result);
            if (!TAILQ_EMPTY(&ctx->waiting[0]) || !TAILQ_EMPTY(&ctx->waiting[1])) {
                ctx_submit_waiting(ctx);
            }
            task_end(task, status);
        }
        return true;
    case DOCA_ERROR_IO_FAILED:
        ctx->num_queued--;
        if (task != NULL) {
            (void)store_result(ctx, task, &event, result);
            end(ctx, task, status_of(ctx, &event));
        }
        return true;
    case DOCA_ERROR_AGAIN:
        return false;
    default:
        /* The queue itself has failed. The context stops, which waits for the jobs of the queue. */
        if (!ctx->is_broken) {
            (void)REFUSE(result, "%s %p: Failed to retrieve an event: %s", ctx->ops->name, (void *)ctx,
                         doca_error_get_name(result));
            ctx_fail(ctx);
        }
        return false;
    }
}

static bool
progress(struct pe_member *member) {
    struct doca_ctx *ctx = (struct doca_ctx *)member;
    if (ctx->state == DOCA_CTX_STATE_IDLE) {
        return false;
    }
    if (ctx->num_queued > 0 && retrieve(ctx)) {
        return true;
    }
    struct doca_task *task = TAILQ_FIRST(&ctx->flushed);
    if (task != NULL) {
        TAILQ_REMOVE(&ctx->flushed, task, link);
        end(ctx, task, task->status == DOCA_ERROR_IN_PROGRESS ? ctx->ops->flushed : task->status);
        return true;
    }
    if (ctx->ops->watch != NULL) {
        ctx->ops->watch(ctx);
    }
    return ctx->state == DOCA_CTX_STATE_STOPPING && ctx->num_allocated == 0 && ctx->num_queued == 0
           && try_become_idle(ctx);
}

/* Always true while the old SDK does not stop the context: a sleeping program does not get a notification later. */
static bool
has_work(const struct pe_member *member) {
    const struct doca_ctx *ctx = (const struct doca_ctx *)member;
    return !TAILQ_EMPTY(&ctx->flushed)
           || (ctx->state == DOCA_CTX_STATE_STOPPING && ctx->num_allocated == 0 && ctx->num_queued == 0);
}

static size_t
num_inflight(const struct pe_member *member) {
    return ((const struct doca_ctx *)member)->num_inflight;
}

/*
 * For libraries
 */

void
ctx_init(struct doca_ctx *ctx, const struct ctx_ops *ops, struct task_pool *pools, uint32_t num_pools) {
    static const struct pe_member_ops member_ops = {
            .progress = progress, .has_work = has_work, .num_inflight = num_inflight};
    ctx->member.ops = &member_ops;
    ctx->ops = ops;
    ctx->pools = pools;
    ctx->num_pools = num_pools;
    TAILQ_INIT(&ctx->waiting[0]);
    TAILQ_INIT(&ctx->waiting[1]);
    TAILQ_INIT(&ctx->flushed);
}

doca_error_t
ctx_fini(struct doca_ctx *ctx) {
    const doca_error_t result = ctx_check_idle(ctx, "destroy");
    if (result == DOCA_SUCCESS) {
        destroy_pools(ctx);
        graph_lose_ctx(ctx);
        if (ctx->pe != NULL) {
            pe_remove(&ctx->member);
        }
    }
    return result;
}

doca_error_t
ctx_set_conf(
        struct doca_ctx *ctx, uint32_t pool, uint32_t num_tasks, task_callback succeeded, task_callback failed) {
    if (succeeded == NULL || failed == NULL) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "%s %p: Invalid input: a callback is NULL", ctx->ops->name, (void *)ctx);
    }
    if (num_tasks > CTX_MAX_NUM_TASKS) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "%s %p: Invalid input: %u tasks, the limit is %u", ctx->ops->name,
                      (void *)ctx, num_tasks, CTX_MAX_NUM_TASKS);
    }
    const doca_error_t result = ctx_check_idle(ctx, "configure tasks");
    if (result == DOCA_SUCCESS) {
        ctx->pools[pool].num_configured = num_tasks;
        ctx->pools[pool].succeeded = succeeded;
        ctx->pools[pool].failed = failed;
    }
    return result;
}

/*
 * Life
 */

static doca_error_t
create_pools(struct doca_ctx *ctx, uint32_t *depth) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < ctx->num_pools; i++) {
        struct task_pool *pool = &ctx->pools[i];
        const doca_error_t result = pool->num_configured == 0 ? DOCA_SUCCESS
                                                              : task_pool_create(pool, ctx, pool->num_configured,
                                                                                 sizeof(struct doca_task));
        if (result != DOCA_SUCCESS) {
            return result;
        }
        for (uint32_t j = 0; j < pool->num_tasks; j++) {
            struct doca_task *task = task_pool_at(pool, j);
            task->job.base = (struct old_job){.type = pool->job_type, .ctx = ctx->old, .user_data = {.ptr = task}};
        }
        sum += pool->num_tasks;
    }
    /* One more entry, for a job that the translation submits itself. */
    *depth = sum + 1;
    return DOCA_SUCCESS;
}

static doca_error_t
open_queue(struct doca_ctx *ctx, uint32_t depth) {
    doca_error_t result = pe_open_queue(&ctx->member, depth);
    if (result == DOCA_SUCCESS) {
        result = old.doca_ctx_workq_add(ctx->old, ctx->member.workq);
        if (result != DOCA_SUCCESS) {
            pe_close_queue(&ctx->member);
        }
    }
    return result;
}

static doca_error_t
start(struct doca_ctx *ctx) {
    ctx->old = ctx->ops->as_old(ctx);
    if (ctx->old == NULL) {
        return REFUSE(DOCA_ERROR_NOT_PERMITTED, "%s %p: Failed to start: has no context of the old SDK", ctx->ops->name,
                      (void *)ctx);
    }
    /* Tasks of the previous run remain readable until the next start. */
    destroy_pools(ctx);
    uint32_t depth;
    doca_error_t result = create_pools(ctx, &depth);
    if (result == DOCA_SUCCESS) {
        result = old.doca_ctx_start(ctx->old);
    }
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = open_queue(ctx, depth);
    if (result != DOCA_SUCCESS) {
        (void)old.doca_ctx_stop(ctx->old);
    }
    return result;
}

doca_error_t
doca_ctx_start(struct doca_ctx *ctx) {
    if (ctx == NULL) {
        return REFUSE_NULL(ctx);
    }
    doca_error_t result = ctx_check_idle(ctx, "start");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (ctx->pe == NULL) {
        return REFUSE(DOCA_ERROR_NOT_CONNECTED, "%s %p: Failed to start: is not connected to a progress engine",
                      ctx->ops->name, (void *)ctx);
    }
    result = start(ctx);
    if (result == DOCA_SUCCESS) {
        ctx->is_broken = false;
        pe_start_queue(&ctx->member);
        enter(ctx, DOCA_CTX_STATE_RUNNING);
    }
    return result;
}

doca_error_t
doca_ctx_stop(struct doca_ctx *ctx) {
    if (ctx == NULL) {
        return REFUSE_NULL(ctx);
    }
    if (ctx->state == DOCA_CTX_STATE_IDLE) {
        return ctx->pe != NULL ? DOCA_SUCCESS
                                      : REFUSE(DOCA_ERROR_NOT_CONNECTED,
                                               "%s %p: Failed to stop: is not connected to a progress engine",
                                               ctx->ops->name, (void *)ctx);
    }
    if (ctx->state == DOCA_CTX_STATE_STOPPING) {
        return DOCA_ERROR_IN_PROGRESS;
    }
    if (ctx->num_allocated == 0 && ctx->num_queued == 0 && !ctx->completing) {
        if (try_become_idle(ctx)) {
            return DOCA_SUCCESS;
        }
        enter(ctx, DOCA_CTX_STATE_STOPPING);
        return DOCA_ERROR_IN_PROGRESS;
    }
    const doca_error_t result = ctx->ops->check_stop == NULL ? DOCA_SUCCESS : ctx->ops->check_stop(ctx);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    begin_stop(ctx);
    return DOCA_ERROR_IN_PROGRESS;
}
