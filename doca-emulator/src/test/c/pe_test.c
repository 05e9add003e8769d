/* SPDX-License-Identifier: Apache-2.0 */
/* Progress and notification, tested with DMA. */
#include <pthread.h>

#include <doca_sync_event.h>

#include "dma_fixture.h"

#define NUM_ROUNDS 1000
#define NUM_TARGETS 8

static struct doca_buf *src;
/* Tasks in flight at the same time need different destinations. */
static struct doca_buf *targets[NUM_TARGETS];

static void
submit_new(struct doca_dma *dma, uint64_t task_id) {
    struct doca_buf *dst = targets[task_id % NUM_TARGETS];
    CHECK_SUCCESS(doca_buf_reset_data_len(dst));
    CHECK_SUCCESS(submit_task(alloc_task(dma, task_id, src, dst)));
}

/*
 * Life
 */

static void
missing_arguments_are_refused(void) {
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "Invalid input: num_inflight_tasks is NULL",
                  doca_pe_get_num_inflight_tasks(pe, NULL));
}

static void
check_refused(struct doca_pe *handle) {
    doca_notification_handle_t notification;
    size_t num_inflight;
    struct doca_dma *dma = create_dma(1, 0);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_pe_destroy(handle));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_pe_connect_ctx(handle, doca_dma_as_ctx(dma)));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_pe_get_notification_handle(handle, &notification));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_pe_get_num_inflight_tasks(handle, &num_inflight));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_pe_request_notification(handle));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_pe_clear_notification(handle, 0));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_pe_set_event_mode(handle, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
    last_error[0] = '\0';
    CHECK_EQUAL(0, doca_pe_progress(handle));
    check_logged("doca_pe_progress] Invalid input: ");
    end_dma(dma);
}

static void
a_stale_or_foreign_handle_is_refused(void) {
    struct doca_pe *destroyed;
    CHECK_SUCCESS(doca_pe_create(&destroyed));
    CHECK_SUCCESS(doca_pe_destroy(destroyed));
    check_refused(destroyed);
    check_refused(NULL);
    check_refused((struct doca_pe *)memory_map);
}

/*
 * Progress
 */

static void
contexts_take_turns(void) {
    struct doca_dma *dmas[3];
    for (uint64_t i = 0; i < 3; i++) {
        dmas[i] = start_dma(2, i);
    }
    for (size_t i = 0; i < 3; i++) {
        submit_new(dmas[i], 0);
        submit_new(dmas[i], 1);
    }
    progress_to_event(6);
    bool completed[3][2] = {{false}};
    for (size_t i = 0; i < 6; i++) {
        completed[events[i].ctx_id][events[i].task_id] = true;
        if (i >= 3) {
            CHECK_EQUAL(events[i - 3].ctx_id, events[i].ctx_id);
        }
        free_task(events[i].task);
    }
    for (size_t i = 0; i < 3; i++) {
        CHECK(completed[i][0] && completed[i][1]);
        end_dma(dmas[i]);
    }
}

static struct doca_dma *victims[3];

static void
destroy_all_when_idle(const struct event *event) {
    if (event->kind == EVENT_STATE && event->next == DOCA_CTX_STATE_IDLE) {
        on_event = NULL;
        for (size_t i = 0; i < 3; i++) {
            CHECK_SUCCESS(doca_ctx_stop(doca_dma_as_ctx(victims[i])));
            CHECK_SUCCESS(doca_dma_destroy(victims[i]));
        }
    }
}

static void
a_callback_may_destroy_contexts_whose_turn_comes(void) {
    for (uint64_t i = 0; i < 3; i++) {
        victims[i] = start_dma(1, i);
    }
    struct doca_dma_task_memcpy *task = alloc_task(victims[1], 0, src, targets[0]);
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(doca_dma_as_ctx(victims[1])));
    free_task(task);
    on_event = destroy_all_when_idle;
    CHECK_EQUAL(1, doca_pe_progress(pe));
    CHECK_EQUAL(4, num_events);
    CHECK_EQUAL(0, doca_pe_progress(pe));
    forget_events();
}

