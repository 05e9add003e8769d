/* SPDX-License-Identifier: Apache-2.0 */
/* Overwrites the files by which contexts reach each other, which any process of the user can map. */
#ifndef DOCA_EMULATOR_RDMA_SCRIBBLE_H_
#define DOCA_EMULATOR_RDMA_SCRIBBLE_H_

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "check.h"

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
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    size_t num_files = 0;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char target[256] = "";
        const ssize_t len = readlinkat(dirfd(folder), entry->d_name, target, sizeof(target) - 1);
        if (len > 0 && strncmp(target, "/memfd:doca-emulator", strlen("/memfd:doca-emulator")) == 0) {
            scribble_over(atoi(entry->d_name), seed);
            num_files++;
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return num_files;
}

#endif /* DOCA_EMULATOR_RDMA_SCRIBBLE_H_ */
