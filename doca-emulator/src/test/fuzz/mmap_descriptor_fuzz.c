/* SPDX-License-Identifier: Apache-2.0 */
/* Export descriptors of memory maps. */
#include "import_fuzz.h"

#include "../c/fixture.h"

static _Alignas(64) uint8_t memory[4096];

static size_t
fuzz_begin(uint8_t *data) {
    struct doca_mmap *mmap;
    const void *descriptor;
    size_t size;
    dev = open_device("mlx5_0");
    REQUIRE_SUCCESS(doca_mmap_create(&mmap));
    REQUIRE_SUCCESS(doca_mmap_add_dev(mmap, dev));
    REQUIRE_SUCCESS(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    REQUIRE_SUCCESS(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_WRITE));
    REQUIRE_SUCCESS(doca_mmap_start(mmap));
    REQUIRE_SUCCESS(doca_mmap_export_rdma(mmap, dev, &descriptor, &size));
    memcpy(data, descriptor, size);
    return size;
}

static void
fuzz_seal(uint8_t *data, size_t size) {
    fuzz_seal_descriptor(data, size);
}

int
main(void) {
    return fuzz();
}
