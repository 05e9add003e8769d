/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that the headers declare and the emulator does not implement. They exist so that programs link, and log an
 * error when called. One source file of each library includes this once and lists them.
 */
#ifndef DOCA_EMULATOR_NOT_SUPPORTED_H_
#define DOCA_EMULATOR_NOT_SUPPORTED_H_

#include <stdint.h>

#include <doca_error.h>

/* The functions ignore their parameters, so any prototype does. */
#pragma GCC diagnostic ignored "-Wattribute-alias"

static __attribute__((used)) doca_error_t
not_supported(void) {
    return DOCA_ERROR_NOT_SUPPORTED;
}

/* NULL or 0, of any type. */
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
