/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "common/property.h"
#include "common/sdk_log.h"
#include "workq/2.2/common/graph.h"
#include "workq/common/job_ctx.h"

static struct object_class instance_class = OBJECT_CLASS("graph instance", struct doca_graph_instance);

/*
 * A run
 */

static void advance(struct doca_graph_instance *instance);

/* Ends a step. Dependent steps that wait for no other step can begin. */
static void
end_step(struct job_step *step, bool failed, union doca_data result) {
    struct doca_graph_instance *instance = step->instance;
    step->state = failed ? DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR : DOCA_GRAPH_INSTANCE_NODE_STATE_COMPLETED;
    step->result = result;
    instance->num_begun--;
    instance->num_failed += failed;
    for (uint32_t i = 0; i < step->node->num_dependents && !failed; i++) {
        struct job_step *dependent = &instance->steps[step->node->dependents[i]->index];
        dependent->num_missing--;
        if (dependent->num_missing == 0) {
            STAILQ_INSERT_TAIL(&instance->ready, dependent, link);
        }
    }
}

static void
end_job_step(struct job *job) {
    struct job_step *step = job->owner;
    const bool failed = job->status != DOCA_SUCCESS;
    if (step->event != NULL) {
        step->event->type = job->event.type;
        step->event->user_data = job->event.user_data;
        (void)job_store_result(job, step->event);
    }
    job->attachment->is_broken |= job->retrieval_status == DOCA_ERROR_IO_FAILED;
    end_step(step, failed, job->event.result);
    advance(step->instance);
}

static void
begin_job(struct job_step *step) {
    struct doca_workq *workq = step->instance->workq;
    struct attachment *attachment = workq_find_attachment(workq, step->request->ctx);
    step->job = (struct job){.ended = end_job_step, .owner = step};
    const doca_error_t result =
            attachment == NULL ? DOCA_ERROR_NOT_FOUND : workq_begin_job(attachment, step->request, &step->job);
    if (result != DOCA_SUCCESS) {
        end_step(step, true, (union doca_data){.u64 = result});
    }
}

/* Calls the function of a user node and ignores the error that it returns. */
static void
call_user(struct job_step *step) {
    (void)step->node->callback(step->cookie, step->event);
    end_step(step, false, (union doca_data){.u64 = DOCA_SUCCESS});
}

/*
 * Reserves the instance, and those inside it, for a run on the queue. Until release() they cannot be changed, destroyed
 * or submitted, and their graphs stay attached.
 */
static void
reserve(struct doca_graph_instance *instance, struct doca_workq *workq) {
    instance->is_running = true;
    instance->workq = workq;
    job_graph_find_queue(instance->graph, workq)->num_running++;
    for (uint32_t i = 0; i < instance->graph->num_nodes; i++) {
        if (instance->steps[i].sub_instance != NULL) {
            reserve(instance->steps[i].sub_instance, workq);
        }
    }
}

static void
release(struct doca_graph_instance *instance) {
    instance->is_running = false;
    job_graph_find_queue(instance->graph, instance->workq)->num_running--;
    for (uint32_t i = 0; i < instance->graph->num_nodes; i++) {
        if (instance->steps[i].sub_instance != NULL) {
            release(instance->steps[i].sub_instance);
        }
    }
}

static void
restart(struct doca_graph_instance *instance, struct job *job, struct job_step *parent) {
    instance->job = job;
    instance->parent = parent;
    instance->num_begun = 0;
    instance->num_failed = 0;
    STAILQ_INIT(&instance->ready);
    for (uint32_t i = 0; i < instance->graph->num_nodes; i++) {
        struct job_step *step = &instance->steps[i];
        step->state = DOCA_GRAPH_INSTANCE_NODE_STATE_NOT_STARTED;
        step->num_missing = step->node->num_dependencies;
        if (step->num_missing == 0) {
            STAILQ_INSERT_TAIL(&instance->ready, step, link);
        }
    }
}

static void
begin_step(struct job_step *step) {
    struct doca_graph_instance *instance = step->instance;
    step->state = DOCA_GRAPH_INSTANCE_NODE_STATE_STARTED;
    instance->num_begun++;
    switch (step->node->kind) {
    case JOB_NODE_CTX:
        begin_job(step);
        break;
    case JOB_NODE_USER:
        call_user(step);
        break;
    case JOB_NODE_GRAPH:
        restart(step->sub_instance, NULL, step);
        advance(step->sub_instance);
        break;
    }
}

/* Called when all begun steps have ended. */
static void
finish(struct doca_graph_instance *instance) {
    const doca_error_t status = instance->num_failed > 0 ? DOCA_ERROR_IO_FAILED : DOCA_SUCCESS;
    const union doca_data result = {.u64 = status};
    struct job_step *parent = instance->parent;
    if (parent == NULL) {
        instance->job->event.result = result;
        workq_end_job(instance->job, status);
        return;
    }
    if (parent->event != NULL) {
        *parent->event = (struct doca_event){.type = DOCA_GRAPH_JOB, .result = result};
    }
    end_step(parent, status != DOCA_SUCCESS, result);
    advance(parent->instance);
}

