/* SPDX-License-Identifier: Apache-2.0 */
/* Instances of graphs: the data of their nodes, and how they run. */
#include <stdlib.h>

#include <doca_graph.h>

#include "ctx.h"
#include "graph.h"
#include "pe.h"
#include "property.h"
#include "sdk_log.h"
#include "task.h"

struct object_class graph_instance_class = OBJECT_CLASS("graph instance", struct doca_graph_instance);

/*
 * Steps
 */

static void advance(struct doca_graph_instance *instance);

/* Starts with the steps that depend on no other. */
void
graph_begin(struct doca_graph_instance *instance) {
    instance->num_begun = 0;
    instance->balance = 0;
    instance->failure_is_reported = false;
    instance->result = DOCA_SUCCESS;
    STAILQ_INIT(&instance->ready);
    for (uint32_t i = 0; i < instance->graph->num_nodes; i++) {
        struct graph_step *step = &instance->steps[i];
        step->state = GRAPH_STEP_NOT_STARTED;
        step->num_missing = step->node->num_dependencies;
        if (step->num_missing == 0) {
            STAILQ_INSERT_TAIL(&instance->ready, step, link);
        }
    }
    advance(instance);
}

void
graph_step_ended(struct graph_step *step, doca_error_t status) {
    struct doca_graph_instance *instance = step->instance;
    const struct doca_graph_node *node = step->node;
    step->state = status == DOCA_SUCCESS ? GRAPH_STEP_COMPLETED : GRAPH_STEP_ERROR;
    instance->num_begun--;
    instance->balance -= node->kind != GRAPH_NODE_USER;
    if (status != DOCA_SUCCESS) {
        SDK_LOG_ERR("Graph %p: Node %u of instance %p failed with %s: nothing new of it begins", instance->graph,
                    node->index, instance, doca_error_get_name(status));
        instance->result = instance->result == DOCA_SUCCESS ? status : instance->result;
        STAILQ_INIT(&instance->ready);
    } else if (instance->result == DOCA_SUCCESS) {
        for (uint32_t i = 0; i < node->num_dependents; i++) {
            struct graph_step *dependent = &instance->steps[node->dependents[i]->index];
            if (--dependent->num_missing == 0) {
                STAILQ_INSERT_TAIL(&instance->ready, dependent, link);
            }
        }
    }
    if (instance->result != DOCA_SUCCESS && instance->balance == 0) {
        instance->failure_is_reported = true;
    }
    advance(instance);
}

static void
begin_step(struct graph_step *step) {
    doca_error_t result = DOCA_SUCCESS;
    const struct graph_ops *ops = step->instance->graph->ops;
    step->state = GRAPH_STEP_STARTED;
    step->instance->num_begun++;
    switch (step->node->kind) {
    case GRAPH_NODE_USER:
        ops->call(step);
        graph_step_ended(step, DOCA_SUCCESS);
        break;
    case GRAPH_NODE_GRAPH:
        graph_begin(step->sub_instance);
        break;
    case GRAPH_NODE_CTX:
        step->instance->balance++;
        result = ops->submit(step);
        if (result != DOCA_SUCCESS) {
            graph_step_ended(step, result);
        }
        break;
    }
}

/* A step that ends at once re-enters here, and leaves its successors to the call that is beginning steps. */
static void
advance(struct doca_graph_instance *instance) {
    if (instance->beginning) {
        return;
    }
    instance->beginning = true;
    while (!STAILQ_EMPTY(&instance->ready)) {
        struct graph_step *step = STAILQ_FIRST(&instance->ready);
        STAILQ_REMOVE_HEAD(&instance->ready, link);
        begin_step(step);
    }
    instance->beginning = false;
    if (instance->num_begun == 0) {
        instance->graph->ops->end(instance);
    }
}

struct doca_graph_instance *
graph_outermost(struct doca_graph_instance *instance) {
    while (instance->parent != NULL) {
        instance = instance->parent->instance;
    }
    return instance;
}

/*
 * Ownership of what the steps need
 */

doca_error_t
graph_refuse_step(const struct graph_step *step, doca_error_t error, const char *reason) {
    return SDK_REFUSE(error, "Graph %p: Failed to submit instance %p: node %u %s", step->instance->graph,
                      step->instance, step->node->index, reason);
}

