/* SPDX-License-Identifier: Apache-2.0 */
/*
 * export_text PCI-ADDRESS TEXT DESCRIPTOR-FILE BUFFER-FILE: a host that lets a DPU read a text until enter is pressed.
 */
#include <inttypes.h>
#include <string.h>

#include <doca_mmap.h>

#include "check.h"

#ifndef DOCA_ARCH_HOST
#error "to be built with the SDK of a host"
#endif

static void
write_files(struct doca_mmap *mmap, struct doca_dev *dev, const char *text, char *const paths[]) {
    const void *descriptor;
    size_t len;
    CHECK(doca_mmap_export_pci(mmap, dev, &descriptor, &len));
    FILE *file = open_file(paths[0], "wb");
    fwrite(descriptor, 1, len, file);
    fclose(file);
    file = open_file(paths[1], "w");
    fprintf(file, "%" PRIuPTR "\n%zu", (uintptr_t)text, strlen(text) + 1);
    fclose(file);
}

int
main(int argc, char *argv[]) {
    if (argc != 5) {
        return EXIT_FAILURE;
    }
    struct doca_dev *dev = open_device(argv[1]);
    char *text = argv[2];
    struct doca_mmap *mmap;
    CHECK(doca_mmap_create(&mmap));
    CHECK(doca_mmap_add_dev(mmap, dev));
    CHECK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_ONLY));
    CHECK(doca_mmap_set_memrange(mmap, text, strlen(text) + 1));
    CHECK(doca_mmap_start(mmap));
    write_files(mmap, dev, text, argv + 3);

    puts("exported");
    fflush(stdout);
    getchar();

    CHECK(doca_mmap_destroy(mmap));
    CHECK(doca_dev_close(dev));
    puts("closed");
    return EXIT_SUCCESS;
}
