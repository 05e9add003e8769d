/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs and their instances. A graph consists of nodes and their dependencies. An instance has one step for each node,
 * in the order of their creation, and owns the tasks of its steps while it runs. A step begins as soon as it can: inside
 * the submission of the instance, or inside the doca_pe_progress() that completes a task.
 *
 * Graphs of jobs, in releases with work queues, are the same objects with other operations. Their sources include this
 * header with their own <doca_graph.h>, so it has no types of that.
 */
#ifndef DOCA_EMULATOR_GRAPH_H_
#define DOCA_EMULATOR_GRAPH_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <doca_error.h>
#include <doca_types.h>

#include "object.h"
#include "shared.h"

/* The maximum nesting: submitting an instance recurses into those inside it, on the stack of the caller. */
#define GRAPH_MAX_DEPTH 1024

enum graph_node_kind {
    GRAPH_NODE_CTX,
    GRAPH_NODE_USER,
    GRAPH_NODE_GRAPH,
};

/* Also the states that programs with work queues read. */
enum graph_step_state {
    GRAPH_STEP_NOT_STARTED,
    GRAPH_STEP_STARTED,
    GRAPH_STEP_COMPLETED,
    GRAPH_STEP_ERROR,
};

struct doca_graph_instance;
struct graph_step;

/* How the instances of a graph run. */
struct graph_ops {
    /* Reserves what the step of a context or a function needs for a run, and checks it. */
    doca_error_t (*lend)(struct graph_step *step);
    /* Returns what lend() has reserved. Also called for steps without a successful lend(). */
    void (*give_back)(struct graph_step *step);
    /* Begins the step of a context. It ends by graph_step_ended(), or at once if this returns an error. */
    doca_error_t (*submit)(struct graph_step *step);
    /* Calls the function of a user node. */
    void (*call)(const struct graph_step *step);
    /* All begun steps of the instance have ended. Notifies the program, and ends the step of an outer instance. */
    void (*end)(struct doca_graph_instance *instance);
    /* The size of what a step has in addition. */
    size_t extra_size;
};

struct doca_graph_node {
    struct object object;
    struct doca_graph *graph;
    enum graph_node_kind kind;
    /* Its context, function or graph, by its kind. A context becomes NULL when it is destroyed. */
    struct doca_ctx *ctx;
    LIST_ENTRY(doca_graph_node) ctx_link;
    /* With work queues: its context, which may have been destroyed. */
    const struct doca_ctx *job_ctx;
    /* A doca_graph_user_node_cb_t of the release. */
    void (*callback)(void);
    struct doca_graph *sub_graph;
    /* Its index among the nodes of the graph. */
    uint32_t index;
    uint32_t num_dependencies;
    /* The nodes that depend on this one. */
    struct doca_graph_node **dependents;
    uint32_t num_dependents;
    /* The number of the last search that visited the node, and the next node on the path of a search. */
    uint64_t search;
    struct doca_graph_node *next;
};

struct doca_graph {
    struct object object;
    const struct graph_ops *ops;
    /* NULL with work queues. */
    struct doca_pe *pe;
    union doca_data user_data;
    void (*completed)(struct doca_graph_instance *instance, union doca_data user_data, union doca_data graph_user_data);
    void (*failed)(struct doca_graph_instance *instance, union doca_data user_data, union doca_data graph_user_data);
    /* The largest number of instances. */
    uint32_t max_num_instances;
    uint32_t num_instances;
    struct doca_graph_node **nodes;
    uint32_t num_nodes;
    uint32_t num_nodes_of_kind[GRAPH_NODE_GRAPH + 1];
    /* Nodes of other, started graphs that refer to this one. */
    uint32_t num_started_uses;
    /* The number of the last search that visited it, and the next graph on the path of a search. */
    uint64_t search;
    struct doca_graph *next;
    /* The depth of nested graphs, this one included; set by the start. */
    uint32_t depth;
    bool started;
    /* With work queues: those that it is attached to. */
    LIST_HEAD(, graph_queue) queues;
};

/* The state of one node in an instance. */
struct graph_step {
    struct doca_graph_instance *instance;
    const struct doca_graph_node *node;
    enum graph_step_state state;
    /* The task, cookie or instance, by the kind of the node. */
    struct doca_task *task;
    void *cookie;
    struct doca_graph_instance *sub_instance;
    /* Memory for the operations of the graph. */
    void *extra;
    /* Predecessors that have not succeeded yet. */
    uint32_t num_missing;
    STAILQ_ENTRY(graph_step) link;
};

struct doca_graph_instance {
    struct object object;
    struct doca_graph *graph;
    union doca_data user_data;
    struct graph_step *steps;
    /* True from its submission, or the submission of an enclosing instance, to its completion. */
    bool running;
    /* The step that it was set for, or NULL. It cannot be set for a second one. The step may have been freed. */
    const struct graph_step *bound_to;
    /* The step of an outer instance that runs this one, or NULL. */
    struct graph_step *parent;
    /* Steps that can begin, and the number of begun steps that have not ended. */
    STAILQ_HEAD(, graph_step) ready;
    uint32_t num_begun;
    /*
     * The running tasks less the sub-graphs that have ended: the library does not count the beginning of a sub-graph. Only a
     * failed instance whose number was 0 when a step ended is reported; another one stays submitted for ever.
     */
    int64_t balance;
    bool failure_is_reported;
    /* The error of the first step that failed. */
    doca_error_t result;
    /* True while a call begins its steps, one after the other. */
    bool beginning;
    /* With work queues, of the outermost instance: the queue of its run, and the job whose event ends it. */
    struct doca_workq *workq;
    struct job *job;
};

extern struct object_class graph_class;
extern struct object_class graph_node_class;
extern struct object_class graph_instance_class;

/* Returns NO_MEMORY, or INVALID_VALUE for NULL. */
doca_error_t graph_create(const struct graph_ops *ops, struct doca_graph **graph);

/* Creates a node without dependencies. */
doca_error_t graph_create_node(struct doca_graph *graph, enum graph_node_kind kind, struct doca_graph_node **node);

/* The context is about to be destroyed: graphs with nodes of it cannot run any more. */
void graph_lose_ctx(struct doca_ctx *ctx);

/* Returns the instance that contains this one and is in no other one, or this one itself. */
struct doca_graph_instance *graph_outermost(struct doca_graph_instance *instance);

/* Reserves an instance, its steps and the instances in it for a run, exclusively until graph_give_back(). */
doca_error_t graph_lend(struct doca_graph_instance *instance);

/* Returns all or a part of what graph_lend() has reserved. */
void graph_give_back(struct doca_graph_instance *instance);

/* Begins all steps that can begin. */
void graph_begin(struct doca_graph_instance *instance);

/* Called when the task or inner instance of a step has ended. Begins the dependent steps, or reports the end. */
void graph_step_ended(struct graph_step *step, doca_error_t status) EMULATOR_SHARED(graph_step_ended);

/* Logs why an instance cannot be submitted, and returns the error. */
doca_error_t graph_refuse_step(const struct graph_step *step, doca_error_t error, const char *reason);

/* Returns the error if the data of the node cannot be set now, because of its kind or a run, or SUCCESS. */
doca_error_t graph_check_step(const struct doca_graph_instance *instance, const struct doca_graph_node *node,
                              enum graph_node_kind kind, const char *what);

#endif /* DOCA_EMULATOR_GRAPH_H_ */
