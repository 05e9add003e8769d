/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs: their nodes and dependencies. graph_instance.c runs them. */
#include <stdlib.h>

#include <doca_graph.h>

#include "ctx.h"
#include "graph.h"
#include "pe.h"
#include "property.h"
#include "sdk_log.h"

struct object_class graph_class = OBJECT_CLASS("graph", struct doca_graph);
struct object_class graph_node_class = OBJECT_CLASS("graph node", struct doca_graph_node);

static doca_error_t
refuse_null(const struct doca_graph *graph, const char *argument) {
    return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Graph %p: Invalid input: %s is NULL", graph, argument);
}

/* Refuses functions that are allowed only before the start. */
static doca_error_t
check_stopped(const struct doca_graph *graph, const char *what) {
    if (graph->started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph %p: Failed to %s: is started", graph, what);
    }
    return DOCA_SUCCESS;
}

static doca_error_t
no_memory(const struct doca_graph *graph, const char *what) {
    return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "Graph %p: No memory for %s", graph, what);
}

/*
 * Life
 */

doca_error_t
graph_create(const struct graph_ops *ops, struct doca_graph **graph) {
    if (graph == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: graph is NULL");
    }
    struct doca_graph *created = object_create(&graph_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    created->ops = ops;
    created->max_num_instances = UINT32_MAX;
    *graph = created;
    SDK_LOG_INFO("Graph %p: was created", created);
    return DOCA_SUCCESS;
}

static void
destroy_node(struct doca_graph_node *node) {
    if (node->ctx != NULL) {
        LIST_REMOVE(node, ctx_link);
    }
    free(node->dependents);
    object_destroy(&graph_node_class, node);
}

doca_error_t
doca_graph_destroy(struct doca_graph *graph) {
    if (!IS_LIVE(graph_class, graph)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_stopped(graph, "destroy");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    for (uint32_t i = 0; i < graph->num_nodes; i++) {
        destroy_node(graph->nodes[i]);
    }
    free(graph->nodes);
    /* Nodes of other graphs may refer to it still. */
    graph->num_nodes = 0;
    if (graph->pe != NULL) {
        graph->pe->num_graphs--;
    }
    object_destroy(&graph_class, graph);
    SDK_LOG_INFO("Graph %p: was destroyed", graph);
    return DOCA_SUCCESS;
}

void
graph_lose_ctx(struct doca_ctx *ctx) {
    struct doca_graph_node *node;
    while ((node = LIST_FIRST(&ctx->graph_nodes)) != NULL) {
        LIST_REMOVE(node, ctx_link);
        node->ctx = NULL;
    }
}

/* Returns the depth of nested graphs, this one included. The graphs of its nodes have been started. */
static uint32_t
depth_of(const struct doca_graph *graph) {
    uint32_t depth = 0;
    for (uint32_t i = 0; i < graph->num_nodes; i++) {
        const struct doca_graph_node *node = graph->nodes[i];
        if (node->kind == GRAPH_NODE_GRAPH && node->sub_graph->depth > depth) {
            depth = node->sub_graph->depth;
        }
    }
    return depth + 1;
}

/* Checks that the node's context, function or graph is ready when its graph starts. */
static doca_error_t
check_node(const struct doca_graph *graph, const struct doca_graph_node *node) {
    if (node->kind == GRAPH_NODE_CTX) {
        const struct doca_ctx *ctx = node->ctx;
        if (ctx == NULL) {
            return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED,
                              "Graph %p: Failed to start: the context of node %u was destroyed", graph, node->index);
        }
        if (ctx->state != DOCA_CTX_STATE_RUNNING) {
            return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED,
                              "Graph %p: Failed to start: %s %p of node %u is %s and not running", graph,
                              ctx->ops->name, ctx, node->index, ctx_state_name(ctx));
        }
        if (ctx->pe != graph->pe) {
            return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED,
                              "Graph %p: Failed to start: %s %p of node %u is not connected to PE %p", graph,
                              ctx->ops->name, ctx, node->index, graph->pe);
        }
    } else if (node->kind == GRAPH_NODE_GRAPH) {
        /* The context may have been destroyed in the meantime, and another one may have its handle. */
        const struct doca_graph *sub_graph = node->sub_graph;
        if (!IS_LIVE(graph_class, sub_graph) || sub_graph->pe != graph->pe || !sub_graph->started) {
            return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Graph %p: Failed to start: graph %p of node %u is not started",
                              graph, sub_graph, node->index);
        }
    }
    return DOCA_SUCCESS;
}

