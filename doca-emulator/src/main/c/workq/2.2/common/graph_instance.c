/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "common/property.h"
#include "common/sdk_log.h"
#include "workq/2.2/common/graph.h"
#include "workq/common/job_ctx.h"

/*
 * A run
 */

/* Checks the data of the step, and that the queue of the run accepts its job. */
static doca_error_t
lend_job(struct graph_step *step) {
    struct job_step *extra = step->extra;
    const struct doca_workq *workq = graph_outermost(step->instance)->workq;
    struct graph_queue *queue = job_graph_find_queue(step->instance->graph, workq);
    if (queue == NULL) {
        return graph_refuse_step(step, DOCA_ERROR_NOT_FOUND, "is of a graph that is not attached to the workq");
    }
    if (extra->request == NULL && step->cookie == NULL) {
        return graph_refuse_step(step, DOCA_ERROR_BAD_STATE, "has no data");
    }
    if (step->node->kind == GRAPH_NODE_CTX) {
        const struct attachment *attachment = workq_find_attachment(workq, step->node->job_ctx);
        if (attachment != NULL && attachment->is_broken) {
            return graph_refuse_step(step, DOCA_ERROR_BAD_STATE, "has a context of which a job has failed");
        }
        extra->queue = queue;
        queue->num_lent_jobs++;
    }
    return DOCA_SUCCESS;
}

static void
give_back_job(struct graph_step *step) {
    struct job_step *extra = step->extra;
    if (extra->queue != NULL) {
        extra->queue->num_lent_jobs--;
        extra->queue = NULL;
    }
}

static void
end_job_step(struct job *job) {
    struct graph_step *step = job->owner;
    struct doca_event *event = ((struct job_step *)step->extra)->event;
    if (event != NULL) {
        event->type = job->event.type;
        event->user_data = job->event.user_data;
        (void)job_store_result(job, event);
    }
    job->attachment->is_broken |= job->retrieval_status == DOCA_ERROR_IO_FAILED;
    graph_step_ended(step, job->status);
}

static doca_error_t
submit_job(struct graph_step *step) {
    struct job_step *extra = step->extra;
    struct attachment *attachment = workq_find_attachment(extra->queue->workq, step->node->job_ctx);
    extra->job = (struct job){.ended = end_job_step, .owner = step};
    const doca_error_t result =
            attachment == NULL ? DOCA_ERROR_NOT_FOUND : workq_begin_job(attachment, extra->request, &extra->job);
    if (result != DOCA_SUCCESS) {
        extra->job.event.result.u64 = result;
    }
    return result;
}

/* The error that the function returns is ignored. */
static void
call_user(const struct graph_step *step) {
    (void)((doca_graph_user_node_cb_t)step->node->callback)(step->cookie, ((struct job_step *)step->extra)->event);
}

static union doca_data
run_result(bool failed) {
    return (union doca_data){.u64 = failed ? DOCA_ERROR_IO_FAILED : DOCA_SUCCESS};
}

static void
end(struct doca_graph_instance *instance) {
    const union doca_data result = run_result(instance->result != DOCA_SUCCESS);
    struct graph_step *parent = instance->parent;
    if (parent == NULL) {
        instance->job->event.result = result;
        workq_end_job(instance->job, (doca_error_t)result.u64);
        return;
    }
    struct doca_event *event = ((struct job_step *)parent->extra)->event;
    if (event != NULL) {
        *event = (struct doca_event){.type = DOCA_GRAPH_JOB, .result = result};
    }
    graph_step_ended(parent, (doca_error_t)result.u64);
}

const struct graph_ops job_graph_ops = {
    .lend = lend_job,
    .give_back = give_back_job,
    .submit = submit_job,
    .call = call_user,
    .end = end,
    .extra_size = sizeof(struct job_step),
};

/*
 * Submission
 */

/* The instances stay lent until the program has retrieved the event. */
static void
forget_event(struct job *job) {
    graph_give_back(job->owner);
}

/*
 * Returns the maximum number of jobs of a run, including those of inner instances. Visits each instance once, as it is
 * bound to one step. A graph would be visited once for each path to it.
 */
static uint32_t
count_jobs(const struct doca_graph_instance *instance) {
    uint32_t sum = instance->graph->num_nodes_of_kind[GRAPH_NODE_CTX];
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
    if (!IS_LIVE(workq_class, workq) || !IS_LIVE(graph_instance_class, graph_instance)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (graph_instance->running) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "Graph instance %p: Failed to submit: runs already", graph_instance);
    }
    graph_instance->workq = workq;
    doca_error_t result = graph_lend(graph_instance);
    if (result == DOCA_SUCCESS) {
        graph_instance->job = workq_take_job(workq, count_jobs(graph_instance) - 1);
        result = graph_instance->job == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;
    }
    if (result != DOCA_SUCCESS) {
        graph_give_back(graph_instance);
        return result;
    }
    graph_instance->job->event.type = DOCA_GRAPH_JOB;
    graph_instance->job->event.user_data = user_data;
    graph_instance->job->retrieved = forget_event;
    graph_instance->job->owner = graph_instance;
    graph_begin(graph_instance);
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_instance_destroy(struct doca_graph_instance *graph_instance) {
    if (!IS_LIVE(graph_instance_class, graph_instance)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (graph_instance->running) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Graph instance %p: Failed to destroy: runs", graph_instance);
    }
    return core_graph_instance_destroy(graph_instance);
}

