/* SPDX-License-Identifier: Apache-2.0 */
/* The life cycle of tasks, tested with DMA. */
#include "dma_fixture.h"

#define NUM_TASKS 4

static struct doca_dma *dma;
static struct doca_buf *src;
/* Tasks in flight at the same time need different destinations. */
static struct doca_buf *targets[NUM_TASKS];

static struct doca_task *
as_task(struct doca_dma_task_memcpy *task) {
    return doca_dma_task_memcpy_as_task(task);
}

static struct doca_dma_task_memcpy *
alloc(uint64_t task_id) {
    CHECK_SUCCESS(doca_buf_reset_data_len(targets[task_id]));
    return alloc_task(dma, task_id, src, targets[task_id]);
}

static struct doca_dma_task_memcpy *
submit_new(uint64_t task_id, uint32_t flags) {
    struct doca_dma_task_memcpy *task = alloc(task_id);
    CHECK_SUCCESS(doca_task_submit_ex(as_task(task), flags));
    return task;
}

static size_t
num_inflight(void) {
    size_t count;
    CHECK_SUCCESS(doca_ctx_get_num_inflight_tasks(doca_dma_as_ctx(dma), &count));
    return count;
}

/*
 * Allocation
 */

static void
the_pool_has_as_many_tasks_as_were_configured(void) {
    struct doca_dma_task_memcpy *tasks[NUM_TASKS];
    struct doca_dma_task_memcpy *more;
    dma = start_dma(NUM_TASKS, 0);
    for (uint64_t i = 0; i < NUM_TASKS; i++) {
        tasks[i] = alloc(i);
    }
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, doca_dma_task_memcpy_alloc_init(dma, src, targets[0], data_of(0), &more));
    check_logged("Failed to allocate a task: all 4 are allocated");
    free_task(tasks[1]);
    CHECK_POINTER(tasks[1], alloc(1));
    for (uint64_t i = 0; i < NUM_TASKS; i++) {
        free_task(tasks[i]);
    }
    end_dma(dma);
}

static void
without_configuration_there_are_no_tasks(void) {
    struct doca_dma_task_memcpy *task;
    CHECK_SUCCESS(doca_dma_create(dev, &dma));
    CHECK_SUCCESS(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    CHECK_SUCCESS(doca_ctx_start(doca_dma_as_ctx(dma)));
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, doca_dma_task_memcpy_alloc_init(dma, src, targets[0], data_of(0), &task));
    check_logged("Failed to allocate a task: all 0 are allocated");
    end_dma(dma);
}

static void
an_idle_context_has_no_tasks(void) {
    struct doca_dma_task_memcpy *task;
    dma = create_dma(NUM_TASKS, 0);
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_dma_task_memcpy_alloc_init(dma, src, targets[0], data_of(0), &task));
    check_logged("Failed to allocate a task: is idle and not running");
    end_dma(dma);
}

/*
 * Properties
 */

static void
a_task_has_its_properties(void) {
    dma = start_dma(NUM_TASKS, 0);
    struct doca_dma_task_memcpy *task = alloc(1);
    CHECK_POINTER(doca_dma_as_ctx(dma), doca_task_get_ctx(as_task(task)));
    CHECK_EQUAL(1, doca_task_get_user_data(as_task(task)).u64);
    CHECK_SUCCESS(doca_task_get_status(as_task(task)));
    CHECK_POINTER(src, doca_dma_task_memcpy_get_src(task));
    CHECK_POINTER(targets[1], doca_dma_task_memcpy_get_dst(task));

    doca_task_set_user_data(as_task(task), data_of(5));
    doca_dma_task_memcpy_set_src(task, targets[2]);
    doca_dma_task_memcpy_set_dst(task, targets[3]);
    CHECK_EQUAL(5, doca_task_get_user_data(as_task(task)).u64);
    CHECK_POINTER(targets[2], doca_dma_task_memcpy_get_src(task));
    CHECK_POINTER(targets[3], doca_dma_task_memcpy_get_dst(task));
    free_task(task);
    end_dma(dma);
}

