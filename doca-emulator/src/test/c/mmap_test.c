/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

static _Alignas(64) uint8_t memory[4096];

static struct doca_mmap *
create(void) {
    struct doca_mmap *mmap;
    REQUIRE_SUCCESS(doca_mmap_create(&mmap));
    return mmap;
}

static void
arguments_are_checked(void) {
    struct doca_mmap *mmap = create();
    /* The range must end before the last address. */
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_memrange(mmap, memory, UINTPTR_MAX - (uintptr_t)memory + 1));
    CHECK_SUCCESS(doca_mmap_set_memrange(mmap, memory, UINTPTR_MAX - (uintptr_t)memory));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_free_cb(mmap, NULL, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_get_memrange(mmap, NULL, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_get_num_bufs(mmap, NULL));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

static void
a_map_has_room_for_its_devices(void) {
    struct doca_dev *first = open_device("mlx5_0");
    struct doca_dev *second = open_device("mlx5_1");
    struct doca_mmap *mmap = create();
    CHECK_SUCCESS(doca_mmap_add_dev(mmap, first));
    CHECK_SUCCESS(doca_mmap_set_max_num_devices(mmap, 2));
    CHECK_SUCCESS(doca_mmap_add_dev(mmap, second));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_max_num_devices(mmap, 1));
    CHECK_SUCCESS(doca_mmap_rm_dev(mmap, first));
    CHECK_SUCCESS(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    CHECK_SUCCESS(doca_mmap_start(mmap));
    CHECK_SUCCESS(doca_mmap_stop(mmap));
    /* Not even when it is stopped again. */
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_set_max_num_devices(mmap, 3));

    CHECK_SUCCESS(doca_dev_close(first));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_dev_close(second));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_SUCCESS(doca_dev_close(second));
}

static void
thread_safety_gives_up_the_count_of_buffers(void) {
    struct doca_mmap *mmap = create();
    CHECK_SUCCESS(doca_mmap_enable_thread_safety(mmap));
    CHECK_SUCCESS(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    CHECK_SUCCESS(doca_mmap_start(mmap));
    inventory = start_inventory(1);
    struct doca_buf *buf = space_of(mmap, memory, 8);
    uint32_t num_bufs;
    CHECK_SUCCESS(doca_mmap_get_num_bufs(mmap, &num_bufs));
    CHECK_EQUAL(0, num_bufs);
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_SUCCESS(doca_buf_dec_refcount(buf, NULL));
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
}

static void
dmabuf_memory_is_checked_and_not_supported(void) {
    struct doca_mmap *mmap = create();
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_dmabuf_memrange(mmap, -1, memory, 0, 64));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_dmabuf_memrange(mmap, 0, memory, 0, 0));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_mmap_set_dmabuf_memrange(mmap, 0, memory, 0, 64));
    CHECK_SUCCESS(doca_mmap_set_memrange(mmap, memory, 64));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_set_dmabuf_memrange(mmap, 0, memory, 0, 64));
    CHECK_SUCCESS(doca_mmap_start(mmap));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_mmap_set_dmabuf_memrange(mmap, 0, memory, 0, 64));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

static void
a_stale_or_foreign_handle_is_refused(void) {
    struct doca_mmap *mmap = create();
    inventory = start_inventory(1);
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_destroy(mmap));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_start(mmap));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_memrange(mmap, memory, 64));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_start(NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_start((struct doca_mmap *)inventory));
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
}

int
main(void) {
    arguments_are_checked();
    a_map_has_room_for_its_devices();
    thread_safety_gives_up_the_count_of_buffers();
    dmabuf_memory_is_checked_and_not_supported();
    a_stale_or_foreign_handle_is_refused();
    return check_result();
}
