/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>

#include "check.h"
#include "copies.h"
#include "submit.h"

/*
 * Callbacks: the context's data are the copies, and the task's data the one copy.
 */

static void
rearm(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data) {
    struct copies *copies = ctx_data.ptr;
    const struct copy *copy = task_data.ptr;

    (void)task;
    CHECK(doca_buf_reset_data_len(copy->dst));
    copies->num_done++;
}

static void
count(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data) {
    struct copies *copies = ctx_data.ptr;

    (void)task;
    (void)task_data;
    copies->num_done++;
}

static void
resubmit(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data) {
    struct copies *copies = ctx_data.ptr;
    const struct copy *copy = task_data.ptr;

    (void)task;
    CHECK(doca_buf_reset_data_len(copy->dst));
    copies->num_done++;
    if (copies->resubmits) {
        CHECK(doca_task_submit(copy->task));
    } else {
        copies->num_inflight--;
    }
}

static void
refuse(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data) {
    (void)task_data;
    (void)ctx_data;
    fail_call(doca_task_get_status(doca_dma_task_memcpy_as_task(task)), "a copy");
}

/*
 * Life
 */

static void
start_context(struct copies *copies, struct doca_dev *dev, enum copies_mode mode) {
    static const doca_dma_task_memcpy_completion_cb_t callbacks[] = {
        [COPIES_REARM] = rearm, [COPIES_COUNT] = count, [COPIES_RESUBMIT] = resubmit};

    CHECK(doca_pe_create(&copies->pe));
    CHECK(doca_dma_create(dev, &copies->dma));
    struct doca_ctx *ctx = doca_dma_as_ctx(copies->dma);
    CHECK(doca_pe_connect_ctx(copies->pe, ctx));
    CHECK(doca_dma_task_memcpy_set_conf(copies->dma, callbacks[mode], refuse, copies->depth));
    CHECK(doca_ctx_set_user_data(ctx, (union doca_data){.ptr = copies}));
    CHECK(doca_ctx_start(ctx));
}

static void
prepare(struct copies *copies, uint32_t index, const struct region *source, const struct region *target, size_t size) {
    struct copy *copy = &copies->copies[index];
    const size_t offset = index * size;
    struct doca_dma_task_memcpy *task;

    CHECK(doca_buf_inventory_buf_get_by_data(copies->inventory, source->mmap, source->addr + offset, size,
                                             &copy->src));
    CHECK(doca_buf_inventory_buf_get_by_addr(copies->inventory, target->mmap, target->addr + offset, size,
                                             &copy->dst));
    CHECK(doca_dma_task_memcpy_alloc_init(copies->dma, copy->src, copy->dst, (union doca_data){.ptr = copy}, &task));
    copy->task = doca_dma_task_memcpy_as_task(task);
}

void
copies_open(struct copies *copies, struct doca_dev *dev, const struct region *source, const struct region *target,
            size_t size, uint32_t depth, enum copies_mode mode) {
    *copies = (struct copies){.copies = allocate(depth, sizeof(*copies->copies)), .depth = depth};
    start_context(copies, dev, mode);
    CHECK(doca_buf_inventory_create(2 * (size_t)depth, &copies->inventory));
    CHECK(doca_buf_inventory_start(copies->inventory));
    for (uint32_t i = 0; i < depth; i++) {
        prepare(copies, i, source, target, size);
    }
}

void
copies_free_tasks(struct copies *copies) {
    for (uint32_t i = 0; i < copies->depth; i++) {
        doca_task_free(copies->copies[i].task);
        copies->copies[i].task = NULL;
    }
}

void
copies_close(struct copies *copies) {
    if (copies->copies[0].task != NULL) {
        copies_free_tasks(copies);
    }
    for (uint32_t i = 0; i < copies->depth; i++) {
        CHECK(doca_buf_dec_refcount(copies->copies[i].src, NULL));
        CHECK(doca_buf_dec_refcount(copies->copies[i].dst, NULL));
    }
    CHECK(doca_ctx_stop(doca_dma_as_ctx(copies->dma)));
    CHECK(doca_dma_destroy(copies->dma));
    CHECK(doca_pe_destroy(copies->pe));
    CHECK(doca_buf_inventory_destroy(copies->inventory));
    free(copies->copies);
}

/*
 * The loops that are measured
 */

static void
await(struct copies *copies, uint64_t goal) {
    while (copies->num_done < goal) {
        (void)doca_pe_progress(copies->pe);
    }
}

uint64_t
copies_run(struct copies *copies, uint64_t rounds) {
    const uint32_t last = copies->depth - 1;

    for (uint64_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; i < last; i++) {
            CHECK(submit_with_flags(copies->copies[i].task, DOCA_TASK_SUBMIT_FLAG_NONE));
        }
        CHECK(submit_with_flags(copies->copies[last].task, DOCA_TASK_SUBMIT_FLAG_FLUSH));
        await(copies, copies->num_done + copies->depth);
    }
    return rounds * copies->depth;
}

uint64_t
copies_drain(struct copies *copies, uint64_t rounds) {
    const uint32_t last = copies->depth - 1;

    for (uint64_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; i <= last; i++) {
            CHECK(doca_buf_reset_data_len(copies->copies[i].dst));
            CHECK(submit_with_flags(copies->copies[i].task,
                                    i < last ? DOCA_TASK_SUBMIT_FLAG_NONE : DOCA_TASK_SUBMIT_FLAG_FLUSH));
        }
        await(copies, copies->num_done + copies->depth);
    }
    return rounds * copies->depth;
}

uint64_t
copies_keep_full(struct copies *copies, uint64_t rounds) {
    const uint64_t before = copies->num_done;

    copies->resubmits = true;
    for (; copies->num_inflight < copies->depth; copies->num_inflight++) {
        CHECK(doca_task_submit(copies->copies[copies->num_inflight].task));
    }
    await(copies, before + rounds * copies->depth);
    return copies->num_done - before;
}

uint64_t
copies_settle(struct copies *copies) {
    const uint64_t before = copies->num_done;

    copies->resubmits = false;
    while (copies->num_inflight > 0) {
        (void)doca_pe_progress(copies->pe);
    }
    return copies->num_done - before;
}
