/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The version of these headers and of the libraries loaded at run time.
 */
#ifndef DOCA_VERSION_H_
#define DOCA_VERSION_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_compat.h>

API_HEADER(common, 1.4)

#ifdef __cplusplus
extern "C" {
#endif

#if API_BEFORE(2.6)
#define DOCA_VERSION_NUM(major, minor, patch) ((size_t)((major) << 24 | (minor) << 16 | (patch)))
#define DOCA_CURRENT_VERSION_NUM DOCA_VERSION_NUM(DOCA_VER_MAJOR, DOCA_VER_MINOR, DOCA_VER_PATCH)
#if !API_BEFORE(2.2)
#define DOCA_VERSION_EQ_CURRENT(major, minor, patch) (DOCA_VERSION_NUM(major, minor, patch) == DOCA_CURRENT_VERSION_NUM)
#define DOCA_VERSION_LTE_CURRENT(major, minor, patch) (DOCA_VERSION_NUM(major, minor, patch) <= DOCA_CURRENT_VERSION_NUM)
#endif
#define DOCA_VER_MAJOR 2
#define DOCA_VER_MINOR 5
#define DOCA_VER_PATCH 108
#define DOCA_VER_STRING "2.5.0108"
#else
#define DOCA_VERSION_EXACT 50331706
#define DOCA_VERSION_MAJOR 3
#define DOCA_VERSION_MINOR 0
#define DOCA_VERSION_OFFICIAL 50389648
#define DOCA_VERSION_PATCH 58
#define DOCA_VERSION_STRING "3.0.0058"
#define DOCA_VERSION_CALC_EXACT(major, minor, patch) ((size_t)((major) << 24 | (minor) << 16 | (patch)))
#define DOCA_VERSION_CALC(major, minor, patch) ((size_t)((major) << 24 | (minor) << 16 | (patch)*1000))
#define DOCA_VERSION_EQ_CURRENT(major, minor, patch) (DOCA_VERSION_CALC(major, minor, patch) == DOCA_VERSION_OFFICIAL)
#define DOCA_VERSION_LTE_CURRENT(major, minor, patch) (DOCA_VERSION_CALC(major, minor, patch) <= DOCA_VERSION_OFFICIAL)
#endif

DOCA_EXPERIMENTAL API_COMPAT()
const char *doca_version_runtime(void);

/* The version of the headers that the caller was compiled with. */
static inline const char *
doca_version(void) {
#if API_BEFORE(2.6)
    return DOCA_VER_STRING;
#else
    return DOCA_VERSION_STRING;
#endif
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_VERSION_H_ */
