/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The internal part of a progress engine. One thread at a time uses an engine and its contexts; only pe_signal() may
 * be called from others.
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

/* The completion queues of an engine. All contexts of one kind share one. */
enum pe_queue_kind {
    /* For contexts whose work is done in software. */
    PE_QUEUE_SOFTWARE,
    PE_QUEUE_DMA,
    PE_QUEUE_RDMA,
    PE_NUM_QUEUES,
};

enum pe_queue_state {
    /* Progress polls it. */
    PE_QUEUE_POLLED,
    /* Armed and not notified yet: progress skips it. */
    PE_QUEUE_ARMED,
    /* Notified: progress skips it until the program clears the notification. */
    PE_QUEUE_FIRED,
};

struct pe_queue {
    struct doca_pe *pe;
    /* An enum pe_queue_state. Any thread may fire it; only the engine's thread makes other changes. */
    atomic_int state;
    /* The time at which the timer fires it, if it has one. Guarded by the timer's lock. */
    uint64_t timer;
    bool has_timer;
    TAILQ_ENTRY(pe_queue) timer_link;
};

struct doca_pe {
    struct object object;
    /* In the list of all engines. Guarded by the lock of that list. */
    LIST_ENTRY(doca_pe) link;
    /* The depth of nested callbacks of the program. */
    uint32_t callback_depth;
    uint32_t num_contexts;
    /* The connected contexts that progress visits, and the one whose turn is next. */
    TAILQ_HEAD(, doca_ctx) visited;
    uint32_t num_visited;
    struct doca_ctx *next;
    uint32_t num_graphs;
    /* The context whose task is being reported, as long as it is not destroyed. */
    const struct doca_ctx *reporting;
    enum doca_pe_event_mode event_mode;
    /* The eventfd that programs wait on. A forked child has one of its own. */
    int notification;
    struct pe_queue queues[PE_NUM_QUEUES];
};

/* Returns whether the handle is a progress engine; if not, logs that. */
bool pe_is_live(const struct doca_pe *pe);

void pe_disconnect(struct doca_pe *pe, struct doca_ctx *ctx);

/*
 * Lets progress visit the context until a visit finds nothing to do and ctx_needs_visits() is false. So the cost of
 * progress does not depend on the number of contexts without tasks.
 */
void pe_visit(struct doca_pe *pe, struct doca_ctx *ctx) EMULATOR_SHARED(pe_visit);

/* Makes the notification handle readable if the queue is armed. */
void pe_notify(struct pe_queue *queue) EMULATOR_SHARED(pe_notify);

static inline bool
pe_queue_is_armed(const struct pe_queue *queue) {
    return atomic_load_explicit(&queue->state, memory_order_relaxed) == PE_QUEUE_ARMED;
}

/*
 * Must be called whenever a context has new work for doca_pe_progress(), with its queue, once has_work() of the context
 * sees that work.
 */
static inline void
pe_signal(struct pe_queue *queue) {
    if (pe_queue_is_armed(queue)) {
        pe_notify(queue);
    }
}

/* Returns whether progress skips the queue; it does so only for DMA and RDMA. */
static inline bool
pe_queue_is_held(const struct pe_queue *queue) {
    return queue != &queue->pe->queues[PE_QUEUE_SOFTWARE] &&
           queue->pe->event_mode == DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE &&
           atomic_load_explicit(&queue->state, memory_order_relaxed) != PE_QUEUE_POLLED;
}

#endif /* DOCA_EMULATOR_PE_H_ */
