/* SPDX-License-Identifier: Apache-2.0 */
#include "common/buf.h"
#include "common/property.h"
#include "common/random.h"
#include "common/sdk_log.h"
#include "common/settings.h"
#include "dma/dma.h"
#include "dma/workers.h"

static struct object_class dma_class = OBJECT_CLASS("dma", struct doca_dma);

static struct doca_dma *
as_dma(struct doca_ctx *ctx) {
    return (struct doca_dma *)ctx;
}

/*
 * The operations of the context
 */

static doca_error_t
start(struct doca_ctx *ctx) {
    struct doca_dma *dma = as_dma(ctx);

    if (!dma->capabilities->memcpy_supported) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "DMA %p: Failed to start: the device has no memcpy tasks", dma);
    }
    dma->broken = false;
    return dma->threaded ? dma_workers_acquire() : DOCA_SUCCESS;
}

static void
release(struct doca_ctx *ctx) {
    /* The workers belong to the process that has started the context. */
    if (as_dma(ctx)->threaded && !ctx_is_inherited(ctx)) {
        dma_workers_release();
    }
}

/* Used in a forked child, where nothing executes tasks. */
static void
take_back_from_workers(struct doca_dma *dma, struct task_list *dropped) {
    struct doca_dma_task_memcpy *task;
    while ((task = TAILQ_FIRST(&dma->outstanding)) != NULL) {
        TAILQ_REMOVE(&dma->outstanding, task, outstanding);
        TAILQ_INSERT_TAIL(dropped, &task->base, link);
    }
    TAILQ_INIT(&dma->finished);
    atomic_store_explicit(&dma->num_finished, 0, memory_order_relaxed);
}

/* Takes tasks that have not been executed yet. */
static void
drop_tasks(struct doca_dma *dma, struct task_list *dropped) {
    struct doca_task *task;
    if (ctx_is_inherited(&dma->ctx)) {
        take_back_from_workers(dma, dropped);
    } else if (dma->threaded) {
        dma_workers_revoke(dma, dropped);
        TAILQ_FOREACH(task, dropped, link) {
            TAILQ_REMOVE(&dma->outstanding, as_memcpy(task), outstanding);
        }
    }
    for (int i = 0; i < DMA_NUM_QUEUES; i++) {
        TAILQ_CONCAT(dropped, &dma->queues[i].tasks, link);
        dma->queues[i].num_extents = 0;
    }
    dma->num_in_queues = 0;
    TAILQ_CONCAT(dropped, &dma->queued, link);
    TAILQ_CONCAT(dropped, &dma->held, link);
}

/* Fails unreported tasks, even if their bytes were copied. */
static void
stop(struct doca_ctx *ctx) {
    struct doca_dma *dma = as_dma(ctx);
    struct task_list dropped = TAILQ_HEAD_INITIALIZER(dropped);

    dma->broken = true;
    drop_tasks(dma, &dropped);
    TAILQ_CONCAT(&dma->ready, &dma->deferred, link);
    dma_detour_leave(&dma->detour, &dma->ready);
    TAILQ_CONCAT(&dma->ready, &dropped, link);
}

/* Moves tasks to the queues in turn, as long as there is room. */
static void
fill_queues(struct doca_dma *dma) {
    struct doca_task *task = TAILQ_FIRST(&dma->queued);
    while (task != NULL) {
        const uint32_t num_extents = as_memcpy(task)->num_extents;
        struct dma_queue *queue = &dma->queues[as_memcpy(task)->number % DMA_NUM_QUEUES];
        if (queue->num_extents + num_extents > DMA_QUEUE_LEN) {
            return;
        }
        TAILQ_REMOVE(&dma->queued, task, link);
        TAILQ_INSERT_TAIL(&queue->tasks, task, link);
        queue->num_extents += num_extents;
        dma->num_in_queues++;
        task = TAILQ_FIRST(&dma->queued);
    }
}

