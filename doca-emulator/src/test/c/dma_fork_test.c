/* SPDX-License-Identifier: Apache-2.0 */
/* DMA contexts and progress engines of the parent in forked children, and new ones of the children. */
#include <sys/mman.h>

#include "dma_fixture.h"

#define NUM_COPIES 16
#define NUM_FORKS 20

static struct doca_dma_task_memcpy *
submit_copy(struct doca_dma *dma, uint64_t number) {
    struct doca_dma_task_memcpy *task =
            alloc_task(dma, number, take_source(64 * number, 64), take_target(8192 + 64 * number, 64));
    CHECK_SUCCESS(submit_task(task));
    return task;
}

/* Uses the child's copies of the parent's engine and buffers. */
static void
copy_by_a_context_of_its_own(void) {
    if (is_threaded() && !CHILDREN_CAN_START_THREADS) {
        return;
    }
    struct doca_dma *own = start_dma(1, 2);
    memset(memory + 8192, 0, 64);
    CHECK_SUCCESS(doca_pe_request_notification(pe));
    struct doca_dma_task_memcpy *task = submit_copy(own, 0);
    CHECK(is_notified(pe, WAKE_TIME_MS));
    CHECK_SUCCESS(doca_pe_clear_notification(pe, 0));
    progress_to_event(1);
    check_task_event(0, EVENT_COMPLETED, 0, DOCA_SUCCESS);
    CHECK(memcmp(memory, memory + 8192, 64) == 0);
    free_task(task);
    end_dma(own);
}

static void
end_the_copy(void *parents) {
    struct doca_dma *dma = parents;
    forget_events();
    struct doca_dma_task_memcpy *task = alloc_task(dma, 99, take_source(0, 64), take_target(64, 64));
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "was started by the parent of this process", submit_task(task));
    free_task(task);
    doca_ctx_flush_tasks(doca_dma_as_ctx(dma));
    check_logged("Failed to flush tasks: was started by the parent of this process");
    CHECK_EQUAL(0, doca_pe_progress(pe));
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(doca_dma_as_ctx(dma)));
    on_event = free_finished_task;
    while (state_of(dma) != DOCA_CTX_STATE_IDLE) {
        progress_or_rest(pe);
    }
    CHECK_EQUAL(NUM_COPIES, count_events(EVENT_FAILED));
    CHECK_SUCCESS(doca_dma_destroy(dma));
    forget_events();
    copy_by_a_context_of_its_own();
}

static void
a_child_can_end_its_copy_and_begin_anew(void) {
    struct doca_dma *dma = start_dma(NUM_COPIES + 1, 1);
    for (int i = 0; i < NUM_FORKS; i++) {
        for (uint64_t number = 0; number < NUM_COPIES; number++) {
            (void)submit_copy(dma, number);
        }
        check_in_child(end_the_copy, dma);
        on_event = free_finished_task;
        progress_to_event(NUM_COPIES);
        CHECK_EQUAL(NUM_COPIES, count_events(EVENT_COMPLETED));
        forget_events();
    }
    end_dma(dma);
}

static void
work_by_itself(void *parents) {
    (void)parents;
    forget_events();
    copy_by_a_context_of_its_own();
}

static void
a_child_does_not_notify_its_parent(void) {
    struct doca_dma *dma = start_dma(1, 1);
    CHECK_SUCCESS(doca_pe_request_notification(pe));
    check_in_child(work_by_itself, dma);
    CHECK(!is_notified(pe, 0));
    struct doca_dma_task_memcpy *task = submit_copy(dma, 0);
    CHECK(is_notified(pe, WAKE_TIME_MS));
    CHECK_SUCCESS(doca_pe_clear_notification(pe, 0));
    progress_to_event(1);
    free_task(task);
    end_dma(dma);
}

