/* SPDX-License-Identifier: Apache-2.0 */
/* Records the calls of a program's callbacks: the numbers of the tasks, and the states. */
#ifndef RECORDED_EVENTS_H_
#define RECORDED_EVENTS_H_

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_ctx.h>

static char events[256];

static void
note(const char *format, unsigned long value) {
    const size_t length = strlen(events);
    snprintf(events + length, sizeof(events) - length, format, value);
}

/* The callback of a context whose user data is 77. A change from RUNNING to RUNNING tells that the SDK runs the context. */
static void
state_changed(const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states previous,
              enum doca_ctx_states next) {
    static const char *const names[] = {"IDLE ", "STARTING ", "RUNNING ", "STOPPING "};
    assert(user_data.u64 == 77 && ctx != NULL && (previous != next || next == DOCA_CTX_STATE_RUNNING));
    note(previous == next ? "RUNS " : names[next], 0);
}

/* Compares all recorded calls, and clears them. */
static void
assert_events(const char *expected) {
    if (strcmp(events, expected) != 0) {
        fprintf(stderr, "expected \"%s\", but was \"%s\"\n", expected, events);
        abort();
    }
    events[0] = '\0';
}

#endif /* RECORDED_EVENTS_H_ */
