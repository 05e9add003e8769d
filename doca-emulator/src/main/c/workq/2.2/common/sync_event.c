/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sync events. Each one has a sync event of the core for its calls and jobs. A queue progresses the jobs of all queues
 * that the event is attached to, because they share the context of the core.
 */
#include <unistd.h>

#include <core_sync_event.h>
#include <doca_sync_event.h>

#include "common/sdk_log.h"
#include "workq/common/job_ctx.h"

/* The maximum number of jobs of each type in flight. */
#define MAX_NUM_JOBS 1024

struct doca_sync_event {
    struct doca_ctx ctx;
    struct core_sync_event *core;
    /* Exists while the event is started as a context. */
    struct core_pe *pe;
    /* True if it was started for calls and can no longer become a context. */
    bool takes_calls;
};

static struct object_class sync_event_class = OBJECT_CLASS("sync event", struct doca_sync_event);

/* Changes a task of the core that waits for an equal value to wait for a greater one. */
void sync_event_task_make_greater(struct core_task *task) EMULATOR_SHARED(sync_event_task_make_greater);

static struct doca_sync_event *
as_sync_event(struct doca_ctx *ctx) {
    return (struct doca_sync_event *)ctx;
}

static void
end_job(struct core_task *task, union doca_data task_user_data) {
    const doca_error_t status = core_task_get_status(task);
    core_task_free(task);
    workq_end_job(task_user_data.ptr, status);
}

/* Defines the completion function of one kind of tasks. */
#define END_JOB(kind) \
    static void end_##kind(struct core_sync_event_task_##kind *task, union doca_data task_user_data, \
                           union doca_data ctx_user_data) { \
        (void)ctx_user_data; \
        end_job(core_sync_event_task_##kind##_as_doca_task(task), task_user_data); \
    }

END_JOB(get)
END_JOB(notify_set)
END_JOB(notify_add)
END_JOB(wait_eq)

/*
 * The operations of the context
 */

static doca_error_t
configure(struct core_sync_event *core) {
    doca_error_t result = core_sync_event_task_get_set_conf(core, end_get, end_get, MAX_NUM_JOBS);
    if (result == DOCA_SUCCESS) {
        result = core_sync_event_task_notify_set_set_conf(core, end_notify_set, end_notify_set, MAX_NUM_JOBS);
    }
    if (result == DOCA_SUCCESS) {
        result = core_sync_event_task_notify_add_set_conf(core, end_notify_add, end_notify_add, MAX_NUM_JOBS);
    }
    if (result == DOCA_SUCCESS) {
        result = core_sync_event_task_wait_eq_set_conf(core, end_wait_eq, end_wait_eq, MAX_NUM_JOBS);
    }
    return result;
}

static doca_error_t
start(struct doca_ctx *ctx) {
    struct doca_sync_event *event = as_sync_event(ctx);
    const doca_error_t result = configure(event->core);
    return result == DOCA_SUCCESS ? job_ctx_start_core(core_sync_event_as_ctx(event->core), &event->pe) : result;
}

static doca_error_t
stop(struct doca_ctx *ctx) {
    struct doca_sync_event *event = as_sync_event(ctx);
    return job_ctx_stop_core(ctx, core_sync_event_as_ctx(event->core), event->pe);
}

static doca_error_t
attach(struct attachment *attachment) {
    attachment->pe = as_sync_event(attachment->ctx)->pe;
    return DOCA_SUCCESS;
}

static void
detach(struct attachment *attachment) {
    (void)attachment;
}

/* Allocates a task of the core for the job. */
static doca_error_t
make_task(struct core_sync_event *core, const struct doca_job *request, union doca_data user_data,
          struct core_task **task) {
    const struct doca_sync_event_job_wait *wait = (const struct doca_sync_event_job_wait *)request;
    const struct doca_sync_event_job_get *get = (const struct doca_sync_event_job_get *)request;
    const struct doca_sync_event_job_update_set *set = (const struct doca_sync_event_job_update_set *)request;
    const struct doca_sync_event_job_update_add *add = (const struct doca_sync_event_job_update_add *)request;
    struct core_sync_event_task_wait_eq *wait_task;
    struct core_sync_event_task_get *get_task;
    struct core_sync_event_task_notify_set *set_task;
    struct core_sync_event_task_notify_add *add_task;
    doca_error_t result;
    switch (request->type) {
    case DOCA_SYNC_EVENT_JOB_WAIT_GT:
        result = core_sync_event_task_wait_eq_alloc_init(core, wait->value, wait->mask, user_data, &wait_task);
        if (result == DOCA_SUCCESS) {
            *task = core_sync_event_task_wait_eq_as_doca_task(wait_task);
            sync_event_task_make_greater(*task);
        }
        return result;
    case DOCA_SYNC_EVENT_JOB_GET:
        result = core_sync_event_task_get_alloc_init(core, get->value, user_data, &get_task);
        *task = result == DOCA_SUCCESS ? core_sync_event_task_get_as_doca_task(get_task) : NULL;
        return result;
    case DOCA_SYNC_EVENT_JOB_UPDATE_SET:
        result = core_sync_event_task_notify_set_alloc_init(core, set->value, user_data, &set_task);
        *task = result == DOCA_SUCCESS ? core_sync_event_task_notify_set_as_doca_task(set_task) : NULL;
        return result;
    case DOCA_SYNC_EVENT_JOB_UPDATE_ADD:
        result = core_sync_event_task_notify_add_alloc_init(core, add->value, add->fetched, user_data, &add_task);
        *task = result == DOCA_SUCCESS ? core_sync_event_task_notify_add_as_doca_task(add_task) : NULL;
        return result;
    default:
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Sync event %p: Invalid input: job type %#x", request->ctx,
                          request->type);
    }
}

