/* SPDX-License-Identifier: Apache-2.0 */
/* The effect of injected faults on RDMA tasks. */
#include "rdma_fixture.h"

static struct side a;
static struct side b;

static void
begin(void) {
    a = create_running_side();
    b = create_running_side();
    connect_sides(&a, &b);
}

static void
end(void) {
    CHECK_SUCCESS(doca_emulator_set_faults(NULL));
    destroy_side(&a);
    destroy_side(&b);
    last_error[0] = '\0';
}

static void
the_task_that_is_chosen_fails(void) {
    begin();
    CHECK_SUCCESS(doca_emulator_set_faults("fail-task=2:IO_FAILED"));
    for (uint64_t number = 1; number <= 3; number++) {
        CHECK_SUCCESS(doca_task_submit(make_write(&a, 0, NULL, NULL, number)));
    }
    progress_until(3);
    check_event(1, DOCA_SUCCESS);
    check_event(2, DOCA_ERROR_IO_FAILED);
    check_event(3, DOCA_ERROR_BAD_STATE);
    check_logged("the faults that are set ask for it");
    CHECK_EQUAL(DOCA_CTX_STATE_STOPPING, state_of(&a));
    CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of(&b));
    end();
}

/* The context survives a transient error, and so do the tasks after it. */
static void
a_transient_error_is_the_tasks_alone(void) {
    begin();
    CHECK_SUCCESS(doca_emulator_set_faults("fail-task=1:AGAIN"));
    CHECK_SUCCESS(doca_task_submit(make_write(&a, 0, NULL, NULL, 1)));
    CHECK_SUCCESS(doca_task_submit(make_write(&a, 0, NULL, NULL, 2)));
    progress_until(2);
    check_event(1, DOCA_ERROR_AGAIN);
    check_event(2, DOCA_SUCCESS);
    CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of(&a));
    end();
}

static void
a_receive_can_be_chosen(void) {
    begin();
    CHECK_SUCCESS(doca_emulator_set_faults("fail-task=1:NO_MEMORY"));
    CHECK_SUCCESS(doca_task_submit(make_receive(&b, NULL, 1)));
    CHECK_SUCCESS(doca_task_submit(make_receive(&b, NULL, 2)));
    CHECK_SUCCESS(doca_task_submit(make_send(&a, 0, NULL, 3)));
    progress_until(3);
    check_event(1, DOCA_ERROR_NO_MEMORY);
    check_event(2, DOCA_SUCCESS);
    check_event(3, DOCA_SUCCESS);
    CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of(&b));
    end();
}

/* A sleeping program is woken after the delay, and a polling one finds nothing before. */
static void
reports_are_delayed(void) {
    for (int sleeps = 0; sleeps <= 1; sleeps++) {
        begin();
        const uint64_t start = now_ns();
        CHECK_SUCCESS(doca_emulator_set_faults("delay=30ms"));
        CHECK_SUCCESS(doca_task_submit(make_receive(&b, NULL, 1)));
        CHECK_SUCCESS(doca_task_submit(make_send(&a, 0, NULL, 2)));
        while (num_events < 2) {
            if (doca_pe_progress(pe) == 0 && sleeps) {
                sleep_once(pe);
            }
        }
        CHECK(now_ns() - start >= 29 * NS_PER_MS);
        check_event(1, DOCA_SUCCESS);
        check_event(2, DOCA_SUCCESS);
        end();
    }
}

static void
delays_end_with_their_faults(void) {
    begin();
    CHECK_SUCCESS(doca_emulator_set_faults("delay=3600s"));
    CHECK_SUCCESS(doca_task_submit(make_write(&a, 0, NULL, NULL, 1)));
    CHECK_EQUAL(0, doca_pe_progress(pe));
    CHECK_SUCCESS(doca_emulator_set_faults(NULL));
    progress_until(1);
    check_event(1, DOCA_SUCCESS);
    end();
}

static void
what_is_delayed_is_reported_by_a_stop(void) {
    begin();
    CHECK_SUCCESS(doca_emulator_set_faults("delay=3600s"));
    CHECK_SUCCESS(doca_task_submit(make_receive(&b, NULL, 1)));
    CHECK_SUCCESS(doca_task_submit(make_send(&a, 0, NULL, 2)));
    for (int i = 0; i < 1000; i++) {
        CHECK_EQUAL(0, doca_pe_progress(pe));
    }
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(b.ctx));
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(a.ctx));
    progress_until(2);
    end();
}

static void
run_all(void) {
    keep_errors();
    open_fixture();
    the_task_that_is_chosen_fails();
    a_transient_error_is_the_tasks_alone();
    a_receive_can_be_chosen();
    reports_are_delayed();
    delays_end_with_their_faults();
    what_is_delayed_is_reported_by_a_stop();
    close_fixture();
}

int
main(void) {
    check_with_engines(run_all);
    return check_result();
}
