/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"
#include "ctx.h"
#include "device_info.h"
#include "pe_timer.h"
#include "sdk_log.h"
#include "settings.h"

/* A BlueField-3 DPU offers a completion vector for each of its cores. */
#define NUM_COMPLETION_VECTORS 16

/*
 * Changes the state and notifies the program, whose callback may stop or destroy the context. The caller must not access
 * the context afterwards, unless it knows that the context cannot have become idle.
 */
static void
enter(struct doca_ctx *ctx, enum doca_ctx_states next) {
    const enum doca_ctx_states previous = ctx->state;
    struct doca_pe *pe = ctx->pe;

    SDK_LOG_INFO("%s %p: went from %s to %s", ctx->ops->name, ctx, ctx_state_text(previous), ctx_state_text(next));
    ctx->state = next;
    if (ctx->state_changed != NULL) {
        pe->callback_depth++;
        ctx->state_changed(ctx->user_data, ctx, previous, next);
        pe->callback_depth--;
    }
}

/* Lets progress make the context idle once the last task has been freed. */
static void
begin_stop(struct doca_ctx *ctx) {
    pe_visit(ctx->pe, ctx);
    ctx->ops->stop(ctx);
    if (ctx->ops->has_work(ctx)) {
        ctx_signal_work(ctx);
    }
    enter(ctx, DOCA_CTX_STATE_STOPPING);
}

/* Makes a context without tasks idle, unless another process may still access memory through it. */
static bool
try_become_idle(struct doca_ctx *ctx) {
    ctx->is_draining = ctx->ops->drain != NULL && !ctx->ops->drain(ctx);
    if (ctx->is_draining) {
        return false;
    }
    ctx->ops->release(ctx);
    enter(ctx, DOCA_CTX_STATE_IDLE);
    return true;
}

static doca_error_t
check_connected(const struct doca_ctx *ctx, const char *what) {
    if (ctx->pe == NULL) {
        return SDK_REFUSE(DOCA_ERROR_NOT_CONNECTED, "%s %p: Failed to %s: is not connected to a progress engine",
                          ctx->ops->name, ctx, what);
    }
    return DOCA_SUCCESS;
}

/*
 * For libraries
 */

void
ctx_init(struct doca_ctx *ctx, const struct ctx_ops *ops) {
    ctx->magic = CTX_MAGIC;
    ctx->is_kept_in_callbacks = !emulator_release_is_at_most(EMULATOR_RELEASE_2_5);
    ctx->ops = ops;
}

doca_error_t
ctx_fini(struct doca_ctx *ctx) {
    if (ctx->state != DOCA_CTX_STATE_IDLE) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "%s %p: Failed to destroy: is %s and not idle", ctx->ops->name, ctx,
                          ctx_state_name(ctx));
    }
    graph_lose_ctx(ctx);
    if (ctx->pe != NULL) {
        if (ctx->pe->reporting == ctx) {
            ctx->pe->reporting = NULL;
        }
        pe_disconnect(ctx->pe, ctx);
    }
    ctx->magic = 0;
    return DOCA_SUCCESS;
}

void
ctx_running(struct doca_ctx *ctx) {
    enter(ctx, DOCA_CTX_STATE_RUNNING);
}

void
ctx_abandon_start(struct doca_ctx *ctx) {
    ctx->ops->release(ctx);
    enter(ctx, DOCA_CTX_STATE_IDLE);
}

void
ctx_fail(struct doca_ctx *ctx) {
    if (ctx->state != DOCA_CTX_STATE_STOPPING) {
        begin_stop(ctx);
    }
}

/*
 * Stops a context after a fatal failure. If the program has freed all tasks, the context becomes idle at once, except that
 * DMA passes through STOPPING with releases after 2.5.
 */
static void
break_down(struct doca_ctx *ctx) {
    const bool passes_stopping =
            ctx->ops->queue == PE_QUEUE_DMA && !emulator_release_is_at_most(EMULATOR_RELEASE_2_5);
    if (passes_stopping || ctx->num_allocated > 0 || !try_become_idle(ctx)) {
        begin_stop(ctx);
    }
}

void
ctx_complete(struct doca_task *task, doca_error_t status, bool is_fatal, void (*report)(struct doca_task *task)) {
    struct doca_ctx *ctx = task->ctx;
    struct doca_pe *pe = ctx->pe;
    const uint64_t run = ctx->num_starts;

    task->status = status;
    task->state = TASK_OWNED;
    ctx->num_inflight--;
    ctx->completing = ctx->is_kept_in_callbacks;
    pe->reporting = ctx;
    pe->callback_depth++;
    if (task->step != NULL) {
        graph_step_ended(task->step, status);
    } else {
        report(task);
    }
    pe->callback_depth--;
    if (pe->reporting != ctx) {
        return;
    }
    pe->reporting = NULL;
    ctx->completing = false;
    if (is_fatal && ctx->state == DOCA_CTX_STATE_RUNNING && ctx->num_starts == run) {
        break_down(ctx);
    }
}

