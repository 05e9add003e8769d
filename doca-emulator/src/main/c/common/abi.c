/* SPDX-License-Identifier: Apache-2.0 */
#include "settings.h"

const struct emulator_abi emulator_abi = {
        .names = {"3.0", "2.5"},
        .releases = {EMULATOR_RELEASE_3_0, EMULATOR_RELEASE_2_5},
};
