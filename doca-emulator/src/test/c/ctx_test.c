/* SPDX-License-Identifier: Apache-2.0 */
/* The states of contexts, tested with DMA. */
#include "dma_fixture.h"

#define IDLE DOCA_CTX_STATE_IDLE
#define RUNNING DOCA_CTX_STATE_RUNNING

static struct doca_dma *dma;
static struct doca_ctx *ctx;
static struct doca_buf *src;
static struct doca_buf *dst;

static void
use(struct doca_dma *used) {
    dma = used;
    ctx = doca_dma_as_ctx(dma);
    CHECK_SUCCESS(doca_buf_reset_data_len(dst));
}

static doca_error_t stop_result;

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
completion_vectors_are_counted(void) {
    uint32_t num_vectors = 0;
    use(create_dma(1, 0));
    CHECK_SUCCESS(doca_ctx_cap_get_num_completion_vectors(doca_dev_as_devinfo(dev), &num_vectors));
    CHECK_EQUAL(16, num_vectors);
    CHECK_SUCCESS(doca_ctx_set_completion_vector(ctx, num_vectors - 1));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "Invalid input: completion vector 16 of 16",
                  doca_ctx_set_completion_vector(ctx, num_vectors));
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
check_refused(struct doca_ctx *handle) {
    enum doca_ctx_states state;
    size_t count;
    union doca_data user_data;
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "is no context, or was destroyed before", doca_ctx_start(handle));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_stop(handle));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_get_state(handle, &state));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_get_num_inflight_tasks(handle, &count));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_get_user_data(handle, &user_data));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_set_user_data(handle, numbered(0)));
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
    a_stop_within_a_completion_of_another_context_is_as_any();
    a_context_may_be_started_again_as_soon_as_it_is_idle();
    completion_vectors_are_counted();
    other_datapaths_are_not_supported();
    flushing_an_idle_context_is_reported();
    a_stale_or_foreign_handle_is_refused();
    GIVE_BACK(src, dst);
    tear_down();
}

int
main(void) {
    check_with_engines(run);
    return check_result();
}
