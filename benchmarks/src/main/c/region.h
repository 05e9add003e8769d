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

/* Maps new memory, page aligned and already written, so that no copy causes a page fault. */
struct region region_create(struct doca_dev *dev, size_t len, uint32_t permissions);

/* The parts of the memory that copies of this process use. */
enum region_part {
    REGION_SOURCES = 0,
    REGION_TARGETS = 1,
};

/* The same in the file DOCA_BENCH_MEMORY, see BenchMemory.java; new memory without such a file. */
struct region region_share(struct doca_dev *dev, size_t len, uint32_t permissions, enum region_part part);

void region_destroy(struct region *region);

#endif /* BENCH_REGION_H_ */
