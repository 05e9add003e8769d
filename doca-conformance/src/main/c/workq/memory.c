/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define THEME "maps and buffers"

RULE(mmap_devices, "A map has one device.", .source = OBSERVED_2_2, .answer = "1, INVALID_VALUE, NO_MEMORY") {
    struct doca_mmap *mmap = configure_map(memory, 4096, DOCA_ACCESS_LOCAL_READ_WRITE);
    uint32_t max = 0;
    REQUIRE(doca_mmap_get_max_num_devices(mmap, &max));
    answer_number(max);
    CODE(doca_mmap_set_max_num_devices(mmap, 0));
    CODE(doca_mmap_dev_add(mmap, dev));
}

RULE(mmap_device_when_started, "The devices of a started map cannot be changed.", .source = OBSERVED_2_2,
     .answer = "BAD_STATE, BAD_STATE, NOT_PERMITTED, BAD_STATE") {
    struct doca_mmap *mmap = start_map(memory, 4096, DOCA_ACCESS_LOCAL_READ_WRITE);
    CODE(doca_mmap_dev_add(mmap, dev));
    CODE(doca_mmap_dev_rm(mmap, dev));
    CODE(doca_mmap_set_max_num_devices(mmap, 2));
    CODE(doca_mmap_set_permissions(mmap, DOCA_ACCESS_LOCAL_READ_ONLY));
}

RULE(mmap_start_twice, "A map may be started again.", .source = OBSERVED_2_2, .answer = "SUCCESS") {
    CODE(doca_mmap_start(start_map(memory, 4096, DOCA_ACCESS_LOCAL_READ_WRITE)));
}

RULE(mmap_start_without_device, "A map may be started without a device.", .source = OBSERVED_2_2, .answer = "SUCCESS") {
    struct doca_mmap *mmap;
    REQUIRE(doca_mmap_create(NULL, &mmap));
    REQUIRE(doca_mmap_set_memrange(mmap, memory, 4096));
    CODE(doca_mmap_start(mmap));
}

RULE(mmap_start_without_range, "A map without a range cannot be started.", .source = OBSERVED_2_2,
     .answer = "BAD_STATE") {
    struct doca_mmap *mmap;
    REQUIRE(doca_mmap_create(NULL, &mmap));
    CODE(doca_mmap_start(mmap));
}

RULE(mmap_range_twice, "The range of a map can be set only once.", .source = OBSERVED_2_2, .answer = "NOT_PERMITTED") {
    CODE(doca_mmap_set_memrange(configure_map(memory, 4096, DOCA_ACCESS_LOCAL_READ_WRITE), memory, 8192));
}

RULE(mmap_permissions, "Some permissions need others, and some do not exist.", .source = OBSERVED_2_2,
     .answer = "0 SUCCESS, 1 SUCCESS, 2 SUCCESS, 4 INVALID_VALUE, 8 INVALID_VALUE, 16 SUCCESS, 32 SUCCESS, 48 "
               "INVALID_VALUE, 64 INVALID_VALUE") {
    static const uint32_t permissions[] = {0, 1, 2, 4, 8, 16, 32, 48, 64};
    for (size_t i = 0; i < sizeof(permissions) / sizeof(permissions[0]); i++) {
        struct doca_mmap *mmap;
        REQUIRE(doca_mmap_create(NULL, &mmap));
        answer("%u %s", permissions[i], code_name(doca_mmap_set_permissions(mmap, permissions[i])));
    }
}

RULE(mmap_export_without_permission, "A map without the permission cannot be exported.", .source = OBSERVED_2_2,
     .answer = "NOT_PERMITTED, NOT_PERMITTED") {
    struct doca_mmap *mmap = start_map(memory, 4096, DOCA_ACCESS_LOCAL_READ_WRITE);
    const void *export;
    size_t size;
    CODE(doca_mmap_export_dpu(mmap, dev, &export, &size));
    CODE(doca_mmap_export_rdma(mmap, dev, &export, &size));
}

RULE(mmap_start_after_export, "An exported map may be started again.", .source = OBSERVED_2_2, .answer = "SUCCESS, 1") {
    const void *export;
    size_t size;
    map_memory();
    REQUIRE(doca_mmap_export_rdma(map, dev, &export, &size));
    CODE(doca_mmap_start(map));
    uint8_t exported = 7;
    REQUIRE(doca_mmap_get_exported(map, &exported));
    answer_number(exported);
}