static doca_error_t
check_complete(const struct doca_graph *graph) {
    if (graph->num_nodes_of_kind[GRAPH_NODE_USER] == graph->num_nodes) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph %p: Failed to start: has no node of a context or a graph", graph);
    }
    for (uint32_t i = 0; i < graph->num_nodes; i++) {
        const doca_error_t result = check_node(graph, graph->nodes[i]);
        if (result != DOCA_SUCCESS) {
            return result;
        }
    }
    return DOCA_SUCCESS;
}

/* Counts a started use of each sub-graph: sub-graphs cannot be stopped while this graph is started. */
static void
count_started_uses(const struct doca_graph *graph, uint32_t more) {
    for (uint32_t i = 0; i < graph->num_nodes; i++) {
        if (graph->nodes[i]->kind == GRAPH_NODE_GRAPH) {
            graph->nodes[i]->sub_graph->num_started_uses += more;
        }
    }
}

doca_error_t
doca_graph_start(struct doca_graph *graph) {
    if (!IS_LIVE(graph_class, graph)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (graph->started) {
        return DOCA_SUCCESS;
    }
    doca_error_t result = check_complete(graph);
    if (result == DOCA_SUCCESS && depth_of(graph) > GRAPH_MAX_DEPTH) {
        result = SDK_REFUSE(DOCA_ERROR_INVALID_VALUE,
                            "Graph %p: Failed to start: more than %d graphs would be within one another", graph,
                            GRAPH_MAX_DEPTH);
    }
    if (result == DOCA_SUCCESS) {
        graph->depth = depth_of(graph);
        graph->started = true;
        count_started_uses(graph, 1);
        SDK_LOG_INFO("Graph %p: was started", graph);
    }
    return result;
}

doca_error_t
doca_graph_stop(struct doca_graph *graph) {
    if (!IS_LIVE(graph_class, graph)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!graph->started) {
        return DOCA_SUCCESS;
    }
    if (graph->num_instances > 0) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "Graph %p: Failed to stop: has %u instances", graph,
                          graph->num_instances);
    }
    if (graph->num_started_uses > 0) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "Graph %p: Failed to stop: is part of a started graph", graph);
    }
    graph->started = false;
    count_started_uses(graph, UINT32_MAX);
    SDK_LOG_INFO("Graph %p: was stopped", graph);
    return DOCA_SUCCESS;
}

/*
 * Nodes
 */

static doca_error_t
add_node(struct doca_graph *graph, enum graph_node_kind kind, struct doca_graph_node **node) {
    const uint32_t num_nodes = graph->num_nodes + 1;
    struct doca_graph_node **nodes = realloc(graph->nodes, num_nodes * sizeof(struct doca_graph_node *));
    if (nodes == NULL) {
        return no_memory(graph, "a node");
    }
    graph->nodes = nodes;
    struct doca_graph_node *created = object_create(&graph_node_class);
    if (created == NULL) {
        return no_memory(graph, "a node");
    }
    created->graph = graph;
    created->kind = kind;
    created->index = graph->num_nodes;
    nodes[graph->num_nodes] = created;
    graph->num_nodes = num_nodes;
    graph->num_nodes_of_kind[kind]++;
    *node = created;
    return DOCA_SUCCESS;
}

/* The checks for a new node of any kind, after those of its own parameters. */
static doca_error_t
check_new_node(const struct doca_graph *graph, struct doca_graph_node *const *node) {
    if (!IS_LIVE(graph_class, graph)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    return node == NULL ? refuse_null(graph, "node") : check_stopped(graph, "add a node");
}

doca_error_t
graph_create_node(struct doca_graph *graph, enum graph_node_kind kind, struct doca_graph_node **node) {
    const doca_error_t result = check_new_node(graph, node);
    return result == DOCA_SUCCESS ? add_node(graph, kind, node) : result;
}

/* The parameter is const in the API, but the context records its nodes. */
doca_error_t
doca_graph_node_create_from_ctx(
        struct doca_graph *graph, const struct doca_ctx *ctx, struct doca_graph_node **node) {
    if (!ctx_is_live(ctx)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE,
                          "Graph %p: Invalid input: %p is no context, or was destroyed before", graph, ctx);
    }
    const doca_error_t result = graph_create_node(graph, GRAPH_NODE_CTX, node);
    if (result == DOCA_SUCCESS) {
        (*node)->ctx = (struct doca_ctx *)ctx;
        LIST_INSERT_HEAD(&(*node)->ctx->graph_nodes, *node, ctx_link);
    }
    return result;
}

doca_error_t
doca_graph_node_create_from_user(
        struct doca_graph *graph, doca_graph_user_node_cb_t cb, struct doca_graph_node **node) {
    if (cb == NULL) {
        return refuse_null(graph, "cb");
    }
    const doca_error_t result = graph_create_node(graph, GRAPH_NODE_USER, node);
    if (result == DOCA_SUCCESS) {
        (*node)->callback = (void (*)(void))cb;
    }
    return result;
}

