/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common fixture of work queue tests: a device, a map of 64 KiB, an inventory and buffers. A missing prerequisite
 * ends the program.
 */
#ifndef DOCA_EMULATOR_WORKQ_FIXTURE_H_
#define DOCA_EMULATOR_WORKQ_FIXTURE_H_

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_mmap.h>

#include "device.h"

#define NUM_BUFS 256

static struct doca_mmap *memory_map;
static struct doca_buf_inventory *inventory;

static inline struct doca_mmap *
start_mmap(uint8_t *addr, size_t len, uint32_t permissions) {
    struct doca_mmap *mmap;
    REQUIRE_SUCCESS(doca_mmap_create(NULL, &mmap));
    REQUIRE_SUCCESS(doca_mmap_dev_add(mmap, dev));
    REQUIRE_SUCCESS(doca_mmap_set_memrange(mmap, addr, len));
    REQUIRE_SUCCESS(doca_mmap_set_permissions(mmap, permissions));
    REQUIRE_SUCCESS(doca_mmap_start(mmap));
    return mmap;
}

static inline void
set_up(uint32_t permissions) {
    dev = open_device(0);
    memory_map = start_mmap(memory, MEMORY_SIZE, permissions);
    REQUIRE_SUCCESS(doca_buf_inventory_create(NULL, NUM_BUFS, DOCA_BUF_EXTENSION_NONE, &inventory));
    REQUIRE_SUCCESS(doca_buf_inventory_start(inventory));
}

/* Checks that all buffers have been released. */
static inline void
tear_down(void) {
    CHECK_SUCCESS(doca_buf_inventory_stop(inventory));
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
    CHECK_SUCCESS(doca_mmap_destroy(memory_map));
    CHECK_SUCCESS(doca_dev_close(dev));
}

/* Takes a buffer of the map, with data_len bytes of data at its start. */
static inline struct doca_buf *
take_buf(struct doca_mmap *mmap, uint8_t *addr, size_t len, size_t data_len) {
    struct doca_buf *buf;
    REQUIRE_SUCCESS(doca_buf_inventory_buf_by_args(inventory, mmap, addr, len, addr, data_len, &buf));
    return buf;
}

static inline struct doca_buf *
take(size_t offset, size_t len, size_t data_len) {
    return take_buf(memory_map, memory + offset, len, data_len);
}

static inline void
give_back(struct doca_buf *buf) {
    CHECK_SUCCESS(doca_buf_refcount_rm(buf, NULL));
}

static inline size_t
data_len(const struct doca_buf *buf) {
    size_t len = 0;
    CHECK_SUCCESS(doca_buf_get_data_len(buf, &len));
    return len;
}

/* Waits for the next event, which may be caused by another thread or process. */
static inline doca_error_t
retrieve(struct doca_workq *workq, struct doca_event *event) {
    doca_error_t result;
    do {
        result = doca_workq_progress_retrieve(workq, event, DOCA_WORKQ_RETRIEVE_FLAGS_NONE);
    } while (result == DOCA_ERROR_AGAIN);
    return result;
}

struct dma_fixture {
    struct doca_dma *dma;
    struct doca_ctx *ctx;
    struct doca_workq *workq;
};

static inline struct dma_fixture
start_dma(uint32_t depth) {
    struct dma_fixture fixture;
    REQUIRE_SUCCESS(doca_dma_create(&fixture.dma));
    fixture.ctx = doca_dma_as_ctx(fixture.dma);
    REQUIRE_SUCCESS(doca_ctx_dev_add(fixture.ctx, dev));
    REQUIRE_SUCCESS(doca_ctx_start(fixture.ctx));
    REQUIRE_SUCCESS(doca_workq_create(depth, &fixture.workq));
    REQUIRE_SUCCESS(doca_ctx_workq_add(fixture.ctx, fixture.workq));
    return fixture;
}

static inline void
stop_dma(struct dma_fixture *fixture) {
    CHECK_SUCCESS(doca_ctx_workq_rm(fixture->ctx, fixture->workq));
    CHECK_SUCCESS(doca_workq_destroy(fixture->workq));
    CHECK_SUCCESS(doca_ctx_stop(fixture->ctx));
    CHECK_SUCCESS(doca_ctx_dev_rm(fixture->ctx, dev));
    CHECK_SUCCESS(doca_dma_destroy(fixture->dma));
}

static inline struct doca_dma_job_memcpy
copy_job(const struct dma_fixture *fixture, struct doca_buf *src, struct doca_buf *dst, uint64_t user_data) {
    return (struct doca_dma_job_memcpy){
        .base = {.type = DOCA_DMA_JOB_MEMCPY, .ctx = fixture->ctx, .user_data = {.u64 = user_data}},
        .dst_buff = dst,
        .src_buff = src};
}

#endif /* DOCA_EMULATOR_WORKQ_FIXTURE_H_ */
