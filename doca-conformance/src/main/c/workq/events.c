/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define THEME "waiting"

static struct doca_workq *
event_driven_workq(uint32_t depth) {
    struct doca_workq *workq = create_workq(depth);
    REQUIRE(doca_workq_set_event_driven_enable(workq, 1));
    return workq;
}

static doca_event_handle_t
handle_of(struct doca_workq *workq) {
    doca_event_handle_t handle = doca_event_invalid_handle;
    REQUIRE(doca_workq_get_event_handle(workq, &handle));
    return handle;
}

RULE(event_driven_supported, "DMA and RDMA contexts signal events.", .source = OBSERVED_2_2,
     .answer = "1, SUCCESS, 1") {
    uint8_t supported = 7;
    struct doca_rdma *rdma;
    REQUIRE(doca_ctx_get_event_driven_supported(doca_dma_as_ctx(configure_dma()), &supported));
    answer_number(supported);
    REQUIRE(doca_rdma_create(&rdma));
    supported = 7;
    CODE(doca_ctx_get_event_driven_supported(doca_rdma_as_ctx(rdma), &supported));
    answer_number(supported);
}

RULE(event_driven_when_attached, "Events must be enabled before a context is attached.", .source = OBSERVED_2_2,
     .answer = "BAD_STATE") {
    struct doca_workq *workq = create_workq(1);
    (void)attach_dma(workq);
    CODE(doca_workq_set_event_driven_enable(workq, 1));
}

RULE(event_driven_enabled, "Events are disabled unless a program enables them.", .source = OBSERVED_2_2,
     .answer = "0, 1") {
    struct doca_workq *workq = create_workq(1);
    uint8_t enabled = 7;
    REQUIRE(doca_workq_get_event_driven_enable(workq, &enabled));
    answer_number(enabled);
    REQUIRE(doca_workq_set_event_driven_enable(workq, 1));
    REQUIRE(doca_workq_get_event_driven_enable(workq, &enabled));
    answer_number(enabled);
}

RULE(event_handle_not_enabled, "A queue without events has no handle.", .source = OBSERVED_2_2, .answer = "BAD_STATE") {
    doca_event_handle_t handle;
    CODE(doca_workq_get_event_handle(create_workq(1), &handle));
}

RULE(event_arm_not_enabled, "Arming a queue without events crashes the process.", .source = OBSERVED_2_2,
     .answer = "process died: Segmentation fault") {
    struct doca_workq *workq = create_workq(1);
    (void)attach_dma(workq);
    CODE(doca_workq_event_handle_arm(workq));
}

RULE(event_handle_set, "A program cannot set the handle.", .source = OBSERVED_2_2, .answer = "NOT_SUPPORTED") {
    CODE(doca_workq_set_event_handle(event_driven_workq(1), 0, 0));
}

RULE(event_handle_stable, "The handle of a queue stays the same.", .source = OBSERVED_2_2, .answer = "yes") {
    struct doca_workq *workq = event_driven_workq(1);
    const doca_event_handle_t handle = handle_of(workq);
    (void)attach_dma(workq);
    answer_flag(handle == handle_of(workq));
}

RULE(event_signals, "An armed queue signals the end of a job, once.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, no, yes, SUCCESS, no, 1 SUCCESS") {
    struct doca_workq *workq = event_driven_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    const doca_event_handle_t handle = handle_of(workq);
    CODE(doca_workq_event_handle_arm(workq));
    answer_flag(is_signalled(handle, 50));
    REQUIRE(submit_block(workq, ctx, 1));
    answer_flag(is_signalled(handle, 3000));
    CODE(doca_workq_event_handle_clear(workq, handle));
    answer_flag(is_signalled(handle, 50));
    answer_events(workq, 1);
}

RULE(event_not_armed, "A queue that is not armed signals nothing.", .source = OBSERVED_2_2, .answer = "no, 1 SUCCESS") {
    struct doca_workq *workq = event_driven_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    REQUIRE(submit_block(workq, ctx, 1));
    (void)becomes_copied(64, 1001 * 64, 64);
    answer_flag(is_signalled(handle_of(workq), 100));
    answer_events(workq, 1);
}

RULE(event_armed_hides, "While a queue is armed, its events cannot be retrieved.", .source = OBSERVED_2_2,
     .answer = "yes, no, 1 SUCCESS") {
    struct doca_workq *workq = event_driven_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    REQUIRE(doca_workq_event_handle_arm(workq));
    REQUIRE(submit_block(workq, ctx, 1));
    answer_flag(is_signalled(handle_of(workq), 3000));
    answer_flag(has_event(workq));
    REQUIRE(doca_workq_event_handle_clear(workq, handle_of(workq)));
    answer_events(workq, 1);
}

RULE(event_clear_before, "A clear before the signal does not disarm.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, yes, no") {
    struct doca_workq *workq = event_driven_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    REQUIRE(doca_workq_event_handle_arm(workq));
    CODE(doca_workq_event_handle_clear(workq, handle_of(workq)));
    REQUIRE(submit_block(workq, ctx, 1));
    answer_flag(is_signalled(handle_of(workq), 3000));
    answer_flag(has_event(workq));
}

RULE(event_arm_pending, "Arming a queue that has an event signals at once.", .source = OBSERVED_2_2, .answer = "yes") {
    struct doca_workq *workq = event_driven_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    REQUIRE(submit_block(workq, ctx, 1));
    (void)becomes_copied(64, 1001 * 64, 64);
    REQUIRE(doca_workq_event_handle_arm(workq));
    answer_flag(is_signalled(handle_of(workq), 3000));
}

RULE(event_of_two_contexts, "The events of two contexts need two clears.", .source = OBSERVED_2_2,
     .answer = "yes, SUCCESS, yes, yes, SUCCESS, no") {
    struct doca_workq *workq = event_driven_workq(2);
    struct doca_ctx *first = attach_dma(workq);
    struct doca_ctx *second = attach_dma(workq);
    REQUIRE(doca_workq_event_handle_arm(workq));
    REQUIRE(submit_block(workq, first, 1));
    REQUIRE(submit_block(workq, second, 2));
    (void)becomes_copied(64, 1001 * 64, 64);
    (void)becomes_copied(128, 1002 * 64, 64);
    answer_flag(is_signalled(handle_of(workq), 3000));
    CODE(doca_workq_event_handle_clear(workq, handle_of(workq)));
    answer_flag(has_event(workq));
    answer_flag(has_event(workq));
    CODE(doca_workq_event_handle_clear(workq, handle_of(workq)));
    answer_flag(has_event(workq));
}
