/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_REGION_H_
#define BENCH_REGION_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_mmap.h>

/* A range of memory in a started memory map. */
struct region {
    struct doca_mmap *mmap;
    uint8_t *addr;
    size_t len;
};

/*
 * Maps new memory, in transparent huge pages where Linux has them, as BenchMemory.java does. It was written once, so that
 * no copy meets a page that is not there.
 */
struct region region_create(struct doca_dev *dev, size_t len, uint32_t permissions);

void region_destroy(struct region *region);

#endif /* BENCH_REGION_H_ */
