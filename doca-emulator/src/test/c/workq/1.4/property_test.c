/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Release 1.4: properties of devices, remote devices and memory maps, and jobs that have their length, in one process and from an
 * export of another one.
 */
#include <doca_buf_inventory.h>
#include <doca_dma.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_version.h>
#include <stddef.h>

#include "../../check.h"
#include "../host.h"

DOCA_LOG_REGISTER(TEST);

_Static_assert(sizeof(struct doca_job) == 24 && sizeof(struct doca_event) == 24, "assumed: as in release 1.5");
_Static_assert(sizeof(struct doca_dma_job_memcpy) == 48, "assumed: one more member");
_Static_assert(offsetof(struct doca_dma_job_memcpy, num_bytes_to_copy) == 40, "assumed: the last one");
_Static_assert(DOCA_DMA_JOB_MEMCPY == 65537, "assumed: as in release 1.5");
_Static_assert(DOCA_DEVINFO_PROPERTY_IBDEV_NAME == 6 && DOCA_LOG_LEVEL_DEBUG == 4, "numbers of release 1.4");

#define CHUNK 8192

static _Alignas(64) uint8_t memory[2 * CHUNK];
static struct doca_dev *dev;
static struct doca_buf_inventory *inventory;
static struct doca_dma *dma;
static struct doca_workq *workq;

static char *
at(size_t offset) {
    return (char *)memory + offset;
}

static struct doca_dev *
open_device(uint32_t index) {
    struct doca_devinfo **list;
    struct doca_dev *opened;
    uint32_t num_devices;
    REQUIRE_SUCCESS(doca_devinfo_list_create(&list, &num_devices));
    REQUIRE_SUCCESS(doca_dev_open(list[index], &opened));
    REQUIRE_SUCCESS(doca_devinfo_list_destroy(list));
    return opened;
}

static void
check_device_properties(void) {
    struct doca_devinfo *devinfo;
    uint8_t value[256];
    struct doca_pci_bdf pci_addr;
    REQUIRE_SUCCESS(doca_dev_as_devinfo(dev, &devinfo));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_dev_as_devinfo(dev, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_dev_as_devinfo(NULL, &devinfo));
    CHECK_SUCCESS(doca_devinfo_property_get(devinfo, DOCA_DEVINFO_PROPERTY_PCI_ADDR, (uint8_t *)&pci_addr, sizeof(pci_addr)));
    CHECK_EQUAL(3, pci_addr.bus);
    CHECK_EQUAL(0, pci_addr.function);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_devinfo_property_get(devinfo, DOCA_DEVINFO_PROPERTY_PCI_ADDR, value, 1));
    CHECK_SUCCESS(doca_devinfo_property_get(devinfo, DOCA_DEVINFO_PROPERTY_IBDEV_NAME, value, 64));
    CHECK_STRING("mlx5_0", (char *)value);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_devinfo_property_get(devinfo, DOCA_DEVINFO_PROPERTY_IBDEV_NAME, value, 63));
    CHECK_SUCCESS(doca_devinfo_property_get(devinfo, DOCA_DEVINFO_PROPERTY_IFACE_NAME, value, 256));
    CHECK_SUCCESS(doca_devinfo_property_get(devinfo, DOCA_DEVINFO_PROPERTY_VUID, value, 128));
    CHECK(strlen((char *)value) > 0);
    CHECK_SUCCESS(doca_devinfo_property_get(devinfo, DOCA_DEVINFO_PROPERTY_IPV6_ADDR, value, 16));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_devinfo_property_get(devinfo, DOCA_DEVINFO_PROPERTY_IPV4_ADDR, value, 3));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_devinfo_property_get(devinfo, DOCA_DEVINFO_PROPERTY_UNKNOWN, value, 256));
}

static void
check_remote_devices(void) {
    struct doca_devinfo_remote **list;
    struct doca_devinfo_remote *opened;
    struct doca_dev_remote *remote;
    uint32_t num_remotes = 0;
    uint8_t vuid[128];
    uint8_t other_vuid[128];
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_devinfo_remote_list_create(dev, 4, &list, &num_remotes));
    REQUIRE_SUCCESS(doca_devinfo_remote_list_create(dev, DOCA_DEV_REMOTE_FILTER_NET, &list, &num_remotes));
    CHECK(num_remotes > 0);
    CHECK_SUCCESS(doca_devinfo_remote_property_get(list[0], DOCA_DEVINFO_REMOTE_PROPERTY_VUID, vuid, sizeof(vuid)));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE,
                doca_devinfo_remote_property_get(list[0], DOCA_DEVINFO_REMOTE_PROPERTY_UNKNOWN, vuid, sizeof(vuid)));
    REQUIRE_SUCCESS(doca_dev_remote_open(list[0], &remote));
    CHECK_SUCCESS(doca_devinfo_remote_list_destroy(list));
    REQUIRE_SUCCESS(doca_dev_remote_as_devinfo(remote, &opened));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_dev_remote_as_devinfo(remote, NULL));
    CHECK_SUCCESS(doca_devinfo_remote_property_get(opened, DOCA_DEVINFO_REMOTE_PROPERTY_VUID, other_vuid, sizeof(other_vuid)));
    CHECK_STRING((char *)vuid, (char *)other_vuid);
    CHECK_SUCCESS(doca_dev_remote_close(remote));
}