/* The child must not execute tasks that the parent has submitted; shared memory would show it. */
static void
progress_only(void *parents) {
    struct doca_dma *dma = parents;
    forget_events();
    CHECK_SUCCESS(doca_pe_request_notification(pe));
    CHECK(!is_notified(pe, 0));
    CHECK_SUCCESS(doca_pe_clear_notification(pe, 0));
    for (int i = 0; i < 100; i++) {
        CHECK_EQUAL(0, doca_pe_progress(pe));
    }
    CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of(dma));
}

static void
a_child_carries_out_nothing_of_its_parent(void) {
    uint8_t *shared = mmap(NULL, 128, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE_SUCCESS(shared == MAP_FAILED ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS);
    shared[0] = 7;
    struct doca_mmap *map = start_mmap(shared, 128, dev);
    struct doca_buf *src = data_of(map, shared, 64);
    struct doca_buf *dst = space_of(map, shared + 64, 64);
    struct doca_dma *dma = start_dma(1, 1);
    struct doca_dma_task_memcpy *task = alloc_task(dma, 1, src, dst);
    CHECK_SUCCESS(submit_task(task));
    if (is_threaded()) {
        CHECK_SUCCESS(doca_pe_request_notification(pe));
        CHECK(is_notified(pe, WAKE_TIME_MS));
        CHECK_SUCCESS(doca_pe_clear_notification(pe, 0));
    }
    check_in_child(progress_only, dma);
    if (!is_threaded()) {
        CHECK_EQUAL(0, shared[64]);
    }
    progress_to_event(1);
    check_task_event(0, EVENT_COMPLETED, 1, DOCA_SUCCESS);
    CHECK_EQUAL(7, shared[64]);
    free_task(task);
    end_dma(dma);
    GIVE_BACK(src, dst);
    CHECK_SUCCESS(doca_mmap_destroy(map));
    munmap(shared, 128);
}

/* The parent's notification is not readable in the child, which has no work then. */
static void
a_child_is_notified_after_its_parent_was(void) {
    struct doca_dma *dma = start_dma(1, 1);
    CHECK_SUCCESS(doca_pe_request_notification(pe));
    struct doca_dma_task_memcpy *task = submit_copy(dma, 0);
    CHECK(is_notified(pe, WAKE_TIME_MS));
    check_in_child(work_by_itself, dma);
    CHECK_SUCCESS(doca_pe_clear_notification(pe, 0));
    progress_to_event(1);
    free_task(task);
    end_dma(dma);
}

static void
run_all(void) {
    set_up();
    a_child_can_end_its_copy_and_begin_anew();
    a_child_does_not_notify_its_parent();
    a_child_carries_out_nothing_of_its_parent();
    a_child_is_notified_after_its_parent_was();
    check_nothing_logged();
}

static void
sleep_to_event(void) {
    while (num_events == 0) {
        sleep_once(pe);
        while (doca_pe_progress(pe) != 0) {
        }
    }
}

/* The parent has delayed tasks and a running timer; the child has its own timer. */
static void
sleep_for_the_delay(void *parents) {
    (void)parents;
    forget_events();
    struct doca_dma *own = start_dma(1, 2);
    struct doca_dma_task_memcpy *task = submit_copy(own, 0);
    sleep_to_event();
    check_task_event(0, EVENT_COMPLETED, 0, DOCA_SUCCESS);
    free_task(task);
    end_dma(own);
}

static void
run_delayed(void) {
    set_up();
    struct doca_dma *dma = start_dma(1, 1);
    struct doca_dma_task_memcpy *task = submit_copy(dma, 0);
    CHECK_SUCCESS(doca_pe_request_notification(pe));
    if (CHILDREN_CAN_START_THREADS) {
        check_in_child(sleep_for_the_delay, dma);
    }
    sleep_to_event();
    check_task_event(0, EVENT_COMPLETED, 0, DOCA_SUCCESS);
    free_task(task);
    end_dma(dma);
    check_nothing_logged();
}

int
main(void) {
    check_with_engines(run_all);
    check_with_environment("DOCA_EMULATOR_FAULTS", "delay=200ms", run_delayed);
    return check_result();
}
