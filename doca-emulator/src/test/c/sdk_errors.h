/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reasons that the libraries log when they fail.
 */
#ifndef DOCA_EMULATOR_SDK_ERRORS_H_
#define DOCA_EMULATOR_SDK_ERRORS_H_

#include <doca_log.h>

#include "check.h"

static char log_record[1024];
static char last_error[1024];

/* Keeps the text of the last error that the libraries logged. */
static inline void
keep_log_record(char *record) {
    snprintf(last_error, sizeof(last_error), "%s", record);
}

/* The last error contains the text; then it is forgotten. */
static inline void
check_logged(const char *text) {
    if (strstr(last_error, text) == NULL) {
        CHECK_FAILED("expected an error with \"%s\", the last one is \"%s\"", text, last_error);
    }
    last_error[0] = '\0';
}

/* Nothing went wrong since then. */
static inline void
check_nothing_logged(void) {
    CHECK_STRING("", last_error);
}

/* From now on errors are kept. */
static inline void
keep_errors(void) {
    struct doca_log_backend *backend;
    REQUIRE_SUCCESS(
            doca_log_backend_create_with_buf_sdk(log_record, sizeof(log_record), keep_log_record, &backend));
    REQUIRE_SUCCESS(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_ERROR));
}

#endif /* DOCA_EMULATOR_SDK_ERRORS_H_ */
