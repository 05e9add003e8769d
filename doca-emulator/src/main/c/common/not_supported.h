/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that the headers declare and the emulator does not have. They exist, so that programs link, and say so
 * when called. One source file a library includes this once and lists them.
 */
#ifndef DOCA_EMULATOR_NOT_SUPPORTED_H_
#define DOCA_EMULATOR_NOT_SUPPORTED_H_

#include <stdint.h>

#include <doca_error.h>

/* The parameters do not matter to functions that never look at them. */
#pragma GCC diagnostic ignored "-Wattribute-alias"

static __attribute__((used)) doca_error_t
not_supported(void) {
    return DOCA_ERROR_NOT_SUPPORTED;
}

/* NULL or 0, whatever the type. */
static __attribute__((used)) uint64_t
zero(void) {
    return 0;
}

static __attribute__((used)) void
nothing(void) {
}

#define NOT_SUPPORTED(function) extern __typeof__(function) function __attribute__((alias("not_supported")))
#define RETURNS_ZERO(function) extern __typeof__(function) function __attribute__((alias("zero")))
#define DOES_NOTHING(function) extern __typeof__(function) function __attribute__((alias("nothing")))

#endif /* DOCA_EMULATOR_NOT_SUPPORTED_H_ */
