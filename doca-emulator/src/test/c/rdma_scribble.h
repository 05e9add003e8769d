/* SPDX-License-Identifier: Apache-2.0 */
/* Overwrites the files by which contexts reach each other, which any process of the user can map. */
#ifndef DOCA_EMULATOR_RDMA_SCRIBBLE_H_
#define DOCA_EMULATOR_RDMA_SCRIBBLE_H_

#include <sys/mman.h>
#include <sys/stat.h>

#include "check.h"
#include "shared_files.h"

#define NUM_STATES 5

/* Returns the byte at an offset: a small seed, which may be a valid state, or an arbitrary byte. */
static inline uint8_t
scribble_at(uint64_t seed, size_t offset) {
    uint64_t bits = (offset + 1) * UINT64_C(0x9e3779b97f4a7c15) + seed * UINT64_C(0xbf58476d1ce4e5b9);
    bits ^= bits >> 29;
    bits *= UINT64_C(0x94d049bb133111eb);
    return seed < NUM_STATES ? (uint8_t)seed : seed == NUM_STATES ? UINT8_MAX : (uint8_t)(bits >> 32);
}

static inline void
scribble_over(int fd, uint64_t seed) {
    struct stat status;
    CHECK_EQUAL(0, fstat(fd, &status));
    const size_t size = (size_t)status.st_size;
    uint8_t *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (bytes == MAP_FAILED) {
        CHECK_FAILED("the shared file cannot be mapped");
        return;
    }
    for (size_t i = 0; i < size; i++) {
        bytes[i] = scribble_at(seed, i);
    }
    munmap(bytes, size);
}

/* Overwrites all files of this process that its peers can map. */
static inline size_t
scribble_over_all(uint64_t seed) {
    int fds[MAX_SHARED_FILES];
    const size_t num_files = find_shared_files(fds);
    for (size_t i = 0; i < num_files; i++) {
        scribble_over(fds[i], seed);
    }
    return num_files;
}

#endif /* DOCA_EMULATOR_RDMA_SCRIBBLE_H_ */
