/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DOCA 1.5 has the functions of 2.2 that DMA needs, except for memory maps and PCI addresses: maps are populated after
 * their start, and PCI addresses are numbers.
 */
#ifndef DOCA_COMPAT_RELEASE_1_5_H_
#define DOCA_COMPAT_RELEASE_1_5_H_

#include <stdbool.h>

bool release_1_5_is(void *common);

/* Returns whether the library in use is of release 1.5 or, made of its functions, 1.4. */
bool release_1_5_is_bound(void);

/*
 * Implements the functions of 2.2 that release 1.5 lacks, and stores them in the table. Returns false if the library
 * lacks a required function.
 */
bool release_1_5_bind(void *common);

#endif /* DOCA_COMPAT_RELEASE_1_5_H_ */
