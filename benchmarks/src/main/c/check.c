/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>

#include "check.h"

_Noreturn void
fail(const char *format, ...) {
    va_list arguments;

    fputs("error ", stdout);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    exit(EXIT_FAILURE);
}

_Noreturn void
fail_call(doca_error_t result, const char *call) {
    fail("%s: %s", call, DESCRIBE_ERROR(result));
}

void *
allocate(size_t num_elements, size_t size) {
    void *memory = calloc(num_elements, size);
    if (memory == NULL) {
        fail("no memory for %zu times %zu bytes", num_elements, size);
    }
    return memory;
}