void
graph_give_back(struct doca_graph_instance *instance) {
    for (uint32_t i = 0; i < instance->graph->num_nodes; i++) {
        struct graph_step *step = &instance->steps[i];
        instance->graph->ops->give_back(step);
        if (step->sub_instance != NULL && step->sub_instance->parent == step) {
            step->sub_instance->parent = NULL;
            graph_give_back(step->sub_instance);
        }
    }
    instance->running = false;
}

static doca_error_t
lend_sub_instance(struct graph_step *step) {
    struct doca_graph_instance *sub_instance = step->sub_instance;
    if (sub_instance == NULL) {
        return graph_refuse_step(step, DOCA_ERROR_BAD_STATE, "has no instance of its graph");
    }
    /* The memory of a destroyed instance may belong to a new one, which is bound to another step or to none. */
    if (!IS_LIVE(graph_instance_class, sub_instance) || sub_instance->bound_to != step) {
        return graph_refuse_step(step, DOCA_ERROR_INVALID_VALUE, "has an instance that was destroyed");
    }
    if (sub_instance->running) {
        return graph_refuse_step(step, DOCA_ERROR_IN_USE, "has an instance that is in use");
    }
    sub_instance->parent = step;
    return graph_lend(sub_instance);
}

doca_error_t
graph_lend(struct doca_graph_instance *instance) {
    doca_error_t result = DOCA_SUCCESS;
    instance->running = true;
    for (uint32_t i = 0; result == DOCA_SUCCESS && i < instance->graph->num_nodes; i++) {
        struct graph_step *step = &instance->steps[i];
        result = step->node->kind == GRAPH_NODE_GRAPH ? lend_sub_instance(step) : instance->graph->ops->lend(step);
    }
    return result;
}

/*
 * Runs of tasks
 */

/* The program's return value is ignored: the dependent steps begin. */
static void
call_user(const struct graph_step *step) {
    struct doca_pe *pe = step->instance->graph->pe;
    pe->callback_depth++;
    (void)((doca_graph_user_node_cb_t)step->node->callback)(step->cookie);
    pe->callback_depth--;
}

/* Returns NULL also if the context was destroyed together with its tasks. */
static struct doca_task *
task_of(const struct graph_step *step) {
    return step->node->ctx != NULL ? step->task : NULL;
}

static bool
is_free_to_lend(const struct doca_task *task) {
    return task->step == NULL && task->state == TASK_OWNED;
}

/* A task that is in use now may be free when the step begins. */
static doca_error_t
lend_task(struct graph_step *step) {
    struct doca_task *task = task_of(step);
    if (step->node->kind == GRAPH_NODE_USER) {
        return DOCA_SUCCESS;
    }
    if (step->node->ctx == NULL) {
        return graph_refuse_step(step, DOCA_ERROR_BAD_STATE, "has lost its context, which was destroyed");
    }
    if (task == NULL) {
        return graph_refuse_step(step, DOCA_ERROR_BAD_STATE, "has no task");
    }
    if (task->state == TASK_FREE || task->ctx != step->node->ctx) {
        return graph_refuse_step(step, DOCA_ERROR_INVALID_VALUE, "has a task that was freed");
    }
    if (is_free_to_lend(task)) {
        task->step = step;
    }
    return DOCA_SUCCESS;
}

static void
return_task(struct graph_step *step) {
    struct doca_task *task = task_of(step);
    if (task != NULL && task->step == step) {
        task->step = NULL;
    }
}

static doca_error_t
submit_task(struct graph_step *step) {
    struct doca_task *task = task_of(step);
    if (task == NULL) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph %p: Failed to submit the task of node %u: its context was destroyed",
                          step->instance->graph, step->node->index);
    }
    if (is_free_to_lend(task)) {
        task->step = step;
    }
    if (task->step != step) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph %p: Failed to submit task %p of node %u: it is in use",
                          step->instance->graph, task, step->node->index);
    }
    return task_submit_step(task);
}

