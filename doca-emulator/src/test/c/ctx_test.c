/* SPDX-License-Identifier: Apache-2.0 */
/* The states of contexts, tested with DMA. */
#include "dma_fixture.h"

#define IDLE DOCA_CTX_STATE_IDLE
#define RUNNING DOCA_CTX_STATE_RUNNING
#define STOPPING DOCA_CTX_STATE_STOPPING

static struct doca_dma *dma;
static struct doca_ctx *ctx;
static struct doca_buf *src;
static struct doca_buf *dst;

static size_t
num_inflight(void) {
    size_t count;
    CHECK_SUCCESS(doca_ctx_get_num_inflight_tasks(ctx, &count));
    return count;
}

static void
use(struct doca_dma *used) {
    dma = used;
    ctx = doca_dma_as_ctx(dma);
    CHECK_SUCCESS(doca_buf_reset_data_len(dst));
}

static void
starting_and_stopping_is_synchronous_without_tasks(void) {
    use(create_dma(1, 7));
    CHECK_EQUAL(IDLE, state_of(dma));

    CHECK_SUCCESS(doca_ctx_start(ctx));
    CHECK_EQUAL(RUNNING, state_of(dma));
    CHECK_EQUAL(1, num_events);
    check_state_event(0, IDLE, RUNNING);
    CHECK_POINTER(ctx, events[0].ctx);
    CHECK_EQUAL(7, events[0].ctx_id);

    CHECK_SUCCESS(doca_ctx_stop(ctx));
    CHECK_EQUAL(IDLE, state_of(dma));
    CHECK_EQUAL(2, num_events);
    check_state_event(1, RUNNING, IDLE);
    CHECK_EQUAL(0, doca_pe_progress(pe));
    end_dma(dma);
}

static void
stopping_what_is_idle_succeeds(void) {
    use(create_dma(1, 0));
    CHECK_SUCCESS(doca_ctx_stop(ctx));
    CHECK_EQUAL(0, num_events);
    end_dma(dma);
}

static void
only_an_idle_and_connected_context_starts(void) {
    struct doca_dma *unconnected;
    CHECK_SUCCESS(doca_dma_create(dev, &unconnected));
    CHECK_ERROR(DOCA_ERROR_NOT_CONNECTED, doca_ctx_start(doca_dma_as_ctx(unconnected)));
    check_logged("Failed to start: is not connected to a progress engine");
    CHECK_SUCCESS(doca_dma_destroy(unconnected));

    use(start_dma(1, 0));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_ctx_start(ctx));
    check_logged("Failed to start: is running and not idle");
    CHECK_EQUAL(0, num_events);

    struct doca_dma_task_memcpy *task = alloc_task(dma, 0, src, dst);
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(ctx));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_ctx_start(ctx));
    check_logged("Failed to start: is stopping and not idle");
    free_task(task);
    end_dma(dma);
}

static void
only_an_idle_context_is_configured(void) {
    use(start_dma(1, 0));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_ctx_set_completion_vector(ctx, 0));
    check_logged("Failed to set the completion vector: is running and not idle");
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_dma_task_memcpy_set_conf(dma, record_completed, record_failed, 2));
    check_logged("Failed to configure memcpy tasks: is running and not idle");

    CHECK_SUCCESS(doca_ctx_stop(ctx));
    CHECK_SUCCESS(doca_dma_task_memcpy_set_conf(dma, record_completed, record_failed, 2));
    CHECK_SUCCESS(doca_ctx_start(ctx));
    struct doca_dma_task_memcpy *first = alloc_task(dma, 0, src, dst);
    free_task(alloc_task(dma, 1, src, dst));
    free_task(first);
    end_dma(dma);
}

static void
only_an_idle_context_is_destroyed(void) {
    use(start_dma(1, 0));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_dma_destroy(dma));
    check_logged("Failed to destroy: is running and not idle");
    struct doca_dma_task_memcpy *task = alloc_task(dma, 0, src, dst);
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(ctx));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_dma_destroy(dma));
    check_logged("Failed to destroy: is stopping and not idle");
    free_task(task);
    end_dma(dma);
}

