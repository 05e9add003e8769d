/* SPDX-License-Identifier: Apache-2.0 */
/* The tasks of a sync event. All kinds share one structure; members that a kind does not use are zero. */
#ifndef DOCA_EMULATOR_SYNC_EVENT_TASK_H_
#define DOCA_EMULATOR_SYNC_EVENT_TASK_H_

#include <stdbool.h>
#include <stdint.h>

#include "faults.h"
#include "sync_event_condition.h"
#include "task.h"

/* In the order of their names in the API. */
enum sync_event_task_kind {
    SYNC_EVENT_TASK_GET,
    SYNC_EVENT_TASK_NOTIFY_ADD,
    SYNC_EVENT_TASK_NOTIFY_SET,
    SYNC_EVENT_TASK_WAIT_EQ,
    SYNC_EVENT_TASK_WAIT_NEQ,
};

#define NUM_SYNC_EVENT_TASK_KINDS 5

struct sync_event_task {
    struct doca_task base;
    enum sync_event_task_kind kind;

    /*
     * Set by the program: the value to set or to add; the destination of the previous value; the condition of the wait.
     */
    uint64_t operand;
    uint64_t *result_ptr;
    struct sync_event_condition condition;

    /* The result. */
    doca_error_t result;
    /* True if it is reported as failed because its context stopped. */
    bool flushed;

    /* True if faults were set when the task was submitted, and their effect on it. */
    bool faulty;
    struct task_faults faults;
};

static inline struct sync_event_task *
as_sync_event_task(struct doca_task *task) {
    return (struct sync_event_task *)task;
}

static inline bool
sync_event_task_waits(const struct sync_event_task *task) {
    return task->kind == SYNC_EVENT_TASK_WAIT_EQ || task->kind == SYNC_EVENT_TASK_WAIT_NEQ;
}

/* The name in log records: "notify_set". */
const char *sync_event_task_name(const struct sync_event_task *task);

/* INVALID_VALUE, with a record in the log, if the task of the event cannot be executed with its arguments. */
doca_error_t sync_event_task_check(const struct sync_event_task *task);

/* Changes a wait_eq task to wait for a greater value, for releases whose API has only such waits. */
void sync_event_task_make_greater(struct doca_task *task) EMULATOR_SHARED(sync_event_task_make_greater);

#endif /* DOCA_EMULATOR_SYNC_EVENT_TASK_H_ */
