/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stability attributes, and the headers that all others lead to. Using an experimental function warns unless the program defines
 * DOCA_ALLOW_EXPERIMENTAL_API.
 */
#ifndef DOCA_COMPAT_H_
#define DOCA_COMPAT_H_

#include <api_marks.h>
#include <doca_config.h>

#define DOCA_USED __attribute__((used))
#define DOCA_STABLE __attribute__((visibility("default"))) DOCA_USED

#ifdef DOCA_ALLOW_EXPERIMENTAL_API
#define DOCA_EXPERIMENTAL DOCA_STABLE
#else
#define DOCA_EXPERIMENTAL \
    DOCA_STABLE __attribute__((deprecated("experimental: define DOCA_ALLOW_EXPERIMENTAL_API to use it")))
#endif

#if API_BEFORE(2.5)
#define __DOCA_EXPERIMENTAL DOCA_EXPERIMENTAL
#endif

#ifdef DOCA_ALLOW_DEPRECATED_API
#define DOCA_DEPRECATED DOCA_STABLE
#else
#define DOCA_DEPRECATED DOCA_STABLE __attribute__((deprecated("define DOCA_ALLOW_DEPRECATED_API to use it")))
#endif

/* Programs rely on these headers without including them. */
#ifdef DOCA_COMPAT_HELPERS
#if !API_BEFORE(2.6)
#include <assert.h>
#include <stdlib.h>
#endif
#include <stdint.h>
#include <string.h>

#include <doca_version.h>
#endif

#endif /* DOCA_COMPAT_H_ */
