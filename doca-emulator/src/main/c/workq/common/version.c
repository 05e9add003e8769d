/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

#include <core_error.h>
#include <doca_error.h>
#include <doca_version.h>

/* The last error that the release has. */
#define LAST_ERROR DOCA_ERROR_IN_PROGRESS

const char *
doca_version_runtime(void) {
    return DOCA_VER_STRING;
}

/* Texts are those of the core, which calls each later error unrecognized if it has none. */
const char *
doca_get_error_name(doca_error_t error) {
    return core_error_get_name(error <= LAST_ERROR ? (enum core_error)error : (enum core_error)UINT32_MAX);
}

const char *
doca_get_error_string(doca_error_t error) {
    return core_error_get_descr(error <= LAST_ERROR ? (enum core_error)error : (enum core_error)UINT32_MAX);
}
