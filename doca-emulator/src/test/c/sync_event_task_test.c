/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sync events as contexts: their tasks.
 */
#include "page.h"
#include "sync_event_fixture.h"

static struct doca_sync_event *event;
static struct doca_ctx *ctx;

static void
begin(uint64_t *addr) {
    event = create_configured(addr);
    ctx = start_as_ctx(event);
}

static void
end(void) {
    forget_events();
    stop_ctx(ctx);
    CHECK_SUCCESS(doca_sync_event_destroy(event));
}

/*
 * Configuration
 */

static void
test_configuration(void) {
    event = create_configured(NULL);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "completion_cb is NULL",
                  doca_sync_event_task_get_set_conf(event, NULL, NULL, 1));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "error_cb is NULL",
                  doca_sync_event_task_get_set_conf(
                          event, (doca_sync_event_task_get_completion_cb_t)on_success, NULL, 1));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "65537 get tasks, must be up to 65536", CONFIGURE(event, get, 65537));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "sync event is NULL", CONFIGURE(NULL, get, 1));
    ctx = start_as_ctx(event);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "task is NULL",
                  doca_sync_event_task_notify_set_alloc_init(event, 1, numbered(1), NULL));
    CHECK_REFUSED(DOCA_ERROR_NOT_PERMITTED, "Failed to configure get tasks: is a running context", CONFIGURE(event, get, 1));
    CHECK_SUCCESS(doca_ctx_stop(ctx));
    struct doca_sync_event_task_notify_set *task;
    CHECK_REFUSED(DOCA_ERROR_NO_MEMORY, "is not running as a context",
                  doca_sync_event_task_notify_set_alloc_init(event, 1, numbered(1), &task));
    CHECK_SUCCESS(doca_sync_event_destroy(event));
}

static void
test_properties(void) {
    uint64_t a;
    uint64_t b;
    begin(NULL);
    struct doca_sync_event_task_get *get = (struct doca_sync_event_task_get *)make_get(event, &a, 1);
    struct doca_sync_event_task_notify_set *set = (struct doca_sync_event_task_notify_set *)make_set(event, 3, 2);
    struct doca_sync_event_task_notify_add *add =
            (struct doca_sync_event_task_notify_add *)make_add(event, 4, &a, 3);
    struct doca_sync_event_task_wait_eq *eq = (struct doca_sync_event_task_wait_eq *)make_wait_eq(event, 5, ALL, 4);
    struct doca_sync_event_task_wait_neq *neq =
            (struct doca_sync_event_task_wait_neq *)make_wait_neq(event, 6, 0xff, 5);
    CHECK_FIELD(doca_sync_event_task_get, ret_val_ptr, get, &a, &b);
    CHECK_FIELD(doca_sync_event_task_notify_set, set_val, set, 3, 13);
    CHECK_FIELD(doca_sync_event_task_notify_add, inc_val, add, 4, 14);
    CHECK_FIELD(doca_sync_event_task_notify_add, fetched_val_ptr, add, &a, &b);
    CHECK_FIELD(doca_sync_event_task_wait_eq, wait_val, eq, 5, 15);
    CHECK_FIELD(doca_sync_event_task_wait_eq, mask, eq, ALL, 0xffff);
    CHECK_FIELD(doca_sync_event_task_wait_neq, wait_val, neq, 6, 16);
    CHECK_FIELD(doca_sync_event_task_wait_neq, mask, neq, 0xff, 0);
    CHECK_EQUAL(0, doca_sync_event_task_notify_set_get_set_val(NULL));
    CHECK_POINTER(NULL, doca_sync_event_task_get_as_doca_task(NULL));
    check_logged("is no task");
    doca_task_free(doca_sync_event_task_get_as_doca_task(get));
    doca_task_free(doca_sync_event_task_notify_set_as_doca_task(set));
    doca_task_free(doca_sync_event_task_notify_add_as_doca_task(add));
    doca_task_free(doca_sync_event_task_wait_eq_as_doca_task(eq));
    doca_task_free(doca_sync_event_task_wait_neq_as_doca_task(neq));
    end();
}

/*
 * Tasks
 */

/* Waits do not block the tasks after them. */
static void
test_waits(void) {
    uint64_t word = 0;
    begin(&word);
    REQUIRE_SUCCESS(doca_task_submit(make_wait_eq(event, 7, ALL, 1)));
    REQUIRE_SUCCESS(doca_task_submit(make_wait_eq(event, 5, 0xff, 2)));
    REQUIRE_SUCCESS(doca_task_submit(make_wait_neq(event, 0, ALL, 3)));
    for (int i = 0; i < 100; i++) {
        CHECK_EQUAL(0, doca_pe_progress(pe));
    }
    /* The program writes the memory directly. */
    __atomic_store_n(&word, 0x105, __ATOMIC_SEQ_CST);
    progress_until(2);
    check_end(0, 2, DOCA_SUCCESS);
    check_end(1, 3, DOCA_SUCCESS);
    CHECK_EQUAL(0, doca_pe_progress(pe));
    REQUIRE_SUCCESS(doca_task_submit(make_set(event, 7, 4)));
    progress_until(4);
    check_end(2, 4, DOCA_SUCCESS);
    check_end(3, 1, DOCA_SUCCESS);
    end();
}