static void
an_allocated_task_delays_the_stop_until_it_is_freed(void) {
    use(start_dma(1, 0));
    struct doca_dma_task_memcpy *task = alloc_task(dma, 0, src, dst);
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(ctx));
    CHECK_EQUAL(STOPPING, state_of(dma));
    CHECK_EQUAL(1, num_events);
    check_state_event(0, RUNNING, STOPPING);

    CHECK_EQUAL(0, doca_pe_progress(pe));
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(ctx));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, submit_task(task));
    check_logged("is stopping and not running");
    struct doca_dma_task_memcpy *other;
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_dma_task_memcpy_alloc_init(dma, src, dst, data_of(0), &other));
    check_logged("Failed to allocate a task: is stopping and not running");
    CHECK_EQUAL(1, num_events);

    free_task(task);
    CHECK_EQUAL(STOPPING, state_of(dma));
    CHECK_EQUAL(1, doca_pe_progress(pe));
    CHECK_EQUAL(IDLE, state_of(dma));
    CHECK_EQUAL(2, num_events);
    check_state_event(1, STOPPING, IDLE);
    CHECK_EQUAL(0, doca_pe_progress(pe));
    end_dma(dma);
}

static void
a_stop_flushes_tasks_in_flight(void) {
    struct doca_buf *targets[4];
    use(start_dma(4, 0));
    for (uint64_t i = 0; i < 4; i++) {
        targets[i] = take_target(4096 + 64 * i, 64);
        /* The last task has not even been flushed. */
        struct doca_dma_task_memcpy *task = alloc_task(dma, i, src, targets[i]);
        CHECK_SUCCESS(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task),
                                          i == 3 ? DOCA_TASK_SUBMIT_FLAG_NONE : DOCA_TASK_SUBMIT_FLAG_FLUSH));
    }
    CHECK_EQUAL(4, num_inflight());
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(ctx));
    CHECK_EQUAL(4, num_inflight());
    progress_to_event(5);
    CHECK_EQUAL(0, num_inflight());

    bool seen[4] = {false};
    for (size_t i = 1; i < 5; i++) {
        const struct event *event = &events[i];
        seen[event->task_id] = true;
        if (event->kind == EVENT_FAILED) {
            CHECK_ERROR(DOCA_ERROR_IO_FAILED, event->status);
        } else {
            /* A worker had already begun it. */
            CHECK(is_threaded() && event->kind == EVENT_COMPLETED && event->task_id < 3);
        }
    }
    CHECK(seen[0] && seen[1] && seen[2] && seen[3]);

    CHECK_EQUAL(0, doca_pe_progress(pe));
    CHECK_EQUAL(STOPPING, state_of(dma));
    for (size_t i = 1; i < 5; i++) {
        CHECK_EQUAL(0, doca_pe_progress(pe));
        free_task(events[i].task);
    }
    CHECK_EQUAL(1, doca_pe_progress(pe));
    check_state_event(5, STOPPING, IDLE);
    check_nothing_logged();
    for (size_t i = 0; i < 4; i++) {
        give_back(targets[i]);
    }
    end_dma(dma);
}

static doca_error_t stop_result;

static void
free_and_stop(const struct event *event) {
    if (event->kind != EVENT_STATE) {
        free_task(event->task);
        stop_result = doca_ctx_stop(event->ctx);
    }
}

static void
a_stop_within_a_completion_is_always_in_progress(void) {
    use(start_dma(1, 0));
    on_event = free_and_stop;
    stop_result = DOCA_SUCCESS;
    CHECK_SUCCESS(submit_task(alloc_task(dma, 0, src, dst)));
    progress_to_event(1);
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, stop_result);
    CHECK_EQUAL(2, num_events);
    check_task_event(0, EVENT_COMPLETED, 0, DOCA_SUCCESS);
    check_state_event(1, RUNNING, STOPPING);
    CHECK_EQUAL(STOPPING, state_of(dma));

    CHECK_EQUAL(1, doca_pe_progress(pe));
    CHECK_EQUAL(3, num_events);
    check_state_event(2, STOPPING, IDLE);
    end_dma(dma);
}

static void
free_and_stop_at_first(const struct event *event) {
    if (event->kind != EVENT_STATE) {
        free_task(event->task);
        if (state_of(dma) == RUNNING) {
            stop_result = doca_ctx_stop(event->ctx);
        }
    }
}

