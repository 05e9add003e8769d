/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define THEME "dma submission"

static doca_error_t code_in_callback;

RULE(dma_submit_in_flight, "A task in flight cannot be submitted.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, BAD_STATE, BAD_STATE, in flight 1, done 1") {
    struct doca_dma *dma = start_dma(2);
    struct doca_dma_task_memcpy *task = block_task(dma, 1);
    CODE(submit_copy(task));
    CODE(submit_copy(task));
    CODE(doca_task_try_submit(as_task(task)));
    answer("in flight %zu", inflight(ctx_of(dma)));
    progress_to(1);
    progress_for(2);
    answer_notes();
}

RULE(dma_inflight_count,
     "Tasks are in flight from submission to callback; allocated and completed tasks do not count.", .source = OBSERVED_3_0,
     .answer = "0, 2, 0, 0") {
    struct doca_dma *dma = start_dma(4);
    struct doca_dma_task_memcpy *first = block_task(dma, 1);
    struct doca_dma_task_memcpy *second = block_task(dma, 2);
    answer_number((long long)inflight(ctx_of(dma)));
    REQUIRE(submit_copy(first));
    REQUIRE(submit_copy(second));
    answer_number((long long)inflight(ctx_of(dma)));
    progress_to(2);
    answer_number((long long)inflight(ctx_of(dma)));
    doca_task_free(as_task(first));
    answer_number((long long)inflight(ctx_of(dma)));
}

static void
answer_inflight(struct doca_task *task, uint64_t number) {
    (void)number;
    answer_number((long long)inflight(doca_task_get_ctx(task)));
}

RULE(dma_inflight_in_callback, "A task is no longer in flight in its own callback.", .source = OBSERVED_2_5,
     .answer = "0") {
    struct doca_dma *dma = start_dma(1);
    REQUIRE(submit_copy(block_task(dma, 1)));
    on_task = answer_inflight;
    progress_to(1);
}

RULE(dma_engine_inflight_count, "The engine's tasks in flight are the sum of its contexts.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, 3") {
    struct doca_dma *first = start_dma(4);
    struct doca_dma *second = start_dma(4);
    REQUIRE(submit_copy(block_task(first, 1)));
    REQUIRE(submit_copy(block_task(first, 2)));
    REQUIRE(submit_copy(block_task(second, 3)));
    size_t count = 0;
    CODE(doca_pe_get_num_inflight_tasks(pe, &count));
    answer_number((long long)count);
}

RULE(dma_list_too_long,
     "A source list with more elements than allowed is refused only with validation. 2.5 refuses it in any submission.",
     .source = OBSERVED_3_0, .answer = "INVALID_VALUE, SUCCESS, in flight 1, RUNNING",
     .answer_2_5 = "INVALID_VALUE, INVALID_VALUE, in flight 0, RUNNING") {
    struct doca_dma *dma = start_dma(2);
    uint32_t len;
    REQUIRE(doca_dma_cap_task_memcpy_get_max_buf_list_len(devinfo(), &len));
    struct doca_dma_task_memcpy *task = copy_task(dma, 1, source_list(len + 1, 0, 16, 64), target(131072, 65536));
    CODE(doca_task_try_submit(as_task(task)));
    CODE(submit_copy(task));
    answer("in flight %zu", inflight(ctx_of(dma)));
    answer("%s", state_of(ctx_of(dma)));
}

