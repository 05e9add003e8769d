/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Advice about mapped memory: the invalidation of the processor's cache. Copies in software do not need it, so a task
 * only checks that a device could access its buffer.
 */
#include <doca_mmap_advise.h>

#include "buf.h"
#include "ctx.h"
#include "device.h"
#include "mmap.h"
#include "sdk_log.h"

#define MAX_BUF_SIZE (UINT64_C(2) * 1024 * 1024)

struct doca_mmap_advise {
    struct doca_ctx ctx;
    struct doca_dev *dev;
    doca_mmap_advise_task_invalidate_cache_completion_cb_t completed;
    doca_mmap_advise_task_invalidate_cache_completion_cb_t failed;
    struct task_pool pool;
    /* Submitted tasks, in that order. */
    struct task_list queued;
};

struct doca_mmap_advise_task_invalidate_cache {
    struct doca_task base;
    struct doca_buf *buf;
};

static struct object_class advise_class = OBJECT_CLASS("mmap advise", struct doca_mmap_advise);

static struct doca_mmap_advise *
as_advise(struct doca_ctx *ctx) {
    return (struct doca_mmap_advise *)ctx;
}

static struct doca_mmap_advise_task_invalidate_cache *
as_invalidation(struct doca_task *task) {
    return (struct doca_mmap_advise_task_invalidate_cache *)task;
}

/*
 * The operations of the context
 */

static doca_error_t
start(struct doca_ctx *ctx) {
    (void)ctx;
    return DOCA_SUCCESS;
}

/* Progress completes the tasks in flight. */
static void
stop(struct doca_ctx *ctx) {
    (void)ctx;
}

static void
release(struct doca_ctx *ctx) {
    (void)ctx;
}

static void
report(struct doca_task *task) {
    const struct doca_mmap_advise *advise = as_advise(task->ctx);
    (task->status == DOCA_SUCCESS ? advise->completed : advise->failed)(as_invalidation(task), task->user_data,
                                                                        task->ctx->user_data);
}

static doca_error_t
carry_out(const struct doca_mmap_advise *advise, const struct doca_buf *buf) {
    if (!buf_is_live(buf)) {
        return DOCA_ERROR_IO_FAILED;
    }
    return mmap_check_access(buf->mmap, advise->dev, buf->data, buf->data_len, MMAP_ACCESS_READ) == DOCA_SUCCESS
                   ? DOCA_SUCCESS
                   : DOCA_ERROR_IO_FAILED;
}

static bool
progress(struct doca_ctx *ctx) {
    struct doca_mmap_advise *advise = as_advise(ctx);
    struct doca_task *task = TAILQ_FIRST(&advise->queued);
    if (task == NULL) {
        return false;
    }
    TAILQ_REMOVE(&advise->queued, task, link);
    const bool runs = ctx->state == DOCA_CTX_STATE_RUNNING;
    const doca_error_t result = runs ? carry_out(advise, as_invalidation(task)->buf) : DOCA_ERROR_IO_FAILED;
    ctx_complete(task, result, runs && result != DOCA_SUCCESS, report);
    return true;
}

static bool
has_work(struct doca_ctx *ctx) {
    return !TAILQ_EMPTY(&as_advise(ctx)->queued);
}

static doca_error_t
submit(struct doca_task *task, bool validate) {
    (void)validate;
    const struct doca_buf *buf = as_invalidation(task)->buf;
    if (!buf_is_live(buf)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (buf->next != NULL || buf->data_len > MAX_BUF_SIZE) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap advise %p: Invalid input: task %p needs one buffer of up to %llu bytes",
                          task->ctx, task, (unsigned long long)MAX_BUF_SIZE);
    }
    TAILQ_INSERT_TAIL(&as_advise(task->ctx)->queued, task, link);
    pe_signal(task->ctx->queue);
    return DOCA_SUCCESS;
}

static void
flush(struct doca_ctx *ctx) {
    (void)ctx;
}

static const struct ctx_ops advise_ops = {
    .name = "Mmap advise",
    .queue = PE_QUEUE_SOFTWARE,
    .start = start,
    .stop = stop,
    .release = release,
    .progress = progress,
    .has_work = has_work,
    .submit = submit,
    .flush = flush,
};

/*
 * Life
 */

