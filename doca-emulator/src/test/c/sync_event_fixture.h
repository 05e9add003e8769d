/* SPDX-License-Identifier: Apache-2.0 */
/* A sync event as a context, and the events of its callbacks. */
#ifndef DOCA_EMULATOR_SYNC_EVENT_FIXTURE_H_
#define DOCA_EMULATOR_SYNC_EVENT_FIXTURE_H_

#include <doca_sync_event.h>

#include "fixture.h"
#include "sdk_errors.h"
#include "task_events.h"

#define ALL UINT64_MAX
#define NUM_TASKS 8

static struct doca_dev *dev;
static struct doca_pe *pe;

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

/* Creates an event for the CPU, in the given memory or, with NULL, in its own. */
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

static inline uint64_t
get(struct doca_sync_event *event) {
    uint64_t value = 0;
    CHECK_SUCCESS(doca_sync_event_get(event, &value));
    return value;
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
    while (num_events < count) {
        progress_or_rest(pe);
    }
}

/* The same for a program that sleeps in between. */
static inline void
sleep_until(size_t count) {
    while (num_events < count) {
        sleep_once(pe);
        while (doca_pe_progress(pe) != 0) {
        }
    }
}

/* Checks the task and the status of the completion with that index. */
static inline void
check_end(size_t index, uint64_t number, doca_error_t status) {
    CHECK(index < num_events);
    CHECK_EQUAL(number, events[index].number);
    CHECK_ERROR(status, events[index].status);
    CHECK_EQUAL(status == DOCA_SUCCESS, events[index].success);
}

/* Stops with tasks in flight. Returns their number. */
static inline size_t
stop_ctx(struct doca_ctx *ctx) {
    const doca_error_t result = doca_ctx_stop(ctx);
    size_t num_flushed = 0;
    CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS);
    while (state_of_ctx(ctx) != DOCA_CTX_STATE_IDLE) {
        num_flushed += num_events;
        forget_events();
        progress_or_rest(pe);
    }
    return num_flushed;
}

#endif /* DOCA_EMULATOR_SYNC_EVENT_FIXTURE_H_ */
