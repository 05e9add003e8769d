/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that are cancelled, and handlers of records that use the libraries, in the middle of calls. */
#include <pthread.h>

#include <doca_sync_event.h>

#include "quiet_dma.h"

#define TIME_LIMIT_S 20
#define MAX_NUM_DESCRIPTORS 100

static struct side first;
static struct side second;
static char handled_record[4096];
static const char *handled_text;
static void (*on_record)(void);
static size_t num_handled;

static void
handle_record(char *record) {
    if (handled_text != NULL && strstr(record, handled_text) != NULL) {
        num_handled++;
        on_record();
    }
}

static void
check_is_cancellable(void) {
    int state;
    CHECK_EQUAL(0, pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state));
    CHECK_EQUAL(PTHREAD_CANCEL_ENABLE, state);
}

static void
begin(void) {
    struct doca_log_backend *backend;
    alarm(TIME_LIMIT_S);
    open_fixture();
    first = create_side();
    second = create_side();
    REQUIRE_SUCCESS(doca_log_backend_create_with_buf_sdk(handled_record, sizeof(handled_record), handle_record, &backend));
    REQUIRE_SUCCESS(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_ERROR));
}

static void *
start_cancelled(void *unused) {
    pthread_cancel(pthread_self());
    (void)doca_ctx_start(first.ctx);
    return unused;
}

/* A thread is not cancelled in a call. */
static void
a_cancelled_thread_leaves_no_lock(void) {
    pthread_t thread;
    begin();
    CHECK_EQUAL(0, pthread_create(&thread, NULL, start_cancelled, NULL));
    CHECK_EQUAL(0, pthread_join(thread, NULL));
    CHECK_SUCCESS(doca_ctx_start(second.ctx));
    _exit(check_result());
}

static void
start_second(void) {
    CHECK_SUCCESS(doca_emulator_set_faults(NULL));
    CHECK_SUCCESS(doca_ctx_start(second.ctx));
}

static void
fork_child(void) {
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        _exit(EXIT_SUCCESS);
    }
    CHECK_EQUAL(child, waitpid(child, &status, 0));
    CHECK_EQUAL(0, status);
}

static void
start_first(void) {
    if (doca_ctx_start(first.ctx) == DOCA_SUCCESS) {
        stop_side(&first);
    }
}

/* Makes each descriptor of a start fail in turn, until the handler has seen the record. */
static void
fail_starts(void (*start)(void)) {
    for (int number = 1; number < MAX_NUM_DESCRIPTORS && num_handled == 0; number++) {
        char faults[64];
        snprintf(faults, sizeof(faults), "fail-system=descriptor:%d", number);
        CHECK_SUCCESS(doca_emulator_set_faults(faults));
        start();
        check_is_cancellable();
    }
    CHECK_SUCCESS(doca_emulator_set_faults(NULL));
    CHECK_EQUAL(1, num_handled);
}

static void
end(void) {
    destroy_side(&first);
    destroy_side(&second);
    close_fixture();
}

static void
a_handler_starts_another_context(void) {
    begin();
    handled_text = "memfd_create";
    on_record = start_second;
    fail_starts(start_first);
    end();
}

static void
a_handler_forks(void) {
    begin();
    handled_text = "memfd_create";
    on_record = fork_child;
    fail_starts(start_first);
    end();
}

static void
start_first_again(void) {
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_ctx_start(first.ctx));
}

/* The record is about a context that is running when the handler gets it. */
static void
a_handler_starts_the_same_context(void) {
    struct doca_log_backend *backend;
    begin();
    REQUIRE_SUCCESS(doca_log_backend_create_with_buf_sdk(handled_record, sizeof(handled_record), handle_record, &backend));
    REQUIRE_SUCCESS(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_INFO));
    handled_text = "went from idle to";
    on_record = start_first_again;
    start_side(&first);
    CHECK_EQUAL(1, num_handled);
    handled_text = NULL;
    stop_side(&first);
    end();
}

/*
 * DMA contexts
 */

