/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

#include "fixture.h"

static _Alignas(64) uint8_t memory[1024];

static void
check_place(const struct doca_buf *buf, const void *head, size_t len, const void *data, size_t data_len) {
    void *actual_head;
    void *actual_data;
    size_t actual_len;
    size_t actual_data_len;
    CHECK_SUCCESS(doca_buf_get_head(buf, &actual_head));
    CHECK_SUCCESS(doca_buf_get_len(buf, &actual_len));
    CHECK_SUCCESS(doca_buf_get_data(buf, &actual_data));
    CHECK_SUCCESS(doca_buf_get_data_len(buf, &actual_data_len));
    CHECK_POINTER(head, actual_head);
    CHECK_EQUAL(len, actual_len);
    CHECK_POINTER(data, actual_data);
    CHECK_EQUAL(data_len, actual_data_len);
}

static void
arguments_are_checked(void) {
    struct doca_mmap *mmap = start_mmap(memory, sizeof(memory), NULL);
    struct doca_buf *buf;
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, doca_buf_inventory_create((size_t)UINT32_MAX + 1, &inventory));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_start(NULL));

    inventory = start_inventory(1);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_buf_get_by_addr(NULL, mmap, memory, 1, &buf));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_buf_get_by_addr(inventory, NULL, memory, 1, &buf));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_buf_get_by_addr(inventory, mmap, NULL, 1, &buf));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 1, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE,
                doca_buf_inventory_buf_get_by_args(inventory, mmap, memory, 1, NULL, 1, &buf));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_buf_dup(inventory, NULL, &buf));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_get_num_elements(inventory, NULL));
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_destroy(inventory));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

static void
a_destroyed_map_is_refused(void) {
    struct doca_mmap *mmap = start_mmap(memory, sizeof(memory), NULL);
    inventory = start_inventory(1);
    struct doca_buf *buf;
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &buf));
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
}

static void
buffers_lie_where_they_were_aimed(void) {
    struct doca_mmap *mmap = start_mmap(memory, sizeof(memory), NULL);
    inventory = start_inventory(3);
    struct doca_buf *by_args;
    CHECK_SUCCESS(
            doca_buf_inventory_buf_get_by_args(inventory, mmap, memory + 8, 16, memory + 10, 4, &by_args));
    CHECK_SUCCESS(doca_buf_inventory_buf_reuse_by_addr(by_args, memory + 64, 32));
    check_place(by_args, memory + 64, 32, memory + 64, 0);
    CHECK_SUCCESS(doca_buf_inventory_buf_reuse_by_data(by_args, memory + 64, 32));
    check_place(by_args, memory + 64, 32, memory + 64, 32);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE,
                doca_buf_inventory_buf_reuse_by_addr(by_args, memory, sizeof(memory) + 1));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_buf_reuse_by_addr(by_args, NULL, 1));
    check_place(by_args, memory + 64, 32, memory + 64, 32);
    CHECK_SUCCESS(doca_buf_dec_refcount(by_args, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_buf_reuse_by_addr(by_args, memory, 1));
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

static void
ranges_must_lie_within_the_map(void) {
    static const struct {
        ptrdiff_t offset;
        size_t len;
        ptrdiff_t data_offset;
        size_t data_len;
        doca_error_t result;
    } cases[] = {
        {256, 512, 256, 512, DOCA_SUCCESS},
        {256, 0, 256, 0, DOCA_SUCCESS},
        {768, 0, 768, 0, DOCA_SUCCESS},
        {767, 1, 768, 0, DOCA_SUCCESS},
        {255, 1, 255, 0, DOCA_ERROR_INVALID_VALUE},
        {255, 513, 256, 512, DOCA_ERROR_INVALID_VALUE},
        {256, 513, 256, 0, DOCA_ERROR_INVALID_VALUE},
        {768, 1, 768, 0, DOCA_ERROR_INVALID_VALUE},
        {769, 0, 769, 0, DOCA_ERROR_INVALID_VALUE},
        {300, SIZE_MAX, 300, 0, DOCA_ERROR_INVALID_VALUE},
        {300, 16, 299, 1, DOCA_ERROR_INVALID_VALUE},
        {300, 16, 300, 17, DOCA_ERROR_INVALID_VALUE},
        {300, 16, 317, 0, DOCA_ERROR_INVALID_VALUE},
        {300, 16, 301, SIZE_MAX, DOCA_ERROR_INVALID_VALUE},
    };
    struct doca_mmap *mmap = start_mmap(memory + 256, 512, NULL);
    inventory = start_inventory(1);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct doca_buf *buf;
        const doca_error_t result =
                doca_buf_inventory_buf_get_by_args(inventory, mmap, memory + cases[i].offset, cases[i].len,
                                                   memory + cases[i].data_offset, cases[i].data_len, &buf);
        if (result != cases[i].result) {
            CHECK_FAILED("case %zu: expected %s, got %s", i, doca_error_get_name(cases[i].result),
                         doca_error_get_name(result));
        }
        if (result == DOCA_SUCCESS) {
            CHECK_SUCCESS(doca_buf_dec_refcount(buf, NULL));
        }
    }
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

static void
a_list_is_duplicated_as_a_whole_or_not_at_all(void) {
    struct doca_mmap *mmap = start_mmap(memory, sizeof(memory), NULL);
    inventory = start_inventory(3);
    struct doca_buf *first = data_of(mmap, memory, 16);
    struct doca_buf *second = data_of(mmap, memory + 32, 16);
    struct doca_buf *copy;
    uint32_t num_free;
    uint32_t num_bufs;
    CHECK_SUCCESS(doca_buf_chain_list(first, second));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_buf_inventory_buf_dup(inventory, second, &copy));
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, doca_buf_inventory_buf_dup(inventory, first, &copy));
    CHECK_SUCCESS(doca_buf_inventory_get_num_free_elements(inventory, &num_free));
    CHECK_EQUAL(1, num_free);
    CHECK_SUCCESS(doca_mmap_get_num_bufs(mmap, &num_bufs));
    CHECK_EQUAL(2, num_bufs);
    CHECK_SUCCESS(doca_buf_dec_refcount(first, NULL));
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

