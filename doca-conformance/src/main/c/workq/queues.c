/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define THEME "work queues"

RULE(workq_depth_zero, "A work queue has at least one entry.", .source = OBSERVED_2_2, .answer = "INVALID_VALUE") {
    struct doca_workq *workq;
    CODE(doca_workq_create(0, &workq));
}

RULE(workq_depth, "A work queue has the requested depth.", .source = OBSERVED_2_2, .answer = "1, 3, 100000") {
    static const uint32_t depths[] = {1, 3, 100000};
    for (size_t i = 0; i < sizeof(depths) / sizeof(depths[0]); i++) {
        uint32_t depth = 0;
        REQUIRE(doca_workq_get_depth(create_workq(depths[i]), &depth));
        answer_number(depth);
    }
}

RULE(workq_places, "A queue accepts as many jobs as its depth.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, SUCCESS, SUCCESS, NO_MEMORY, 1 SUCCESS, 2 SUCCESS, 3 SUCCESS") {
    struct doca_workq *workq = create_workq(3);
    struct doca_ctx *ctx = attach_dma(workq);
    for (uint64_t number = 1; number <= 4; number++) {
        CODE(submit_block(workq, ctx, number));
    }
    answer_events(workq, 3);
}

RULE(workq_places_of_contexts, "The contexts of a queue share its entries.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, SUCCESS, NO_MEMORY") {
    struct doca_workq *workq = create_workq(2);
    struct doca_ctx *first = attach_dma(workq);
    struct doca_ctx *second = attach_dma(workq);
    CODE(submit_block(workq, first, 1));
    CODE(submit_block(workq, second, 2));
    CODE(submit_block(workq, first, 3));
}

RULE(workq_place_until_retrieved, "A finished job keeps its entry until its event is retrieved.",
     .source = OBSERVED_2_2, .answer = "SUCCESS, NO_MEMORY, 1 SUCCESS, SUCCESS") {
    struct doca_workq *workq = create_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    CODE(submit_block(workq, ctx, 1));
    (void)becomes_copied(64, 1001 * 64, 64);
    CODE(submit_block(workq, ctx, 2));
    answer_events(workq, 1);
    CODE(submit_block(workq, ctx, 2));
}

static void
answer_places(size_t num_elements) {
    struct doca_workq *workq = create_workq(2000);
    struct doca_ctx *ctx = attach_dma(workq);
    struct doca_buf *src = source_list(num_elements, 0, 64);
    struct doca_buf *dst = target(65536, 65536 * 8);
    doca_error_t code = DOCA_SUCCESS;
    long long accepted = -1;
    while (code == DOCA_SUCCESS && accepted < 2000) {
        accepted++;
        REQUIRE(doca_buf_reset_data_len(dst));
        code = submit_copy(workq, ctx, 1, src, dst);
    }
    answer_number(accepted);
    answer_code(code);
}

RULE(workq_work_requests, "A context has 1024 work requests on a queue.", .source = OBSERVED_2_2,
     .answer = "1024, NO_MEMORY") {
    answer_places(1);
}

RULE(workq_work_requests_of_lists, "Each element of a list takes a work request.", .source = OBSERVED_2_2,
     .answer = "128, NO_MEMORY") {
    answer_places(8);
}

RULE(workq_rm_with_jobs, "A context cannot be detached until the events of its jobs are retrieved.",
     .source = OBSERVED_2_2, .answer = "IN_USE, 1 SUCCESS, SUCCESS") {
    struct doca_workq *workq = create_workq(2);
    struct doca_ctx *ctx = attach_dma(workq);
    REQUIRE(submit_block(workq, ctx, 1));
    CODE(doca_ctx_workq_rm(ctx, workq));
    answer_events(workq, 1);
    CODE(doca_ctx_workq_rm(ctx, workq));
}