static void *
stop_cancelled(void *dma) {
    pthread_cancel(pthread_self());
    (void)doca_ctx_stop(doca_dma_as_ctx(dma));
    return NULL;
}

/* The last stop waits for the threads to end, where a thread can be cancelled. */
static void
a_cancelled_stop_leaves_no_lock(void) {
    pthread_t thread;
    begin();
    struct doca_dma *dma = create_dma();
    struct doca_dma *other = create_dma();
    CHECK_SUCCESS(doca_ctx_start(doca_dma_as_ctx(dma)));
    CHECK_EQUAL(0, pthread_create(&thread, NULL, stop_cancelled, dma));
    CHECK_EQUAL(0, pthread_join(thread, NULL));
    CHECK_SUCCESS(doca_ctx_start(doca_dma_as_ctx(other)));
    _exit(check_result());
}

static struct doca_dma *second_dma;

static void
start_second_dma(void) {
    CHECK_SUCCESS(doca_emulator_set_faults(NULL));
    CHECK_SUCCESS(doca_ctx_start(doca_dma_as_ctx(second_dma)));
}

static void
a_handler_starts_another_dma_context(void) {
    begin();
    struct doca_dma *dma = create_dma();
    second_dma = create_dma();
    handled_text = "Failed to start thread doca-dma";
    on_record = start_second_dma;
    CHECK_SUCCESS(doca_emulator_set_faults("fail-system=thread:1"));
    CHECK_ERROR(DOCA_ERROR_OPERATING_SYSTEM, doca_ctx_start(doca_dma_as_ctx(dma)));
    CHECK_EQUAL(1, num_handled);
    check_is_cancellable();
    CHECK_SUCCESS(doca_ctx_stop(doca_dma_as_ctx(second_dma)));
    CHECK_SUCCESS(doca_dma_destroy(second_dma));
    CHECK_SUCCESS(doca_dma_destroy(dma));
    end();
}

static struct doca_mmap *used_map;
static doca_error_t stop_result;

static void
stop_used_map(void) {
    stop_result = doca_mmap_stop(used_map);
}

/* The thread that executes the copy writes the record. Waiting for itself, it would hang. */
static void
a_handler_stops_the_map_of_a_copy(void) {
    struct doca_dma_task_memcpy *task;
    begin();
    struct doca_dma *dma = create_dma();
    CHECK_SUCCESS(doca_ctx_start(doca_dma_as_ctx(dma)));
    /* Without a device. */
    used_map = start_mmap(memory, 4096, NULL);
    struct doca_mmap *other_map = start_mmap(memory + 8192, 4096, dev);
    struct doca_buf *src = data_of(used_map, memory, 64);
    struct doca_buf *dst = space_of(other_map, memory + 8192, 64);
    REQUIRE_SUCCESS(doca_dma_task_memcpy_alloc_init(dma, src, dst, (union doca_data){0}, &task));
    handled_text = "was not added";
    on_record = stop_used_map;
    stop_result = DOCA_ERROR_UNKNOWN;
    CHECK_SUCCESS(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task), DOCA_TASK_SUBMIT_FLAG_NONE));
    /* The map could not be stopped otherwise. */
    CHECK_SUCCESS(doca_buf_dec_refcount(src, NULL));
    CHECK_SUCCESS(doca_buf_dec_refcount(dst, NULL));
    doca_ctx_flush_tasks(doca_dma_as_ctx(dma));
    while (doca_task_get_status(doca_dma_task_memcpy_as_task(task)) == DOCA_ERROR_IN_PROGRESS) {
        (void)doca_pe_progress(pe);
    }
    CHECK_EQUAL(1, num_handled);
    CHECK_SUCCESS(stop_result);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    CHECK_SUCCESS(doca_mmap_destroy(used_map));
    CHECK_SUCCESS(doca_mmap_destroy(other_map));
    while (doca_ctx_stop(doca_dma_as_ctx(dma)) == DOCA_ERROR_IN_PROGRESS) {
        (void)doca_pe_progress(pe);
    }
    CHECK_SUCCESS(doca_dma_destroy(dma));
    end();
}

