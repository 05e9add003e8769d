/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define THEME "context"

static const char *state_in_callback;

static struct doca_dma *
create_dma(void) {
    open_device();
    struct doca_dma *dma;
    REQUIRE(doca_dma_create(dev, &dma));
    return dma;
}

RULE(ctx_start_without_engine, "A context without an engine cannot be started.", .source = OBSERVED_2_5,
     .answer = "NOT_CONNECTED, IDLE") {
    struct doca_dma *dma = create_dma();
    CODE(doca_ctx_start(ctx_of(dma)));
    answer("%s", state_of(ctx_of(dma)));
}

RULE(ctx_stop_without_engine, "A context without an engine cannot be stopped.", .source = OBSERVED_2_5,
     .answer = "NOT_CONNECTED") {
    CODE(doca_ctx_stop(ctx_of(create_dma())));
}

RULE(ctx_stop_idle, "Stopping a connected context that is idle succeeds.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, nothing") {
    struct doca_dma *dma = configure_dma(4);
    CODE(doca_ctx_stop(ctx_of(dma)));
    answer_notes();
}

RULE(ctx_start, "A DMA context is RUNNING when the start returns, and its callback was called during the start.",
     .source = OBSERVED_3_0, .answer = "SUCCESS, to RUNNING, RUNNING") {
    struct doca_dma *dma = configure_dma(4);
    CODE(doca_ctx_start(ctx_of(dma)));
    answer_notes();
    answer("%s", state_of(ctx_of(dma)));
}

RULE(ctx_start_twice, "A running context cannot be started.", .source = OBSERVED_2_5, .answer = "BAD_STATE, RUNNING") {
    struct doca_dma *dma = start_dma(4);
    CODE(doca_ctx_start(ctx_of(dma)));
    answer("%s", state_of(ctx_of(dma)));
}

static void
keep_state(struct doca_ctx *ctx, enum doca_ctx_states next) {
    (void)next;
    state_in_callback = state_of(ctx);
}

RULE(ctx_state_in_callback, "The context is already in the new state when the callback runs.", .source = OBSERVED_3_0,
     .answer = "RUNNING") {
    struct doca_dma *dma = configure_dma(4);
    on_state = keep_state;
    REQUIRE(doca_ctx_start(ctx_of(dma)));
    answer("%s", state_in_callback);
}

static enum doca_ctx_states previous_state;
static union doca_data data_in_callback;
static struct doca_ctx *ctx_in_callback;

static void
keep_arguments(const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states previous,
               enum doca_ctx_states next) {
    (void)next;
    data_in_callback = user_data;
    ctx_in_callback = ctx;
    previous_state = previous;
}

RULE(ctx_callback_arguments, "The callback gets the user data, the context, and the previous state.",
     .source = OBSERVED_2_5, .answer = "7, yes, yes") {
    struct doca_dma *dma = configure_dma(4);
    REQUIRE(doca_ctx_set_state_changed_cb(ctx_of(dma), keep_arguments));
    REQUIRE(doca_ctx_start(ctx_of(dma)));
    answer_number((long long)data_in_callback.u64);
    answer_flag(ctx_in_callback == ctx_of(dma));
    answer_flag(previous_state == DOCA_CTX_STATE_IDLE);
}

RULE(ctx_start_without_callback, "A context needs no state callback.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, RUNNING") {
    create_engine();
    struct doca_dma *dma = create_dma();
    REQUIRE(doca_pe_connect_ctx(pe, ctx_of(dma)));
    CODE(doca_ctx_start(ctx_of(dma)));
    answer("%s", state_of(ctx_of(dma)));
}

RULE(ctx_callback_null, "The state callback cannot be set to NULL.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE") {
    CODE(doca_ctx_set_state_changed_cb(ctx_of(create_dma()), NULL));
}

RULE(ctx_callback_when_running, "The callback must be set before the start.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE") {
    CODE(doca_ctx_set_state_changed_cb(ctx_of(start_dma(4)), note_state));
}

RULE(ctx_user_data, "A context keeps its user data.", .source = OBSERVED_2_5, .answer = "SUCCESS, SUCCESS, 7") {
    struct doca_dma *dma = create_dma();
    union doca_data data = {0};
    CODE(doca_ctx_set_user_data(ctx_of(dma), data_of(7)));
    CODE(doca_ctx_get_user_data(ctx_of(dma), &data));
    answer_number((long long)data.u64);
}

RULE(ctx_user_data_default, "A new context has the user data 0.", .source = OBSERVED_2_5, .answer = "SUCCESS, 0") {
    union doca_data data = {.u64 = 5};
    CODE(doca_ctx_get_user_data(ctx_of(create_dma()), &data));
    answer_number((long long)data.u64);
}

