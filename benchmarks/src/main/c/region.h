/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_REGION_H_
#define BENCH_REGION_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_mmap.h>

/* A range of memory in a started memory map. */
struct region {
    struct doca_mmap *mmap;
    uint8_t *addr;
    size_t len;
    bool is_shared;
};

/* Maps new memory, which is page aligned and was written once, so that no copy meets a page that is not there. */
struct region region_create(struct doca_dev *dev, size_t len, uint32_t permissions);

/* What copies of this process are measured in. */
enum region_part {
    REGION_SOURCES = 0,
    REGION_TARGETS = 1,
};

/*
 * The same in the file that DOCA_BENCH_MEMORY names, of which BenchMemory.java has the reason; new memory where there is
 * none.
 */
struct region region_share(struct doca_dev *dev, size_t len, uint32_t permissions, enum region_part part);

void region_destroy(struct region *region);

#endif /* BENCH_REGION_H_ */
