/* SPDX-License-Identifier: Apache-2.0 */
/* The life cycle of sync events. */
#include <stdlib.h>

#include "device.h"
#include "sdk_log.h"
#include "settings.h"
#include "sync_event.h"
#include "sync_event_export.h"

struct object_class sync_event_class = OBJECT_CLASS("sync event", struct doca_sync_event);

/*
 * State
 */

bool
sync_event_is_started(const struct doca_sync_event *event) {
    return sync_event_takes_calls(event) || event->ctx.state != DOCA_CTX_STATE_IDLE;
}

doca_error_t
sync_event_check_configurable(const struct doca_sync_event *event, const char *what) {
    if (event->importer != NULL) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Sync event %p: Failed to %s: the event is from an export", event,
                          what);
    }
    if (event->was_started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Sync event %p: Failed to %s: has already been started", event, what);
    }
    return DOCA_SUCCESS;
}

static bool
has_location(const struct sync_event_locations *locations) {
    return locations->cpu != NULL || locations->remote_pci || locations->remote_net;
}

/* Opens the value. Without locations the error depends on the way of starting. */
static doca_error_t
open_value(struct doca_sync_event *event, doca_error_t unlocated) {
    if (event->was_started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Sync event %p: Failed to start: has already been started", event);
    }
    if (event->importer != NULL) {
        return event->value == NULL ? sync_event_open_import(event) : event_value_check(event->value);
    }
    if (!has_location(&event->publishers) || !has_location(&event->subscribers)) {
        return SDK_REFUSE(unlocated, "Sync event %p: Failed to start: has no location of a %s", event,
                          has_location(&event->publishers) ? "subscriber" : "publisher");
    }
    return event_value_create(event->addr, &event->value);
}

static void
forget_value(struct doca_sync_event *event) {
    event->value = NULL;
    event->pci_descriptor.head.size = 0;
    event->net_descriptor.head.size = 0;
}

/* Ends the value of a started event; an importer's state remains. Fails like event_value_close(). */
static doca_error_t
close_value(struct doca_sync_event *event) {
    const doca_error_t result = event->importer == NULL ? event_value_close(event->value) : DOCA_SUCCESS;
    if (result == DOCA_SUCCESS && event->importer == NULL) {
        forget_value(event);
    }
    return result;
}

/*
 * As a context
 */

static doca_error_t
start_ctx(struct doca_ctx *ctx) {
    struct doca_sync_event *event = (struct doca_sync_event *)ctx;
    if (sync_event_takes_calls(event)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Sync event %p: Failed to start: is started for calls", event);
    }
    const doca_error_t result = open_value(event, DOCA_ERROR_NOT_PERMITTED);
    if (result == DOCA_SUCCESS) {
        event->is_ctx = true;
        event->was_started = true;
        if (!sync_event_engine_has_tasks(&event->engine)) {
            (void)close_value(event);
            return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "Sync event %p: Failed to start: has no tasks", event);
        }
        sync_event_engine_start(&event->engine, ctx, event->value);
        if (!emulator_release_is_at_most(EMULATOR_RELEASE_2_5)) {
            atomic_fetch_or(&event->calls, SYNC_EVENT_TAKES_CALLS_AS_CTX);
        }
    }
    return result;
}

static struct sync_event_engine *
engine_of(struct doca_ctx *ctx) {
    return &((struct doca_sync_event *)ctx)->engine;
}

/*
 * Release 2.5 fails the tasks and keeps running. All later tasks fail too, and the context stops when none is in flight.
 */
static doca_error_t
refuse_stop_ctx(struct doca_ctx *ctx) {
    if (!emulator_release_is_at_most(EMULATOR_RELEASE_2_5)) {
        return DOCA_SUCCESS;
    }
    const bool is_first = sync_event_engine_break(engine_of(ctx));
    return SDK_REFUSE(is_first ? DOCA_ERROR_IN_USE : DOCA_ERROR_BAD_STATE,
                      "Sync event %p: Failed to stop: %zu tasks are in flight", ctx, ctx->num_inflight);
}

static void
stop_ctx(struct doca_ctx *ctx) {
    sync_event_engine_stop(engine_of(ctx));
}

/* Ends the time for calls of a context, unless calls of other threads are in progress. */
static bool
end_calls(struct doca_sync_event *event) {
    unsigned int calls = SYNC_EVENT_TAKES_CALLS_AS_CTX;
    return atomic_compare_exchange_strong(&event->calls, &calls, 0) || calls == 0;
}

/* Waits during the stop, and not in progress. */
static bool
drain_ctx(struct doca_ctx *ctx) {
    struct doca_sync_event *event = (struct doca_sync_event *)ctx;
    if (!end_calls(event)) {
        return false;
    }
    if (ctx->state != DOCA_CTX_STATE_STOPPING || event->importer != NULL) {
        return close_value(event) == DOCA_SUCCESS;
    }
    if (!event_value_try_close(event->value)) {
        return false;
    }
    forget_value(event);
    return true;
}

/* The value was released when the context was drained. */
static void
release_ctx(struct doca_ctx *ctx) {
    (void)ctx;
}

static bool
progress_ctx(struct doca_ctx *ctx) {
    return sync_event_engine_progress(engine_of(ctx));
}