/*
 * Sync events
 */

static struct doca_sync_event *first_event;
static struct doca_sync_event *second_event;

static struct doca_sync_event *
create_event(size_t offset) {
    struct doca_sync_event *event;
    REQUIRE_SUCCESS(doca_sync_event_create(&event));
    REQUIRE_SUCCESS(doca_sync_event_add_publisher_location_cpu(event, dev));
    REQUIRE_SUCCESS(doca_sync_event_add_subscriber_location_cpu(event, dev));
    REQUIRE_SUCCESS(doca_sync_event_set_addr(event, (uint64_t *)(void *)(memory + offset)));
    return event;
}

static void
start_first_event(void) {
    if (doca_sync_event_start(first_event) == DOCA_SUCCESS) {
        CHECK_SUCCESS(doca_sync_event_stop(first_event));
    }
}

static void
start_second_event(void) {
    CHECK_SUCCESS(doca_emulator_set_faults(NULL));
    CHECK_SUCCESS(doca_sync_event_start(second_event));
}

static void
a_handler_starts_another_event(void) {
    begin();
    first_event = create_event(0);
    second_event = create_event(64);
    handled_text = "memfd_create";
    on_record = start_second_event;
    fail_starts(start_first_event);
    CHECK_SUCCESS(doca_sync_event_destroy(second_event));
    CHECK_SUCCESS(doca_sync_event_destroy(first_event));
    end();
}

static void *
start_event_cancelled(void *unused) {
    pthread_cancel(pthread_self());
    start_first_event();
    return unused;
}

static void
a_cancelled_start_of_an_event_leaves_no_lock(void) {
    pthread_t thread;
    begin();
    first_event = create_event(0);
    second_event = create_event(64);
    CHECK_EQUAL(0, pthread_create(&thread, NULL, start_event_cancelled, NULL));
    CHECK_EQUAL(0, pthread_join(thread, NULL));
    CHECK_SUCCESS(doca_sync_event_start(second_event));
    _exit(check_result());
}

/*
 * The timer of delayed tasks
 */

static void
request_again(void) {
    CHECK_SUCCESS(doca_pe_request_notification(pe));
}

/* A request after the first failed one starts the timer. */
static void
a_handler_requests_a_notification(void) {
    begin();
    start_side(&first);
    start_side(&second);
    connect_sides(&first, &second);
    REQUIRE_SUCCESS(doca_pe_request_notification(pe));
    REQUIRE_SUCCESS(doca_pe_clear_notification(pe, 0));
    CHECK_SUCCESS(doca_emulator_set_faults("delay=20ms,fail-system=thread:1"));
    CHECK_SUCCESS(doca_task_submit(make_write(&first, 0, NULL, NULL, 1)));
    handled_text = "Failed to start thread doca-timer";
    on_record = request_again;
    for (int i = 0; i < 1000 && num_handled == 0; i++) {
        CHECK_SUCCESS(doca_pe_clear_notification(pe, 0));
        (void)doca_pe_progress(pe);
        CHECK_SUCCESS(doca_pe_request_notification(pe));
    }
    CHECK_EQUAL(1, num_handled);
    CHECK_SUCCESS(doca_pe_clear_notification(pe, 0));
    progress_until(1);
    end();
}

int
main(void) {
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", a_cancelled_thread_leaves_no_lock);
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", a_handler_starts_another_context);
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", a_handler_forks);
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", a_handler_starts_the_same_context);
    check_with_environment("DOCA_EMULATOR_ENGINE", "threaded", a_handler_stops_the_map_of_a_copy);
    check_with_environment("DOCA_EMULATOR_ENGINE", "threaded", a_cancelled_stop_leaves_no_lock);
    check_with_environment("DOCA_EMULATOR_ENGINE", "threaded", a_handler_starts_another_dma_context);
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", a_handler_starts_another_event);
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", a_cancelled_start_of_an_event_leaves_no_lock);
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", a_handler_requests_a_notification);
    return check_result();
}
