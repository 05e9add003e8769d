/* SPDX-License-Identifier: Apache-2.0 */
/* Faults: the syntax of the text, and the effect of each fault on tasks, reports and maps. */
#include <poll.h>
#include <pthread.h>

#include "dma_fixture.h"
#include "peer.h"

#define NUM_TASKS 16
#define COPY_LEN 64

const char *doca_emulator_failed_call(void);
uint64_t doca_emulator_num_objects(void);

static struct doca_dma *dma;
static struct doca_buf *src;
static struct doca_buf *dsts[NUM_TASKS];

static void
set_faults(const char *text) {
    REQUIRE_SUCCESS(doca_emulator_set_faults(text));
}

static void
take_buffers(void) {
    src = take_source(0, COPY_LEN);
    for (size_t i = 0; i < NUM_TASKS; i++) {
        dsts[i] = take_target(4096 + i * COPY_LEN, COPY_LEN);
    }
}

static void
give_back_buffers(void) {
    give_back(src);
    for (size_t i = 0; i < NUM_TASKS; i++) {
        give_back(dsts[i]);
    }
}

/* Submits count copies, numbered from 1. */
static void
submit_copies(size_t count) {
    on_event = free_finished_task;
    for (size_t i = 0; i < count; i++) {
        CHECK_SUCCESS(doca_buf_reset_data_len(dsts[i]));
        CHECK_SUCCESS(submit_task(alloc_task(dma, i + 1, src, dsts[i])));
    }
}

/* Progresses until the context is idle after a failure. */
static void
progress_to_idle(void) {
    while (state_of(dma) != DOCA_CTX_STATE_IDLE) {
        progress_or_rest(pe);
    }
}

/*
 * The text
 */

static void
check_refused(const char *text, const char *reason) {
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_emulator_set_faults(text));
    check_logged(reason);
}

static void
mistakes_are_refused(void) {
    static const char time[] = "expected a time such as 500us, with the unit ns, us, ms or s, of 1 ns to 24 hours";
    char reason[160];
    check_refused("delay", "delay: expected FAULT=VALUE");
    check_refused("delay=1,", "Invalid input: faults: : expected FAULT=VALUE");
    check_refused("slow=1", "slow=1: there is no such fault");
    check_refused("delay=1,delay=1", "delay=1: is there twice");
    static const char *const times[] = {"delay=", "delay=0", "delay=-1", "delay= 1", "delay=1h", "delay=86401s",
                                        "delay=99999999999999999999"};
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
        snprintf(reason, sizeof(reason), "%s: %s", times[i], time);
        check_refused(times[i], reason);
    }
    check_refused("fail-task=1", "fail-task=1: expected N:ERROR, with a number of 1 or more");
    check_refused("fail-task=0:IO_FAILED", "fail-task=0:IO_FAILED: expected N:ERROR, with a number of 1 or more");
    check_refused("fail-task=1:SUCCESS", "tasks cannot fail with \"SUCCESS\", but with IO_FAILED for example");
    check_refused("fail-task=1:IN_PROGRESS", "tasks cannot fail with \"IN_PROGRESS\"");
    check_refused("fail-task=1:DOCA_ERROR_DRIVER", "tasks cannot fail with \"DOCA_ERROR_DRIVER\"");
    check_refused("fail-task=2:DRIVER,fail-task=2:AGAIN", "fail-task=2:AGAIN: task 2 fails already");
    check_refused("reorder=1", "reorder=1: expected WINDOW or WINDOW:SEED, with a window of 2 to 4096");
    check_refused("reorder=4097", "reorder=4097: expected WINDOW");
    check_refused("reorder=2:", "reorder=2:: expected WINDOW");
    check_refused("reorder=2:1x", "reorder=2:1x: expected WINDOW");
    check_refused("kill-exporter=0", "kill-exporter=0: expected a number of 1 or more");
    static const char *const calls[] = {"fail-call=1:FULL", "fail-call=malloc:1:FULL", "fail-call=anyone:1:FULL",
                                        "fail-call=any:0:FULL", "fail-call=doca_pe_create:1", "fail-call=doca_pe_create"};
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        snprintf(reason, sizeof(reason), "%s: expected FUNCTION:N:ERROR, with a function of DOCA or any, and", calls[i]);
        check_refused(calls[i], reason);
    }
    check_refused("fail-call=any:1:SUCCESS", "calls cannot fail with \"SUCCESS\", but with NO_MEMORY for example");
    static const char *const resources[] = {"fail-system=", "fail-system=disk:1", "fail-system=memory",
                                            "fail-system=any:0", "fail-system=thread:1:2"};
    for (size_t i = 0; i < sizeof(resources) / sizeof(resources[0]); i++) {
        snprintf(reason, sizeof(reason), "%s: expected RESOURCE:N, with memory, descriptor, thread or any, and", resources[i]);
        check_refused(resources[i], reason);
    }
    check_refused("kill-exporter=1x", "kill-exporter=1x: expected a number of 1 or more");
    check_refused("registrations=x", "registrations=x: expected a number of 0 to 4294967295");
    check_refused("registrations=4294967296", "expected a number of 0 to 4294967295");
}

