/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_dma.h>

#include <stddef.h>
#include <stdlib.h>

#include "ctx.h"
#include "refuse.h"
#include "release_1_5.h"

struct doca_dma {
    struct doca_ctx ctx;
    struct task_pool memcpy;
    struct old_dma *old;
};

static struct old_ctx *
as_old(struct doca_ctx *ctx) {
    return old.doca_dma_as_ctx(((struct doca_dma *)ctx)->old);
}

/* Moves the data of a buffer by some bytes, by which its data become shorter. */
static doca_error_t
move_data(struct doca_buf *buf, ptrdiff_t bytes) {
    void *data;
    size_t length;
    doca_error_t result = old.doca_buf_get_data(buf, &data);
    result = result == DOCA_SUCCESS ? old.doca_buf_get_data_len(buf, &length) : result;
    return result == DOCA_SUCCESS ? old.doca_buf_set_data(buf, (char *)data + bytes, length - (size_t)bytes) : result;
}

/*
 * On release 1.5, a job writes to the start of the data of its destination (inferred); later ones append. So here it gets an empty
 * destination behind the data, which is right in both cases.
 */
static doca_error_t
submit(struct doca_ctx *ctx, struct doca_task *task) {
    task->kept = 0;
    doca_error_t result = DOCA_SUCCESS;
    if (release_1_5_is_bound()) {
        result = old.doca_buf_get_data_len(task->job.memcpy.dst, &task->kept);
        result = result == DOCA_SUCCESS && task->kept > 0 ? move_data(task->job.memcpy.dst, (ptrdiff_t)task->kept) : result;
    }
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = old.doca_workq_submit(ctx->member.workq, &task->job.base);
    if (result != DOCA_SUCCESS && task->kept > 0) {
        (void)move_data(task->job.memcpy.dst, -(ptrdiff_t)task->kept);
    }
    return result;
}

static doca_error_t
completed(struct doca_task *task, const struct old_event *event, doca_error_t status) {
    (void)event;
    if (task->kept > 0) {
        (void)move_data(task->job.memcpy.dst, -(ptrdiff_t)task->kept);
        task->kept = 0;
    }
    return status;
}

static const struct ctx_ops ops = {
    .name = "DMA", .flushed = DOCA_ERROR_IO_FAILED, .as_old = as_old, .submit = submit, .completed = completed};

/* A job without a source never completes, and one without a destination crashes the process. */
static doca_error_t
check(const struct doca_task *task) {
    if (task->job.memcpy.src == NULL || task->job.memcpy.dst == NULL) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "DMA %p: Failed to submit task %p: its %s is NULL", (void *)task->ctx,
                      (const void *)task, task->job.memcpy.src == NULL ? "source" : "destination");
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_dma_create(struct doca_dev *dev, struct doca_dma **dma) {
    if (dev == NULL) {
        return REFUSE_NULL(dev);
    }
    if (dma == NULL) {
        return REFUSE_NULL(dma);
    }
    struct doca_dma *created = calloc(1, sizeof(*created));
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    doca_error_t result = old.doca_dma_create(&created->old);
    if (result == DOCA_SUCCESS) {
        result = old.doca_ctx_dev_add(old.doca_dma_as_ctx(created->old), dev);
        if (result != DOCA_SUCCESS) {
            (void)old.doca_dma_destroy(created->old);
        }
    }
    if (result != DOCA_SUCCESS) {
        free(created);
        return result;
    }
    created->memcpy.check = check;
    created->memcpy.job_type = OLD_JOB_DMA_MEMCPY;
    ctx_init(&created->ctx, &ops, &created->memcpy, 1);
    *dma = created;
    return DOCA_SUCCESS;
}

doca_error_t
doca_dma_destroy(struct doca_dma *dma) {
    if (dma == NULL) {
        return REFUSE_NULL(dma);
    }
    doca_error_t result = ctx_check_idle(&dma->ctx, "destroy");
    if (result == DOCA_SUCCESS) {
        result = old.doca_dma_destroy(dma->old);
    }
    if (result == DOCA_SUCCESS) {
        result = ctx_fini(&dma->ctx);
        free(dma);
    }
    return result;
}

