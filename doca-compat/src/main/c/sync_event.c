/* SPDX-License-Identifier: Apache-2.0 */
/* Sync events. Locations now called remote_pci were called dpu; locations across the network did not exist. */
#include <doca_sync_event.h>

#include <stdlib.h>

#include "ctx.h"
#include "refuse.h"

enum {
    GET,
    SET,
    ADD,
    WAIT_GT,
    NUM_POOLS,
};

struct doca_sync_event {
    struct doca_ctx ctx;
    struct task_pool pools[NUM_POOLS];
    struct old_sync_event *old;
    /* The context of the old SDK, once the event is used as a context. */
    struct old_ctx *old_ctx;
    /* True if started for calls. */
    bool started;
};

static struct old_ctx *
as_old(struct doca_ctx *ctx) {
    struct doca_sync_event *event = (struct doca_sync_event *)ctx;
    if (event->old_ctx == NULL && !event->started) {
        event->old_ctx = old.doca_sync_event_as_ctx(event->old);
    }
    return event->started ? NULL : event->old_ctx;
}

/* A job that waits cannot be cancelled, and only a greater value ends it, which only a running context can set. */
static doca_error_t
check_stop(const struct doca_ctx *ctx) {
    if (!task_pool_is_used(&ctx->pools[WAIT_GT])) {
        return DOCA_SUCCESS;
    }
    return REFUSE(DOCA_ERROR_NOT_PERMITTED, "Sync event %p: Failed to stop: a task waits for a greater value",
                  (const void *)ctx);
}

static const struct ctx_ops ops = {
        .name = "Sync event", .flushed = DOCA_ERROR_IO_FAILED, .as_old = as_old, .check_stop = check_stop};

static doca_error_t
check(const struct doca_task *task) {
    if (task->job.base.type == OLD_JOB_SYNC_EVENT_GET && task->job.get.value == NULL) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "Sync event %p: Failed to submit task %p: nowhere to store the value",
                      (void *)task->ctx, (const void *)task);
    }
    return DOCA_SUCCESS;
}

/*
 * Life
 */

static doca_error_t
wrap(struct old_sync_event *old_event, struct doca_sync_event **event) {
    static const int types[NUM_POOLS] = {OLD_JOB_SYNC_EVENT_GET, OLD_JOB_SYNC_EVENT_SET, OLD_JOB_SYNC_EVENT_ADD,
                                         OLD_JOB_SYNC_EVENT_WAIT_GT};
    struct doca_sync_event *created = calloc(1, sizeof(*created));
    if (created == NULL) {
        (void)old.doca_sync_event_destroy(old_event);
        return DOCA_ERROR_NO_MEMORY;
    }
    created->old = old_event;
    for (int i = 0; i < NUM_POOLS; i++) {
        created->pools[i].check = check;
        created->pools[i].job_type = types[i];
    }
    ctx_init(&created->ctx, &ops, created->pools, NUM_POOLS);
    *event = created;
    return DOCA_SUCCESS;
}

static doca_error_t
check_supported(void) {
    return old.has_sync_event ? DOCA_SUCCESS
                              : REFUSE(DOCA_ERROR_NOT_SUPPORTED, "The installed release has no sync events");
}

doca_error_t
doca_sync_event_create(struct doca_sync_event **event) {
    if (event == NULL) {
        return REFUSE_NULL(event);
    }
    struct old_sync_event *created;
    doca_error_t result = check_supported();
    if (result == DOCA_SUCCESS) {
        result = old.doca_sync_event_create(&created);
    }
    return result == DOCA_SUCCESS ? wrap(created, event) : result;
}

doca_error_t
doca_sync_event_create_from_export(
        struct doca_dev *dev, const uint8_t *data, size_t sz, struct doca_sync_event **event) {
    if (dev == NULL || data == NULL || event == NULL) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: device %p, data %p, event %p", (void *)dev,
                      (const void *)data, (void *)event);
    }
    struct old_sync_event *created;
    doca_error_t result = check_supported();
    if (result == DOCA_SUCCESS) {
        result = old.doca_sync_event_create_from_export(dev, data, sz, &created);
    }
    return result == DOCA_SUCCESS ? wrap(created, event) : result;
}

doca_error_t
doca_sync_event_destroy(struct doca_sync_event *event) {
    if (event == NULL) {
        return REFUSE_NULL(event);
    }
    doca_error_t result = ctx_check_idle(&event->ctx, "destroy");
    if (result == DOCA_SUCCESS) {
        result = old.doca_sync_event_destroy(event->old);
    }
    if (result == DOCA_SUCCESS) {
        result = ctx_fini(&event->ctx);
        free(event);
    }
    return result;
}

struct doca_ctx *
doca_sync_event_as_ctx(struct doca_sync_event *event) {
    return event == NULL ? NULL : &event->ctx;
}

