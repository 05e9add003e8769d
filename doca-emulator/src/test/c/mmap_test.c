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
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_create(NULL));
    struct doca_mmap *mmap = create();
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_memrange(mmap, NULL, 8));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_memrange(mmap, memory, 0));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_memrange(mmap, memory, SIZE_MAX));
    /* The range must end before the last address. */
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_memrange(mmap, memory, UINTPTR_MAX - (uintptr_t)memory + 1));
    CHECK_SUCCESS(doca_mmap_set_memrange(mmap, memory, UINTPTR_MAX - (uintptr_t)memory));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_max_num_devices(mmap, 0));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_add_dev(mmap, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_rm_dev(mmap, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_free_cb(mmap, NULL, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_get_memrange(mmap, NULL, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_get_num_bufs(mmap, NULL));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

static void
devices_are_added_before_start_and_up_to_the_limit(void) {
    struct doca_dev *first = open_device("mlx5_0");
    struct doca_dev *second = open_device("mlx5_1");
    struct doca_mmap *mmap = create();
    uint32_t max_num_devices;
    CHECK_SUCCESS(doca_mmap_get_max_num_devices(mmap, &max_num_devices));
    CHECK_EQUAL(1, max_num_devices);

    CHECK_SUCCESS(doca_mmap_add_dev(mmap, first));
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, doca_mmap_add_dev(mmap, first));
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, doca_mmap_add_dev(mmap, second));
    CHECK_SUCCESS(doca_mmap_set_max_num_devices(mmap, 2));
    CHECK_ERROR(DOCA_ERROR_ALREADY_EXIST, doca_mmap_add_dev(mmap, first));
    CHECK_SUCCESS(doca_mmap_add_dev(mmap, second));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_set_max_num_devices(mmap, 1));
    CHECK_SUCCESS(doca_mmap_rm_dev(mmap, first));
    CHECK_ERROR(DOCA_ERROR_NOT_FOUND, doca_mmap_rm_dev(mmap, first));

    CHECK_SUCCESS(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    CHECK_SUCCESS(doca_mmap_start(mmap));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_mmap_add_dev(mmap, first));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_mmap_rm_dev(mmap, second));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_set_max_num_devices(mmap, 3));
    CHECK_SUCCESS(doca_mmap_stop(mmap));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_set_max_num_devices(mmap, 3));

    CHECK_SUCCESS(doca_dev_close(first));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_dev_close(second));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_SUCCESS(doca_dev_close(second));
}

static void
buffers_keep_a_map_alive(void) {
    struct doca_mmap *mmap = start_mmap(memory, sizeof(memory), NULL);
    struct doca_buf_inventory *inventory = start_inventory(2);
    struct doca_buf *first;
    struct doca_buf *second;
    uint32_t num_bufs;
    CHECK_SUCCESS(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &first));
    CHECK_SUCCESS(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &second));
    CHECK_SUCCESS(doca_mmap_get_num_bufs(mmap, &num_bufs));
    CHECK_EQUAL(2, num_bufs);
    CHECK_SUCCESS(doca_buf_dec_refcount(first, NULL));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_stop(mmap));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_destroy(mmap));

    CHECK_SUCCESS(doca_buf_dec_refcount(second, NULL));
    CHECK_SUCCESS(doca_mmap_get_num_bufs(mmap, &num_bufs));
    CHECK_EQUAL(0, num_bufs);
    CHECK_SUCCESS(doca_mmap_stop(mmap));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
}

static void
thread_safety_gives_up_the_count_of_buffers(void) {
    struct doca_mmap *mmap = create();
    CHECK_SUCCESS(doca_mmap_enable_thread_safety(mmap));
    CHECK_SUCCESS(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    CHECK_SUCCESS(doca_mmap_start(mmap));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_enable_thread_safety(mmap));

    struct doca_buf_inventory *inventory = start_inventory(1);
    struct doca_buf *buf;
    uint32_t num_bufs;
    CHECK_SUCCESS(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory, 8, &buf));
    CHECK_SUCCESS(doca_mmap_get_num_bufs(mmap, &num_bufs));
    CHECK_EQUAL(0, num_bufs);
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_SUCCESS(doca_buf_dec_refcount(buf, NULL));
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
}

static void
export_checks_all(void) {
    struct doca_dev *dev = open_device("mlx5_0");
    struct doca_dev *other = open_device("mlx5_1");
    struct doca_mmap *mmap = create();
    const void *desc;
    size_t desc_len;
    CHECK_SUCCESS(doca_mmap_add_dev(mmap, dev));
    CHECK_SUCCESS(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    CHECK_SUCCESS(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_ONLY));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_export_pci(mmap, NULL, &desc, &desc_len));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_export_pci(mmap, dev, NULL, &desc_len));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_export_rdma(mmap, dev, &desc, NULL));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_export_pci(mmap, dev, &desc, &desc_len));
    CHECK_SUCCESS(doca_mmap_start(mmap));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_export_rdma(mmap, dev, &desc, &desc_len));
    CHECK_ERROR(DOCA_ERROR_NOT_FOUND, doca_mmap_export_pci(mmap, other, &desc, &desc_len));
    uint8_t flag = 1;
    CHECK_SUCCESS(doca_mmap_get_exported(mmap, &flag));
    CHECK_EQUAL(0, flag);
    CHECK_SUCCESS(doca_mmap_export_pci(mmap, dev, &desc, &desc_len));
    CHECK_SUCCESS(doca_mmap_get_exported(mmap, &flag));
    CHECK_EQUAL(1, flag);

    CHECK_SUCCESS(doca_mmap_stop(mmap));
    CHECK_SUCCESS(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING));
    CHECK_SUCCESS(doca_mmap_start(mmap));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_export_pci(mmap, dev, &desc, &desc_len));
    CHECK_SUCCESS(doca_mmap_stop(mmap));
    CHECK_SUCCESS(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_RDMA_READ));
    CHECK_SUCCESS(doca_mmap_start(mmap));
    CHECK_ERROR(DOCA_ERROR_NOT_FOUND, doca_mmap_export_rdma(mmap, other, &desc, &desc_len));
    CHECK_SUCCESS(doca_mmap_export_rdma(mmap, dev, &desc, &desc_len));
    CHECK_EQUAL(104, desc_len);
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_SUCCESS(doca_dev_close(dev));
    CHECK_SUCCESS(doca_dev_close(other));
}

static void
each_side_of_the_bus_exports_and_imports(void) {
    struct doca_dev *dev = open_device("mlx5_0");
    struct doca_devinfo *devinfo = doca_dev_as_devinfo(dev);
    uint8_t supported = 0;
    CHECK_SUCCESS(doca_mmap_cap_is_export_pci_supported(devinfo, &supported));
    CHECK_EQUAL(1, supported);
    supported = 0;
    CHECK_SUCCESS(doca_mmap_cap_is_create_from_export_pci_supported(devinfo, &supported));
    CHECK_EQUAL(1, supported);
    CHECK_SUCCESS(doca_dev_close(dev));
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
    struct doca_buf_inventory *inventory = start_inventory(1);
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
    devices_are_added_before_start_and_up_to_the_limit();
    buffers_keep_a_map_alive();
    thread_safety_gives_up_the_count_of_buffers();
    export_checks_all();
    each_side_of_the_bus_exports_and_imports();
    dmabuf_memory_is_checked_and_not_supported();
    a_stale_or_foreign_handle_is_refused();
    return check_result();
}