static doca_error_t
submit(struct attachment *attachment, const struct doca_job *request, struct job *job) {
    struct core_task *task;
    doca_error_t result =
            make_task(as_sync_event(attachment->ctx)->core, request, (union doca_data){.ptr = job}, &task);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = core_task_submit(task);
    if (result != DOCA_SUCCESS) {
        core_task_free(task);
    }
    return result;
}

static const struct job_ctx_ops ops = {
        .name = "Sync event",
        .start = start,
        .stop = stop,
        .attach = attach,
        .detach = detach,
        .submit = submit,
};

/*
 * Life
 */

/* Takes ownership of the core's sync event. */
static doca_error_t
wrap(struct core_sync_event *core, struct doca_sync_event **event) {
    struct doca_sync_event *created = object_create(&sync_event_class);
    if (created == NULL) {
        (void)core_sync_event_destroy(core);
        return DOCA_ERROR_NO_MEMORY;
    }
    created->core = core;
    (void)job_ctx_init(&created->ctx, &ops);
    *event = created;
    return DOCA_SUCCESS;
}

doca_error_t
doca_sync_event_create(struct doca_sync_event **event) {
    struct core_sync_event *core;
    const doca_error_t result = core_sync_event_create(event == NULL ? NULL : &core);
    return result != DOCA_SUCCESS ? result : wrap(core, event);
}

doca_error_t
doca_sync_event_create_from_export(struct doca_dev *dev, const uint8_t *data, size_t sz,
                                   struct doca_sync_event **event) {
    struct core_sync_event *core;
    const doca_error_t result = core_sync_event_create_from_export(dev, data, sz, event == NULL ? NULL : &core);
    return result != DOCA_SUCCESS ? result : wrap(core, event);
}