/* Returns the first task of any queue, or NULL. */
static struct doca_task *
take_from_any_queue(struct doca_dma *dma) {
    fill_queues(dma);
    if (dma->num_in_queues == 0) {
        return NULL;
    }
    uint32_t index = random_below(&dma->random, DMA_NUM_QUEUES);
    while (TAILQ_EMPTY(&dma->queues[index].tasks)) {
        index = (index + 1) % DMA_NUM_QUEUES;
    }
    struct dma_queue *queue = &dma->queues[index];
    struct doca_task *task = TAILQ_FIRST(&queue->tasks);
    TAILQ_REMOVE(&queue->tasks, task, link);
    queue->num_extents -= as_memcpy(task)->num_extents;
    dma->num_in_queues--;
    return task;
}

static struct doca_task *
take_in_order(struct doca_dma *dma) {
    struct doca_task *task = TAILQ_FIRST(&dma->queued);
    if (task != NULL) {
        TAILQ_REMOVE(&dma->queued, task, link);
    }
    return task;
}

struct doca_dma_task_memcpy *
dma_next_executed(struct doca_dma *dma) {
    if (dma->threaded) {
        return dma_workers_take_finished(dma);
    }
    struct doca_task *task =
            dma_is_ordered(dma) && dma->num_in_queues == 0 ? take_in_order(dma) : take_from_any_queue(dma);
    if (task != NULL) {
        dma_memcpy_task_run(as_memcpy(task));
    }
    return as_memcpy(task);
}

/*
 * Since release 3.0, plain copies wait for their doorbell and for a common report. Copies with lists do neither: they
 * have a queue of their own. A flush of one does not affect the other.
 */
static bool
has_lists(const struct doca_dma_task_memcpy *task) {
    return task->src->next != NULL || task->dst->next != NULL;
}

/* Returns whether the report waits for a later task, unless that task was faster. Failures are always reported. */
static bool
is_deferrable(struct doca_dma *dma, const struct doca_dma_task_memcpy *task) {
    if ((task->base.flags & DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS) == 0) {
        dma->last_reported = task->number > dma->last_reported ? task->number : dma->last_reported;
        return false;
    }
    return task->number > dma->last_reported && task->result == DOCA_SUCCESS &&
           dma->ctx.state == DOCA_CTX_STATE_RUNNING;
}

/*
 * Reports the tasks that have waited for a common report. If the last of them has failed, all fail: the device reports
 * one failure for all, although it has copied the bytes of the earlier ones.
 */
static void
release_deferred(struct doca_dma *dma, const struct doca_dma_task_memcpy *last) {
    struct doca_task *task;
    if (last->result != DOCA_SUCCESS && !faults_are_transient(last->result)) {
        TAILQ_FOREACH(task, &dma->deferred, link) {
            as_memcpy(task)->result = last->result;
            as_memcpy(task)->fault = last->fault;
            as_memcpy(task)->fails_in_group = true;
        }
    }
    TAILQ_CONCAT(&dma->ready, &dma->deferred, link);
}

/* Returns the next task to report, or NULL. */
static struct doca_dma_task_memcpy *
next_ready(struct doca_dma *dma) {
    while (TAILQ_EMPTY(&dma->ready)) {
        struct doca_dma_task_memcpy *task = dma->detour.open ? dma_detour_next(dma) : dma_next_executed(dma);
        if (task == NULL) {
            return NULL;
        }
        if (task->reports_alone) {
            return task;
        }
        const bool deferrable = is_deferrable(dma, task);
        if (!deferrable && TAILQ_EMPTY(&dma->deferred)) {
            return task;
        }
        TAILQ_INSERT_TAIL(&dma->deferred, &task->base, link);
        if (!deferrable) {
            release_deferred(dma, task);
        }
    }
    struct doca_task *first = TAILQ_FIRST(&dma->ready);
    TAILQ_REMOVE(&dma->ready, first, link);
    return as_memcpy(first);
}