static void
a_freed_task_can_be_looked_at(void) {
    dma = start_dma(NUM_TASKS, 0);
    on_event = free_finished_task;
    struct doca_dma_task_memcpy *task = submit_new(2, DOCA_TASK_SUBMIT_FLAG_FLUSH);
    progress_to_event(1);
    CHECK_SUCCESS(doca_task_get_status(as_task(task)));
    CHECK_EQUAL(2, doca_task_get_user_data(as_task(task)).u64);
    CHECK_POINTER(doca_dma_as_ctx(dma), doca_task_get_ctx(as_task(task)));
    CHECK_POINTER(src, doca_dma_task_memcpy_get_src(task));
    CHECK_POINTER(targets[2], doca_dma_task_memcpy_get_dst(task));
    CHECK_SUCCESS(doca_ctx_stop(doca_dma_as_ctx(dma)));
    CHECK_EQUAL(2, doca_task_get_user_data(as_task(task)).u64);
    check_nothing_logged();
    end_dma(dma);
}

static void
what_is_no_task_is_refused(void) {
    uint64_t zeros[64] = {0};
    struct doca_dma_task_memcpy *const foreign[] = {NULL, (struct doca_dma_task_memcpy *)zeros};
    for (size_t i = 0; i < 2; i++) {
        struct doca_task *task = (struct doca_task *)foreign[i];
        CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_task_submit(task));
        check_logged("is no task");
        CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_task_try_submit(task));
        CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_task_submit_ex(task, DOCA_TASK_SUBMIT_FLAG_FLUSH));
        CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_task_get_status(task));
        CHECK_POINTER(NULL, doca_task_get_ctx(task));
        CHECK_EQUAL(0, doca_task_get_user_data(task).u64);
        CHECK_POINTER(NULL, doca_dma_task_memcpy_as_task(foreign[i]));
        CHECK_POINTER(NULL, doca_dma_task_memcpy_get_src(foreign[i]));
        CHECK_POINTER(NULL, doca_dma_task_memcpy_get_dst(foreign[i]));
        doca_dma_task_memcpy_set_src(foreign[i], src);
        doca_dma_task_memcpy_set_dst(foreign[i], targets[0]);
        doca_task_set_user_data(task, data_of(1));
        last_error[0] = '\0';
        doca_task_free(task);
        check_logged("is no task");
    }
    for (size_t i = 0; i < 64; i++) {
        CHECK_EQUAL(0, zeros[i]);
    }
}

/*
 * Ownership
 */

static void
a_task_in_flight_belongs_to_the_library(void) {
    dma = start_dma(NUM_TASKS, 0);
    struct doca_dma_task_memcpy *task = submit_new(0, DOCA_TASK_SUBMIT_FLAG_FLUSH);
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_task_get_status(as_task(task)));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, submit_task(task));
    check_logged("Failed to submit: is in flight already");
    free_task(task);
    check_logged("Failed to free: is in flight");
    CHECK_EQUAL(1, num_inflight());
    progress_to_event(1);
    CHECK_SUCCESS(doca_task_get_status(as_task(task)));
    free_task(task);
    check_nothing_logged();
    end_dma(dma);
}

static void
a_freed_task_belongs_to_the_pool(void) {
    dma = start_dma(NUM_TASKS, 0);
    struct doca_dma_task_memcpy *task = alloc(0);
    free_task(task);
    free_task(task);
    check_logged("Failed to free: was freed before");
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, submit_task(task));
    check_logged("Failed to submit: was freed before");
    CHECK_EQUAL(0, num_inflight());
    end_dma(dma);
}

static void
a_task_that_was_not_taken_belongs_to_the_program(void) {
    dma = start_dma(NUM_TASKS, 0);
    struct doca_dma_task_memcpy *task = alloc_task(dma, 3, NULL, targets[3]);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_task_try_submit(as_task(task)));
    check_logged("Invalid input");
    doca_dma_task_memcpy_set_src(task, src);
    CHECK_SUCCESS(doca_buf_set_data_len(targets[3], 1));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_task_try_submit(as_task(task)));
    check_logged("Failed to submit memcpy task");
    CHECK_EQUAL(0, num_inflight());
    CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of(dma));

    CHECK_SUCCESS(doca_buf_reset_data_len(targets[3]));
    CHECK_SUCCESS(doca_task_try_submit(as_task(task)));
    progress_to_event(1);
    check_task_event(0, EVENT_COMPLETED, 3, DOCA_SUCCESS);
    free_task(task);
    end_dma(dma);
}