doca_error_t
doca_mmap_advise_create(struct doca_dev *dev, struct doca_mmap_advise **mmap_advise) {
    if (!device_is_open(dev)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (mmap_advise == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: mmap_advise is NULL");
    }
    struct doca_mmap_advise *created = object_create(&advise_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    ctx_init(&created->ctx, &advise_ops);
    TAILQ_INIT(&created->queued);
    created->dev = dev;
    device_hold(dev);
    *mmap_advise = created;
    return DOCA_SUCCESS;
}

doca_error_t
doca_mmap_advise_destroy(struct doca_mmap_advise *mmap_advise) {
    if (!IS_LIVE(advise_class, mmap_advise)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = ctx_fini(&mmap_advise->ctx);
    if (result == DOCA_SUCCESS) {
        task_pool_destroy(&mmap_advise->pool);
        device_release(mmap_advise->dev);
        object_destroy(&advise_class, mmap_advise);
    }
    return result;
}

struct doca_ctx *
doca_mmap_advise_as_ctx(struct doca_mmap_advise *mmap_advise) {
    return IS_LIVE(advise_class, mmap_advise) ? &mmap_advise->ctx : NULL;
}

/*
 * Capabilities
 */

doca_error_t
doca_mmap_advise_cap_task_cache_invalidate_is_supported(const struct doca_devinfo *devinfo) {
    return devinfo_dma_capabilities(devinfo) == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

doca_error_t
doca_mmap_advise_task_cache_invalidate_get_max_buf_size(const struct doca_devinfo *devinfo, uint64_t *buf_size) {
    if (devinfo_dma_capabilities(devinfo) == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (buf_size == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: buf_size is NULL");
    }
    *buf_size = MAX_BUF_SIZE;
    return DOCA_SUCCESS;
}

/*
 * Tasks
 */

doca_error_t
doca_mmap_advise_task_invalidate_cache_set_conf(
        struct doca_mmap_advise *mmap_advise, doca_mmap_advise_task_invalidate_cache_completion_cb_t completion_cb,
        doca_mmap_advise_task_invalidate_cache_completion_cb_t error_cb, uint32_t num_tasks) {
    if (!IS_LIVE(advise_class, mmap_advise)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (completion_cb == NULL || error_cb == NULL || num_tasks == 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap advise %p: Invalid input: a callback is NULL, or there are no tasks",
                          mmap_advise);
    }
    if (mmap_advise->ctx.state != DOCA_CTX_STATE_IDLE) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Mmap advise %p: Failed to configure tasks: is %s and not idle",
                          mmap_advise, ctx_state_name(&mmap_advise->ctx));
    }
    task_pool_destroy(&mmap_advise->pool);
    mmap_advise->completed = completion_cb;
    mmap_advise->failed = error_cb;
    return task_pool_create(&mmap_advise->pool, &mmap_advise->ctx, num_tasks,
                            sizeof(struct doca_mmap_advise_task_invalidate_cache));
}

doca_error_t
doca_mmap_advise_task_invalidate_cache_alloc_init(
        struct doca_mmap_advise *mmap_advise, struct doca_buf *buf, union doca_data user_data,
        struct doca_mmap_advise_task_invalidate_cache **task) {
    struct doca_task *allocated;
    if (!IS_LIVE(advise_class, mmap_advise)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (task == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap advise %p: Invalid input: task is NULL", mmap_advise);
    }
    const doca_error_t result = task_alloc(&mmap_advise->pool, &mmap_advise->ctx, user_data, &allocated);
    if (result == DOCA_SUCCESS) {
        *task = as_invalidation(allocated);
        (*task)->buf = buf;
    }
    return result;
}

struct doca_task *
doca_mmap_advise_task_invalidate_cache_as_doca_task(struct doca_mmap_advise_task_invalidate_cache *task) {
    struct doca_task *base = (struct doca_task *)task;
    return TASK_IS_LIVE(base) ? base : NULL;
}

struct doca_buf *
doca_mmap_advise_task_invalidate_cache_get_buf(const struct doca_mmap_advise_task_invalidate_cache *task) {
    return TASK_IS_LIVE((const struct doca_task *)task) ? task->buf : NULL;
}

void
doca_mmap_advise_task_invalidate_cache_set_buf(
        struct doca_mmap_advise_task_invalidate_cache *task, struct doca_buf *buf) {
    if (TASK_MAY_CHANGE((const struct doca_task *)task)) {
        task->buf = buf;
    }
}
