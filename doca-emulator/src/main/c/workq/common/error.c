/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>

#include <core_error.h>
#include <doca_error.h>

#include "common/settings.h"

/* A number for which the core has no text; all other texts come from the core. */
#define NO_ERROR ((enum core_error)INT32_MAX)

/* Returns the error, or UNKNOWN if it is newer than the release. */
static enum core_error
known_error(doca_error_t error) {
    const enum core_error last = emulator_release_is_at_most(EMULATOR_RELEASE_1_4)   ? CORE_ERROR_BAD_STATE
                                 : emulator_release_is_at_most(EMULATOR_RELEASE_1_5) ? CORE_ERROR_UNEXPECTED
                                                                                     : CORE_ERROR_IN_PROGRESS;
    return (enum core_error)error <= last ? (enum core_error)error : NO_ERROR;
}

const char *
doca_get_error_name(doca_error_t error) {
    return core_error_get_name(known_error(error));
}

const char *
doca_get_error_string(doca_error_t error) {
    return core_error_get_descr(known_error(error));
}