doca_error_t
doca_sync_event_start(struct doca_sync_event *event) {
    if (event == NULL) {
        return REFUSE_NULL(event);
    }
    if (event->started) {
        return DOCA_SUCCESS;
    }
    if (event->old_ctx != NULL) {
        return REFUSE(DOCA_ERROR_NOT_PERMITTED, "Sync event %p: Failed to start: is used as a context", (void *)event);
    }
    const doca_error_t result = old.doca_sync_event_start(event->old);
    event->started = result == DOCA_SUCCESS;
    return result;
}

doca_error_t
doca_sync_event_stop(struct doca_sync_event *event) {
    if (event == NULL) {
        return REFUSE_NULL(event);
    }
    if (!event->started) {
        return REFUSE(DOCA_ERROR_BAD_STATE, "Sync event %p: Failed to stop: is not started", (void *)event);
    }
    const doca_error_t result = old.doca_sync_event_stop(event->old);
    event->started = result != DOCA_SUCCESS;
    return result;
}

/*
 * Configuration
 */

doca_error_t
doca_sync_event_add_publisher_location_cpu(struct doca_sync_event *event, struct doca_dev *dev) {
    return event == NULL ? REFUSE_NULL(event) : old.doca_sync_event_publisher_add_location_cpu(event->old, dev);
}

doca_error_t
doca_sync_event_add_publisher_location_remote_pci(struct doca_sync_event *event) {
    return event == NULL ? REFUSE_NULL(event) : old.doca_sync_event_publisher_add_location_dpu(event->old);
}

doca_error_t
doca_sync_event_add_subscriber_location_cpu(struct doca_sync_event *event, struct doca_dev *dev) {
    return event == NULL ? REFUSE_NULL(event) : old.doca_sync_event_subscriber_add_location_cpu(event->old, dev);
}

doca_error_t
doca_sync_event_add_subscriber_location_remote_pci(struct doca_sync_event *event) {
    return event == NULL ? REFUSE_NULL(event) : old.doca_sync_event_subscriber_add_location_dpu(event->old);
}

doca_error_t
doca_sync_event_set_addr(struct doca_sync_event *event, uint64_t *addr) {
    return event == NULL ? REFUSE_NULL(event) : old.doca_sync_event_set_addr(event->old, addr);
}

doca_error_t
doca_sync_event_export_to_remote_pci(
        struct doca_sync_event *event, struct doca_dev *dev, const uint8_t **data, size_t *sz) {
    return event == NULL ? REFUSE_NULL(event) : old.doca_sync_event_export_to_dpu(event->old, dev, data, sz);
}

/*
 * Capabilities
 */

static doca_error_t
check_job(const struct doca_devinfo *devinfo, int type) {
    if (devinfo == NULL) {
        return REFUSE_NULL(devinfo);
    }
    const doca_error_t result = check_supported();
    return result == DOCA_SUCCESS ? old.doca_sync_event_job_get_supported((struct doca_devinfo *)devinfo, type) : result;
}

doca_error_t
doca_sync_event_cap_task_get_is_supported(const struct doca_devinfo *devinfo) {
    return check_job(devinfo, OLD_JOB_SYNC_EVENT_GET);
}

doca_error_t
doca_sync_event_cap_task_notify_set_is_supported(const struct doca_devinfo *devinfo) {
    return check_job(devinfo, OLD_JOB_SYNC_EVENT_SET);
}

doca_error_t
doca_sync_event_cap_task_notify_add_is_supported(const struct doca_devinfo *devinfo) {
    return check_job(devinfo, OLD_JOB_SYNC_EVENT_ADD);
}

doca_error_t
doca_sync_event_cap_task_wait_gt_is_supported(const struct doca_devinfo *devinfo) {
    return check_job(devinfo, OLD_JOB_SYNC_EVENT_WAIT_GT);
}

doca_error_t
doca_sync_event_cap_is_create_from_export_supported(const struct doca_devinfo *devinfo) {
    const doca_error_t result = check_supported();
    return result == DOCA_SUCCESS ? old.doca_sync_event_get_create_from_export_supported(devinfo) : result;
}

doca_error_t
doca_sync_event_cap_is_export_to_remote_pci_supported(const struct doca_devinfo *devinfo) {
    const doca_error_t result = check_supported();
    return result == DOCA_SUCCESS ? old.doca_sync_event_get_export_to_dpu_supported(devinfo) : result;
}

static doca_error_t
refuse_network(void) {
    return REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Sync events cross the network from DOCA 2.5 on");
}

doca_error_t
doca_sync_event_cap_is_export_to_remote_net_supported(const struct doca_devinfo *devinfo) {
    (void)devinfo;
    return refuse_network();
}

doca_error_t
doca_sync_event_cap_remote_net_is_create_from_export_supported(const struct doca_devinfo *devinfo) {
    (void)devinfo;
    return refuse_network();
}

