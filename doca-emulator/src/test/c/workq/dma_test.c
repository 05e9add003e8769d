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

int
main(void) {
    set_up(DOCA_ACCESS_LOCAL_READ_WRITE);
    check_limits();
    check_missing_descriptors();
    tear_down();
    return check_result();
}
