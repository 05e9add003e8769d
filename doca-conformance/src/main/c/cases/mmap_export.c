/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"
#include "peer.h"

#define THEME "exports of memory"

#define RANGE_SIZE ((size_t)65536)

static uint8_t range[65536] __attribute__((aligned(4096)));

static const uint32_t pci_read_write = DOCA_ACCESS_FLAG_PCI_READ_WRITE;
static const uint32_t rdma_all =
        DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE;

/* Ends the case if the device cannot export to the other side of the bus. */
static void
need_pci_export(void) {
    uint8_t supported = 0;
    REQUIRE(doca_mmap_cap_is_export_pci_supported(devinfo(), &supported));
    if (!supported) {
        not_available("the device does not export to the other side of the bus");
    }
}

static struct doca_mmap *
pci_map(void) {
    need_pci_export();
    return start_map(range, RANGE_SIZE, pci_read_write);
}

struct descriptor {
    const void *bytes;
    size_t len;
};

static struct descriptor
export_rdma(struct doca_mmap *mmap) {
    struct descriptor descriptor;
    REQUIRE(doca_mmap_export_rdma(mmap, dev, &descriptor.bytes, &descriptor.len));
    return descriptor;
}

static struct doca_mmap *
import(struct descriptor descriptor) {
    struct doca_mmap *mmap;
    REQUIRE(doca_mmap_create_from_export(NULL, descriptor.bytes, descriptor.len, dev, &mmap));
    return mmap;
}

static doca_error_t
try_import(const void *bytes, size_t len) {
    struct doca_mmap *mmap;
    return doca_mmap_create_from_export(NULL, bytes, len, dev, &mmap);
}

RULE(export_pci_supported, "The capability to export is a flag, and the query succeeds.", .source = OBSERVED_2_5,
     .host = true, .answer = "SUCCESS, yes") {
    uint8_t supported = 9;
    CODE(doca_mmap_cap_is_export_pci_supported(devinfo(), &supported));
    answer_flag(supported <= 1);
}

RULE(export_pci_capability_null, "The query for the capability to export needs a device and a result pointer.",
     .source = OBSERVED_2_5, .answer = "INVALID_VALUE, INVALID_VALUE") {
    uint8_t supported;
    CODE(doca_mmap_cap_is_export_pci_supported(NULL, &supported));
    CODE(doca_mmap_cap_is_export_pci_supported(devinfo(), NULL));
}

RULE(export_pci, "The export of a started map with a PCI permission has at most 512 bytes.", .source = OBSERVED_3_0,
     .host = true, .answer = "SUCCESS, yes, 1") {
    struct doca_mmap *mmap = pci_map();
    const void *bytes;
    size_t len = 0;
    uint8_t exported = 9;
    CODE(doca_mmap_export_pci(mmap, dev, &bytes, &len));
    answer_flag(len > 0 && len <= 512);
    REQUIRE(doca_mmap_get_exported(mmap, &exported));
    answer_number(exported);
}

RULE(export_pci_again, "Exporting again returns the same descriptor.", .source = OBSERVED_2_5, .host = true,
     .answer = "SUCCESS, SUCCESS, yes") {
    struct doca_mmap *mmap = pci_map();
    struct descriptor first;
    struct descriptor second;
    CODE(doca_mmap_export_pci(mmap, dev, &first.bytes, &first.len));
    CODE(doca_mmap_export_pci(mmap, dev, &second.bytes, &second.len));
    answer_flag(first.len == second.len && memcmp(first.bytes, second.bytes, first.len) == 0);
}

RULE(export_pci_without_permission, "A map without a PCI permission cannot be exported.", .source = OBSERVED_2_5,
     .host = true, .answer = "NOT_PERMITTED, NOT_PERMITTED") {
    need_pci_export();
    static const uint32_t lacking[] = {DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING};
    for (size_t i = 0; i < 2; i++) {
        struct descriptor descriptor;
        CODE(doca_mmap_export_pci(start_map(range, RANGE_SIZE, lacking[i]), dev, &descriptor.bytes, &descriptor.len));
    }
}