static void
misuse_engine(const struct event *event) {
    CHECK_EQUAL(0, doca_pe_progress(pe));
    check_logged("Failed to progress: called from a callback");
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "Failed to set the event mode: called from a callback",
                  doca_pe_set_event_mode(pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
    if (event->kind == EVENT_STATE && event->next == DOCA_CTX_STATE_IDLE) {
        CHECK_SUCCESS(doca_dma_destroy((struct doca_dma *)event->ctx));
        CHECK_REFUSED(DOCA_ERROR_IN_USE, "Failed to destroy: called from a callback", doca_pe_destroy(pe));
    }
}

static void
callbacks_neither_progress_nor_change_the_engine(void) {
    struct doca_dma *dma = create_dma(2, 0);
    struct doca_ctx *ctx = doca_dma_as_ctx(dma);
    on_event = misuse_engine;
    CHECK_SUCCESS(doca_ctx_start(ctx));
    submit_new(dma, 0);
    submit_new(dma, 1);
    progress_to_event(3);
    free_task(events[1].task);
    free_task(events[2].task);
    CHECK_SUCCESS(doca_ctx_stop(ctx));
    CHECK_EQUAL(4, num_events);
    check_nothing_logged();
    forget_events();
}

/*
 * Notification
 */

static bool
is_signalled(void) {
    return is_notified(pe, 0);
}

/* Waits for events that a worker may be about to signal. */
static bool
becomes_signalled(void) {
    return is_notified(pe, is_threaded() ? -1 : 0);
}

static void
request(void) {
    CHECK_SUCCESS(doca_pe_request_notification(pe));
}

static void
clear(void) {
    CHECK_SUCCESS(doca_pe_clear_notification(pe, 0));
}

/* Checks that progress does not find the completion, however often it is called. */
static void
check_passed_over(void) {
    for (int i = 0; i < 10; i++) {
        CHECK_EQUAL(0, doca_pe_progress(pe));
    }
}

/* Creates an engine without a request for notification. */
static void
renew_engine(void) {
    CHECK_SUCCESS(doca_pe_destroy(pe));
    CHECK_SUCCESS(doca_pe_create(&pe));
}

/* With the threaded engine a worker may complete the task before or after the request. */
static void
work_that_waits_is_notified_at_once(void) {
    renew_engine();
    struct doca_dma *dma = start_dma(2, 0);
    on_event = free_finished_task;
    submit_new(dma, 0);
    request();
    CHECK(becomes_signalled());
    clear();
    request();
    CHECK(becomes_signalled());
    if (!is_threaded()) {
        /* The queue was never armed: completions are found without a clear. */
        progress_to_event(1);
        submit_new(dma, 1);
        progress_to_event(2);
    }
    clear();
    progress_all();
    request();
    CHECK(!is_signalled());
    end_dma(dma);
}

static void
complete_value(struct doca_sync_event_task_notify_set *task, union doca_data task_data, union doca_data ctx_data) {
    (void)task_data;
    (void)ctx_data;
    doca_task_free(doca_sync_event_task_notify_set_as_doca_task(task));
}

static void
set_value(struct doca_sync_event *event) {
    struct doca_sync_event_task_notify_set *task;
    REQUIRE_SUCCESS(doca_sync_event_task_notify_set_alloc_init(event, 1, numbered(0), &task));
    CHECK_SUCCESS(doca_task_submit(doca_sync_event_task_notify_set_as_doca_task(task)));
}

/* The queue of sync events is always polled. */
static void
queues_fire_one_by_one(void) {
    renew_engine();
    struct doca_dma *dma = start_dma(1, 0);
    struct doca_sync_event *event;
    REQUIRE_SUCCESS(doca_sync_event_create(&event));
    REQUIRE_SUCCESS(doca_sync_event_add_publisher_location_cpu(event, dev));
    REQUIRE_SUCCESS(doca_sync_event_add_subscriber_location_cpu(event, dev));
    REQUIRE_SUCCESS(doca_sync_event_task_notify_set_set_conf(event, complete_value, complete_value, 1));
    struct doca_ctx *event_ctx = doca_sync_event_as_ctx(event);
    REQUIRE_SUCCESS(doca_pe_connect_ctx(pe, event_ctx));
    REQUIRE_SUCCESS(doca_ctx_start(event_ctx));
    on_event = free_finished_task;
    request();
    set_value(event);
    CHECK(is_signalled());
    CHECK_EQUAL(1, doca_pe_progress(pe));
    clear();
    CHECK(!is_signalled());
    /* The queue of DMA is still armed. */
    set_value(event);
    CHECK(!is_signalled());
    CHECK_EQUAL(1, doca_pe_progress(pe));
    submit_new(dma, 0);
    CHECK(becomes_signalled());
    check_passed_over();
    clear();
    progress_to_event(1);
    CHECK_SUCCESS(doca_ctx_stop(event_ctx));
    CHECK_SUCCESS(doca_sync_event_destroy(event));
    end_dma(dma);
}

/* Freeing the last task does not fire the handle; a request after it fires at once. */
static void
the_end_of_a_stop_is_notified_on_request_only(void) {
    renew_engine();
    struct doca_dma *dma = start_dma(1, 0);
    struct doca_dma_task_memcpy *task = alloc_task(dma, 0, src, targets[0]);
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(doca_dma_as_ctx(dma)));
    request();
    CHECK(!is_signalled());
    free_task(task);
    CHECK(!is_signalled());
    clear();
    request();
    CHECK(is_signalled());
    CHECK_EQUAL(1, doca_pe_progress(pe));
    CHECK_EQUAL(DOCA_CTX_STATE_IDLE, state_of(dma));
    clear();
    request();
    CHECK(!is_signalled());
    end_dma(dma);
}

