/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For the entry points that the build generates, see WriteEntryPoints.cmake.
 */
#ifndef DOCA_EMULATOR_ENTRY_POINT_H_
#define DOCA_EMULATOR_ENTRY_POINT_H_

#include "common/faults.h"

/* Defines a function that fails if the faults request it, and otherwise calls `target`, which the library defines. */
#define ENTRY_POINT(function, target, parameters, arguments)                                               \
    doca_error_t target parameters;                                                                        \
    doca_error_t function parameters {                                                                     \
        const doca_error_t error = faults_count_calls() ? faults_of_next_call(#function) : DOCA_SUCCESS;   \
        return error == DOCA_SUCCESS ? target arguments : error;                                           \
    }

#endif /* DOCA_EMULATOR_ENTRY_POINT_H_ */