doca_error_t
doca_sync_event_destroy(struct doca_sync_event *event) {
    if (!IS_LIVE(sync_event_class, event)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (event->ctx.is_started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Sync event %p: Failed to destroy: is started", event);
    }
    const doca_error_t result = core_sync_event_destroy(event->core);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (event->pe != NULL) {
        (void)core_pe_destroy(event->pe);
    }
    (void)job_ctx_fini(&event->ctx);
    object_destroy(&sync_event_class, event);
    return DOCA_SUCCESS;
}

struct doca_ctx *
doca_sync_event_as_ctx(struct doca_sync_event *event) {
    return IS_LIVE(sync_event_class, event) && !event->takes_calls ? &event->ctx : NULL;
}

doca_error_t
doca_sync_event_start(struct doca_sync_event *event) {
    if (!IS_LIVE(sync_event_class, event)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (event->ctx.is_started) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Sync event %p: Failed to start: is started as a context", event);
    }
    const doca_error_t result = core_sync_event_start(event->core);
    event->takes_calls |= result == DOCA_SUCCESS;
    return result;
}

/* Functions of the core's sync event */

/* Defines a function of the API, whose first parameter is the event, by a function of the core. */
#define CORE_CALL(function, core_function, parameters, arguments) \
    doca_error_t function parameters { \
        return IS_LIVE(sync_event_class, event) ? core_function arguments : DOCA_ERROR_INVALID_VALUE; \
    }

#define ADD_LOCATION(who, location, core_location, parameters, arguments) \
    CORE_CALL(doca_sync_event_##who##_add_location_##location, core_sync_event_add_##who##_location_##core_location, \
              parameters, arguments)

ADD_LOCATION(publisher, cpu, cpu, (struct doca_sync_event *event, struct doca_dev *dev), (event->core, dev))
ADD_LOCATION(publisher, dpa, dpa, (struct doca_sync_event *event, struct doca_dpa *dpa), (event->core, dpa))
ADD_LOCATION(publisher, gpu, gpu, (struct doca_sync_event *event, struct doca_gpu *gpu), (event->core, gpu))
ADD_LOCATION(publisher, dpu, remote_pci, (struct doca_sync_event *event), (event->core))
ADD_LOCATION(subscriber, cpu, cpu, (struct doca_sync_event *event, struct doca_dev *dev), (event->core, dev))
ADD_LOCATION(subscriber, dpa, dpa, (struct doca_sync_event *event, struct doca_dpa *dpa), (event->core, dpa))
ADD_LOCATION(subscriber, gpu, gpu, (struct doca_sync_event *event, struct doca_gpu *gpu), (event->core, gpu))
ADD_LOCATION(subscriber, dpu, remote_pci, (struct doca_sync_event *event), (event->core))

CORE_CALL(doca_sync_event_set_addr, core_sync_event_set_addr, (struct doca_sync_event *event, uint64_t *addr),
          (event->core, addr))
CORE_CALL(doca_sync_event_stop, core_sync_event_stop, (struct doca_sync_event *event), (event->core))
CORE_CALL(doca_sync_event_get, core_sync_event_get, (struct doca_sync_event *event, uint64_t *value),
          (event->core, value))
CORE_CALL(doca_sync_event_update_set, core_sync_event_update_set, (struct doca_sync_event *event, uint64_t value),
          (event->core, value))
CORE_CALL(doca_sync_event_update_add, core_sync_event_update_add,
          (struct doca_sync_event *event, uint64_t value, uint64_t *fetched), (event->core, value, fetched))
CORE_CALL(doca_sync_event_wait_gt, core_sync_event_wait_gt,
          (struct doca_sync_event *event, uint64_t value, uint64_t mask), (event->core, value, mask))
CORE_CALL(doca_sync_event_wait_gt_yield, core_sync_event_wait_gt_yield,
          (struct doca_sync_event *event, uint64_t value, uint64_t mask), (event->core, value, mask))
CORE_CALL(doca_sync_event_export_to_dpu, core_sync_event_export_to_remote_pci,
          (struct doca_sync_event *event, struct doca_dev *dev, const uint8_t **data, size_t *sz),
          (event->core, dev, data, sz))
CORE_CALL(doca_sync_event_export_to_dpa, core_sync_event_get_dpa_handle,
          (struct doca_sync_event *event, struct doca_dpa *dpa, doca_dpa_dev_sync_event_t *dpa_dev_se_handle),
          (event->core, dpa, dpa_dev_se_handle))
CORE_CALL(doca_sync_event_export_to_gpu, core_sync_event_get_gpu_handle,
          (struct doca_sync_event *event, struct doca_gpu *gpu, doca_gpu_dev_sync_event_t **gpu_dev_se),
          (event->core, gpu, gpu_dev_se))

/* Returns numbers that give no access: only a DPA could use the handle, and none is emulated. */
doca_error_t
doca_sync_event_export_remote(struct doca_sync_event *event, doca_sync_event_remote_t *handle) {
    if (!IS_LIVE(sync_event_class, event)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (handle == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Sync event %p: Invalid input: handle is NULL", event);
    }
    if (!event->takes_calls && !event->ctx.is_started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Sync event %p: Failed to export: is not started", event);
    }
    *handle = (doca_sync_event_remote_t){.data = {(uint64_t)(uintptr_t)event, (uint64_t)getpid()}};
    return DOCA_SUCCESS;
}

doca_error_t
doca_sync_event_job_get_supported(struct doca_devinfo *devinfo, enum doca_sync_event_job_types type) {
    switch (type) {
    case DOCA_SYNC_EVENT_JOB_WAIT_GT:
        return core_sync_event_cap_task_wait_eq_is_supported(devinfo);
    case DOCA_SYNC_EVENT_JOB_GET:
        return core_sync_event_cap_task_get_is_supported(devinfo);
    case DOCA_SYNC_EVENT_JOB_UPDATE_SET:
        return core_sync_event_cap_task_notify_set_is_supported(devinfo);
    case DOCA_SYNC_EVENT_JOB_UPDATE_ADD:
        return core_sync_event_cap_task_notify_add_is_supported(devinfo);
    default:
        return DOCA_ERROR_NOT_SUPPORTED;
    }
}
