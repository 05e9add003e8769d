/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define THEME "dma stop"

static doca_error_t code_in_callback;
static const char *state_in_callback;

RULE(stop_nothing_allocated, "A context without any task stops at once.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, to IDLE, IDLE") {
    struct doca_dma *dma = start_dma(4);
    CODE(doca_ctx_stop(ctx_of(dma)));
    answer_notes();
    answer("%s", state_of(ctx_of(dma)));
}

RULE(stop_all_freed, "A context whose tasks have all been freed stops at once.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, IDLE") {
    struct doca_dma *dma = start_dma(4);
    struct doca_dma_task_memcpy *task = block_task(dma, 1);
    REQUIRE(submit_copy(task));
    progress_to(1);
    doca_task_free(as_task(task));
    CODE(doca_ctx_stop(ctx_of(dma)));
    answer("%s", state_of(ctx_of(dma)));
}

RULE(stop_with_allocated_task, "A task that was never submitted delays a stop.", .source = OBSERVED_2_5,
     .answer = "IN_PROGRESS, to STOPPING, STOPPING") {
    struct doca_dma *dma = start_dma(4);
    (void)block_task(dma, 1);
    CODE(doca_ctx_stop(ctx_of(dma)));
    answer_notes();
    answer("%s", state_of(ctx_of(dma)));
}

RULE(stop_with_kept_task, "A completed task that was not freed delays a stop.", .source = OBSERVED_2_5,
     .answer = "IN_PROGRESS, STOPPING, 0, STOPPING") {
    struct doca_dma *dma = start_dma(4);
    REQUIRE(submit_copy(block_task(dma, 1)));
    progress_to(1);
    CODE(doca_ctx_stop(ctx_of(dma)));
    answer("%s", state_of(ctx_of(dma)));
    answer_number(progress_for(5));
    answer("%s", state_of(ctx_of(dma)));
}

RULE(stop_idle_when_freed, "After the last task is freed the context becomes IDLE in the next progress.",
     .source = OBSERVED_2_5, .answer = "IN_PROGRESS, STOPPING, progress 1, to STOPPING, to IDLE, progress 0") {
    struct doca_dma *dma = start_dma(4);
    struct doca_dma_task_memcpy *task = block_task(dma, 1);
    CODE(doca_ctx_stop(ctx_of(dma)));
    doca_task_free(as_task(task));
    answer("%s", state_of(ctx_of(dma)));
    answer("progress %d", doca_pe_progress(pe));
    answer_notes();
    answer("progress %d", doca_pe_progress(pe));
}

static unsigned num_flushed;

static void
count_flushed(struct doca_task *task, uint64_t number) {
    (void)number;
    num_flushed += doca_task_get_status(task) == DOCA_ERROR_IO_FAILED;
}

RULE(stop_with_task_in_flight, "A stop fails the tasks in flight with IO_FAILED, during progress.",
     .source = OBSERVED_2_5, .answer = "IN_PROGRESS, in flight 2, to STOPPING, 2 of 2 with IO_FAILED, STOPPING") {
    struct doca_dma *dma = start_dma(4);
    REQUIRE(submit_copy(block_task(dma, 1)));
    REQUIRE(submit_copy(block_task(dma, 2)));
    CODE(doca_ctx_stop(ctx_of(dma)));
    answer("in flight %zu", inflight(ctx_of(dma)));
    answer_notes();
    on_task = count_flushed;
    progress_to(2);
    answer("%u of %zu with IO_FAILED", num_flushed, num_completions);
    answer("%s", state_of(ctx_of(dma)));
}

RULE(stop_with_finished_copy,
     "A copy that the device has finished but that was not reported before the stop is reported as failed.",
     .source = OBSERVED_2_5, .answer = "IN_PROGRESS, to STOPPING, failed 1 IO_FAILED, 0") {
    struct doca_dma *dma = start_dma(4);
    struct doca_buf *dst = target(65536, 64);
    REQUIRE(submit_copy(copy_task(dma, 1, source(0, 64), dst)));
    pause_for(5);
    CODE(doca_ctx_stop(ctx_of(dma)));
    progress_to(1);
    answer_notes();
    answer_number((long long)data_len(dst));
}

RULE(stop_twice, "Stopping a stopping context returns IN_PROGRESS.", .source = OBSERVED_2_5,
     .answer = "IN_PROGRESS, IN_PROGRESS, STOPPING") {
    struct doca_dma *dma = start_dma(4);
    (void)block_task(dma, 1);
    CODE(doca_ctx_stop(ctx_of(dma)));
    CODE(doca_ctx_stop(ctx_of(dma)));
    answer("%s", state_of(ctx_of(dma)));
}

RULE(stop_start_while_stopping, "A stopping context cannot be started.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE") {
    struct doca_dma *dma = start_dma(4);
    (void)block_task(dma, 1);
    (void)doca_ctx_stop(ctx_of(dma));
    CODE(doca_ctx_start(ctx_of(dma)));
}

static void
free_and_stop(struct doca_task *task, uint64_t number) {
    (void)number;
    struct doca_ctx *ctx = doca_task_get_ctx(task);
    doca_task_free(task);
    code_in_callback = doca_ctx_stop(ctx);
    state_in_callback = state_of(ctx);
}

