/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work queues, contexts on them, and DMA jobs.
 */
#include "fixture.h"

static void
check_event(struct doca_workq *workq, uint64_t user_data) {
    struct doca_event event = {0};
    CHECK_SUCCESS(retrieve(workq, &event));
    CHECK_EQUAL(DOCA_DMA_JOB_MEMCPY, event.type);
    CHECK_EQUAL(user_data, event.user_data.u64);
    CHECK_EQUAL(DOCA_SUCCESS, event.result.u64);
}

static void
check_copy(void) {
    struct dma_fixture fixture = start_dma(4);
    struct doca_buf *src = take(0, 1000, 1000);
    struct doca_buf *more = take(2000, 500, 500);
    struct doca_buf *dst = take(8192, 4096, 96);
    struct doca_dma_job_memcpy job = copy_job(&fixture, src, dst, 7);
    struct doca_event event = {.type = 1, .user_data = {.u64 = 2}, .result = {.u64 = 3}};
    CHECK_SUCCESS(doca_buf_list_chain(src, more));
    memset(memory, 0x5a, 4096);
    memset(memory + 8192, 0, 4096);
    CHECK_ERROR(DOCA_ERROR_AGAIN, doca_workq_progress_retrieve(fixture.workq, &event, 0));
    CHECK_EQUAL(1, event.type);
    CHECK_SUCCESS(doca_workq_submit(fixture.workq, &job.base));
    check_event(fixture.workq, 7);
    CHECK_EQUAL(96 + 1500, data_len(dst));
    CHECK_EQUAL(0, memory[8192 + 95]);
    CHECK_EQUAL(0, memcmp(memory, memory + 8192 + 96, 1500));
    CHECK_EQUAL(0, memory[8192 + 96 + 1500]);
    give_back(src);
    give_back(dst);
    stop_dma(&fixture);
}

/* A job of any context occupies an entry from the submission to the retrieval. */
static void
check_places(void) {
    struct dma_fixture fixture = start_dma(2);
    struct dma_fixture other = start_dma(1);
    struct doca_buf *src = take(0, 16, 16);
    struct doca_buf *dst = take(8192, 4096, 0);
    struct doca_dma_job_memcpy job = copy_job(&fixture, src, dst, 1);
    struct doca_dma_job_memcpy other_job = copy_job(&other, src, dst, 2);
    uint32_t depth = 0;
    CHECK_SUCCESS(doca_workq_get_depth(fixture.workq, &depth));
    CHECK_EQUAL(2, depth);
    CHECK_ERROR(DOCA_ERROR_NOT_FOUND, doca_workq_submit(fixture.workq, &other_job.base));
    CHECK_SUCCESS(doca_ctx_workq_add(other.ctx, fixture.workq));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_ctx_workq_add(other.ctx, fixture.workq));
    CHECK_SUCCESS(doca_workq_submit(fixture.workq, &job.base));
    CHECK_SUCCESS(doca_workq_submit(fixture.workq, &other_job.base));
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, doca_workq_submit(fixture.workq, &job.base));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_ctx_workq_rm(fixture.ctx, fixture.workq));
    CHECK_SUCCESS(doca_workq_submit(other.workq, &other_job.base));
    struct doca_event event = {0};
    CHECK_SUCCESS(retrieve(fixture.workq, &event));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_ctx_workq_rm(fixture.ctx, fixture.workq));
    CHECK_SUCCESS(retrieve(fixture.workq, &event));
    check_event(other.workq, 2);
    CHECK_EQUAL(48, data_len(dst));
    CHECK_SUCCESS(doca_ctx_workq_rm(other.ctx, fixture.workq));
    CHECK_ERROR(DOCA_ERROR_NOT_FOUND, doca_ctx_workq_rm(other.ctx, fixture.workq));
    give_back(src);
    give_back(dst);
    stop_dma(&fixture);
    stop_dma(&other);
}

