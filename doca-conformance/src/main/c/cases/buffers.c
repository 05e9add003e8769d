/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define THEME "buffers"

RULE(inventory_create_empty, "An inventory has at least one element.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE") {
    struct doca_buf_inventory *empty;
    CODE(doca_buf_inventory_create(0, &empty));
}

RULE(inventory_create_null, "Creating an inventory needs a result pointer.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE") {
    CODE(doca_buf_inventory_create(4, NULL));
}

RULE(inventory_counts, "An inventory counts its elements and the free ones.", .source = OBSERVED_2_5,
     .answer = "4 and 4, 4 and 3, 4 and 4") {
    map_memory();
    inventory = start_inventory(4);
    struct doca_buf *buf = NULL;
    for (int round = 0; round < 3; round++) {
        uint32_t all;
        uint32_t free_ones;
        REQUIRE(doca_buf_inventory_get_num_elements(inventory, &all));
        REQUIRE(doca_buf_inventory_get_num_free_elements(inventory, &free_ones));
        answer("%u and %u", all, free_ones);
        if (round == 0) {
            buf = source(0, 64);
        } else if (round == 1) {
            REQUIRE(doca_buf_dec_refcount(buf, NULL));
        }
    }
}

RULE(inventory_exhausted, "An inventory without free elements gives none.", .source = OBSERVED_2_5,
     .answer = "NO_MEMORY") {
    map_memory();
    inventory = start_inventory(1);
    (void)source(0, 64);
    struct doca_buf *buf;
    CODE(doca_buf_inventory_buf_get_by_args(inventory, map, memory, 64, memory, 64, &buf));
}

RULE(inventory_reuses_slot, "A returned element is the next one to be given out.", .source = OBSERVED_2_5,
     .answer = "yes") {
    struct doca_buf *first = source(0, 64);
    REQUIRE(doca_buf_dec_refcount(first, NULL));
    answer_flag(source(128, 64) == first);
}

RULE(inventory_start_twice, "Starting an inventory twice succeeds.", .source = OBSERVED_2_5, .answer = "SUCCESS") {
    CODE(doca_buf_inventory_start(start_inventory(4)));
}

RULE(inventory_take_not_started, "The library does not check that an inventory is started.", .source = OBSERVED_2_5,
     .answer = "SUCCESS") {
    map_memory();
    struct doca_buf_inventory *idle;
    struct doca_buf *buf;
    REQUIRE(doca_buf_inventory_create(4, &idle));
    CODE(doca_buf_inventory_buf_get_by_args(idle, map, memory, 64, memory, 64, &buf));
}

RULE(inventory_stop_with_bufs, "An inventory can be stopped while elements are in use.", .source = OBSERVED_2_5,
     .answer = "SUCCESS") {
    (void)source(0, 64);
    CODE(doca_buf_inventory_stop(inventory));
}

RULE(inventory_take_after_stop, "A stopped inventory still gives elements.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, SUCCESS") {
    map_memory();
    struct doca_buf *buf;
    CODE(doca_buf_inventory_stop(inventory));
    CODE(doca_buf_inventory_buf_get_by_args(inventory, map, memory, 64, memory, 64, &buf));
}

RULE(inventory_destroy_with_bufs, "An inventory cannot be destroyed while elements are in use.", .source = OBSERVED_2_5,
     .answer = "IN_USE, SUCCESS") {
    struct doca_buf *buf = source(0, 64);
    CODE(doca_buf_inventory_destroy(inventory));
    REQUIRE(doca_buf_dec_refcount(buf, NULL));
    CODE(doca_buf_inventory_destroy(inventory));
}

RULE(inventory_user_data, "An inventory keeps its user data.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, SUCCESS, 7") {
    struct doca_buf_inventory *idle;
    union doca_data data = {0};
    REQUIRE(doca_buf_inventory_create(4, &idle));
    CODE(doca_buf_inventory_set_user_data(idle, data_of(7)));
    CODE(doca_buf_inventory_get_user_data(idle, &data));
    answer_number((long long)data.u64);
}

RULE(inventory_expand, "A started inventory can be expanded.", .source = OBSERVED_3_0, .since = 300, .answer = "SUCCESS, 8") {
    map_memory();
    struct doca_buf_inventory *small = start_inventory(4);
    uint32_t free_ones = 0;
    CODE(doca_buf_inventory_expand(small, 4));
    REQUIRE(doca_buf_inventory_get_num_free_elements(small, &free_ones));
    answer_number(free_ones);
}

RULE(inventory_expand_not_started, "An inventory can be expanded only when it is started.", .source = OBSERVED_3_0,
     .since = 300, .answer = "BAD_STATE") {
    struct doca_buf_inventory *idle;
    REQUIRE(doca_buf_inventory_create(4, &idle));
    CODE(doca_buf_inventory_expand(idle, 4));
}

RULE(buf_outside_map, "The library does not check that a buffer lies in its map.", .source = OBSERVED_2_5,
     .answer = "SUCCESS") {
    map_memory();
    struct doca_buf *buf;
    CODE(doca_buf_inventory_buf_get_by_args(inventory, map, memory + MEMORY_SIZE - 32, 64, memory, 0, &buf));
}

