/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a progress engine. One thread at a time uses an engine and its contexts; only pe_signal() may be
 * called from others.
 */
#ifndef DOCA_EMULATOR_PE_H_
#define DOCA_EMULATOR_PE_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <doca_pe.h>

#include "object.h"
#include "shared.h"

struct doca_ctx;

struct doca_pe {
    struct object object;
    /* How many callbacks of the program are running, one inside the other. */
    uint32_t callback_depth;
    /* The connected contexts, and the one whose turn is next. */
    TAILQ_HEAD(, doca_ctx) contexts;
    struct doca_ctx *next;
    uint32_t num_contexts;
    uint32_t num_graphs;
    /* The context whose task is being reported, as long as it is not destroyed. */
    const struct doca_ctx *reporting;
    enum doca_pe_event_mode event_mode;
    /* The eventfd that programs wait on. */
    int notification;
    /* The program asked to be notified, and was not yet. */
    atomic_bool armed;
    /* When the timer is to signal the engine, or 0. Of the timer, under its lock. */
    uint64_t timer;
    TAILQ_ENTRY(doca_pe) timer_link;
};

/* Whether the handle is a progress engine; if not, the log says so. */
bool pe_is_live(const struct doca_pe *pe);

void pe_disconnect(struct doca_pe *pe, struct doca_ctx *ctx);

/* Makes the notification handle readable, if the program has asked for that. */
void pe_notify(struct doca_pe *pe) EMULATOR_SHARED(pe_notify);

/*
 * To be called whenever a context has got work for doca_pe_progress(), after that work can be seen by has_work() of
 * the context.
 */
static inline void
pe_signal(struct doca_pe *pe) {
    if (atomic_load_explicit(&pe->armed, memory_order_relaxed)) {
        pe_notify(pe);
    }
}

#endif /* DOCA_EMULATOR_PE_H_ */
