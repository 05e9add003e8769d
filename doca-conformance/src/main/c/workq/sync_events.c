/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define THEME "sync events"

static struct doca_sync_event *
configure_event(void) {
    struct doca_sync_event *event;
    open_device();
    REQUIRE(doca_sync_event_create(&event));
    REQUIRE(doca_sync_event_publisher_add_location_cpu(event, dev));
    REQUIRE(doca_sync_event_subscriber_add_location_cpu(event, dev));
    return event;
}

RULE(sync_event_without_locations, "A sync event needs a publisher and a subscriber.", .source = OBSERVED_2_2,
     .answer = "BAD_STATE, BAD_STATE, SUCCESS") {
    struct doca_sync_event *event;
    open_device();
    REQUIRE(doca_sync_event_create(&event));
    CODE(doca_sync_event_start(event));
    REQUIRE(doca_sync_event_publisher_add_location_cpu(event, dev));
    CODE(doca_sync_event_start(event));
    REQUIRE(doca_sync_event_subscriber_add_location_cpu(event, dev));
    CODE(doca_sync_event_start(event));
}

RULE(sync_event_calls, "A started sync event is set, added to, waited for and read by calls.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, SUCCESS, 5, SUCCESS, SUCCESS, 8, SUCCESS, SUCCESS") {
    struct doca_sync_event *event = configure_event();
    uint64_t value = 99;
    REQUIRE(doca_sync_event_start(event));
    CODE(doca_sync_event_update_set(event, 5));
    CODE(doca_sync_event_update_add(event, 3, &value));
    answer_number((long long)value);
    CODE(doca_sync_event_wait_gt(event, 7, UINT64_MAX));
    CODE(doca_sync_event_get(event, &value));
    answer_number((long long)value);
    CODE(doca_sync_event_stop(event));
    CODE(doca_sync_event_destroy(event));
}

RULE(sync_event_add_null, "An add needs a pointer for the previous value.", .source = OBSERVED_2_2,
     .answer = "INVALID_VALUE") {
    struct doca_sync_event *event = configure_event();
    REQUIRE(doca_sync_event_start(event));
    CODE(doca_sync_event_update_add(event, 3, NULL));
}

RULE(sync_event_started_is_no_ctx, "A sync event that is started for calls is not a context.", .source = OBSERVED_2_2,
     .answer = "NULL") {
    struct doca_sync_event *event = configure_event();
    REQUIRE(doca_sync_event_start(event));
    answer("%s", doca_sync_event_as_ctx(event) == NULL ? "NULL" : "a context");
}

RULE(sync_event_ctx, "A sync event that is started as a context cannot be started for calls.", .source = OBSERVED_2_2,
     .answer = "NOT_SUPPORTED, SUCCESS, NOT_PERMITTED") {
    struct doca_sync_event *event = configure_event();
    struct doca_ctx *ctx = doca_sync_event_as_ctx(event);
    CODE(doca_ctx_dev_add(ctx, dev));
    CODE(doca_ctx_start(ctx));
    CODE(doca_sync_event_start(event));
}

RULE(sync_event_jobs, "Jobs of a sync event end with events of their type.", .source = OBSERVED_2_2,
     .answer = "type 0xf0003 SUCCESS 0, type 0xf0004 SUCCESS 0, type 0xf0002 SUCCESS 0, fetched 5, value 8") {
    struct doca_ctx *ctx = doca_sync_event_as_ctx(configure_event());
    struct doca_workq *workq = create_workq(4);
    uint64_t fetched = 99;
    uint64_t value = 99;
    REQUIRE(doca_ctx_start(ctx));
    REQUIRE(doca_ctx_workq_add(ctx, workq));
    const struct doca_sync_event_job_update_set set = {
        .base = {.type = DOCA_SYNC_EVENT_JOB_UPDATE_SET, .ctx = ctx}, .value = 5};
    const struct doca_sync_event_job_update_add add = {
        .base = {.type = DOCA_SYNC_EVENT_JOB_UPDATE_ADD, .ctx = ctx}, .value = 3, .fetched = &fetched};
    const struct doca_sync_event_job_get get = {
        .base = {.type = DOCA_SYNC_EVENT_JOB_GET, .ctx = ctx}, .value = &value};
    const struct doca_job *const jobs[] = {&set.base, &add.base, &get.base};
    for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
        struct doca_event event = {.result = {.u64 = 99}};
        REQUIRE(doca_workq_submit(workq, jobs[i]));
        const doca_error_t code = retrieve(workq, &event);
        answer("type %#x %s %llu", (unsigned)event.type, code_name(code), (unsigned long long)event.result.u64);
    }
    answer("fetched %llu, value %llu", (unsigned long long)fetched, (unsigned long long)value);
}

RULE(sync_event_export_without_dpu, "A sync event without a location on the DPU cannot be exported to it.",
     .source = OBSERVED_2_2, .answer = "NOT_PERMITTED") {
    struct doca_sync_event *event = configure_event();
    const uint8_t *export;
    size_t size;
    REQUIRE(doca_sync_event_start(event));
    CODE(doca_sync_event_export_to_dpu(event, dev, &export, &size));
}