/* The number of a search, which no other search has. */
static uint64_t
next_search(void) {
    static uint64_t num_searches;
    return __atomic_add_fetch(&num_searches, 1, __ATOMIC_RELAXED);
}

/* Returns whether the graph is the other one, or contains it. Visits each graph once. */
static bool
contains(struct doca_graph *graph, const struct doca_graph *other) {
    const uint64_t search = next_search();
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
doca_graph_node_create_from_graph(
        struct doca_graph *graph, struct doca_graph *sub_graph, struct doca_graph_node **node) {
    if (!IS_LIVE(graph_class, sub_graph)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    doca_error_t result = check_new_node(graph, node);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (contains(sub_graph, graph)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Graph %p: Failed to add graph %p: it would be within itself", graph,
                          sub_graph);
    }
    if (sub_graph->pe != graph->pe) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Graph %p: Invalid input: graph %p is of another PE, %p and not %p",
                          graph, sub_graph, sub_graph->pe, graph->pe);
    }
    result = add_node(graph, GRAPH_NODE_GRAPH, node);
    if (result == DOCA_SUCCESS) {
        (*node)->sub_graph = sub_graph;
    }
    return result;
}

/*
 * Dependencies
 */

static bool
is_dependent(const struct doca_graph_node *from, const struct doca_graph_node *to) {
    for (uint32_t i = 0; i < from->num_dependents; i++) {
        if (from->dependents[i] == to) {
            return true;
        }
    }
    return false;
}

/* Returns whether the second node is the first one, or depends on it directly or indirectly. */
static bool
leads_to(struct doca_graph_node *from, const struct doca_graph_node *to) {
    const uint64_t search = next_search();
    struct doca_graph_node *way = from;
    from->search = search;
    from->next = NULL;
    while (way != NULL) {
        struct doca_graph_node *node = way;
        way = node->next;
        if (node == to) {
            return true;
        }
        for (uint32_t i = 0; i < node->num_dependents; i++) {
            struct doca_graph_node *dependent = node->dependents[i];
            if (dependent->search != search) {
                dependent->search = search;
                dependent->next = way;
                way = dependent;
            }
        }
    }
    return false;
}

doca_error_t
doca_graph_add_dependency(
        struct doca_graph *graph, struct doca_graph_node *from, struct doca_graph_node *to) {
    if (!IS_LIVE(graph_class, graph) || !IS_LIVE(graph_node_class, from) || !IS_LIVE(graph_node_class, to)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_stopped(graph, "add a dependency");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (from->graph != graph || to->graph != graph) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Graph %p: Invalid input: a node is of another graph", graph);
    }
    if (is_dependent(from, to)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Graph %p: Node %u depends on node %u already", graph, to->index,
                          from->index);
    }
    if (leads_to(to, from)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED,
                          "Graph %p: Failed to make node %u depend on node %u: that would close a cycle", graph,
                          to->index, from->index);
    }
    const uint32_t num_dependents = from->num_dependents + 1;
    struct doca_graph_node **dependents =
            realloc(from->dependents, num_dependents * sizeof(struct doca_graph_node *));
    if (dependents == NULL) {
        return no_memory(graph, "a dependency");
    }
    dependents[from->num_dependents] = to;
    from->dependents = dependents;
    from->num_dependents = num_dependents;
    to->num_dependencies++;
    return DOCA_SUCCESS;
}

/*
 * Properties
 */

doca_error_t
doca_graph_set_conf(struct doca_graph *graph, doca_graph_completion_cb_t graph_completion_cb,
                    doca_graph_completion_cb_t graph_error_cb, uint32_t num_instances) {
    if (!IS_LIVE(graph_class, graph)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (graph_completion_cb == NULL || graph_error_cb == NULL) {
        return refuse_null(graph, graph_completion_cb == NULL ? "graph_completion_cb" : "graph_error_cb");
    }
    if (num_instances == 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Graph %p: Invalid input: num_instances is 0", graph);
    }
    const doca_error_t result = check_stopped(graph, "configure");
    if (result == DOCA_SUCCESS) {
        graph->completed = graph_completion_cb;
        graph->failed = graph_error_cb;
        graph->max_num_instances = num_instances;
    }
    return result;
}

doca_error_t
doca_graph_set_user_data(struct doca_graph *graph, union doca_data user_data) {
    if (!IS_LIVE(graph_class, graph)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    graph->user_data = user_data;
    return DOCA_SUCCESS;
}

#include <getters/graph.h>
