/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "region.h"

#define PAGE 4096

struct region
region_create(struct doca_dev *dev, size_t len, uint32_t permissions) {
    const size_t num_pages = (len + PAGE - 1) / PAGE;
    struct region region = {.addr = aligned_alloc(PAGE, num_pages * PAGE), .len = len};

    if (region.addr == NULL) {
        fail("no memory for %zu bytes", len);
    }
    for (size_t i = 0; i < len; i++) {
        region.addr[i] = (uint8_t)(i % 251);
    }
    CHECK(doca_mmap_create(&region.mmap));
    CHECK(doca_mmap_add_dev(region.mmap, dev));
    CHECK(doca_mmap_set_permissions(region.mmap, permissions));
    CHECK(doca_mmap_set_memrange(region.mmap, region.addr, len));
    CHECK(doca_mmap_start(region.mmap));
    return region;
}

void
region_destroy(struct region *region) {
    CHECK(doca_mmap_destroy(region->mmap));
    free(region->addr);
}
