/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_version.h>

#include "shared.h"

/* The symbol doca_emulator_version distinguishes the emulator from the SDK. */
const char *emulator_version(void) EMULATOR_SHARED(version);

const char *
doca_version_runtime(void) {
    return DOCA_VERSION_STRING;
}

const char *
emulator_version(void) {
    return DOCA_VERSION_STRING;
}