RULE(ctx_user_data_when_running, "The user data must be set before the start.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE") {
    CODE(doca_ctx_set_user_data(ctx_of(start_dma(4)), data_of(1)));
}

RULE(ctx_completion_vector_when_running, "The completion vector must be set before the start.", .source = OBSERVED_3_0,
     .since = 210, .answer = "SUCCESS, BAD_STATE") {
    struct doca_dma *dma = configure_dma(4);
    CODE(doca_ctx_set_completion_vector(ctx_of(dma), 0));
    REQUIRE(doca_ctx_start(ctx_of(dma)));
    CODE(doca_ctx_set_completion_vector(ctx_of(dma), 0));
}

RULE(ctx_null_arguments, "Calls without a context are refused.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE, INVALID_VALUE, INVALID_VALUE, INVALID_VALUE") {
    enum doca_ctx_states state;
    union doca_data data;
    CODE(doca_ctx_start(NULL));
    CODE(doca_ctx_stop(NULL));
    CODE(doca_ctx_get_state(NULL, &state));
    CODE(doca_ctx_get_user_data(NULL, &data));
    CODE(doca_ctx_set_user_data(NULL, data_of(1)));
}

RULE(ctx_null_results, "Getters need a result pointer.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE, INVALID_VALUE") {
    struct doca_ctx *ctx = ctx_of(create_dma());
    CODE(doca_ctx_get_state(ctx, NULL));
    CODE(doca_ctx_get_user_data(ctx, NULL));
    CODE(doca_ctx_get_num_inflight_tasks(ctx, NULL));
}

RULE(ctx_connect_twice, "A context can be connected only once.", .source = OBSERVED_2_5, .answer = "NOT_PERMITTED") {
    struct doca_dma *dma = configure_dma(4);
    CODE(doca_pe_connect_ctx(pe, ctx_of(dma)));
}

RULE(ctx_connect_to_another, "A connected context cannot be connected to another engine.", .source = OBSERVED_2_5,
     .answer = "NOT_PERMITTED") {
    struct doca_dma *dma = configure_dma(4);
    struct doca_pe *other;
    REQUIRE(doca_pe_create(&other));
    CODE(doca_pe_connect_ctx(other, ctx_of(dma)));
}

RULE(ctx_connect_when_running, "A running context cannot be connected.", .source = OBSERVED_2_5,
     .answer = "NOT_PERMITTED") {
    struct doca_dma *dma = start_dma(4);
    struct doca_pe *other;
    REQUIRE(doca_pe_create(&other));
    CODE(doca_pe_connect_ctx(other, ctx_of(dma)));
}

RULE(ctx_connect_null, "Connecting needs an engine and a context.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    create_engine();
    CODE(doca_pe_connect_ctx(NULL, ctx_of(create_dma())));
    CODE(doca_pe_connect_ctx(pe, NULL));
}

RULE(ctx_connected_when_stopped, "A context stays connected after it has stopped.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, NOT_PERMITTED, IN_USE") {
    struct doca_dma *dma = start_dma(4);
    CODE(doca_ctx_stop(ctx_of(dma)));
    CODE(doca_pe_connect_ctx(pe, ctx_of(dma)));
    CODE(doca_pe_destroy(pe));
}

RULE(ctx_flush_idle_queue, "Flushing a running context without tasks does nothing.", .source = OBSERVED_3_0, .since = 300,
     .answer = "RUNNING") {
    struct doca_dma *dma = start_dma(4);
    doca_ctx_flush_tasks(ctx_of(dma));
    answer("%s", state_of(ctx_of(dma)));
}

static struct doca_dma *dma_of_case;

static void
submit_when_running(struct doca_ctx *ctx, enum doca_ctx_states next) {
    (void)ctx;
    if (next == DOCA_CTX_STATE_RUNNING) {
        REQUIRE(submit_copy(block_task(dma_of_case, 1)));
    }
}

RULE(ctx_submit_in_running_callback, "Tasks can be allocated and submitted in the callback for RUNNING.",
     .source = OBSERVED_3_0, .answer = "SUCCESS, to RUNNING, done 1") {
    dma_of_case = configure_dma(4);
    on_state = submit_when_running;
    CODE(doca_ctx_start(ctx_of(dma_of_case)));
    progress_to(1);
    answer_notes();
}

RULE(ctx_many_on_one_engine, "An engine can have many contexts.", .source = OBSERVED_2_5, .answer = "32 done") {
    for (uint64_t number = 0; number < 32; number++) {
        REQUIRE(submit_copy(block_task(start_dma(1), number)));
    }
    progress_to(32);
    answer("%zu done", num_completions);
}
