/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of memory maps, buffers, inventories, pools and arrays that differ from those of the current ABI; errors and
 * the version.
 */
#include <doca_buf_array.h>
#include <doca_bufpool.h>
#include <doca_rdma_bridge.h>
#include <doca_version.h>

#include "fixture.h"

static void
check_user_data(void) {
    const union doca_data user_data = {.u64 = 77};
    union doca_data stored = {.u64 = 0};
    struct doca_mmap *mmap;
    struct doca_buf_inventory *named;
    REQUIRE_SUCCESS(doca_mmap_create(&user_data, &mmap));
    CHECK_SUCCESS(doca_mmap_get_user_data(mmap, &stored));
    CHECK_EQUAL(77, stored.u64);
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    REQUIRE_SUCCESS(doca_buf_inventory_create(&user_data, 8, DOCA_BUF_EXTENSION_NONE, &named));
    stored.u64 = 0;
    CHECK_SUCCESS(doca_buf_inventory_get_user_data(named, &stored));
    CHECK_EQUAL(77, stored.u64);
    CHECK_SUCCESS(doca_buf_inventory_destroy(named));
}

/* Only a host exports to the other side of the bus. */
static void
check_export_of_host(void) {
    const void *export;
    size_t len;
    struct doca_mmap *imported;
    uint8_t supported = 0;
    set_up(DOCA_ACCESS_LOCAL_READ_WRITE | DOCA_ACCESS_DPU_READ_WRITE);
    CHECK_SUCCESS(doca_devinfo_get_is_mmap_export_dpu_supported(doca_dev_as_devinfo(dev), &supported));
    CHECK_EQUAL(1, supported);
    CHECK_SUCCESS(doca_devinfo_get_is_mmap_from_export_dpu_supported(doca_dev_as_devinfo(dev), &supported));
    CHECK_EQUAL(0, supported);
    CHECK_SUCCESS(doca_mmap_export_dpu(memory_map, dev, &export, &len));
    CHECK(len >= 219 && len <= 222);
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_mmap_create_from_export(NULL, export, len, dev, &imported));
    tear_down();
}

/* Errors that differ in later releases. */
static void
check_errors(void) {
    struct doca_dev *other_dev = open_device(1);
    struct doca_mmap *mmap;
    const void *export;
    size_t len;
    REQUIRE_SUCCESS(doca_mmap_create(NULL, &mmap));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_dev_rm(mmap, dev));
    CHECK_SUCCESS(doca_mmap_dev_add(mmap, dev));
    CHECK_SUCCESS(doca_mmap_set_memrange(mmap, memory, MEMORY_SIZE));
    CHECK_SUCCESS(doca_mmap_set_permissions(mmap, DOCA_ACCESS_LOCAL_READ_WRITE | DOCA_ACCESS_RDMA_READ |
                                                      DOCA_ACCESS_DPU_READ_WRITE));
    CHECK_SUCCESS(doca_mmap_start(mmap));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_export_dpu(mmap, other_dev, &export, &len));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_mmap_export_dpu(mmap, dev, &export, &len));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_export_rdma(mmap, other_dev, &export, &len));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_SUCCESS(doca_dev_close(other_dev));
}

static void
check_lists(void) {
    struct doca_buf *first = take(0, 16, 16);
    struct doca_buf *second = take(16, 16, 16);
    struct doca_buf *found = NULL;
    bool flag = false;
    uint32_t num_elements = 0;
    CHECK_SUCCESS(doca_buf_list_chain(first, second));
    CHECK_SUCCESS(doca_buf_list_is_first(first, &flag));
    CHECK(flag);
    CHECK_SUCCESS(doca_buf_list_is_last(first, &flag));
    CHECK(!flag);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_list_is_last(first, NULL));
    CHECK_SUCCESS(doca_buf_list_next(first, &found));
    CHECK_POINTER(second, found);
    CHECK_SUCCESS(doca_buf_list_num_elements(first, &num_elements));
    CHECK_EQUAL(2, num_elements);
    CHECK_SUCCESS(doca_buf_list_unchain(first, second));
    give_back(first);
    give_back(second);
}

static void
check_array(void) {
    struct doca_buf_arr *array;
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_arr_create(NULL, &array));
    REQUIRE_SUCCESS(doca_buf_arr_create(memory_map, &array));
    CHECK_SUCCESS(doca_buf_arr_set_params(array, 64, 4, 0));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_arr_set_params(array, 0, 4, 0));
    CHECK_SUCCESS(doca_buf_arr_destroy(array));
}

static void
check_bridge(void) {
    struct doca_buf *buf = take(0, 16, 16);
    struct ibv_pd *pd;
    uint32_t mkey = 0;
    CHECK_SUCCESS(doca_buf_get_mkey(buf, dev, &mkey));
    CHECK(mkey != 0);
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_dev_get_pd(dev, &pd));
    give_back(buf);
}

static void
check_texts(void) {
    CHECK_STRING("2.2.0080", doca_version_runtime());
    CHECK_STRING("2.2.0080", doca_version());
    CHECK_STRING("Unknown error", doca_get_error_string(DOCA_ERROR_UNKNOWN));
    CHECK_STRING("Unrecognized error code", doca_get_error_string((doca_error_t)27));
}

/* These libraries support one release only. */
static void
check_other_release(void) {
    struct doca_devinfo **list;
    uint32_t num_devices;
    CHECK_ERROR((doca_error_t)29, doca_devinfo_list_create(&list, &num_devices));
}

int
main(void) {
    check_with_environment("DOCA_EMULATOR_RELEASE", "3.0", check_other_release);
    check_with_environment("DOCA_EMULATOR_ROLE", "host", check_export_of_host);
    set_up(DOCA_ACCESS_LOCAL_READ_WRITE);
    check_user_data();
    check_errors();
    check_lists();
    check_array();
    check_bridge();
    check_texts();
    tear_down();
    return check_result();
}
