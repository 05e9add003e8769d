/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of release 2.5 that are more than renamed functions of the current ABI. */
#ifndef DOCA_EMULATOR_FRONT_2_5_H_
#define DOCA_EMULATOR_FRONT_2_5_H_

#include <doca_error.h>

/*
 * Defines the function that the generated function of this name calls. It has another name in C, because the headers of
 * the current ABI declare the function with other parameters.
 */
#define FUNCTION_2_5(function, parameters) \
    doca_error_t front_##function parameters __asm__("doca_emulator_2_5_" #function); \
    doca_error_t front_##function parameters

#endif /* DOCA_EMULATOR_FRONT_2_5_H_ */
