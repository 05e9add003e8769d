/* SPDX-License-Identifier: Apache-2.0 */
/* import_text PCI-ADDRESS DESCRIPTOR-FILE BUFFER-FILE: a DPU that copies a text from a host and prints it. */
#include <inttypes.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include "check.h"

#ifndef DOCA_ARCH_DPU
#error "to be built with the SDK of a DPU"
#endif

struct remote {
    char descriptor[1024];
    size_t descriptor_len;
    uint64_t addr;
    size_t len;
};

static void
read_files(char *const paths[], struct remote *remote) {
    FILE *file = open_file(paths[0], "rb");
    remote->descriptor_len = fread(remote->descriptor, 1, sizeof(remote->descriptor), file);
    fclose(file);
    file = open_file(paths[1], "r");
    const int num_read = fscanf(file, "%" SCNu64 "\n%zu", &remote->addr, &remote->len);
    fclose(file);
    check(num_read == 2 ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE, paths[1]);
}

static void
ended(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data) {
    (void)ctx_data;
    doca_error_t *result = task_data.ptr;
    *result = doca_task_get_status(doca_dma_task_memcpy_as_task(task));
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static void
copy(struct doca_dev *dev, const struct doca_buf *src, struct doca_buf *dst) {
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_dma_task_memcpy *task;
    doca_error_t result = DOCA_ERROR_IN_PROGRESS;
    CHECK(doca_pe_create(&pe));
    CHECK(doca_dma_create(dev, &dma));
    CHECK(doca_dma_task_memcpy_set_conf(dma, ended, ended, 1));
    CHECK(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    CHECK(doca_ctx_start(doca_dma_as_ctx(dma)));
    CHECK(doca_dma_task_memcpy_alloc_init(dma, src, dst, (union doca_data){.ptr = &result}, &task));
    CHECK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    while (result == DOCA_ERROR_IN_PROGRESS) {
        doca_pe_progress(pe);
    }
    check(result, "copy");
    CHECK(doca_ctx_stop(doca_dma_as_ctx(dma)));
    CHECK(doca_dma_destroy(dma));
    CHECK(doca_pe_destroy(pe));
}

int
main(int argc, char *argv[]) {
    struct remote remote = {0};
    if (argc != 4) {
        return EXIT_FAILURE;
    }
    struct doca_dev *dev = open_device(argv[1]);
    read_files(argv + 2, &remote);
    char *text = calloc(1, remote.len);
    check(text == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS, "calloc");

    struct doca_mmap *from;
    struct doca_mmap *to;
    CHECK(doca_mmap_create_from_export(NULL, remote.descriptor, remote.descriptor_len, dev, &from));
    CHECK(doca_mmap_create(&to));
    CHECK(doca_mmap_add_dev(to, dev));
    CHECK(doca_mmap_set_memrange(to, text, remote.len));
    CHECK(doca_mmap_start(to));

    struct doca_buf_inventory *inventory;
    struct doca_buf *src;
    struct doca_buf *dst;
    CHECK(doca_buf_inventory_create(2, &inventory));
    CHECK(doca_buf_inventory_start(inventory));
    CHECK(doca_buf_inventory_buf_get_by_data(inventory, from, (void *)(uintptr_t)remote.addr, remote.len, &src));
    CHECK(doca_buf_inventory_buf_get_by_addr(inventory, to, text, remote.len, &dst));
    copy(dev, src, dst);
    printf("%zu bytes: %.*s\n", remote.len, (int)remote.len - 1, text);

    CHECK(doca_buf_dec_refcount(src, NULL));
    CHECK(doca_buf_dec_refcount(dst, NULL));
    CHECK(doca_buf_inventory_destroy(inventory));
    CHECK(doca_mmap_destroy(from));
    CHECK(doca_mmap_destroy(to));
    CHECK(doca_dev_close(dev));
    free(text);
    return EXIT_SUCCESS;
}