static void
report(struct doca_task *base) {
    const struct doca_dma *dma = as_dma(base->ctx);
    (base->status == DOCA_SUCCESS ? dma->completed : dma->failed)(as_memcpy(base), base->user_data,
                                                                  base->ctx->user_data);
}

/* Logs the first fatal failure of a run, after which all tasks fail; returns whether this is one. */
static bool
breaks_down(struct doca_dma *dma, const struct doca_dma_task_memcpy *task) {
    if (task->result == DOCA_SUCCESS || dma->ctx.state != DOCA_CTX_STATE_RUNNING) {
        return false;
    }
    dma_memcpy_task_log_failure(task, "complete");
    dma->broken = !faults_are_transient(task->result);
    return dma->broken;
}

static bool
progress(struct doca_ctx *ctx) {
    struct doca_dma *dma = as_dma(ctx);
    if (ctx->state == DOCA_CTX_STATE_STOPPING && ctx_is_inherited(ctx)) {
        /* The parent may have been stopping the context. */
        take_back_from_workers(dma, &dma->ready);
    }
    struct doca_dma_task_memcpy *task = ctx_is_held(ctx) ? NULL : next_ready(dma);

    if (task == NULL) {
        return false;
    }
    if (dma->broken) {
        task->result = DOCA_ERROR_IO_FAILED;
    }
    if (task->result == DOCA_SUCCESS) {
        dma_memcpy_task_extend_destination(task);
    }
    const bool is_fatal = breaks_down(dma, task);
    if (is_fatal && (task->fails_in_group || (!dma->scatters && dma_memcpy_task_fails_early(task)))) {
        /* The device reports the failure, but the program sees it only after the last element, with 2.5, or task. */
        ctx_fail(ctx);
    }
    ctx_complete(&task->base, task->result, is_fatal, report);
    return true;
}

static bool
has_work(struct doca_ctx *ctx) {
    struct doca_dma *dma = as_dma(ctx);

    return !TAILQ_EMPTY(&dma->ready) || !TAILQ_EMPTY(&dma->queued) || dma->num_in_queues > 0 ||
           (dma->threaded && dma_workers_have_finished(dma)) || (dma->detour.open && dma_detour_has_work(dma));
}

static void
start_tasks(struct doca_dma *dma, struct task_list *tasks) {
    if (dma->threaded) {
        struct doca_task *task;
        TAILQ_FOREACH(task, tasks, link) {
            TAILQ_INSERT_TAIL(&dma->outstanding, as_memcpy(task), outstanding);
        }
        dma_workers_submit(tasks);
    } else {
        TAILQ_CONCAT(&dma->queued, tasks, link);
        pe_signal(dma->ctx.queue);
    }
}

static void
start_task(struct doca_dma *dma, struct doca_task *task) {
    if (dma->threaded) {
        struct task_list alone = TAILQ_HEAD_INITIALIZER(alone);
        TAILQ_INSERT_TAIL(&alone, task, link);
        start_tasks(dma, &alone);
    } else {
        TAILQ_INSERT_TAIL(&dma->queued, task, link);
        pe_signal(dma->ctx.queue);
    }
}

/* Starts the held tasks. The last one is reported, whatever its flags. */
static void
flush(struct doca_ctx *ctx) {
    struct doca_dma *dma = as_dma(ctx);
    struct doca_task *last = TAILQ_LAST(&dma->held, task_list);

    if (last != NULL) {
        last->flags &= ~(uint32_t)DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS;
    }
    start_tasks(dma, &dma->held);
}

