/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs and their instances. A graph consists of nodes and their dependencies. An instance has one step for each node,
 * in the order of their creation, and owns the tasks of its steps while it runs. A step begins as soon as it can: inside
 * the submission of the instance, or inside the doca_pe_progress() that completes a task.
 */
#ifndef DOCA_EMULATOR_GRAPH_H_
#define DOCA_EMULATOR_GRAPH_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <doca_graph.h>

#include "object.h"
#include "shared.h"

/* The maximum nesting: submitting an instance recurses into those inside it, on the stack of the caller. */
#define GRAPH_MAX_DEPTH 1024

enum graph_node_kind {
    GRAPH_NODE_CTX,
    GRAPH_NODE_USER,
    GRAPH_NODE_GRAPH,
};

struct doca_graph_node {
    struct object object;
    struct doca_graph *graph;
    enum graph_node_kind kind;
    /* Its context, function or graph, by its kind. A context becomes NULL when it is destroyed. */
    struct doca_ctx *ctx;
    LIST_ENTRY(doca_graph_node) ctx_link;
    doca_graph_user_node_cb_t callback;
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
    struct doca_pe *pe;
    union doca_data user_data;
    doca_graph_completion_cb_t completed;
    doca_graph_completion_cb_t failed;
    /* The largest number of instances. */
    uint32_t max_num_instances;
    uint32_t num_instances;
    struct doca_graph_node **nodes;
    uint32_t num_nodes;
    /* Nodes of contexts and of sub-graphs. */
    uint32_t num_executing_nodes;
    /* Nodes of other, started graphs that refer to this one. */
    uint32_t num_started_uses;
    uint64_t num_searches;
    /* The depth of nested graphs, this one included; set by the start. */
    uint32_t depth;
    bool started;
};

/* The state of one node in an instance. */
struct graph_step {
    struct doca_graph_instance *instance;
    const struct doca_graph_node *node;
    /* The task, cookie or instance, by the kind of the node. */
    struct doca_task *task;
    void *cookie;
    struct doca_graph_instance *sub_instance;
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
    /* True if it was set for a node of another instance; it cannot be set for a second node. */
    bool bound;
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
};

extern struct object_class graph_class;
extern struct object_class graph_node_class;

/* The context is about to be destroyed: graphs with nodes of it cannot run any more. */
void graph_lose_ctx(struct doca_ctx *ctx);

/* Called when the task or inner instance of a step has ended. Begins the dependent steps, or reports the end. */
void graph_step_ended(struct graph_step *step, doca_error_t status) EMULATOR_SHARED(graph_step_ended);

#endif /* DOCA_EMULATOR_GRAPH_H_ */
