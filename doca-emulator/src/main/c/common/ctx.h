/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base of the contexts of all libraries: the state machine, the tasks that are out, and the callbacks. A library embeds
 * a struct doca_ctx in its object and says by its operations what is special.
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
#include "shared.h"
#include "task.h"

#define CTX_MAGIC UINT32_C(0x43545831)

struct ctx_ops {
    /* Stands in log records before the address of the context. */
    const char *name;
    enum pe_queue_kind queue;
    /*
     * Makes the context ready: SUCCESS, or IN_PROGRESS when ctx_running() will follow during progress,
     * or why it cannot start.
     */
    doca_error_t (*start)(struct doca_ctx *ctx);
    /* Why a running context with tasks in flight does not stop, or SUCCESS. NULL if it does. */
    doca_error_t (*refuse_stop)(struct doca_ctx *ctx);
    /* The context leaves RUNNING with tasks out: all that are in flight have to end soon, by progress. */
    void (*stop)(struct doca_ctx *ctx);
    /* Gives back what start() took. All tasks have been freed. */
    void (*release)(struct doca_ctx *ctx);
    /* Completes one task unless the context is held, or handles one event; false when there is nothing to do. */
    bool (*progress)(struct doca_ctx *ctx);
    /* True if progress() might find something in a running context without tasks in flight. NULL if it never does. */
    bool (*has_events)(const struct doca_ctx *ctx);
    /* Tells whether progress() would find something. */
    bool (*has_work)(struct doca_ctx *ctx);
    /* Takes a task, whose flags are set. With validate it says at once what is wrong with the arguments. */
    doca_error_t (*submit)(struct doca_task *task, bool validate);
    /* Lets tasks go that were submitted without DOCA_TASK_SUBMIT_FLAG_FLUSH. */
    void (*flush)(struct doca_ctx *ctx);
};

struct doca_ctx {
    struct object object;
    /* Tells contexts, whatever their class, from other objects. */
    uint32_t magic;
    enum doca_ctx_states state;
    const struct ctx_ops *ops;
    /* The engine that it is connected to, and the engine's queue for its completions. */
    struct doca_pe *pe;
    struct pe_queue *queue;
    /* See pe_visit(). */
    bool is_visited;
    TAILQ_ENTRY(doca_ctx) visit;
    union doca_data user_data;
    doca_ctx_state_changed_callback_t state_changed;
    /* Tasks that are not free, and those of them that are submitted and not completed. */
    size_t num_allocated;
    size_t num_inflight;
    /* Nodes of graphs that stand for it, and that lose it when it is destroyed. */
    LIST_HEAD(, doca_graph_node) graph_nodes;
    /*
     * A callback about a task or a connection of this context is running, in which it does not become idle. Release 2.5
     * lets it become idle in callbacks about tasks.
     */
    bool completing;
    /* Counts the starts. */
    uint64_t num_starts;
    /* The process that started it: see process_generation(). */
    unsigned int generation;
};

/* A new context is idle and unconnected. */
void ctx_init(struct doca_ctx *ctx, const struct ctx_ops *ops) EMULATOR_SHARED(ctx_init);

/* Disconnects it from its progress engine and from the nodes of graphs for good. IN_USE when it is not idle. */
doca_error_t ctx_fini(struct doca_ctx *ctx) EMULATOR_SHARED(ctx_fini);

/* The start that start() left in progress is done. */
void ctx_running(struct doca_ctx *ctx) EMULATOR_SHARED(ctx_running);

/* Something happened that the context does not survive: it goes to STOPPING, if it is not there already. */
void ctx_fail(struct doca_ctx *ctx) EMULATOR_SHARED(ctx_fail);

const char *ctx_state_name(const struct doca_ctx *ctx) EMULATOR_SHARED(ctx_state_name);

/* One step of the context for doca_pe_progress(): false when there was nothing to do, and nothing has changed. */
bool ctx_progress(struct doca_ctx *ctx);

/* Returns whether ctx_progress() might find something before pe_visit() is called for the context again. */
bool ctx_needs_visits(const struct doca_ctx *ctx);

/* Tells whether ctx_progress() would find something. */
bool ctx_has_work(struct doca_ctx *ctx);

/*
 * Returns whether this is a copy that a fork has left of a context which the parent had started. Tasks cannot be
 * submitted to it, and progress passes over it, until the child stops it: then its tasks fail. The library touches
 * nothing of the parent.
 */
bool ctx_is_inherited(const struct doca_ctx *ctx) EMULATOR_SHARED(ctx_is_inherited);

static inline bool
ctx_is_live(const struct doca_ctx *ctx) {
    return ctx != NULL && ctx->magic == CTX_MAGIC;
}

/* Signals the queue of the context, if that is armed and progress would find something. */
static inline void
ctx_signal_work(struct doca_ctx *ctx) {
    if (pe_queue_is_armed(ctx->queue) && ctx->ops->has_work(ctx)) {
        pe_notify(ctx->queue);
    }
}

/*
 * Returns whether progress passes over the completions of the context. Looks for some first: those that nobody has
 * signalled would be passed over for ever.
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
 * Before and after a callback of the program that may stop the context, which does not become idle under the feet of
 * the caller then.
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
 * Reports that a task has ended: to the program, by a function that calls its callback, or to the graph that it is a
 * step of. The context may be gone afterwards. With a fatal error the program sees it RUNNING in the callback, and
 * STOPPING right after.
 */
void ctx_complete(struct doca_task *task, doca_error_t status, bool is_fatal, void (*report)(struct doca_task *task))
        EMULATOR_SHARED(ctx_complete);

#endif /* DOCA_EMULATOR_CTX_H_ */