RULE(dma_copy_too_large,
     "A copy of more bytes than allowed is refused only with validation. 2.5 refuses it in any submission.",
     .source = OBSERVED_3_0, .answer = "INVALID_VALUE, SUCCESS", .answer_2_5 = "INVALID_VALUE, INVALID_VALUE") {
    struct doca_dma *dma = start_dma(2);
    uint64_t size;
    REQUIRE(doca_dma_cap_task_memcpy_get_max_buf_size(devinfo(), &size));
    uint8_t *bytes = aligned_alloc(4096, 2 * size + 8192);
    struct doca_mmap *large = start_map(bytes, 2 * size + 8192, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    struct doca_dma_task_memcpy *task = copy_task(
            dma, 1, source_of(large, bytes, size + 1), target_of(large, bytes + size + 4096, size + 1));
    CODE(doca_task_try_submit(as_task(task)));
    CODE(submit_copy(task));
}

RULE(dma_list_too_large, "The limit of bytes applies to all elements of a list together, as to one buffer.",
     .source = OBSERVED_3_0, .answer = "INVALID_VALUE") {
    struct doca_dma *dma = start_dma(2);
    uint64_t size;
    REQUIRE(doca_dma_cap_task_memcpy_get_max_buf_size(devinfo(), &size));
    uint8_t *bytes = aligned_alloc(4096, 2 * size + 8192);
    struct doca_mmap *large = start_map(bytes, 2 * size + 8192, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    struct doca_buf *head = source_of(large, bytes, size);
    REQUIRE(doca_buf_chain_list(head, source_of(large, bytes, 64)));
    CODE(doca_task_try_submit(as_task(copy_task(dma, 1, head, target_of(large, bytes + size + 4096, size + 64)))));
}

RULE(dma_try_submit, "A valid task is also accepted with validation.", .source = OBSERVED_3_0, .answer = "SUCCESS, done 1") {
    struct doca_dma *dma = start_dma(1);
    CODE(doca_task_try_submit(as_task(block_task(dma, 1))));
    progress_to(1);
    answer_notes();
}

RULE(dma_try_submit_without_source, "Validation refuses a task without a source.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE") {
    struct doca_dma *dma = start_dma(1);
    CODE(doca_task_try_submit(as_task(copy_task(dma, 1, NULL, target(4096, 64)))));
}

RULE(dma_try_submit_target_too_small, "Validation does not check the room in the destination.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, done 1") {
    struct doca_dma *dma = start_dma(1);
    CODE(doca_task_try_submit(as_task(copy_task(dma, 1, source(0, 100), target(4096, 50)))));
    progress_to(1);
    answer_notes();
}

RULE(dma_try_submit_empty_source, "Validation accepts a source without data; the task fails.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, failed 1 IO_FAILED, to STOPPING") {
    struct doca_dma *dma = start_dma(1);
    CODE(doca_task_try_submit(as_task(failing_task(dma, 1))));
    progress_to(1);
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_STOPPING);
    answer_notes();
}

RULE(dma_submit_idle, "A task that was not freed cannot be submitted after the context has stopped.",
     .source = OBSERVED_2_5, .answer = "IN_PROGRESS, BAD_STATE, BAD_STATE") {
    struct doca_dma *dma = start_dma(2);
    struct doca_dma_task_memcpy *task = block_task(dma, 1);
    CODE(doca_ctx_stop(ctx_of(dma)));
    CODE(submit_copy(task));
    CODE(doca_task_try_submit(as_task(task)));
}

static void
resubmit_once(struct doca_task *task, uint64_t number) {
    if (number == 1) {
        doca_task_set_user_data(task, data_of(2));
        code_in_callback = doca_task_submit(task);
    }
}

RULE(dma_resubmit_in_callback, "A task can be submitted again in its own callback.", .source = OBSERVED_3_0,
     .answer = "done 1, done 2, SUCCESS") {
    struct doca_dma *dma = start_dma(1);
    REQUIRE(submit_copy(copy_task(dma, 1, source(0, 64), target(4096, 128))));
    on_task = resubmit_once;
    progress_to(2);
    answer_notes();
    answer_code(code_in_callback);
}

static void
free_task(struct doca_task *task, uint64_t number) {
    (void)number;
    doca_task_free(task);
}

RULE(dma_free_in_callback, "A task can be freed in its own callback, and another one can then be allocated.",
     .source = OBSERVED_3_0, .answer = "done 1, SUCCESS") {
    struct doca_dma *dma = start_dma(1);
    REQUIRE(submit_copy(block_task(dma, 1)));
    on_task = free_task;
    progress_to(1);
    answer_notes();
    struct doca_dma_task_memcpy *task;
    CODE(doca_dma_task_memcpy_alloc_init(dma, source(0, 64), target(4096, 64), data_of(2), &task));
}

RULE(dma_resubmit_finished, "A completed task that was not freed can be submitted again.", .source = OBSERVED_2_5,
     .answer = "done 1, SUCCESS, done 1, 128") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *dst = target(4096, 256);
    struct doca_dma_task_memcpy *task = copy_task(dma, 1, source(0, 64), dst);
    REQUIRE(submit_copy(task));
    progress_to(1);
    answer_notes();
    CODE(submit_copy(task));
    progress_to(2);
    answer_notes();
    answer_number((long long)data_len(dst));
}

