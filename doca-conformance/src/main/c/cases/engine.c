/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>

#include "fixture.h"

#define THEME "progress engine"

RULE(pe_create_null, "Creating an engine needs a result pointer.", .source = OBSERVED_2_5, .answer = "INVALID_VALUE") {
    CODE(doca_pe_create(NULL));
}

RULE(pe_destroy_null, "Destroying NULL is refused.", .source = OBSERVED_2_5, .answer = "INVALID_VALUE") {
    CODE(doca_pe_destroy(NULL));
}

RULE(pe_empty, "An engine without contexts makes no progress, and can be destroyed.", .source = OBSERVED_3_0,
     .answer = "0, SUCCESS") {
    create_engine();
    answer_number(doca_pe_progress(pe));
    CODE(doca_pe_destroy(pe));
}

RULE(pe_destroy_with_context, "An engine with a connected context cannot be destroyed.", .source = OBSERVED_2_5,
     .answer = "IN_USE") {
    (void)configure_dma(4);
    CODE(doca_pe_destroy(pe));
}

RULE(pe_destroy_after_contexts, "An engine can be destroyed after its contexts.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, SUCCESS") {
    struct doca_dma *dma = configure_dma(4);
    CODE(doca_dma_destroy(dma));
    CODE(doca_pe_destroy(pe));
}

RULE(pe_inflight_empty, "A new engine has nothing in flight.", .source = OBSERVED_2_5, .answer = "SUCCESS, 0") {
    create_engine();
    size_t count = 9;
    CODE(doca_pe_get_num_inflight_tasks(pe, &count));
    answer_number((long long)count);
}

RULE(pe_progress_result, "Progress returns 1 for a completion and 0 for nothing.", .source = OBSERVED_2_5,
     .answer = "1, 1 done, 0") {
    struct doca_dma *dma = start_dma(4);
    REQUIRE(submit_copy(block_task(dma, 1)));
    unsigned result = 0;
    for (unsigned i = 0; result == 0 && i < 10000; i++) {
        result = doca_pe_progress(pe);
        if (result == 0) {
            pause_for(1);
        }
    }
    answer_number(result);
    answer("%zu done", num_completions);
    answer_number(doca_pe_progress(pe));
}

RULE(pe_progress_is_no_drain, "One progress reports one completion.", .source = OBSERVED_2_5, .answer = "1, 2, 3") {
    struct doca_dma *dma = start_dma(4);
    for (uint64_t number = 1; number <= 3; number++) {
        REQUIRE(submit_copy(block_task(dma, number)));
    }
    /* The counts are the same whether all three are complete at the first report or complete one by one. */
    size_t last = 0;
    while (last < 3) {
        (void)doca_pe_progress(pe);
        if (num_completions != last) {
            last = num_completions;
            answer_number((long long)last);
        }
    }
}

RULE(pe_two_engines, "Each engine has its own handle.", .source = OBSERVED_2_5, .answer = "yes, yes") {
    create_engine();
    struct doca_pe *other;
    doca_notification_handle_t handle;
    REQUIRE(doca_pe_create(&other));
    REQUIRE(doca_pe_get_notification_handle(other, &handle));
    answer_flag(handle >= 0);
    answer_flag(handle != notification_handle());
}

RULE(pe_handle_is_constant, "The handle of an engine stays the same.", .source = OBSERVED_2_5,
     .answer = "yes, yes, yes") {
    create_engine();
    const int handle = notification_handle();
    answer_flag(notification_handle() == handle);
    struct doca_dma *dma = configure_dma(4);
    answer_flag(notification_handle() == handle);
    REQUIRE(doca_ctx_start(ctx_of(dma)));
    answer_flag(notification_handle() == handle);
}

RULE(pe_handle_null, "The handle needs a result pointer.", .source = OBSERVED_2_5, .answer = "INVALID_VALUE") {
    create_engine();
    CODE(doca_pe_get_notification_handle(pe, NULL));
}

