/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define THEME "lists of buffers"

static uint32_t
list_len(const struct doca_buf *buf) {
    uint32_t len = 0;
    REQUIRE(doca_buf_get_list_len(buf, &len));
    return len;
}

static unsigned
free_elements(void) {
    uint32_t count = 0;
    REQUIRE(doca_buf_inventory_get_num_free_elements(inventory, &count));
    return count;
}

RULE(list_of_one, "A single buffer is a list of one: it is first, which is a 2, and last, and counts as in no list.",
     .source = OBSERVED_2_5, .answer = "1, 2, yes, no, none") {
    struct doca_buf *buf = source(0, 64);
    uint8_t first = 9;
    uint8_t last = 9;
    uint8_t in_list = 9;
    struct doca_buf *next = buf;
    REQUIRE(doca_buf_is_first_in_list(buf, &first));
    REQUIRE(doca_buf_is_last_in_list(buf, &last));
    REQUIRE(doca_buf_is_in_list(buf, &in_list));
    REQUIRE(doca_buf_get_next_in_list(buf, &next));
    answer_number(list_len(buf));
    answer_number(first);
    answer_flag(last != 0);
    answer_flag(in_list != 0);
    answer("%s", next == NULL ? "none" : "some");
}

RULE(list_chain, "Chaining appends the second list to the first.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, 3, yes, yes") {
    struct doca_buf *first = source(0, 64);
    struct doca_buf *second = source(100, 64);
    struct doca_buf *third = source(200, 64);
    REQUIRE(doca_buf_chain_list(second, third));
    CODE(doca_buf_chain_list(first, second));
    answer_number(list_len(first));
    struct doca_buf *buf;
    REQUIRE(doca_buf_get_next_in_list(first, &buf));
    answer_flag(buf == second);
    REQUIRE(doca_buf_get_last_in_list(first, &buf));
    answer_flag(buf == third);
}

RULE(list_positions, "Elements of a list return their position.", .source = OBSERVED_2_5,
     .answer = "first in list, in list, last in list") {
    struct doca_buf *buf = source_list(3, 0, 64, 100);
    while (buf != NULL) {
        uint8_t first;
        uint8_t last;
        uint8_t in_list;
        REQUIRE(doca_buf_is_first_in_list(buf, &first));
        REQUIRE(doca_buf_is_last_in_list(buf, &last));
        REQUIRE(doca_buf_is_in_list(buf, &in_list));
        answer("%s%s%s", first != 0 ? "first " : "", last != 0 ? "last " : "", in_list != 0 ? "in list" : "");
        REQUIRE(doca_buf_get_next_in_list(buf, &buf));
    }
}

RULE(list_len_of_element, "An inner element returns the length of its list from there on.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, 2") {
    struct doca_buf *head = source_list(3, 0, 64, 100);
    struct doca_buf *second;
    uint32_t len = 0;
    REQUIRE(doca_buf_get_next_in_list(head, &second));
    CODE(doca_buf_get_list_len(second, &len));
    answer_number(len);
}

RULE(list_free, "Dropping the last reference of the head returns the whole list.", .source = OBSERVED_3_0,
     .answer = "509, SUCCESS, 512") {
    struct doca_buf *head = source_list(3, 0, 64, 100);
    answer_number(free_elements());
    CODE(doca_buf_dec_refcount(head, NULL));
    answer_number(free_elements());
}

RULE(list_free_element, "An element that is not the head cannot be returned.", .source = OBSERVED_2_5,
     .answer = "NOT_PERMITTED") {
    struct doca_buf *second;
    REQUIRE(doca_buf_get_next_in_list(source_list(3, 0, 64, 100), &second));
    CODE(doca_buf_dec_refcount(second, NULL));
}

RULE(list_count_element, "Only the head counts references.", .source = OBSERVED_2_5, .answer = "NOT_PERMITTED") {
    struct doca_buf *second;
    uint16_t count;
    REQUIRE(doca_buf_get_next_in_list(source_list(3, 0, 64, 100), &second));
    CODE(doca_buf_inc_refcount(second, &count));
}

RULE(list_chain_second_referenced, "The second list must have one reference.", .source = OBSERVED_2_5,
     .answer = "NOT_PERMITTED") {
    struct doca_buf *first = source(0, 64);
    struct doca_buf *second = source(100, 64);
    REQUIRE(doca_buf_inc_refcount(second, NULL));
    CODE(doca_buf_chain_list(first, second));
}

RULE(list_chain_element, "A list can be appended to the list of an inner element.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, 4") {
    struct doca_buf *head = source_list(3, 0, 64, 100);
    struct doca_buf *second;
    REQUIRE(doca_buf_get_next_in_list(head, &second));
    CODE(doca_buf_chain_list(second, source(1000, 64)));
    answer_number(list_len(head));
}

RULE(list_chain_inner_element, "The library does not check that the second buffer is the head of a list.",
     .source = OBSERVED_3_0, .answer = "SUCCESS, 3") {
    struct doca_buf *second;
    REQUIRE(doca_buf_get_next_in_list(source_list(3, 0, 64, 100), &second));
    struct doca_buf *other = source(1000, 64);
    CODE(doca_buf_chain_list(other, second));
    answer_number(list_len(other));
}

RULE(list_unchain, "A list can be cut before an element, which becomes a head with one reference.",
     .source = OBSERVED_2_5, .answer = "SUCCESS, 1, 2, 1") {
    struct doca_buf *head = source_list(3, 0, 64, 100);
    struct doca_buf *second;
    uint16_t count = 9;
    REQUIRE(doca_buf_get_next_in_list(head, &second));
    CODE(doca_buf_unchain_list(head, second));
    answer_number(list_len(head));
    answer_number(list_len(second));
    REQUIRE(doca_buf_get_refcount(second, &count));
    answer_number(count);
}

RULE(list_unchain_other, "A list cannot be cut before an element of another list.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE") {
    CODE(doca_buf_unchain_list(source_list(3, 0, 64, 100), source(1000, 64)));
}

RULE(list_chain_tail, "A list whose tail is given is chained without a walk.", .source = OBSERVED_3_0, .since = 210,
     .answer = "SUCCESS, 4") {
    struct doca_buf *head = source_list(3, 0, 64, 100);
    struct doca_buf *tail;
    REQUIRE(doca_buf_get_last_in_list(head, &tail));
    CODE(doca_buf_chain_list_tail(head, tail, source(1000, 64)));
    answer_number(list_len(head));
}

RULE(list_of_two_maps, "The elements of a list may belong to several maps.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, done 1, yes") {
    static uint8_t other[4096] __attribute__((aligned(4096)));
    memset(other, 0x33, sizeof(other));
    struct doca_dma *dma = start_dma(1);
    struct doca_mmap *other_map = start_map(other, sizeof(other), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    struct doca_buf *head = source(0, 64);
    CODE(doca_buf_chain_list(head, source_of(other_map, other, 64)));
    REQUIRE(submit_copy(copy_task(dma, 1, head, target(8192, 128))));
    progress_to(1);
    answer_notes();
    answer_flag(is_copied(0, 8192, 64) && memcmp(memory + 8256, other, 64) == 0);
}

RULE(list_empty_element, "An empty element in a source list fails the copy.", .source = OBSERVED_2_5,
     .answer = "IO_FAILED") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *head = source(0, 64);
    REQUIRE(doca_buf_chain_list(head, target(100, 64)));
    struct doca_dma_task_memcpy *task = copy_task(dma, 1, head, target(8192, 128));
    REQUIRE(submit_copy(task));
    progress_to(1);
    CODE(doca_task_get_status(as_task(task)));
}
