/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DMA contexts. Each queue that a context is attached to has a DMA context of the core, with eight queues of the device.
 */
#include <stdlib.h>

#include <core_buf.h>
#include <core_dev.h>
#include <core_dma.h>
#include <doca_dma.h>

#include "common/sdk_log.h"
#include "common/settings.h"
#include "workq/common/job_ctx.h"

struct doca_dma {
    struct doca_ctx ctx;
};

static struct object_class dma_class = OBJECT_CLASS("dma", struct doca_dma);

static void
end_job(struct core_dma_task_memcpy *task, union doca_data task_user_data, union doca_data ctx_user_data) {
    (void)ctx_user_data;
    struct core_task *base = core_dma_task_memcpy_as_task(task);
    const doca_error_t status = core_task_get_status(base);
    core_task_free(base);
    workq_end_job(task_user_data.ptr, status);
}

/*
 * The operations of the context
 */

static doca_error_t
set_dev(struct doca_ctx *ctx, struct doca_dev *dev) {
    if (dev != NULL && core_dma_cap_task_memcpy_is_supported(core_dev_as_devinfo(dev)) != DOCA_SUCCESS) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "DMA %p: Failed to add device %p: it cannot copy", ctx, dev);
    }
    return DOCA_SUCCESS;
}

static doca_error_t
start(struct doca_ctx *ctx) {
    (void)ctx;
    return DOCA_SUCCESS;
}

static doca_error_t
stop(struct doca_ctx *ctx) {
    (void)ctx;
    return DOCA_SUCCESS;
}

static void
detach(struct attachment *attachment) {
    struct core_dma *core = attachment->engine;
    if (attachment->pe != NULL) {
        /* Other processes access no memory through DMA contexts. */
        (void)job_ctx_stop_core(attachment->ctx, core_dma_as_ctx(core), attachment->pe);
    }
    (void)core_dma_destroy(core);
    if (attachment->pe != NULL) {
        (void)core_pe_destroy(attachment->pe);
    }
}

/* Returns how many jobs of the context the queue and the device can have at once. */
static uint32_t
max_num_jobs(const struct attachment *attachment) {
    uint32_t max_num_tasks = WORKQ_MAX_REQUESTS;
    (void)core_dma_cap_get_max_num_tasks(attachment->engine, &max_num_tasks);
    max_num_tasks = max_num_tasks < WORKQ_MAX_REQUESTS ? max_num_tasks : WORKQ_MAX_REQUESTS;
    return attachment->workq->num_places < max_num_tasks ? attachment->workq->num_places : max_num_tasks;
}

/* Creates the device's queues. It fails if there are not enough queues or descriptors. */
static doca_error_t
attach(struct attachment *attachment) {
    struct core_dma *core;
    if (core_dma_create(attachment->ctx->dev, &core) != DOCA_SUCCESS) {
        return DOCA_ERROR_NO_MEMORY;
    }
    attachment->engine = core;
    doca_error_t result = core_dma_task_memcpy_set_conf(core, end_job, end_job, max_num_jobs(attachment));
    result = result == DOCA_SUCCESS ? job_ctx_start_core(core_dma_as_ctx(core), &attachment->pe) : result;
    if (result == DOCA_SUCCESS) {
        return DOCA_SUCCESS;
    }
    detach(attachment);
    return (int)result == CORE_ERROR_OPERATING_SYSTEM ? result : DOCA_ERROR_NO_MEMORY;
}

/* Buffers of release 1.4 have no data segment: the job has its length. */
static doca_error_t
set_source(const struct doca_dma_job_memcpy *copy) {
#if EMULATOR_ABI_NUMBER == 14
    void *head;
    const doca_error_t result = core_buf_get_head(copy->src_buff, &head);
    return result == DOCA_SUCCESS ? core_buf_set_data((struct doca_buf *)copy->src_buff, head, copy->num_bytes_to_copy) : result;
#else
    (void)copy;
    return DOCA_SUCCESS;
#endif
}

/* Treats any type and any flags as a copy. */
static doca_error_t
submit(struct attachment *attachment, const struct doca_job *request, struct job *job) {
    const struct doca_dma_job_memcpy *copy = (const struct doca_dma_job_memcpy *)request;
    struct core_dma_task_memcpy *task;
    uint32_t num_requests = 1;
    job->event.type = DOCA_DMA_JOB_MEMCPY;
    if (copy->src_buff != NULL) {
        (void)core_buf_get_list_len(copy->src_buff, &num_requests);
    }
    /* Each element of a list occupies one entry of the device's queues. */
    if (attachment->num_requests + num_requests > WORKQ_MAX_REQUESTS) {
        return DOCA_ERROR_NO_MEMORY;
    }
    if (copy->dst_buff != NULL && emulator_release_is_at_most(EMULATOR_RELEASE_1_5)) {
        /* Inferred: programs of that time submit a job again, and no call of theirs resets the length. */
        (void)core_buf_reset_data_len(copy->dst_buff);
    }
    doca_error_t result = set_source(copy);
    if (result == DOCA_SUCCESS) {
        result = core_dma_task_memcpy_alloc_init(attachment->engine, copy->src_buff, copy->dst_buff,
                                                 (union doca_data){.ptr = job}, &task);
    }
    if (result != DOCA_SUCCESS) {
        return result;
    }
    job->num_requests = num_requests;
    result = core_task_submit(core_dma_task_memcpy_as_task(task));
    if (result != DOCA_SUCCESS) {
        core_task_free(core_dma_task_memcpy_as_task(task));
    }
    return result;
}

static const struct job_ctx_ops ops = {
        .name = "DMA",
        .set_dev = set_dev,
        .start = start,
        .stop = stop,
        .attach = attach,
        .detach = detach,
        .submit = submit,
};

/*
 * Life
 */

doca_error_t
doca_dma_create(struct doca_dma **dma) {
    if (dma == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: dma is NULL");
    }
    struct doca_dma *created = object_create(&dma_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    const doca_error_t result = job_ctx_init(&created->ctx, &ops);
    if (result != DOCA_SUCCESS) {
        object_destroy(&dma_class, created);
        return result;
    }
    *dma = created;
    return DOCA_SUCCESS;
}

doca_error_t
doca_dma_destroy(struct doca_dma *dma) {
    if (!IS_LIVE(dma_class, dma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = job_ctx_fini(&dma->ctx);
    if (result == DOCA_SUCCESS) {
        object_destroy(&dma_class, dma);
    }
    return result;
}

struct doca_ctx *
doca_dma_as_ctx(struct doca_dma *dma) {
    return IS_LIVE(dma_class, dma) ? &dma->ctx : NULL;
}

doca_error_t
doca_dma_job_get_supported(struct doca_devinfo *devinfo, enum doca_dma_job_types job_type) {
    return job_type == DOCA_DMA_JOB_MEMCPY ? core_dma_cap_task_memcpy_is_supported(devinfo)
                                           : DOCA_ERROR_NOT_SUPPORTED;
}
