/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs of jobs and user functions with dependencies, run as one unit.
 */
#ifndef DOCA_GRAPH_H_
#define DOCA_GRAPH_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_compat.h>
#include <doca_ctx.h>
#include <doca_error.h>

API_HEADER(common, 2.2)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_ctx;
struct doca_graph;
struct doca_graph_instance;
struct doca_graph_node;
struct doca_workq;

enum doca_graph_job_types {
    DOCA_GRAPH_JOB = (14 << 16) + 1,
};

enum doca_graph_instance_node_state {
    DOCA_GRAPH_INSTANCE_NODE_STATE_NOT_STARTED = 0,
    DOCA_GRAPH_INSTANCE_NODE_STATE_STARTED = 1,
    DOCA_GRAPH_INSTANCE_NODE_STATE_COMPLETED = 2,
    DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR = 3,
};

typedef doca_error_t (*doca_graph_user_node_cb_t)(void *, struct doca_event *);

__DOCA_EXPERIMENTAL API_LIKE(doca_graph_add_dependency)
doca_error_t doca_graph_add_dependency(
        struct doca_graph *graph, struct doca_graph_node *from, struct doca_graph_node *to);

__DOCA_EXPERIMENTAL
doca_error_t doca_graph_create(struct doca_graph **graph);

__DOCA_EXPERIMENTAL
doca_error_t doca_graph_ctx_node_create(
        struct doca_graph *graph, int job_type, const struct doca_ctx *ctx, struct doca_graph_node **node);

__DOCA_EXPERIMENTAL API_LIKE(doca_graph_destroy)
doca_error_t doca_graph_destroy(struct doca_graph *graph);

__DOCA_EXPERIMENTAL API_LIKE(doca_graph_instance_create)
doca_error_t doca_graph_instance_create(const struct doca_graph *graph, struct doca_graph_instance **graph_instance);

__DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_destroy(struct doca_graph_instance *graph_instance);

__DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_get_failed_nodes(
        const struct doca_graph_instance *graph_instance, const struct doca_graph_node **failed_nodes,
        uint32_t *num_failed_nodes);

__DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_get_num_failed_nodes(
        const struct doca_graph_instance *graph_instance, uint32_t *num_failed_nodes);

__DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_node_get_result(
        const struct doca_graph_instance *graph_instance, const struct doca_graph_node *node,
        union doca_data *result);

__DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_node_get_state(
        const struct doca_graph_instance *graph_instance, const struct doca_graph_node *node,
        enum doca_graph_instance_node_state *state);

__DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_ctx_node_data(
        struct doca_graph_instance *graph_instance, struct doca_graph_node *node, struct doca_job *job,
        struct doca_event *ev);

__DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_sub_graph_node_data(
        struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
        struct doca_graph_instance *sub_graph_instance, struct doca_event *ev);

__DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_user_node_data(
        struct doca_graph_instance *graph_instance, struct doca_graph_node *node, void *cookie,
        struct doca_event *ev);

__DOCA_EXPERIMENTAL
doca_error_t doca_graph_start(struct doca_graph *graph);

__DOCA_EXPERIMENTAL
doca_error_t doca_graph_stop(struct doca_graph *graph);

__DOCA_EXPERIMENTAL API_LIKE(doca_graph_node_create_from_graph)
doca_error_t doca_graph_sub_graph_node_create(
        struct doca_graph *graph, struct doca_graph *sub_graph, struct doca_graph_node **node);

__DOCA_EXPERIMENTAL
doca_error_t doca_graph_user_node_create(
        struct doca_graph *graph, doca_graph_user_node_cb_t cb, struct doca_graph_node **node);

__DOCA_EXPERIMENTAL
doca_error_t doca_graph_workq_add(struct doca_graph *graph, struct doca_workq *workq);

__DOCA_EXPERIMENTAL
doca_error_t doca_graph_workq_rm(struct doca_graph *graph, struct doca_workq *workq);

__DOCA_EXPERIMENTAL
doca_error_t doca_workq_graph_submit(
        struct doca_workq *workq, struct doca_graph_instance *graph_instance, union doca_data user_data);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_GRAPH_H_ */