static void
submit_again(const struct event *event) {
    const uint64_t next = event->task_id + 1;
    if (next < NUM_TASKS) {
        doca_task_set_user_data(as_task(event->task), data_of(next));
        doca_dma_task_memcpy_set_dst(event->task, targets[next]);
        CHECK_SUCCESS(doca_buf_reset_data_len(targets[next]));
        CHECK_SUCCESS(submit_task(event->task));
    } else {
        free_task(event->task);
    }
}

static void
a_callback_may_submit_its_task_again(void) {
    dma = start_dma(1, 0);
    on_event = submit_again;
    (void)submit_new(0, DOCA_TASK_SUBMIT_FLAG_FLUSH);
    progress_to_event(NUM_TASKS);
    for (uint64_t i = 0; i < NUM_TASKS; i++) {
        check_task_event(i, EVENT_COMPLETED, i, DOCA_SUCCESS);
        CHECK_EQUAL(64, data_len_of(targets[i]));
    }
    CHECK_EQUAL(0, num_inflight());
    end_dma(dma);
}

/*
 * Flags
 */

/* Flushed tasks complete; others do not, even after a long wait. */
static void
check_complete(size_t num_complete) {
    progress_to_event(num_complete);
    for (size_t i = 0; i < 100; i++) {
        CHECK_EQUAL(0, doca_pe_progress(pe));
    }
    CHECK_EQUAL(num_complete, num_events);
}

static void
a_task_without_flush_waits_for_one_with(void) {
    dma = start_dma(NUM_TASKS, 0);
    on_event = free_finished_task;
    (void)submit_new(0, DOCA_TASK_SUBMIT_FLAG_NONE);
    (void)submit_new(1, DOCA_TASK_SUBMIT_FLAG_NONE);
    CHECK_EQUAL(2, num_inflight());
    check_complete(0);
    (void)submit_new(2, DOCA_TASK_SUBMIT_FLAG_FLUSH);
    (void)submit_new(3, DOCA_TASK_SUBMIT_FLAG_NONE);
    check_complete(3);
    CHECK_EQUAL(1, num_inflight());
    doca_ctx_flush_tasks(doca_dma_as_ctx(dma));
    check_complete(4);
    doca_ctx_flush_tasks(doca_dma_as_ctx(dma));
    check_complete(4);
    end_dma(dma);
}

#define OPTIMIZED DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS

static void
optimized_reports_come_with_a_flush(void) {
    dma = start_dma(NUM_TASKS, 0);
    CHECK_SUCCESS(doca_dma_set_ordered_completions(dma, 1));
    on_event = free_finished_task;
    (void)submit_new(0, OPTIMIZED);
    (void)submit_new(1, OPTIMIZED);
    check_complete(0);
    CHECK_EQUAL(2, num_inflight());
    (void)submit_new(2, DOCA_TASK_SUBMIT_FLAG_FLUSH);
    (void)submit_new(3, OPTIMIZED);
    check_complete(3);
    for (uint64_t i = 0; i < 3; i++) {
        check_task_event(i, EVENT_COMPLETED, i, DOCA_SUCCESS);
    }
    CHECK_EQUAL(1, num_inflight());
    doca_ctx_flush_tasks(doca_dma_as_ctx(dma));
    check_complete(4);

    (void)submit_new(0, DOCA_TASK_SUBMIT_FLAG_FLUSH | OPTIMIZED);
    check_complete(5);
    end_dma(dma);
}

/* The first buffer of a source that is a list of two. */
static struct doca_buf *
take_list(void) {
    struct doca_buf *head = take_source(64, 16);
    CHECK_SUCCESS(doca_buf_chain_list(head, take_source(128, 16)));
    return head;
}

static void
a_flush_of_a_list_does_not_start_plain_copies(void) {
    dma = start_dma(NUM_TASKS, 0);
    on_event = free_finished_task;
    struct doca_buf *list = take_list();
    (void)submit_new(0, OPTIMIZED);
    CHECK_SUCCESS(doca_buf_reset_data_len(targets[1]));
    struct doca_dma_task_memcpy *of_list = alloc_task(dma, 1, list, targets[1]);
    CHECK_SUCCESS(doca_task_submit_ex(as_task(of_list), DOCA_TASK_SUBMIT_FLAG_FLUSH));
    check_complete(1);
    check_task_event(0, EVENT_COMPLETED, 1, DOCA_SUCCESS);
    doca_ctx_flush_tasks(doca_dma_as_ctx(dma));
    check_complete(2);
    give_back(list);
    end_dma(dma);
}