static void
start_dma(void) {
    struct doca_devinfo *devinfo;
    uint32_t caps = 0;
    REQUIRE_SUCCESS(doca_dev_as_devinfo(dev, &devinfo));
    CHECK_SUCCESS(doca_dma_devinfo_caps_get(devinfo, &caps));
    CHECK_EQUAL(DOCA_DMA_CAP_HW_OFFLOAD, caps);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_dma_devinfo_caps_get(devinfo, NULL));
    REQUIRE_SUCCESS(doca_dma_create(&dma));
    REQUIRE_SUCCESS(doca_ctx_dev_add(doca_dma_as_ctx(dma), dev));
    REQUIRE_SUCCESS(doca_ctx_start(doca_dma_as_ctx(dma)));
    REQUIRE_SUCCESS(doca_workq_create(32, &workq));
    REQUIRE_SUCCESS(doca_ctx_workq_add(doca_dma_as_ctx(dma), workq));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_create("inventory", 8, 1, &inventory));
    REQUIRE_SUCCESS(doca_buf_inventory_create("inventory", 8, DOCA_BUF_EXTENSION_NONE, &inventory));
    REQUIRE_SUCCESS(doca_buf_inventory_start(inventory));
}

static void
stop_dma(void) {
    CHECK_SUCCESS(doca_ctx_workq_rm(doca_dma_as_ctx(dma), workq));
    CHECK_SUCCESS(doca_ctx_stop(doca_dma_as_ctx(dma)));
    CHECK_SUCCESS(doca_ctx_dev_rm(doca_dma_as_ctx(dma), dev));
    CHECK_SUCCESS(doca_workq_destroy(workq));
    CHECK_SUCCESS(doca_dma_destroy(dma));
    CHECK_SUCCESS(doca_buf_inventory_stop(inventory));
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
}

/* Creates a map of both halves of the memory, each a chunk, or of the first one. */
static struct doca_mmap *
start_mmap(uint32_t num_chunks) {
    struct doca_mmap *mmap;
    uint32_t limit = 0;
    REQUIRE_SUCCESS(doca_mmap_create("map", &mmap));
    CHECK_SUCCESS(doca_mmap_property_get(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, (uint8_t *)&limit, sizeof(limit)));
    CHECK_EQUAL(1, limit);
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_mmap_property_get(mmap, 99, (uint8_t *)&limit, sizeof(limit)));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, (uint8_t *)&num_chunks, 8));
    CHECK_SUCCESS(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, (uint8_t *)&num_chunks, sizeof(num_chunks)));
    REQUIRE_SUCCESS(doca_mmap_start(mmap));
    REQUIRE_SUCCESS(doca_mmap_dev_add(mmap, dev));
    for (uint32_t i = 0; i < num_chunks; i++) {
        REQUIRE_SUCCESS(doca_mmap_populate(mmap, at(i * CHUNK), CHUNK, 4096, NULL, NULL));
    }
    return mmap;
}

/* Copies bytes between two buffers of 200 bytes. Returns the result of the submission. */
static doca_error_t
copy(struct doca_mmap *src_map, char *src, struct doca_mmap *dst_map, char *dst, size_t len) {
    struct doca_dma_job_memcpy job = {
            .base = {.type = DOCA_DMA_JOB_MEMCPY, .ctx = doca_dma_as_ctx(dma), .user_data = {.u64 = len}},
            .num_bytes_to_copy = len};
    struct doca_event event = {0};
    struct doca_buf *src_buf;
    REQUIRE_SUCCESS(doca_buf_inventory_buf_by_addr(inventory, src_map, src, 200, &src_buf));
    REQUIRE_SUCCESS(doca_buf_inventory_buf_by_addr(inventory, dst_map, dst, 200, &job.dst_buff));
    job.src_buff = src_buf;
    const doca_error_t submitted = doca_workq_submit(workq, &job.base);
    if (submitted == DOCA_SUCCESS) {
        doca_error_t result;
        do {
            result = doca_workq_progress_retrieve(workq, &event, DOCA_WORKQ_RETRIEVE_FLAGS_NONE);
        } while (result == DOCA_ERROR_AGAIN);
        CHECK_SUCCESS(result);
        CHECK_EQUAL(DOCA_DMA_JOB_MEMCPY, event.type);
        CHECK_EQUAL(len, event.user_data.u64);
        CHECK_EQUAL(DOCA_SUCCESS, event.result.u64);
    }
    CHECK_SUCCESS(doca_buf_refcount_rm(src_buf, NULL));
    CHECK_SUCCESS(doca_buf_refcount_rm(job.dst_buff, NULL));
    return submitted;
}

