/* SPDX-License-Identifier: Apache-2.0 */
/* What the libraries of a release answer differently. It is compiled for each one. */
#include <doca_version.h>

#include "settings.h"

/* The symbol doca_emulator_version distinguishes the emulator from the SDK. */
const char *emulator_version(void) EMULATOR_SHARED(version);

const struct emulator_abi emulator_abi = {
#if EMULATOR_ABI_NUMBER == 0
        .names = {EMULATOR_ABI_NAME, "2.5"},
        .releases = {EMULATOR_ABI_RELEASE, EMULATOR_RELEASE_2_5},
#else
        .names = {EMULATOR_ABI_NAME},
        .releases = {EMULATOR_ABI_RELEASE},
#endif
        .number = EMULATOR_ABI_NUMBER,
};

const char *
doca_version_runtime(void) {
    return EMULATOR_SDK_VERSION;
}

const char *
emulator_version(void) {
    return EMULATOR_SDK_VERSION;
}