static void
test_notification(void) {
    uint64_t word = 0;
    begin(&word);
    REQUIRE_SUCCESS(doca_task_submit(make_set(event, 1, 1)));
    sleep_until(1);
    REQUIRE_SUCCESS(doca_task_submit(make_wait_eq(event, 2, ALL, 2)));
    CHECK_SUCCESS(doca_pe_request_notification(pe));
    __atomic_store_n(&word, 2, __ATOMIC_SEQ_CST);
    sleep_until(2);
    check_end(1, 2, DOCA_SUCCESS);
    end();
}

static void
test_refused_tasks(void) {
    uint64_t value = 0;
    struct doca_task *task;
    begin(NULL);
    task = make_get(event, NULL, 1);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "is no place for the value of a get task", doca_task_submit(task));
    doca_task_free(task);
    task = make_add(event, 1, (uint64_t *)(uintptr_t)12, 1);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "is no place for the value of a notify_add task", doca_task_submit(task));
    doca_task_free(task);
    task = make_wait_eq(event, 1, 0xfff, 1);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "mask 0xfff of a wait_eq task, must be of 0, 1, 2, 4 or 8 whole bytes",
                  doca_task_submit(task));
    doca_sync_event_task_wait_eq_set_mask((struct doca_sync_event_task_wait_eq *)task, 0xffffff);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "mask 0xffffff", doca_task_submit(task));
    doca_sync_event_task_wait_eq_set_mask((struct doca_sync_event_task_wait_eq *)task, 0xff00);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "the condition on 0x1 never holds", doca_task_submit(task));
    doca_task_free(task);
    task = make_wait_neq(event, 0, 0, 1);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "never holds", doca_task_submit(task));
    doca_task_free(task);
    task = make_get(event, &value, 1);
    CHECK_SUCCESS(doca_task_submit(task));
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "is in flight already", doca_task_submit(task));
    progress_until(1);
    end();
}

static void
test_changes_in_flight(void) {
    uint64_t value = 5;
    begin(NULL);
    struct doca_task *base = make_get(event, &value, 1);
    struct doca_sync_event_task_get *get = (struct doca_sync_event_task_get *)base;
    REQUIRE_SUCCESS(doca_task_submit(base));
    doca_sync_event_task_get_set_ret_val_ptr(get, NULL);
    check_logged("Failed to change: is in flight");
    CHECK_POINTER(&value, doca_sync_event_task_get_get_ret_val_ptr(get));
    progress_until(1);
    CHECK_EQUAL(0, value);
    doca_sync_event_task_get_set_ret_val_ptr(get, NULL);
    CHECK_POINTER(NULL, doca_sync_event_task_get_get_ret_val_ptr(get));
    end();
}

/*
 * Faults
 */

static void
test_faults(void) {
    uint64_t value = 5;
    begin(NULL);
    const uint64_t start = now_ns();
    CHECK_SUCCESS(doca_emulator_set_faults("fail-task=2:AGAIN,fail-task=3:IO_FAILED,delay=1ms"));
    REQUIRE_SUCCESS(doca_task_submit(make_set(event, 1, 1)));
    REQUIRE_SUCCESS(doca_task_submit(make_set(event, 2, 2)));
    sleep_until(2);
    CHECK(now_ns() - start >= NS_PER_MS);
    check_logged("Failed to complete notify_set task");
    CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of_ctx(ctx));
    REQUIRE_SUCCESS(doca_task_submit(make_get(event, &value, 3)));
    REQUIRE_SUCCESS(doca_task_submit(make_wait_eq(event, 3, ALL, 4)));
    progress_until(4);
    CHECK_SUCCESS(doca_emulator_set_faults(NULL));
    check_logged("the faults that are set ask for it");
    check_end(2, 3, DOCA_ERROR_IO_FAILED);
    check_end(3, 4, DOCA_ERROR_IO_FAILED);
    CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, events[2].state);
    CHECK_EQUAL(5, value);
    end();
}

/* A task that fails by a fault without a delay is due at once, however often the program asks. */
static void
test_repeated_requests_of_due_tasks(void) {
    for (int round = 0; round < 100; round++) {
        begin(NULL);
        CHECK_SUCCESS(doca_emulator_set_faults("fail-task=1:AGAIN"));
        REQUIRE_SUCCESS(doca_task_submit(make_set(event, 1, 1)));
        CHECK_SUCCESS(doca_pe_request_notification(pe));
        CHECK_SUCCESS(doca_pe_request_notification(pe));
        CHECK_SUCCESS(doca_pe_request_notification(pe));
        sleep_until(1);
        check_end(0, 1, DOCA_ERROR_AGAIN);
        CHECK_SUCCESS(doca_emulator_set_faults(NULL));
        end();
    }
}