RULE(export_rdma_without_permission, "A map without an RDMA permission cannot be exported for RDMA.",
     .source = OBSERVED_2_5, .answer = "NOT_PERMITTED") {
    struct doca_mmap *mmap = start_map(range, RANGE_SIZE, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    struct descriptor descriptor;
    CODE(doca_mmap_export_rdma(mmap, dev, &descriptor.bytes, &descriptor.len));
}

RULE(export_pci_not_started, "A map that is not started cannot be exported.", .source = OBSERVED_2_5, .host = true,
     .answer = "NOT_PERMITTED") {
    need_pci_export();
    struct doca_mmap *mmap = configure_map(range, RANGE_SIZE, pci_read_write);
    struct descriptor descriptor;
    CODE(doca_mmap_export_pci(mmap, dev, &descriptor.bytes, &descriptor.len));
}

RULE(export_pci_arguments, "An export needs a device and pointers for its results.", .source = OBSERVED_2_5,
     .host = true, .answer = "INVALID_VALUE, INVALID_VALUE, INVALID_VALUE") {
    struct doca_mmap *mmap = pci_map();
    struct descriptor descriptor;
    CODE(doca_mmap_export_pci(mmap, NULL, &descriptor.bytes, &descriptor.len));
    CODE(doca_mmap_export_pci(mmap, dev, NULL, &descriptor.len));
    CODE(doca_mmap_export_pci(mmap, dev, &descriptor.bytes, NULL));
}

RULE(export_pci_other_device, "A map can be exported only for a device that was added to it.", .source = OBSERVED_2_5,
     .host = true, .answer = "NOT_FOUND") {
    need_pci_export();
    struct doca_mmap *mmap;
    REQUIRE(doca_mmap_create(&mmap));
    REQUIRE(doca_mmap_set_memrange(mmap, range, RANGE_SIZE));
    REQUIRE(doca_mmap_set_permissions(mmap, pci_read_write));
    REQUIRE(doca_mmap_start(mmap));
    struct descriptor descriptor;
    CODE(doca_mmap_export_pci(mmap, dev, &descriptor.bytes, &descriptor.len));
}

RULE(export_flag_after_stop, "An exported map can be stopped, and then counts as not exported.", .source = OBSERVED_2_5,
     .answer = "1, SUCCESS, 0") {
    struct doca_mmap *mmap = start_map(range, RANGE_SIZE, rdma_all);
    (void)export_rdma(mmap);
    uint8_t exported = 9;
    REQUIRE(doca_mmap_get_exported(mmap, &exported));
    answer_number(exported);
    CODE(doca_mmap_stop(mmap));
    REQUIRE(doca_mmap_get_exported(mmap, &exported));
    answer_number(exported);
}

RULE(export_start, "Starting an exported map succeeds.", .source = OBSERVED_2_5, .answer = "SUCCESS") {
    struct doca_mmap *mmap = start_map(range, RANGE_SIZE, rdma_all);
    (void)export_rdma(mmap);
    CODE(doca_mmap_start(mmap));
}

RULE(export_devices, "The devices of an exported map can be neither added nor removed.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE, BAD_STATE") {
    struct doca_mmap *mmap = start_map(range, RANGE_SIZE, rdma_all);
    (void)export_rdma(mmap);
    CODE(doca_mmap_add_dev(mmap, dev));
    CODE(doca_mmap_rm_dev(mmap, dev));
}

RULE(import_flag, "An imported map reports that it is imported.", .source = OBSERVED_2_5, .answer = "1, 0") {
    struct doca_mmap *mmap = start_map(range, RANGE_SIZE, rdma_all);
    uint8_t flag = 9;
    REQUIRE(doca_mmap_get_from_export(import(export_rdma(mmap)), &flag));
    answer_number(flag);
    REQUIRE(doca_mmap_get_from_export(mmap, &flag));
    answer_number(flag);
}

RULE(import_range, "An imported map has the range of its exporter.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, yes, 65536") {
    void *addr = NULL;
    size_t len = 0;
    CODE(doca_mmap_get_memrange(import(export_rdma(start_map(range, RANGE_SIZE, rdma_all))), &addr, &len));
    answer_flag(addr == range);
    answer_number((long long)len);
}

RULE(import_user_data, "The user data of the import becomes that of the imported map; it may be absent.",
     .source = OBSERVED_2_5, .answer = "SUCCESS, 5, SUCCESS") {
    const struct descriptor descriptor = export_rdma(start_map(range, RANGE_SIZE, rdma_all));
    const union doca_data data = {.u64 = 5};
    union doca_data kept = {0};
    struct doca_mmap *mmap;
    CODE(doca_mmap_create_from_export(&data, descriptor.bytes, descriptor.len, dev, &mmap));
    REQUIRE(doca_mmap_get_user_data(mmap, &kept));
    answer_number((long long)kept.u64);
    CODE(doca_mmap_create_from_export(NULL, descriptor.bytes, descriptor.len, dev, &mmap));
}

RULE(import_start_stop, "An imported map is usable at once; starting and stopping it succeed.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, SUCCESS, SUCCESS") {
    struct doca_mmap *mmap = import(export_rdma(start_map(range, RANGE_SIZE, rdma_all)));
    CODE(doca_mmap_start(mmap));
    CODE(doca_mmap_stop(mmap));
    CODE(doca_mmap_destroy(mmap));
}

RULE(import_configure, "An imported map cannot be configured.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE, BAD_STATE, BAD_STATE, BAD_STATE, NOT_PERMITTED, BAD_STATE") {
    struct doca_mmap *mmap = import(export_rdma(start_map(range, RANGE_SIZE, rdma_all)));
    CODE(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
    CODE(doca_mmap_set_memrange(mmap, range, 4096));
    CODE(doca_mmap_add_dev(mmap, dev));
    CODE(doca_mmap_rm_dev(mmap, dev));
    CODE(doca_mmap_set_max_num_devices(mmap, 2));
    CODE(doca_mmap_set_user_data(mmap, data_of(7)));
}

RULE(import_export, "An imported map cannot be exported to the other side of the bus.", .source = OBSERVED_2_5,
     .answer = "NOT_PERMITTED") {
    struct doca_mmap *mmap = import(export_rdma(start_map(range, RANGE_SIZE, rdma_all)));
    struct descriptor descriptor;
    CODE(doca_mmap_export_pci(mmap, dev, &descriptor.bytes, &descriptor.len));
}

RULE(import_garbage, "Data that is not a descriptor is refused.", .source = OBSERVED_2_5, .answer = "INVALID_VALUE") {
    open_device();
    CODE(try_import("garbage", 7));
}

RULE(import_cut, "A truncated descriptor is refused.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE, INVALID_VALUE") {
    const struct descriptor descriptor = export_rdma(start_map(range, RANGE_SIZE, rdma_all));
    CODE(try_import(descriptor.bytes, descriptor.len - 1));
    CODE(try_import(descriptor.bytes, descriptor.len / 2));
    CODE(try_import(descriptor.bytes, 0));
}

RULE(import_altered, "An altered descriptor is refused.", .source = OBSERVED_2_5, .answer = "INVALID_VALUE") {
    const struct descriptor descriptor = export_rdma(start_map(range, RANGE_SIZE, rdma_all));
    uint8_t *altered = malloc(descriptor.len);
    memcpy(altered, descriptor.bytes, descriptor.len);
    altered[descriptor.len / 2] ^= 0x15;
    CODE(try_import(altered, descriptor.len));
}

RULE(import_arguments, "An import needs a descriptor, a device and a result pointer.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE, INVALID_VALUE") {
    const struct descriptor descriptor = export_rdma(start_map(range, RANGE_SIZE, rdma_all));
    struct doca_mmap *mmap;
    CODE(doca_mmap_create_from_export(NULL, NULL, descriptor.len, dev, &mmap));
    CODE(doca_mmap_create_from_export(NULL, descriptor.bytes, descriptor.len, NULL, &mmap));
    CODE(doca_mmap_create_from_export(NULL, descriptor.bytes, descriptor.len, dev, NULL));
}

/* The second process: exports its memory, for reading and writing, and sends its address and content. */

struct offer {
    uint64_t address;
    size_t len;
    uint8_t bytes[512];
};

static void
export_to_peer(uint32_t permissions) {
    memset(range, 0x5a, RANGE_SIZE);
    struct doca_mmap *mmap = start_map(range, RANGE_SIZE, permissions);
    struct offer offer = {.address = (uintptr_t)range};
    const void *bytes;
    REQUIRE(doca_mmap_export_pci(mmap, dev, &bytes, &offer.len));
    if (offer.len > sizeof(offer.bytes)) {
        return;
    }
    memcpy(offer.bytes, bytes, offer.len);
    send_to_peer(&offer, sizeof(offer));
    /* The other process asks for the byte at the start of the range, or for the end of the export. */
    char request;
    while (receive_from_peer(&request, 1) == 1) {
        if (request == 's') {
            REQUIRE(doca_mmap_stop(mmap));
        }
        send_to_peer(range, 64);
    }
}

static void
export_read_write(void) {
    export_to_peer(pci_read_write);
}

static void
export_read_only(void) {
    export_to_peer(DOCA_ACCESS_FLAG_PCI_READ_ONLY);
}

static struct doca_mmap *
import_offer(struct offer *offer) {
    uint8_t supported = 0;
    REQUIRE(doca_mmap_cap_is_create_from_export_pci_supported(devinfo(), &supported));
    if (!supported) {
        not_available("the device does not import");
    }
    if (!is_emulator() && !is_fake_card()) {
        not_available("the exporting process has to run on the other side of the bus");
    }
    (void)receive_from_peer(offer, sizeof(*offer));
    struct doca_mmap *mmap;
    REQUIRE(doca_mmap_create_from_export(NULL, offer->bytes, offer->len, dev, &mmap));
    return mmap;
}

RULE(pci_import_range, "A map from the other side of the bus has the addresses of its owner.", .source = OBSERVED_3_0,
     .peer = export_read_write, .peer_is_host = true, .answer = "yes, 65536") {
    struct offer offer;
    void *addr = NULL;
    size_t len = 0;
    REQUIRE(doca_mmap_get_memrange(import_offer(&offer), &addr, &len));
    answer_flag((uintptr_t)addr == offer.address);
    answer_number((long long)len);
}

RULE(pci_import_read, "DMA reads memory of the other side of the bus.", .source = OBSERVED_3_0, .peer = export_read_write,
     .peer_is_host = true, .answer = "done 1, 5a, 5a") {
    struct offer offer;
    struct doca_dma *dma = start_dma(1);
    struct doca_mmap *mmap = import_offer(&offer);
    struct doca_buf *src = source_of(mmap, (void *)(uintptr_t)offer.address, 4096);
    REQUIRE(submit_copy(copy_task(dma, 1, src, target(4096, 4096))));
    progress_to(1);
    answer_notes();
    answer("%02x", memory[4096]);
    answer("%02x", memory[8191]);
}

RULE(pci_import_write, "DMA writes memory of the other side of the bus.", .source = OBSERVED_3_0, .peer = export_read_write,
     .peer_is_host = true, .answer = "done 1, yes") {
    struct offer offer;
    struct doca_dma *dma = start_dma(1);
    struct doca_mmap *mmap = import_offer(&offer);
    REQUIRE(submit_copy(copy_task(dma, 1, source(0, 64), target_of(mmap, (void *)(uintptr_t)offer.address, 64))));
    progress_to(1);
    answer_notes();
    uint8_t bytes[64];
    send_to_peer("r", 1);
    (void)receive_from_peer(bytes, sizeof(bytes));
    answer_flag(memcmp(bytes, memory, sizeof(bytes)) == 0);
}

RULE(pci_import_both, "Source and destination may both be on the other side of the bus.", .source = OBSERVED_3_0,
     .peer = export_read_write, .peer_is_host = true, .answer = "done 1") {
    struct offer offer;
    struct doca_dma *dma = start_dma(1);
    struct doca_mmap *mmap = import_offer(&offer);
    uint8_t *remote = (uint8_t *)(uintptr_t)offer.address;
    REQUIRE(submit_copy(copy_task(dma, 1, source_of(mmap, remote, 64), target_of(mmap, remote + 4096, 64))));
    progress_to(1);
    answer_notes();
}

RULE(pci_import_read_only, "Memory that is exported read-only cannot be written.", .source = OBSERVED_2_5,
     .peer = export_read_only, .peer_is_host = true, .answer = "failed 1 IO_FAILED, to STOPPING") {
    struct offer offer;
    struct doca_dma *dma = start_dma(1);
    struct doca_mmap *mmap = import_offer(&offer);
    REQUIRE(submit_copy(copy_task(dma, 1, source(0, 64), target_of(mmap, (void *)(uintptr_t)offer.address, 64))));
    progress_to(1);
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_STOPPING);
    answer_notes();
}

RULE(pci_import_after_stop, "After the exporter has stopped its map, a copy fails.", .source = OBSERVED_3_0,
     .peer = export_read_write, .peer_is_host = true, .answer = "failed 1 IO_FAILED, to STOPPING") {
    struct offer offer;
    struct doca_dma *dma = start_dma(1);
    struct doca_mmap *mmap = import_offer(&offer);
    uint8_t bytes[64];
    send_to_peer("s", 1);
    (void)receive_from_peer(bytes, sizeof(bytes));
    REQUIRE(submit_copy(copy_task(dma, 1, source_of(mmap, (void *)(uintptr_t)offer.address, 64), target(4096, 64))));
    progress_to(1);
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_STOPPING);
    answer_notes();
}

