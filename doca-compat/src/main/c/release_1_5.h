/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DOCA 1.5 has the functions of 2.2 that DMA needs, except for memory maps, which are populated after their start,
 * and PCI addresses, which are numbers.
 */
#ifndef DOCA_COMPAT_RELEASE_1_5_H_
#define DOCA_COMPAT_RELEASE_1_5_H_

#include <stdbool.h>

bool release_1_5_is(void *common);

/*
 * Implements the functions of 2.2 that release 1.5 does not have, and stores them in the table; false if the library
 * lacks a needed function.
 */
bool release_1_5_bind(void *common);

#endif /* DOCA_COMPAT_RELEASE_1_5_H_ */
