/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <doca_error.h>

#include "sdk_log.h"

#define UNRECOGNIZED "Unrecognized error code"

struct error_text {
    const char *name;
    const char *description;
};

static const struct error_text error_texts[] = {
    [DOCA_SUCCESS] = {"DOCA_SUCCESS", "Success"},
    [DOCA_ERROR_UNKNOWN] = {"DOCA_ERROR_UNKNOWN", "Unknown error"},
    [DOCA_ERROR_NOT_PERMITTED] = {"DOCA_ERROR_NOT_PERMITTED", "Operation not permitted"},
    [DOCA_ERROR_IN_USE] = {"DOCA_ERROR_IN_USE", "Resource already in use"},
    [DOCA_ERROR_NOT_SUPPORTED] = {"DOCA_ERROR_NOT_SUPPORTED", "Operation not supported"},
    [DOCA_ERROR_AGAIN] = {"DOCA_ERROR_AGAIN", "Resource temporarily unavailable, try again"},
    [DOCA_ERROR_INVALID_VALUE] = {"DOCA_ERROR_INVALID_VALUE", "Invalid input"},
    [DOCA_ERROR_NO_MEMORY] = {"DOCA_ERROR_NO_MEMORY", "Memory allocation failure"},
    [DOCA_ERROR_INITIALIZATION] = {"DOCA_ERROR_INITIALIZATION", "Resource initialization failure"},
    [DOCA_ERROR_TIME_OUT] = {"DOCA_ERROR_TIME_OUT", "Timer expired waiting for resource"},
    [DOCA_ERROR_SHUTDOWN] = {"DOCA_ERROR_SHUTDOWN", "Shut down in process or completed"},
    [DOCA_ERROR_CONNECTION_RESET] = {"DOCA_ERROR_CONNECTION_RESET", "Connection reset by peer"},
    [DOCA_ERROR_CONNECTION_ABORTED] = {"DOCA_ERROR_CONNECTION_ABORTED", "Connection aborted"},
    [DOCA_ERROR_CONNECTION_INPROGRESS] = {"DOCA_ERROR_CONNECTION_INPROGRESS", "Connection in progress"},
    [DOCA_ERROR_NOT_CONNECTED] = {"DOCA_ERROR_NOT_CONNECTED", "Not Connected"},
    [DOCA_ERROR_NO_LOCK] = {"DOCA_ERROR_NO_LOCK", "Unable to acquire required lock"},
    [DOCA_ERROR_NOT_FOUND] = {"DOCA_ERROR_NOT_FOUND", "Requested Resource Not Found"},
    [DOCA_ERROR_IO_FAILED] = {"DOCA_ERROR_IO_FAILED", "Input/Output Operation Failed"},
    [DOCA_ERROR_BAD_STATE] = {"DOCA_ERROR_BAD_STATE", "Bad State"},
    [DOCA_ERROR_UNSUPPORTED_VERSION] = {"DOCA_ERROR_UNSUPPORTED_VERSION", "Unsupported version"},
    [DOCA_ERROR_OPERATING_SYSTEM] = {"DOCA_ERROR_OPERATING_SYSTEM", "Operating system call failure"},
    [DOCA_ERROR_DRIVER] = {"DOCA_ERROR_DRIVER", "DOCA Driver call failure"},
    [DOCA_ERROR_UNEXPECTED] = {"DOCA_ERROR_UNEXPECTED", "An unexpected scenario was detected"},
    [DOCA_ERROR_ALREADY_EXIST] = {"DOCA_ERROR_ALREADY_EXIST", "Resource already exist"},
    [DOCA_ERROR_FULL] = {"DOCA_ERROR_FULL", "No more space in resource"},
    [DOCA_ERROR_EMPTY] = {"DOCA_ERROR_EMPTY", "No entry is available in resource"},
    [DOCA_ERROR_IN_PROGRESS] = {"DOCA_ERROR_IN_PROGRESS", "Operation is in progress"},
    [DOCA_ERROR_TOO_BIG] = {"DOCA_ERROR_TOO_BIG", "Requested operation too big to be contained"},
    /* Newer than the release whose texts are known: these texts are the emulator's own. */
    [DOCA_ERROR_AUTHENTICATION] = {"DOCA_ERROR_AUTHENTICATION", "Authentication failure"},
    [DOCA_ERROR_BAD_CONFIG] = {"DOCA_ERROR_BAD_CONFIG", "Invalid configuration"},
    [DOCA_ERROR_SKIPPED] = {"DOCA_ERROR_SKIPPED", "Operation skipped"},
    [DOCA_ERROR_DEVICE_FATAL_ERROR] = {"DOCA_ERROR_DEVICE_FATAL_ERROR", "Device fatal error"},
};

static const struct error_text *
find_text(doca_error_t error) {
    static const struct error_text unrecognized = {UNRECOGNIZED, UNRECOGNIZED};
    const size_t code = (size_t)error;
    return code < sizeof(error_texts) / sizeof(error_texts[0]) ? &error_texts[code] : &unrecognized;
}

const char *
doca_error_get_name(doca_error_t error) {
    return find_text(error)->name;
}

const char *
doca_error_get_descr(doca_error_t error) {
    return find_text(error)->description;
}

/* Release 2.5 returns OPERATING_SYSTEM for a missing descriptor. */
doca_error_t
emulator_system_error(int number) {
    switch (number) {
    case ENOMEM:
        return DOCA_ERROR_NO_MEMORY;
    case EADDRINUSE:
        return DOCA_ERROR_IN_USE;
    default:
        return DOCA_ERROR_OPERATING_SYSTEM;
    }
}

doca_error_t
emulator_refuse_system_error(
        int number, const char *file, int line, const char *function, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    emulator_sdk_log(DOCA_LOG_LEVEL_ERROR, file, line, function, "%s: %s", text, strerror(number));
    return emulator_system_error(number);
}