static void
a_duplicate_needs_a_started_inventory_and_map(void) {
    struct doca_mmap *mmap = start_mmap(memory, sizeof(memory), NULL);
    inventory = start_inventory(1);
    struct doca_buf_inventory *idle;
    struct doca_buf *buf;
    struct doca_buf *copy;
    REQUIRE_SUCCESS(doca_buf_inventory_create(1, &idle));
    CHECK_SUCCESS(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 16, &buf));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_buf_inventory_buf_dup(idle, buf, &copy));
    CHECK_SUCCESS(doca_buf_dec_refcount(buf, NULL));
    CHECK_SUCCESS(doca_buf_inventory_destroy(idle));
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

static void
a_started_inventory_expands(void) {
    struct doca_mmap *mmap = start_mmap(memory, sizeof(memory), NULL);
    inventory = start_inventory(1);
    struct doca_buf *bufs[4];
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_expand(inventory, 0));
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, doca_buf_inventory_expand(inventory, UINT32_MAX));
    CHECK_SUCCESS(doca_buf_inventory_expand(inventory, 3));
    for (size_t i = 0; i < 4; i++) {
        bufs[i] = space_of(mmap, memory, 16);
    }
    give_back_all(bufs, 4);
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

static void *
take_and_return(void *shared_mmap) {
    struct doca_buf_inventory *own = start_inventory(2);
    for (int i = 0; i < 10000; i++) {
        struct doca_buf *buf;
        CHECK_SUCCESS(doca_buf_inventory_buf_get_by_data(own, shared_mmap, memory, 16, &buf));
        CHECK_SUCCESS(doca_buf_dec_refcount(buf, NULL));
    }
    CHECK_SUCCESS(doca_buf_inventory_destroy(own));
    return NULL;
}

static void
threads_share_a_map(void) {
    struct doca_mmap *mmap = start_mmap(memory, sizeof(memory), NULL);
    pthread_t threads[4];
    for (size_t i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, take_and_return, mmap);
    }
    for (size_t i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    uint32_t num_bufs;
    CHECK_SUCCESS(doca_mmap_get_num_bufs(mmap, &num_bufs));
    CHECK_EQUAL(0, num_bufs);
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

int
main(void) {
    arguments_are_checked();
    a_destroyed_map_is_refused();
    buffers_lie_where_they_were_aimed();
    ranges_must_lie_within_the_map();
    a_list_is_duplicated_as_a_whole_or_not_at_all();
    a_duplicate_needs_a_started_inventory_and_map();
    a_started_inventory_expands();
    threads_share_a_map();
    return check_result();
}
