/* SPDX-License-Identifier: Apache-2.0 */
/* The bridge to verbs: memory keys, and the unsupported functions. */
#include <doca_rdma_bridge.h>

#include "fixture.h"
#include "sdk_errors.h"

static uint8_t memory[4096];
static struct doca_dev *dev;
static struct doca_dev *other_dev;

static uint32_t
mkey_of(const struct doca_buf *buf, struct doca_dev *device) {
    uint32_t mkey = 0;
    CHECK_SUCCESS(doca_rdma_bridge_get_buf_mkey(buf, device, &mkey));
    CHECK(mkey != 0);
    return mkey;
}

static void
a_map_has_one_mkey_for_each_device(void) {
    struct doca_mmap *mmap;
    struct doca_mmap *other = start_mmap(memory, sizeof(memory), dev);
    inventory = start_inventory(4);
    uint32_t mkey;
    REQUIRE_SUCCESS(doca_mmap_create(&mmap));
    REQUIRE_SUCCESS(doca_mmap_set_max_num_devices(mmap, 2));
    REQUIRE_SUCCESS(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    REQUIRE_SUCCESS(doca_mmap_add_dev(mmap, dev));
    REQUIRE_SUCCESS(doca_mmap_add_dev(mmap, other_dev));
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "Failed to get an mkey: is not started", doca_mmap_get_mkey(mmap, dev, &mkey));
    REQUIRE_SUCCESS(doca_mmap_start(mmap));
    struct doca_buf *first = data_of(mmap, memory, 64);
    struct doca_buf *second = data_of(mmap, memory + 64, 64);
    struct doca_buf *foreign = data_of(other, memory, 64);

    CHECK_EQUAL(mkey_of(first, dev), mkey_of(first, dev));
    CHECK_EQUAL(mkey_of(first, dev), mkey_of(second, dev));
    CHECK(mkey_of(first, dev) != mkey_of(first, other_dev));
    CHECK(mkey_of(first, dev) != mkey_of(foreign, dev));
    CHECK_SUCCESS(doca_mmap_get_mkey(mmap, other_dev, &mkey));
    CHECK_EQUAL(mkey_of(second, other_dev), mkey);

    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "was not added to it",
                  doca_rdma_bridge_get_buf_mkey(foreign, other_dev, &mkey));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "mkey is NULL", doca_rdma_bridge_get_buf_mkey(first, dev, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_bridge_get_buf_mkey(NULL, dev, &mkey));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_bridge_get_buf_mkey(first, NULL, &mkey));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_get_mkey(NULL, dev, &mkey));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_get_mkey(mmap, NULL, &mkey));

    GIVE_BACK(first, second, foreign);
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
    CHECK_SUCCESS(doca_mmap_destroy(other));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

static void
there_are_no_protection_domains(void) {
    struct doca_mmap *mmap = start_mmap(memory, sizeof(memory), dev);
    struct doca_dev *opened;
    struct ibv_pd *pd;
    uint32_t mkey;
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_rdma_bridge_get_dev_pd(dev, &pd));
    check_logged("Failed to get a PD: the emulator has no verbs, and so no protection domains");
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_rdma_bridge_open_dev_from_pd(NULL, &opened));
    check_logged("Failed to open a device by a PD: the emulator has no verbs, and so no protection domains");
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_rdma_bridge_get_mmap_mkey_from_pd(mmap, NULL, &mkey));
    check_logged("Failed to get an mkey by a PD: the emulator has no verbs, and so no protection domains");
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_bridge_get_dev_pd(NULL, &pd));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_bridge_get_mmap_mkey_from_pd(NULL, NULL, &mkey));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

int
main(void) {
    keep_errors();
    dev = open_device("mlx5_0");
    other_dev = open_device("mlx5_1");
    a_map_has_one_mkey_for_each_device();
    there_are_no_protection_domains();
    CHECK_SUCCESS(doca_dev_close(dev));
    CHECK_SUCCESS(doca_dev_close(other_dev));
    return check_result();
}