RULE(pe_handle_is_descriptor, "The handle is a file descriptor.", .source = OBSERVED_2_5, .answer = "yes") {
    create_engine();
    answer_flag(fcntl(notification_handle(), F_GETFD) >= 0);
}

RULE(pe_event_mode, "The event mode can be set to ALL and back.", .source = OBSERVED_3_0, .since = 210,
     .answer = "SUCCESS, SUCCESS") {
    create_engine();
    CODE(doca_pe_set_event_mode(pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
    CODE(doca_pe_set_event_mode(pe, DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE));
}

RULE(pe_event_mode_unknown, "An unknown event mode is refused.", .source = OBSERVED_3_0, .since = 210,
     .answer = "BAD_STATE") {
    create_engine();
    CODE(doca_pe_set_event_mode(pe, (enum doca_pe_event_mode)2));
}

RULE(notify_not_armed, "Without a request the handle is not signalled.", .source = OBSERVED_2_5, .answer = "no") {
    struct doca_dma *dma = start_dma(4);
    REQUIRE(submit_copy(block_task(dma, 1)));
    answer_flag(is_signalled(notification_handle(), 10));
}

RULE(notify_armed, "A completion signals a requested notification; after a clear the handle is not signalled.",
     .source = OBSERVED_2_5, .answer = "SUCCESS, no, yes, SUCCESS, no, done 1") {
    struct doca_dma *dma = start_dma(4);
    CODE(doca_pe_request_notification(pe));
    answer_flag(is_signalled(notification_handle(), 3));
    REQUIRE(submit_copy(block_task(dma, 1)));
    answer_flag(is_signalled(notification_handle(), 1000));
    CODE(doca_pe_clear_notification(pe, notification_handle()));
    answer_flag(is_signalled(notification_handle(), 1));
    progress_to(1);
    answer_notes();
}

RULE(notify_pending, "A request signals at once if a completion was not progressed yet.", .source = OBSERVED_3_0,
     .answer = "yes, done 1") {
    struct doca_dma *dma = start_dma(4);
    REQUIRE(submit_copy(block_task(dma, 1)));
    pause_for(5);
    REQUIRE(doca_pe_request_notification(pe));
    answer_flag(is_signalled(notification_handle(), 1000));
    REQUIRE(doca_pe_clear_notification(pe, notification_handle()));
    progress_to(1);
    answer_notes();
}

RULE(notify_hides_completions,
     "When armed, completions are not progressed until the event has fired and clear_notification was called "
     "afterwards.", .source = OBSERVED_2_5, .answer = "signalled yes, progress 0, progress 0, done 1") {
    struct doca_dma *dma = start_dma(4);
    REQUIRE(doca_pe_request_notification(pe));
    REQUIRE(submit_copy(block_task(dma, 1)));
    answer("signalled %s", is_signalled(notification_handle(), 1000) ? "yes" : "no");
    answer("progress %d", doca_pe_progress(pe));
    answer("progress %d", doca_pe_progress(pe));
    REQUIRE(doca_pe_clear_notification(pe, notification_handle()));
    progress_to(1);
    answer_notes();
}

RULE(notify_poll_after_clear_without_event,
     "A clear before the event does not disarm: polling alone finds nothing until the next clear.",
     .source = OBSERVED_2_5, .answer = "signalled yes, progress 0, done 1") {
    struct doca_dma *dma = start_dma(4);
    REQUIRE(doca_pe_request_notification(pe));
    REQUIRE(doca_pe_clear_notification(pe, notification_handle()));
    REQUIRE(submit_copy(block_task(dma, 1)));
    answer("signalled %s", is_signalled(notification_handle(), 1000) ? "yes" : "no");
    answer("progress %u", progress_for(3));
    REQUIRE(doca_pe_clear_notification(pe, notification_handle()));
    progress_to(1);
    answer_notes();
}

RULE(notify_clear_and_poll, "Polling with a clear in each round finds the completion.", .source = OBSERVED_2_5,
     .answer = "done 1") {
    struct doca_dma *dma = start_dma(4);
    REQUIRE(doca_pe_request_notification(pe));
    REQUIRE(submit_copy(block_task(dma, 1)));
    for (unsigned i = 0; num_completions == 0 && i < 1000; i++) {
        REQUIRE(doca_pe_clear_notification(pe, notification_handle()));
        if (doca_pe_progress(pe) == 0) {
            pause_for(1);
        }
    }
    answer_notes();
}

RULE(notify_request_twice, "A notification can be requested twice.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, SUCCESS, yes, no") {
    struct doca_dma *dma = start_dma(4);
    CODE(doca_pe_request_notification(pe));
    CODE(doca_pe_request_notification(pe));
    REQUIRE(submit_copy(block_task(dma, 1)));
    answer_flag(is_signalled(notification_handle(), 1000));
    REQUIRE(doca_pe_clear_notification(pe, notification_handle()));
    answer_flag(is_signalled(notification_handle(), 1));
}

RULE(notify_clear_handle, "Clearing ignores the handle argument, and may be called without a request.",
     .source = OBSERVED_2_5, .answer = "SUCCESS, SUCCESS, SUCCESS") {
    create_engine();
    CODE(doca_pe_clear_notification(pe, notification_handle()));
    CODE(doca_pe_clear_notification(pe, 0));
    CODE(doca_pe_clear_notification(pe, 12345));
}

RULE(notify_again, "After a clear a new request signals the next completion.", .source = OBSERVED_2_5,
     .answer = "yes, done 1, no, yes, done 2") {
    struct doca_dma *dma = start_dma(4);
    for (uint64_t number = 1; number <= 2; number++) {
        REQUIRE(doca_pe_request_notification(pe));
        if (number == 2) {
            answer_flag(is_signalled(notification_handle(), 3));
        }
        REQUIRE(submit_copy(block_task(dma, number)));
        answer_flag(is_signalled(notification_handle(), 1000));
        REQUIRE(doca_pe_clear_notification(pe, notification_handle()));
        progress_to(number);
        answer_notes();
    }
}

RULE(notify_freed_task, "Freeing the last task of a stopping context does not signal.", .source = OBSERVED_2_5,
     .answer = "IN_PROGRESS, no") {
    struct doca_dma *dma = start_dma(4);
    struct doca_dma_task_memcpy *task = block_task(dma, 1);
    REQUIRE(doca_pe_request_notification(pe));
    CODE(doca_ctx_stop(ctx_of(dma)));
    doca_task_free(as_task(task));
    answer_flag(is_signalled(notification_handle(), 10));
}

RULE(notify_idle_while_armed, "A stopping context becomes IDLE during progress although the engine is armed.",
     .source = OBSERVED_2_5, .answer = "IN_PROGRESS, to STOPPING, to IDLE") {
    struct doca_dma *dma = start_dma(4);
    struct doca_dma_task_memcpy *task = block_task(dma, 1);
    REQUIRE(doca_pe_request_notification(pe));
    CODE(doca_ctx_stop(ctx_of(dma)));
    doca_task_free(as_task(task));
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_IDLE);
    answer_notes();
}

RULE(notify_two_contexts, "One notification serves all contexts of an engine.", .source = OBSERVED_2_5,
     .answer = "yes, 2 done") {
    struct doca_dma *first = start_dma(4);
    struct doca_dma *second = start_dma(4);
    REQUIRE(doca_pe_request_notification(pe));
    REQUIRE(submit_copy(block_task(first, 1)));
    REQUIRE(submit_copy(block_task(second, 2)));
    answer_flag(is_signalled(notification_handle(), 1000));
    for (unsigned i = 0; num_completions < 2 && i < 1000; i++) {
        REQUIRE(doca_pe_clear_notification(pe, notification_handle()));
        if (doca_pe_progress(pe) == 0) {
            pause_for(1);
        }
    }
    answer("%zu done", num_completions);
}
