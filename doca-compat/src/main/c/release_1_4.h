/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DOCA 1.4 has the objects of 1.5 with properties instead of getters. Its buffers have no data segment, and its queues no
 * events. No header of it is public: docs/generations.md says what is assumed.
 */
#ifndef DOCA_COMPAT_RELEASE_1_4_H_
#define DOCA_COMPAT_RELEASE_1_4_H_

#include <stdbool.h>

/*
 * Finds the functions of a library of release 1.4; does nothing for one of another release. libdoca_common is first. Returns
 * false if the library lacks one.
 */
bool release_1_4_bind(const char *library, void *handle);

/*
 * Returns a function of the opened library; NULL if it lacks the function. On release 1.4, functions of 1.5 are those of
 * this file.
 */
void *release_1_4_find(void *handle, const char *name);

#endif /* DOCA_COMPAT_RELEASE_1_4_H_ */
