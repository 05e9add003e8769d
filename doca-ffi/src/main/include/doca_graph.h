/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A graph of tasks and user functions with dependencies, run as one unit.
 */
#ifndef DOCA_GRAPH_H_
#define DOCA_GRAPH_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>
#include <doca_types.h>
#include <doca_compat.h>
#if API_BEFORE(2.6)
#include <stdbool.h>
#include <doca_ctx.h>
#include <doca_pe.h>
#endif

API_HEADER(common, 2.5)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_ctx;
struct doca_graph;
struct doca_graph_instance;
struct doca_graph_node;
struct doca_pe;
struct doca_task;

typedef void (*doca_graph_completion_cb_t)(struct doca_graph_instance *, union doca_data, union doca_data);
typedef doca_error_t (*doca_graph_user_node_cb_t)(void *);

DOCA_EXPERIMENTAL
doca_error_t doca_graph_add_dependency(
        struct doca_graph *graph, struct doca_graph_node *from, struct doca_graph_node *to);

DOCA_EXPERIMENTAL
doca_error_t doca_graph_create(struct doca_pe *pe, struct doca_graph **graph);

DOCA_EXPERIMENTAL
doca_error_t doca_graph_destroy(struct doca_graph *graph);

DOCA_EXPERIMENTAL API_GETS(graph->user_data)
doca_error_t doca_graph_get_user_data(const struct doca_graph *graph, union doca_data *user_data);

DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_create(const struct doca_graph *graph, struct doca_graph_instance **graph_instance);

DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_destroy(struct doca_graph_instance *graph_instance);

DOCA_EXPERIMENTAL API_GETS(graph_instance->user_data)
doca_error_t doca_graph_instance_get_user_data(
        const struct doca_graph_instance *graph_instance, union doca_data *user_data);

DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_ctx_node_data(
        struct doca_graph_instance *graph_instance, struct doca_graph_node *node, struct doca_task *task);

DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_sub_graph_node_data(
        struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
        struct doca_graph_instance *sub_graph_instance);

DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_user_data(struct doca_graph_instance *graph_instance, union doca_data user_data);

DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_set_user_node_data(
        struct doca_graph_instance *graph_instance, struct doca_graph_node *node, void *cookie);

DOCA_EXPERIMENTAL
doca_error_t doca_graph_instance_submit(struct doca_graph_instance *graph_instance);

DOCA_EXPERIMENTAL
doca_error_t doca_graph_node_create_from_ctx(
        struct doca_graph *graph, const struct doca_ctx *ctx, struct doca_graph_node **node);

DOCA_EXPERIMENTAL
doca_error_t doca_graph_node_create_from_graph(
        struct doca_graph *graph, struct doca_graph *sub_graph, struct doca_graph_node **node);

DOCA_EXPERIMENTAL
doca_error_t doca_graph_node_create_from_user(
        struct doca_graph *graph, doca_graph_user_node_cb_t cb, struct doca_graph_node **node);

DOCA_EXPERIMENTAL
doca_error_t doca_graph_set_conf(
        struct doca_graph *graph, doca_graph_completion_cb_t graph_completion_cb,
        doca_graph_completion_cb_t graph_error_cb, uint32_t num_instances);

DOCA_EXPERIMENTAL
doca_error_t doca_graph_set_user_data(struct doca_graph *graph, union doca_data user_data);

DOCA_EXPERIMENTAL
doca_error_t doca_graph_start(struct doca_graph *graph);

DOCA_EXPERIMENTAL
doca_error_t doca_graph_stop(struct doca_graph *graph);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_GRAPH_H_ */
