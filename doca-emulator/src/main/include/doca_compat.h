/* SPDX-License-Identifier: Apache-2.0 */
/* The attribute of experimental functions. Their use warns unless the program defines DOCA_ALLOW_EXPERIMENTAL_API. */
#ifndef DOCA_COMPAT_H_
#define DOCA_COMPAT_H_

#include <doca_config.h>

#define DOCA_USED __attribute__((used))
#define DOCA_EXPORTED __attribute__((visibility("default"))) DOCA_USED

#ifdef DOCA_ALLOW_EXPERIMENTAL_API
#define __DOCA_EXPERIMENTAL DOCA_EXPORTED
#else
#define __DOCA_EXPERIMENTAL \
    DOCA_EXPORTED __attribute__((deprecated("experimental: define DOCA_ALLOW_EXPERIMENTAL_API to use it")))
#endif

/* Programs rely on these headers without including them. */
#include <stdint.h>
#include <string.h>

#include <doca_version.h>

#endif /* DOCA_COMPAT_H_ */