static doca_error_t
submit(struct doca_task *base, bool validate) {
    struct doca_dma_task_memcpy *task = as_memcpy(base);
    struct doca_dma *dma = as_dma(base->ctx);

    const doca_error_t result = dma_memcpy_task_capture(task, validate);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (faults_are_set()) {
        dma_memcpy_task_add_faults(task);
        dma->detour.open = true;
    }
    task->number = ++dma->num_submitted;
    task->fails_in_group = false;
    task->reports_alone = dma->has_order && has_lists(task);
    if (task->reports_alone) {
        start_task(dma, base);
        return DOCA_SUCCESS;
    }
    const bool is_flushed = (base->flags & DOCA_TASK_SUBMIT_FLAG_FLUSH) != 0;
    if (is_flushed && TAILQ_EMPTY(&dma->held)) {
        base->flags &= ~(uint32_t)DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS;
        start_task(dma, base);
        return DOCA_SUCCESS;
    }
    TAILQ_INSERT_TAIL(&dma->held, base, link);
    if (is_flushed) {
        flush(&dma->ctx);
    }
    return DOCA_SUCCESS;
}

static const struct ctx_ops dma_ops = {
    .name = "DMA",
    .queue = PE_QUEUE_DMA,
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
doca_dma_create(struct doca_dev *dev, struct doca_dma **dma) {
    if (!device_is_open(dev)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (dma == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: dma is NULL");
    }
    struct doca_dma *created = object_create(&dma_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    const struct emulator_settings *settings = emulator_settings();
    ctx_init(&created->ctx, &dma_ops);
    created->dev = dev;
    created->capabilities = devinfo_dma_capabilities(doca_dev_as_devinfo(dev));
    created->strict = settings->strict;
    created->scatters = !emulator_release_is_at_most(EMULATOR_RELEASE_2_5);
    created->threaded = settings->engine == EMULATOR_ENGINE_THREADED;
    TAILQ_INIT(&created->held);
    TAILQ_INIT(&created->queued);
    for (int i = 0; i < DMA_NUM_QUEUES; i++) {
        TAILQ_INIT(&created->queues[i].tasks);
    }
    created->random = settings->seed;
    created->has_order = !emulator_release_is_at_most(EMULATOR_RELEASE_2_5);
    TAILQ_INIT(&created->deferred);
    TAILQ_INIT(&created->ready);
    TAILQ_INIT(&created->outstanding);
    TAILQ_INIT(&created->finished);
    atomic_init(&created->num_finished, 0);
    dma_detour_init(&created->detour);
    device_hold(dev);
    *dma = created;
    SDK_LOG_INFO("DMA %p: was created", created);
    return DOCA_SUCCESS;
}

static void
destroy_pool(struct doca_dma *dma) {
    for (uint32_t i = 0; i < dma->pool.num_tasks; i++) {
        dma_memcpy_task_dispose(as_memcpy(task_pool_at(&dma->pool, i)));
    }
    task_pool_destroy(&dma->pool);
}

doca_error_t
doca_dma_destroy(struct doca_dma *dma) {
    if (dma == NULL) {
        return DOCA_SUCCESS;
    }
    if (!IS_LIVE(dma_class, dma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = ctx_fini(&dma->ctx);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    destroy_pool(dma);
    device_release(dma->dev);
    object_destroy(&dma_class, dma);
    SDK_LOG_INFO("DMA %p: was destroyed", dma);
    return DOCA_SUCCESS;
}

struct doca_ctx *
doca_dma_as_ctx(struct doca_dma *dma) {
    return IS_LIVE(dma_class, dma) ? &dma->ctx : NULL;
}

/*
 * Capabilities
 */

doca_error_t
doca_dma_cap_task_memcpy_is_supported(const struct doca_devinfo *devinfo) {
    const struct dma_capabilities *capabilities = devinfo_dma_capabilities(devinfo);
    if (capabilities == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    return capabilities->memcpy_supported ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

doca_error_t
doca_dma_cap_task_memcpy_get_max_buf_size(const struct doca_devinfo *devinfo, uint64_t *buf_size) {
    const struct dma_capabilities *capabilities = devinfo_dma_capabilities(devinfo);
    if (capabilities == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (buf_size == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: buf_size is NULL");
    }
    *buf_size = capabilities->max_buf_size;
    return DOCA_SUCCESS;
}

doca_error_t
doca_dma_cap_task_memcpy_get_max_buf_list_len(const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len) {
    const struct dma_capabilities *capabilities = devinfo_dma_capabilities(devinfo);
    if (capabilities == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (max_buf_list_len == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: max_buf_list_len is NULL");
    }
    *max_buf_list_len = capabilities->max_buf_list_len;
    return DOCA_SUCCESS;
}

/*
 * Configuration
 */

/*
 * Programs call this before or after the start, and the headers and samples disagree, so both are allowed here.
 */
doca_error_t
doca_dma_set_ordered_completions(struct doca_dma *dma, uint8_t ordered_completions) {
    if (!IS_LIVE(dma_class, dma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    dma->ordered = ordered_completions != 0;
    return DOCA_SUCCESS;
}

doca_error_t
doca_dma_task_memcpy_set_conf(struct doca_dma *dma, doca_dma_task_memcpy_completion_cb_t task_completion_cb,
                              doca_dma_task_memcpy_completion_cb_t task_error_cb, uint32_t num_memcpy_tasks) {
    if (!IS_LIVE(dma_class, dma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (task_completion_cb == NULL || task_error_cb == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "DMA %p: Invalid input: %s is NULL", dma,
                          task_completion_cb == NULL ? "task_completion_cb" : "task_error_cb");
    }
    if (num_memcpy_tasks > dma->capabilities->max_num_tasks) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "DMA %p: Invalid input: %u memcpy tasks, must be up to %u", dma,
                          num_memcpy_tasks, dma->capabilities->max_num_tasks);
    }
    if (dma->ctx.state != DOCA_CTX_STATE_IDLE) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "DMA %p: Failed to configure memcpy tasks: is %s and not idle", dma,
                          ctx_state_name(&dma->ctx));
    }
    destroy_pool(dma);
    dma->completed = task_completion_cb;
    dma->failed = task_error_cb;
    if (num_memcpy_tasks == 0) {
        return DOCA_SUCCESS;
    }
    return task_pool_create(&dma->pool, &dma->ctx, num_memcpy_tasks, sizeof(struct doca_dma_task_memcpy));
}

/*
 * Tasks
 */

doca_error_t
doca_dma_task_memcpy_alloc_init(struct doca_dma *dma, const struct doca_buf *src, struct doca_buf *dst,
                                union doca_data user_data, struct doca_dma_task_memcpy **task) {
    if (!IS_LIVE(dma_class, dma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (task == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "DMA %p: Invalid input: task is NULL", dma);
    }
    if (!buf_is_live(dst)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    struct doca_task *allocated;
    const doca_error_t result = task_alloc(&dma->pool, &dma->ctx, user_data, &allocated);
    if (result == DOCA_SUCCESS) {
        *task = as_memcpy(allocated);
        (*task)->src = src;
        dma_memcpy_task_set_destination(*task, dst);
    }
    return result;
}

struct doca_task *
doca_dma_task_memcpy_as_task(struct doca_dma_task_memcpy *task) {
    return TASK_IS_LIVE(as_task(task)) ? as_task(task) : NULL;
}

const struct doca_buf *
doca_dma_task_memcpy_get_src(const struct doca_dma_task_memcpy *task) {
    return TASK_IS_LIVE(as_task(task)) ? task->src : NULL;
}

struct doca_buf *
doca_dma_task_memcpy_get_dst(const struct doca_dma_task_memcpy *task) {
    return TASK_IS_LIVE(as_task(task)) ? task->dst : NULL;
}

void
doca_dma_task_memcpy_set_src(struct doca_dma_task_memcpy *task, const struct doca_buf *src) {
    if (TASK_MAY_CHANGE(as_task(task))) {
        task->src = src;
    }
}

void
doca_dma_task_memcpy_set_dst(struct doca_dma_task_memcpy *task, struct doca_buf *dst) {
    if (TASK_MAY_CHANGE(as_task(task)) && buf_is_live(dst)) {
        dma_memcpy_task_set_destination(task, dst);
    }
}

#include <getters/dma.h>
