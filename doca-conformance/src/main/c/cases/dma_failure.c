/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define THEME "dma failure"

static doca_error_t codes_in_callback[2];
static struct doca_dma *dma_of_case;
static const char *state_in_callback;

/* Submits a task that fails, and returns it without freeing it. */
static struct doca_dma_task_memcpy *
fail(struct doca_dma *dma, uint64_t number) {
    struct doca_dma_task_memcpy *task = failing_task(dma, number);
    REQUIRE(submit_copy(task));
    progress_to(num_completions + 1);
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_STOPPING);
    return task;
}

static void
keep_state(struct doca_task *task, uint64_t number) {
    (void)number;
    state_in_callback = state_of(doca_task_get_ctx(task));
}

RULE(failure_state_in_callback, "The context is RUNNING in the error callback and STOPPING afterwards.",
     .source = OBSERVED_2_5, .answer = "failed 1 IO_FAILED, to STOPPING, in the callback RUNNING") {
    on_task = keep_state;
    (void)fail(start_dma(2), 1);
    answer_notes();
    answer("in the callback %s", state_in_callback);
}

RULE(failure_stops_in_one_progress, "One call of progress reports the failure and takes the context to STOPPING.",
     .source = OBSERVED_2_5, .answer = "STOPPING") {
    struct doca_dma *dma = start_dma(2);
    REQUIRE(submit_copy(failing_task(dma, 1)));
    progress_to(1);
    answer("%s", state_of(ctx_of(dma)));
}

RULE(failure_in_list,
     "A bad element in the middle of a list is reported as any failure. With 2.5, the context is STOPPING by then.",
     .source = OBSERVED_3_0, .answer = "failed 1 IO_FAILED, to STOPPING", .answer_2_5 = "to STOPPING, failed 1 IO_FAILED") {
    struct doca_dma *dma = start_dma(2);
    struct doca_buf *head = source(0, 100);
    REQUIRE(doca_buf_chain_list(head, target(1000, 100)));
    REQUIRE(doca_buf_chain_list(head, source(2000, 100)));
    REQUIRE(submit_copy(copy_task(dma, 1, head, target(8192, 300))));
    progress_to(1);
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_STOPPING);
    answer_notes();
}

RULE(failure_status, "A failed task has the status IO_FAILED.", .source = OBSERVED_3_0, .answer = "IO_FAILED") {
    CODE(doca_task_get_status(as_task(fail(start_dma(2), 1))));
}

RULE(failure_keeps_data_len, "A failed task does not change the data length of its destination.",
     .source = OBSERVED_2_5, .answer = "failed 1 IO_FAILED, to STOPPING, 20") {
    struct doca_dma *dma = start_dma(2);
    struct doca_buf *dst = target(4096, 200);
    REQUIRE(doca_buf_set_data(dst, memory + 4096, 20));
    REQUIRE(submit_copy(copy_task(dma, 1, target(0, 64), dst)));
    progress_to(1);
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_STOPPING);
    answer_notes();
    answer_number((long long)data_len(dst));
}

static bool has_failed;
static unsigned done_after_failure;
static unsigned failed_otherwise;

static void
judge_order(struct doca_task *task, uint64_t number) {
    (void)number;
    const doca_error_t status = doca_task_get_status(task);
    has_failed = has_failed || status != DOCA_SUCCESS;
    done_after_failure += has_failed && status == DOCA_SUCCESS;
    failed_otherwise += status != DOCA_SUCCESS && status != DOCA_ERROR_IO_FAILED;
}

RULE(failure_of_others, "Each task in flight gets a callback; after the failure all get IO_FAILED.",
     .source = OBSERVED_2_5, .answer = "20 callbacks, done after the failure 0, with another error 0") {
    struct doca_dma *dma = start_dma(20);
    REQUIRE(submit_copy(failing_task(dma, 1)));
    for (uint64_t number = 2; number <= 20; number++) {
        REQUIRE(submit_copy(block_task(dma, number)));
    }
    on_task = judge_order;
    progress_to(20);
    answer("%zu callbacks", num_completions);
    answer("done after the failure %u", done_after_failure);
    answer("with another error %u", failed_otherwise);
}

static void
go_on_in_callback(struct doca_task *task, uint64_t number) {
    if (number == 1) {
        struct doca_dma_task_memcpy *other;
        codes_in_callback[0] = doca_dma_task_memcpy_alloc_init(
                dma_of_case, source(0, 64), target(4096, 64), data_of(3), &other);
        doca_task_set_user_data(task, data_of(2));
        codes_in_callback[1] = doca_task_submit(task);
    }
}

