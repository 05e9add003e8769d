/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs of jobs. A graph consists of nodes and their dependencies. An instance has one step for each node, in the order
 * of their creation. A step begins as soon as it can: inside the submission of the instance, or inside the retrieval that
 * completes a job. The implementation does not use graphs of the core: their tasks belong to one progress engine, while
 * here each context has its own, and programs read the states of nodes.
 */
#ifndef DOCA_EMULATOR_WORKQ_GRAPH_H_
#define DOCA_EMULATOR_WORKQ_GRAPH_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <doca_graph.h>

#include "common/object.h"
#include "workq/common/workq.h"

enum job_node_kind {
    JOB_NODE_CTX,
    JOB_NODE_USER,
    JOB_NODE_GRAPH,
};

struct doca_graph_node {
    struct object object;
    struct doca_graph *graph;
    enum job_node_kind kind;
    /* Its context, function or graph, by its kind. */
    int job_type;
    const struct doca_ctx *ctx;
    doca_graph_user_node_cb_t callback;
    struct doca_graph *sub_graph;
    /* Its index among the nodes of the graph. */
    uint32_t index;
    uint32_t num_dependencies;
    /* The nodes that depend on this one. */
    struct doca_graph_node **dependents;
    uint32_t num_dependents;
    /* Found by the current search, and the next node that was found and not visited. */
    bool is_found;
    struct doca_graph_node *next;
};

/* A queue that instances of the graph can be submitted to. */
struct graph_queue {
    struct doca_workq *workq;
    LIST_ENTRY(graph_queue) link;
    uint32_t num_running;
};

struct doca_graph {
    struct object object;
    struct doca_graph_node **nodes;
    uint32_t num_nodes;
    uint32_t num_ctx_nodes;
    uint32_t num_instances;
    /* Nodes of other graphs that refer to this one. */
    uint32_t num_uses;
    LIST_HEAD(, graph_queue) queues;
    /* The number of the last search that visited the graph, and the next graph on the path of a search. */
    uint64_t search;
    struct doca_graph *next;
    bool is_started;
};

/* The state of one node in an instance. */
struct job_step {
    struct doca_graph_instance *instance;
    const struct doca_graph_node *node;
    enum doca_graph_instance_node_state state;
    /* Its job, by the kind of the node, and the destination of its event. */
    const struct doca_job *request;
    void *cookie;
    struct doca_graph_instance *sub_instance;
    struct doca_event *event;
    struct job job;
    union doca_data result;
    /* Predecessors that have not succeeded yet. */
    uint32_t num_missing;
    STAILQ_ENTRY(job_step) link;
};

struct doca_graph_instance {
    struct object object;
    struct doca_graph *graph;
    struct job_step *steps;
    /* True from its submission, or the submission of an enclosing instance, to the retrieval of the event. */
    bool is_running;
    /* The step that it was set for, or NULL. It cannot be set for a second one. The step may have been freed. */
    const struct job_step *bound_to;
    struct doca_workq *workq;
    /* The job of the event; or, for an inner instance, its step in the outer one. */
    struct job *job;
    struct job_step *parent;
    STAILQ_HEAD(, job_step) ready;
    uint32_t num_begun;
    uint32_t num_failed;
    /* True while a call begins its steps, one after the other. */
    bool is_beginning;
};

extern struct object_class job_graph_class;
extern struct object_class job_node_class;

/* Returns the given queue among the queues of the graph, or NULL. */
struct graph_queue *job_graph_find_queue(const struct doca_graph *graph, const struct doca_workq *workq);

#endif /* DOCA_EMULATOR_WORKQ_GRAPH_H_ */