static void
a_stop_within_a_completion_flushes_the_rest(void) {
    struct doca_buf *targets[4];
    use(start_dma(4, 0));
    on_event = free_and_stop_at_first;
    stop_result = DOCA_SUCCESS;
    for (uint64_t i = 0; i < 4; i++) {
        targets[i] = take_target(4096 + 64 * i, 64);
        CHECK_SUCCESS(submit_task(alloc_task(dma, i, src, targets[i])));
    }
    progress_to_event(6);
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, stop_result);
    CHECK_EQUAL(EVENT_COMPLETED, events[0].kind);
    check_state_event(1, RUNNING, STOPPING);
    check_state_event(5, STOPPING, IDLE);
    if (!is_threaded()) {
        for (uint64_t i = 1; i < 4; i++) {
            check_task_event(1 + i, EVENT_FAILED, i, DOCA_ERROR_IO_FAILED);
        }
    }
    CHECK_EQUAL(4, count_events(EVENT_COMPLETED) + count_events(EVENT_FAILED));
    for (size_t i = 0; i < 4; i++) {
        give_back(targets[i]);
    }
    end_dma(dma);
}

static struct doca_dma *other_dma;

static void
stop_the_other(const struct event *event) {
    if (event->kind == EVENT_COMPLETED) {
        free_task(event->task);
        stop_result = doca_ctx_stop(doca_dma_as_ctx(other_dma));
    }
}

static void
a_stop_within_a_completion_of_another_context_is_as_any(void) {
    use(start_dma(1, 1));
    other_dma = start_dma(1, 2);
    on_event = stop_the_other;
    CHECK_SUCCESS(submit_task(alloc_task(dma, 0, src, dst)));
    progress_to_event(2);
    CHECK_SUCCESS(stop_result);
    check_task_event(0, EVENT_COMPLETED, 0, DOCA_SUCCESS);
    check_state_event(1, RUNNING, IDLE);
    CHECK_EQUAL(2, events[1].ctx_id);
    end_dma(dma);
    end_dma(other_dma);
}

static void
stop_when_running(const struct event *event) {
    if (event->kind == EVENT_STATE && event->next == RUNNING) {
        stop_result = doca_ctx_stop(event->ctx);
    }
}

static void
a_context_may_be_stopped_as_soon_as_it_runs(void) {
    use(create_dma(1, 0));
    on_event = stop_when_running;
    CHECK_SUCCESS(doca_ctx_start(ctx));
    CHECK_SUCCESS(stop_result);
    CHECK_EQUAL(IDLE, state_of(dma));
    CHECK_EQUAL(2, num_events);
    check_state_event(0, IDLE, RUNNING);
    check_state_event(1, RUNNING, IDLE);
    end_dma(dma);
}

static void
submit_when_running(const struct event *event) {
    if (event->kind == EVENT_STATE && event->next == RUNNING) {
        CHECK_SUCCESS(submit_task(alloc_task(dma, 5, src, dst)));
    }
}

static void
tasks_may_be_submitted_as_soon_as_it_runs(void) {
    use(create_dma(1, 0));
    on_event = submit_when_running;
    CHECK_SUCCESS(doca_ctx_start(ctx));
    CHECK_EQUAL(1, num_inflight());
    progress_to_event(2);
    check_task_event(1, EVENT_COMPLETED, 5, DOCA_SUCCESS);
    free_task(events[1].task);
    end_dma(dma);
}

static void
destroy_when_idle(const struct event *event) {
    if (event->kind != EVENT_STATE) {
        free_task(event->task);
        CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(event->ctx));
    } else if (event->next == IDLE) {
        CHECK_SUCCESS(doca_dma_destroy(dma));
    }
}

static void
a_context_may_be_destroyed_as_soon_as_it_is_idle(void) {
    use(start_dma(1, 0));
    on_event = destroy_when_idle;
    CHECK_SUCCESS(submit_task(alloc_task(dma, 0, src, dst)));
    progress_to_event(3);
    check_state_event(2, STOPPING, IDLE);
    CHECK_EQUAL(0, doca_pe_progress(pe));

    use(start_dma(1, 0));
    on_event = destroy_when_idle;
    CHECK_SUCCESS(doca_ctx_stop(ctx));
    CHECK_EQUAL(1, num_events);
    check_state_event(0, RUNNING, IDLE);
    check_nothing_logged();
    forget_events();
}