/* A failure breaks the context on this queue only, until it is attached again. */
static void
check_failure(void) {
    struct dma_fixture fixture = start_dma(8);
    struct doca_workq *other;
    struct doca_buf *src = take(0, 16, 16);
    struct doca_buf *empty = take(0, 16, 0);
    struct doca_buf *dst = take(8192, 4096, 0);
    struct doca_dma_job_memcpy good = copy_job(&fixture, src, dst, 1);
    struct doca_dma_job_memcpy bad = copy_job(&fixture, empty, dst, 2);
    REQUIRE_SUCCESS(doca_workq_create(8, &other));
    REQUIRE_SUCCESS(doca_ctx_workq_add(fixture.ctx, other));
    CHECK_SUCCESS(doca_workq_submit(fixture.workq, &bad.base));
    CHECK_SUCCESS(doca_workq_submit(fixture.workq, &good.base));
    for (int i = 0; i < 2; i++) {
        struct doca_event event = {0};
        CHECK_ERROR(DOCA_ERROR_IO_FAILED, retrieve(fixture.workq, &event));
        CHECK_EQUAL(DOCA_DMA_JOB_MEMCPY, event.type);
        CHECK_EQUAL(DOCA_ERROR_UNKNOWN, event.result.u64);
        CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_workq_submit(fixture.workq, &good.base));
    }
    CHECK_SUCCESS(doca_workq_submit(other, &good.base));
    check_event(other, 1);
    CHECK_SUCCESS(doca_ctx_workq_rm(fixture.ctx, other));
    CHECK_SUCCESS(doca_workq_destroy(other));
    CHECK_SUCCESS(doca_ctx_workq_rm(fixture.ctx, fixture.workq));
    CHECK_SUCCESS(doca_ctx_workq_add(fixture.ctx, fixture.workq));
    CHECK_SUCCESS(doca_workq_submit(fixture.workq, &good.base));
    check_event(fixture.workq, 1);
    give_back(src);
    give_back(empty);
    give_back(dst);
    stop_dma(&fixture);
}

static void
check_states(void) {
    struct doca_dma *dma;
    struct doca_workq *workq;
    struct doca_dev *other_dev = open_device(1);
    uint8_t is_supported = 0;
    uint32_t max_num_ctx = 0;
    REQUIRE_SUCCESS(doca_dma_create(&dma));
    REQUIRE_SUCCESS(doca_workq_create(1, &workq));
    struct doca_ctx *ctx = doca_dma_as_ctx(dma);
    CHECK_SUCCESS(doca_ctx_get_event_driven_supported(ctx, &is_supported));
    CHECK_EQUAL(1, is_supported);
    CHECK_SUCCESS(doca_ctx_get_max_num_ctx(&max_num_ctx));
    CHECK_EQUAL(1024, max_num_ctx);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_start(ctx));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_dev_rm(ctx, dev));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_dev_add(ctx, NULL));
    CHECK_SUCCESS(doca_ctx_dev_add(ctx, dev));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_dev_add(ctx, dev));
    CHECK_SUCCESS(doca_ctx_dev_add(ctx, other_dev));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_ctx_dev_rm(ctx, dev));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_ctx_stop(ctx));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_ctx_workq_add(ctx, workq));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_ctx_workq_rm(ctx, workq));
    CHECK_SUCCESS(doca_ctx_start(ctx));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_ctx_start(ctx));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_ctx_dev_add(ctx, dev));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_ctx_dev_rm(ctx, other_dev));
    CHECK_SUCCESS(doca_ctx_workq_add(ctx, workq));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_ctx_stop(ctx));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_dma_destroy(dma));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_workq_destroy(workq));
    CHECK_SUCCESS(doca_ctx_workq_rm(ctx, workq));
    CHECK_SUCCESS(doca_workq_destroy(workq));
    CHECK_SUCCESS(doca_dma_destroy(dma));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_dma_destroy(dma));
    CHECK_POINTER(NULL, doca_dma_as_ctx(dma));
    CHECK_SUCCESS(doca_dev_close(other_dev));
}

static void
check_limits(void) {
    struct dma_fixture fixture = start_dma(2000);
    struct doca_workq *workq;
    struct doca_buf *src = take(0, 16, 16);
    struct doca_buf *dst = take(8192, 32768, 0);
    struct doca_dma_job_memcpy job = copy_job(&fixture, src, dst, 0);
    struct doca_event event = {0};
    int num_jobs = 0;
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_workq_create(0, &workq));
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, doca_workq_create(UINT32_MAX, &workq));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_workq_submit(fixture.workq, NULL));
    while (doca_workq_submit(fixture.workq, &job.base) == DOCA_SUCCESS) {
        num_jobs++;
    }
    CHECK_EQUAL(1024, num_jobs);
    while (num_jobs > 0) {
        CHECK_SUCCESS(retrieve(fixture.workq, &event));
        num_jobs--;
    }
    CHECK_EQUAL(1024 * 16, data_len(dst));
    for (int i = 0; i < 64; i++) {
        CHECK_SUCCESS(doca_buf_list_chain(src, take(16, 16, 16)));
    }
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_workq_submit(fixture.workq, &job.base));
    give_back(src);
    give_back(dst);
    stop_dma(&fixture);
}

