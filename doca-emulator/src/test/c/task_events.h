/* SPDX-License-Identifier: Apache-2.0 */
/* The completed tasks of any kind, in the order of their callbacks. */
#ifndef DOCA_EMULATOR_TASK_EVENTS_H_
#define DOCA_EMULATOR_TASK_EVENTS_H_

#include <stdbool.h>

#include <doca_ctx.h>
#include <doca_pe.h>

#include "check.h"

#define MAX_EVENTS 512

/* A completed task, with its number. */
struct task_event {
    struct doca_task *task;
    uint64_t number;
    bool success;
    doca_error_t status;
    enum doca_ctx_states state;
};

static struct task_event events[MAX_EVENTS];
static size_t num_events;

static inline void
note(struct doca_task *task, union doca_data number, bool success) {
    enum doca_ctx_states state;
    CHECK_SUCCESS(doca_ctx_get_state(doca_task_get_ctx(task), &state));
    CHECK(num_events < MAX_EVENTS);
    events[num_events++] = (struct task_event){.task = task,
                                               .number = number.u64,
                                               .success = success,
                                               .status = doca_task_get_status(task),
                                               .state = state};
}

/* All kinds of tasks begin with their common part. */
static inline void
on_success(void *task, union doca_data number, union doca_data unused) {
    (void)unused;
    note(task, number, true);
}

static inline void
on_failure(void *task, union doca_data number, union doca_data unused) {
    (void)unused;
    note(task, number, false);
}

static inline const struct task_event *
find_event(uint64_t number) {
    for (size_t i = 0; i < num_events; i++) {
        if (events[i].number == number) {
            return &events[i];
        }
    }
    return NULL;
}

/* Checks that the task with that number has completed with this status. */
static inline void
check_event(uint64_t number, doca_error_t status) {
    const struct task_event *event = find_event(number);
    if (event == NULL) {
        CHECK_FAILED("task %llu has not ended", (unsigned long long)number);
        return;
    }
    CHECK_ERROR(status, event->status);
    CHECK_EQUAL(status == DOCA_SUCCESS, event->success);
}

/* Frees all completed tasks. */
static inline void
forget_events(void) {
    for (size_t i = 0; i < num_events; i++) {
        doca_task_free(events[i].task);
    }
    num_events = 0;
}

#endif /* DOCA_EMULATOR_TASK_EVENTS_H_ */