static void
start_when_idle(const struct event *event) {
    if (event->kind == EVENT_STATE && event->next == IDLE) {
        on_event = NULL;
        CHECK_SUCCESS(doca_ctx_start(event->ctx));
    }
}

static void
a_context_may_be_started_again_as_soon_as_it_is_idle(void) {
    use(start_dma(1, 0));
    on_event = start_when_idle;
    CHECK_SUCCESS(doca_ctx_stop(ctx));
    CHECK_EQUAL(RUNNING, state_of(dma));
    CHECK_EQUAL(2, num_events);
    check_state_event(0, RUNNING, IDLE);
    check_state_event(1, IDLE, RUNNING);
    end_dma(dma);
}

static void
a_failed_task_stops_the_context(void) {
    struct doca_buf *no_data = take_target(0, 64);
    struct doca_buf *other_dst = take_target(4096, 64);
    struct doca_dma_task_memcpy *kept;
    use(start_dma(4, 0));
    CHECK_SUCCESS(doca_dma_set_ordered_completions(dma, 1));
    kept = alloc_task(dma, 9, src, dst);
    CHECK_SUCCESS(submit_task(alloc_task(dma, 0, src, dst)));
    CHECK_SUCCESS(submit_task(alloc_task(dma, 1, no_data, dst)));
    CHECK_SUCCESS(submit_task(alloc_task(dma, 2, src, other_dst)));
    progress_to_event(4);

    check_task_event(0, EVENT_COMPLETED, 0, DOCA_SUCCESS);
    check_task_event(1, EVENT_FAILED, 1, DOCA_ERROR_IO_FAILED);
    check_state_event(2, RUNNING, STOPPING);
    check_task_event(3, EVENT_FAILED, 2, DOCA_ERROR_IO_FAILED);
    CHECK_EQUAL(64, data_len_of(dst));
    CHECK_EQUAL(0, data_len_of(other_dst));
    check_logged("the source has no data");
    CHECK_EQUAL(0, doca_pe_progress(pe));
    CHECK_EQUAL(STOPPING, state_of(dma));
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(ctx));

    free_task(events[0].task);
    free_task(events[1].task);
    free_task(events[3].task);
    CHECK_EQUAL(0, doca_pe_progress(pe));
    free_task(kept);
    CHECK_EQUAL(1, doca_pe_progress(pe));
    check_state_event(4, STOPPING, IDLE);

    /* The context is fully usable again. */
    forget_events();
    CHECK_SUCCESS(doca_buf_reset_data_len(dst));
    CHECK_SUCCESS(doca_ctx_start(ctx));
    CHECK_SUCCESS(submit_task(alloc_task(dma, 3, src, dst)));
    progress_to_event(2);
    check_task_event(1, EVENT_COMPLETED, 3, DOCA_SUCCESS);
    free_task(events[1].task);
    end_dma(dma);
    give_back(no_data);
    give_back(other_dst);
}

static struct doca_dma_task_memcpy *resubmitted;

/* In the callback of the first failure the context is still running: all calls are accepted there, and fail later. */
static void
resubmit_first_failure(const struct event *event) {
    if (event->kind == EVENT_FAILED && resubmitted == NULL) {
        CHECK_EQUAL(RUNNING, state_of(dma));
        resubmitted = event->task;
        CHECK_SUCCESS(submit_task(event->task));
        free_task(alloc_task(dma, 1, src, dst));
    } else if (event->kind == EVENT_FAILED) {
        CHECK_EQUAL(STOPPING, state_of(dma));
        CHECK_ERROR(DOCA_ERROR_BAD_STATE, submit_task(event->task));
        free_task(event->task);
    }
}

static void
a_task_that_is_submitted_again_in_its_error_callback_fails_again(void) {
    struct doca_buf *no_data = take_target(0, 64);
    use(start_dma(2, 0));
    resubmitted = NULL;
    on_event = resubmit_first_failure;
    CHECK_SUCCESS(submit_task(alloc_task(dma, 0, no_data, dst)));
    progress_to_event(4);
    check_logged("is stopping and not running");
    check_task_event(0, EVENT_FAILED, 0, DOCA_ERROR_IO_FAILED);
    check_state_event(1, RUNNING, STOPPING);
    check_task_event(2, EVENT_FAILED, 0, DOCA_ERROR_IO_FAILED);
    check_state_event(3, STOPPING, IDLE);
    end_dma(dma);
    give_back(no_data);
}

