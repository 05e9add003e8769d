/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_version.h>

const char *
doca_version_runtime(void) {
    return DOCA_VER_STRING;
}