RULE(dma_many_in_flight, "Tasks that do not fit into the device's queues wait in the library.", .source = OBSERVED_2_5,
     .answer = "2000 submitted, 2000 done") {
    struct doca_dma *dma = start_dma(2000);
    struct doca_buf *src = source(0, 64);
    struct doca_buf *dst = target(4096, 64);
    unsigned submitted = 0;
    for (unsigned i = 0; i < 2000; i++) {
        /* The destination is full after the first task, but all tasks write to the same place. */
        submitted += submit_copy(copy_task(dma, i, src, dst)) == DOCA_SUCCESS;
    }
    answer("%u submitted", submitted);
    progress_to(2000);
    answer("%zu done", num_completions);
}

RULE(dma_task_status_in_flight, "A task in flight has the status IN_PROGRESS.", .source = OBSERVED_2_5,
     .answer = "IN_PROGRESS, SUCCESS") {
    struct doca_dma *dma = start_dma(1);
    struct doca_dma_task_memcpy *task = block_task(dma, 1);
    REQUIRE(submit_copy(task));
    CODE(doca_task_get_status(as_task(task)));
    progress_to(1);
    CODE(doca_task_get_status(as_task(task)));
}

static union doca_data data_in_callback[2];

static void
keep_data(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data) {
    (void)task;
    data_in_callback[0] = task_data;
    data_in_callback[1] = ctx_data;
    num_completions++;
}

RULE(dma_callback_data, "A callback gets the user data of the task and of the context.", .source = OBSERVED_2_5,
     .answer = "3, 7") {
    struct doca_dma *dma = configure_dma(1);
    REQUIRE(doca_dma_task_memcpy_set_conf(dma, keep_data, keep_data, 1));
    REQUIRE(doca_ctx_start(ctx_of(dma)));
    REQUIRE(submit_copy(block_task(dma, 3)));
    progress_to(1);
    answer_number((long long)data_in_callback[0].u64);
    answer_number((long long)data_in_callback[1].u64);
}

RULE(dma_one_callback_for_both, "One function may serve as both callbacks: the status distinguishes them.",
     .source = OBSERVED_3_0, .answer = "SUCCESS") {
    struct doca_dma *dma = configure_dma(1);
    REQUIRE(doca_dma_task_memcpy_set_conf(dma, keep_data, keep_data, 1));
    REQUIRE(doca_ctx_start(ctx_of(dma)));
    struct doca_dma_task_memcpy *task = block_task(dma, 3);
    REQUIRE(submit_copy(task));
    progress_to(1);
    CODE(doca_task_get_status(as_task(task)));
}

RULE(dma_submit_without_flush, "A task submitted without a flush is executed when the context is flushed.",
     .source = OBSERVED_3_0, .since = 300, .answer = "SUCCESS, done 1") {
    struct doca_dma *dma = start_dma(1);
    CODE(doca_task_submit_ex(as_task(block_task(dma, 1)), DOCA_TASK_SUBMIT_FLAG_NONE));
    doca_ctx_flush_tasks(ctx_of(dma));
    progress_to(1);
    answer_notes();
}

RULE(dma_unflushed_task_waits, "Without a flush a task is not executed.", .source = OBSERVED_3_0, .since = 300,
     .answer = "SUCCESS, nothing, in flight 1") {
    struct doca_dma *dma = start_dma(1);
    CODE(doca_task_submit_ex(as_task(block_task(dma, 1)), DOCA_TASK_SUBMIT_FLAG_NONE));
    progress_for(5);
    answer_notes();
    answer("in flight %zu", inflight(ctx_of(dma)));
}

RULE(dma_flush_by_later_task, "A submission with a flush also flushes earlier submissions.", .source = OBSERVED_3_0,
     .since = 300, .answer = "3 done") {
    struct doca_dma *dma = start_dma(3);
    REQUIRE(doca_task_submit_ex(as_task(block_task(dma, 1)), DOCA_TASK_SUBMIT_FLAG_NONE));
    REQUIRE(doca_task_submit_ex(as_task(block_task(dma, 2)), DOCA_TASK_SUBMIT_FLAG_NONE));
    REQUIRE(doca_task_submit_ex(as_task(block_task(dma, 3)), DOCA_TASK_SUBMIT_FLAG_FLUSH));
    progress_to(3);
    answer("%zu done", num_completions);
}

RULE(dma_optimized_reports,
     "A completion with OPTIMIZE_REPORTS is reported at the latest with a later one without it.", .source = OBSERVED_3_0,
     .since = 300, .answer = "3 done") {
    struct doca_dma *dma = start_dma(3);
    const uint32_t flags = DOCA_TASK_SUBMIT_FLAG_FLUSH | DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS;
    REQUIRE(doca_task_submit_ex(as_task(block_task(dma, 1)), flags));
    REQUIRE(doca_task_submit_ex(as_task(block_task(dma, 2)), flags));
    REQUIRE(doca_task_submit_ex(as_task(block_task(dma, 3)), DOCA_TASK_SUBMIT_FLAG_FLUSH));
    progress_to(3);
    answer("%zu done", num_completions);
}

