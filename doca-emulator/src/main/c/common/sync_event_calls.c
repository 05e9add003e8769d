/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of sync events. */
#include <sched.h>

#include "sdk_log.h"
#include "sync_event.h"
#include "sync_event_condition.h"

/* Prevents the destruction of the event until leave(). */
static doca_error_t
enter(struct doca_sync_event *event) {
    if ((atomic_fetch_add(&event->calls, 1) & (SYNC_EVENT_TAKES_CALLS | SYNC_EVENT_TAKES_CALLS_AS_CTX)) != 0) {
        return DOCA_SUCCESS;
    }
    atomic_fetch_sub(&event->calls, 1);
    return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Sync event %p: is not started for calls%s", event,
                      event->is_ctx ? ", but a context" : "");
}

static void
leave(struct doca_sync_event *event) {
    atomic_fetch_sub(&event->calls, 1);
}

/*
 * At once
 */

/* A caller gets the last value together with the error that reports the end. */
doca_error_t
doca_sync_event_get(struct doca_sync_event *event, uint64_t *value) {
    if (!IS_LIVE(sync_event_class, event)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (value == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Sync event %p: Invalid input: value is NULL", event);
    }
    doca_error_t result = enter(event);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = event_value_check(event->value);
    const doca_error_t load = event_value_load(event->value, value);
    leave(event);
    return result == DOCA_SUCCESS ? load : result;
}

doca_error_t
doca_sync_event_update_set(struct doca_sync_event *event, uint64_t value) {
    if (!IS_LIVE(sync_event_class, event)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    doca_error_t result = enter(event);
    if (result == DOCA_SUCCESS) {
        result = event_value_store(event->value, value);
        leave(event);
    }
    return result;
}

doca_error_t
doca_sync_event_update_add(struct doca_sync_event *event, uint64_t value, uint64_t *fetched) {
    if (!IS_LIVE(sync_event_class, event)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (fetched == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Sync event %p: Invalid input: fetched is NULL", event);
    }
    doca_error_t result = enter(event);
    if (result == DOCA_SUCCESS) {
        result = event_value_add(event->value, value, fetched);
        leave(event);
    }
    return result;
}

/*
 * Waits
 */

/* Polls without sleeping between two checks whether the value can still change. */
#define NUM_SPINS 256

/* Waits for the condition. The last value counts, even if its owner has ended since. */
static doca_error_t
wait_for(struct event_value *value, const struct sync_event_condition *condition, bool yields) {
    uint64_t current;
    for (unsigned int i = 0;; i++) {
        doca_error_t result = event_value_load(value, &current);
        if (result != DOCA_SUCCESS || sync_event_condition_holds(condition, current)) {
            return result;
        }
        if (yields || i % NUM_SPINS == 0) {
            result = event_value_check(value);
            if (result != DOCA_SUCCESS) {
                break;
            }
        }
        if (yields) {
            sched_yield();
        }
    }
    /* The owner may have changed the value after the check and before it ended. */
    const doca_error_t last = event_value_load(value, &current);
    return last == DOCA_SUCCESS && sync_event_condition_holds(condition, current) ? DOCA_SUCCESS
                                                                                   : DOCA_ERROR_IO_FAILED;
}

static doca_error_t
wait(struct doca_sync_event *event, struct sync_event_condition condition, bool yields) {
    if (!IS_LIVE(sync_event_class, event)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    doca_error_t result = sync_event_condition_check(event, &condition);
    if (result == DOCA_SUCCESS) {
        result = enter(event);
    }
    if (result == DOCA_SUCCESS) {
        result = wait_for(event->value, &condition, yields);
        leave(event);
    }
    return result;
}

#define WAIT(name, yields, relation_name) \
    doca_error_t doca_sync_event_wait_##name(struct doca_sync_event *event, uint64_t value, uint64_t mask) { \
        return wait(event, \
                    (struct sync_event_condition){.relation = (relation_name), .value = value, .mask = mask}, \
                    (yields)); \
    }

WAIT(eq, false, SYNC_EVENT_EQUAL)
WAIT(eq_yield, true, SYNC_EVENT_EQUAL)
WAIT(neq, false, SYNC_EVENT_NOT_EQUAL)
WAIT(neq_yield, true, SYNC_EVENT_NOT_EQUAL)
WAIT(gt, false, SYNC_EVENT_GREATER)
WAIT(gt_yield, true, SYNC_EVENT_GREATER)
