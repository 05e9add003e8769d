/* SPDX-License-Identifier: Apache-2.0 */
/* Passes inputs to the parser of exports of memory maps, of any release. */
#ifndef DOCA_EMULATOR_IMPORT_FUZZ_H_
#define DOCA_EMULATOR_IMPORT_FUZZ_H_

#include <doca_mmap.h>

#include "fuzz.h"

static struct doca_dev *dev;

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct doca_mmap *imported;
    if (doca_mmap_create_from_export(NULL, data, size, dev, &imported) == DOCA_SUCCESS) {
        CHECK_SUCCESS(doca_mmap_destroy(imported));
    }
    return 0;
}

#endif /* DOCA_EMULATOR_IMPORT_FUZZ_H_ */
