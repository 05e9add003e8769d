/* SPDX-License-Identifier: Apache-2.0 */
/* Exports and imports of memory maps. The depth is not used. */
#include <doca_types.h>

#include "bench_case.h"
#include "check.h"
#include "device.h"
#include "exporter_process.h"
#include "region.h"

struct mapping {
    struct doca_dev *dev;
    /* export */
    struct region memory;
    /* import */
    struct child exporter;
    struct export export;
};

/*
 * export, on a host: an operation maps existing memory, exports it for PCI, and unmaps it
 */

static void *
open_export(size_t size, uint32_t depth) {
    struct mapping *mapping = allocate(1, sizeof(*mapping));

    (void)depth;
    mapping->dev = device_open_chosen();
    mapping->memory = region_create(mapping->dev, size, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    return mapping;
}

static uint64_t
run_export(void *state, uint64_t rounds) {
    struct mapping *mapping = state;

    for (uint64_t round = 0; round < rounds; round++) {
        struct doca_mmap *mmap;
        const void *descriptor;
        size_t len;
        CHECK(doca_mmap_create(&mmap));
        CHECK(doca_mmap_add_dev(mmap, mapping->dev));
        CHECK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
        CHECK(doca_mmap_set_memrange(mmap, mapping->memory.addr, mapping->memory.len));
        CHECK(doca_mmap_start(mmap));
        CHECK(doca_mmap_export_pci(mmap, mapping->dev, &descriptor, &len));
        CHECK(doca_mmap_destroy(mmap));
    }
    return rounds;
}

static void
close_export(void *state) {
    struct mapping *mapping = state;

    region_destroy(&mapping->memory);
    CHECK(doca_dev_close(mapping->dev));
    free(mapping);
}

const struct bench_case case_export = {.name = "export", .open = open_export, .run = run_export, .close = close_export};

/*
 * import, on a DPU: an operation imports an export of another process, and destroys the map
 */

static void *
open_import(size_t size, uint32_t depth) {
    struct mapping *mapping = allocate(1, sizeof(*mapping));

    (void)depth;
    mapping->exporter = exporter_process_start(size, "rw", &mapping->export);
    mapping->dev = device_open_chosen();
    return mapping;
}

static uint64_t
run_import(void *state, uint64_t rounds) {
    struct mapping *mapping = state;
    const struct export *export = &mapping->export;

    for (uint64_t round = 0; round < rounds; round++) {
        struct doca_mmap *mmap;
        CHECK(doca_mmap_create_from_export(NULL, export->descriptor, export->descriptor_len, mapping->dev, &mmap));
        CHECK(doca_mmap_destroy(mmap));
    }
    return rounds;
}

static void
close_import(void *state) {
    struct mapping *mapping = state;

    CHECK(doca_dev_close(mapping->dev));
    child_end(&mapping->exporter);
    free(mapping);
}

const struct bench_case case_import = {.name = "import", .open = open_import, .run = run_import, .close = close_import};
