/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define NUM_BUFS 8
#define BUF_LEN 64

static _Alignas(64) uint8_t memory[NUM_BUFS * BUF_LEN];
static struct doca_mmap *mmap;
static struct doca_buf_inventory *inventory;

static struct doca_buf *
take(size_t index) {
    struct doca_buf *buf;
    REQUIRE_SUCCESS(
            doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory + index * BUF_LEN, BUF_LEN, &buf));
    return buf;
}

static uint32_t
count_free(void) {
    uint32_t num_free;
    CHECK_SUCCESS(doca_buf_inventory_get_num_free_elements(inventory, &num_free));
    return num_free;
}

static void
check_data(const struct doca_buf *buf, const void *expected_data, size_t expected_len) {
    void *data;
    size_t data_len;
    CHECK_SUCCESS(doca_buf_get_data(buf, &data));
    CHECK_SUCCESS(doca_buf_get_data_len(buf, &data_len));
    CHECK_POINTER(expected_data, data);
    CHECK_EQUAL(expected_len, data_len);
}

/* Checks that the bufs, up to NULL, are one list in this order. */
static void
check_list(struct doca_buf *const bufs[]) {
    uint32_t len = 0;
    while (bufs[len] != NULL) {
        len++;
    }
    uint32_t list_len;
    CHECK_SUCCESS(doca_buf_get_list_len(bufs[0], &list_len));
    CHECK_EQUAL(len, list_len);
    for (uint32_t i = 0; i < len; i++) {
        struct doca_buf *next;
        struct doca_buf *last;
        uint8_t is_first;
        uint8_t is_last;
        uint8_t is_in_list;
        CHECK_SUCCESS(doca_buf_get_next_in_list(bufs[i], &next));
        CHECK_POINTER(bufs[i + 1], next);
        CHECK_SUCCESS(doca_buf_get_last_in_list(bufs[i], &last));
        CHECK_POINTER(bufs[len - 1], last);
        CHECK_SUCCESS(doca_buf_is_first_in_list(bufs[i], &is_first));
        CHECK_EQUAL(i == 0 ? 2 : 0, is_first);
        CHECK_SUCCESS(doca_buf_is_last_in_list(bufs[i], &is_last));
        CHECK_EQUAL(i == len - 1, is_last);
        CHECK_SUCCESS(doca_buf_is_in_list(bufs[i], &is_in_list));
        CHECK_EQUAL(len > 1, is_in_list);
        /* The length from this element on. */
        CHECK_SUCCESS(doca_buf_get_list_len(bufs[i], &list_len));
        CHECK_EQUAL(len - i, list_len);
    }
}

#define CHECK_LIST(...) check_list((struct doca_buf *const[]){__VA_ARGS__, NULL})

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
    void *head;
    size_t len;
    CHECK_SUCCESS(doca_buf_get_head(buf, &head));
    CHECK_POINTER(start, head);
    CHECK_SUCCESS(doca_buf_get_len(buf, &len));
    CHECK_EQUAL(BUF_LEN, len);
    check_data(buf, start, 0);

    CHECK_SUCCESS(doca_buf_set_data(buf, start + 4, 8));
    check_data(buf, start + 4, 8);
    CHECK_SUCCESS(doca_buf_set_data_len(buf, BUF_LEN - 4));
    check_data(buf, start + 4, BUF_LEN - 4);
    CHECK_SUCCESS(doca_buf_reset_data_len(buf));
    check_data(buf, start + 4, 0);
    CHECK_SUCCESS(doca_buf_set_data(buf, start + BUF_LEN, 0));
    CHECK_SUCCESS(doca_buf_set_data(buf, start, BUF_LEN));

    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data(buf, start, BUF_LEN + 1));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data(buf, start - 1, 2));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data(buf, start + BUF_LEN, 1));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data(buf, start + 1, SIZE_MAX));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data(buf, NULL, 0));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_set_data_len(buf, BUF_LEN + 1));
    check_data(buf, start, BUF_LEN);
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
    CHECK_LIST(a, b, c);
    give_back(a);
}

static void
what_would_become_a_cycle_is_refused(void) {
    struct doca_buf *a = take(0);
    struct doca_buf *b = take(1);
    struct doca_buf *c = take(2);
    struct doca_buf *d = take(3);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_chain_list(a, a));
    CHECK_SUCCESS(doca_buf_chain_list(a, b));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_chain_list(a, b));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_chain_list(b, a));
    CHECK_LIST(a, b);

    CHECK_SUCCESS(doca_buf_chain_list(c, d));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_buf_chain_list(a, d));
    CHECK_LIST(c, d);
    /* Appends to the end of the list that contains the first one. */
    CHECK_SUCCESS(doca_buf_chain_list(b, c));
    CHECK_LIST(a, b, c, d);
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
    what_would_become_a_cycle_is_refused();
    a_list_may_come_from_several_inventories();
    a_stale_or_foreign_handle_is_refused();
    CHECK_EQUAL(NUM_BUFS, count_free());
    tear_down();
    return check_result();
}
