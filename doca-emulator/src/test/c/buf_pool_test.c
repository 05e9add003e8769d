/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_buf_pool.h>

#include "fixture.h"

static _Alignas(64) uint8_t memory[1024];

static struct doca_buf_pool *
create_pool(size_t num_elements, size_t element_size, struct doca_mmap *mmap) {
    struct doca_buf_pool *pool;
    REQUIRE_SUCCESS(doca_buf_pool_create(num_elements, element_size, mmap, &pool));
    return pool;
}

static void
check_place(const struct doca_buf *buf, const void *expected) {
    void *head;
    CHECK_SUCCESS(doca_buf_get_head(buf, &head));
    CHECK_POINTER(expected, head);
}

static void
arguments_are_checked(void) {
    struct doca_mmap *mmap = start_mmap(memory, sizeof(memory), NULL);
    struct doca_buf_pool *pool = create_pool(1, 64, mmap);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_buf_alloc(pool, NULL));
    CHECK_SUCCESS(doca_buf_pool_destroy(pool));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_destroy(pool));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

static void
elements_belong_to_their_pool(void) {
    struct doca_mmap *mmap = start_mmap(memory, 200, NULL);
    struct doca_buf_pool *pool = create_pool(2, 100, mmap);
    struct doca_buf *first;
    struct doca_buf *second;
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_buf_pool_buf_alloc(pool, &first));
    CHECK_SUCCESS(doca_buf_pool_start(pool));
    CHECK_SUCCESS(doca_buf_pool_buf_alloc(pool, &first));
    CHECK_SUCCESS(doca_buf_pool_buf_alloc(pool, &second));
    uint32_t count;
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_destroy(mmap));

    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_buf_inventory_buf_reuse_by_addr(second, memory, 8));
    CHECK_SUCCESS(doca_buf_chain_list(first, second));
    CHECK_SUCCESS(doca_buf_dec_refcount(first, NULL));
    CHECK_SUCCESS(doca_buf_pool_get_num_free_elements(pool, &count));
    CHECK_EQUAL(2, count);

    CHECK_SUCCESS(doca_buf_pool_stop(pool));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_buf_pool_buf_alloc(pool, &first));
    CHECK_SUCCESS(doca_buf_pool_destroy(pool));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

/* Also the first one, in a map that is not. */
static void
elements_are_aligned(void) {
    struct doca_mmap *mmap = start_mmap(memory + 8, 256 - 8, NULL);
    struct doca_buf_pool *pool = create_pool(3, 50, mmap);
    struct doca_buf *bufs[3];
    CHECK_SUCCESS(doca_buf_pool_set_element_alignment(pool, 64));
    CHECK_SUCCESS(doca_buf_pool_start(pool));
    for (size_t i = 0; i < 3; i++) {
        CHECK_SUCCESS(doca_buf_pool_buf_alloc(pool, &bufs[i]));
        check_place(bufs[i], memory + 64 * (i + 1));
    }
    give_back_all(bufs, 3);
    CHECK_SUCCESS(doca_buf_pool_destroy(pool));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

static void
the_map_must_be_large_enough(void) {
    static const struct {
        size_t num_elements;
        size_t element_size;
        size_t alignment;
        doca_error_t result;
    } cases[] = {
        {4, 64, 1, DOCA_SUCCESS},
        {1, 256, 1, DOCA_SUCCESS},
        {1, 257, 1, DOCA_ERROR_INITIALIZATION},
        {5, 64, 1, DOCA_ERROR_INITIALIZATION},
        {4, 65, 1, DOCA_ERROR_INITIALIZATION},
        {3, 65, 64, DOCA_ERROR_INITIALIZATION},
        {2, 65, 64, DOCA_SUCCESS},
        {1, 1, (size_t)1 << 63, DOCA_ERROR_INITIALIZATION},
        {2, SIZE_MAX, 2, DOCA_ERROR_INITIALIZATION},
    };
    struct doca_mmap *mmap = start_mmap(memory, 256, NULL);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct doca_buf_pool *pool = create_pool(cases[i].num_elements, cases[i].element_size, mmap);
        CHECK_SUCCESS(doca_buf_pool_set_element_alignment(pool, cases[i].alignment));
        const doca_error_t result = doca_buf_pool_start(pool);
        if (result != cases[i].result) {
            CHECK_FAILED("case %zu: expected %s, got %s", i, doca_error_get_name(cases[i].result),
                         doca_error_get_name(result));
        }
        CHECK_SUCCESS(doca_buf_pool_destroy(pool));
    }
    struct doca_buf_pool *pool = create_pool(1, 64, mmap);
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_pool_start(pool));
    CHECK_SUCCESS(doca_buf_pool_destroy(pool));
}

int
main(void) {
    arguments_are_checked();
    elements_belong_to_their_pool();
    elements_are_aligned();
    the_map_must_be_large_enough();
    return check_result();
}