/* Returns the tasks that are not in flight; a step that begins nevertheless reserves its task then. */
static void
return_idle_tasks(struct doca_graph_instance *instance) {
    for (uint32_t i = 0; i < instance->graph->num_nodes; i++) {
        struct graph_step *step = &instance->steps[i];
        struct doca_task *task = task_of(step);
        if (task != NULL && task->step == step && task->state != TASK_SUBMITTED) {
            task->step = NULL;
        }
        if (step->sub_instance != NULL && step->sub_instance->parent == step) {
            return_idle_tasks(step->sub_instance);
        }
    }
}

/* The library never reports this failed instance, but the program may free the tasks of the whole run. */
static void
strand(struct doca_graph_instance *instance) {
    SDK_LOG_ERR("Graph %p: Failed instance %p stays submitted, since it has a sub-graph", instance->graph, instance);
    return_idle_tasks(graph_outermost(instance));
}

/*
 * All begun steps have ended. In its callback the program may destroy the instance or submit it again. An inner
 * instance is locked until the outer one has ended, whose callback comes first if this was its last step. The program may
 * then have destroyed or submitted both, so nothing of them is read afterwards.
 */
static void
end(struct doca_graph_instance *instance) {
    if (instance->result != DOCA_SUCCESS && !instance->failure_is_reported) {
        strand(instance);
        return;
    }
    const struct doca_graph *graph = instance->graph;
    struct doca_pe *pe = graph->pe;
    struct graph_step *parent = instance->parent;
    const doca_error_t result = instance->result;
    const doca_graph_completion_cb_t callback = result == DOCA_SUCCESS ? graph->completed : graph->failed;
    const union doca_data user_data = instance->user_data;
    const union doca_data graph_user_data = graph->user_data;
    if (parent == NULL) {
        graph_give_back(instance);
    } else {
        graph_step_ended(parent, result);
    }
    pe->callback_depth++;
    callback(instance, user_data, graph_user_data);
    pe->callback_depth--;
}

static const struct graph_ops task_ops = {
    .lend = lend_task,
    .give_back = return_task,
    .submit = submit_task,
    .call = call_user,
    .end = end,
};

/*
 * Life
 */

doca_error_t
doca_graph_create(struct doca_pe *pe, struct doca_graph **graph) {
    const doca_error_t result = pe_is_live(pe) ? graph_create(&task_ops, graph) : DOCA_ERROR_INVALID_VALUE;
    if (result == DOCA_SUCCESS) {
        (*graph)->pe = pe;
        (*graph)->max_num_instances = 0;
        pe->num_graphs++;
    }
    return result;
}

doca_error_t
doca_graph_instance_create(const struct doca_graph *plan, struct doca_graph_instance **graph_instance) {
    /* The parameter is const in the API, but the graph counts its instances. */
    struct doca_graph *graph = (struct doca_graph *)plan;
    if (!IS_LIVE(graph_class, graph)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (graph_instance == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Graph %p: Invalid input: graph_instance is NULL", graph);
    }
    if (!graph->started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph %p: Failed to create an instance: is not started", graph);
    }
    if (graph->num_instances == graph->max_num_instances) {
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "Graph %p: Failed to create an instance: all %u are there", graph,
                          graph->max_num_instances);
    }
    struct doca_graph_instance *created = object_create(&graph_instance_class);
    const size_t extra_size = graph->ops->extra_size;
    struct graph_step *steps = created == NULL ? NULL : calloc(graph->num_nodes, sizeof(*steps) + extra_size);
    if (steps == NULL) {
        if (created != NULL) {
            object_destroy(&graph_instance_class, created);
        }
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "Graph %p: No memory for an instance", graph);
    }
    for (uint32_t i = 0; i < graph->num_nodes; i++) {
        steps[i].instance = created;
        steps[i].node = graph->nodes[i];
        steps[i].extra = (char *)&steps[graph->num_nodes] + i * extra_size;
    }
    created->graph = graph;
    created->steps = steps;
    STAILQ_INIT(&created->ready);
    graph->num_instances++;
    *graph_instance = created;
    return DOCA_SUCCESS;
}