static void
the_number_of_failures_has_a_limit(void) {
    char text[65 * 32] = "fail-task=1:UNKNOWN";
    for (int i = 2; i <= 64; i++) {
        snprintf(text + strlen(text), sizeof(text) - strlen(text), ",fail-task=%d:SKIPPED", i);
    }
    set_faults(text);
    snprintf(text + strlen(text), sizeof(text) - strlen(text), ",fail-task=65:SKIPPED");
    check_refused(text, "fail-task=65:SKIPPED: more than 64 tasks");
    set_faults(NULL);
}

static void
a_mistake_changes_nothing(void) {
    dma = start_dma(NUM_TASKS, 0);
    set_faults("fail-task=2:IO_FAILED");
    submit_copies(1);
    progress_all();
    check_refused("fail-task=1:IO_FAILED,delay=x", "delay=x: ");
    forget_events();
    submit_copies(1);
    progress_to_idle();
    check_task_event(0, EVENT_FAILED, 1, DOCA_ERROR_IO_FAILED);
    set_faults("");
    end_dma(dma);
    last_error[0] = '\0';
}

static void
with_a_mistake_in_the_environment(void) {
    struct doca_log_backend *backend;
    struct doca_devinfo **list;
    uint32_t num_devices;
    REQUIRE_SUCCESS(
            doca_log_backend_create_with_buf_sdk(log_record, sizeof(log_record), keep_log_record, &backend));
    for (int i = 0; i < 2; i++) {
        CHECK_REFUSED(DOCA_ERROR_BAD_CONFIG, "DOCA_EMULATOR_FAULTS: delay=soon: expected a time",
                      doca_devinfo_create_list(&list, &num_devices));
    }
}

static void
with_a_failure_in_the_environment(void) {
    set_up();
    take_buffers();
    dma = start_dma(NUM_TASKS, 0);
    submit_copies(2);
    progress_to_idle();
    check_task_event(0, EVENT_COMPLETED, 1, DOCA_SUCCESS);
    check_task_event(1, EVENT_FAILED, 2, DOCA_ERROR_DRIVER);
    end_dma(dma);
    give_back_buffers();
    tear_down();
}

/* The environment is read once, before it is replaced. */
static void
with_an_environment_that_is_replaced(void) {
    set_faults(NULL);
    set_up();
    take_buffers();
    dma = start_dma(NUM_TASKS, 0);
    submit_copies(NUM_TASKS);
    progress_all();
    CHECK_EQUAL(NUM_TASKS, count_events(EVENT_COMPLETED));
    end_dma(dma);
    give_back_buffers();
    tear_down();
}

/*
 * Failures
 */

