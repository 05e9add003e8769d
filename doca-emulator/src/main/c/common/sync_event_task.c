/* SPDX-License-Identifier: Apache-2.0 */
/* The API functions that configure, create, read and change tasks of sync events. */
#include "sdk_log.h"
#include "sync_event.h"
#include "sync_event_task.h"

#define MAX_NUM_TASKS 65536

const char *
sync_event_task_name(const struct sync_event_task *task) {
    static const char *const names[NUM_SYNC_EVENT_TASK_KINDS] = {"get", "notify_add", "notify_set", "wait_eq",
                                                                 "wait_neq"};
    return names[task->kind];
}

/*
 * Checks
 */

/* One, two, four or eight adjacent bytes, or none. */
static bool
is_mask(uint64_t mask) {
    const uint64_t lowest_bits = mask == 0 ? 0 : mask >> (__builtin_ctzll(mask) / 8 * 8);
    return lowest_bits == 0 || lowest_bits == UINT8_MAX || lowest_bits == UINT16_MAX || lowest_bits == UINT32_MAX ||
           lowest_bits == UINT64_MAX;
}

doca_error_t
sync_event_task_check(const struct sync_event_task *task) {
    const struct doca_sync_event *event = (const struct doca_sync_event *)task->base.ctx;
    const bool has_result = task->kind == SYNC_EVENT_TASK_GET || task->kind == SYNC_EVENT_TASK_NOTIFY_ADD;
    if (has_result && (task->result_ptr == NULL || (uintptr_t)task->result_ptr % sizeof(uint64_t) != 0)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE,
                          "Sync event %p: Invalid input: %p is no place for the value of a %s task", event,
                          task->result_ptr, sync_event_task_name(task));
    }
    if (!sync_event_task_waits(task)) {
        return DOCA_SUCCESS;
    }
    if (!is_mask(task->condition.mask)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE,
                          "Sync event %p: Invalid input: mask %#llx of a %s task, must be of 0, 1, 2, 4 or 8 whole "
                          "bytes",
                          event, (unsigned long long)task->condition.mask, sync_event_task_name(task));
    }
    return sync_event_condition_check(event, &task->condition);
}

/*
 * For all kinds
 */

static doca_error_t
check_conf(const struct doca_sync_event *event, const char *kind, sync_event_callback_t completed,
           sync_event_callback_t failed, uint32_t num_tasks) {
    if (completed == NULL || failed == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Sync event %p: Invalid input: %s is NULL", event,
                          completed == NULL ? "completion_cb" : "error_cb");
    }
    if (num_tasks > MAX_NUM_TASKS) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Sync event %p: Invalid input: %u %s tasks, must be up to %d",
                          event, num_tasks, kind, MAX_NUM_TASKS);
    }
    if (event->ctx.state != DOCA_CTX_STATE_IDLE) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Sync event %p: Failed to configure %s tasks: is a running context", event,
                          kind);
    }
    return DOCA_SUCCESS;
}

static doca_error_t
set_conf(struct doca_sync_event *event, enum sync_event_task_kind kind, const char *name,
         sync_event_callback_t completed, sync_event_callback_t failed, uint32_t num_tasks) {
    if (!IS_LIVE(sync_event_class, event)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_conf(event, name, completed, failed, num_tasks);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    struct sync_event_task_conf *conf = &event->engine.confs[kind];
    task_pool_destroy(&conf->pool);
    conf->completed = completed;
    conf->failed = failed;
    return num_tasks == 0 ? DOCA_SUCCESS
                          : task_pool_create(&conf->pool, &event->ctx, num_tasks, sizeof(struct sync_event_task));
}

/* Creates a task with these arguments; arguments that the kind does not have are zero. */
static doca_error_t
alloc(struct doca_sync_event *event, const struct sync_event_task *arguments, union doca_data user_data,
      struct sync_event_task **task) {
    struct doca_task *allocated;
    if (!IS_LIVE(sync_event_class, event)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (task == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Sync event %p: Invalid input: task is NULL", event);
    }
    if (event->ctx.state == DOCA_CTX_STATE_IDLE) {
        /* NVIDIA's library crashes the process before the first start. */
        return SDK_REFUSE(event->was_started ? DOCA_ERROR_NO_MEMORY : DOCA_ERROR_BAD_STATE,
                          "Sync event %p: Failed to allocate a task: is not running as a context", event);
    }
    const doca_error_t result =
            task_take(&event->engine.confs[arguments->kind].pool, &event->ctx, user_data, &allocated);
    if (result == DOCA_SUCCESS) {
        struct sync_event_task *created = as_sync_event_task(allocated);
        created->kind = arguments->kind;
        created->operand = arguments->operand;
        created->result_ptr = arguments->result_ptr;
        created->condition = arguments->condition;
        *task = created;
    }
    return result;
}

/* Refuses a NULL task. */
static bool
is_task(const void *task) {
    return TASK_IS_LIVE((const struct doca_task *)task);
}

/* Refuses a task in flight, too. */
static bool
may_change(const void *task) {
    return TASK_MAY_CHANGE((const struct doca_task *)task);
}

#define OF(task) ((struct sync_event_task *)(task))

#define TASK_COMMON(name, kind) \
    doca_error_t doca_sync_event_task_##name##_set_conf( \
            struct doca_sync_event *event, doca_sync_event_task_##name##_completion_cb_t completion_cb, \
            doca_sync_event_task_##name##_completion_cb_t error_cb, uint32_t num_tasks) { \
        return set_conf(event, kind, #name, (sync_event_callback_t)completion_cb, (sync_event_callback_t)error_cb, \
                        num_tasks); \
    } \
    struct doca_task *doca_sync_event_task_##name##_as_doca_task(struct doca_sync_event_task_##name *task) { \
        return is_task(task) ? (struct doca_task *)task : NULL; \
    }