static void
check_capabilities(void) {
    struct doca_devinfo *devinfo = doca_dev_as_devinfo(dev);
    uint64_t max_size = 0;
    uint32_t max_elements = 0;
    CHECK_SUCCESS(doca_dma_job_get_supported(devinfo, DOCA_DMA_JOB_MEMCPY));
    CHECK_SUCCESS(doca_dma_get_max_buf_size(devinfo, &max_size));
    CHECK_EQUAL(128 * 1024 * 1024, max_size);
    CHECK_SUCCESS(doca_dma_get_max_list_buf_num_elem(devinfo, &max_elements));
    CHECK_EQUAL(64, max_elements);
}

static void
check_notification(void) {
    struct dma_fixture fixture = start_dma(4);
    struct doca_buf *src = take(0, 16, 16);
    struct doca_buf *dst = take(8192, 4096, 0);
    struct doca_dma_job_memcpy job = copy_job(&fixture, src, dst, 5);
    struct doca_event event = {0};
    doca_event_handle_t handle = doca_event_invalid_handle;
    uint8_t enabled = 1;
    CHECK_SUCCESS(doca_workq_get_event_driven_enable(fixture.workq, &enabled));
    CHECK_EQUAL(0, enabled);
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_workq_set_event_driven_enable(fixture.workq, 1));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_workq_get_event_handle(fixture.workq, &handle));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_workq_event_handle_arm(fixture.workq));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_workq_set_event_handle(fixture.workq, 0, 0));
    CHECK_SUCCESS(doca_ctx_workq_rm(fixture.ctx, fixture.workq));
    CHECK_SUCCESS(doca_workq_set_event_driven_enable(fixture.workq, 1));
    CHECK_SUCCESS(doca_ctx_workq_add(fixture.ctx, fixture.workq));
    CHECK_SUCCESS(doca_workq_get_event_handle(fixture.workq, &handle));
    CHECK_SUCCESS(doca_workq_event_handle_arm(fixture.workq));
    CHECK(!is_readable(handle, 0));
    CHECK_SUCCESS(doca_workq_submit(fixture.workq, &job.base));
    CHECK(is_readable(handle, 10000));
    CHECK_ERROR(DOCA_ERROR_AGAIN, doca_workq_progress_retrieve(fixture.workq, &event, 0));
    CHECK_SUCCESS(doca_workq_event_handle_clear(fixture.workq, handle));
    CHECK(!is_readable(handle, 0));
    check_event(fixture.workq, 5);
    CHECK_SUCCESS(doca_workq_submit(fixture.workq, &job.base));
    CHECK_SUCCESS(doca_workq_event_handle_arm(fixture.workq));
    CHECK(is_readable(handle, 10000));
    check_event(fixture.workq, 5);
    give_back(src);
    give_back(dst);
    stop_dma(&fixture);
}

static void
check_missing_descriptors(void) {
    struct dma_fixture fixture = start_dma(4);
    doca_event_handle_t handle = doca_event_invalid_handle;
    uint8_t enabled = 1;
    CHECK_SUCCESS(doca_ctx_workq_rm(fixture.ctx, fixture.workq));
    for (int num_left = 0; num_left < 2; num_left++) {
        const struct rlimit limit = limit_descriptors(num_left);
        CHECK_ERROR(DOCA_ERROR_OPERATING_SYSTEM, doca_workq_set_event_driven_enable(fixture.workq, 1));
        restore_descriptors(&limit);
        CHECK_SUCCESS(doca_workq_get_event_driven_enable(fixture.workq, &enabled));
        CHECK_EQUAL(0, enabled);
        CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_workq_get_event_handle(fixture.workq, &handle));
    }
    CHECK_SUCCESS(doca_workq_set_event_driven_enable(fixture.workq, 1));
    const struct rlimit limit = limit_descriptors(0);
    CHECK_ERROR(DOCA_ERROR_OPERATING_SYSTEM, doca_ctx_workq_add(fixture.ctx, fixture.workq));
    restore_descriptors(&limit);
    CHECK_ERROR(DOCA_ERROR_NOT_FOUND, doca_ctx_workq_rm(fixture.ctx, fixture.workq));
    CHECK_SUCCESS(doca_ctx_workq_add(fixture.ctx, fixture.workq));
    stop_dma(&fixture);
}

int
main(void) {
    set_up(DOCA_ACCESS_LOCAL_READ_WRITE);
    check_copy();
    check_places();
    check_failure();
    check_states();
    check_limits();
    check_capabilities();
    check_notification();
    check_missing_descriptors();
    tear_down();
    return check_result();
}
