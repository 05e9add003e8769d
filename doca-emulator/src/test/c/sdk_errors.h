/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the reasons that the libraries log for failures. */
#ifndef DOCA_EMULATOR_SDK_ERRORS_H_
#define DOCA_EMULATOR_SDK_ERRORS_H_

#include <doca_log.h>

#include "check.h"

static char log_record[1024];
static char last_error[1024];
static char error_before[1024];

/* Keeps the texts of the last two errors that the libraries logged. */
static inline void
keep_log_record(char *record) {
    memcpy(error_before, last_error, sizeof(error_before));
    snprintf(last_error, sizeof(last_error), "%s", record);
}

/* The last error contains the text; then it is discarded. */
static inline void
check_logged(const char *text) {
    if (strstr(last_error, text) == NULL) {
        CHECK_FAILED("expected an error with \"%s\", the last one is \"%s\"", text, last_error);
    }
    last_error[0] = '\0';
}

/* The call is refused with the error, and logs an error that contains the reason. */
#define CHECK_REFUSED(expected, reason, call) \
    do { \
        CHECK_ERROR(expected, call); \
        check_logged(reason); \
    } while (0)

/* The last error but one, which caused the last one, contains the text; then both are discarded. */
static inline void
check_cause(const char *text) {
    if (strstr(error_before, text) == NULL) {
        CHECK_FAILED("expected an error with \"%s\" before \"%s\", there was \"%s\"", text, last_error, error_before);
    }
    error_before[0] = '\0';
    last_error[0] = '\0';
}

/* No error was logged since. */
static inline void
check_nothing_logged(void) {
    CHECK_STRING("", last_error);
}

/* Starts keeping errors. */
static inline void
keep_errors(void) {
    struct doca_log_backend *backend;
    REQUIRE_SUCCESS(
            doca_log_backend_create_with_buf_sdk(log_record, sizeof(log_record), keep_log_record, &backend));
    REQUIRE_SUCCESS(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_ERROR));
}

#endif /* DOCA_EMULATOR_SDK_ERRORS_H_ */
