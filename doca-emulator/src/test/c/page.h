/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is unmapped when it is freed. */
#ifndef DOCA_EMULATOR_PAGE_H_
#define DOCA_EMULATOR_PAGE_H_

#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

/* Allocates a page of zeros. */
static inline uint64_t *
map_page(void) {
    void *page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        fprintf(stderr, "no page of memory\n");
        exit(EXIT_FAILURE);
    }
    return page;
}

static inline void
unmap_page(uint64_t *page) {
    CHECK_EQUAL(0, munmap(page, (size_t)sysconf(_SC_PAGESIZE)));
}

#endif /* DOCA_EMULATOR_PAGE_H_ */