static void
check_freed_memory(struct doca_task *(*make)(void), size_t num_waits) {
    uint64_t *page = map_page();
    begin(page);
    for (size_t i = 0; i < num_waits; i++) {
        REQUIRE_SUCCESS(doca_task_submit(make_wait_eq(event, 1, ALL, i)));
    }
    CHECK_EQUAL(0, doca_pe_progress(pe));
    struct doca_task *task = make();
    unmap_page(page);
    REQUIRE_SUCCESS(doca_task_submit(task));
    progress_until(num_waits + 1);
    check_cause("has been freed");
    for (size_t i = 0; i < num_events; i++) {
        CHECK(!events[i].success);
        CHECK_EQUAL(i == 0 ? DOCA_CTX_STATE_RUNNING : DOCA_CTX_STATE_STOPPING, events[i].state);
    }
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, events[0].status);
    end();
    check_logged("has been freed");
}

static uint64_t untouched = 9;

static struct doca_task *
make_failing_get(void) {
    return make_get(event, &untouched, 100);
}

static struct doca_task *
make_failing_set(void) {
    return make_set(event, 1, 100);
}

static struct doca_task *
make_failing_add(void) {
    return make_add(event, 1, &untouched, 100);
}

static struct doca_task *
make_failing_wait(void) {
    return make_wait_neq(event, 0, ALL, 100);
}

/* Like a device, fails the tasks and does not crash the process. */
static void
test_freed_memory(void) {
    check_freed_memory(make_failing_get, 0);
    check_freed_memory(make_failing_set, 0);
    check_freed_memory(make_failing_add, 0);
    check_freed_memory(make_failing_wait, 0);
    check_freed_memory(make_failing_get, 3);
    check_freed_memory(make_failing_set, 3);
    check_freed_memory(make_failing_wait, 3);
    CHECK_EQUAL(9, untouched);
}

/* Tasks in flight when the context is stopped are flushed as usual. */
static void
test_stop_with_freed_memory(void) {
    uint64_t *page = map_page();
    begin(page);
    REQUIRE_SUCCESS(doca_task_submit(make_wait_eq(event, 1, ALL, 1)));
    REQUIRE_SUCCESS(doca_task_submit(make_set(event, 1, 2)));
    unmap_page(page);
    CHECK_EQUAL(2, stop_ctx(ctx));
    check_logged("has been freed");
    REQUIRE_SUCCESS(doca_sync_event_destroy(event));
}

/*
 * Forks
 */

static void
check_in_forked_child(void *task) {
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "was started by the parent of this process", doca_task_submit(task));
    for (int i = 0; i < 10; i++) {
        CHECK_EQUAL(0, doca_pe_progress(pe));
    }
    CHECK_EQUAL(0, num_events);
    doca_task_free(task);
    CHECK_EQUAL(2, stop_ctx(ctx));
    REQUIRE_SUCCESS(doca_sync_event_destroy(event));
    uint64_t value = 0;
    begin(&value);
    REQUIRE_SUCCESS(doca_task_submit(make_set(event, 4, 1)));
#if CHILDREN_CAN_START_THREADS
    REQUIRE_SUCCESS(doca_task_submit(make_wait_eq(event, 4, ALL, 2)));
    sleep_until(2);
#else
    progress_until(1);
#endif
    check_end(0, 1, DOCA_SUCCESS);
    CHECK_EQUAL(4, value);
    (void)stop_ctx(ctx);
    REQUIRE_SUCCESS(doca_sync_event_destroy(event));
}

/* The child executes no tasks of the parent, can destroy its copy, and create its own context. */
static void
test_fork(void) {
    uint64_t value = 0;
    begin(&value);
    REQUIRE_SUCCESS(doca_task_submit(make_wait_eq(event, 5, ALL, 1)));
    REQUIRE_SUCCESS(doca_task_submit(make_set(event, 5, 2)));
    struct doca_task *task = make_set(event, 6, 3);
    CHECK_SUCCESS(doca_pe_request_notification(pe));
    CHECK_SUCCESS(doca_pe_clear_notification(pe, 0));
    check_in_child(check_in_forked_child, task);
    CHECK_EQUAL(0, value);
    sleep_until(2);
    CHECK_EQUAL(5, value);
    doca_task_free(task);
    (void)stop_ctx(ctx);
    REQUIRE_SUCCESS(doca_sync_event_destroy(event));
}

int
main(void) {
    keep_errors();
    dev = open_device("mlx5_0");
    REQUIRE_SUCCESS(doca_pe_create(&pe));
    test_configuration();
    test_properties();
    test_waits();
    test_notification();
    test_refused_tasks();
    test_changes_in_flight();
    test_faults();
    test_repeated_requests_of_due_tasks();
    test_freed_memory();
    test_stop_with_freed_memory();
    test_fork();
    CHECK_SUCCESS(doca_pe_destroy(pe));
    CHECK_SUCCESS(doca_dev_close(dev));
    return check_result();
}