/* Begins the steps that can begin, unless one has failed, and finishes the instance. */
static void
advance(struct doca_graph_instance *instance) {
    if (instance->is_beginning) {
        return;
    }
    instance->is_beginning = true;
    while (!STAILQ_EMPTY(&instance->ready) && instance->num_failed == 0) {
        struct job_step *step = STAILQ_FIRST(&instance->ready);
        STAILQ_REMOVE_HEAD(&instance->ready, link);
        begin_step(step);
    }
    instance->is_beginning = false;
    if (instance->num_begun == 0) {
        finish(instance);
    }
}

/*
 * Submission
 */

static void
forget_event(struct job *job) {
    release(job->owner);
}

static doca_error_t check_submittable(const struct doca_graph_instance *instance, const struct doca_workq *workq);

/* The memory of a destroyed instance may belong to a new one, which is bound to another step or to none. */
static doca_error_t
check_sub_instance(const struct job_step *step, const struct doca_workq *workq) {
    if (!IS_LIVE(instance_class, step->sub_instance) || step->sub_instance->bound_to != step) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE,
                          "Graph instance %p: Failed to submit: node %p has an instance that was destroyed",
                          step->instance, step->node);
    }
    return check_submittable(step->sub_instance, workq);
}

/* Returns the error if the instance cannot run on the queue now, or SUCCESS. */
static doca_error_t
check_submittable(const struct doca_graph_instance *instance, const struct doca_workq *workq) {
    doca_error_t result = DOCA_SUCCESS;
    if (instance->is_running) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "Graph instance %p: Failed to submit: runs already", instance);
    }
    if (job_graph_find_queue(instance->graph, workq) == NULL) {
        return SDK_REFUSE(DOCA_ERROR_NOT_FOUND,
                          "Graph instance %p: Failed to submit: its graph is not attached to workq %p", instance, workq);
    }
    for (uint32_t i = 0; i < instance->graph->num_nodes && result == DOCA_SUCCESS; i++) {
        const struct job_step *step = &instance->steps[i];
        const struct attachment *attachment =
                step->request == NULL ? NULL : workq_find_attachment(workq, step->request->ctx);
        if (step->request == NULL && step->cookie == NULL && step->sub_instance == NULL) {
            result = SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph instance %p: Failed to submit: node %p has no data",
                                instance, step->node);
        } else if (attachment != NULL && attachment->is_broken) {
            result = SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph instance %p: Failed to submit: a job of %s %p has failed",
                                instance, attachment->ctx->ops->name, attachment->ctx);
        } else if (step->sub_instance != NULL) {
            result = check_sub_instance(step, workq);
        }
    }
    return result;
}

/*
 * Returns the maximum number of jobs of a run, including those of inner instances. Visits each instance once, as it is
 * bound to one step. A graph would be visited once for each path to it.
 */
static uint32_t
count_jobs(const struct doca_graph_instance *instance) {
    uint32_t sum = instance->graph->num_ctx_nodes;
    for (uint32_t i = 0; i < instance->graph->num_nodes; i++) {
        if (instance->steps[i].sub_instance != NULL) {
            sum += count_jobs(instance->steps[i].sub_instance);
        }
    }
    return sum;
}