/* Refuses functions that are allowed only while an instance does not run, and logs the error. */
static doca_error_t
check_idle(const struct doca_graph_instance *instance, doca_error_t error, const char *what) {
    if (instance->running) {
        return SDK_REFUSE(error, "Graph %p: Failed to %s instance %p: it runs", instance->graph, what,
                          instance);
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_instance_destroy(struct doca_graph_instance *instance) {
    if (!IS_LIVE(graph_instance_class, instance)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_idle(instance, DOCA_ERROR_IN_USE, "destroy");
    if (result == DOCA_SUCCESS) {
        free(instance->steps);
        instance->graph->num_instances--;
        object_destroy(&graph_instance_class, instance);
    }
    return result;
}

/* Begins all steps that can begin immediately. If one of them fails, the error callback runs inside this call. */
doca_error_t
doca_graph_instance_submit(struct doca_graph_instance *instance) {
    if (!IS_LIVE(graph_instance_class, instance)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    doca_error_t result = check_idle(instance, DOCA_ERROR_IN_USE, "submit");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = graph_lend(instance);
    if (result == DOCA_SUCCESS) {
        graph_begin(instance);
    } else {
        graph_give_back(instance);
    }
    return result;
}

/* The data of nodes */

doca_error_t
graph_check_step(const struct doca_graph_instance *instance, const struct doca_graph_node *node,
                 enum graph_node_kind kind, const char *what) {
    static const char *const names[] = {"context", "user", "sub-graph"};
    const doca_error_t result = check_idle(instance, DOCA_ERROR_BAD_STATE, what);
    if (result == DOCA_SUCCESS && (node->graph != instance->graph || node->kind != kind)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Graph %p: node %p is no %s node of this graph", instance->graph,
                          node, names[kind]);
    }
    return result;
}

doca_error_t
doca_graph_instance_set_ctx_node_data(
        struct doca_graph_instance *instance, struct doca_graph_node *node, struct doca_task *task) {
    if (!IS_LIVE(graph_instance_class, instance) || !IS_LIVE(graph_node_class, node) || !TASK_IS_LIVE(task)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = graph_check_step(instance, node, GRAPH_NODE_CTX, "set a task of");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (task->ctx != node->ctx) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Graph %p: Invalid input: task %p is of %s %p, and node %u of %p",
                          instance->graph, task, task->ctx->ops->name, task->ctx, node->index, node->ctx);
    }
    instance->steps[node->index].task = task;
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_instance_set_user_node_data(
        struct doca_graph_instance *instance, struct doca_graph_node *node, void *cookie) {
    if (!IS_LIVE(graph_instance_class, instance) || !IS_LIVE(graph_node_class, node)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (cookie == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Graph %p: Invalid input: the cookie of node %u is NULL",
                          instance->graph, node->index);
    }
    const doca_error_t result = graph_check_step(instance, node, GRAPH_NODE_USER, "set a cookie of");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    instance->steps[node->index].cookie = cookie;
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_instance_set_sub_graph_node_data(struct doca_graph_instance *instance, struct doca_graph_node *node,
                                            struct doca_graph_instance *sub_graph_instance) {
    if (!IS_LIVE(graph_instance_class, instance) || !IS_LIVE(graph_node_class, node) ||
        !IS_LIVE(graph_instance_class, sub_graph_instance)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = graph_check_step(instance, node, GRAPH_NODE_GRAPH, "set a sub-graph instance of");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (sub_graph_instance->graph != node->sub_graph) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED,
                          "Graph %p: Invalid input: instance %p is of graph %p, and node %u stands for %p",
                          instance->graph, sub_graph_instance, sub_graph_instance->graph, node->index,
                          node->sub_graph);
    }
    if (sub_graph_instance->bound_to != NULL) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE,
                          "Graph instance %p: Failed to bind to sub_graph node: instance %p is bound to a node already",
                          instance, sub_graph_instance);
    }
    sub_graph_instance->bound_to = &instance->steps[node->index];
    instance->steps[node->index].sub_instance = sub_graph_instance;
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_instance_set_user_data(struct doca_graph_instance *instance, union doca_data user_data) {
    if (!IS_LIVE(graph_instance_class, instance)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_idle(instance, DOCA_ERROR_IN_USE, "set the user data of");
    if (result == DOCA_SUCCESS) {
        instance->user_data = user_data;
    }
    return result;
}

#include <getters/graph_instance.h>
