/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_version.h>

#include "common/shared.h"

const char *emulator_version(void) EMULATOR_SHARED(version);

const char *
doca_version_runtime(void) {
    return EMULATOR_SDK_VERSION;
}

const char *
emulator_version(void) {
    return EMULATOR_SDK_VERSION;
}
