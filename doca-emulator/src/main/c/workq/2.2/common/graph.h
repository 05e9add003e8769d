/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs of jobs: the graphs of common/graph.h with nodes of jobs. Instances are submitted to the work queues that their
 * graph is attached to. A step begins inside the submission, or inside the retrieval that completes a job.
 */
#ifndef DOCA_EMULATOR_WORKQ_GRAPH_H_
#define DOCA_EMULATOR_WORKQ_GRAPH_H_

#include <stdint.h>
#include <sys/queue.h>

#include <core_graph.h>
#include <doca_graph.h>

#include "common/graph.h"
#include "workq/common/workq.h"

/* A queue that instances of the graph can be submitted to. */
struct graph_queue {
    struct doca_workq *workq;
    LIST_ENTRY(graph_queue) link;
    /* The jobs of the instances that run on it. Each instance has at least one. */
    uint32_t num_lent_jobs;
};

/* What a step has in addition. */
struct job_step {
    /* The job of a context, and the queue that it runs on, or NULL while the instance does not run. */
    const struct doca_job *request;
    struct graph_queue *queue;
    struct job job;
    /* The destination of its event, or NULL. */
    struct doca_event *event;
};

extern const struct graph_ops job_graph_ops;

/* Returns the given queue among the queues of the graph, or NULL. */
struct graph_queue *job_graph_find_queue(const struct doca_graph *graph, const struct doca_workq *workq);

#endif /* DOCA_EMULATOR_WORKQ_GRAPH_H_ */
