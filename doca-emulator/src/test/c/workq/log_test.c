/* SPDX-License-Identifier: Apache-2.0 */
/* Log records of programs, which the back ends write, and their limits. */
#include <doca_log.h>
#include <doca_mmap.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

DOCA_LOG_REGISTER(TEST::LOG);

#define NUM_FORKS 50
/* Of a child that reads a limit. */
#define CHILD_TIME_LIMIT_S 20

static char buffer[256];
static int num_records;

static void
count_record(char *record) {
    num_records++;
    CHECK_POINTER(buffer, record);
}

/* After "[HH:MM:SS:uuuuuu]". */
static void
check_record(const char *expected) {
    CHECK_EQUAL('[', buffer[0]);
    CHECK_STRING(expected, strchr(buffer, ']') + 1);
}

static void
check_records(void) {
    struct doca_logger_backend *backend;
    REQUIRE_SUCCESS(doca_log_create_buffer_backend(buffer, sizeof(buffer), count_record, &backend));
    CHECK_SUCCESS(doca_log(DOCA_LOG_LEVEL_ERROR, log_source, 12, "number %d", 5));
    check_record("[DOCA][ERR][TEST::LOG:12]: number 5\n");
    CHECK_SUCCESS(doca_log_developer(DOCA_LOG_LEVEL_INFO, log_source, 13, "for developers"));
    check_record("[DOCA][INF][TEST::LOG:13]: for developers\n");
    DOCA_LOG_DBG("below the level");
    DOCA_DLOG_ERR("not compiled");
    CHECK_EQUAL(2, num_records);
    CHECK_EQUAL(DOCA_LOG_LEVEL_INFO, doca_log_global_level_get());
    CHECK_SUCCESS(doca_log_global_level_set(DOCA_LOG_LEVEL_DEBUG));
    DOCA_LOG_DBG("within the level");
    CHECK_EQUAL(3, num_records);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log(25, log_source, 1, "no level"));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log(DOCA_LOG_LEVEL_ERROR, 12345, 1, "no source"));
    CHECK_EQUAL(3, num_records);
}

/* Errors of the libraries are among the records of the program. */
static void
check_sdk_records(void) {
    num_records = 0;
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_create(NULL, NULL));
    CHECK_EQUAL(1, num_records);
    CHECK(strstr(buffer, "[DOCA][ERR][mmap.c:") != NULL);
}

static void
check_rate(void) {
    int bucket = -1;
    num_records = 0;
    CHECK_EQUAL(1, doca_log_get_bucket_time());
    CHECK_EQUAL(4, doca_log_get_quantity());
    doca_log_set_bucket_time(60);
    doca_log_set_quantity(2);
    CHECK_SUCCESS(doca_log_rate_bucket_register(log_source, &bucket));
    for (int i = 0; i < 10; i++) {
        CHECK_SUCCESS(doca_log_rate_limit(DOCA_LOG_LEVEL_ERROR, log_source, 1, bucket, "often"));
    }
    CHECK_EQUAL(3, num_records);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_log_rate_limit(DOCA_LOG_LEVEL_ERROR, log_source, 1, 99, "never"));
}

static bool counting_may_end;

static void *
count_until_the_end(void *unused) {
    while (!__atomic_load_n(&counting_may_end, __ATOMIC_RELAXED)) {
        (void)doca_log_get_quantity();
    }
    return unused;
}

/* A thread may hold the lock of the limits at any time. */
static void
check_limits_in_children(void) {
    pthread_t thread;
    int status = 0;
    fflush(NULL);
    CHECK_EQUAL(0, pthread_create(&thread, NULL, count_until_the_end, NULL));
    for (int i = 0; i < NUM_FORKS && status == 0; i++) {
        const pid_t child = fork();
        if (child == 0) {
            check_begin_child();
            alarm(CHILD_TIME_LIMIT_S);
            CHECK_EQUAL(2, doca_log_get_quantity());
            _exit(check_result());
        }
        CHECK_EQUAL(child, waitpid(child, &status, 0));
    }
    CHECK_EQUAL(0, status);
    __atomic_store_n(&counting_may_end, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
}

int
main(void) {
    check_records();
    check_sdk_records();
    check_rate();
    check_limits_in_children();
    return check_result();
}