static void
the_nth_task_fails_and_the_context_with_it(void) {
    dma = start_dma(NUM_TASKS, 0);
    CHECK_SUCCESS(doca_dma_set_ordered_completions(dma, 1));
    set_faults("fail-task=3:TIME_OUT,fail-task=7:DRIVER");
    memset(memory + 4096, 0, NUM_TASKS * COPY_LEN);
    submit_copies(5);
    progress_to_idle();
    CHECK_EQUAL(7, num_events);
    check_task_event(0, EVENT_COMPLETED, 1, DOCA_SUCCESS);
    check_task_event(1, EVENT_COMPLETED, 2, DOCA_SUCCESS);
    check_task_event(2, EVENT_FAILED, 3, DOCA_ERROR_TIME_OUT);
    check_state_event(3, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
    /* Workers may still execute one of the tasks that fail with it when the other is abandoned. */
    const uint64_t next = events[4].task_id == 5 ? 5 : 4;
    check_task_event(4, EVENT_FAILED, next, DOCA_ERROR_IO_FAILED);
    check_task_event(5, EVENT_FAILED, 9 - next, DOCA_ERROR_IO_FAILED);
    check_state_event(6, DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE);
    check_logged("the faults that are set ask for it");
    /* The failed task has copied nothing. */
    CHECK_EQUAL(0, data_len_of(dsts[2]));
    CHECK_EQUAL(0, memory[4096 + 2 * COPY_LEN + 1]);

    /* The count continues in the next run. */
    CHECK_SUCCESS(doca_ctx_start(doca_dma_as_ctx(dma)));
    forget_events();
    submit_copies(3);
    progress_to_idle();
    check_task_event(0, EVENT_COMPLETED, 1, DOCA_SUCCESS);
    check_task_event(1, EVENT_FAILED, 2, DOCA_ERROR_DRIVER);
    check_task_event(3, EVENT_FAILED, 3, DOCA_ERROR_IO_FAILED);

    CHECK_SUCCESS(doca_ctx_start(doca_dma_as_ctx(dma)));
    forget_events();
    submit_copies(NUM_TASKS);
    progress_all();
    CHECK_EQUAL(NUM_TASKS, count_events(EVENT_COMPLETED));
    set_faults(NULL);
    end_dma(dma);
    last_error[0] = '\0';
}

static void
only_tasks_that_were_taken_count(void) {
    struct doca_buf *wide = take_source(0, 2 * COPY_LEN);
    dma = start_dma(NUM_TASKS, 0);
    set_faults("fail-task=1:IO_FAILED");
    struct doca_dma_task_memcpy *task = alloc_task(dma, 9, wide, dsts[0]);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "the destination has too little room after its data",
                  doca_task_try_submit(doca_dma_task_memcpy_as_task(task)));
    free_task(task);
    submit_copies(1);
    progress_to_idle();
    check_task_event(0, EVENT_FAILED, 1, DOCA_ERROR_IO_FAILED);
    set_faults(NULL);
    end_dma(dma);
    give_back(wide);
    last_error[0] = '\0';
}

static void
transient_errors_fail_one_task_only(void) {
    dma = start_dma(NUM_TASKS, 0);
    CHECK_SUCCESS(doca_dma_set_ordered_completions(dma, 1));
    set_faults("fail-task=1:AGAIN,fail-task=3:FULL,fail-task=4:NO_MEMORY");
    submit_copies(5);
    progress_all();
    CHECK_EQUAL(5, num_events);
    check_task_event(0, EVENT_FAILED, 1, DOCA_ERROR_AGAIN);
    check_task_event(1, EVENT_COMPLETED, 2, DOCA_SUCCESS);
    check_task_event(2, EVENT_FAILED, 3, DOCA_ERROR_FULL);
    check_task_event(3, EVENT_FAILED, 4, DOCA_ERROR_NO_MEMORY);
    check_task_event(4, EVENT_COMPLETED, 5, DOCA_SUCCESS);
    check_logged("the faults that are set ask for it");
    CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of(dma));
    set_faults(NULL);
    end_dma(dma);
}

/*
 * Delays
 */

static void
reports_are_delayed(void) {
    dma = start_dma(NUM_TASKS, 0);
    set_faults("delay=20ms");
    const uint64_t begin = now_ns();
    submit_copies(NUM_TASKS);
    progress_to_event(1);
    CHECK(now_ns() - begin >= 20 * NS_PER_MS);
    progress_to_event(NUM_TASKS);
    CHECK_EQUAL(NUM_TASKS, count_events(EVENT_COMPLETED));
    CHECK_EQUAL(COPY_LEN, data_len_of(dsts[NUM_TASKS - 1]));
    CHECK(memcmp(memory + 4096 + (NUM_TASKS - 1) * COPY_LEN, memory, COPY_LEN) == 0);
    set_faults(NULL);
    end_dma(dma);
}

