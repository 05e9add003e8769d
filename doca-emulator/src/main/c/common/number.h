/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in settings. */
#ifndef DOCA_EMULATOR_NUMBER_H_
#define DOCA_EMULATOR_NUMBER_H_

#include <stdint.h>

/*
 * Reads the number at the beginning of a text, which has only digits: no sign and no space. Returns the text after it; NULL
 * if there is none from min to max. With base 0, the number may also begin with 0x or, if it is octal, with 0.
 */
const char *number_read(const char *text, int base, uint64_t min, uint64_t max, uint64_t *number);

#endif /* DOCA_EMULATOR_NUMBER_H_ */
