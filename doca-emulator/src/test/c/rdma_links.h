/* SPDX-License-Identifier: Apache-2.0 */
/* The links of the RDMA contexts of this process, as peers see them. */
#ifndef DOCA_EMULATOR_RDMA_LINKS_H_
#define DOCA_EMULATOR_RDMA_LINKS_H_

#include <sys/mman.h>
#include <sys/stat.h>

#include "check.h"
#include "rdma/link.h"
#include "shared_files.h"

#define MAX_NUM_BLOCKS 8

static struct link_block *blocks[MAX_NUM_BLOCKS];
static size_t num_blocks;

static inline void
map_link(int fd) {
    struct stat status;
    CHECK_EQUAL(0, fstat(fd, &status));
    struct link_block *block = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (block == MAP_FAILED) {
        CHECK_FAILED("the shared file cannot be mapped");
    } else if (memcmp(block->header.magic, LINK_BLOCK_MAGIC, SHARE_MAGIC_SIZE) == 0 && num_blocks < MAX_NUM_BLOCKS) {
        blocks[num_blocks++] = block;
    } else {
        munmap(block, (size_t)status.st_size);
    }
}

/* Maps the links of all contexts of this process. */
static inline void
map_links(void) {
    int fds[MAX_SHARED_FILES];
    const size_t num_files = find_shared_files(fds);
    for (size_t i = 0; i < num_files; i++) {
        map_link(fds[i]);
    }
}

static inline void
unmap_links(void) {
    while (num_blocks > 0) {
        struct link_block *block = blocks[--num_blocks];
        munmap(block, block->header.size);
    }
}

/* As if the peers of all connections began (1) or ended (-1) an operation. */
static inline void
add_users(int32_t number) {
    map_links();
    for (size_t i = 0; i < num_blocks; i++) {
        for (uint32_t k = 0; k < blocks[i]->header.num_slots; k++) {
            struct link_slot *slot = &blocks[i]->slots[k];
            if (atomic_load(&slot->state) != LINK_SLOT_FREE) {
                CHECK(link_slot_add_users(slot, slot->secret, number));
            }
        }
    }
    unmap_links();
}

#endif /* DOCA_EMULATOR_RDMA_LINKS_H_ */
