/* SPDX-License-Identifier: Apache-2.0 */
#include "common/settings.h"

const struct emulator_abi emulator_abi = {
        .names = {EMULATOR_ABI_NAME},
        .releases = {EMULATOR_ABI_RELEASE},
        .number = EMULATOR_ABI_NUMBER,
};
