/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work queues, contexts on them, and DMA jobs.
 */
#include "fixture.h"

static void
check_limits(void) {
    struct dma_fixture fixture = start_dma(2000);
    struct doca_workq *workq;
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, doca_workq_create(UINT32_MAX, &workq));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_workq_submit(fixture.workq, NULL));
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

/* A queue with more entries than the device has tasks can be attached. Jobs beyond that number are refused until others end. */
static void
check_small_device(void) {
    set_up(DOCA_ACCESS_LOCAL_READ_WRITE);
    struct dma_fixture fixture = start_dma(8);
    struct doca_buf *src = take(0, 64, 64);
    struct doca_buf *dst[3];
    struct doca_dma_job_memcpy jobs[3];
    struct doca_event event = {.type = 0};
    for (size_t i = 0; i < 3; i++) {
        dst[i] = take(1024 * (i + 1), 64, 0);
        jobs[i] = copy_job(&fixture, src, dst[i], i);
    }
    CHECK_SUCCESS(doca_workq_submit(fixture.workq, &jobs[0].base));
    CHECK_SUCCESS(doca_workq_submit(fixture.workq, &jobs[1].base));
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, doca_workq_submit(fixture.workq, &jobs[2].base));
    CHECK_SUCCESS(retrieve(fixture.workq, &event));
    CHECK_SUCCESS(retrieve(fixture.workq, &event));
    CHECK_SUCCESS(doca_workq_submit(fixture.workq, &jobs[2].base));
    CHECK_SUCCESS(retrieve(fixture.workq, &event));
    CHECK_EQUAL(2, event.user_data.u64);
    CHECK_EQUAL(64, data_len(dst[2]));
    for (size_t i = 0; i < 3; i++) {
        give_back(dst[i]);
    }
    give_back(src);
    stop_dma(&fixture);
    tear_down();
}

int
main(void) {
    check_with_topology("[dpu mlx5_0]\npci = 03:00.0\ndma_max_tasks = 2\n", check_small_device);
    set_up(DOCA_ACCESS_LOCAL_READ_WRITE);
    check_limits();
    check_missing_descriptors();
    tear_down();
    return check_result();
}
