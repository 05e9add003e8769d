/* SPDX-License-Identifier: Apache-2.0 */

#include "ctx.h"
#include "sdk_log.h"
#include "task.h"

#define KNOWN_FLAGS ((uint32_t)(DOCA_TASK_SUBMIT_FLAG_FLUSH | DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS))
#define PROFILING_FLAGS \
    ((uint32_t)(DOCA_TASK_SUBMIT_FLAG_RANGE_PROFILING_REQUESTED | DOCA_TASK_SUBMIT_FLAG_RANGE_PROFILING_PROCESSED))

void
task_report(const void *handle, const char *file, int line, const char *function) {
    emulator_sdk_log(DOCA_LOG_LEVEL_ERROR, file, line, function, "Invalid input: %p is no task", handle);
}

void
task_report_in_flight(const struct doca_task *task, const char *file, int line, const char *function) {
    emulator_sdk_log(DOCA_LOG_LEVEL_ERROR, file, line, function, "Task %p: Failed to change: is in flight", task);
}

/*
 * Submission
 */

/* Logs why the program may not submit the task now. */
static doca_error_t
refuse_submit(struct doca_task *task, uint32_t flags) {
    if (!TASK_IS_LIVE(task)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (task->state == TASK_FREE) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Task %p: Failed to submit: was freed before", task);
    }
    if (task->state == TASK_SUBMITTED) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Task %p: Failed to submit: is in flight already", task);
    }
    if (task->step != NULL) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Task %p: Failed to submit: is lent to a graph that runs", task);
    }
    if (task->ctx->state != DOCA_CTX_STATE_RUNNING) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "%s %p: Failed to submit task %p: is %s and not running",
                          task->ctx->ops->name, task->ctx, task, ctx_state_name(task->ctx));
    }
    if ((flags & ~(KNOWN_FLAGS | PROFILING_FLAGS)) != 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Task %p: Invalid input: flags %#x", task, flags);
    }
    return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Task %p: Failed to submit: ranges cannot be profiled", task);
}

static doca_error_t
hand_over(struct doca_task *task, uint32_t flags, bool validate) {
    if (ctx_is_inherited(task->ctx)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE,
                          "%s %p: Failed to submit task %p: was started by the parent of this process",
                          task->ctx->ops->name, task->ctx, task);
    }
    task->flags = flags;
    const doca_error_t result = task->ctx->ops->submit(task, validate);
    if (result == DOCA_SUCCESS) {
        task->state = TASK_SUBMITTED;
        task->status = DOCA_ERROR_IN_PROGRESS;
        task->ctx->num_inflight++;
        pe_visit(task->ctx->pe, task->ctx);
    }
    return result;
}

static doca_error_t
submit(struct doca_task *task, uint32_t flags, bool validate) {
    if (task == NULL || task->state != TASK_OWNED || task->step != NULL ||
        task->ctx->state != DOCA_CTX_STATE_RUNNING || (flags & ~KNOWN_FLAGS) != 0) {
        return refuse_submit(task, flags);
    }
    return hand_over(task, flags, validate);
}

doca_error_t
task_submit_step(struct doca_task *task) {
    if (task->ctx->state != DOCA_CTX_STATE_RUNNING) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "%s %p: Failed to submit task %p of a graph: is %s and not running",
                          task->ctx->ops->name, task->ctx, task, ctx_state_name(task->ctx));
    }
    return hand_over(task, DOCA_TASK_SUBMIT_FLAG_FLUSH, false);
}

doca_error_t
doca_task_submit(struct doca_task *task) {
    return submit(task, DOCA_TASK_SUBMIT_FLAG_FLUSH, false);
}

doca_error_t
doca_task_try_submit(struct doca_task *task) {
    return submit(task, DOCA_TASK_SUBMIT_FLAG_FLUSH, true);
}

doca_error_t
doca_task_submit_ex(struct doca_task *task, uint32_t flags) {
    return submit(task, flags, false);
}
