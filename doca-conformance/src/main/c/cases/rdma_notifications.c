/* SPDX-License-Identifier: Apache-2.0 */
#include "rdma.h"

#define THEME "rdma operations"

static void
answer_signal(unsigned milliseconds) {
    answer("signalled %s", is_signalled(notification_handle(), milliseconds) ? "yes" : "no");
}

static void
clear_notification(void) {
    REQUIRE(doca_pe_clear_notification(pe, notification_handle()));
}

RULE(rdma_notify_hides_completions,
     "When armed, completions are not progressed until the event has fired and clear_notification was called "
     "afterwards.", .source = OBSERVED_2_5, .answer = "signalled yes, progress 0, 1 done, 2 done") {
    connect_sides();
    submit(receive_task(&far_side, 1, target(65536, 64)));
    REQUIRE(doca_pe_request_notification(pe));
    submit(send_task(&near_side, 2, source(0, 64)));
    answer_signal(1000);
    answer("progress %u", progress_for(3));
    clear_notification();
    answer_results(2);
}

RULE(rdma_notify_posted_receive, "A posted receive does not signal.", .source = OBSERVED_2_5,
     .answer = "signalled no") {
    connect_sides();
    REQUIRE(doca_pe_request_notification(pe));
    submit(receive_task(&far_side, 1, target(65536, 64)));
    answer_signal(10);
}

RULE(rdma_notify_stop,
     "The library itself ends the receives that a stop flushes: without a signal, and progress reports them at once. "
     "With 2.5 the device flushes them: a stop signals, and progress reports them only after a clear.",
     .source = OBSERVED_3_0, .answer = "IN_PROGRESS, signalled no, progress 1, 1 BAD_STATE, RUNNING and STOPPING",
     .answer_2_5 = "IN_PROGRESS, signalled yes, progress 0, 1 BAD_STATE, RUNNING and STOPPING") {
    connect_sides();
    submit(receive_task(&far_side, 1, target(65536, 64)));
    REQUIRE(doca_pe_request_notification(pe));
    CODE(doca_ctx_stop(far_side.ctx));
    answer_signal(sdk_release() <= 205 ? 1000 : 20);
    answer("progress %u", progress_for(3));
    clear_notification();
    answer_results(1);
    answer_states();
}

RULE(rdma_notify_after_stop,
     "A request after a stop loses the receives that the stop flushes: they are never reported. With 2.5 it signals them.",
     .source = OBSERVED_3_0, .answer = "IN_PROGRESS, signalled no, RUNNING and STOPPING",
     .answer_2_5 = "IN_PROGRESS, signalled yes, 1 BAD_STATE, RUNNING and STOPPING") {
    connect_sides();
    submit(receive_task(&far_side, 1, target(65536, 64)));
    CODE(doca_ctx_stop(far_side.ctx));
    REQUIRE(doca_pe_request_notification(pe));
    answer_signal(sdk_release() <= 205 ? 1000 : 20);
    clear_notification();
    answer_results(1);
    answer_states();
}

static void
free_task(struct doca_task *task, uint64_t number) {
    (void)number;
    doca_task_free(task);
}

RULE(rdma_notify_during_stop,
     "A request during a stop, after the last task was reported and freed, keeps the context from becoming idle.",
     .source = OBSERVED_3_0, .answer = "IN_PROGRESS, 1 BAD_STATE, RUNNING and STOPPING",
     .answer_2_5 = "IN_PROGRESS, 1 BAD_STATE, RUNNING and IDLE") {
    connect_sides();
    submit(receive_task(&far_side, 1, target(65536, 64)));
    on_task = free_task;
    CODE(doca_ctx_stop(far_side.ctx));
    answer_results(1);
    REQUIRE(doca_pe_request_notification(pe));
    clear_notification();
    progress_for(20);
    answer_states();
}

RULE(rdma_notify_beside_dma,
     "Completions of DMA and of RDMA are hidden separately: a clear reveals those that have fired.",
     .source = OBSERVED_2_5, .answer = "signalled yes, done 3, signalled yes, progress 0, 1 done, 2 done") {
    connect_sides();
    struct doca_dma *dma = start_dma(4);
    submit(receive_task(&far_side, 1, target(65536, 64)));
    REQUIRE(doca_pe_request_notification(pe));
    REQUIRE(submit_copy(block_task(dma, 3)));
    answer_signal(1000);
    clear_notification();
    progress_to(1);
    answer_notes();
    num_completions = 0;
    forget_notes();
    submit(send_task(&near_side, 2, source(0, 64)));
    answer_signal(1000);
    answer("progress %u", progress_for(3));
    clear_notification();
    answer_results(2);
}

static doca_error_t code_in_callback;

static void
free_and_stop_near(struct doca_task *task, uint64_t number) {
    (void)number;
    struct doca_ctx *ctx = doca_task_get_ctx(task);
    if (ctx == near_side.ctx) {
        doca_task_free(task);
        code_in_callback = doca_ctx_stop(ctx);
        note("%s", state_of(ctx));
    }
}

RULE(rdma_stop_in_last_callback,
     "A stop in the callback of the only task, after it was freed, ends in a later progress.", .source = OBSERVED_3_0,
     .answer = "IN_PROGRESS, to STOPPING, STOPPING, to IDLE", .answer_2_5 = "SUCCESS, to IDLE, IDLE") {
    connect_sides();
    struct doca_task *task = send_task(&near_side, 1, NULL);
    forget_notes();
    submit(receive_task(&far_side, 2, NULL));
    submit(task);
    on_task = free_and_stop_near;
    progress_to(2);
    progress_to_state(near_side.ctx, DOCA_CTX_STATE_IDLE);
    answer_code(code_in_callback);
    answer_notes();
}
