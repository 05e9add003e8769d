/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define THEME "memory maps"

static uint8_t range[65536] __attribute__((aligned(4096)));

static struct doca_mmap *
create_map(void) {
    open_device();
    struct doca_mmap *mmap;
    REQUIRE(doca_mmap_create(&mmap));
    return mmap;
}

static struct doca_mmap *
started_map(void) {
    return start_map(range, sizeof(range), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
}

RULE(mmap_create_null, "Creating a map needs a result pointer.", .source = OBSERVED_2_5, .answer = "INVALID_VALUE") {
    CODE(doca_mmap_create(NULL));
}

RULE(mmap_destroy_null, "Destroying NULL is refused.", .source = OBSERVED_2_5, .answer = "INVALID_VALUE") {
    CODE(doca_mmap_destroy(NULL));
}

RULE(mmap_life, "A map is created, given a device and a range, started, stopped and destroyed.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, SUCCESS, SUCCESS, SUCCESS, SUCCESS") {
    struct doca_mmap *mmap = create_map();
    CODE(doca_mmap_add_dev(mmap, dev));
    CODE(doca_mmap_set_memrange(mmap, range, sizeof(range)));
    CODE(doca_mmap_start(mmap));
    CODE(doca_mmap_stop(mmap));
    CODE(doca_mmap_destroy(mmap));
}

RULE(mmap_destroy_started, "A started map can be destroyed without a stop.", .source = OBSERVED_2_5,
     .answer = "SUCCESS") {
    CODE(doca_mmap_destroy(started_map()));
}

RULE(mmap_start_without_range, "A map without a range cannot be started.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE") {
    struct doca_mmap *mmap = create_map();
    REQUIRE(doca_mmap_add_dev(mmap, dev));
    CODE(doca_mmap_start(mmap));
}

RULE(mmap_start_without_device, "A map without a device can be started.", .source = OBSERVED_2_5, .answer = "SUCCESS") {
    struct doca_mmap *mmap = create_map();
    REQUIRE(doca_mmap_set_memrange(mmap, range, sizeof(range)));
    CODE(doca_mmap_start(mmap));
}

RULE(mmap_start_twice, "Starting a started map succeeds.", .source = OBSERVED_2_5, .answer = "SUCCESS") {
    CODE(doca_mmap_start(started_map()));
}

RULE(mmap_stop_twice, "Stopping a map that is not started succeeds.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, SUCCESS") {
    struct doca_mmap *mmap = started_map();
    CODE(doca_mmap_stop(mmap));
    CODE(doca_mmap_stop(mmap));
}

RULE(mmap_restart, "A stopped map can be started again.", .source = OBSERVED_2_5, .answer = "SUCCESS, SUCCESS") {
    struct doca_mmap *mmap = started_map();
    CODE(doca_mmap_stop(mmap));
    CODE(doca_mmap_start(mmap));
}

RULE(mmap_range_twice, "The range can be set only once.", .source = OBSERVED_2_5, .answer = "SUCCESS, NOT_PERMITTED") {
    struct doca_mmap *mmap = create_map();
    CODE(doca_mmap_set_memrange(mmap, range, 4096));
    CODE(doca_mmap_set_memrange(mmap, range, sizeof(range)));
}

RULE(mmap_range_arguments, "A range has an address and a length.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    CODE(doca_mmap_set_memrange(create_map(), NULL, 4096));
    CODE(doca_mmap_set_memrange(create_map(), range, 0));
}

RULE(mmap_range_overflow, "A range cannot extend beyond the address space.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE") {
    CODE(doca_mmap_set_memrange(create_map(), range, SIZE_MAX));
}

RULE(mmap_range_when_started, "The range must be set before the start.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE") {
    CODE(doca_mmap_set_memrange(started_map(), range, 4096));
}

RULE(mmap_range_unaligned, "A range may begin at any address and have one byte.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, SUCCESS") {
    struct doca_mmap *mmap = create_map();
    REQUIRE(doca_mmap_add_dev(mmap, dev));
    CODE(doca_mmap_set_memrange(mmap, range + 1, 1));
    CODE(doca_mmap_start(mmap));
}

RULE(mmap_get_range, "A map returns its range.", .source = OBSERVED_2_5, .answer = "SUCCESS, yes, 65536") {
    void *addr = NULL;
    size_t len = 0;
    CODE(doca_mmap_get_memrange(started_map(), &addr, &len));
    answer_flag(addr == range);
    answer_number((long long)len);
}

RULE(mmap_get_range_unset, "A map without a range returns none.", .source = OBSERVED_2_5, .answer = "BAD_STATE") {
    void *addr;
    size_t len;
    CODE(doca_mmap_get_memrange(create_map(), &addr, &len));
}

RULE(mmap_same_memory_twice, "Two maps may cover the same memory.", .source = OBSERVED_2_5, .answer = "SUCCESS") {
    (void)started_map();
    struct doca_mmap *other = create_map();
    REQUIRE(doca_mmap_add_dev(other, dev));
    REQUIRE(doca_mmap_set_memrange(other, range + 100, 5000));
    CODE(doca_mmap_start(other));
}

RULE(mmap_device_twice, "A map for one device takes no second one, not even the same.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, NO_MEMORY") {
    struct doca_mmap *mmap = create_map();
    CODE(doca_mmap_add_dev(mmap, dev));
    CODE(doca_mmap_add_dev(mmap, dev));
}

RULE(mmap_device_twice_with_room, "A device can be added only once, even if more devices are allowed.",
     .source = OBSERVED_2_5, .answer = "SUCCESS, SUCCESS, ALREADY_EXIST") {
    struct doca_mmap *mmap = create_map();
    CODE(doca_mmap_set_max_num_devices(mmap, 4));
    CODE(doca_mmap_add_dev(mmap, dev));
    CODE(doca_mmap_add_dev(mmap, dev));
}

RULE(mmap_max_devices_default, "A map allows one device unless more are requested.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, 1") {
    uint32_t max = 9;
    CODE(doca_mmap_get_max_num_devices(create_map(), &max));
    answer_number(max);
}

RULE(mmap_max_devices, "The number of devices can be set, but not to 0.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, 4, INVALID_VALUE") {
    struct doca_mmap *mmap = create_map();
    uint32_t max = 9;
    CODE(doca_mmap_set_max_num_devices(mmap, 4));
    REQUIRE(doca_mmap_get_max_num_devices(mmap, &max));
    answer_number(max);
    CODE(doca_mmap_set_max_num_devices(mmap, 0));
}

RULE(mmap_max_devices_when_started, "The number of devices must be set before the start.", .source = OBSERVED_2_5,
     .answer = "NOT_PERMITTED") {
    CODE(doca_mmap_set_max_num_devices(started_map(), 4));
}

RULE(mmap_remove_device, "A device can be removed only once.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, NOT_FOUND, SUCCESS") {
    struct doca_mmap *mmap = create_map();
    REQUIRE(doca_mmap_add_dev(mmap, dev));
    CODE(doca_mmap_rm_dev(mmap, dev));
    CODE(doca_mmap_rm_dev(mmap, dev));
    CODE(doca_mmap_add_dev(mmap, dev));
}

RULE(mmap_devices_when_started, "Devices must be added and removed before the start.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE, BAD_STATE") {
    struct doca_mmap *mmap = started_map();
    CODE(doca_mmap_add_dev(mmap, dev));
    CODE(doca_mmap_rm_dev(mmap, dev));
}

RULE(mmap_device_null, "Adding and removing need a device.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    struct doca_mmap *mmap = create_map();
    CODE(doca_mmap_add_dev(mmap, NULL));
    CODE(doca_mmap_rm_dev(mmap, NULL));
}

RULE(mmap_permissions_routine, "These common permissions are accepted.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, SUCCESS, SUCCESS, SUCCESS, SUCCESS, SUCCESS") {
    CODE(doca_mmap_set_permissions(create_map(), DOCA_ACCESS_FLAG_LOCAL_READ_ONLY));
    CODE(doca_mmap_set_permissions(create_map(), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
    CODE(doca_mmap_set_permissions(create_map(), DOCA_ACCESS_FLAG_PCI_READ_ONLY));
    CODE(doca_mmap_set_permissions(create_map(), DOCA_ACCESS_FLAG_PCI_READ_WRITE));
    CODE(doca_mmap_set_permissions(create_map(), DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
    CODE(doca_mmap_set_permissions(
            create_map(),
            DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE
                    | DOCA_ACCESS_FLAG_RDMA_ATOMIC));
}

RULE(mmap_permissions_rdma_read, "RDMA_READ needs no local write.", .source = OBSERVED_2_5, .answer = "SUCCESS") {
    CODE(doca_mmap_set_permissions(create_map(), DOCA_ACCESS_FLAG_RDMA_READ));
}

RULE(mmap_permissions_rdma_write, "RDMA_WRITE and RDMA_ATOMIC need LOCAL_READ_WRITE.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    CODE(doca_mmap_set_permissions(create_map(), DOCA_ACCESS_FLAG_RDMA_WRITE));
    CODE(doca_mmap_set_permissions(create_map(), DOCA_ACCESS_FLAG_RDMA_ATOMIC));
}

RULE(mmap_permissions_both_pci, "Memory cannot be both read-only and read-write for PCI.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE") {
    CODE(doca_mmap_set_permissions(create_map(), DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE));
}

RULE(mmap_permissions_relaxed, "Relaxed ordering cannot be combined with a PCI permission.", .source = OBSERVED_3_0,
     .answer = "INVALID_VALUE", .answer_2_5 = "SUCCESS") {
    CODE(doca_mmap_set_permissions(
            create_map(), DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING));
}

RULE(mmap_permissions_unknown, "Unknown permissions are refused.", .source = OBSERVED_2_5, .answer = "INVALID_VALUE") {
    CODE(doca_mmap_set_permissions(create_map(), 1u << 30));
}

RULE(mmap_permissions_when_started, "Permissions must be set before the start, also wrong ones.",
     .source = OBSERVED_3_0, .answer = "BAD_STATE, BAD_STATE") {
    CODE(doca_mmap_set_permissions(started_map(), DOCA_ACCESS_FLAG_LOCAL_READ_ONLY));
    CODE(doca_mmap_set_permissions(started_map(), DOCA_ACCESS_FLAG_RDMA_WRITE));
}

RULE(mmap_permissions_after_stop, "Permissions can be changed after the map has stopped.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, SUCCESS") {
    struct doca_mmap *mmap = started_map();
    REQUIRE(doca_mmap_stop(mmap));
    CODE(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
    CODE(doca_mmap_start(mmap));
}

RULE(mmap_permissions_default, "DMA can write to a map whose permissions were never set.", .source = OBSERVED_3_0,
     .answer = "done 1, yes") {
    struct doca_dma *dma = start_dma(1);
    struct doca_mmap *mmap = create_map();
    REQUIRE(doca_mmap_add_dev(mmap, dev));
    REQUIRE(doca_mmap_set_memrange(mmap, range, sizeof(range)));
    REQUIRE(doca_mmap_start(mmap));
    REQUIRE(submit_copy(copy_task(dma, 1, source(0, 64), target_of(mmap, range, 64))));
    progress_to(1);
    answer_notes();
    answer_flag(memcmp(memory, range, 64) == 0);
}

static void
note_free(void *addr, size_t len, void *opaque) {
    note("free %s %zu %p", addr == range ? "range" : "other", len, opaque);
}

RULE(mmap_free_callback, "The callback that frees memory is called when the map is destroyed, not when it is stopped.",
     .source = OBSERVED_2_5, .answer = "SUCCESS, nothing, free range 65536 0x77") {
    struct doca_mmap *mmap = configure_map(range, sizeof(range), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    CODE(doca_mmap_set_free_cb(mmap, note_free, (void *)0x77));
    REQUIRE(doca_mmap_start(mmap));
    REQUIRE(doca_mmap_stop(mmap));
    answer_notes();
    REQUIRE(doca_mmap_destroy(mmap));
    answer_notes();
}

RULE(mmap_free_callback_not_started, "The callback that frees memory is not called for a map that was never started.",
     .source = OBSERVED_2_5, .answer = "nothing") {
    struct doca_mmap *mmap = configure_map(range, sizeof(range), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    REQUIRE(doca_mmap_set_free_cb(mmap, note_free, NULL));
    REQUIRE(doca_mmap_destroy(mmap));
    answer_notes();
}

RULE(mmap_free_callback_when_started, "The callback that frees memory must be set before the start.",
     .source = OBSERVED_2_5, .answer = "BAD_STATE") {
    CODE(doca_mmap_set_free_cb(started_map(), note_free, NULL));
}

RULE(mmap_user_data, "A map keeps its user data.", .source = OBSERVED_2_5, .answer = "SUCCESS, SUCCESS, 7") {
    struct doca_mmap *mmap = create_map();
    union doca_data data = {0};
    CODE(doca_mmap_set_user_data(mmap, data_of(7)));
    CODE(doca_mmap_get_user_data(mmap, &data));
    answer_number((long long)data.u64);
}

RULE(mmap_user_data_when_started, "The user data must be set before the start.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE") {
    CODE(doca_mmap_set_user_data(started_map(), data_of(7)));
}

RULE(mmap_num_bufs, "A map counts the buffers that refer to it.", .source = OBSERVED_2_5, .answer = "0, 2, 1") {
    map_memory();
    uint32_t count = 9;
    REQUIRE(doca_mmap_get_num_bufs(map, &count));
    answer_number(count);
    struct doca_buf *first = source(0, 64);
    (void)source(0, 64);
    REQUIRE(doca_mmap_get_num_bufs(map, &count));
    answer_number(count);
    REQUIRE(doca_buf_dec_refcount(first, NULL));
    REQUIRE(doca_mmap_get_num_bufs(map, &count));
    answer_number(count);
}

RULE(mmap_stop_with_bufs, "A map can be stopped while buffers refer to it.", .source = OBSERVED_2_5,
     .answer = "SUCCESS") {
    (void)source(0, 64);
    CODE(doca_mmap_stop(map));
}

RULE(mmap_destroy_with_bufs, "A map cannot be destroyed while buffers refer to it.", .source = OBSERVED_2_5,
     .answer = "NOT_PERMITTED, SUCCESS") {
    struct doca_buf *buf = source(0, 64);
    CODE(doca_mmap_destroy(map));
    REQUIRE(doca_buf_dec_refcount(buf, NULL));
    CODE(doca_mmap_destroy(map));
}

RULE(mmap_thread_safety, "Thread safety can be enabled only before the start.", .source = OBSERVED_3_0, .since = 210,
     .answer = "SUCCESS, NOT_PERMITTED") {
    CODE(doca_mmap_enable_thread_safety(create_map()));
    CODE(doca_mmap_enable_thread_safety(started_map()));
}

RULE(mmap_flags_of_new_map, "A new map is neither exported nor imported.", .source = OBSERVED_2_5, .answer = "0, 0") {
    struct doca_mmap *mmap = create_map();
    uint8_t exported = 9;
    uint8_t from_export = 9;
    REQUIRE(doca_mmap_get_exported(mmap, &exported));
    REQUIRE(doca_mmap_get_from_export(mmap, &from_export));
    answer_number(exported);
    answer_number(from_export);
}
