/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define THEME "buffer pools"

static struct doca_buf_pool *
create_pool(size_t num_elements, size_t element_size) {
    map_memory();
    struct doca_buf_pool *pool;
    REQUIRE(doca_buf_pool_create(num_elements, element_size, map, &pool));
    return pool;
}

static struct doca_buf_pool *
started_pool(size_t num_elements, size_t element_size) {
    struct doca_buf_pool *pool = create_pool(num_elements, element_size);
    REQUIRE(doca_buf_pool_start(pool));
    return pool;
}

static struct doca_buf *
take(struct doca_buf_pool *pool) {
    struct doca_buf *buf;
    REQUIRE(doca_buf_pool_buf_alloc(pool, &buf));
    return buf;
}

static long long
offset_of(const struct doca_buf *buf) {
    void *head;
    REQUIRE(doca_buf_get_head(buf, &head));
    return (uint8_t *)head - memory;
}

RULE(pool_create_arguments, "A pool needs elements, a size, a map and a result pointer.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE, INVALID_VALUE, INVALID_VALUE") {
    map_memory();
    struct doca_buf_pool *pool;
    CODE(doca_buf_pool_create(0, 64, map, &pool));
    CODE(doca_buf_pool_create(4, 0, map, &pool));
    CODE(doca_buf_pool_create(4, 64, NULL, &pool));
    CODE(doca_buf_pool_create(4, 64, map, NULL));
}

