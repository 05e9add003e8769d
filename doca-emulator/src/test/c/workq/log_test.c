/* SPDX-License-Identifier: Apache-2.0 */
/* Log records of programs, which the back ends write, and their limits. */
#include <doca_log.h>
#include <doca_mmap.h>
#include <stdbool.h>

#include "../forks.h"

DOCA_LOG_REGISTER(TEST::LOG);

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

/* Takes the lock of the limits. */
static void
read_limit(void) {
    CHECK_EQUAL(2, doca_log_get_quantity());
}

int
main(void) {
    check_records();
    check_sdk_records();
    check_rate();
    check_children_can(read_limit);
    return check_result();
}
