/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of release 2.5 that are not those of the current ABI by another name; see functions-2.5.tsv. */
#ifndef DOCA_EMULATOR_FRONT_2_5_H_
#define DOCA_EMULATOR_FRONT_2_5_H_

#include <doca_error.h>

/*
 * Defines what the generated function of that name calls. In C it has a name of its own, as the headers of the current ABI declare
 * the function otherwise.
 */
#define FUNCTION_2_5(function, parameters) \
    doca_error_t front_##function parameters __asm__("doca_emulator_2_5_" #function); \
    doca_error_t front_##function parameters

#endif /* DOCA_EMULATOR_FRONT_2_5_H_ */