/* Progresses and sleeps in turn until count events were recorded. Returns the number of wake-ups. */
static int
wait_for_events(size_t wanted) {
    int num_wakes = 0;
    for (;;) {
        while (doca_pe_progress(pe) != 0) {
        }
        if (num_events >= wanted) {
            return num_wakes;
        }
        CHECK_SUCCESS(doca_pe_request_notification(pe));
        if (!is_notified(pe, WAKE_TIME_MS)) {
            CHECK_FAILED("%zu of %zu events, and no notification", num_events, wanted);
            exit(EXIT_FAILURE);
        }
        CHECK_SUCCESS(doca_pe_clear_notification(pe, 0));
        num_wakes++;
    }
}

static void
a_waiting_program_is_woken_in_time(void) {
    dma = start_dma(NUM_TASKS, 0);
    set_faults("delay=10000us");
    for (int round = 0; round < 5; round++) {
        const uint64_t begin = now_ns();
        forget_events();
        submit_copies(4);
        /* At most one wake-up for each task that a worker completes, and one for each report. */
        CHECK(wait_for_events(4) <= 8);
        CHECK(now_ns() - begin >= 10 * NS_PER_MS);
        CHECK_EQUAL(4, count_events(EVENT_COMPLETED));
    }
    set_faults(NULL);
    end_dma(dma);
}

/* A program that arms while other faults are being set is always woken. */
static void *
clear_faults(void *unused) {
    set_faults(NULL);
    return unused;
}

static void
replaced_delays_end_at_once(void) {
    dma = start_dma(NUM_TASKS, 0);
    for (int round = 0; round < 50; round++) {
        pthread_t thread;
        forget_events();
        set_faults("delay=86400s");
        submit_copies(2);
        CHECK_EQUAL(0, doca_pe_progress(pe));
        if (pthread_create(&thread, NULL, clear_faults, NULL) != 0) {
            CHECK_FAILED("no thread");
            return;
        }
        (void)wait_for_events(2);
        CHECK_EQUAL(2, count_events(EVENT_COMPLETED));
        pthread_join(thread, NULL);
    }

    forget_events();
    set_faults("delay=86400s");
    submit_copies(2);
    CHECK_EQUAL(0, doca_pe_progress(pe));
    set_faults("delay=1us");
    progress_to_event(2);
    set_faults(NULL);
    end_dma(dma);
}

static void
a_stop_does_not_wait(void) {
    dma = start_dma(NUM_TASKS, 0);
    set_faults("delay=86400s,reorder=4");
    submit_copies(6);
    CHECK_EQUAL(0, doca_pe_progress(pe));
    CHECK_SUCCESS(doca_pe_request_notification(pe));
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(doca_dma_as_ctx(dma)));
    CHECK(is_notified(pe, WAKE_TIME_MS));
    CHECK_SUCCESS(doca_pe_clear_notification(pe, 0));
    progress_to_idle();
    CHECK_EQUAL(6, count_events(EVENT_COMPLETED) + count_events(EVENT_FAILED));

    CHECK_SUCCESS(doca_ctx_start(doca_dma_as_ctx(dma)));
    set_faults(NULL);
    forget_events();
    submit_copies(6);
    progress_to_event(6);
    CHECK_EQUAL(6, count_events(EVENT_COMPLETED));
    end_dma(dma);
}

