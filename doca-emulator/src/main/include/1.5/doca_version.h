/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The version of these headers.
 */
#ifndef DOCA_VERSION_H_
#define DOCA_VERSION_H_

#include <stddef.h>

#define DOCA_VER_MAJOR 1
#define DOCA_VER_MINOR 5
#define DOCA_VER_PATCH 55
#define DOCA_VER_STRING "1.5.0055"
#define DOCA_VERSION_NUM(major, minor, patch) ((size_t)((major) << 24 | (minor) << 16 | (patch)))
#define DOCA_CURRENT_VERSION_NUM DOCA_VERSION_NUM(DOCA_VER_MAJOR, DOCA_VER_MINOR, DOCA_VER_PATCH)

#endif /* DOCA_VERSION_H_ */
