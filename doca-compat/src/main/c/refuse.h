/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of the translation, which are logged like those of the SDK. */
#ifndef DOCA_COMPAT_REFUSE_H_
#define DOCA_COMPAT_REFUSE_H_

#include <doca_error.h>
#include <doca_log.h>

/* Logs the reason why a call fails, and returns its result. */
#define REFUSE(result, ...) refuse((result), __FILE__, __LINE__, __func__, __VA_ARGS__)

doca_error_t refuse(doca_error_t result, const char *file, int line, const char *function, const char *format, ...)
        __attribute__((format(printf, 5, 6)));

/* Sets the handler of the log records; there is none at first. */
void refuse_to(log_flush_callback handler);

#define REFUSE_NULL(argument) REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: " #argument " is NULL")

#endif /* DOCA_COMPAT_REFUSE_H_ */