/* An engine may be destroyed while it is scheduled in the timer. */
static void
an_engine_may_go_before_its_time(void) {
    struct doca_pe *outer = pe;
    REQUIRE_SUCCESS(doca_pe_create(&pe));
    dma = start_dma(NUM_TASKS, 0);
    set_faults("delay=86400s");
    submit_copies(1);
    CHECK_EQUAL(0, doca_pe_progress(pe));
    CHECK_SUCCESS(doca_pe_request_notification(pe));
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(doca_dma_as_ctx(dma)));
    CHECK(is_notified(pe, WAKE_TIME_MS));
    CHECK_SUCCESS(doca_pe_clear_notification(pe, 0));
    progress_to_idle();
    end_dma(dma);
    CHECK_SUCCESS(doca_pe_destroy(pe));
    pe = outer;
    dma = start_dma(NUM_TASKS, 0);
    set_faults("delay=5ms");
    submit_copies(1);
    (void)wait_for_events(1);
    set_faults(NULL);
    end_dma(dma);
}

/*
 * Order
 */

static void
complete_reordered(const char *faults, uint64_t order[NUM_TASKS]) {
    forget_events();
    set_faults(faults);
    submit_copies(NUM_TASKS);
    progress_to_event(NUM_TASKS);
    for (size_t i = 0; i < NUM_TASKS; i++) {
        CHECK_EQUAL(EVENT_COMPLETED, events[i].kind);
        order[i] = events[i].task_id;
    }
}

/* Checks that a window has all of its numbers, in another order than submitted. */
static void
check_window(const uint64_t *order, uint64_t first, size_t len) {
    uint64_t seen = 0;
    bool ordered = true;
    for (size_t i = 0; i < len; i++) {
        CHECK(order[i] >= first && order[i] < first + len);
        seen |= UINT64_C(1) << (order[i] - first);
        ordered = ordered && order[i] == first + i;
    }
    CHECK_EQUAL((UINT64_C(1) << len) - 1, seen);
    CHECK(!ordered);
}

/* With threads, tasks enter the window in any order. */
static void
windows_are_reordered_by_the_seed(void) {
    uint64_t first[NUM_TASKS];
    uint64_t again[NUM_TASKS];
    dma = start_dma(NUM_TASKS, 0);
    complete_reordered("reorder=6:42", first);
    complete_reordered("reorder=6:42", again);
    if (!is_threaded()) {
        check_window(first, 1, 6);
        check_window(first + 6, 7, 6);
        /* Too few for a window, but no more tasks can follow. */
        check_window(first + 12, 13, 4);
        CHECK(memcmp(first, again, sizeof(first)) == 0);
        complete_reordered("reorder=6:43", again);
        CHECK(memcmp(first, again, sizeof(first)) != 0);
        complete_reordered("reorder=6", first);
        complete_reordered("reorder=6:0", again);
        CHECK(memcmp(first, again, sizeof(first)) == 0);
    }
    complete_reordered("reorder=16", first);
    check_window(first, 1, NUM_TASKS);

    /* A single task does not wait for others. */
    for (int round = 0; round < 10; round++) {
        forget_events();
        submit_copies(1);
        progress_to_event(1);
    }
    /* The window does not wait for unflushed tasks. */
    forget_events();
    submit_copies(1);
    struct doca_dma_task_memcpy *held = alloc_task(dma, 9, src, dsts[1]);
    CHECK_SUCCESS(doca_buf_reset_data_len(dsts[1]));
    CHECK_SUCCESS(doca_task_submit_ex(doca_dma_task_memcpy_as_task(held), DOCA_TASK_SUBMIT_FLAG_NONE));
    progress_to_event(1);
    doca_ctx_flush_tasks(doca_dma_as_ctx(dma));
    progress_to_event(2);
    set_faults(NULL);
    end_dma(dma);
}

static void
ordered_completions_stay_ordered(void) {
    uint64_t order[NUM_TASKS];
    dma = create_dma(NUM_TASKS, 0);
    CHECK_SUCCESS(doca_dma_set_ordered_completions(dma, 1));
    CHECK_SUCCESS(doca_ctx_start(doca_dma_as_ctx(dma)));
    static const char *const faults[] = {"reorder=16:5", "reorder=3,delay=1ms", NULL};
    for (size_t f = 0; f < 3; f++) {
        complete_reordered(faults[f], order);
        for (size_t i = 0; i < NUM_TASKS; i++) {
            CHECK_EQUAL(i + 1, order[i]);
        }
    }
    end_dma(dma);
}