doca_error_t
doca_workq_graph_submit(struct doca_workq *workq, struct doca_graph_instance *graph_instance,
                        union doca_data user_data) {
    if (!IS_LIVE(workq_class, workq) || !IS_LIVE(instance_class, graph_instance)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_submittable(graph_instance, workq);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    struct job *job = workq_take_job(workq, count_jobs(graph_instance) - 1);
    if (job == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    job->event.type = DOCA_GRAPH_JOB;
    job->event.user_data = user_data;
    job->retrieved = forget_event;
    job->owner = graph_instance;
    reserve(graph_instance, workq);
    restart(graph_instance, job, NULL);
    advance(graph_instance);
    return DOCA_SUCCESS;
}

/*
 * Life
 */

doca_error_t
doca_graph_instance_create(const struct doca_graph *graph, struct doca_graph_instance **graph_instance) {
    if (!IS_LIVE(job_graph_class, graph)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (graph_instance == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Graph %p: Invalid input: graph_instance is NULL", graph);
    }
    if (!graph->is_started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph %p: Failed to create an instance: is not started", graph);
    }
    struct doca_graph_instance *created = object_create(&instance_class);
    struct job_step *steps = calloc(graph->num_nodes, sizeof(*steps));
    if (created == NULL || steps == NULL) {
        free(steps);
        if (created != NULL) {
            object_destroy(&instance_class, created);
        }
        return DOCA_ERROR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < graph->num_nodes; i++) {
        steps[i].instance = created;
        steps[i].node = graph->nodes[i];
    }
    created->steps = steps;
    /* The cast is only for counting the instances of the graph. */
    created->graph = (struct doca_graph *)graph;
    created->graph->num_instances++;
    *graph_instance = created;
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_instance_destroy(struct doca_graph_instance *graph_instance) {
    if (!IS_LIVE(instance_class, graph_instance)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (graph_instance->is_running) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Graph instance %p: Failed to destroy: runs", graph_instance);
    }
    graph_instance->graph->num_instances--;
    free(graph_instance->steps);
    object_destroy(&instance_class, graph_instance);
    return DOCA_SUCCESS;
}

/*
 * Nodes
 */

/* Returns the step of the node; NULL if the instance or the node is not live, or if they belong to different graphs. */
static struct job_step *
find_step(const struct doca_graph_instance *instance, const struct doca_graph_node *node) {
    if (!IS_LIVE(instance_class, instance) || !IS_LIVE(job_node_class, node)) {
        return NULL;
    }
    if (node->graph != instance->graph) {
        SDK_LOG_ERR("Graph instance %p: Invalid input: node %p is of another graph", instance, node);
        return NULL;
    }
    return &instance->steps[node->index];
}

/* Stores the step of a node of that kind, whose data can be set now, in *step. */
static doca_error_t
find_settable(struct doca_graph_instance *instance, struct doca_graph_node *node, enum job_node_kind kind,
              const void *data, struct job_step **step) {
    *step = find_step(instance, node);
    if (*step == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (node->kind != kind || data == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Graph instance %p: Invalid input: node %p is %s", instance, node,
                          data == NULL ? "to get NULL" : "of another kind");
    }
    if (instance->is_running) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph instance %p: Failed to set data of node %p: runs", instance, node);
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_instance_set_ctx_node_data(struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
                                      struct doca_job *job, struct doca_event *ev) {
    struct job_step *step;
    const doca_error_t result = find_settable(graph_instance, node, JOB_NODE_CTX, job, &step);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (job->ctx != node->ctx) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Graph instance %p: Invalid input: job of context %p, node of %p",
                          graph_instance, job->ctx, node->ctx);
    }
    step->request = job;
    step->event = ev;
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_instance_set_user_node_data(struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
                                       void *cookie, struct doca_event *ev) {
    struct job_step *step;
    const doca_error_t result = find_settable(graph_instance, node, JOB_NODE_USER, cookie, &step);
    if (result == DOCA_SUCCESS) {
        step->cookie = cookie;
        step->event = ev;
    }
    return result;
}

doca_error_t
doca_graph_instance_set_sub_graph_node_data(struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
                                            struct doca_graph_instance *sub_graph_instance, struct doca_event *ev) {
    struct job_step *step;
    const doca_error_t result = find_settable(graph_instance, node, JOB_NODE_GRAPH, sub_graph_instance, &step);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (!IS_LIVE(instance_class, sub_graph_instance) || sub_graph_instance->graph != node->sub_graph) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Graph instance %p: Invalid input: instance %p is of another graph",
                          graph_instance, sub_graph_instance);
    }
    /* As in release 2.5. It is not known of 2.2. */
    if (sub_graph_instance->bound_to != NULL) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE,
                          "Graph instance %p: Failed to set data of node %p: instance %p is bound to a node already",
                          graph_instance, node, sub_graph_instance);
    }
    sub_graph_instance->bound_to = step;
    step->sub_instance = sub_graph_instance;
    step->event = ev;
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_instance_node_get_state(const struct doca_graph_instance *graph_instance,
                                   const struct doca_graph_node *node, enum doca_graph_instance_node_state *state) {
    const struct job_step *step = find_step(graph_instance, node);
    if (step == NULL || state == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    *state = step->state;
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_instance_node_get_result(const struct doca_graph_instance *graph_instance,
                                    const struct doca_graph_node *node, union doca_data *result) {
    const struct job_step *step = find_step(graph_instance, node);
    if (step == NULL || result == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (step->state != DOCA_GRAPH_INSTANCE_NODE_STATE_COMPLETED && step->state != DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph instance %p: node %p has not ended", graph_instance, node);
    }
    *result = step->result;
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_instance_get_num_failed_nodes(const struct doca_graph_instance *graph_instance, uint32_t *num_failed_nodes) {
    return GET_PROPERTY(instance_class, graph_instance, graph_instance->num_failed, num_failed_nodes);
}

doca_error_t
doca_graph_instance_get_failed_nodes(const struct doca_graph_instance *graph_instance,
                                     const struct doca_graph_node **failed_nodes, uint32_t *num_failed_nodes) {
    uint32_t num_found = 0;
    if (!IS_LIVE(instance_class, graph_instance)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (failed_nodes == NULL || num_failed_nodes == NULL || *num_failed_nodes < graph_instance->num_failed) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Graph instance %p: Invalid input: no place for %u failed nodes",
                          graph_instance, graph_instance->num_failed);
    }
    for (uint32_t i = 0; i < graph_instance->graph->num_nodes; i++) {
        if (graph_instance->steps[i].state == DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR) {
            failed_nodes[num_found++] = graph_instance->steps[i].node;
        }
    }
    *num_failed_nodes = num_found;
    return DOCA_SUCCESS;
}