/* Defines the getter of a property of the task, with its name in the API. */
#define TASK_PROPERTY(name, part, type, member) \
    type doca_sync_event_task_##name##_get_##part(const struct doca_sync_event_task_##name *task) { \
        return is_task(task) ? OF(task)->member : 0; \
    } \
    void doca_sync_event_task_##name##_set_##part(struct doca_sync_event_task_##name *task, type part) { \
        if (may_change(task)) { \
            OF(task)->member = part; \
        } \
    }

/*
 * Get
 */

TASK_COMMON(get, SYNC_EVENT_TASK_GET)
TASK_PROPERTY(get, ret_val_ptr, uint64_t *, result_ptr)

doca_error_t
doca_sync_event_task_get_alloc_init(struct doca_sync_event *event, uint64_t *ret_val_ptr, union doca_data user_data,
                                    struct doca_sync_event_task_get **task) {
    const struct sync_event_task arguments = {.kind = SYNC_EVENT_TASK_GET, .result_ptr = ret_val_ptr};
    return alloc(event, &arguments, user_data, (struct sync_event_task **)task);
}

/*
 * Notify
 */

TASK_COMMON(notify_set, SYNC_EVENT_TASK_NOTIFY_SET)
TASK_PROPERTY(notify_set, set_val, uint64_t, operand)

doca_error_t
doca_sync_event_task_notify_set_alloc_init(struct doca_sync_event *event, uint64_t set_val, union doca_data user_data,
                                           struct doca_sync_event_task_notify_set **task) {
    const struct sync_event_task arguments = {.kind = SYNC_EVENT_TASK_NOTIFY_SET, .operand = set_val};
    return alloc(event, &arguments, user_data, (struct sync_event_task **)task);
}

TASK_COMMON(notify_add, SYNC_EVENT_TASK_NOTIFY_ADD)
TASK_PROPERTY(notify_add, inc_val, uint64_t, operand)
TASK_PROPERTY(notify_add, fetched_val_ptr, uint64_t *, result_ptr)

doca_error_t
doca_sync_event_task_notify_add_alloc_init(struct doca_sync_event *event, uint64_t inc_val, uint64_t *fetched_val_ptr,
                                           union doca_data user_data, struct doca_sync_event_task_notify_add **task) {
    const struct sync_event_task arguments = {
            .kind = SYNC_EVENT_TASK_NOTIFY_ADD, .operand = inc_val, .result_ptr = fetched_val_ptr};
    return alloc(event, &arguments, user_data, (struct sync_event_task **)task);
}

/*
 * Wait
 */

TASK_COMMON(wait_eq, SYNC_EVENT_TASK_WAIT_EQ)
TASK_PROPERTY(wait_eq, wait_val, uint64_t, condition.value)
TASK_PROPERTY(wait_eq, mask, uint64_t, condition.mask)

doca_error_t
doca_sync_event_task_wait_eq_alloc_init(struct doca_sync_event *event, uint64_t wait_val, uint64_t mask,
                                        union doca_data user_data, struct doca_sync_event_task_wait_eq **task) {
    const struct sync_event_task arguments = {
            .kind = SYNC_EVENT_TASK_WAIT_EQ,
            .condition = {.relation = SYNC_EVENT_EQUAL, .value = wait_val, .mask = mask}};
    return alloc(event, &arguments, user_data, (struct sync_event_task **)task);
}

void
sync_event_task_make_greater(struct doca_task *task) {
    as_sync_event_task(task)->condition.relation = SYNC_EVENT_GREATER;
}

TASK_COMMON(wait_neq, SYNC_EVENT_TASK_WAIT_NEQ)
TASK_PROPERTY(wait_neq, wait_val, uint64_t, condition.value)
TASK_PROPERTY(wait_neq, mask, uint64_t, condition.mask)

doca_error_t
doca_sync_event_task_wait_neq_alloc_init(struct doca_sync_event *event, uint64_t wait_val, uint64_t mask,
                                         union doca_data user_data, struct doca_sync_event_task_wait_neq **task) {
    const struct sync_event_task arguments = {
            .kind = SYNC_EVENT_TASK_WAIT_NEQ,
            .condition = {.relation = SYNC_EVENT_NOT_EQUAL, .value = wait_val, .mask = mask}};
    return alloc(event, &arguments, user_data, (struct sync_event_task **)task);
}