RULE(mmap_import_damaged, "A damaged export is refused.", .source = OBSERVED_2_2,
     .answer = "INVALID_VALUE, INVALID_VALUE, INVALID_VALUE") {
    const void *export;
    size_t size;
    uint8_t damaged[1024] = {0};
    struct doca_mmap *imported;
    map_memory();
    REQUIRE(doca_mmap_export_rdma(map, dev, &export, &size));
    memcpy(damaged, export, size);
    CODE(doca_mmap_create_from_export(NULL, damaged, size - 1, dev, &imported));
    CODE(doca_mmap_create_from_export(NULL, damaged, size + 1, dev, &imported));
    damaged[size / 2] ^= 0x55;
    CODE(doca_mmap_create_from_export(NULL, damaged, size, dev, &imported));
}

RULE(mmap_imported, "An imported map cannot be changed or exported.", .source = OBSERVED_2_2,
     .answer = "BAD_STATE, BAD_STATE, NOT_PERMITTED, 1") {
    const void *export;
    size_t size;
    struct doca_mmap *imported;
    map_memory();
    REQUIRE(doca_mmap_export_rdma(map, dev, &export, &size));
    REQUIRE(doca_mmap_create_from_export(NULL, export, size, dev, &imported));
    CODE(doca_mmap_set_memrange(imported, memory, 4096));
    CODE(doca_mmap_set_permissions(imported, DOCA_ACCESS_LOCAL_READ_ONLY));
    CODE(doca_mmap_export_rdma(imported, dev, &export, &size));
    uint8_t from_export = 7;
    REQUIRE(doca_mmap_get_from_export(imported, &from_export));
    answer_number(from_export);
}

RULE(mmap_with_bufs, "A map with buffers can be stopped but not destroyed.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, NOT_PERMITTED, SUCCESS") {
    struct doca_buf *buf = source(0, 64);
    CODE(doca_mmap_stop(map));
    CODE(doca_mmap_destroy(map));
    REQUIRE(doca_buf_refcount_rm(buf, NULL));
    CODE(doca_mmap_destroy(map));
}

RULE(inventory_create, "An inventory needs elements and accepts no extensions.", .source = OBSERVED_2_2,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    struct doca_buf_inventory *created;
    CODE(doca_buf_inventory_create(NULL, 0, DOCA_BUF_EXTENSION_NONE, &created));
    CODE(doca_buf_inventory_create(NULL, 1, 2, &created));
}

RULE(inventory_with_bufs, "An inventory with buffers cannot be destroyed.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, NOT_PERMITTED") {
    (void)source(0, 64);
    CODE(doca_buf_inventory_stop(inventory));
    CODE(doca_buf_inventory_destroy(inventory));
}

RULE(buf_refcount, "A buffer has one reference, and removing it returns the count.", .source = OBSERVED_2_2,
     .answer = "1, NOT_SUPPORTED, SUCCESS, 1") {
    struct doca_buf *buf = source(0, 64);
    uint16_t count = 7;
    REQUIRE(doca_buf_get_refcount(buf, &count));
    answer_number(count);
    CODE(doca_buf_refcount_add(buf, &count));
    CODE(doca_buf_refcount_rm(buf, &count));
    answer_number(count);
}

RULE(buf_list_refcount, "Only the head of a list can be returned, and this frees the whole list.",
     .source = OBSERVED_2_2, .answer = "NOT_PERMITTED, SUCCESS, 512") {
    struct doca_buf *head = source(0, 64);
    struct doca_buf *second = source(64, 64);
    uint32_t num_free = 0;
    REQUIRE(doca_buf_list_chain(head, second));
    CODE(doca_buf_refcount_rm(second, NULL));
    CODE(doca_buf_refcount_rm(head, NULL));
    REQUIRE(doca_buf_inventory_get_num_free_elements(inventory, &num_free));
    answer_number(num_free);
}

RULE(buf_dup, "The duplicate of a buffer has the whole list.", .source = OBSERVED_2_2, .answer = "SUCCESS, 3, 64") {
    struct doca_buf *head = source_list(3, 0, 64);
    struct doca_buf *copy;
    uint32_t num_elements = 0;
    CODE(doca_buf_inventory_buf_dup(inventory, head, &copy));
    REQUIRE(doca_buf_list_num_elements(copy, &num_elements));
    answer_number(num_elements);
    answer_number((long long)data_len(copy));
}

static void
answer_buf(size_t offset, size_t len, size_t data_offset, size_t data_len) {
    struct doca_buf *buf;
    map_memory();
    CODE(doca_buf_inventory_buf_by_args(inventory, map, memory + offset, len, memory + data_offset, data_len, &buf));
}

RULE(buf_empty, "A buffer may be empty, except at the very end of its map.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, INVALID_VALUE, SUCCESS") {
    answer_buf(64, 0, 64, 0);
    answer_buf(MEMORY_SIZE, 0, MEMORY_SIZE, 0);
    answer_buf(MEMORY_SIZE - 64, 64, MEMORY_SIZE, 0);
}