RULE(pci_import_after_death, "After the exporting process has died, a copy fails.", .source = OBSERVED_3_0,
     .peer = export_read_write, .peer_is_host = true, .answer = "failed 1 IO_FAILED, to STOPPING") {
    struct offer offer;
    struct doca_dma *dma = start_dma(1);
    struct doca_mmap *mmap = import_offer(&offer);
    kill_peer();
    REQUIRE(submit_copy(copy_task(dma, 1, source_of(mmap, (void *)(uintptr_t)offer.address, 64), target(4096, 64))));
    progress_to(1);
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_STOPPING);
    answer_notes();
}

RULE(pci_import_past_range, "A copy beyond the exported range fails.", .source = OBSERVED_2_5,
     .peer = export_read_write, .peer_is_host = true, .answer = "SUCCESS, failed 1 IO_FAILED, to STOPPING") {
    struct offer offer;
    struct doca_dma *dma = start_dma(1);
    struct doca_mmap *mmap = import_offer(&offer);
    struct doca_buf *src = source_of(mmap, (void *)(uintptr_t)(offer.address + RANGE_SIZE - 64), 64);
    CODE(doca_buf_set_data(src, (void *)(uintptr_t)(offer.address + RANGE_SIZE - 32), 64));
    REQUIRE(submit_copy(copy_task(dma, 1, src, target(4096, 64))));
    progress_to(1);
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_STOPPING);
    answer_notes();
}

RULE(pci_host_copies, "A process of the host copies its own memory by DMA.", .source = OBSERVED_3_0, .host = true,
     .answer = "done 1, yes") {
    struct doca_dma *dma = start_dma(1);
    REQUIRE(submit_copy(copy_task(dma, 1, source(0, 64), target(4096, 64))));
    progress_to(1);
    answer_notes();
    answer_flag(is_copied(0, 4096, 64));
}

RULE(pci_host_imports, "A process of the host copies from the memory of a DPU that exports it.", .source = OBSERVED_3_0,
     .host = true, .peer = export_read_write, .answer = "done 1, 5a") {
    struct offer offer;
    struct doca_dma *dma = start_dma(1);
    struct doca_mmap *mmap = import_offer(&offer);
    REQUIRE(submit_copy(copy_task(dma, 1, source_of(mmap, (void *)(uintptr_t)offer.address, 64), target(4096, 64))));
    progress_to(1);
    answer_notes();
    answer("%02x", memory[4096]);
}