/* Calls. In the old SDK they crash the process unless the event is started for calls. */

static doca_error_t
check_started(const struct doca_sync_event *event) {
    if (event == NULL) {
        return REFUSE_NULL(event);
    }
    return event->started ? DOCA_SUCCESS
                          : REFUSE(DOCA_ERROR_BAD_STATE, "Sync event %p: is not started for calls", (const void *)event);
}

doca_error_t
doca_sync_event_get(struct doca_sync_event *event, uint64_t *value) {
    const doca_error_t result = check_started(event);
    return result == DOCA_SUCCESS ? old.doca_sync_event_get(event->old, value) : result;
}

doca_error_t
doca_sync_event_update_set(struct doca_sync_event *event, uint64_t value) {
    const doca_error_t result = check_started(event);
    return result == DOCA_SUCCESS ? old.doca_sync_event_update_set(event->old, value) : result;
}

doca_error_t
doca_sync_event_update_add(struct doca_sync_event *event, uint64_t value, uint64_t *fetched) {
    uint64_t unused;
    const doca_error_t result = check_started(event);
    return result == DOCA_SUCCESS
                   ? old.doca_sync_event_update_add(event->old, value, fetched == NULL ? &unused : fetched)
                   : result;
}

doca_error_t
doca_sync_event_wait_gt(struct doca_sync_event *event, uint64_t value, uint64_t mask) {
    const doca_error_t result = check_started(event);
    return result == DOCA_SUCCESS ? old.doca_sync_event_wait_gt(event->old, value, mask) : result;
}

doca_error_t
doca_sync_event_wait_gt_yield(struct doca_sync_event *event, uint64_t value, uint64_t mask) {
    const doca_error_t result = check_started(event);
    return result == DOCA_SUCCESS ? old.doca_sync_event_wait_gt_yield(event->old, value, mask) : result;
}

/*
 * Tasks
 */

static struct doca_task *
as_task(const void *task) {
    return (struct doca_task *)task;
}

static doca_error_t
set_conf(struct doca_sync_event *event, int pool, void *completion_cb, void *error_cb, uint32_t num_tasks) {
    return event == NULL ? REFUSE_NULL(event)
                         : ctx_set_conf(&event->ctx, (uint32_t)pool, num_tasks, (task_callback)completion_cb,
                                        (task_callback)error_cb);
}

static struct doca_task *
alloc(struct doca_sync_event *event, int pool, union doca_data user_data, void *task, doca_error_t *result) {
    struct doca_task *allocated = NULL;
    if (event == NULL) {
        *result = REFUSE_NULL(event);
    } else if (task == NULL) {
        *result = REFUSE_NULL(task);
    } else {
        *result = task_alloc(&event->pools[pool], &event->ctx, user_data, &allocated);
    }
    return allocated;
}

doca_error_t
doca_sync_event_task_get_set_conf(
        struct doca_sync_event *event, doca_sync_event_task_get_completion_cb_t completion_cb,
        doca_sync_event_task_get_completion_cb_t error_cb, uint32_t num_tasks) {
    return set_conf(event, GET, (void *)completion_cb, (void *)error_cb, num_tasks);
}

doca_error_t
doca_sync_event_task_get_alloc_init(
        struct doca_sync_event *event, uint64_t *ret_val_ptr, union doca_data user_data,
        struct doca_sync_event_task_get **task) {
    doca_error_t result;
    struct doca_task *allocated = alloc(event, GET, user_data, task, &result);
    if (allocated != NULL) {
        allocated->job.get.value = ret_val_ptr;
        *task = (struct doca_sync_event_task_get *)allocated;
    }
    return result;
}

struct doca_task *
doca_sync_event_task_get_as_doca_task(struct doca_sync_event_task_get *task) {
    return as_task(task);
}

uint64_t *
doca_sync_event_task_get_get_ret_val_ptr(const struct doca_sync_event_task_get *task) {
    return as_task(task)->job.get.value;
}

void
doca_sync_event_task_get_set_ret_val_ptr(struct doca_sync_event_task_get *task, uint64_t *ret_val_ptr) {
    as_task(task)->job.get.value = ret_val_ptr;
}

doca_error_t
doca_sync_event_task_notify_set_set_conf(
        struct doca_sync_event *event, doca_sync_event_task_notify_set_completion_cb_t completion_cb,
        doca_sync_event_task_notify_set_completion_cb_t error_cb, uint32_t num_tasks) {
    return set_conf(event, SET, (void *)completion_cb, (void *)error_cb, num_tasks);
}

doca_error_t
doca_sync_event_task_notify_set_alloc_init(
        struct doca_sync_event *event, uint64_t set_val, union doca_data user_data,
        struct doca_sync_event_task_notify_set **task) {
    doca_error_t result;
    struct doca_task *allocated = alloc(event, SET, user_data, task, &result);
    if (allocated != NULL) {
        allocated->job.set.value = set_val;
        *task = (struct doca_sync_event_task_notify_set *)allocated;
    }
    return result;
}