/* A forked child does not continue the parent's run. It only completes tasks of contexts that it stops itself. */
static bool
is_dead(const struct doca_ctx *ctx) {
    return ctx->state == DOCA_CTX_STATE_IDLE || (ctx->state != DOCA_CTX_STATE_STOPPING && ctx_is_inherited(ctx));
}

/*
 * For the progress engine
 */

bool
ctx_progress(struct doca_ctx *ctx) {
    if (is_dead(ctx)) {
        return false;
    }
    if (ctx->ops->progress(ctx)) {
        return true;
    }
    return ctx->state == DOCA_CTX_STATE_STOPPING && ctx->num_allocated == 0 && try_become_idle(ctx);
}

bool
ctx_needs_visits(const struct doca_ctx *ctx) {
    if (is_dead(ctx)) {
        return false;
    }
    return ctx->state != DOCA_CTX_STATE_RUNNING || ctx->num_inflight > 0 ||
           (ctx->ops->has_events != NULL && ctx->ops->has_events(ctx));
}

bool
ctx_has_work(struct doca_ctx *ctx) {
    if (is_dead(ctx)) {
        return false;
    }
    if (ctx->state == DOCA_CTX_STATE_STOPPING && ctx->num_allocated == 0) {
        if (!ctx->is_draining) {
            return true;
        }
        pe_timer_set(ctx->queue, clock_now() + CTX_DRAIN_INTERVAL_NS);
    }
    return ctx->ops->has_work(ctx);
}

/*
 * Life
 */

doca_error_t
doca_ctx_start(struct doca_ctx *ctx) {
    if (!CTX_IS_LIVE(ctx)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    doca_error_t result = ctx_check_idle(ctx, "start");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = check_connected(ctx, "start");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    ctx->num_starts++;
    ctx->generation = process_generation();
    pe_visit(ctx->pe, ctx);
    result = ctx->ops->start(ctx);
    if (result == DOCA_SUCCESS) {
        enter(ctx, DOCA_CTX_STATE_RUNNING);
    } else if (result == DOCA_ERROR_IN_PROGRESS) {
        enter(ctx, DOCA_CTX_STATE_STARTING);
    }
    return result;
}

doca_error_t
doca_ctx_stop(struct doca_ctx *ctx) {
    if (!CTX_IS_LIVE(ctx)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (ctx->state == DOCA_CTX_STATE_IDLE) {
        return check_connected(ctx, "stop");
    }
    if (ctx->state == DOCA_CTX_STATE_STOPPING) {
        return DOCA_ERROR_IN_PROGRESS;
    }
    if (ctx->num_allocated == 0 && !ctx->completing && try_become_idle(ctx)) {
        return DOCA_SUCCESS;
    }
    if (ctx->num_inflight > 0 && ctx->ops->refuse_stop != NULL) {
        const doca_error_t result = ctx->ops->refuse_stop(ctx);
        if (result != DOCA_SUCCESS) {
            return result;
        }
    }
    begin_stop(ctx);
    return DOCA_ERROR_IN_PROGRESS;
}

void
doca_ctx_flush_tasks(struct doca_ctx *ctx) {
    if (!CTX_IS_LIVE(ctx)) {
        return;
    }
    if (ctx->state == DOCA_CTX_STATE_IDLE) {
        SDK_LOG_ERR("%s %p: Failed to flush tasks: is idle", ctx->ops->name, ctx);
        return;
    }
    if (ctx_is_inherited(ctx)) {
        SDK_LOG_ERR("%s %p: Failed to flush tasks: was started by the parent of this process", ctx->ops->name, ctx);
        return;
    }
    ctx->ops->flush(ctx);
}

/*
 * Completion vectors
 */

doca_error_t
doca_ctx_cap_get_num_completion_vectors(const struct doca_devinfo *devinfo, uint32_t *num_comp_vectors) {
    return GET_PROPERTY(devinfo_class, devinfo, NUM_COMPLETION_VECTORS, num_comp_vectors);
}

/* The vector would select the core for interrupts, which has no visible effect here. */
doca_error_t
doca_ctx_set_completion_vector(struct doca_ctx *ctx, uint32_t comp_vector) {
    if (!CTX_IS_LIVE(ctx)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = ctx_check_idle(ctx, "set the completion vector");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (comp_vector >= NUM_COMPLETION_VECTORS) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "%s %p: Invalid input: completion vector %u of %u",
                          ctx->ops->name, ctx, comp_vector, NUM_COMPLETION_VECTORS);
    }
    return DOCA_SUCCESS;
}
