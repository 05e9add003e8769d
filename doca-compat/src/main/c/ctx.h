/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts. While started, each has its own work queue, with an entry for each task. A library embeds a struct doca_ctx
 * at the beginning of its object.
 */
#ifndef DOCA_COMPAT_CTX_H_
#define DOCA_COMPAT_CTX_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_ctx.h>

#include "graph.h"
#include "old_sdk.h"
#include "pe.h"
#include "task.h"

/* No context of release 2.5 has more tasks of one kind. */
#define CTX_MAX_NUM_TASKS UINT32_C(65536)

struct ctx_ops {
    /* The name in log records, before the address of the context. */
    const char *name;
    /* The result of tasks that are not submitted or not executed when the context stops. */
    doca_error_t flushed;
    /* Returns the context of the old SDK when it starts; NULL if it has none. */
    struct old_ctx *(*as_old)(struct doca_ctx *ctx);
    /* Returns whether jobs can be submitted; otherwise tasks wait. NULL: always. */
    bool (*is_ready)(struct doca_ctx *ctx);
    /* Submits the job of a task. NULL: submits it unchanged. */
    doca_error_t (*submit)(struct doca_ctx *ctx, struct doca_task *task);
    /*
     * Stores the result of a job from its event, and returns the status of the task, which is the status of the job
     * unless the library changes it. The status of a job that broke the context is not used. NULL: the status of the
     * job.
     */
    doca_error_t (*completed)(struct doca_task *task, const struct old_event *event, doca_error_t status);
    /* Detects changes without an event. NULL: there are none. */
    void (*watch)(struct doca_ctx *ctx);
    /* Refuses a stop that would not end. NULL: each stop ends. */
    doca_error_t (*check_stop)(const struct doca_ctx *ctx);
    /* Called when the context leaves RUNNING. Ends the jobs that would never complete. NULL: there are none. */
    void (*drain)(struct doca_ctx *ctx);
    /* Called when the context of the old SDK has stopped. NULL: nothing to do. */
    void (*stopped)(struct doca_ctx *ctx);
};

struct doca_ctx {
    struct pe_member member;
    /* The connected engine. */
    struct doca_pe *pe;
    const struct ctx_ops *ops;
    struct task_pool *pools;
    uint32_t num_pools;
    struct old_ctx *old;
    enum doca_ctx_states state;
    union doca_data user_data;
    doca_ctx_state_changed_callback_t state_changed;
    /* The number of tasks that are not free, that are in flight, and that are in the work queue. */
    size_t num_allocated;
    size_t num_inflight;
    size_t num_queued;
    /* Tasks in flight that wait for an entry in the work queue, the oldest first; receives are in the second list. */
    struct task_list waiting[2];
    /* Tasks in flight that will not get an entry. */
    struct task_list flushed;
    /* When progress tries again to stop a context that another process was using; 0 if it does not. */
    uint64_t stop_again_at_ms;
    /* True after a job has failed: the old SDK accepts no jobs until the queue was removed and added again. */
    bool is_broken;
    /* True during a callback about a task; the context does not become idle during it. */
    bool completing;
    /* Graph nodes that refer to this context; destroying the context clears their reference. */
    LIST_HEAD(, doca_graph_node) graph_nodes;
    /* The memory to which the SDK writes the result of an RDMA job. */
    struct old_rdma_result result;
};

void ctx_init(struct doca_ctx *ctx, const struct ctx_ops *ops, struct task_pool *pools, uint32_t num_pools);

/* Disconnects it. Returns BAD_STATE if it is not idle. */
doca_error_t ctx_fini(struct doca_ctx *ctx);

const char *ctx_state_name(const struct doca_ctx *ctx);
const char *ctx_state_text(enum doca_ctx_states state);
bool ctx_report_unless_live(const struct doca_ctx *ctx, const char *function);
#define CTX_IS_LIVE(ctx) ctx_report_unless_live((ctx), __func__)

static inline bool
ctx_is_live(const struct doca_ctx *ctx) {
    return ctx != NULL;
}

/* Refuses functions that are allowed only while the context is idle. */
doca_error_t ctx_check_idle(const struct doca_ctx *ctx, const char *what);

/* Sets the number of tasks of a kind, and their callbacks. */
doca_error_t ctx_set_conf(
        struct doca_ctx *ctx, uint32_t pool, uint32_t num_tasks, task_callback succeeded, task_callback failed);

/* Handles a fatal error of the context. */
void ctx_fail(struct doca_ctx *ctx);

/* Submits a task, or adds it to the waiting ones. */
doca_error_t ctx_submit(struct doca_ctx *ctx, struct doca_task *task);

/* Submits waiting tasks while the queue has room. */
void ctx_submit_waiting(struct doca_ctx *ctx);

#endif /* DOCA_COMPAT_CTX_H_ */
