/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stability attributes. Using an experimental function warns unless the program defines DOCA_ALLOW_EXPERIMENTAL_API.
 */
#ifndef DOCA_COMPAT_H_
#define DOCA_COMPAT_H_

#include <api_marks.h>

#define DOCA_STABLE __attribute__((visibility("default")))

#ifdef DOCA_ALLOW_EXPERIMENTAL_API
#define DOCA_EXPERIMENTAL __attribute__((visibility("default")))
#else
#define DOCA_EXPERIMENTAL \
    __attribute__((visibility("default"), deprecated("experimental: define DOCA_ALLOW_EXPERIMENTAL_API to use it")))
#endif

#endif /* DOCA_COMPAT_H_ */
