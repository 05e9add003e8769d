/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between memory of this process, a DPU, and memory of a host, with the loop of dma.c. */
#include <doca_types.h>

#include "bench_case.h"
#include "check.h"
#include "copies.h"
#include "device.h"
#include "exporter_process.h"

struct remote_copies {
    struct doca_dev *dev;
    struct region own;
    struct region hosts;
    struct child exporter;
    struct copies copies;
};

static struct region
import(struct doca_dev *dev, const struct export *export) {
    struct region region = {.addr = (uint8_t *)(uintptr_t)export->addr, .len = export->len};

    CHECK(doca_mmap_create_from_export(NULL, export->descriptor, export->descriptor_len, dev, &region.mmap));
    return region;
}

static struct remote_copies *
open_copies(size_t len, const char *access) {
    struct remote_copies *remote = allocate(1, sizeof(*remote));
    struct export export;

    remote->exporter = exporter_process_start(len, access, &export);
    remote->dev = device_open_chosen();
    remote->own = region_create(remote->dev, len, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    remote->hosts = import(remote->dev, &export);
    return remote;
}

static void *
open_pull(size_t size, uint32_t depth) {
    struct remote_copies *remote = open_copies(size * depth, "ro");

    copies_open(&remote->copies, remote->dev, &remote->hosts, &remote->own, size, depth, COPIES_REARM);
    return remote;
}

static void *
open_push(size_t size, uint32_t depth) {
    struct remote_copies *remote = open_copies(size * depth, "rw");

    copies_open(&remote->copies, remote->dev, &remote->own, &remote->hosts, size, depth, COPIES_REARM);
    return remote;
}

static uint64_t
run(void *state, uint64_t rounds) {
    struct remote_copies *remote = state;
    return copies_run(&remote->copies, rounds);
}

static void
close_copies(void *state) {
    struct remote_copies *remote = state;

    copies_close(&remote->copies);
    CHECK(doca_mmap_destroy(remote->hosts.mmap));
    region_destroy(&remote->own);
    CHECK(doca_dev_close(remote->dev));
    child_end(&remote->exporter);
    free(remote);
}

const struct bench_case case_pull = {.name = "pull", .open = open_pull, .run = run, .close = close_copies};
const struct bench_case case_push = {.name = "push", .open = open_push, .run = run, .close = close_copies};
