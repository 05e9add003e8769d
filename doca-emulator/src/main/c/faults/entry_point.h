/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For the entry points that GenerateApi.java of doca-ffi writes.
 */
#ifndef DOCA_EMULATOR_ENTRY_POINT_H_
#define DOCA_EMULATOR_ENTRY_POINT_H_

#include "common/faults.h"
#include "common/sdk_log.h"

/* Defines a function that fails if the faults request it, and otherwise calls `target`, which the library defines. */
#define ENTRY_POINT(function, target, parameters, arguments)                                               \
    doca_error_t target parameters;                                                                        \
    doca_error_t function parameters {                                                                     \
        const doca_error_t fault = faults_count_calls() ? faults_of_next_call(#function) : DOCA_SUCCESS;   \
        if (fault != DOCA_SUCCESS) {                                                                       \
            return fault;                                                                                  \
        }                                                                                                  \
        const struct sdk_section section = emulator_begin_section();                                       \
        const doca_error_t outcome = target arguments;                                                     \
        emulator_end_section(section);                                                                     \
        return outcome;                                                                                    \
    }

/* The same for functions that programs call for each operation. They log only the reason why they fail, at their end. */
#define FAST_ENTRY_POINT(function, target, parameters, arguments)                                          \
    doca_error_t target parameters;                                                                        \
    doca_error_t function parameters {                                                                     \
        const doca_error_t fault = faults_count_calls() ? faults_of_next_call(#function) : DOCA_SUCCESS;   \
        const doca_error_t outcome = fault == DOCA_SUCCESS ? target arguments : fault;                     \
        return outcome == DOCA_SUCCESS ? DOCA_SUCCESS : emulator_write_refusal(outcome);                   \
    }

/* The same for functions that the emulator does not implement. */
#define UNSUPPORTED(function, parameters)                                                                  \
    doca_error_t function parameters {                                                                     \
        const doca_error_t fault = faults_count_calls() ? faults_of_next_call(#function) : DOCA_SUCCESS;   \
        return fault != DOCA_SUCCESS ? fault : DOCA_ERROR_NOT_SUPPORTED;                                   \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"

#endif /* DOCA_EMULATOR_ENTRY_POINT_H_ */
