/* SPDX-License-Identifier: Apache-2.0 */
/* A sync event as a context, and the events of its callbacks. */
#ifndef DOCA_EMULATOR_SYNC_EVENT_FIXTURE_H_
#define DOCA_EMULATOR_SYNC_EVENT_FIXTURE_H_

#include <poll.h>
#include <sched.h>
#include <stdbool.h>

#include <doca_ctx.h>
#include <doca_pe.h>
#include <doca_sync_event.h>

#include "fixture.h"
#include "sdk_errors.h"

#define ALL UINT64_MAX
#define NUM_TASKS 8
#define MAX_ENDS 64

/* A completed task, with its number. */
struct task_end {
    struct doca_task *task;
    uint64_t number;
    bool success;
    doca_error_t status;
    enum doca_ctx_states state;
};

static struct doca_dev *dev;
static struct doca_pe *pe;
static struct task_end ends[MAX_ENDS];
static size_t num_ends;

static inline enum doca_ctx_states
state_of(struct doca_ctx *ctx) {
    enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;
    CHECK_SUCCESS(doca_ctx_get_state(ctx, &state));
    return state;
}

static inline void
note(struct doca_task *task, union doca_data number, bool success) {
    CHECK(num_ends < MAX_ENDS);
    ends[num_ends++] = (struct task_end){.task = task,
                                         .number = number.u64,
                                         .success = success,
                                         .status = doca_task_get_status(task),
                                         .state = state_of(doca_task_get_ctx(task))};
}

/* All kinds of tasks begin with their common part. */
static inline void
on_success(struct doca_sync_event_task_get *task, union doca_data number, union doca_data unused) {
    (void)unused;
    note(doca_sync_event_task_get_as_doca_task(task), number, true);
}

static inline void
on_failure(struct doca_sync_event_task_get *task, union doca_data number, union doca_data unused) {
    (void)unused;
    note(doca_sync_event_task_get_as_doca_task(task), number, false);
}

#define CONFIGURE(event, kind, num_tasks) \
    doca_sync_event_task_##kind##_set_conf((event), (doca_sync_event_task_##kind##_completion_cb_t)on_success, \
                                           (doca_sync_event_task_##kind##_completion_cb_t)on_failure, (num_tasks))

/* Makes the event a running context, for all kinds of tasks. */
static inline struct doca_ctx *
start_as_ctx(struct doca_sync_event *event) {
    struct doca_ctx *ctx = doca_sync_event_as_ctx(event);
    REQUIRE_SUCCESS(doca_pe_connect_ctx(pe, ctx));
    REQUIRE_SUCCESS(CONFIGURE(event, get, NUM_TASKS));
    REQUIRE_SUCCESS(CONFIGURE(event, notify_add, NUM_TASKS));
    REQUIRE_SUCCESS(CONFIGURE(event, notify_set, NUM_TASKS));
    REQUIRE_SUCCESS(CONFIGURE(event, wait_eq, NUM_TASKS));
    REQUIRE_SUCCESS(CONFIGURE(event, wait_neq, NUM_TASKS));
    REQUIRE_SUCCESS(doca_ctx_start(ctx));
    return ctx;
}

static inline struct doca_sync_event *
create_configured(uint64_t *addr) {
    struct doca_sync_event *event = NULL;
    REQUIRE_SUCCESS(doca_sync_event_create(&event));
    REQUIRE_SUCCESS(doca_sync_event_add_publisher_location_cpu(event, dev));
    REQUIRE_SUCCESS(doca_sync_event_add_subscriber_location_cpu(event, dev));
    if (addr != NULL) {
        REQUIRE_SUCCESS(doca_sync_event_set_addr(event, addr));
    }
    return event;
}

#define MAKE(kind, ...) \
    struct doca_sync_event_task_##kind *task; \
    REQUIRE_SUCCESS(doca_sync_event_task_##kind##_alloc_init(__VA_ARGS__, &task)); \
    return doca_sync_event_task_##kind##_as_doca_task(task)

static inline struct doca_task *
make_get(struct doca_sync_event *event, uint64_t *value, uint64_t number) {
    MAKE(get, event, value, numbered(number));
}

static inline struct doca_task *
make_set(struct doca_sync_event *event, uint64_t value, uint64_t number) {
    MAKE(notify_set, event, value, numbered(number));
}

static inline struct doca_task *
make_add(struct doca_sync_event *event, uint64_t value, uint64_t *fetched, uint64_t number) {
    MAKE(notify_add, event, value, fetched, numbered(number));
}

static inline struct doca_task *
make_wait_eq(struct doca_sync_event *event, uint64_t value, uint64_t mask, uint64_t number) {
    MAKE(wait_eq, event, value, mask, numbered(number));
}

static inline struct doca_task *
make_wait_neq(struct doca_sync_event *event, uint64_t value, uint64_t mask, uint64_t number) {
    MAKE(wait_neq, event, value, mask, numbered(number));
}

static inline void
progress_until(size_t count) {
    while (num_ends < count) {
        progress_or_rest(pe);
    }
}

/* The same for a program that sleeps in between. */
static inline void
sleep_until(size_t count) {
    doca_notification_handle_t handle;
    CHECK_SUCCESS(doca_pe_get_notification_handle(pe, &handle));
    while (num_ends < count) {
        struct pollfd notification = {.fd = handle, .events = POLLIN};
        CHECK_SUCCESS(doca_pe_request_notification(pe));
        if (poll(&notification, 1, 10000) != 1) {
            CHECK_FAILED("no notification");
            exit(EXIT_FAILURE);
        }
        CHECK_SUCCESS(doca_pe_clear_notification(pe, handle));
        while (doca_pe_progress(pe) != 0) {
        }
    }
}

/* Checks the task and the status of the completion with that index. */
static inline void
check_end(size_t index, uint64_t number, doca_error_t status) {
    CHECK(index < num_ends);
    CHECK_EQUAL(number, ends[index].number);
    CHECK_ERROR(status, ends[index].status);
    CHECK_EQUAL(status == DOCA_SUCCESS, ends[index].success);
}

/* Frees all completed tasks. */
static inline void
forget_ends(void) {
    for (size_t i = 0; i < num_ends; i++) {
        doca_task_free(ends[i].task);
    }
    num_ends = 0;
}

/* Stops with tasks in flight. Returns their number. */
static inline size_t
stop_ctx(struct doca_ctx *ctx) {
    const doca_error_t result = doca_ctx_stop(ctx);
    size_t num_flushed = 0;
    CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS);
    while (state_of(ctx) != DOCA_CTX_STATE_IDLE) {
        num_flushed += num_ends;
        forget_ends();
        progress_or_rest(pe);
    }
    return num_flushed;
}

#endif /* DOCA_EMULATOR_SYNC_EVENT_FIXTURE_H_ */
