/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sync events by calls and by jobs.
 */
#include <doca_sync_event.h>

#include "fixture.h"

static struct doca_sync_event *
create_event(void) {
    struct doca_sync_event *event;
    REQUIRE_SUCCESS(doca_sync_event_create(&event));
    REQUIRE_SUCCESS(doca_sync_event_publisher_add_location_cpu(event, dev));
    REQUIRE_SUCCESS(doca_sync_event_subscriber_add_location_cpu(event, dev));
    return event;
}

/* A job that waits does not block the jobs after it. */
static void
check_wait(void) {
    struct doca_sync_event *event = create_event();
    struct doca_ctx *ctx = doca_sync_event_as_ctx(event);
    struct doca_workq *workq;
    struct doca_event ended = {0};
    uint64_t value = 0;
    const struct doca_sync_event_job_update_add add = {
        .base = {.type = DOCA_SYNC_EVENT_JOB_UPDATE_ADD, .ctx = ctx}, .value = 8, .fetched = &value};
    const struct doca_sync_event_job_wait wait = {
        .base = {.type = DOCA_SYNC_EVENT_JOB_WAIT_GT, .ctx = ctx}, .value = 7, .mask = UINT64_MAX};
    for (int type = DOCA_SYNC_EVENT_JOB_WAIT_GT; type <= DOCA_SYNC_EVENT_JOB_UPDATE_ADD; type++) {
        CHECK_SUCCESS(doca_sync_event_job_get_supported(doca_dev_as_devinfo(dev),
                                                        (enum doca_sync_event_job_types)type));
    }
    REQUIRE_SUCCESS(doca_ctx_start(ctx));
    REQUIRE_SUCCESS(doca_workq_create(4, &workq));
    REQUIRE_SUCCESS(doca_ctx_workq_add(ctx, workq));
    CHECK_SUCCESS(doca_workq_submit(workq, &wait.base));
    CHECK_ERROR(DOCA_ERROR_AGAIN, doca_workq_progress_retrieve(workq, &ended, 0));
    CHECK_SUCCESS(doca_workq_submit(workq, &add.base));
    CHECK_SUCCESS(retrieve(workq, &ended));
    CHECK_EQUAL(DOCA_SYNC_EVENT_JOB_UPDATE_ADD, ended.type);
    CHECK_SUCCESS(retrieve(workq, &ended));
    CHECK_EQUAL(DOCA_SYNC_EVENT_JOB_WAIT_GT, ended.type);
    CHECK_SUCCESS(doca_ctx_workq_rm(ctx, workq));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_sync_event_destroy(event));
    CHECK_SUCCESS(doca_ctx_stop(ctx));
    CHECK_SUCCESS(doca_sync_event_destroy(event));
    CHECK_SUCCESS(doca_workq_destroy(workq));
}

static void
check_exports(void) {
    struct doca_sync_event *event = create_event();
    doca_sync_event_remote_t remote;
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_sync_event_export_remote(event, &remote));
    CHECK_SUCCESS(doca_sync_event_start(event));
    CHECK_SUCCESS(doca_sync_event_update_set(event, 8));
    CHECK_SUCCESS(doca_sync_event_wait_gt_yield(event, 7, UINT64_MAX));
    CHECK_SUCCESS(doca_sync_event_export_remote(event, &remote));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_sync_event_export_remote(event, NULL));
    CHECK_SUCCESS(doca_sync_event_stop(event));
    CHECK_SUCCESS(doca_sync_event_destroy(event));
}

int
main(void) {
    set_up(DOCA_ACCESS_LOCAL_READ_WRITE);
    check_wait();
    check_exports();
    tear_down();
    return check_result();
}