/* Stops and starts the context in the callback of its only task: the failure does not affect the new run. */
static void
stop_and_start(const struct event *event) {
    if (event->kind != EVENT_STATE) {
        free_task(event->task);
        CHECK_SUCCESS(doca_ctx_stop(event->ctx));
        CHECK_SUCCESS(doca_ctx_start(event->ctx));
    }
}

static void
stop_and_destroy(const struct event *event) {
    if (event->kind != EVENT_STATE) {
        free_task(event->task);
        CHECK_SUCCESS(doca_ctx_stop(event->ctx));
        CHECK_SUCCESS(doca_dma_destroy(dma));
    }
}

static void
release_2_5_stops_in_callbacks(void) {
    set_up();
    src = take_source(0, 64);
    dst = take_target(8192, 64);
    struct doca_buf *no_data = take_target(0, 64);
    struct doca_buf *const sources[] = {src, no_data};
    for (size_t i = 0; i < 2; i++) {
        use(start_dma(1, 0));
        on_event = stop_and_start;
        CHECK_SUCCESS(submit_task(alloc_task(dma, 0, sources[i], dst)));
        progress_to_event(3);
        CHECK_EQUAL(0, doca_pe_progress(pe));
        CHECK_EQUAL(3, num_events);
        check_state_event(1, RUNNING, IDLE);
        check_state_event(2, IDLE, RUNNING);
        CHECK_EQUAL(RUNNING, state_of(dma));
        end_dma(dma);

        use(start_dma(1, 0));
        on_event = stop_and_destroy;
        CHECK_SUCCESS(doca_buf_reset_data_len(dst));
        CHECK_SUCCESS(submit_task(alloc_task(dma, 0, sources[i], dst)));
        progress_to_event(2);
        CHECK_EQUAL(0, doca_pe_progress(pe));
        check_state_event(1, RUNNING, IDLE);
        forget_events();
    }
    use(start_dma(1, 0));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_dma_destroy(dma));
    end_dma(dma);
    give_back(no_data);
    give_back(src);
    give_back(dst);
    tear_down();
}

static void
tasks_in_flight_are_those_submitted_and_not_completed(void) {
    use(start_dma(2, 0));
    struct doca_dma_task_memcpy *task = alloc_task(dma, 0, src, dst);
    struct doca_dma_task_memcpy *idle = alloc_task(dma, 1, src, dst);
    CHECK_EQUAL(0, num_inflight());
    CHECK_SUCCESS(submit_task(task));
    CHECK_EQUAL(1, num_inflight());
    progress_to_event(1);
    CHECK_EQUAL(0, num_inflight());
    free_task(task);
    free_task(idle);
    end_dma(dma);
}

static void
user_data_and_callbacks_are_kept_from_the_start_on(void) {
    union doca_data user_data;
    use(create_dma(1, 11));
    CHECK_SUCCESS(doca_ctx_get_user_data(ctx, &user_data));
    CHECK_EQUAL(11, user_data.u64);
    CHECK_SUCCESS(doca_ctx_start(ctx));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_ctx_set_user_data(ctx, data_of(12)));
    check_logged("Failed to set user data: is running and not idle");
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_ctx_set_state_changed_cb(ctx, record_state));
    check_logged("Failed to set the callback for changes of state: is running and not idle");
    CHECK_SUCCESS(submit_task(alloc_task(dma, 0, src, dst)));
    progress_to_event(2);
    CHECK_EQUAL(11, events[0].ctx_id);
    CHECK_EQUAL(11, events[1].ctx_id);
    free_task(events[1].task);
    end_dma(dma);
}

