/* SPDX-License-Identifier: Apache-2.0 */
/* Ends the program at the first failure, with one line on its standard output that gives the reason. */
#ifndef BENCH_CHECK_H_
#define BENCH_CHECK_H_

#include <stdlib.h>

#include <doca_error.h>

/* The headers of release 2.2 have no progress engine, and another name for this function. */
#ifdef BENCH_WORK_QUEUES
#define DESCRIBE_ERROR doca_get_error_string
#else
#define DESCRIBE_ERROR doca_error_get_descr
#endif

/* Requires that the call returns success. */
#define CHECK(call) check((call), #call)

/* Prints "error TEXT" and exits with 1. */
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

_Noreturn void fail_call(doca_error_t result, const char *call);

static inline void
check(doca_error_t result, const char *call) {
    if (result != DOCA_SUCCESS) {
        fail_call(result, call);
    }
}

/* Like calloc(), for at least one byte. */
void *allocate(size_t num_elements, size_t size);

#endif /* BENCH_CHECK_H_ */