RULE(buf_of_idle_map, "A buffer can be taken before its map is started.", .source = OBSERVED_2_5, .answer = "SUCCESS") {
    map_memory();
    struct doca_mmap *idle = configure_map(memory, MEMORY_SIZE, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    struct doca_buf *buf;
    CODE(doca_buf_inventory_buf_get_by_args(inventory, idle, memory, 64, memory, 64, &buf));
}

RULE(buf_by_args, "A buffer has the range and the data that it was taken with.", .source = OBSERVED_2_5,
     .answer = "0, 1000, 100, 50") {
    map_memory();
    struct doca_buf *buf;
    void *head;
    void *data;
    size_t len;
    REQUIRE(doca_buf_inventory_buf_get_by_args(inventory, map, memory, 1000, memory + 100, 50, &buf));
    REQUIRE(doca_buf_get_head(buf, &head));
    REQUIRE(doca_buf_get_len(buf, &len));
    REQUIRE(doca_buf_get_data(buf, &data));
    answer_number((uint8_t *)head - memory);
    answer_number((long long)len);
    answer_number((uint8_t *)data - memory);
    answer_number((long long)data_len(buf));
}

RULE(buf_set_data, "The data segment can be moved within the buffer.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, 200, 30") {
    struct doca_buf *buf = source(0, 1000);
    void *data;
    CODE(doca_buf_set_data(buf, memory + 200, 30));
    REQUIRE(doca_buf_get_data(buf, &data));
    answer_number((uint8_t *)data - memory);
    answer_number((long long)data_len(buf));
}

RULE(buf_set_data_outside, "The library does not check that the data lies in the buffer.", .source = OBSERVED_2_5,
     .answer = "SUCCESS") {
    CODE(doca_buf_set_data(source(0, 64), memory + 32, 64));
}

RULE(buf_set_data_len, "The length of the data can be set separately.", .source = OBSERVED_3_0, .since = 210,
     .answer = "SUCCESS, 30") {
    struct doca_buf *buf = source(0, 1000);
    CODE(doca_buf_set_data_len(buf, 30));
    answer_number((long long)data_len(buf));
}

RULE(buf_reset_data_len, "A reset empties the data and keeps its position.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, 100, 0") {
    struct doca_buf *buf = source(0, 1000);
    void *data;
    REQUIRE(doca_buf_set_data(buf, memory + 100, 30));
    CODE(doca_buf_reset_data_len(buf));
    REQUIRE(doca_buf_get_data(buf, &data));
    answer_number((uint8_t *)data - memory);
    answer_number((long long)data_len(buf));
}

RULE(buf_refcount, "A new buffer has one reference; incrementing and decrementing return the previous count.",
     .source = OBSERVED_2_5, .answer = "1, SUCCESS, 1, 2, SUCCESS, 2, 1") {
    struct doca_buf *buf = source(0, 64);
    uint16_t count = 9;
    REQUIRE(doca_buf_get_refcount(buf, &count));
    answer_number(count);
    CODE(doca_buf_inc_refcount(buf, &count));
    answer_number(count);
    REQUIRE(doca_buf_get_refcount(buf, &count));
    answer_number(count);
    CODE(doca_buf_dec_refcount(buf, &count));
    answer_number(count);
    REQUIRE(doca_buf_get_refcount(buf, &count));
    answer_number(count);
}

RULE(buf_dec_without_result, "Decrementing needs no pointer for the count.", .source = OBSERVED_3_0, .answer = "SUCCESS") {
    CODE(doca_buf_dec_refcount(source(0, 64), NULL));
}

RULE(buf_dec_last, "The last reference returns the buffer to the inventory.", .source = OBSERVED_2_5,
     .answer = "511, SUCCESS, 1, 512") {
    struct doca_buf *buf = source(0, 64);
    uint32_t free_ones;
    uint16_t count = 9;
    REQUIRE(doca_buf_inventory_get_num_free_elements(inventory, &free_ones));
    answer_number(free_ones);
    CODE(doca_buf_dec_refcount(buf, &count));
    answer_number(count);
    REQUIRE(doca_buf_inventory_get_num_free_elements(inventory, &free_ones));
    answer_number(free_ones);
}

RULE(buf_dup, "A duplicate has the range and the data of the original, and its own reference count.",
     .source = OBSERVED_2_5, .answer = "SUCCESS, no, 50, 1") {
    map_memory();
    struct doca_buf *buf;
    struct doca_buf *copy = NULL;
    uint16_t count = 9;
    REQUIRE(doca_buf_inventory_buf_get_by_args(inventory, map, memory, 1000, memory + 100, 50, &buf));
    CODE(doca_buf_inventory_buf_dup(inventory, buf, &copy));
    answer_flag(copy == buf);
    answer_number((long long)data_len(copy));
    REQUIRE(doca_buf_get_refcount(copy, &count));
    answer_number(count);
}

RULE(buf_dup_list, "A duplicate of a list is a list.", .source = OBSERVED_2_5, .answer = "3") {
    struct doca_buf *head = source_list(3, 0, 64, 100);
    struct doca_buf *copy = NULL;
    uint32_t len = 0;
    REQUIRE(doca_buf_inventory_buf_dup(inventory, head, &copy));
    REQUIRE(doca_buf_get_list_len(copy, &len));
    answer_number(len);
}

RULE(buf_reuse, "A buffer can be set to another range of its map.", .source = HEADER, .since = 302,
     .answer = "SUCCESS, 4096, 200, 4106, 20") {
    struct doca_buf *buf = source(0, 64);
    void *head;
    void *data;
    size_t len;
    CODE(doca_buf_inventory_buf_reuse_by_args(buf, memory + 4096, 200, memory + 4106, 20));
    REQUIRE(doca_buf_get_head(buf, &head));
    REQUIRE(doca_buf_get_len(buf, &len));
    REQUIRE(doca_buf_get_data(buf, &data));
    answer_number((uint8_t *)head - memory);
    answer_number((long long)len);
    answer_number((uint8_t *)data - memory);
    answer_number((long long)data_len(buf));
}