static void
the_flush_of_a_stop_is_notified(void) {
    renew_engine();
    struct doca_dma *dma = start_dma(1, 0);
    on_event = free_finished_task;
    struct doca_dma_task_memcpy *task = alloc_task(dma, 0, src, targets[0]);
    CHECK_SUCCESS(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task), DOCA_TASK_SUBMIT_FLAG_NONE));
    request();
    CHECK(!is_signalled());
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(doca_dma_as_ctx(dma)));
    CHECK(is_signalled());
    check_passed_over();
    clear();
    progress_to_event(3);
    end_dma(dma);
}

static void
clearing_is_left_to_the_engine_in_one_mode(void) {
    renew_engine();
    struct doca_dma *dma = start_dma(1, 0);
    on_event = free_finished_task;
    request();
    submit_new(dma, 0);
    CHECK(becomes_signalled());
    request();
    CHECK(is_signalled());
    clear();
    progress_to_event(1);

    CHECK_SUCCESS(doca_pe_set_event_mode(pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
    request();
    submit_new(dma, 1);
    CHECK(becomes_signalled());
    progress_to_event(2);
    request();
    CHECK(!is_signalled());
    CHECK_SUCCESS(doca_pe_set_event_mode(pe, DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE));
    end_dma(dma);
}

/* Waits without a timeout, so that a lost notification would hang. */
static void
no_notification_is_lost(void) {
    renew_engine();
    struct doca_dma *dma = start_dma(4, 0);
    size_t submitted = 0;
    on_event = free_finished_task;
    while (submitted < NUM_ROUNDS) {
        for (size_t burst = submitted % 4 + 1; burst > 0 && submitted < NUM_ROUNDS; burst--) {
            submit_new(dma, submitted);
            submitted++;
        }
        while (num_events < submitted) {
            if (doca_pe_progress(pe) == 0) {
                request();
                CHECK(is_notified(pe, -1));
                clear();
            }
        }
    }
    CHECK_EQUAL(NUM_ROUNDS, count_events(EVENT_COMPLETED));
    end_dma(dma);
}

/*
 * Several engines
 */

struct thread_state {
    size_t offset;
    size_t num_completed;
};

static void
count_completion(struct doca_dma_task_memcpy *task, union doca_data task_user_data, union doca_data ctx_user_data) {
    (void)task;
    (void)task_user_data;
    ((struct thread_state *)ctx_user_data.ptr)->num_completed++;
}

static void *
copy_on_own_engine(void *argument) {
    struct thread_state *state = argument;
    struct doca_pe *own_pe;
    struct doca_dma *dma;
    struct doca_buf *own_src;
    struct doca_buf *own_dst;
    struct doca_dma_task_memcpy *task;
    struct doca_buf_inventory *own_inventory;
    CHECK_SUCCESS(doca_buf_inventory_create(2, &own_inventory));
    CHECK_SUCCESS(doca_buf_inventory_start(own_inventory));
    uint8_t *at = memory + state->offset;
    CHECK_SUCCESS(doca_buf_inventory_buf_get_by_data(own_inventory, memory_map, at, 64, &own_src));
    CHECK_SUCCESS(doca_buf_inventory_buf_get_by_addr(own_inventory, memory_map, at + 64, 64, &own_dst));
    CHECK_SUCCESS(doca_pe_create(&own_pe));
    CHECK_SUCCESS(doca_dma_create(dev, &dma));
    CHECK_SUCCESS(doca_dma_task_memcpy_set_conf(dma, count_completion, count_completion, 1));
    struct doca_ctx *ctx = doca_dma_as_ctx(dma);
    CHECK_SUCCESS(doca_ctx_set_user_data(ctx, (union doca_data){.ptr = state}));
    CHECK_SUCCESS(doca_pe_connect_ctx(own_pe, ctx));
    CHECK_SUCCESS(doca_ctx_start(ctx));
    CHECK_SUCCESS(doca_dma_task_memcpy_alloc_init(dma, own_src, own_dst, numbered(0), &task));
    for (size_t i = 0; i < NUM_ROUNDS; i++) {
        memset(at, (int)i, 64);
        CHECK_SUCCESS(doca_buf_reset_data_len(own_dst));
        CHECK_SUCCESS(submit_task(task));
        while (state->num_completed == i) {
            progress_or_rest(own_pe);
        }
        CHECK_SUCCESS(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
        CHECK(memcmp(at, at + 64, 64) == 0);
    }
    free_task(task);
    CHECK_SUCCESS(doca_ctx_stop(ctx));
    CHECK_SUCCESS(doca_dma_destroy(dma));
    CHECK_SUCCESS(doca_pe_destroy(own_pe));
    CHECK_SUCCESS(doca_buf_dec_refcount(own_src, NULL));
    CHECK_SUCCESS(doca_buf_dec_refcount(own_dst, NULL));
    CHECK_SUCCESS(doca_buf_inventory_destroy(own_inventory));
    return NULL;
}

static void
engines_of_different_threads_do_not_meet(void) {
    struct thread_state states[3] = {{.offset = 0}, {.offset = 4096}, {.offset = 8192}};
    pthread_t threads[3];
    for (size_t i = 0; i < 3; i++) {
        CHECK_EQUAL(0, pthread_create(&threads[i], NULL, copy_on_own_engine, &states[i]));
    }
    for (size_t i = 0; i < 3; i++) {
        CHECK_EQUAL(0, pthread_join(threads[i], NULL));
        CHECK_EQUAL(NUM_ROUNDS, states[i].num_completed);
    }
}

static void
begin(void) {
    set_up();
    src = take_source(0, 64);
    for (size_t i = 0; i < NUM_TARGETS; i++) {
        targets[i] = take_target(4096 + 64 * i, 64);
    }
}

static void
end(void) {
    give_back(src);
    for (size_t i = 0; i < NUM_TARGETS; i++) {
        give_back(targets[i]);
    }
    tear_down();
}

/* Only with the inline engine is it certain that all contexts have work. */
static void
run_inline(void) {
    begin();
    contexts_take_turns();
    end();
}

static void
run(void) {
    begin();
    missing_arguments_are_refused();
    a_stale_or_foreign_handle_is_refused();
    a_callback_may_destroy_contexts_whose_turn_comes();
    callbacks_neither_progress_nor_change_the_engine();
    work_that_waits_is_notified_at_once();
    queues_fire_one_by_one();
    the_end_of_a_stop_is_notified_on_request_only();
    the_flush_of_a_stop_is_notified();
    clearing_is_left_to_the_engine_in_one_mode();
    no_notification_is_lost();
    engines_of_different_threads_do_not_meet();
    end();
}

int
main(void) {
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", run_inline);
    check_with_engines(run);
    return check_result();
}