RULE(failure_resubmit_in_callback,
     "In the error callback of the first failure tasks can be allocated and submitted; these tasks fail later.",
     .source = OBSERVED_2_5, .answer = "SUCCESS, SUCCESS, failed 1 IO_FAILED, to STOPPING, failed 2 IO_FAILED") {
    dma_of_case = start_dma(4);
    REQUIRE(submit_copy(failing_task(dma_of_case, 1)));
    on_task = go_on_in_callback;
    progress_to(2);
    answer_code(codes_in_callback[0]);
    answer_code(codes_in_callback[1]);
    answer_notes();
}

static void
stop_in_callback(struct doca_task *task, uint64_t number) {
    (void)number;
    codes_in_callback[0] = doca_ctx_stop(doca_task_get_ctx(task));
}

RULE(failure_stop_in_callback, "The context can be stopped in the error callback.", .source = OBSERVED_2_5,
     .answer = "IN_PROGRESS, failed 1 IO_FAILED, to STOPPING") {
    struct doca_dma *dma = start_dma(4);
    REQUIRE(submit_copy(failing_task(dma, 1)));
    on_task = stop_in_callback;
    progress_to(1);
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_STOPPING);
    answer_code(codes_in_callback[0]);
    answer_notes();
}

RULE(failure_calls_afterwards, "A context that a failure has stopped refuses tasks and a start, as in any stop.",
     .source = OBSERVED_2_5, .answer = "BAD_STATE, BAD_STATE, BAD_STATE, BAD_STATE, IN_PROGRESS") {
    struct doca_dma *dma = start_dma(4);
    struct doca_dma_task_memcpy *kept = block_task(dma, 2);
    (void)fail(dma, 1);
    struct doca_dma_task_memcpy *task;
    CODE(doca_dma_task_memcpy_alloc_init(dma, source(0, 64), target(4096, 64), data_of(3), &task));
    CODE(submit_copy(kept));
    CODE(doca_task_try_submit(as_task(kept)));
    CODE(doca_ctx_start(ctx_of(dma)));
    CODE(doca_ctx_stop(ctx_of(dma)));
}

RULE(failure_idle_when_freed, "The context becomes IDLE in the next progress after its last task was freed.",
     .source = OBSERVED_2_5, .answer = "STOPPING, progress 1, to IDLE, progress 0") {
    struct doca_dma *dma = start_dma(4);
    struct doca_dma_task_memcpy *task = fail(dma, 1);
    progress_for(2);
    forget_notes();
    doca_task_free(as_task(task));
    answer("%s", state_of(ctx_of(dma)));
    answer("progress %d", doca_pe_progress(pe));
    answer_notes();
    answer("progress %d", doca_pe_progress(pe));
}

static void
free_task(struct doca_task *task, uint64_t number) {
    (void)number;
    doca_task_free(task);
}

RULE(failure_of_freed_task,
     "A context whose only task fails and is freed in its callback becomes IDLE without further calls; with 2.5 at once.",
     .source = OBSERVED_3_0, .answer = "failed 1 IO_FAILED, to STOPPING, to IDLE, SUCCESS",
     .answer_2_5 = "failed 1 IO_FAILED, to IDLE, SUCCESS") {
    struct doca_dma *dma = start_dma(1);
    on_task = free_task;
    REQUIRE(submit_copy(failing_task(dma, 1)));
    progress_to(1);
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_IDLE);
    answer_notes();
    CODE(doca_ctx_start(ctx_of(dma)));
}

RULE(failure_stays_until_freed, "The context stays STOPPING while a task is not freed.", .source = OBSERVED_2_5,
     .answer = "0, STOPPING") {
    struct doca_dma *dma = start_dma(4);
    (void)fail(dma, 1);
    answer_number(progress_for(10));
    answer("%s", state_of(ctx_of(dma)));
}

RULE(failure_restart, "After a failure the same context can be started and used again.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, RUNNING, done 2") {
    struct doca_dma *dma = start_dma(4);
    doca_task_free(as_task(fail(dma, 1)));
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_IDLE);
    CODE(doca_ctx_start(ctx_of(dma)));
    answer("%s", state_of(ctx_of(dma)));
    forget_notes();
    REQUIRE(submit_copy(block_task(dma, 2)));
    progress_to(1);
    answer_notes();
}

RULE(failure_of_one_context, "A failure stops only its own context, not other contexts of the engine.",
     .source = OBSERVED_2_5, .answer = "STOPPING, RUNNING, done 2") {
    struct doca_dma *first = start_dma(4);
    struct doca_dma *second = start_dma(4);
    (void)fail(first, 1);
    forget_notes();
    REQUIRE(submit_copy(block_task(second, 2)));
    progress_to(1);
    answer("%s", state_of(ctx_of(first)));
    answer("%s", state_of(ctx_of(second)));
    answer_notes();
}

RULE(failure_inflight, "After all tasks have had their callbacks after a failure, none is in flight.",
     .source = OBSERVED_2_5, .answer = "0") {
    struct doca_dma *dma = start_dma(4);
    (void)fail(dma, 1);
    answer_number((long long)inflight(ctx_of(dma)));
}