RULE(workq_rm_with_jobs_of_another, "No context can be detached while the queue has jobs of another one.",
     .source = OBSERVED_2_2, .answer = "IN_USE") {
    struct doca_workq *workq = create_workq(2);
    struct doca_ctx *ctx = attach_dma(workq);
    REQUIRE(submit_block(workq, attach_dma(workq), 1));
    CODE(doca_ctx_workq_rm(ctx, workq));
}

RULE(workq_shared, "Several contexts may be on one queue.", .source = OBSERVED_2_2, .answer = "1 SUCCESS, 2 SUCCESS") {
    struct doca_workq *workq = create_workq(4);
    struct doca_ctx *first = attach_dma(workq);
    REQUIRE(submit_block(workq, first, 1));
    answer_events(workq, 1);
    REQUIRE(submit_block(workq, attach_dma(workq), 2));
    answer_events(workq, 1);
}

RULE(workq_many, "A context may be on several queues.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, SUCCESS, SUCCESS, 2 SUCCESS, 1 SUCCESS") {
    struct doca_workq *first = create_workq(1);
    struct doca_workq *second = create_workq(1);
    struct doca_ctx *ctx = attach_dma(first);
    CODE(doca_ctx_workq_add(ctx, second));
    CODE(submit_block(first, ctx, 1));
    CODE(submit_block(second, ctx, 2));
    answer_events(second, 1);
    answer_events(first, 1);
}

RULE(workq_add_before_start, "A context must be started before it is attached or detached.", .source = OBSERVED_2_2,
     .answer = "BAD_STATE, BAD_STATE") {
    struct doca_ctx *ctx = doca_dma_as_ctx(configure_dma());
    struct doca_workq *workq = create_workq(1);
    CODE(doca_ctx_workq_add(ctx, workq));
    CODE(doca_ctx_workq_rm(ctx, workq));
}

RULE(workq_add_twice, "A context can be attached to a queue only once.", .source = OBSERVED_2_2, .answer = "IN_USE") {
    struct doca_workq *workq = create_workq(1);
    CODE(doca_ctx_workq_add(attach_dma(workq), workq));
}

RULE(workq_rm_absent, "Detaching a context from a queue that it is not attached to returns NOT_FOUND.",
     .source = OBSERVED_2_2, .answer = "NOT_FOUND") {
    CODE(doca_ctx_workq_rm(start_dma(), create_workq(1)));
}

RULE(workq_in_use, "Attached contexts and queues cannot be stopped or destroyed.", .source = OBSERVED_2_2,
     .answer = "IN_USE, IN_USE, IN_USE") {
    struct doca_dma *dma = configure_dma();
    struct doca_workq *workq = create_workq(1);
    REQUIRE(doca_ctx_start(doca_dma_as_ctx(dma)));
    REQUIRE(doca_ctx_workq_add(doca_dma_as_ctx(dma), workq));
    CODE(doca_ctx_stop(doca_dma_as_ctx(dma)));
    CODE(doca_dma_destroy(dma));
    CODE(doca_workq_destroy(workq));
}

RULE(workq_teardown, "The order of the cleanup is: detach, stop, remove the device, destroy.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, SUCCESS, SUCCESS, SUCCESS, SUCCESS") {
    struct doca_dma *dma = configure_dma();
    struct doca_ctx *ctx = doca_dma_as_ctx(dma);
    struct doca_workq *workq = create_workq(1);
    REQUIRE(doca_ctx_start(ctx));
    REQUIRE(doca_ctx_workq_add(ctx, workq));
    CODE(doca_ctx_workq_rm(ctx, workq));
    CODE(doca_ctx_stop(ctx));
    CODE(doca_ctx_dev_rm(ctx, dev));
    CODE(doca_dma_destroy(dma));
    CODE(doca_workq_destroy(workq));
}

RULE(ctx_dev_add_twice, "A device can be added only once.", .source = OBSERVED_2_2, .answer = "INVALID_VALUE") {
    CODE(doca_ctx_dev_add(doca_dma_as_ctx(configure_dma()), dev));
}

