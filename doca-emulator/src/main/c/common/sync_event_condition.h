/* SPDX-License-Identifier: Apache-2.0 */
/* The condition of a wait for a sync event: compares the masked bits of its value to another value. */
#ifndef DOCA_EMULATOR_SYNC_EVENT_CONDITION_H_
#define DOCA_EMULATOR_SYNC_EVENT_CONDITION_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_sync_event.h>

enum sync_event_relation {
    SYNC_EVENT_EQUAL,
    SYNC_EVENT_NOT_EQUAL,
    SYNC_EVENT_GREATER,
};

struct sync_event_condition {
    enum sync_event_relation relation;
    uint64_t value;
    uint64_t mask;
};

static inline bool
sync_event_condition_holds(const struct sync_event_condition *condition, uint64_t current) {
    const uint64_t masked = current & condition->mask;
    switch (condition->relation) {
    case SYNC_EVENT_EQUAL:
        return masked == condition->value;
    case SYNC_EVENT_NOT_EQUAL:
        return masked != condition->value;
    case SYNC_EVENT_GREATER:
        return masked > condition->value;
    }
    return false;
}

/* In strict mode, returns INVALID_VALUE, with a record in the log, if no value can meet the condition. */
doca_error_t sync_event_condition_check(
        const struct doca_sync_event *event, const struct sync_event_condition *condition);

#endif /* DOCA_EMULATOR_SYNC_EVENT_CONDITION_H_ */
