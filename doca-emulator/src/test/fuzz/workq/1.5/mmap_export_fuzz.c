/* SPDX-License-Identifier: Apache-2.0 */
/* Release 1.5: exports of memory maps of several chunks. */
#include "../../import_fuzz.h"

#include <doca_dev.h>

#define NUM_CHUNKS 3
#define CHUNK_SIZE 4096

static _Alignas(CHUNK_SIZE) uint8_t memory[2 * NUM_CHUNKS * CHUNK_SIZE];

static size_t
fuzz_begin(uint8_t *data) {
    struct doca_devinfo **list;
    uint32_t num_devices;
    struct doca_mmap *mmap;
    void *export;
    size_t size;
    REQUIRE_SUCCESS(doca_devinfo_list_create(&list, &num_devices));
    REQUIRE_SUCCESS(doca_dev_open(list[0], &dev));
    REQUIRE_SUCCESS(doca_devinfo_list_destroy(list));
    REQUIRE_SUCCESS(doca_mmap_create(NULL, &mmap));
    REQUIRE_SUCCESS(doca_mmap_set_max_num_chunks(mmap, NUM_CHUNKS));
    REQUIRE_SUCCESS(doca_mmap_start(mmap));
    REQUIRE_SUCCESS(doca_mmap_dev_add(mmap, dev));
    for (size_t i = 0; i < NUM_CHUNKS; i++) {
        REQUIRE_SUCCESS(doca_mmap_populate(mmap, memory + 2 * i * CHUNK_SIZE, CHUNK_SIZE, 4096, NULL, NULL));
    }
    REQUIRE_SUCCESS(doca_mmap_export(mmap, dev, &export, &size));
    CHECK(size <= FUZZ_MAX_SIZE);
    memcpy(data, export, size);
    free(export);
    return size;
}

/* Only the descriptors inside have checksums, and their parser has its own fuzzing. */
static void
fuzz_seal(uint8_t *data, size_t size) {
    (void)data;
    (void)size;
}

int
main(void) {
    return fuzz();
}
