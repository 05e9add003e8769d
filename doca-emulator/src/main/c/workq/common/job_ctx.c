/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <time.h>

#include <core_dev.h>

#include "common/clock.h"
#include "common/property.h"
#include "common/sdk_log.h"
#include "workq/common/job_ctx.h"

/* The largest number of contexts of a process. */
#define MAX_NUM_CTX 1024

/* How long a stop waits for processes that access memory, and in which intervals. */
#define STOP_TIMEOUT_S 5
#define STOP_INTERVAL_NS 50000
/* How long a repeated stop waits: longer than the interval in which the core's contexts examine the processes. */
#define REPEATED_STOP_TIMEOUT_NS (UINT64_C(20) * 1000 * 1000)

/* The number of contexts, accessed by any thread. */
static unsigned int num_contexts;

static bool
is_counted(const struct job_ctx_ops *ops) {
    return ops->set_dev != NULL;
}

doca_error_t
job_ctx_init(struct doca_ctx *ctx, const struct job_ctx_ops *ops) {
    if (is_counted(ops) && __atomic_fetch_add(&num_contexts, 1, __ATOMIC_RELAXED) >= MAX_NUM_CTX) {
        __atomic_fetch_sub(&num_contexts, 1, __ATOMIC_RELAXED);
        return SDK_REFUSE(DOCA_ERROR_INITIALIZATION, "%s: Failed to create: there are %d contexts, which is the limit",
                          ops->name, MAX_NUM_CTX);
    }
    ctx->magic = JOB_CTX_MAGIC;
    ctx->ops = ops;
    LIST_INIT(&ctx->attachments);
    return DOCA_SUCCESS;
}

bool
job_ctx_is_live(const struct doca_ctx *ctx, const char *function) {
    if (ctx != NULL && ctx->magic == JOB_CTX_MAGIC) {
        return true;
    }
    emulator_sdk_log(SDK_LOG_LEVEL_ERROR, __FILE__, __LINE__, function,
                     "Invalid input: %p is no context, or was destroyed before", ctx);
    return false;
}

static doca_error_t
check_detached(const struct doca_ctx *ctx, const char *what) {
    if (!LIST_EMPTY(&ctx->attachments)) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "%s %p: Failed to %s: is attached to a workq", ctx->ops->name, ctx, what);
    }
    return DOCA_SUCCESS;
}

static doca_error_t
check_started(const struct doca_ctx *ctx, bool started, const char *what) {
    if (ctx->is_started != started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "%s %p: Failed to %s: is %s", ctx->ops->name, ctx, what,
                          started ? "not started" : "started");
    }
    return DOCA_SUCCESS;
}

/*
 * Life
 */

static doca_error_t
set_dev(struct doca_ctx *ctx, struct doca_dev *dev) {
    const doca_error_t result = ctx->ops->set_dev(ctx, dev);
    if (result == DOCA_SUCCESS) {
        ctx->dev = dev;
    }
    return result;
}

/* Another device replaces the first one. */
doca_error_t
doca_ctx_dev_add(struct doca_ctx *ctx, struct doca_dev *dev) {
    if (!JOB_CTX_IS_LIVE(ctx)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (ctx->ops->set_dev == NULL) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "%s %p: Failed to add a device: it has none", ctx->ops->name, ctx);
    }
    const doca_error_t result = check_started(ctx, false, "add a device");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (dev == ctx->dev || core_dev_as_devinfo(dev) == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "%s %p: Failed to add device %p: %s", ctx->ops->name, ctx, dev,
                          dev == NULL ? "is NULL" : dev == ctx->dev ? "was added before" : "is no device");
    }
    return set_dev(ctx, dev);
}

doca_error_t
doca_ctx_dev_rm(struct doca_ctx *ctx, struct doca_dev *dev) {
    if (!JOB_CTX_IS_LIVE(ctx)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_started(ctx, false, "remove a device");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (dev == NULL || dev != ctx->dev) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "%s %p: Failed to remove device %p: was not added",
                          ctx->ops->name, ctx, dev);
    }
    return set_dev(ctx, NULL);
}

doca_error_t
doca_ctx_start(struct doca_ctx *ctx) {
    if (!JOB_CTX_IS_LIVE(ctx)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    doca_error_t result = check_started(ctx, false, "start");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (ctx->ops->set_dev != NULL && ctx->dev == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "%s %p: Failed to start: has no device", ctx->ops->name, ctx);
    }
    result = ctx->ops->start(ctx);
    ctx->is_started = result == DOCA_SUCCESS;
    return result;
}

static doca_error_t
stop(struct doca_ctx *ctx) {
    const doca_error_t result = ctx->ops->stop(ctx);
    ctx->is_started = result != DOCA_SUCCESS;
    return result;
}

