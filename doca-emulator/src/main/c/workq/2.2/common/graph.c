/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "common/sdk_log.h"
#include "workq/2.2/common/graph.h"
#include "workq/common/job_ctx.h"

/*
 * Nodes
 */

doca_error_t
doca_graph_ctx_node_create(struct doca_graph *graph, int job_type, const struct doca_ctx *ctx,
                           struct doca_graph_node **node) {
    (void)job_type;
    if (!IS_LIVE(graph_class, graph) || !JOB_CTX_IS_LIVE(ctx)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = graph_create_node(graph, GRAPH_NODE_CTX, node);
    if (result == DOCA_SUCCESS) {
        (*node)->job_ctx = ctx;
    }
    return result;
}

/* The core only stores the function. */
doca_error_t
doca_graph_user_node_create(struct doca_graph *graph, doca_graph_user_node_cb_t cb, struct doca_graph_node **node) {
    return core_graph_node_create_from_user(graph, (core_graph_user_node_cb_t)(void (*)(void))cb, node);
}

/*
 * Life
 */

doca_error_t
doca_graph_create(struct doca_graph **graph) {
    return graph_create(&job_graph_ops, graph);
}

doca_error_t
doca_graph_start(struct doca_graph *graph) {
    if (!IS_LIVE(graph_class, graph)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (graph->num_nodes_of_kind[GRAPH_NODE_CTX] == 0) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph %p: Failed to start: has no node of a context", graph);
    }
    graph->started = true;
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_stop(struct doca_graph *graph) {
    if (!IS_LIVE(graph_class, graph)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (graph->num_instances > 0) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph %p: Failed to stop: there are instances", graph);
    }
    if (!LIST_EMPTY(&graph->queues)) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "Graph %p: Failed to stop: is attached to a workq", graph);
    }
    graph->started = false;
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
    if (!graph->started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph %p: Failed to attach to workq %p: is not started", graph, workq);
    }
    if (job_graph_find_queue(graph, workq) != NULL) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "Graph %p: Failed to attach to workq %p: is attached already", graph,
                          workq);
    }
    for (uint32_t i = 0; i < graph->num_nodes; i++) {
        const struct doca_graph_node *node = graph->nodes[i];
        if ((node->kind == GRAPH_NODE_CTX && workq_find_attachment(workq, node->job_ctx) == NULL) ||
            (node->kind == GRAPH_NODE_GRAPH && job_graph_find_queue(node->sub_graph, workq) == NULL)) {
            return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph %p: Failed to attach to workq %p: node %p is not attached",
                              graph, workq, node);
        }
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_workq_add(struct doca_graph *graph, struct doca_workq *workq) {
    if (!IS_LIVE(graph_class, graph) || !IS_LIVE(workq_class, workq)) {
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
    if (!IS_LIVE(graph_class, graph) || !IS_LIVE(workq_class, workq)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    struct graph_queue *queue = job_graph_find_queue(graph, workq);
    if (queue == NULL) {
        return SDK_REFUSE(DOCA_ERROR_NOT_FOUND, "Graph %p: Failed to detach from workq %p: is not attached", graph,
                          workq);
    }
    if (queue->num_lent_jobs > 0) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "Graph %p: Failed to detach from workq %p: instances run", graph, workq);
    }
    LIST_REMOVE(queue, link);
    workq->num_graphs--;
    free(queue);
    return DOCA_SUCCESS;
}