/*
 * Nodes
 */

static struct job_step *
extra_of(struct doca_graph_instance *instance, const struct doca_graph_node *node) {
    return instance->steps[node->index].extra;
}

doca_error_t
doca_graph_instance_set_ctx_node_data(struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
                                      struct doca_job *job, struct doca_event *ev) {
    if (!IS_LIVE(graph_instance_class, graph_instance) || !IS_LIVE(graph_node_class, node)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (job == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Graph instance %p: Invalid input: job is NULL", graph_instance);
    }
    const doca_error_t result = graph_check_step(graph_instance, node, GRAPH_NODE_CTX, "set a job of");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (job->ctx != node->job_ctx) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Graph instance %p: Invalid input: job of context %p, node of %p",
                          graph_instance, job->ctx, node->job_ctx);
    }
    extra_of(graph_instance, node)->request = job;
    extra_of(graph_instance, node)->event = ev;
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_instance_set_user_node_data(struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
                                       void *cookie, struct doca_event *ev) {
    const doca_error_t result = core_graph_instance_set_user_node_data(graph_instance, node, cookie);
    if (result == DOCA_SUCCESS) {
        extra_of(graph_instance, node)->event = ev;
    }
    return result;
}

doca_error_t
doca_graph_instance_set_sub_graph_node_data(struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
                                            struct doca_graph_instance *sub_graph_instance, struct doca_event *ev) {
    const doca_error_t result = core_graph_instance_set_sub_graph_node_data(graph_instance, node, sub_graph_instance);
    if (result == DOCA_SUCCESS) {
        extra_of(graph_instance, node)->event = ev;
    }
    return result;
}

/* Returns the step of the node; NULL if the instance or the node is not live, or if they belong to different graphs. */
static const struct graph_step *
find_step(const struct doca_graph_instance *instance, const struct doca_graph_node *node) {
    if (!IS_LIVE(graph_instance_class, instance) || !IS_LIVE(graph_node_class, node)) {
        return NULL;
    }
    if (node->graph != instance->graph) {
        SDK_LOG_ERR("Graph instance %p: Invalid input: node %p is of another graph", instance, node);
        return NULL;
    }
    return &instance->steps[node->index];
}

doca_error_t
doca_graph_instance_node_get_state(const struct doca_graph_instance *graph_instance,
                                   const struct doca_graph_node *node, enum doca_graph_instance_node_state *state) {
    const struct graph_step *step = find_step(graph_instance, node);
    if (step == NULL || state == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    *state = (enum doca_graph_instance_node_state)step->state;
    return DOCA_SUCCESS;
}

doca_error_t
doca_graph_instance_node_get_result(const struct doca_graph_instance *graph_instance,
                                    const struct doca_graph_node *node, union doca_data *result) {
    const struct graph_step *step = find_step(graph_instance, node);
    if (step == NULL || result == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (step->state != GRAPH_STEP_COMPLETED && step->state != GRAPH_STEP_ERROR) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Graph instance %p: node %p has not ended", graph_instance, node);
    }
    const struct job_step *extra = step->extra;
    *result = step->node->kind == GRAPH_NODE_CTX ? extra->job.event.result : run_result(step->state == GRAPH_STEP_ERROR);
    return DOCA_SUCCESS;
}

static uint32_t
count_failed(const struct doca_graph_instance *instance) {
    uint32_t num_failed = 0;
    for (uint32_t i = 0; i < instance->graph->num_nodes; i++) {
        num_failed += instance->steps[i].state == GRAPH_STEP_ERROR;
    }
    return num_failed;
}

doca_error_t
doca_graph_instance_get_num_failed_nodes(const struct doca_graph_instance *graph_instance, uint32_t *num_failed_nodes) {
    return GET_PROPERTY(graph_instance_class, graph_instance, count_failed(graph_instance), num_failed_nodes);
}

doca_error_t
doca_graph_instance_get_failed_nodes(const struct doca_graph_instance *graph_instance,
                                     const struct doca_graph_node **failed_nodes, uint32_t *num_failed_nodes) {
    if (!IS_LIVE(graph_instance_class, graph_instance)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const uint32_t num_failed = count_failed(graph_instance);
    if (failed_nodes == NULL || num_failed_nodes == NULL || *num_failed_nodes < num_failed) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Graph instance %p: Invalid input: no place for %u failed nodes",
                          graph_instance, num_failed);
    }
    for (uint32_t i = 0; i < graph_instance->graph->num_nodes; i++) {
        if (graph_instance->steps[i].state == GRAPH_STEP_ERROR) {
            *failed_nodes++ = graph_instance->steps[i].node;
        }
    }
    *num_failed_nodes = num_failed;
    return DOCA_SUCCESS;
}