struct doca_task *
doca_sync_event_task_notify_set_as_doca_task(struct doca_sync_event_task_notify_set *task) {
    return as_task(task);
}

uint64_t
doca_sync_event_task_notify_set_get_set_val(const struct doca_sync_event_task_notify_set *task) {
    return as_task(task)->job.set.value;
}

void
doca_sync_event_task_notify_set_set_set_val(struct doca_sync_event_task_notify_set *task, uint64_t set_val) {
    as_task(task)->job.set.value = set_val;
}

doca_error_t
doca_sync_event_task_notify_add_set_conf(
        struct doca_sync_event *event, doca_sync_event_task_notify_add_completion_cb_t completion_cb,
        doca_sync_event_task_notify_add_completion_cb_t error_cb, uint32_t num_tasks) {
    return set_conf(event, ADD, (void *)completion_cb, (void *)error_cb, num_tasks);
}

/* The old SDK requires memory for the value. */
static void
set_fetched(struct doca_task *task, uint64_t *fetched) {
    task->job.add.fetched = fetched == NULL ? &task->unwanted : fetched;
}

doca_error_t
doca_sync_event_task_notify_add_alloc_init(
        struct doca_sync_event *event, uint64_t inc_val, uint64_t *fetched_val_ptr, union doca_data user_data,
        struct doca_sync_event_task_notify_add **task) {
    doca_error_t result;
    struct doca_task *allocated = alloc(event, ADD, user_data, task, &result);
    if (allocated != NULL) {
        allocated->job.add.value = inc_val;
        set_fetched(allocated, fetched_val_ptr);
        *task = (struct doca_sync_event_task_notify_add *)allocated;
    }
    return result;
}

struct doca_task *
doca_sync_event_task_notify_add_as_doca_task(struct doca_sync_event_task_notify_add *task) {
    return as_task(task);
}

uint64_t
doca_sync_event_task_notify_add_get_inc_val(const struct doca_sync_event_task_notify_add *task) {
    return as_task(task)->job.add.value;
}

void
doca_sync_event_task_notify_add_set_inc_val(struct doca_sync_event_task_notify_add *task, uint64_t inc_val) {
    as_task(task)->job.add.value = inc_val;
}

uint64_t *
doca_sync_event_task_notify_add_get_fetched_val_ptr(const struct doca_sync_event_task_notify_add *task) {
    uint64_t *fetched = as_task(task)->job.add.fetched;
    return fetched == &as_task(task)->unwanted ? NULL : fetched;
}

void
doca_sync_event_task_notify_add_set_fetched_val_ptr(
        struct doca_sync_event_task_notify_add *task, uint64_t *fetched_val_ptr) {
    set_fetched(as_task(task), fetched_val_ptr);
}

doca_error_t
doca_sync_event_task_wait_gt_set_conf(
        struct doca_sync_event *event, doca_sync_event_task_wait_gt_completion_cb_t completion_cb,
        doca_sync_event_task_wait_gt_completion_cb_t error_cb, uint32_t num_tasks) {
    return set_conf(event, WAIT_GT, (void *)completion_cb, (void *)error_cb, num_tasks);
}

doca_error_t
doca_sync_event_task_wait_gt_alloc_init(
        struct doca_sync_event *event, uint64_t wait_val, uint64_t mask, union doca_data user_data,
        struct doca_sync_event_task_wait_gt **task) {
    doca_error_t result;
    struct doca_task *allocated = alloc(event, WAIT_GT, user_data, task, &result);
    if (allocated != NULL) {
        allocated->job.wait.value = wait_val;
        allocated->job.wait.mask = mask;
        *task = (struct doca_sync_event_task_wait_gt *)allocated;
    }
    return result;
}

struct doca_task *
doca_sync_event_task_wait_gt_as_doca_task(struct doca_sync_event_task_wait_gt *task) {
    return as_task(task);
}

uint64_t
doca_sync_event_task_wait_gt_get_wait_val(const struct doca_sync_event_task_wait_gt *task) {
    return as_task(task)->job.wait.value;
}

void
doca_sync_event_task_wait_gt_set_wait_val(struct doca_sync_event_task_wait_gt *task, uint64_t wait_val) {
    as_task(task)->job.wait.value = wait_val;
}

uint64_t
doca_sync_event_task_wait_gt_get_mask(const struct doca_sync_event_task_wait_gt *task) {
    return as_task(task)->job.wait.mask;
}

void
doca_sync_event_task_wait_gt_set_mask(struct doca_sync_event_task_wait_gt *task, uint64_t mask) {
    as_task(task)->job.wait.mask = mask;
}
