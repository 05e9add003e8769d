/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers without copies. */
#include <dlfcn.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_types.h>

#include "bench_case.h"
#include "check.h"
#include "device.h"
#include "region.h"

/* Looked up at run time: a program that links it would not start with SDK 3.0. */
typedef doca_error_t reuse_by_args(struct doca_buf *buf, void *addr, size_t len, void *data, size_t data_len);

struct buffers {
    struct doca_dev *dev;
    struct region region;
    struct doca_buf_inventory *inventory;
    size_t size;
    uint32_t depth;
    /* Two for each unit of depth. */
    struct doca_buf **bufs;
    reuse_by_args *reuse;
};

static struct buffers *
open_buffers(size_t size, uint32_t depth) {
    struct buffers *buffers = allocate(1, sizeof(*buffers));

    buffers->dev = device_open_chosen();
    buffers->region = region_create(buffers->dev, 2 * size * depth, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    buffers->size = size;
    buffers->depth = depth;
    buffers->bufs = allocate(2 * (size_t)depth, sizeof(struct doca_buf *));
    CHECK(doca_buf_inventory_create(2 * (size_t)depth, &buffers->inventory));
    CHECK(doca_buf_inventory_start(buffers->inventory));
    return buffers;
}

static void
close_buffers(void *state) {
    struct buffers *buffers = state;

    CHECK(doca_buf_inventory_destroy(buffers->inventory));
    region_destroy(&buffers->region);
    CHECK(doca_dev_close(buffers->dev));
    free(buffers->bufs);
    free(buffers);
}

static void
release_all(struct buffers *buffers, uint32_t num_bufs) {
    for (uint32_t i = 0; i < num_bufs; i++) {
        CHECK(doca_buf_dec_refcount(buffers->bufs[i], NULL));
    }
}

/* buf: an operation acquires a source with data and an empty destination, sets its data, and releases both */

static void *
open_buf(size_t size, uint32_t depth) {
    return open_buffers(size, depth);
}

static uint64_t
run_buf(void *state, uint64_t rounds) {
    struct buffers *buffers = state;
    const size_t size = buffers->size;

    for (uint64_t round = 0; round < rounds; round++) {
        uint8_t *addr = buffers->region.addr;
        for (uint32_t i = 0; i < 2 * buffers->depth; i += 2, addr += 2 * size) {
            CHECK(doca_buf_inventory_buf_get_by_data(buffers->inventory, buffers->region.mmap, addr, size,
                                                     &buffers->bufs[i]));
            CHECK(doca_buf_inventory_buf_get_by_addr(buffers->inventory, buffers->region.mmap, addr + size, size,
                                                     &buffers->bufs[i + 1]));
            CHECK(doca_buf_set_data(buffers->bufs[i + 1], addr + size, size));
        }
        release_all(buffers, 2 * buffers->depth);
    }
    return rounds * buffers->depth;
}

const struct bench_case case_buf = {.name = "buf", .open = open_buf, .run = run_buf, .close = close_buffers};

/*
 * buf_reuse: an operation sets one buffer to the next range
 */

static void *
open_buf_reuse(size_t size, uint32_t depth) {
    struct buffers *buffers = open_buffers(size, depth);

    buffers->reuse = (reuse_by_args *)dlsym(RTLD_DEFAULT, "doca_buf_inventory_buf_reuse_by_args");
    if (buffers->reuse == NULL) {
        fail("this SDK has no doca_buf_inventory_buf_reuse_by_args");
    }
    for (uint32_t i = 0; i < depth; i++) {
        CHECK(doca_buf_inventory_buf_get_by_data(buffers->inventory, buffers->region.mmap, buffers->region.addr, size,
                                                 &buffers->bufs[i]));
    }
    return buffers;
}

/* Each buffer alternates between two ranges. */
static uint64_t
run_buf_reuse(void *state, uint64_t rounds) {
    struct buffers *buffers = state;
    const size_t size = buffers->size;

    for (uint64_t round = 0; round < rounds; round++) {
        uint8_t *addr = buffers->region.addr + (round % 2) * size;
        for (uint32_t i = 0; i < buffers->depth; i++, addr += 2 * size) {
            CHECK(buffers->reuse(buffers->bufs[i], addr, size, addr, size));
        }
    }
    return rounds * buffers->depth;
}

static void
close_buf_reuse(void *state) {
    struct buffers *buffers = state;

    release_all(buffers, buffers->depth);
    close_buffers(state);
}

const struct bench_case case_buf_reuse = {
    .name = "buf_reuse", .open = open_buf_reuse, .run = run_buf_reuse, .close = close_buf_reuse};
