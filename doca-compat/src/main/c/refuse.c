/* SPDX-License-Identifier: Apache-2.0 */
#include "refuse.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* The handler of errors. Relaxed, because it is a pointer to code. */
static _Atomic(log_flush_callback) sdk_handler;

doca_error_t
refuse(doca_error_t result, const char *file, int line, const char *function, const char *format, ...) {
    const log_flush_callback handler = atomic_load_explicit(&sdk_handler, memory_order_relaxed);
    if (handler == NULL) {
        return result;
    }
    char record[1024];
    struct timeval now;
    struct tm local;
    gettimeofday(&now, NULL);
    localtime_r(&now.tv_sec, &local);
    const char *slash = strrchr(file, '/');
    int length = snprintf(record, sizeof(record), "[%02d:%02d:%02d:%06ld][%d][DOCA][ERR][%s:%d][%s] ", local.tm_hour,
                          local.tm_min, local.tm_sec, (long)now.tv_usec, (int)getpid(),
                          slash == NULL ? file : slash + 1, line, function);
    va_list arguments;
    va_start(arguments, format);
    length += vsnprintf(record + length, sizeof(record) - (size_t)length, format, arguments);
    va_end(arguments);
    if (length > (int)sizeof(record) - 2) {
        length = (int)sizeof(record) - 2;
    }
    strcpy(record + length, "\n");
    handler(record);
    return result;
}

void
refuse_to(log_flush_callback handler) {
    atomic_store_explicit(&sdk_handler, handler, memory_order_relaxed);
}
