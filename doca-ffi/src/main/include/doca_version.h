/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The version of these headers and of the libraries loaded at run time.
 */
#ifndef DOCA_VERSION_H_
#define DOCA_VERSION_H_

#include <stdint.h>

#include <doca_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DOCA_VERSION_EXACT 50331706
#define DOCA_VERSION_MAJOR 3
#define DOCA_VERSION_MINOR 0
#define DOCA_VERSION_OFFICIAL 50389648
#define DOCA_VERSION_PATCH 58
#define DOCA_VERSION_STRING "3.0.0058"

DOCA_EXPERIMENTAL
const char *doca_version_runtime(void);

/* The version of the headers that the caller was compiled with. */
static inline const char *
doca_version(void) {
    return DOCA_VERSION_STRING;
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_VERSION_H_ */