/* Allocates a task that copies a list of two blocks. */
static struct doca_dma_task_memcpy *
list_task(struct doca_dma *dma, uint64_t number) {
    return copy_task(dma, number, source_list(2, 8192, 64, 256), target(32768 + number * 256, 128));
}

RULE(dma_flush_of_one_queue,
     "Plain copies and copies of lists are in two queues: a plain copy without a flush does not start with a list that has "
     "one. A flush of the context starts it.",
     .source = OBSERVED_3_0, .since = 300, .answer = "done 2, in flight 1, done 1") {
    struct doca_dma *dma = start_dma(2);
    REQUIRE(doca_task_submit_ex(as_task(block_task(dma, 1)), DOCA_TASK_SUBMIT_FLAG_NONE));
    REQUIRE(doca_task_submit_ex(as_task(list_task(dma, 2)), DOCA_TASK_SUBMIT_FLAG_FLUSH));
    progress_to(1);
    progress_for(5);
    answer_notes();
    answer("in flight %zu", inflight(ctx_of(dma)));
    forget_notes();
    doca_ctx_flush_tasks(ctx_of(dma));
    progress_to(1);
    answer_notes();
}

RULE(dma_list_without_flush, "A copy of a list starts without a flush, and is reported at once whatever its flags.",
     .source = OBSERVED_3_0, .since = 300, .answer = "done 1, done 2") {
    struct doca_dma *dma = start_dma(2);
    REQUIRE(doca_task_submit_ex(as_task(list_task(dma, 1)), DOCA_TASK_SUBMIT_FLAG_NONE));
    progress_to(1);
    REQUIRE(doca_task_submit_ex(as_task(list_task(dma, 2)), DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS));
    progress_to(2);
    answer_notes();
}

RULE(dma_flush_reports, "A flush of the context also reports the last copies with OPTIMIZE_REPORTS.",
     .source = OBSERVED_3_0, .since = 300, .answer = "done 1, done 2, done 3") {
    struct doca_dma *dma = start_dma(3);
    for (uint64_t number = 1; number <= 3; number++) {
        REQUIRE(doca_task_submit_ex(as_task(block_task(dma, number)), DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS));
    }
    doca_ctx_flush_tasks(ctx_of(dma));
    progress_to(3);
    answer_notes();
}

RULE(dma_optimized_failure,
     "If a copy with OPTIMIZE_REPORTS fails, the earlier ones that were not reported fail as well, although their bytes were "
     "copied. The context is STOPPING before the first of them is reported.",
     .source = OBSERVED_3_0, .since = 300,
     .answer = "to STOPPING, failed 1 IO_FAILED, failed 2 IO_FAILED, failed 3 IO_FAILED, failed 4 IO_FAILED, 2 copied") {
    struct doca_dma *dma = start_dma(4);
    for (uint64_t number = 1; number <= 4; number++) {
        struct doca_dma_task_memcpy *task = number == 3 ? failing_task(dma, number) : block_task(dma, number);
        REQUIRE(doca_task_submit_ex(as_task(task), DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS));
    }
    doca_ctx_flush_tasks(ctx_of(dma));
    progress_to(4);
    answer_notes();
    answer("%d copied", is_copied(64, 64000 + 64, 64) + is_copied(128, 64000 + 128, 64));
}

RULE(dma_ordered_completions, "With ordered completions the callbacks are called in the order of the submissions.",
     .source = HEADER, .since = 302, .answer = "done 1, done 2, done 3, done 4") {
    struct doca_dma *dma = configure_dma(4);
    REQUIRE(doca_dma_set_ordered_completions(dma, 1));
    REQUIRE(doca_ctx_start(ctx_of(dma)));
    forget_notes();
    for (uint64_t number = 1; number <= 4; number++) {
        REQUIRE(submit_copy(block_task(dma, number)));
    }
    progress_to(4);
    answer_notes();
}

RULE(dma_completion_order, "The callbacks of a context are called in the order of the submissions.", .source = OBSERVED_3_0,
     .since = 300, .answer = "done 1, done 2, done 3, done 4") {
    struct doca_dma *dma = start_dma(4);
    for (uint64_t number = 1; number <= 4; number++) {
        REQUIRE(submit_copy(block_task(dma, number)));
    }
    progress_to(4);
    answer_notes();
}