RULE(pool_start_map_idle, "A pool cannot be started before its map.", .source = OBSERVED_2_5, .answer = "BAD_STATE") {
    map_memory();
    struct doca_buf_pool *pool;
    struct doca_mmap *idle = configure_map(memory, MEMORY_SIZE, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    REQUIRE(doca_buf_pool_create(4, 64, idle, &pool));
    CODE(doca_buf_pool_start(pool));
}

RULE(pool_too_large, "A pool whose elements do not fit into its map cannot be started.", .source = OBSERVED_2_5,
     .answer = "INITIALIZATION") {
    CODE(doca_buf_pool_start(create_pool(1025, 1024)));
}

RULE(pool_exact, "A pool may fill the whole map.", .source = OBSERVED_2_5, .answer = "SUCCESS") {
    CODE(doca_buf_pool_start(create_pool(1024, 1024)));
}

RULE(pool_take, "An element has the requested size, no data, and lies in the map.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, 1000, 0, yes") {
    struct doca_buf_pool *pool = started_pool(4, 1000);
    struct doca_buf *buf;
    size_t len = 0;
    CODE(doca_buf_pool_buf_alloc(pool, &buf));
    REQUIRE(doca_buf_get_len(buf, &len));
    answer_number((long long)len);
    answer_number((long long)data_len(buf));
    answer_flag(offset_of(buf) >= 0 && offset_of(buf) < (long long)MEMORY_SIZE);
}

RULE(pool_order, "The first element has the lowest address, and the next one follows it.", .source = OBSERVED_2_5,
     .answer = "0, 1000") {
    struct doca_buf_pool *pool = started_pool(4, 1000);
    answer_number(offset_of(take(pool)));
    answer_number(offset_of(take(pool)));
}

RULE(pool_alignment, "Elements are aligned as requested.", .source = OBSERVED_2_5, .answer = "SUCCESS, 64, yes, yes") {
    struct doca_buf_pool *pool = create_pool(4, 100);
    size_t alignment = 0;
    CODE(doca_buf_pool_set_element_alignment(pool, 64));
    REQUIRE(doca_buf_pool_get_element_alignment(pool, &alignment));
    answer_number((long long)alignment);
    REQUIRE(doca_buf_pool_start(pool));
    answer_flag(offset_of(take(pool)) % 64 == 0);
    answer_flag(offset_of(take(pool)) % 64 == 0);
}

RULE(pool_alignment_default, "Elements are aligned to 1 unless more is requested.", .source = OBSERVED_2_5,
     .answer = "1") {
    size_t alignment = 0;
    REQUIRE(doca_buf_pool_get_element_alignment(create_pool(4, 100), &alignment));
    answer_number((long long)alignment);
}

RULE(pool_alignment_odd, "An alignment must be a power of two.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    struct doca_buf_pool *pool = create_pool(4, 100);
    CODE(doca_buf_pool_set_element_alignment(pool, 3));
    CODE(doca_buf_pool_set_element_alignment(pool, 0));
}

RULE(pool_alignment_when_started, "The alignment must be set before the start.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE") {
    CODE(doca_buf_pool_set_element_alignment(started_pool(4, 100), 64));
}

RULE(pool_exhausted, "An empty pool returns no element.", .source = OBSERVED_2_5, .answer = "EMPTY") {
    struct doca_buf_pool *pool = started_pool(1, 64);
    struct doca_buf *buf;
    (void)take(pool);
    CODE(doca_buf_pool_buf_alloc(pool, &buf));
}

RULE(pool_reuses_last, "The element that was returned last is the next one to be given out.", .source = OBSERVED_3_0,
     .answer = "64") {
    struct doca_buf_pool *pool = started_pool(4, 64);
    struct doca_buf *first = take(pool);
    struct doca_buf *second = take(pool);
    REQUIRE(doca_buf_dec_refcount(first, NULL));
    REQUIRE(doca_buf_dec_refcount(second, NULL));
    answer_number(offset_of(take(pool)));
}

RULE(pool_keeps_map, "A map with a pool can be destroyed as long as no element is in use.", .source = OBSERVED_3_0,
     .answer = "SUCCESS") {
    (void)started_pool(4, 64);
    CODE(doca_mmap_destroy(map));
}

RULE(pool_counts, "A pool counts its elements and the free ones.", .source = OBSERVED_2_5, .answer = "4, 3, 4") {
    struct doca_buf_pool *pool = started_pool(4, 64);
    uint32_t count;
    struct doca_buf *buf = take(pool);
    REQUIRE(doca_buf_pool_get_num_elements(pool, &count));
    answer_number(count);
    REQUIRE(doca_buf_pool_get_num_free_elements(pool, &count));
    answer_number(count);
    REQUIRE(doca_buf_dec_refcount(buf, NULL));
    REQUIRE(doca_buf_pool_get_num_free_elements(pool, &count));
    answer_number(count);
}

RULE(pool_stop_with_bufs, "A pool can be neither stopped nor destroyed while elements are in use.",
     .source = OBSERVED_2_5, .answer = "IN_USE, IN_USE") {
    struct doca_buf_pool *pool = started_pool(4, 64);
    (void)take(pool);
    CODE(doca_buf_pool_stop(pool));
    CODE(doca_buf_pool_destroy(pool));
}

RULE(pool_life, "A pool is started, stopped and destroyed.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, SUCCESS, SUCCESS") {
    struct doca_buf_pool *pool = create_pool(4, 64);
    CODE(doca_buf_pool_start(pool));
    CODE(doca_buf_pool_stop(pool));
    CODE(doca_buf_pool_destroy(pool));
}

RULE(pool_copy, "DMA copies elements of a pool like other buffers.", .source = OBSERVED_2_5, .answer = "done 1, 64") {
    struct doca_dma *dma = start_dma(1);
    struct doca_mmap *own_map = start_map(memory + 65536, 65536, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    struct doca_buf_pool *pool;
    REQUIRE(doca_buf_pool_create(4, 64, own_map, &pool));
    REQUIRE(doca_buf_pool_start(pool));
    struct doca_buf *dst = take(pool);
    REQUIRE(submit_copy(copy_task(dma, 1, source(0, 64), dst)));
    progress_to(1);
    answer_notes();
    answer_number((long long)data_len(dst));
}

RULE(pool_user_data, "A pool keeps its user data.", .source = OBSERVED_2_5, .answer = "SUCCESS, SUCCESS, 7") {
    struct doca_buf_pool *pool = create_pool(4, 64);
    union doca_data data = {0};
    CODE(doca_buf_pool_set_user_data(pool, data_of(7)));
    CODE(doca_buf_pool_get_user_data(pool, &data));
    answer_number((long long)data.u64);
}

RULE(pool_user_data_when_started, "The user data must be set before the start.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE") {
    CODE(doca_buf_pool_set_user_data(started_pool(4, 64), data_of(7)));
}