struct doca_ctx *
doca_dma_as_ctx(struct doca_dma *dma) {
    return dma == NULL ? NULL : &dma->ctx;
}

/*
 * Capabilities
 */

/* Tasks that do not fit into the work queue wait here, as in the libraries of release 2.5. */
doca_error_t
doca_dma_cap_get_max_num_tasks(struct doca_dma *dma, uint32_t *max_num_tasks) {
    if (dma == NULL) {
        return REFUSE_NULL(dma);
    }
    if (max_num_tasks == NULL) {
        return REFUSE_NULL(max_num_tasks);
    }
    *max_num_tasks = CTX_MAX_NUM_TASKS;
    return DOCA_SUCCESS;
}

doca_error_t
doca_dma_cap_task_memcpy_is_supported(const struct doca_devinfo *devinfo) {
    return devinfo == NULL ? REFUSE_NULL(devinfo)
                           : old.doca_dma_job_get_supported((struct doca_devinfo *)devinfo, OLD_JOB_DMA_MEMCPY);
}

doca_error_t
doca_dma_cap_task_memcpy_get_max_buf_size(const struct doca_devinfo *devinfo, uint64_t *buf_size) {
    return devinfo == NULL ? REFUSE_NULL(devinfo) : old.doca_dma_get_max_buf_size(devinfo, buf_size);
}

doca_error_t
doca_dma_cap_task_memcpy_get_max_buf_list_len(const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len) {
    return devinfo == NULL ? REFUSE_NULL(devinfo) : old.doca_dma_get_max_list_buf_num_elem(devinfo, max_buf_list_len);
}

/*
 * Tasks
 */

doca_error_t
doca_dma_task_memcpy_set_conf(
        struct doca_dma *dma, doca_dma_task_memcpy_completion_cb_t task_completion_cb,
        doca_dma_task_memcpy_completion_cb_t task_error_cb, uint32_t num_memcpy_tasks) {
    return dma == NULL ? REFUSE_NULL(dma)
                       : ctx_set_conf(&dma->ctx, 0, num_memcpy_tasks, (task_callback)task_completion_cb,
                                      (task_callback)task_error_cb);
}

static struct doca_task *
as_task(const struct doca_dma_task_memcpy *task) {
    return (struct doca_task *)task;
}

doca_error_t
doca_dma_task_memcpy_alloc_init(
        struct doca_dma *dma, const struct doca_buf *src, struct doca_buf *dst, union doca_data user_data,
        struct doca_dma_task_memcpy **task) {
    if (dma == NULL) {
        return REFUSE_NULL(dma);
    }
    if (task == NULL) {
        return REFUSE_NULL(task);
    }
    struct doca_task *allocated;
    const doca_error_t result = task_alloc(&dma->memcpy, &dma->ctx, user_data, &allocated);
    if (result == DOCA_SUCCESS) {
        allocated->job.memcpy.src = src;
        allocated->job.memcpy.dst = dst;
        *task = (struct doca_dma_task_memcpy *)allocated;
    }
    return result;
}

struct doca_task *
doca_dma_task_memcpy_as_task(struct doca_dma_task_memcpy *task) {
    return as_task(task);
}

const struct doca_buf *
doca_dma_task_memcpy_get_src(const struct doca_dma_task_memcpy *task) {
    return as_task(task)->job.memcpy.src;
}

struct doca_buf *
doca_dma_task_memcpy_get_dst(const struct doca_dma_task_memcpy *task) {
    return as_task(task)->job.memcpy.dst;
}

void
doca_dma_task_memcpy_set_src(struct doca_dma_task_memcpy *task, const struct doca_buf *src) {
    as_task(task)->job.memcpy.src = src;
}

void
doca_dma_task_memcpy_set_dst(struct doca_dma_task_memcpy *task, struct doca_buf *dst) {
    as_task(task)->job.memcpy.dst = dst;
}
