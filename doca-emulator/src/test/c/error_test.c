/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_version.h>

#include "check.h"

static void
every_code_has_its_name_and_description(void) {
    static const struct {
        doca_error_t error;
        const char *name;
        const char *description;
    } expected[] = {
        {0, "DOCA_SUCCESS", "Success"},
        {1, "DOCA_ERROR_UNKNOWN", "Unknown error"},
        {2, "DOCA_ERROR_NOT_PERMITTED", "Operation not permitted"},
        {3, "DOCA_ERROR_IN_USE", "Resource already in use"},
        {4, "DOCA_ERROR_NOT_SUPPORTED", "Operation not supported"},
        {5, "DOCA_ERROR_AGAIN", "Resource temporarily unavailable, try again"},
        {6, "DOCA_ERROR_INVALID_VALUE", "Invalid input"},
        {7, "DOCA_ERROR_NO_MEMORY", "Memory allocation failure"},
        {8, "DOCA_ERROR_INITIALIZATION", "Resource initialization failure"},
        {9, "DOCA_ERROR_TIME_OUT", "Timer expired waiting for resource"},
        {10, "DOCA_ERROR_SHUTDOWN", "Shut down in process or completed"},
        {11, "DOCA_ERROR_CONNECTION_RESET", "Connection reset by peer"},
        {12, "DOCA_ERROR_CONNECTION_ABORTED", "Connection aborted"},
        {13, "DOCA_ERROR_CONNECTION_INPROGRESS", "Connection in progress"},
        {14, "DOCA_ERROR_NOT_CONNECTED", "Not Connected"},
        {15, "DOCA_ERROR_NO_LOCK", "Unable to acquire required lock"},
        {16, "DOCA_ERROR_NOT_FOUND", "Requested Resource Not Found"},
        {17, "DOCA_ERROR_IO_FAILED", "Input/Output Operation Failed"},
        {18, "DOCA_ERROR_BAD_STATE", "Bad State"},
        {19, "DOCA_ERROR_UNSUPPORTED_VERSION", "Unsupported version"},
        {20, "DOCA_ERROR_OPERATING_SYSTEM", "Operating system call failure"},
        {21, "DOCA_ERROR_DRIVER", "DOCA Driver call failure"},
        {22, "DOCA_ERROR_UNEXPECTED", "An unexpected scenario was detected"},
        {23, "DOCA_ERROR_ALREADY_EXIST", "Resource already exist"},
        {24, "DOCA_ERROR_FULL", "No more space in resource"},
        {25, "DOCA_ERROR_EMPTY", "No entry is available in resource"},
        {26, "DOCA_ERROR_IN_PROGRESS", "Operation is in progress"},
        {27, "DOCA_ERROR_TOO_BIG", "Requested operation too big to be contained"},
        {28, "DOCA_ERROR_AUTHENTICATION", "Authentication failure"},
        {29, "DOCA_ERROR_BAD_CONFIG", "Invalid configuration"},
        {30, "DOCA_ERROR_SKIPPED", "Operation skipped"},
        {31, "DOCA_ERROR_DEVICE_FATAL_ERROR", "Device fatal error"},
    };
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        CHECK_EQUAL(i, expected[i].error);
        CHECK_STRING(expected[i].name, doca_error_get_name(expected[i].error));
        CHECK_STRING(expected[i].description, doca_error_get_descr(expected[i].error));
    }
}

static void
an_unknown_code_has_a_text_too(void) {
    static const int unknown[] = {32, 1000, -1, -2147483647 - 1};
    for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
        CHECK_STRING("Unrecognized error code", doca_error_get_name((doca_error_t)unknown[i]));
        CHECK_STRING("Unrecognized error code", doca_error_get_descr((doca_error_t)unknown[i]));
    }
}

static void
the_version_is_that_of_the_headers(void) {
    CHECK_STRING(doca_version(), doca_version_runtime());
    CHECK_STRING(doca_version(), doca_version_runtime());
}

int
main(void) {
    every_code_has_its_name_and_description();
    an_unknown_code_has_a_text_too();
    the_version_is_that_of_the_headers();
    return check_result();
}