RULE(ctx_dev_when_started, "The devices of a started context cannot be changed.", .source = OBSERVED_2_2,
     .answer = "BAD_STATE, BAD_STATE") {
    struct doca_ctx *ctx = start_dma();
    CODE(doca_ctx_dev_add(ctx, dev));
    CODE(doca_ctx_dev_rm(ctx, dev));
}

RULE(ctx_start_without_device, "A context without a device cannot be started.", .source = OBSERVED_2_2,
     .answer = "INVALID_VALUE") {
    struct doca_dma *dma;
    open_device();
    REQUIRE(doca_dma_create(&dma));
    CODE(doca_ctx_start(doca_dma_as_ctx(dma)));
}

RULE(ctx_start_twice, "A started context cannot be started again.", .source = OBSERVED_2_2, .answer = "BAD_STATE") {
    CODE(doca_ctx_start(start_dma()));
}

RULE(ctx_stop_idle, "A context that is not started cannot be stopped.", .source = OBSERVED_2_2,
     .answer = "BAD_STATE, SUCCESS, BAD_STATE") {
    struct doca_ctx *ctx = doca_dma_as_ctx(configure_dma());
    CODE(doca_ctx_stop(ctx));
    REQUIRE(doca_ctx_start(ctx));
    CODE(doca_ctx_stop(ctx));
    CODE(doca_ctx_stop(ctx));
}

RULE(ctx_restart, "A stopped context may be started again.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, SUCCESS, SUCCESS, SUCCESS, 1 SUCCESS") {
    struct doca_workq *workq = create_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    REQUIRE(doca_ctx_workq_rm(ctx, workq));
    CODE(doca_ctx_stop(ctx));
    CODE(doca_ctx_start(ctx));
    CODE(doca_ctx_workq_add(ctx, workq));
    CODE(submit_block(workq, ctx, 1));
    answer_events(workq, 1);
}

RULE(ctx_max, "There are at most 1024 contexts.", .source = OBSERVED_2_2,
     .answer = "1024, 1024, INITIALIZATION, INITIALIZATION, SUCCESS") {
    uint32_t max = 0;
    REQUIRE(doca_ctx_get_max_num_ctx(&max));
    answer_number(max);
    open_device();
    doca_error_t code = DOCA_SUCCESS;
    int created = -1;
    while (code == DOCA_SUCCESS && created < 2000) {
        struct doca_dma *dma;
        created++;
        code = doca_dma_create(&dma);
    }
    answer_number(created);
    answer_code(code);
    struct doca_rdma *rdma;
    struct doca_sync_event *event;
    CODE(doca_rdma_create(&rdma));
    CODE(doca_sync_event_create(&event));
}

RULE(retrieve_without_event, "A retrieval that finds no event does not change the event structure.",
     .source = OBSERVED_2_2, .answer = "AGAIN, 5 6 7") {
    struct doca_event event = {.type = 5, .user_data = {.u64 = 6}, .result = {.u64 = 7}};
    struct doca_workq *workq = create_workq(1);
    (void)attach_dma(workq);
    CODE(doca_workq_progress_retrieve(workq, &event, DOCA_WORKQ_RETRIEVE_FLAGS_NONE));
    answer("%d %llu %llu", event.type, (unsigned long long)event.user_data.u64, (unsigned long long)event.result.u64);
}

RULE(retrieve_flags, "The flags of a retrieval are ignored.", .source = OBSERVED_2_2, .answer = "AGAIN") {
    struct doca_event event = {0};
    struct doca_workq *workq = create_workq(1);
    (void)attach_dma(workq);
    CODE(doca_workq_progress_retrieve(workq, &event, 77));
}

RULE(retrieve_without_context, "A queue without a context has no event.", .source = OBSERVED_2_2, .answer = "AGAIN") {
    struct doca_event event = {0};
    CODE(doca_workq_progress_retrieve(create_workq(1), &event, DOCA_WORKQ_RETRIEVE_FLAGS_NONE));
}
