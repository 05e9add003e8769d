/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base of the contexts of all libraries: the state machine, the tasks in flight and the callbacks. A library embeds a
 * struct doca_ctx in its object and implements the operations.
 */
#ifndef DOCA_EMULATOR_CTX_H_
#define DOCA_EMULATOR_CTX_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <doca_ctx.h>

#include "graph.h"
#include "object.h"
#include "pe.h"
#include "process.h"
#include "shared.h"
#include "task.h"

#define CTX_MAGIC UINT32_C(0x43545831)

/* The interval in which it is checked whether other processes still access memory, and a sleeping program is woken for it. */
#define CTX_DRAIN_INTERVAL_NS (UINT64_C(10) * 1000 * 1000)

struct ctx_ops {
    /* The name in log records, before the address of the context. */
    const char *name;
    enum pe_queue_kind queue;
    /*
     * Prepares the context. Returns SUCCESS, IN_PROGRESS if ctx_running() will follow during progress, or the error
     * that prevents the start.
     */
    doca_error_t (*start)(struct doca_ctx *ctx);
    /*
     * Returns the error with which a running context with tasks in flight refuses to stop, or SUCCESS. NULL if it
     * always stops.
     */
    doca_error_t (*refuse_stop)(struct doca_ctx *ctx);
    /*
     * Called when the context leaves RUNNING with tasks in flight, or before it is drained. All tasks must complete in
     * progress: soon, or when other processes no longer access their memory.
     */
    void (*stop)(struct doca_ctx *ctx);
    /*
     * Ends the access of other processes to memory of the program, and returns whether it has ended. Called repeatedly
     * when all tasks have been freed, until it returns true and the context becomes idle at once. It may wait, unless the
     * context is STOPPING. NULL if other processes have no access.
     */
    bool (*drain)(struct doca_ctx *ctx);
    /* Releases what start() acquired. All tasks have been freed, and the context is drained. */
    void (*release)(struct doca_ctx *ctx);
    /* Completes one task unless the context is held, or handles one event. Returns false if there was nothing to do. */
    bool (*progress)(struct doca_ctx *ctx);
    /* Returns whether progress() might find work in a running context without tasks in flight. NULL if it never does. */
    bool (*has_events)(const struct doca_ctx *ctx);
    /* Called when the program arms the engine, before that is checked for work. NULL if that has no effect. */
    void (*arm)(struct doca_ctx *ctx);
    /* Returns whether progress() would find work. */
    bool (*has_work)(struct doca_ctx *ctx);
    /* Submits a task whose flags are set. With validate, it checks the arguments first and returns any error. */
    doca_error_t (*submit)(struct doca_task *task, bool validate);
    /* Flushes tasks that were submitted without DOCA_TASK_SUBMIT_FLAG_FLUSH. */
    void (*flush)(struct doca_ctx *ctx);
};

struct doca_ctx {
    struct object object;
    /* Distinguishes contexts of any class from other objects. */
    uint32_t magic;
    enum doca_ctx_states state;
    const struct ctx_ops *ops;
    /* The connected engine, and the engine's queue for the completions of this context. */
    struct doca_pe *pe;
    struct pe_queue *queue;
    /* See pe_visit(). */
    bool is_visited;
    TAILQ_ENTRY(doca_ctx) visit;
    union doca_data user_data;
    doca_ctx_state_changed_callback_t state_changed;
    /* The number of tasks that are not free, and of those that are submitted and not completed. */
    size_t num_allocated;
    size_t num_inflight;
    /* Graph nodes that refer to this context; destroying the context clears their reference. */
    LIST_HEAD(, doca_graph_node) graph_nodes;
    /*
     * True during a callback about a task or a connection of this context. The context does not become idle during
     * it, except in callbacks about tasks with release 2.5.
     */
    bool completing;
    /* False with release 2.5. */
    bool is_kept_in_callbacks;
    /* True while the last call of drain() has returned false. */
    bool is_draining;
    /* Counts the starts. */
    uint64_t num_starts;
    /* The process that started it: see process_generation(). */
    unsigned int generation;
};

