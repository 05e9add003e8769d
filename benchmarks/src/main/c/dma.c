/* SPDX-License-Identifier: Apache-2.0 */
/* Copies from memory of this process to memory of this process. An operation is one copy. */
#include <doca_types.h>

#include "bench_case.h"
#include "check.h"
#include "copies.h"
#include "device.h"

struct local_copies {
    struct doca_dev *dev;
    struct region source;
    struct region target;
    struct copies copies;
};

static struct local_copies *
open_copies(size_t size, uint32_t depth, enum copies_mode mode) {
    struct local_copies *local = allocate(1, sizeof(*local));

    local->dev = device_open_chosen();
    local->source = region_share(local->dev, size * depth, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, REGION_SOURCES);
    local->target = region_share(local->dev, size * depth, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, REGION_TARGETS);
    copies_open(&local->copies, local->dev, &local->source, &local->target, size, depth, mode);
    return local;
}

static void
close_copies(void *state) {
    struct local_copies *local = state;

    copies_close(&local->copies);
    region_destroy(&local->target);
    region_destroy(&local->source);
    CHECK(doca_dev_close(local->dev));
    free(local);
}

/*
 * dma: rounds of submitting a full window, and waiting for all of it
 */

static void *
open_dma(size_t size, uint32_t depth) {
    return open_copies(size, depth, COPIES_REARM);
}

static uint64_t
run_dma(void *state, uint64_t rounds) {
    struct local_copies *local = state;
    return copies_run(&local->copies, rounds);
}

const struct bench_case case_dma = {.name = "dma", .open = open_dma, .run = run_dma, .close = close_copies};

/*
 * dma_single: each completion submits its task again
 */

static void *
open_dma_single(size_t size, uint32_t depth) {
    return open_copies(size, depth, COPIES_RESUBMIT);
}

static uint64_t
run_dma_single(void *state, uint64_t rounds) {
    struct local_copies *local = state;
    return copies_keep_full(&local->copies, rounds);
}

static uint64_t
settle_dma_single(void *state) {
    struct local_copies *local = state;
    return copies_settle(&local->copies);
}

const struct bench_case case_dma_single = {.name = "dma_single",
                                           .open = open_dma_single,
                                           .run = run_dma_single,
                                           .settle = settle_dma_single,
                                           .close = close_copies};

/*
 * drain: like dma, with callbacks that only count
 */

static void *
open_drain(size_t size, uint32_t depth) {
    return open_copies(size, depth, COPIES_COUNT);
}

static uint64_t
run_drain(void *state, uint64_t rounds) {
    struct local_copies *local = state;
    return copies_drain(&local->copies, rounds);
}

const struct bench_case case_drain = {.name = "drain", .open = open_drain, .run = run_drain, .close = close_copies};
