/* SPDX-License-Identifier: Apache-2.0 */
#include "sdk_log.h"
#include "settings.h"
#include "sync_event_condition.h"

/* The largest masked value is the mask. */
static bool
can_hold(const struct sync_event_condition *condition) {
    switch (condition->relation) {
    case SYNC_EVENT_EQUAL:
        return (condition->value & ~condition->mask) == 0;
    case SYNC_EVENT_NOT_EQUAL:
        return condition->mask != 0 || condition->value != 0;
    case SYNC_EVENT_GREATER:
        return condition->value < condition->mask;
    }
    return false;
}

doca_error_t
sync_event_condition_check(const struct doca_sync_event *event, const struct sync_event_condition *condition) {
    if (emulator_settings()->strict && !can_hold(condition)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE,
                          "Sync event %p: Failed to wait: with the mask %#llx the condition on %#llx never holds",
                          event, (unsigned long long)condition->mask, (unsigned long long)condition->value);
    }
    return DOCA_SUCCESS;
}
