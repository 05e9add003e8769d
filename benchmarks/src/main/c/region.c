/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "region.h"

#define PAGE 4096
/* The size of each part of the shared file. */
#define PART ((off_t)4 << 30)

static struct region
map_region(struct doca_dev *dev, struct region region, uint32_t permissions) {
    for (size_t i = 0; i < region.len; i++) {
        region.addr[i] = (uint8_t)(i % 251);
    }
    CHECK(doca_mmap_create(&region.mmap));
    CHECK(doca_mmap_add_dev(region.mmap, dev));
    CHECK(doca_mmap_set_permissions(region.mmap, permissions));
    CHECK(doca_mmap_set_memrange(region.mmap, region.addr, region.len));
    CHECK(doca_mmap_start(region.mmap));
    return region;
}

struct region
region_create(struct doca_dev *dev, size_t len, uint32_t permissions) {
    const size_t num_pages = (len + PAGE - 1) / PAGE;
    struct region region = {.addr = aligned_alloc(PAGE, num_pages * PAGE), .len = len};

    if (region.addr == NULL) {
        fail("no memory for %zu bytes", len);
    }
    return map_region(dev, region, permissions);
}

struct region
region_share(struct doca_dev *dev, size_t len, uint32_t permissions, enum region_part part) {
    const char *path = getenv("DOCA_BENCH_MEMORY");
    if (path == NULL || len > (size_t)PART) {
        return region_create(dev, len, permissions);
    }
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0 || ftruncate(file, 2 * PART) != 0) {
        fail("%s cannot be used as memory", path);
    }
    struct region region = {.len = len, .is_shared = true};
    region.addr = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)part * PART);
    if (region.addr == MAP_FAILED) {
        fail("%zu bytes of %s cannot be mapped", len, path);
    }
    close(file);
    return map_region(dev, region, permissions);
}

void
region_destroy(struct region *region) {
    CHECK(doca_mmap_destroy(region->mmap));
    if (region->is_shared) {
        munmap(region->addr, region->len);
    } else {
        free(region->addr);
    }
}
