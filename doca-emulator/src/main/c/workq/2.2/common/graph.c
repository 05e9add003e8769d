/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "common/sdk_log.h"
#include "workq/2.2/common/graph.h"
#include "workq/common/job_ctx.h"

struct object_class job_graph_class = OBJECT_CLASS("graph", struct doca_graph);
struct object_class job_node_class = OBJECT_CLASS("graph node", struct doca_graph_node);

static doca_error_t
check_editable(const struct doca_graph *graph, const char *what) {
    if (graph->is_started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph %p: Failed to %s: is started", graph, what);
    }
    return DOCA_SUCCESS;
}

/*
 * Nodes
 */

/* Adds a node, if there is room for it and the graph can be edited. */
static doca_error_t
add_node(struct doca_graph *graph, enum job_node_kind kind, struct doca_graph_node **node) {
    if (node == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Graph %p: Invalid input: node is NULL", graph);
    }
    const doca_error_t result = check_editable(graph, "add a node");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    struct doca_graph_node **grown = realloc(graph->nodes, (graph->num_nodes + 1) * sizeof(*grown));
    if (grown == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    graph->nodes = grown;
    struct doca_graph_node *created = object_create(&job_node_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    created->graph = graph;
    created->kind = kind;
    created->index = graph->num_nodes;
    graph->nodes[graph->num_nodes++] = created;
    *node = created;
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_ctx_node_create(struct doca_graph *graph, int job_type, const struct doca_ctx *ctx,
                           struct doca_graph_node **node) {
    if (!IS_LIVE(job_graph_class, graph) || !JOB_CTX_IS_LIVE(ctx)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = add_node(graph, JOB_NODE_CTX, node);
    if (result == DOCA_SUCCESS) {
        (*node)->job_type = job_type;
        (*node)->ctx = ctx;
        graph->num_ctx_nodes++;
    }
    return result;
}

doca_error_t
doca_graph_user_node_create(struct doca_graph *graph, doca_graph_user_node_cb_t cb, struct doca_graph_node **node) {
    if (!IS_LIVE(job_graph_class, graph)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (cb == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Graph %p: Invalid input: cb is NULL", graph);
    }
    const doca_error_t result = add_node(graph, JOB_NODE_USER, node);
    if (result == DOCA_SUCCESS) {
        (*node)->callback = cb;
    }
    return result;
}

/* Returns whether the graph is the other one, or contains it. Visits each graph once, on however many paths it is. */
static bool
contains(struct doca_graph *graph, const struct doca_graph *other) {
    static uint64_t num_searches;
    const uint64_t search = __atomic_add_fetch(&num_searches, 1, __ATOMIC_RELAXED);
    struct doca_graph *way = graph;
    graph->search = search;
    graph->next = NULL;
    while (way != NULL) {
        const struct doca_graph *visited = way;
        way = visited->next;
        if (visited == other) {
            return true;
        }
        for (uint32_t i = 0; i < visited->num_nodes; i++) {
            struct doca_graph *sub_graph = visited->nodes[i]->sub_graph;
            if (sub_graph != NULL && sub_graph->search != search) {
                sub_graph->search = search;
                sub_graph->next = way;
                way = sub_graph;
            }
        }
    }
    return false;
}

doca_error_t
doca_graph_sub_graph_node_create(struct doca_graph *graph, struct doca_graph *sub_graph,
                                 struct doca_graph_node **node) {
    if (!IS_LIVE(job_graph_class, graph) || !IS_LIVE(job_graph_class, sub_graph)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (contains(sub_graph, graph)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Graph %p: Failed to add graph %p: it would be within itself", graph,
                          sub_graph);
    }
    const doca_error_t result = add_node(graph, JOB_NODE_GRAPH, node);
    if (result == DOCA_SUCCESS) {
        (*node)->sub_graph = sub_graph;
        sub_graph->num_uses++;
    }
    return result;
}

/*
 * Dependencies
 */

/* Searches without recursion, as chains of nodes have no limit. */
static bool
depends_on(const struct doca_graph_node *node, struct doca_graph_node *other) {
    for (uint32_t i = 0; i < node->graph->num_nodes; i++) {
        node->graph->nodes[i]->is_found = false;
    }
    /* The nodes that were found and not visited. */
    struct doca_graph_node *way = other;
    other->is_found = true;
    other->next = NULL;
    while (way != NULL) {
        const struct doca_graph_node *visited = way;
        way = visited->next;
        for (uint32_t i = 0; i < visited->num_dependents; i++) {
            struct doca_graph_node *dependent = visited->dependents[i];
            if (!dependent->is_found) {
                dependent->is_found = true;
                dependent->next = way;
                way = dependent;
            }
        }
    }
    return node->is_found;
}

static bool
is_direct_dependent(const struct doca_graph_node *node, const struct doca_graph_node *other) {
    bool found = false;
    for (uint32_t i = 0; i < other->num_dependents && !found; i++) {
        found = other->dependents[i] == node;
    }
    return found;
}

doca_error_t
doca_graph_add_dependency(struct doca_graph *graph, struct doca_graph_node *from, struct doca_graph_node *to) {
    if (!IS_LIVE(job_graph_class, graph) || !IS_LIVE(job_node_class, from) || !IS_LIVE(job_node_class, to)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (from->graph != graph || to->graph != graph) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Graph %p: Invalid input: a node of another graph", graph);
    }
    const doca_error_t result = check_editable(graph, "add a dependency");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (is_direct_dependent(to, from) || depends_on(from, to)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Graph %p: Failed to add a dependency: %s", graph,
                          is_direct_dependent(to, from) ? "it is there already" : "it would close a cycle");
    }
    struct doca_graph_node **grown = realloc(from->dependents, (from->num_dependents + 1) * sizeof(*grown));
    if (grown == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    from->dependents = grown;
    from->dependents[from->num_dependents++] = to;
    to->num_dependencies++;
    return DOCA_SUCCESS;
}

/*
 * Life
 */

doca_error_t
doca_graph_create(struct doca_graph **graph) {
    if (graph == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: graph is NULL");
    }
    struct doca_graph *created = object_create(&job_graph_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    LIST_INIT(&created->queues);
    *graph = created;
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_start(struct doca_graph *graph) {
    if (!IS_LIVE(job_graph_class, graph)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (graph->num_ctx_nodes == 0) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph %p: Failed to start: has no node of a context", graph);
    }
    graph->is_started = true;
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_stop(struct doca_graph *graph) {
    if (!IS_LIVE(job_graph_class, graph)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (graph->num_instances > 0) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph %p: Failed to stop: there are instances", graph);
    }
    if (!LIST_EMPTY(&graph->queues)) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "Graph %p: Failed to stop: is attached to a workq", graph);
    }
    graph->is_started = false;
    return DOCA_SUCCESS;
}

static void
destroy_nodes(struct doca_graph *graph) {
    for (uint32_t i = 0; i < graph->num_nodes; i++) {
        struct doca_graph_node *node = graph->nodes[i];
        if (node->kind == JOB_NODE_GRAPH) {
            node->sub_graph->num_uses--;
        }
        free(node->dependents);
        object_destroy(&job_node_class, node);
    }
    free(graph->nodes);
}

doca_error_t
doca_graph_destroy(struct doca_graph *graph) {
    if (!IS_LIVE(job_graph_class, graph)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (graph->is_started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph %p: Failed to destroy: is started", graph);
    }
    if (graph->num_uses > 0) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "Graph %p: Failed to destroy: is a node of another graph", graph);
    }
    destroy_nodes(graph);
    object_destroy(&job_graph_class, graph);
    return DOCA_SUCCESS;
}

/*
 * Queues
 */

struct graph_queue *
job_graph_find_queue(const struct doca_graph *graph, const struct doca_workq *workq) {
    struct graph_queue *queue;
    LIST_FOREACH(queue, &graph->queues, link) {
        if (queue->workq == workq) {
            return queue;
        }
    }
    return NULL;
}

/* Returns the error if the graph cannot be attached to the queue, or SUCCESS. */
static doca_error_t
check_attachable(const struct doca_graph *graph, const struct doca_workq *workq) {
    if (!graph->is_started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph %p: Failed to attach to workq %p: is not started", graph, workq);
    }
    if (job_graph_find_queue(graph, workq) != NULL) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "Graph %p: Failed to attach to workq %p: is attached already", graph,
                          workq);
    }
    for (uint32_t i = 0; i < graph->num_nodes; i++) {
        const struct doca_graph_node *node = graph->nodes[i];
        if ((node->kind == JOB_NODE_CTX && workq_find_attachment(workq, node->ctx) == NULL) ||
            (node->kind == JOB_NODE_GRAPH && job_graph_find_queue(node->sub_graph, workq) == NULL)) {
            return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph %p: Failed to attach to workq %p: node %p is not attached",
                              graph, workq, node);
        }
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_workq_add(struct doca_graph *graph, struct doca_workq *workq) {
    if (!IS_LIVE(job_graph_class, graph) || !IS_LIVE(workq_class, workq)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_attachable(graph, workq);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    struct graph_queue *queue = calloc(1, sizeof(*queue));
    if (queue == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    queue->workq = workq;
    LIST_INSERT_HEAD(&graph->queues, queue, link);
    workq->num_graphs++;
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_workq_rm(struct doca_graph *graph, struct doca_workq *workq) {
    if (!IS_LIVE(job_graph_class, graph) || !IS_LIVE(workq_class, workq)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    struct graph_queue *queue = job_graph_find_queue(graph, workq);
    if (queue == NULL) {
        return SDK_REFUSE(DOCA_ERROR_NOT_FOUND, "Graph %p: Failed to detach from workq %p: is not attached", graph,
                          workq);
    }
    if (queue->num_running > 0) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "Graph %p: Failed to detach from workq %p: %u instances run", graph, workq,
                          queue->num_running);
    }
    LIST_REMOVE(queue, link);
    workq->num_graphs--;
    free(queue);
    return DOCA_SUCCESS;
}
