/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts: each has a work queue of its own while it is started, as deep as it has tasks. A library embeds a struct
 * doca_ctx at the beginning of its object.
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
    /* Stands in log records before the address of the context. */
    const char *name;
    /* The result of tasks that were not submitted, or not carried out, when the context stops. */
    doca_error_t flushed;
    /* Gives the context of the old SDK when it starts; NULL if it has none. */
    struct old_ctx *(*as_old)(struct doca_ctx *ctx);
    /* True if jobs can be submitted; others wait. NULL: always. */
    bool (*is_ready)(struct doca_ctx *ctx);
    /* Stores what an event says of its job besides success or failure. NULL: nothing. */
    void (*completed)(struct doca_task *task, const struct old_event *event);
    /* Looks for what no event tells. NULL: there is no such thing. */
    void (*watch)(struct doca_ctx *ctx);
    /* The context leaves RUNNING: has jobs end that would not by themselves. NULL: there are none. */
    void (*drain)(struct doca_ctx *ctx);
    /* The context of the old SDK has stopped. NULL: nothing is to do. */
    void (*stopped)(struct doca_ctx *ctx);
};

struct doca_ctx {
    struct pe_member member;
    /* The engine that it is connected to. */
    struct doca_pe *pe;
    const struct ctx_ops *ops;
    struct task_pool *pools;
    uint32_t num_pools;
    struct old_ctx *old;
    enum doca_ctx_states state;
    union doca_data user_data;
    doca_ctx_state_changed_callback_t state_changed;
    /* Tasks that are not free, those of them that are in flight, and those of these that are in the work queue. */
    size_t num_allocated;
    size_t num_inflight;
    size_t num_queued;
    /* Tasks in flight that wait for a place in the work queue, the oldest first: receives in the second one. */
    struct task_list waiting[2];
    /* Tasks in flight that will never get one. */
    struct task_list flushed;
    /* A job has failed: the old SDK takes no more until the queue has been removed and added again. */
    bool is_broken;
    /* A callback about a task is running, in which the context does not become idle. */
    bool completing;
    /* Nodes of graphs that stand for it, and that lose it when it is destroyed. */
    LIST_HEAD(, doca_graph_node) graph_nodes;
    /* The memory to which the SDK writes the result of an RDMA job. */
    struct old_rdma_result result;
};

void ctx_init(struct doca_ctx *ctx, const struct ctx_ops *ops, struct task_pool *pools, uint32_t num_pools);

/* Disconnects it. BAD_STATE when it is not idle. */
doca_error_t ctx_fini(struct doca_ctx *ctx);

const char *ctx_state_name(const struct doca_ctx *ctx);

static inline bool
ctx_is_live(const struct doca_ctx *ctx) {
    return ctx != NULL;
}

/* For what can be done while the context is idle only. */
doca_error_t ctx_check_idle(const struct doca_ctx *ctx, const char *what);

/* Sets how many tasks of a kind a context has, and their callbacks. */
doca_error_t ctx_set_conf(
        struct doca_ctx *ctx, uint32_t pool, uint32_t num_tasks, task_callback succeeded, task_callback failed);

/* Something happened that the context does not survive. */
void ctx_fail(struct doca_ctx *ctx);

/* Submits a task, or lets it wait. */
doca_error_t ctx_submit(struct doca_ctx *ctx, struct doca_task *task);

/* Submits tasks that wait, as far as there are places. */
void ctx_submit_waiting(struct doca_ctx *ctx);

#endif /* DOCA_COMPAT_CTX_H_ */