static void
copies_of_lists_wait_for_nothing(void) {
    dma = start_dma(NUM_TASKS, 0);
    on_event = free_finished_task;
    struct doca_buf *list = take_list();
    CHECK_SUCCESS(doca_buf_reset_data_len(targets[1]));
    struct doca_dma_task_memcpy *of_list = alloc_task(dma, 1, list, targets[1]);
    CHECK_SUCCESS(doca_task_submit_ex(as_task(of_list), OPTIMIZED));
    check_complete(1);
    give_back(list);
    end_dma(dma);
}

/* If a worker finishes the task with the report before other tasks, these have no report to wait for. */
static void
a_plain_report_is_the_last_one_in_any_order(void) {
    dma = start_dma(NUM_TASKS, 0);
    on_event = free_finished_task;
    for (int round = 0; round < 200; round++) {
        for (uint64_t i = 0; i < NUM_TASKS; i++) {
            (void)submit_new(i, i < NUM_TASKS - 1 ? DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS
                                                  : DOCA_TASK_SUBMIT_FLAG_FLUSH);
        }
        progress_all();
        num_events = 0;
    }
    end_dma(dma);
}

static void
optimized_reports_before_a_failure_fail_as_well(void) {
    dma = start_dma(NUM_TASKS, 0);
    CHECK_SUCCESS(doca_dma_set_ordered_completions(dma, 1));
    CHECK_SUCCESS(doca_buf_reset_data_len(targets[3]));
    on_event = free_finished_task;
    (void)submit_new(0, OPTIMIZED);
    struct doca_dma_task_memcpy *faulty = alloc_task(dma, 1, targets[3], targets[1]);
    CHECK_SUCCESS(doca_task_submit_ex(as_task(faulty), OPTIMIZED));
    doca_ctx_flush_tasks(doca_dma_as_ctx(dma));
    progress_to_event(3);
    check_state_event(0, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
    check_task_event(1, EVENT_FAILED, 0, DOCA_ERROR_IO_FAILED);
    check_task_event(2, EVENT_FAILED, 1, DOCA_ERROR_IO_FAILED);
    check_logged("the source has no data");
    end_dma(dma);
}

static void
other_flags_are_refused(void) {
    dma = start_dma(NUM_TASKS, 0);
    struct doca_dma_task_memcpy *task = alloc(0);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_task_submit_ex(as_task(task), 1 << 10));
    check_logged("Invalid input: flags 0x400");
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED,
                doca_task_submit_ex(as_task(task), DOCA_TASK_SUBMIT_FLAG_RANGE_PROFILING_REQUESTED));
    check_logged("ranges cannot be profiled");
    CHECK_EQUAL(0, num_inflight());
    free_task(task);
    end_dma(dma);
}

static void
there_are_no_batches(void) {
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_task_batch_submit(NULL));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_task_batch_try_submit(NULL));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_task_batch_get_status(NULL));
    CHECK_EQUAL(0, doca_task_batch_get_tasks_num(NULL));
    CHECK_POINTER(NULL, doca_task_batch_get_ctx(NULL));
    doca_task_batch_free(NULL);
}

static void
run(void) {
    set_up();
    src = take_source(0, 64);
    for (size_t i = 0; i < NUM_TASKS; i++) {
        targets[i] = take_target(8192 + 64 * i, 64);
    }
    the_pool_has_as_many_tasks_as_were_configured();
    without_configuration_there_are_no_tasks();
    an_idle_context_has_no_tasks();
    a_task_has_its_properties();
    a_freed_task_can_be_looked_at();
    what_is_no_task_is_refused();
    a_task_in_flight_belongs_to_the_library();
    a_freed_task_belongs_to_the_pool();
    a_task_that_was_not_taken_belongs_to_the_program();
    a_callback_may_submit_its_task_again();
    a_task_without_flush_waits_for_one_with();
    optimized_reports_come_with_a_flush();
    a_flush_of_a_list_does_not_start_plain_copies();
    copies_of_lists_wait_for_nothing();
    a_plain_report_is_the_last_one_in_any_order();
    optimized_reports_before_a_failure_fail_as_well();
    other_flags_are_refused();
    there_are_no_batches();
    give_back(src);
    for (size_t i = 0; i < NUM_TASKS; i++) {
        give_back(targets[i]);
    }
    tear_down();
}

int
main(void) {
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", run);
    check_with_environment("DOCA_EMULATOR_ENGINE", "threaded", run);
    return check_result();
}