static void
check_copies(void) {
    struct doca_mmap *mmap = start_mmap(2);
    memset(memory, 0x61, 200);
    CHECK_SUCCESS(copy(mmap, at(0), mmap, at(CHUNK), 100));
    CHECK_EQUAL(0, memcmp(memory, memory + CHUNK, 100));
    CHECK_EQUAL(0, memory[CHUNK + 100]);
    CHECK_SUCCESS(copy(mmap, at(0), mmap, at(CHUNK), 200));
    CHECK_EQUAL(0, memcmp(memory, memory + CHUNK, 200));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, copy(mmap, at(0), mmap, at(CHUNK), 201));
    CHECK_SUCCESS(doca_mmap_dev_rm(mmap, dev));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

static void
check_buffers(void) {
    struct doca_mmap *mmap = start_mmap(1);
    struct doca_buf *buf;
    uint8_t *head = NULL;
    size_t len = 0;
    uint16_t refcount = 0;
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_inventory_buf_by_addr(inventory, mmap, at(CHUNK), 20, &buf));
    REQUIRE_SUCCESS(doca_buf_inventory_buf_by_addr(inventory, mmap, at(64), 20, &buf));
    CHECK_SUCCESS(doca_buf_head_get(buf, &head));
    CHECK_POINTER(memory + 64, head);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_buf_head_get(buf, NULL));
    CHECK_SUCCESS(doca_buf_len_get(buf, &len));
    CHECK_EQUAL(20, len);
    CHECK_SUCCESS(doca_buf_refcount_get(buf, &refcount));
    CHECK_EQUAL(1, refcount);
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_mmap_destroy(mmap));
    CHECK_SUCCESS(doca_buf_refcount_rm(buf, NULL));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

/* The process of the host: exports its memory, and waits until the other process has copied. */
static void
run_host(int exports, int end) {
    uint8_t *export;
    char range[80];
    size_t len;
    dev = open_device(0);
    struct doca_mmap *mmap = start_mmap(1);
    REQUIRE_SUCCESS(doca_mmap_export(mmap, dev, &export, &len));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_export(mmap, dev, NULL, &len));
    CHECK_EQUAL(len, strlen((char *)export) + 1);
    snprintf(range, sizeof(range), "{\"addr\":%zu,\"len\":%d,", (size_t)memory, CHUNK);
    CHECK_EQUAL(0, strncmp(range, (char *)export, strlen(range)));
    memset(memory + 4096, 0x35, 100);
    offer_export(exports, end, export, len);
    CHECK_EQUAL(0, memcmp(memory, memory + 4096, 100));
    free(export);
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_SUCCESS(doca_dev_close(dev));
}

/* Copies within the memory of the host. */
static void
check_import(pid_t host, int exports, int end) {
    uint8_t export[2048];
    struct doca_mmap *imported;
    const size_t len = receive_export(exports, export, sizeof(export));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_create_from_export("map", NULL, len, dev, &imported));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_create_from_export("map", export, len - 1, dev, &imported));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_mmap_create_from_export("map", (uint8_t *)"{}", 3, dev, &imported));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE,
                doca_mmap_create_from_export("map", (uint8_t *)"{\"descriptor\":\"0\"}", 18, dev, &imported));
    REQUIRE_SUCCESS(doca_mmap_create_from_export("map", export, len, dev, &imported));
    /* The other process runs the same program, so its memory has the same address. */
    CHECK_SUCCESS(copy(imported, at(4096), imported, at(0), 100));
    end_host(host, end);
    CHECK_SUCCESS(doca_mmap_destroy(imported));
}

/* Records go to the error stream. */
static void
check_log(void) {
    char text[256] = "";
    int records[2];
    const int stderr_copy = dup(STDERR_FILENO);
    CHECK(pipe(records) == 0);
    dup2(records[1], STDERR_FILENO);
    DOCA_LOG_INFO("number %d", 4);
    dup2(stderr_copy, STDERR_FILENO);
    CHECK(read(records[0], text, sizeof(text) - 1) > 0);
    CHECK(strstr(text, "[DOCA][INF][TEST:") != NULL);
    CHECK(strstr(text, "]: number 4\n") != NULL);
    close(stderr_copy);
    close(records[0]);
    close(records[1]);
}

int
main(void) {
    int exports;
    int end;
    const pid_t host = start_host(run_host, &exports, &end);
    CHECK_STRING("1.4.0079", doca_version_runtime());
    CHECK_STRING("Bad State", doca_get_error_string(DOCA_ERROR_BAD_STATE));
    CHECK_STRING("Unrecognized error code", doca_get_error_string((doca_error_t)19));
    check_log();
    dev = open_device(0);
    check_device_properties();
    check_remote_devices();
    start_dma();
    check_copies();
    check_buffers();
    check_import(host, exports, end);
    stop_dma();
    CHECK_SUCCESS(doca_dev_close(dev));
    return check_result();
}
