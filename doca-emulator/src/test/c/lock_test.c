/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that are cancelled, and handlers of records that use the libraries, inside of functions that take locks. */
#include <pthread.h>

#include "rdma_fixture.h"

#define TIME_LIMIT_S 30
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

/* The cancelled thread leaves its context unusable, but no lock. */
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

/* Makes each descriptor of a start fail in turn, until the handler has seen the record. */
static void
fail_starts(void) {
    for (int number = 1; number < MAX_NUM_DESCRIPTORS && num_handled == 0; number++) {
        char faults[64];
        snprintf(faults, sizeof(faults), "fail-system=descriptor:%d", number);
        CHECK_SUCCESS(doca_emulator_set_faults(faults));
        if (doca_ctx_start(first.ctx) == DOCA_SUCCESS) {
            stop_side(&first);
        }
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
    fail_starts();
    end();
}

static void
a_handler_forks(void) {
    begin();
    handled_text = "memfd_create";
    on_record = fork_child;
    fail_starts();
    end();
}

int
main(void) {
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", a_cancelled_thread_leaves_no_lock);
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", a_handler_starts_another_context);
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", a_handler_forks);
    return check_result();
}