/* A new context is idle and unconnected. */
void ctx_init(struct doca_ctx *ctx, const struct ctx_ops *ops) EMULATOR_SHARED(ctx_init);

/* Disconnects it permanently from its progress engine and from graph nodes. Returns IN_USE if it is not idle. */
doca_error_t ctx_fini(struct doca_ctx *ctx) EMULATOR_SHARED(ctx_fini);

/* Completes a start for which start() returned IN_PROGRESS. */
void ctx_running(struct doca_ctx *ctx) EMULATOR_SHARED(ctx_running);

/*
 * Ends a start for which start() returned IN_PROGRESS: releases the context, which goes from STARTING to IDLE. The context may
 * be destroyed when this returns.
 */
void ctx_abandon_start(struct doca_ctx *ctx) EMULATOR_SHARED(ctx_abandon_start);

/* Handles a fatal event: the context goes to STOPPING, unless it is there already. */
void ctx_fail(struct doca_ctx *ctx) EMULATOR_SHARED(ctx_fail);

const char *ctx_state_name(const struct doca_ctx *ctx) EMULATOR_SHARED(ctx_state_name);
const char *ctx_state_text(enum doca_ctx_states state);

/* Returns whether the handle is a live context of any class; if not, logs that under the name of the function. */
bool ctx_report_unless_live(const struct doca_ctx *ctx, const char *function);
#define CTX_IS_LIVE(ctx) ctx_report_unless_live((ctx), __func__)

/* Refuses functions that are allowed only while the context is idle. */
doca_error_t ctx_check_idle(const struct doca_ctx *ctx, const char *what);

/* One step of doca_pe_progress(). Returns false if there was nothing to do and nothing has changed. */
bool ctx_progress(struct doca_ctx *ctx);

/* Returns whether ctx_progress() might find something before pe_visit() is called for the context again. */
bool ctx_needs_visits(const struct doca_ctx *ctx);

/* Returns whether ctx_progress() would find work. */
bool ctx_has_work(struct doca_ctx *ctx);

/*
 * Returns whether this is a forked copy of a context that the parent had started. Tasks cannot be submitted to it, and
 * progress skips it until the child stops it; then its tasks fail. The parent is not affected.
 */
static inline bool
ctx_is_inherited(const struct doca_ctx *ctx) {
    return ctx->generation != process_generation() && ctx->state != DOCA_CTX_STATE_IDLE;
}

static inline bool
ctx_is_live(const struct doca_ctx *ctx) {
    return ctx != NULL && ctx->magic == CTX_MAGIC;
}

/* Signals the queue of the context if the queue is armed and progress would find work. */
static inline void
ctx_signal_work(struct doca_ctx *ctx) {
    if (pe_queue_is_armed(ctx->queue) && ctx->ops->has_work(ctx)) {
        pe_notify(ctx->queue);
    }
}

/*
 * Returns whether progress skips the completions of the context. Checks for new completions first, because unsignalled
 * ones would otherwise always be skipped.
 */
static inline bool
ctx_is_held(struct doca_ctx *ctx) {
    if (!pe_queue_is_held(ctx->queue)) {
        return false;
    }
    ctx_signal_work(ctx);
    return true;
}

/*
 * Called before and after a callback of the program that may stop the context. The context does not become idle in
 * between, so the caller can still use it.
 */
static inline void
ctx_begin_event(struct doca_ctx *ctx) {
    ctx->completing = true;
    ctx->pe->callback_depth++;
}

static inline void
ctx_end_event(struct doca_ctx *ctx) {
    ctx->pe->callback_depth--;
    ctx->completing = false;
}

/*
 * Reports a completed task: to the program, through a function that calls its callback, or to the graph that runs it.
 * The context may be destroyed when this returns. After a fatal error the context is RUNNING in the callback, and
 * STOPPING right after.
 */
void ctx_complete(struct doca_task *task, doca_error_t status, bool is_fatal, void (*report)(struct doca_task *task))
        EMULATOR_SHARED(ctx_complete);

#endif /* DOCA_EMULATOR_CTX_H_ */