doca_error_t
doca_ctx_stop(struct doca_ctx *ctx) {
    if (!JOB_CTX_IS_LIVE(ctx)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    doca_error_t result = check_started(ctx, true, "stop");
    if (result == DOCA_SUCCESS) {
        result = check_detached(ctx, "stop");
    }
    return result == DOCA_SUCCESS ? stop(ctx) : result;
}

doca_error_t
job_ctx_fini(struct doca_ctx *ctx) {
    doca_error_t result = check_detached(ctx, "destroy");
    if (result == DOCA_SUCCESS && ctx->is_started) {
        result = stop(ctx);
    }
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (ctx->dev != NULL) {
        (void)set_dev(ctx, NULL);
    }
    ctx->magic = 0;
    if (is_counted(ctx->ops)) {
        __atomic_fetch_sub(&num_contexts, 1, __ATOMIC_RELAXED);
    }
    return DOCA_SUCCESS;
}

/*
 * Queues
 */

static doca_error_t
attach(struct doca_ctx *ctx, struct doca_workq *workq) {
    struct attachment *attachment = calloc(1, sizeof(*attachment));
    if (attachment == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    attachment->ctx = ctx;
    attachment->workq = workq;
    doca_error_t result = ctx->ops->attach(attachment);
    if (result == DOCA_SUCCESS) {
        result = workq_watch(workq, attachment->pe);
        if (result != DOCA_SUCCESS) {
            ctx->ops->detach(attachment);
        }
    }
    if (result != DOCA_SUCCESS) {
        free(attachment);
        return result;
    }
    LIST_INSERT_HEAD(&ctx->attachments, attachment, of_ctx);
    LIST_INSERT_HEAD(&workq->attachments, attachment, of_workq);
    return DOCA_SUCCESS;
}

doca_error_t
doca_ctx_workq_add(struct doca_ctx *ctx, struct doca_workq *workq) {
    if (!JOB_CTX_IS_LIVE(ctx) || !IS_LIVE(workq_class, workq)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_started(ctx, true, "attach to a workq");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (workq_find_attachment(workq, ctx) != NULL) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "%s %p: Failed to attach to workq %p: is attached already",
                          ctx->ops->name, ctx, workq);
    }
    return attach(ctx, workq);
}

doca_error_t
doca_ctx_workq_rm(struct doca_ctx *ctx, struct doca_workq *workq) {
    if (!JOB_CTX_IS_LIVE(ctx) || !IS_LIVE(workq_class, workq)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_started(ctx, true, "detach from a workq");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    struct attachment *attachment = workq_find_attachment(workq, ctx);
    if (attachment == NULL) {
        return SDK_REFUSE(DOCA_ERROR_NOT_FOUND, "%s %p: Failed to detach from workq %p: is not attached",
                          ctx->ops->name, ctx, workq);
    }
    if (workq->num_used > 0) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "%s %p: Failed to detach from workq %p: %u jobs were not retrieved",
                          ctx->ops->name, ctx, workq, workq->num_used);
    }
    LIST_REMOVE(attachment, of_ctx);
    LIST_REMOVE(attachment, of_workq);
    workq_unwatch(workq, attachment->pe);
    ctx->ops->detach(attachment);
    free(attachment);
    return DOCA_SUCCESS;
}

/*
 * The core's contexts
 */

doca_error_t
job_ctx_start_core(struct core_ctx *core, struct core_pe **pe) {
    doca_error_t result = DOCA_SUCCESS;
    if (*pe == NULL) {
        result = core_pe_create(pe);
        result = result == DOCA_SUCCESS ? core_pe_connect_ctx(*pe, core) : result;
    }
    return result == DOCA_SUCCESS ? core_ctx_start(core) : result;
}

doca_error_t
job_ctx_stop_core(struct doca_ctx *ctx, struct core_ctx *core, struct core_pe *pe) {
    enum core_ctx_states state;
    const uint64_t deadline = clock_now() + (ctx->stop_was_refused ? REPEATED_STOP_TIMEOUT_NS : STOP_TIMEOUT_S * NS_PER_S);
    (void)core_ctx_stop(core);
    while (core_ctx_get_state(core, &state) == DOCA_SUCCESS && state != CORE_CTX_STATE_IDLE) {
        (void)core_pe_clear_notification(pe, 0);
        if (core_pe_progress(pe) != 0) {
            continue;
        }
        if (clock_now() > deadline) {
            ctx->stop_was_refused = true;
            return SDK_REFUSE(DOCA_ERROR_IN_USE, "%s %p: Failed to stop: another process is still accessing memory after %d s",
                              ctx->ops->name, ctx, STOP_TIMEOUT_S);
        }
        nanosleep(&(struct timespec){.tv_nsec = STOP_INTERVAL_NS}, NULL);
    }
    ctx->stop_was_refused = false;
    return DOCA_SUCCESS;
}

/*
 * Properties
 */

doca_error_t
doca_ctx_get_event_driven_supported(struct doca_ctx *ctx, uint8_t *event_supported) {
    if (!JOB_CTX_IS_LIVE(ctx)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (event_supported == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "%s %p: Invalid input: event_supported is NULL", ctx->ops->name, ctx);
    }
    *event_supported = 1;
    return DOCA_SUCCESS;
}

doca_error_t
doca_ctx_get_max_num_ctx(uint32_t *max_num_ctx) {
    if (max_num_ctx == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: max_num_ctx is NULL");
    }
    *max_num_ctx = MAX_NUM_CTX;
    return DOCA_SUCCESS;
}
