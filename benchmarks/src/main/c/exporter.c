/* SPDX-License-Identifier: Apache-2.0 */
/*
 * doca_bench_exporter SIZE FILE ACCESS: a host that lets its DPU access SIZE bytes, with ACCESS ro or rw. It writes
 * FILE.desc (the descriptor) and FILE.info (the address and the length, in a line each) for the DPU, prints "ready",
 * and runs until the end of its standard input. Its device is the one at the PCI address in the environment variable
 * DOCA_BENCH_HOST_PCI, or at 0b:00.0.
 */
#include <stdio.h>
#include <string.h>

#include <doca_types.h>

#include "check.h"
#include "device.h"
#include "export_file.h"
#include "region.h"

static uint32_t
parse_access(const char *access) {
    if (strcmp(access, "ro") == 0) {
        return DOCA_ACCESS_FLAG_PCI_READ_ONLY;
    }
    if (strcmp(access, "rw") == 0) {
        return DOCA_ACCESS_FLAG_PCI_READ_WRITE;
    }
    fail("ACCESS must be ro or rw, and is not %s", access);
}

static size_t
parse_size(const char *size) {
    char *end;
    const unsigned long long number = strtoull(size, &end, 10);
    if (number == 0 || number > SIZE_MAX / 2 || *end != '\0') {
        fail("SIZE must be a number of bytes, and is not %s", size);
    }
    return number;
}

static void
write_export(const struct region *region, struct doca_dev *dev, const char *path) {
    struct export export = {.addr = (uintptr_t)region->addr, .len = region->len};
    const void *descriptor;

    CHECK(doca_mmap_export_pci(region->mmap, dev, &descriptor, &export.descriptor_len));
    if (export.descriptor_len > sizeof(export.descriptor)) {
        fail("the descriptor has %zu bytes", export.descriptor_len);
    }
    memcpy(export.descriptor, descriptor, export.descriptor_len);
    export_file_write(path, &export);
}

int
main(int argc, char *argv[]) {
    if (argc != 4) {
        fail("expected SIZE FILE ACCESS");
    }
    /* Independent of the side of the parent process. An SDK ignores the variable. */
    setenv("DOCA_EMULATOR_ROLE", "host", 1);
    const size_t size = parse_size(argv[1]);
    const uint32_t access = parse_access(argv[3]);
    const char *pci_addr = getenv("DOCA_BENCH_HOST_PCI");
    struct doca_dev *dev = device_open(pci_addr == NULL ? "0b:00.0" : pci_addr);
    struct region region = region_create(dev, size, access);
    write_export(&region, dev, argv[2]);

    puts("ready");
    fflush(stdout);
    while (getchar() != EOF) {
    }

    region_destroy(&region);
    CHECK(doca_dev_close(dev));
    return EXIT_SUCCESS;
}