RULE(buf_past_the_map, "A buffer cannot extend past its map.", .source = OBSERVED_2_2, .answer = "INVALID_VALUE") {
    answer_buf(MEMORY_SIZE - 64, 65, MEMORY_SIZE - 64, 0);
}

RULE(buf_data_outside, "The library does not check that the data is in the buffer.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, SUCCESS") {
    answer_buf(128, 64, 160, 64);
    answer_buf(128, 64, 64, 64);
}

static struct doca_bufpool *
create_pool(void) {
    struct doca_bufpool *pool;
    struct doca_mmap *mmap = start_map(memory + 8192, 4096, DOCA_ACCESS_LOCAL_READ_WRITE);
    REQUIRE(doca_bufpool_create(NULL, 2, DOCA_BUF_EXTENSION_NONE, 64, 64, mmap, &pool));
    return pool;
}

RULE(pool_order, "A pool returns its lowest buffer first, until it is empty.", .source = OBSERVED_2_2,
     .answer = "0, 64, NO_MEMORY") {
    struct doca_bufpool *pool = create_pool();
    REQUIRE(doca_bufpool_start(pool));
    for (int i = 0; i < 2; i++) {
        struct doca_buf *buf;
        void *head = NULL;
        REQUIRE(doca_bufpool_buf_alloc(pool, &buf));
        REQUIRE(doca_buf_get_head(buf, &head));
        answer_number((uint8_t *)head - (memory + 8192));
    }
    struct doca_buf *third;
    CODE(doca_bufpool_buf_alloc(pool, &third));
}

RULE(pool_counts, "A pool counts its buffers and the free ones.", .source = OBSERVED_2_2, .answer = "2, 1") {
    struct doca_bufpool *pool = create_pool();
    struct doca_buf *buf;
    uint32_t count = 9;
    REQUIRE(doca_bufpool_start(pool));
    REQUIRE(doca_bufpool_buf_alloc(pool, &buf));
    REQUIRE(doca_bufpool_get_num_elements(pool, &count));
    answer_number(count);
    REQUIRE(doca_bufpool_get_num_free_elements(pool, &count));
    answer_number(count);
}

RULE(pool_too_large, "A pool whose buffers do not fit into its map cannot be created.", .source = OBSERVED_2_2,
     .answer = "INVALID_VALUE") {
    struct doca_bufpool *pool;
    map_memory();
    CODE(doca_bufpool_create(NULL, MEMORY_SIZE / 1024 + 1, 0, 1024, 1, map, &pool));
}

RULE(pool_not_started, "A pool that is not started returns no buffers.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, SUCCESS, SUCCESS, SUCCESS, IN_USE") {
    struct doca_bufpool *pool = create_pool();
    struct doca_buf *buf;
    CODE(doca_bufpool_buf_alloc(pool, &buf));
    CODE(doca_bufpool_start(pool));
    CODE(doca_bufpool_stop(pool));
    CODE(doca_bufpool_buf_alloc(pool, &buf));
    CODE(doca_bufpool_destroy(pool));
}

RULE(pool_with_bufs, "Stopping a pool with buffers has no effect: it still returns buffers, and cannot be destroyed.",
     .source = OBSERVED_2_2, .answer = "SUCCESS, IN_USE, SUCCESS") {
    struct doca_bufpool *pool = create_pool();
    struct doca_buf *buf;
    REQUIRE(doca_bufpool_start(pool));
    REQUIRE(doca_bufpool_buf_alloc(pool, &buf));
    CODE(doca_bufpool_stop(pool));
    CODE(doca_bufpool_destroy(pool));
    CODE(doca_bufpool_buf_alloc(pool, &buf));
}

RULE(error_names, "Errors up to 26 have names.", .source = OBSERVED_2_2,
     .answer = "DOCA_ERROR_IN_PROGRESS, Unrecognized error code") {
    answer("%s", doca_get_error_name((doca_error_t)26));
    answer("%s", doca_get_error_name((doca_error_t)27));
}

RULE(pci_compare, "A PCI address must be given in its full form.", .source = OBSERVED_2_2,
     .answer = "INVALID_VALUE, INVALID_VALUE, SUCCESS, 1") {
    static const char *const addresses[] = {"", "3:00.0"};
    char address[DOCA_DEVINFO_PCI_ADDR_SIZE] = {0};
    uint8_t equal = 7;
    for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
        CODE(doca_devinfo_get_is_pci_addr_equal(devinfo(), addresses[i], &equal));
    }
    REQUIRE(doca_devinfo_get_pci_addr_str(devinfo(), address));
    CODE(doca_devinfo_get_is_pci_addr_equal(devinfo(), address, &equal));
    answer_number(equal);
}