static void
faults_go_together(void) {
    dma = start_dma(NUM_TASKS, 0);
    set_faults("reorder=8:1,delay=2ms,fail-task=5:AGAIN");
    submit_copies(NUM_TASKS);
    (void)wait_for_events(NUM_TASKS);
    CHECK_EQUAL(NUM_TASKS - 1, count_events(EVENT_COMPLETED));
    CHECK_EQUAL(1, count_events(EVENT_FAILED));
    set_faults(NULL);
    end_dma(dma);
    last_error[0] = '\0';
}

/* A program gets every report even if its faults are replaced all the time. */
static void *
replace_faults(void *end) {
    static const char *const texts[] = {"delay=86400s", "reorder=4:1", "delay=1us,reorder=16", NULL};
    for (unsigned int i = 0; !__atomic_load_n((bool *)end, __ATOMIC_ACQUIRE); i++) {
        set_faults(texts[i % 4]);
    }
    set_faults(NULL);
    return NULL;
}

static void
faults_may_be_replaced_at_any_time(void) {
    bool end = false;
    pthread_t thread;
    dma = start_dma(NUM_TASKS, 0);
    if (pthread_create(&thread, NULL, replace_faults, &end) != 0) {
        CHECK_FAILED("no thread");
        return;
    }
    for (int round = 0; round < 300; round++) {
        forget_events();
        submit_copies(NUM_TASKS);
        (void)wait_for_events(NUM_TASKS);
        CHECK_EQUAL(NUM_TASKS, count_events(EVENT_COMPLETED));
    }
    __atomic_store_n(&end, true, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    end_dma(dma);
}

/*
 * Registrations
 */

static void
registrations_run_out(void) {
    struct doca_mmap *maps[3];
    for (size_t i = 0; i < 3; i++) {
        REQUIRE_SUCCESS(doca_mmap_create(&maps[i]));
        REQUIRE_SUCCESS(doca_mmap_add_dev(maps[i], dev));
        REQUIRE_SUCCESS(doca_mmap_set_memrange(maps[i], memory + i * 64, 64));
    }
    set_faults("registrations=2");
    CHECK_SUCCESS(doca_mmap_start(maps[0]));
    CHECK_SUCCESS(doca_mmap_start(maps[1]));
    for (int i = 0; i < 2; i++) {
        CHECK_REFUSED(DOCA_ERROR_NO_MEMORY, "Failed to start: faults leave no registration", doca_mmap_start(maps[2]));
    }
    /* A started map is registered already. */
    CHECK_SUCCESS(doca_mmap_start(maps[0]));
    /* Stopping or destroying a map returns its registration. */
    CHECK_SUCCESS(doca_mmap_stop(maps[0]));
    CHECK_SUCCESS(doca_mmap_start(maps[2]));
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, doca_mmap_start(maps[0]));
    CHECK_SUCCESS(doca_mmap_destroy(maps[2]));
    CHECK_SUCCESS(doca_mmap_start(maps[0]));
    /* A stopped map has no registration to return. */
    CHECK_SUCCESS(doca_mmap_stop(maps[0]));
    CHECK_SUCCESS(doca_mmap_destroy(maps[0]));
    REQUIRE_SUCCESS(doca_mmap_create(&maps[0]));
    REQUIRE_SUCCESS(doca_mmap_set_memrange(maps[0], memory, 64));
    CHECK_SUCCESS(doca_mmap_start(maps[0]));
    set_faults("registrations=0");
    CHECK_SUCCESS(doca_mmap_stop(maps[0]));
    CHECK_SUCCESS(doca_mmap_start(maps[0]));
    CHECK_SUCCESS(doca_mmap_destroy(maps[1]));
    set_faults("delay=1s");
    maps[1] = start_mmap(memory, 64, dev);
    set_faults(NULL);
    CHECK_SUCCESS(doca_mmap_destroy(maps[0]));
    CHECK_SUCCESS(doca_mmap_destroy(maps[1]));
    last_error[0] = '\0';
}

/*
 * Calls
 */

