/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The version of these headers and of the libraries loaded at run time.
 */
#ifndef DOCA_VERSION_H_
#define DOCA_VERSION_H_

#include <stddef.h>

#include <doca_compat.h>

API_HEADER(common, 1.5)

#ifdef __cplusplus
extern "C" {
#endif

#define DOCA_VERSION_NUM(major, minor, patch) ((size_t)((major) << 24 | (minor) << 16 | (patch)))
#define DOCA_CURRENT_VERSION_NUM DOCA_VERSION_NUM(DOCA_VER_MAJOR, DOCA_VER_MINOR, DOCA_VER_PATCH)
#if API_BEFORE(2.2)
#define DOCA_VER_MAJOR 1
#define DOCA_VER_MINOR 5
#define DOCA_VER_PATCH 55
#define DOCA_VER_STRING "1.5.0055"
#else
#define DOCA_VERSION_EQ_CURRENT(major, minor, patch) (DOCA_VERSION_NUM(major, minor, patch) == DOCA_CURRENT_VERSION_NUM)
#define DOCA_VERSION_LTE_CURRENT(major, minor, patch) (DOCA_VERSION_NUM(major, minor, patch) <= DOCA_CURRENT_VERSION_NUM)
#define DOCA_VER_MAJOR 2
#define DOCA_VER_MINOR 2
#define DOCA_VER_PATCH 80
#define DOCA_VER_STRING "2.2.0080"
#endif

__DOCA_EXPERIMENTAL
const char *doca_version_runtime(void);

/* The version of the headers that the caller was compiled with. */
static inline const char *
doca_version(void) {
    return DOCA_VER_STRING;
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_VERSION_H_ */