RULE(stop_in_last_callback, "A stop in the callback of the only task, after it was freed, ends in a later progress.",
     .source = OBSERVED_3_0, .answer = "IN_PROGRESS, STOPPING, done 1, to STOPPING, to IDLE",
     .answer_2_5 = "SUCCESS, IDLE, done 1, to IDLE") {
    struct doca_dma *dma = start_dma(4);
    REQUIRE(submit_copy(block_task(dma, 1)));
    on_task = free_and_stop;
    progress_to(1);
    answer_code(code_in_callback);
    answer("%s", state_in_callback);
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_IDLE);
    answer_notes();
}

static void
stop_in_first_callback(struct doca_task *task, uint64_t number) {
    (void)number;
    if (num_completions == 1) {
        code_in_callback = doca_ctx_stop(doca_task_get_ctx(task));
        state_in_callback = state_of(doca_task_get_ctx(task));
    }
}

RULE(stop_in_callback,
     "A stop in a callback with other tasks in flight returns IN_PROGRESS, and all of them get callbacks.",
     .source = OBSERVED_3_0, .answer = "IN_PROGRESS, STOPPING, 4 callbacks") {
    struct doca_dma *dma = start_dma(4);
    for (uint64_t number = 1; number <= 4; number++) {
        REQUIRE(submit_copy(block_task(dma, number)));
    }
    on_task = stop_in_first_callback;
    progress_to(4);
    answer_code(code_in_callback);
    answer("%s", state_in_callback);
    answer("%zu callbacks", num_completions);
}

static void
stop_when_running(struct doca_ctx *ctx, enum doca_ctx_states next) {
    if (next == DOCA_CTX_STATE_RUNNING) {
        code_in_callback = doca_ctx_stop(ctx);
    }
}

RULE(stop_in_running_callback, "A context can be stopped in its own callback for RUNNING; the start succeeds.",
     .source = OBSERVED_3_0, .answer = "SUCCESS, SUCCESS, to RUNNING, to IDLE, IDLE") {
    struct doca_dma *dma = configure_dma(4);
    on_state = stop_when_running;
    CODE(doca_ctx_start(ctx_of(dma)));
    answer_code(code_in_callback);
    answer_notes();
    answer("%s", state_of(ctx_of(dma)));
}

static struct doca_dma *dma_of_case;

static void
destroy_when_idle(struct doca_ctx *ctx, enum doca_ctx_states next) {
    (void)ctx;
    if (next == DOCA_CTX_STATE_IDLE) {
        code_in_callback = doca_dma_destroy(dma_of_case);
    }
}

RULE(stop_destroy_in_idle_callback, "A context can be destroyed in its callback for IDLE.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, SUCCESS, engine SUCCESS") {
    dma_of_case = start_dma(4);
    on_state = destroy_when_idle;
    CODE(doca_ctx_stop(ctx_of(dma_of_case)));
    answer_code(code_in_callback);
    answer("engine %s", code_name(doca_pe_destroy(pe)));
}

RULE(stop_destroy_in_idle_callback_of_progress,
     "A context can be destroyed in its callback for IDLE also if progress made it IDLE.", .source = OBSERVED_3_0,
     .answer = "IN_PROGRESS, SUCCESS, engine SUCCESS") {
    dma_of_case = start_dma(4);
    struct doca_dma_task_memcpy *task = block_task(dma_of_case, 1);
    on_state = destroy_when_idle;
    CODE(doca_ctx_stop(ctx_of(dma_of_case)));
    doca_task_free(as_task(task));
    (void)doca_pe_progress(pe);
    answer_code(code_in_callback);
    answer("engine %s", code_name(doca_pe_destroy(pe)));
}

RULE(stop_restart, "A stopped context can be started and used again.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, SUCCESS, done 1") {
    struct doca_dma *dma = start_dma(4);
    CODE(doca_ctx_stop(ctx_of(dma)));
    CODE(doca_ctx_start(ctx_of(dma)));
    forget_notes();
    REQUIRE(submit_copy(block_task(dma, 1)));
    progress_to(1);
    answer_notes();
}

RULE(stop_buffers_first, "Buffers, inventory and map can be destroyed before the context is stopped.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, SUCCESS, SUCCESS, SUCCESS, SUCCESS") {
    struct doca_dma *dma = start_dma(4);
    struct doca_buf *src = source(0, 64);
    struct doca_buf *dst = target(4096, 64);
    struct doca_dma_task_memcpy *task = copy_task(dma, 1, src, dst);
    REQUIRE(submit_copy(task));
    progress_to(1);
    doca_task_free(as_task(task));
    REQUIRE(doca_buf_dec_refcount(src, NULL));
    REQUIRE(doca_buf_dec_refcount(dst, NULL));
    CODE(doca_buf_inventory_destroy(inventory));
    CODE(doca_mmap_destroy(map));
    CODE(doca_ctx_stop(ctx_of(dma)));
    CODE(doca_dma_destroy(dma));
    CODE(doca_pe_destroy(pe));
}
