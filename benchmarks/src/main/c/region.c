/* SPDX-License-Identifier: Apache-2.0 */
#include <sys/mman.h>

#include "check.h"
#include "region.h"

#define HUGE_PAGE ((size_t)2 << 20)

struct region
region_create(struct doca_dev *dev, size_t len, uint32_t permissions) {
    const size_t whole_pages = (len + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    struct region region = {.addr = aligned_alloc(HUGE_PAGE, whole_pages), .len = len};

    if (region.addr == NULL) {
        fail("no memory for %zu bytes", len);
    }
    /* Where there are no such pages the memory stays as it is. */
    (void)madvise(region.addr, whole_pages, MADV_HUGEPAGE);
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
