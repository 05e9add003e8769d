/* SPDX-License-Identifier: Apache-2.0 */
#include "base_fixture.h"

uint8_t memory[MEMORY_SIZE] __attribute__((aligned(4096)));
struct doca_dev *dev;
struct doca_mmap *map;
struct doca_buf_inventory *inventory;

struct doca_mmap *
start_map(void *addr, size_t len, uint32_t permissions) {
    struct doca_mmap *mmap = configure_map(addr, len, permissions);
    REQUIRE(doca_mmap_start(mmap));
    return mmap;
}

void
map_filled_memory(uint32_t permissions) {
    for (size_t i = 0; i < MEMORY_SIZE; i++) {
        memory[i] = (uint8_t)((uint32_t)i * 2654435761u >> 23);
    }
    map = start_map(memory, MEMORY_SIZE, permissions);
}

size_t
data_len(const struct doca_buf *buf) {
    size_t len = 0;
    REQUIRE(doca_buf_get_data_len(buf, &len));
    return len;
}

bool
is_copied(size_t from, size_t to, size_t len) {
    return memcmp(memory + from, memory + to, len) == 0;
}