static void
the_nth_call_fails(void) {
    struct doca_mmap *mmap = NULL;
    const uint64_t num_objects = doca_emulator_num_objects();
    set_faults("fail-call=doca_mmap_create:2:DRIVER");
    CHECK_SUCCESS(doca_mmap_create(&mmap));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_EQUAL(num_objects, doca_emulator_num_objects());
    CHECK_POINTER(NULL, doca_emulator_failed_call());
    mmap = NULL;
    CHECK_REFUSED(DOCA_ERROR_DRIVER, "The faults that are set let doca_mmap_create() fail", doca_mmap_create(&mmap));
    CHECK_POINTER(NULL, mmap);
    CHECK_STRING("doca_mmap_create", doca_emulator_failed_call());
    CHECK_SUCCESS(doca_mmap_create(&mmap));
    CHECK_EQUAL(num_objects + 1, doca_emulator_num_objects());
    set_faults("delay=1s");
    CHECK_POINTER(NULL, doca_emulator_failed_call());

    /* Calls of all functions are counted together, also those of other libraries, but not calls inside the libraries. */
    set_faults("fail-call=any:4:IN_USE");
    CHECK_SUCCESS(doca_mmap_set_memrange(mmap, memory, 64));
    CHECK_SUCCESS(doca_dma_cap_task_memcpy_is_supported(doca_dev_as_devinfo(dev)));
    CHECK_SUCCESS(doca_mmap_start(mmap));
    CHECK_REFUSED(DOCA_ERROR_IN_USE, "let doca_mmap_stop() fail", doca_mmap_stop(mmap));
    CHECK_SUCCESS(doca_mmap_stop(mmap));
    set_faults(NULL);
    CHECK_SUCCESS(doca_mmap_stop(mmap));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    last_error[0] = '\0';
}

static void
with_a_failing_call_in_the_environment(void) {
    struct doca_pe *engine = NULL;
    CHECK_ERROR(DOCA_ERROR_FULL, doca_pe_create(&engine));
    CHECK_POINTER(NULL, engine);
    CHECK_SUCCESS(doca_pe_create(&engine));
    CHECK_SUCCESS(doca_pe_destroy(engine));
}

static void
the_nth_request_for_a_resource_fails(void) {
    struct doca_pe *engine = NULL;
    const uint64_t num_objects = doca_emulator_num_objects();
    int number = 0;
    do {
        char text[64];
        snprintf(text, sizeof(text), "fail-system=any:%d", ++number);
        set_faults(text);
        const doca_error_t created = doca_pe_create(&engine);
        if (doca_emulator_failed_call() == NULL) {
            CHECK_SUCCESS(created);
            CHECK_SUCCESS(doca_pe_destroy(engine));
        } else {
            CHECK(created == DOCA_ERROR_NO_MEMORY || created == DOCA_ERROR_OPERATING_SYSTEM);
        }
        CHECK_EQUAL(num_objects, doca_emulator_num_objects());
    } while (doca_emulator_failed_call() != NULL);
    CHECK(number > 2);

    set_faults("fail-system=memory:1000000");
    REQUIRE_SUCCESS(doca_pe_create(&engine));
    CHECK_SUCCESS(doca_pe_destroy(engine));
    set_faults("fail-system=descriptor:1");
    CHECK_ERROR(DOCA_ERROR_OPERATING_SYSTEM, doca_pe_create(&engine));
    CHECK(doca_emulator_failed_call() != NULL);
    set_faults(NULL);
    last_error[0] = '\0';
}

/*
 * Other processes
 */

static struct doca_mmap *
import_of(const struct host_reply *exported) {
    struct doca_mmap *imported;
    REQUIRE_SUCCESS(doca_mmap_create_from_export(NULL, exported->descriptor, exported->descriptor_size, dev,
                                                 &imported));
    return imported;
}

static void
imports_are_registrations(void) {
    struct host_reply exported;
    struct peer host = start_host(4096, DOCA_ACCESS_FLAG_PCI_READ_ONLY, &exported);
    struct doca_mmap *imported;
    struct doca_mmap *refused = NULL;
    set_faults("registrations=1");
    imported = import_of(&exported);
    CHECK_REFUSED(DOCA_ERROR_NO_MEMORY, "Failed to import an mmap: faults leave no registration",
                  doca_mmap_create_from_export(NULL, exported.descriptor, exported.descriptor_size, dev, &refused));
    CHECK_POINTER(NULL, refused);
    CHECK_SUCCESS(doca_mmap_destroy(imported));
    imported = import_of(&exported);
    set_faults(NULL);
    CHECK_SUCCESS(doca_mmap_destroy(imported));
    CHECK_SUCCESS(request_host(&host, HOST_DESTROY).result);
    end_peer(&host);
}

