/* SPDX-License-Identifier: Apache-2.0 */
#include "answer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct answer answer_of_process;
struct answer *answer_of_case = &answer_of_process;

static void
add_text(const char *format, va_list arguments) {
    char *text = answer_of_case->text;
    size_t length = strlen(text);
    if (length > 0) {
        length += (size_t)snprintf(text + length, ANSWER_SIZE - length, ", ");
    }
    if (length < ANSWER_SIZE) {
        vsnprintf(text + length, ANSWER_SIZE - length, format, arguments);
    }
}

void
answer(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_text(format, arguments);
    va_end(arguments);
}

const char *
code_name(doca_error_t code) {
    static const char *const names[] = {
        "SUCCESS",        "UNKNOWN",         "NOT_PERMITTED",    "IN_USE",
        "NOT_SUPPORTED",  "AGAIN",           "INVALID_VALUE",    "NO_MEMORY",
        "INITIALIZATION", "TIME_OUT",        "SHUTDOWN",         "CONNECTION_RESET",
        "CONNECTION_ABORTED", "CONNECTION_INPROGRESS", "NOT_CONNECTED", "NO_LOCK",
        "NOT_FOUND",      "IO_FAILED",       "BAD_STATE",        "UNSUPPORTED_VERSION",
        "OPERATING_SYSTEM", "DRIVER",        "UNEXPECTED",       "ALREADY_EXIST",
        "FULL",           "EMPTY",           "IN_PROGRESS",      "TOO_BIG",
        "AUTHENTICATION", "BAD_CONFIG",      "SKIPPED",          "DEVICE_FATAL_ERROR",
    };
    return (size_t)code < sizeof(names) / sizeof(names[0]) ? names[code] : "(unknown code)";
}

void
answer_code(doca_error_t code) {
    answer("%s", code_name(code));
}

void
answer_number(long long number) {
    answer("%lld", number);
}

void
answer_flag(bool flag) {
    answer("%s", flag ? "yes" : "no");
}

_Noreturn void
not_available(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(answer_of_case->text, ANSWER_SIZE, format, arguments);
    va_end(arguments);
    answer_of_case->kind = ANSWER_NOT_AVAILABLE;
    _exit(0);
}

void
require_success(doca_error_t code, const char *call) {
    if (code != DOCA_SUCCESS) {
        answer("needed %s: %s", call, code_name(code));
        answer_of_case->kind = ANSWER_BROKEN;
        if (answer_of_case == &answer_of_process) {
            /* The answer of a second process is not reported elsewhere. */
            fprintf(stderr, "%s\n", answer_of_case->text);
        }
        _exit(1);
    }
}
