/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define NUM_BUFS 8
#define BUF_LEN 64

static _Alignas(64) uint8_t memory[NUM_BUFS * BUF_LEN];
static struct doca_mmap *mmap;

static struct doca_buf *
take(size_t index) {
    return space_of(mmap, memory + index * BUF_LEN, BUF_LEN);
}

static uint32_t
count_free(void) {
    uint32_t num_free;
    CHECK_SUCCESS(doca_buf_inventory_get_num_free_elements(inventory, &num_free));
    return num_free;
}

static void
check_list_len(const struct doca_buf *head, uint32_t expected) {
    uint32_t len;
    CHECK_SUCCESS(doca_buf_get_list_len(head, &len));
    CHECK_EQUAL(expected, len);
}

static void
there_is_a_highest_number_of_references(void) {
    struct doca_buf *buf = take(0);
    for (int i = 1; i < UINT16_MAX; i++) {
        CHECK_SUCCESS(doca_buf_inc_refcount(buf, NULL));
    }
    CHECK_ERROR(DOCA_ERROR_TOO_BIG, doca_buf_inc_refcount(buf, NULL));
    for (int i = 0; i < UINT16_MAX; i++) {
        CHECK_SUCCESS(doca_buf_dec_refcount(buf, NULL));
    }
    CHECK_EQUAL(NUM_BUFS, count_free());
}

static void
data_lies_within_the_buffer(void) {
    struct doca_buf *buf = take(1);
    uint8_t *start = memory + BUF_LEN;
    CHECK_SUCCESS(doca_buf_set_data_len(buf, BUF_LEN));
    CHECK_SUCCESS(doca_buf_set_data(buf, start + BUF_LEN, 0));
    CHECK_SUCCESS(doca_buf_set_data(buf, start, BUF_LEN));

    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data(buf, start, BUF_LEN + 1));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data(buf, start - 1, 2));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data(buf, start + BUF_LEN, 1));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data(buf, start + 1, SIZE_MAX));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data(buf, NULL, 0));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data_len(buf, BUF_LEN + 1));
    CHECK_EQUAL(BUF_LEN, data_len_of(buf));

    /* The length keeps the place of the data. */
    CHECK_SUCCESS(doca_buf_set_data(buf, start + 1, 0));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data_len(buf, BUF_LEN));
    give_back(buf);
}

static void
a_list_is_extended_at_its_known_tail(void) {
    struct doca_buf *a = take(0);
    struct doca_buf *b = take(1);
    struct doca_buf *c = take(2);
    CHECK_SUCCESS(doca_buf_chain_list_tail(a, a, b));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_chain_list_tail(a, a, c));
    CHECK_SUCCESS(doca_buf_chain_list_tail(a, b, c));
    check_list_len(a, 3);
    give_back(a);
}

static void
check_last(struct doca_buf *expected, struct doca_buf *buf) {
    struct doca_buf *last;
    CHECK_SUCCESS(doca_buf_get_last_in_list(buf, &last));
    CHECK_POINTER(expected, last);
}

static void
both_parts_of_a_list_know_their_last_element(void) {
    struct doca_buf *a = take(0);
    struct doca_buf *b = take(1);
    struct doca_buf *c = take(2);
    CHECK_SUCCESS(doca_buf_chain_list(a, b));
    CHECK_SUCCESS(doca_buf_chain_list(a, c));
    CHECK_SUCCESS(doca_buf_unchain_list(a, b));
    check_last(a, a);
    check_last(c, b);
    give_back(a);
    give_back(b);
}

static void
an_element_of_a_copy_belongs_to_the_list_of_the_copy(void) {
    struct doca_buf *list = take(0);
    struct doca_buf *copy;
    struct doca_buf *second;
    CHECK_SUCCESS(doca_buf_chain_list(list, take(1)));
    CHECK_SUCCESS(doca_buf_inventory_buf_dup(inventory, list, &copy));
    CHECK_SUCCESS(doca_buf_get_next_in_list(copy, &second));
    check_last(second, copy);
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_buf_chain_list(list, second));
    give_back(copy);
    give_back(list);
}

static void
what_would_become_a_cycle_is_refused(void) {
    struct doca_buf *a = take(0);
    struct doca_buf *b = take(1);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_chain_list(a, a));
    CHECK_SUCCESS(doca_buf_chain_list(a, b));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_chain_list(a, b));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_chain_list(b, a));
    check_list_len(a, 2);
    give_back(a);
}

static void
a_list_may_come_from_several_inventories(void) {
    struct doca_buf_inventory *other = start_inventory(1);
    struct doca_buf *a = take(0);
    struct doca_buf *b;
    CHECK_SUCCESS(doca_buf_inventory_buf_get_by_addr(other, mmap, memory, BUF_LEN, &b));
    CHECK_SUCCESS(doca_buf_chain_list(a, b));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_buf_inventory_destroy(other));
    give_back(a);
    CHECK_EQUAL(NUM_BUFS, count_free());
    CHECK_SUCCESS(doca_buf_inventory_destroy(other));
}

static void
a_stale_or_foreign_handle_is_refused(void) {
    struct doca_buf *buf = take(0);
    void *data;
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_get_data(buf, NULL));
    give_back(buf);
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_buf_dec_refcount(buf, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_get_data(buf, &data));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data(buf, memory, 0));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_inc_refcount(buf, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_get_data(NULL, &data));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_get_data((struct doca_buf *)mmap, &data));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_dec_refcount((struct doca_buf *)mmap, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_dec_refcount(NULL, NULL));
}

static void
set_up(void) {
    mmap = start_mmap(memory, sizeof(memory), NULL);
    inventory = start_inventory(NUM_BUFS);
}

static void
tear_down(void) {
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

int
main(void) {
    set_up();
    there_is_a_highest_number_of_references();
    data_lies_within_the_buffer();
    a_list_is_extended_at_its_known_tail();
    both_parts_of_a_list_know_their_last_element();
    an_element_of_a_copy_belongs_to_the_list_of_the_copy();
    what_would_become_a_cycle_is_refused();
    a_list_may_come_from_several_inventories();
    a_stale_or_foreign_handle_is_refused();
    CHECK_EQUAL(NUM_BUFS, count_free());
    tear_down();
    return check_result();
}