/* An offset that the other copies do not write. */
#define AWAY 8192

/* Copies from the host's memory; the second copy on such memory kills the host half-way. */
static void
the_exporter_is_killed_in_the_middle(size_t len) {
    struct host_reply exported;
    struct peer host = start_host(65536, DOCA_ACCESS_FLAG_PCI_READ_ONLY, &exported);
    struct doca_mmap *imported = import_of(&exported);
    struct doca_buf *dst = take_target(AWAY, len);
    struct doca_buf *remote = data_of(imported, (void *)(uintptr_t)exported.addr, len);
    dma = start_dma(NUM_TASKS, 0);
    set_faults("kill-exporter=2");
    submit_copies(3);
    CHECK_SUCCESS(submit_task(alloc_task(dma, 9, remote, dst)));
    progress_to_event(4);
    CHECK_EQUAL(4, count_events(EVENT_COMPLETED));
    CHECK_EQUAL(0, waitpid(host.pid, NULL, WNOHANG));

    forget_events();
    submit_copies(3);
    progress_to_event(3);
    forget_events();
    on_event = free_finished_task;
    memset(memory + AWAY, 0xee, len);
    CHECK_SUCCESS(doca_buf_reset_data_len(dst));
    CHECK_SUCCESS(submit_task(alloc_task(dma, 10, remote, dst)));
    progress_to_idle();
    check_task_event(0, EVENT_FAILED, 10, DOCA_ERROR_IO_FAILED);
    check_logged("the memory cannot be reached");
    CHECK_EQUAL(0, data_len_of(dst));
    for (size_t i = 0; i < len; i++) {
        CHECK_EQUAL(i < len / 2 ? pattern_at(i) : 0xee, memory[AWAY + i]);
    }
    CHECK_EQUAL(SIGKILL, join_peer(&host));

    set_faults(NULL);
    end_dma(dma);
    GIVE_BACK(remote, dst);
    CHECK_SUCCESS(doca_mmap_destroy(imported));
    fill_memory();
}

static void
run(void) {
    set_up();
    mistakes_are_refused();
    the_number_of_failures_has_a_limit();
    take_buffers();
    a_mistake_changes_nothing();
    the_nth_task_fails_and_the_context_with_it();
    only_tasks_that_were_taken_count();
    transient_errors_fail_one_task_only();
    reports_are_delayed();
    a_waiting_program_is_woken_in_time();
    replaced_delays_end_at_once();
    a_stop_does_not_wait();
    an_engine_may_go_before_its_time();
    windows_are_reordered_by_the_seed();
    ordered_completions_stay_ordered();
    faults_go_together();
    faults_may_be_replaced_at_any_time();
    registrations_run_out();
    the_nth_call_fails();
    the_nth_request_for_a_resource_fails();
    imports_are_registrations();
    the_exporter_is_killed_in_the_middle(1);
    the_exporter_is_killed_in_the_middle(8191);
    check_nothing_logged();
    give_back_buffers();
    tear_down();
}

int
main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "host") == 0) {
        return run_host();
    }
    check_with_environment("DOCA_EMULATOR_FAULTS", "delay=soon", with_a_mistake_in_the_environment);
    check_with_environment("DOCA_EMULATOR_FAULTS", "fail-task=2:DRIVER", with_a_failure_in_the_environment);
    check_with_environment(
            "DOCA_EMULATOR_FAULTS", "fail-task=2:DRIVER", with_an_environment_that_is_replaced);
    check_with_environment("DOCA_EMULATOR_FAULTS", "fail-call=doca_pe_create:1:FULL",
                           with_a_failing_call_in_the_environment);
    check_with_engines(run);
    return check_result();
}