static bool
ctx_has_event_work(struct doca_ctx *ctx) {
    return sync_event_engine_has_work(engine_of(ctx));
}

static doca_error_t
submit_to_ctx(struct doca_task *task, bool validate) {
    /* Arguments are always validated, because the check is cheap here. */
    (void)validate;
    return sync_event_engine_submit(engine_of(task->ctx), task);
}

/* Does nothing: there is no doorbell, and tasks are flushed at their submission. */
static void
flush_ctx(struct doca_ctx *ctx) {
    (void)ctx;
}

static const struct ctx_ops sync_event_ops = {
    .name = "Sync event",
    .start = start_ctx,
    .refuse_stop = refuse_stop_ctx,
    .stop = stop_ctx,
    .drain = drain_ctx,
    .release = release_ctx,
    .progress = progress_ctx,
    .has_work = ctx_has_event_work,
    .submit = submit_to_ctx,
    .flush = flush_ctx,
};

struct doca_ctx *
doca_sync_event_as_ctx(struct doca_sync_event *event) {
    if (!IS_LIVE(sync_event_class, event)) {
        return NULL;
    }
    if (event->was_started && !event->is_ctx) {
        SDK_LOG_ERR("Sync event %p: Failed to become a context: was started for calls", event);
        return NULL;
    }
    return &event->ctx;
}

/*
 * Life
 */

doca_error_t
sync_event_create(struct doca_sync_event **event) {
    struct doca_sync_event *created = object_create(&sync_event_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    ctx_init(&created->ctx, &sync_event_ops);
    atomic_init(&created->calls, 0);
    sync_event_engine_init(&created->engine);
    *event = created;
    return DOCA_SUCCESS;
}

doca_error_t
doca_sync_event_create(struct doca_sync_event **event) {
    if (event == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: event is NULL");
    }
    const doca_error_t result = sync_event_create(event);
    if (result == DOCA_SUCCESS) {
        SDK_LOG_INFO("Sync event %p: was created", *event);
    }
    return result;
}

doca_error_t
doca_sync_event_start(struct doca_sync_event *event) {
    if (!IS_LIVE(sync_event_class, event)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (sync_event_takes_calls(event)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Sync event %p: Failed to start: is started", event);
    }
    if (event->is_ctx) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Sync event %p: Failed to start: is a context", event);
    }
    const doca_error_t result = open_value(event, DOCA_ERROR_BAD_STATE);
    if (result == DOCA_SUCCESS) {
        event->was_started = true;
        atomic_fetch_or(&event->calls, SYNC_EVENT_TAKES_CALLS);
        SDK_LOG_INFO("Sync event %p: was started", event);
    }
    return result;
}

/* Succeeds only without calls in progress; later calls see that the event is stopped. */
static doca_error_t
stop_calls(struct doca_sync_event *event, const char *what) {
    unsigned int calls = SYNC_EVENT_TAKES_CALLS;
    if (!atomic_compare_exchange_strong(&event->calls, &calls, 0)) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "Sync event %p: Failed to %s: %u calls of other threads are under way",
                          event, what, calls & ~SYNC_EVENT_TAKES_CALLS);
    }
    const doca_error_t result = close_value(event);
    if (result != DOCA_SUCCESS) {
        atomic_fetch_or(&event->calls, SYNC_EVENT_TAKES_CALLS);
        return SDK_REFUSE(result, "Sync event %p: Failed to %s: its memory is in use", event, what);
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_sync_event_stop(struct doca_sync_event *event) {
    if (!IS_LIVE(sync_event_class, event)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!sync_event_takes_calls(event)) {
        if (!event->is_ctx && !emulator_release_is_at_most(EMULATOR_RELEASE_2_5)) {
            return DOCA_SUCCESS;
        }
        return SDK_REFUSE(event->is_ctx ? DOCA_ERROR_NOT_PERMITTED : DOCA_ERROR_BAD_STATE,
                          "Sync event %p: Failed to stop: is not started%s", event,
                          event->is_ctx ? " for calls, but a context" : "");
    }
    const doca_error_t result = stop_calls(event, "stop");
    if (result == DOCA_SUCCESS) {
        SDK_LOG_INFO("Sync event %p: was stopped", event);
    }
    return result;
}

static void
release_device(struct doca_dev *dev) {
    if (dev != NULL) {
        device_release(dev);
    }
}

doca_error_t
doca_sync_event_destroy(struct doca_sync_event *event) {
    if (!IS_LIVE(sync_event_class, event)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    doca_error_t result = DOCA_SUCCESS;
    if (sync_event_takes_calls(event)) {
        result = stop_calls(event, "destroy");
    }
    if (result == DOCA_SUCCESS) {
        result = ctx_fini(&event->ctx);
    }
    if (result != DOCA_SUCCESS) {
        return result;
    }
    sync_event_engine_fini(&event->engine);
    if (event->importer != NULL && event->value != NULL) {
        (void)event_value_close(event->value);
    }
    free(event->import);
    release_device(event->importer);
    release_device(event->publishers.cpu);
    release_device(event->subscribers.cpu);
    object_destroy(&sync_event_class, event);
    SDK_LOG_INFO("Sync event %p: was destroyed", event);
    return DOCA_SUCCESS;
}
