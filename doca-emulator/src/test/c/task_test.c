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
 * Properties
 */

static void
what_is_no_task_is_refused(void) {
    uint64_t zeros[64] = {0};
    struct doca_dma_task_memcpy *const foreign[] = {NULL, (struct doca_dma_task_memcpy *)zeros};
    for (size_t i = 0; i < 2; i++) {
        struct doca_task *task = (struct doca_task *)foreign[i];
        CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "is no task", doca_task_submit(task));
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
        doca_task_set_user_data(task, numbered(1));
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
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "Failed to submit: is in flight already", submit_task(task));
    free_task(task);
    check_logged("Failed to free: is in flight");
    CHECK_EQUAL(1, num_inflight());
    progress_to_event(1);
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
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "Failed to submit: was freed before", submit_task(task));
    CHECK_EQUAL(0, num_inflight());
    end_dma(dma);
}

/*
 * Flags
 */

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
other_flags_are_refused(void) {
    dma = start_dma(NUM_TASKS, 0);
    struct doca_dma_task_memcpy *task = alloc(0);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "Invalid input: flags 0x400", doca_task_submit_ex(as_task(task), 1 << 10));
    CHECK_REFUSED(DOCA_ERROR_NOT_SUPPORTED, "ranges cannot be profiled",
                  doca_task_submit_ex(as_task(task), DOCA_TASK_SUBMIT_FLAG_RANGE_PROFILING_REQUESTED));
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
    what_is_no_task_is_refused();
    a_task_in_flight_belongs_to_the_library();
    a_freed_task_belongs_to_the_pool();
    a_plain_report_is_the_last_one_in_any_order();
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
    check_with_engines(run);
    return check_result();
}