static void
completion_vectors_are_counted(void) {
    uint32_t num_vectors = 0;
    use(create_dma(1, 0));
    CHECK_SUCCESS(doca_ctx_cap_get_num_completion_vectors(doca_dev_as_devinfo(dev), &num_vectors));
    CHECK_EQUAL(16, num_vectors);
    CHECK_SUCCESS(doca_ctx_set_completion_vector(ctx, num_vectors - 1));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_set_completion_vector(ctx, num_vectors));
    check_logged("Invalid input: completion vector 16 of 16");
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_cap_get_num_completion_vectors(NULL, &num_vectors));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE,
                doca_ctx_cap_get_num_completion_vectors(doca_dev_as_devinfo(dev), NULL));
    last_error[0] = '\0';
    end_dma(dma);
}

static void
other_datapaths_are_not_supported(void) {
    int device;
    use(create_dma(1, 0));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_ctx_profiler_set_max_nranges(ctx, 1));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_ctx_set_datapath_on_gpu(ctx, (struct doca_gpu *)&device));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_ctx_set_datapath_on_dpa(ctx, (struct doca_dpa *)&device));
    end_dma(dma);
}

static void
flushing_an_idle_context_is_reported(void) {
    use(create_dma(1, 0));
    doca_ctx_flush_tasks(ctx);
    check_logged("Failed to flush tasks: is idle");
    end_dma(dma);
}

static void
missing_arguments_are_refused(void) {
    use(create_dma(1, 0));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_get_state(ctx, NULL));
    check_logged("Invalid input: state is NULL");
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_get_num_inflight_tasks(ctx, NULL));
    check_logged("Invalid input: num_inflight_tasks is NULL");
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_get_user_data(ctx, NULL));
    check_logged("Invalid input: user_data is NULL");
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_set_state_changed_cb(ctx, NULL));
    check_logged("Invalid input: cb is NULL");
    end_dma(dma);
}

static void
check_refused(struct doca_ctx *handle) {
    enum doca_ctx_states state;
    size_t count;
    union doca_data user_data;
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_start(handle));
    check_logged("is no context, or was destroyed before");
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_stop(handle));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_get_state(handle, &state));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_get_num_inflight_tasks(handle, &count));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_get_user_data(handle, &user_data));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_set_user_data(handle, data_of(0)));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_set_state_changed_cb(handle, record_state));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_set_completion_vector(handle, 0));
    last_error[0] = '\0';
    doca_ctx_flush_tasks(handle);
    check_logged("is no context, or was destroyed before");
}

static void
a_stale_or_foreign_handle_is_refused(void) {
    check_refused(NULL);
    check_refused((struct doca_ctx *)memory_map);
    use(create_dma(1, 0));
    CHECK_SUCCESS(doca_dma_destroy(dma));
    check_refused(ctx);
}

static void
run(void) {
    set_up();
    src = take_source(0, 64);
    dst = take_target(8192, 1024);
    starting_and_stopping_is_synchronous_without_tasks();
    stopping_what_is_idle_succeeds();
    only_an_idle_and_connected_context_starts();
    only_an_idle_context_is_configured();
    only_an_idle_context_is_destroyed();
    an_allocated_task_delays_the_stop_until_it_is_freed();
    a_stop_flushes_tasks_in_flight();
    a_stop_within_a_completion_is_always_in_progress();
    a_stop_within_a_completion_flushes_the_rest();
    a_stop_within_a_completion_of_another_context_is_as_any();
    a_context_may_be_stopped_as_soon_as_it_runs();
    tasks_may_be_submitted_as_soon_as_it_runs();
    a_context_may_be_destroyed_as_soon_as_it_is_idle();
    a_context_may_be_started_again_as_soon_as_it_is_idle();
    a_failed_task_stops_the_context();
    a_task_that_is_submitted_again_in_its_error_callback_fails_again();
    tasks_in_flight_are_those_submitted_and_not_completed();
    user_data_and_callbacks_are_kept_from_the_start_on();
    completion_vectors_are_counted();
    other_datapaths_are_not_supported();
    flushing_an_idle_context_is_reported();
    missing_arguments_are_refused();
    a_stale_or_foreign_handle_is_refused();
    give_back(src);
    give_back(dst);
    tear_down();
}

int
main(void) {
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", run);
    check_with_environment("DOCA_EMULATOR_ENGINE", "threaded", run);
    check_with_environment("DOCA_EMULATOR_RELEASE", "2.5", release_2_5_stops_in_callbacks);
    return check_result();
}
