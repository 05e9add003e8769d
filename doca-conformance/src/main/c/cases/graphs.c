/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define THEME "graphs"

/* A graph of a user node and a copy that depends on it. */
static struct doca_dma *dma;
static struct doca_graph *graph;
static struct doca_graph_node *user_node;
static struct doca_graph_node *copy_node;
static struct doca_graph_instance *instance;
static struct doca_dma_task_memcpy *task;
static doca_error_t user_node_result;

static void
note_done_graph(struct doca_graph_instance *done, union doca_data instance_data, union doca_data graph_data) {
    (void)done;
    note("graph done %llu %llu", (unsigned long long)instance_data.u64, (unsigned long long)graph_data.u64);
    num_completions++;
}

static void
note_failed_graph(struct doca_graph_instance *failed, union doca_data instance_data, union doca_data graph_data) {
    (void)failed;
    note("graph failed %llu %llu", (unsigned long long)instance_data.u64, (unsigned long long)graph_data.u64);
    num_completions++;
}

static doca_error_t
note_user_node(void *cookie) {
    note("user node %p", cookie);
    return user_node_result;
}

static void
create_graph(void) {
    dma = start_dma(8);
    REQUIRE(doca_graph_create(pe, &graph));
    REQUIRE(doca_graph_set_conf(graph, note_done_graph, note_failed_graph, 4));
    REQUIRE(doca_graph_set_user_data(graph, data_of(20)));
}

static void
create_nodes(void) {
    create_graph();
    REQUIRE(doca_graph_node_create_from_user(graph, note_user_node, &user_node));
    REQUIRE(doca_graph_node_create_from_ctx(graph, ctx_of(dma), &copy_node));
    REQUIRE(doca_graph_add_dependency(graph, user_node, copy_node));
}

static void
start_graph(void) {
    create_nodes();
    REQUIRE(doca_graph_start(graph));
}

/* An instance with all its data. */
static void
create_instance(void) {
    start_graph();
    task = block_task(dma, 1);
    REQUIRE(doca_graph_instance_create(graph, &instance));
    REQUIRE(doca_graph_instance_set_user_data(instance, data_of(10)));
    REQUIRE(doca_graph_instance_set_user_node_data(instance, user_node, (void *)0x5));
    REQUIRE(doca_graph_instance_set_ctx_node_data(instance, copy_node, as_task(task)));
}

RULE(graph_create_arguments, "A graph needs an engine and a result pointer.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    create_engine();
    CODE(doca_graph_create(NULL, &graph));
    CODE(doca_graph_create(pe, NULL));
}

RULE(graph_start_empty, "A graph without nodes cannot be started.", .source = OBSERVED_2_5, .answer = "BAD_STATE") {
    create_graph();
    CODE(doca_graph_start(graph));
}

RULE(graph_start_without_ctx_node, "A graph needs a context node.", .source = OBSERVED_2_5, .answer = "BAD_STATE") {
    create_graph();
    REQUIRE(doca_graph_node_create_from_user(graph, note_user_node, &user_node));
    CODE(doca_graph_start(graph));
}

RULE(graph_start_before_ctx, "A graph can be started only after its contexts.", .source = OBSERVED_2_5,
     .answer = "NOT_PERMITTED") {
    create_nodes();
    REQUIRE(doca_ctx_stop(ctx_of(dma)));
    CODE(doca_graph_start(graph));
}

RULE(graph_start_twice, "Starting a graph twice succeeds.", .source = OBSERVED_2_5, .answer = "SUCCESS, SUCCESS") {
    create_nodes();
    CODE(doca_graph_start(graph));
    CODE(doca_graph_start(graph));
}

RULE(graph_start_not_connected, "The contexts of a graph must be connected to its engine.", .source = OBSERVED_3_0,
     .answer = "NOT_PERMITTED") {
    struct doca_dma *unconnected;
    create_graph();
    REQUIRE(doca_dma_create(dev, &unconnected));
    REQUIRE(doca_graph_node_create_from_ctx(graph, ctx_of(unconnected), &copy_node));
    CODE(doca_graph_start(graph));
}

RULE(graph_start_other_engine, "The contexts of a graph must be connected to its own engine.", .source = OBSERVED_3_0,
     .answer = "NOT_PERMITTED") {
    struct doca_pe *other;
    create_nodes();
    REQUIRE(doca_pe_create(&other));
    REQUIRE(doca_graph_create(other, &graph));
    REQUIRE(doca_graph_set_conf(graph, note_done_graph, note_failed_graph, 1));
    REQUIRE(doca_graph_node_create_from_ctx(graph, ctx_of(dma), &copy_node));
    CODE(doca_graph_start(graph));
}

RULE(graph_conf_arguments, "A graph needs both callbacks and at least one instance.", .source = OBSERVED_3_0,
     .answer = "INVALID_VALUE, INVALID_VALUE, INVALID_VALUE") {
    create_graph();
    CODE(doca_graph_set_conf(graph, NULL, note_failed_graph, 1));
    CODE(doca_graph_set_conf(graph, note_done_graph, NULL, 1));
    CODE(doca_graph_set_conf(graph, note_done_graph, note_failed_graph, 0));
}

RULE(graph_conf_started, "A graph must be configured before the start.", .source = OBSERVED_3_0, .answer = "BAD_STATE") {
    start_graph();
    CODE(doca_graph_set_conf(graph, note_done_graph, note_failed_graph, 1));
}

RULE(graph_max_instances, "A graph has as many instances as it was configured for.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, SUCCESS, SUCCESS, SUCCESS, NO_MEMORY") {
    start_graph();
    for (int i = 0; i < 5; i++) {
        CODE(doca_graph_instance_create(graph, &instance));
    }
}

RULE(graph_keeps_engine, "An engine with a graph cannot be destroyed.", .source = OBSERVED_3_0, .answer = "IN_USE") {
    create_engine();
    REQUIRE(doca_graph_create(pe, &graph));
    CODE(doca_pe_destroy(pe));
}

RULE(graph_dependency_twice, "A dependency can be added only once.", .source = OBSERVED_2_5,
     .answer = "NOT_PERMITTED") {
    create_nodes();
    CODE(doca_graph_add_dependency(graph, user_node, copy_node));
}

RULE(graph_dependency_on_itself, "A node cannot depend on itself.", .source = OBSERVED_2_5, .answer = "NOT_PERMITTED") {
    create_nodes();
    CODE(doca_graph_add_dependency(graph, copy_node, copy_node));
}

RULE(graph_cycle, "Dependencies cannot form a cycle.", .source = OBSERVED_2_5, .answer = "not accepted") {
    create_nodes();
    doca_error_t result = doca_graph_add_dependency(graph, copy_node, user_node);
    if (result == DOCA_SUCCESS) {
        result = doca_graph_start(graph);
    }
    answer("%s", result == DOCA_ERROR_NOT_PERMITTED ? "not accepted" : code_name(result));
}

RULE(graph_edit_started, "A started graph cannot be changed.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE, BAD_STATE") {
    start_graph();
    struct doca_graph_node *node;
    CODE(doca_graph_node_create_from_user(graph, note_user_node, &node));
    CODE(doca_graph_add_dependency(graph, copy_node, user_node));
}

RULE(graph_instance_not_started, "Instances can be created only from a started graph.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE") {
    create_nodes();
    CODE(doca_graph_instance_create(graph, &instance));
}

RULE(graph_user_node_cookie, "A user node's data cannot be NULL.", .source = OBSERVED_2_5, .answer = "INVALID_VALUE") {
    start_graph();
    REQUIRE(doca_graph_instance_create(graph, &instance));
    CODE(doca_graph_instance_set_user_node_data(instance, user_node, NULL));
}

RULE(graph_node_of_other_kind, "Data can be set only for a node of the matching kind.", .source = OBSERVED_2_5,
     .answer = "NOT_PERMITTED, NOT_PERMITTED") {
    start_graph();
    REQUIRE(doca_graph_instance_create(graph, &instance));
    CODE(doca_graph_instance_set_ctx_node_data(instance, user_node, as_task(block_task(dma, 1))));
    CODE(doca_graph_instance_set_user_node_data(instance, copy_node, (void *)0x5));
}

RULE(graph_run,
     "An instance runs its nodes in the order of their dependencies, and one callback with both user data reports "
     "the end.", .source = OBSERVED_3_0, .answer = "SUCCESS, user node 0x5, graph done 10 20, copied yes") {
    create_instance();
    CODE(doca_graph_instance_submit(instance));
    progress_to(1);
    answer_notes();
    answer("copied %s", is_copied(64, 1001 * 64, 64) ? "yes" : "no");
}

RULE(graph_first_nodes_in_submit, "Nodes without dependencies run during the submission.", .source = OBSERVED_2_5,
     .answer = "user node 0x5, in flight 1") {
    create_instance();
    REQUIRE(doca_graph_instance_submit(instance));
    answer_notes();
    answer("in flight %zu", inflight(ctx_of(dma)));
}

RULE(graph_task_callbacks, "The callbacks of the tasks themselves are not called.", .source = OBSERVED_3_0,
     .answer = "user node 0x5, graph done 10 20") {
    create_instance();
    REQUIRE(doca_graph_instance_submit(instance));
    progress_to(1);
    progress_for(3);
    answer_notes();
}

RULE(graph_user_node_error, "The result of a user node is ignored: its dependents run, and the graph succeeds.",
     .source = OBSERVED_2_5, .answer = "user node 0x5, graph done 10 20") {
    create_instance();
    user_node_result = DOCA_ERROR_IO_FAILED;
    REQUIRE(doca_graph_instance_submit(instance));
    progress_to(1);
    answer_notes();
}

RULE(graph_failure, "When a task fails, the graph's error callback is called before the context stops.",
     .source = OBSERVED_2_5, .answer = "user node 0x5, graph failed 10 20, to STOPPING") {
    create_instance();
    REQUIRE(doca_graph_instance_set_ctx_node_data(instance, copy_node, as_task(failing_task(dma, 2))));
    REQUIRE(doca_graph_instance_submit(instance));
    progress_to(1);
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_STOPPING);
    answer_notes();
}

RULE(graph_submit_stopping, "If a context is STOPPING, the submission succeeds and calls the error callback.",
     .source = OBSERVED_2_5, .answer = "SUCCESS, to STOPPING, user node 0x5, graph failed 10 20") {
    create_instance();
    (void)doca_ctx_stop(ctx_of(dma));
    CODE(doca_graph_instance_submit(instance));
    answer_notes();
}

RULE(graph_resubmit_running, "A running instance can be neither submitted nor destroyed.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, IN_USE, IN_USE") {
    create_instance();
    CODE(doca_graph_instance_submit(instance));
    CODE(doca_graph_instance_submit(instance));
    CODE(doca_graph_instance_destroy(instance));
}

RULE(graph_set_data_running, "The data of a running instance cannot be set.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE") {
    create_instance();
    REQUIRE(doca_graph_instance_submit(instance));
    CODE(doca_graph_instance_set_ctx_node_data(instance, copy_node, as_task(block_task(dma, 2))));
}

RULE(graph_resubmit_done, "A completed instance can be submitted again.", .source = OBSERVED_2_5,
     .answer = "user node 0x5, graph done 10 20, SUCCESS, user node 0x5, graph done 10 20") {
    create_instance();
    REQUIRE(doca_graph_instance_set_ctx_node_data(
            instance, copy_node, as_task(copy_task(dma, 2, source(0, 64), target(65536, 256)))));
    REQUIRE(doca_graph_instance_submit(instance));
    progress_to(1);
    answer_notes();
    CODE(doca_graph_instance_submit(instance));
    progress_to(2);
    answer_notes();
}

RULE(graph_one_task_twice, "A task can be set in two instances; if both run at once, the second fails.",
     .source = OBSERVED_2_5,
     .answer = "SUCCESS, SUCCESS, SUCCESS, user node 0x5, user node 0x6, graph failed 0 20, graph done 10 20") {
    create_instance();
    struct doca_graph_instance *other;
    REQUIRE(doca_graph_instance_create(graph, &other));
    REQUIRE(doca_graph_instance_set_user_node_data(other, user_node, (void *)0x6));
    CODE(doca_graph_instance_set_ctx_node_data(other, copy_node, as_task(task)));
    CODE(doca_graph_instance_submit(instance));
    CODE(doca_graph_instance_submit(other));
    progress_to(2);
    answer_notes();
}

RULE(graph_stop_with_instances, "A graph with instances cannot be stopped.", .source = OBSERVED_2_5,
     .answer = "IN_USE, SUCCESS, SUCCESS, SUCCESS") {
    create_instance();
    CODE(doca_graph_stop(graph));
    CODE(doca_graph_instance_destroy(instance));
    CODE(doca_graph_stop(graph));
    CODE(doca_graph_destroy(graph));
}

RULE(graph_destroy_started, "A started graph cannot be destroyed.", .source = OBSERVED_2_5, .answer = "BAD_STATE") {
    start_graph();
    CODE(doca_graph_destroy(graph));
}

RULE(graph_outlives_ctx,
     "A context can be destroyed although graphs have nodes of it; such a graph can no longer be started.",
     .source = OBSERVED_2_5, .answer = "SUCCESS, NOT_PERMITTED, SUCCESS") {
    create_nodes();
    REQUIRE(doca_ctx_stop(ctx_of(dma)));
    CODE(doca_dma_destroy(dma));
    CODE(doca_graph_start(graph));
    CODE(doca_graph_destroy(graph));
}

RULE(graph_destroy_ctx_when_started, "A context can be destroyed although a started graph has nodes of it.",
     .source = OBSERVED_2_5, .answer = "SUCCESS, SUCCESS, SUCCESS") {
    start_graph();
    REQUIRE(doca_ctx_stop(ctx_of(dma)));
    CODE(doca_dma_destroy(dma));
    CODE(doca_graph_stop(graph));
    CODE(doca_graph_destroy(graph));
}

RULE(graph_submit_task_directly, "A task that an instance runs cannot be submitted by the program.",
     .source = OBSERVED_2_5, .answer = "BAD_STATE") {
    create_instance();
    REQUIRE(doca_graph_instance_submit(instance));
    CODE(submit_copy(task));
}

RULE(graph_instances_in_parallel, "Several instances of one graph run at the same time.", .source = OBSERVED_3_0,
     .answer = "4 graphs, 4 copies") {
    start_graph();
    for (uint64_t number = 1; number <= 4; number++) {
        REQUIRE(doca_graph_instance_create(graph, &instance));
        REQUIRE(doca_graph_instance_set_user_node_data(instance, user_node, (void *)0x5));
        REQUIRE(doca_graph_instance_set_ctx_node_data(instance, copy_node, as_task(block_task(dma, number))));
        REQUIRE(doca_graph_instance_submit(instance));
    }
    progress_to(4);
    unsigned copies = 0;
    for (size_t number = 1; number <= 4; number++) {
        copies += is_copied(number * 64, (1000 + number) * 64, 64);
    }
    answer("%zu graphs", num_completions);
    answer("%u copies", copies);
}

/* An outer graph with the graph as a node and, for some cases, a copy. */
static struct doca_graph *outer;
static struct doca_graph_node *part;
static struct doca_graph_node *outer_copy;
static struct doca_graph_instance *whole;

static void
create_outer(void) {
    create_instance();
    REQUIRE(doca_graph_create(pe, &outer));
    REQUIRE(doca_graph_set_conf(outer, note_done_graph, note_failed_graph, 2));
    REQUIRE(doca_graph_set_user_data(outer, data_of(21)));
    REQUIRE(doca_graph_node_create_from_graph(outer, graph, &part));
}

static void
create_outer_with_copy(void) {
    create_outer();
    REQUIRE(doca_graph_node_create_from_ctx(outer, ctx_of(dma), &outer_copy));
}

static void
start_outer(void) {
    REQUIRE(doca_graph_start(outer));
    REQUIRE(doca_graph_instance_create(outer, &whole));
    REQUIRE(doca_graph_instance_set_user_data(whole, data_of(11)));
}

/* Starts the outer graph, whose instance gets all its data. */
static void
start_outer_with(struct doca_dma_task_memcpy *copy) {
    start_outer();
    REQUIRE(doca_graph_instance_set_sub_graph_node_data(whole, part, instance));
    if (copy != NULL) {
        REQUIRE(doca_graph_instance_set_ctx_node_data(whole, outer_copy, as_task(copy)));
    }
}

static void
submit_outer(void) {
    CODE(doca_graph_instance_submit(whole));
    progress_to(2);
    answer_notes();
}

RULE(graph_sub_graph, "A graph can be a node of another one; the callbacks of both are called, the inner one first.",
     .source = OBSERVED_2_5, .answer = "SUCCESS, user node 0x5, graph done 10 20, graph done 11 21") {
    create_outer_with_copy();
    REQUIRE(doca_graph_add_dependency(outer, part, outer_copy));
    start_outer_with(block_task(dma, 2));
    submit_outer();
}

RULE(graph_in_itself, "A graph cannot contain itself.", .source = OBSERVED_3_0, .answer = "NOT_PERMITTED") {
    create_graph();
    CODE(doca_graph_node_create_from_graph(graph, graph, &part));
}

RULE(graph_sub_graph_other, "The instance of a sub-graph must be of that graph.", .source = OBSERVED_3_0,
     .answer = "NOT_PERMITTED") {
    create_outer();
    start_outer();
    CODE(doca_graph_instance_set_sub_graph_node_data(whole, part, whole));
}

RULE(graph_sub_graph_running, "While an instance runs, neither it nor the instance that it is part of can be submitted.",
     .source = OBSERVED_3_0, .answer = "SUCCESS, IN_USE, SUCCESS, IN_USE") {
    create_outer_with_copy();
    start_outer_with(block_task(dma, 2));
    CODE(doca_graph_instance_submit(whole));
    CODE(doca_graph_instance_submit(instance));
    progress_to(2);
    CODE(doca_graph_instance_submit(instance));
    CODE(doca_graph_instance_submit(whole));
}

RULE(graph_sub_graph_started, "A graph can be stopped while a started graph contains it, which needs it to start.",
     .source = OBSERVED_3_0, .answer = "SUCCESS, SUCCESS, SUCCESS, SUCCESS, SUCCESS, NOT_PERMITTED") {
    create_outer();
    start_outer();
    CODE(doca_graph_instance_destroy(instance));
    CODE(doca_graph_stop(graph));
    CODE(doca_graph_instance_destroy(whole));
    CODE(doca_graph_stop(outer));
    CODE(doca_graph_stop(graph));
    CODE(doca_graph_start(outer));
}

RULE(graph_of_sub_graph,
     "A graph may have no context nodes but those of a sub-graph. The outer callback comes first if the sub-graph is last.",
     .source = OBSERVED_3_0, .answer = "SUCCESS, user node 0x5, graph done 11 21, graph done 10 20") {
    create_outer();
    start_outer_with(NULL);
    submit_outer();
}

RULE(graph_sub_graph_before_user_node, "A user node that follows a sub-graph runs before the callback of the sub-graph.",
     .source = OBSERVED_3_0,
     .answer = "SUCCESS, user node 0x5, user node 0x6, graph done 11 21, graph done 10 20") {
    struct doca_graph_node *last;
    create_outer();
    REQUIRE(doca_graph_node_create_from_user(outer, note_user_node, &last));
    REQUIRE(doca_graph_add_dependency(outer, part, last));
    start_outer_with(NULL);
    REQUIRE(doca_graph_instance_set_user_node_data(whole, last, (void *)0x6));
    submit_outer();
}

RULE(graph_sub_graph_bound,
     "An instance can be set once, for one node: not again, nor if the node has another one or the outer instance "
     "is destroyed.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, BAD_STATE, SUCCESS, BAD_STATE, BAD_STATE, SUCCESS, BAD_STATE") {
    struct doca_graph_instance *inner;
    struct doca_graph_instance *second;
    create_outer();
    start_outer();
    REQUIRE(doca_graph_instance_create(graph, &inner));
    REQUIRE(doca_graph_instance_create(outer, &second));
    CODE(doca_graph_instance_set_sub_graph_node_data(whole, part, instance));
    CODE(doca_graph_instance_set_sub_graph_node_data(whole, part, instance));
    CODE(doca_graph_instance_set_sub_graph_node_data(whole, part, inner));
    CODE(doca_graph_instance_set_sub_graph_node_data(whole, part, instance));
    CODE(doca_graph_instance_set_sub_graph_node_data(second, part, inner));
    CODE(doca_graph_instance_destroy(whole));
    CODE(doca_graph_instance_set_sub_graph_node_data(second, part, inner));
}

RULE(graph_destroy_embedded, "A graph that is a node of another one can be destroyed after it has stopped.",
     .source = OBSERVED_2_5, .answer = "SUCCESS, SUCCESS") {
    create_nodes();
    struct doca_graph *outer;
    struct doca_graph_node *sub_graph;
    REQUIRE(doca_graph_create(pe, &outer));
    REQUIRE(doca_graph_node_create_from_graph(outer, graph, &sub_graph));
    REQUIRE(doca_graph_start(graph));
    CODE(doca_graph_stop(graph));
    CODE(doca_graph_destroy(graph));
}

RULE(graph_user_data, "Graphs and instances keep their user data.", .source = OBSERVED_2_5, .answer = "20, 10") {
    create_instance();
    union doca_data data = {0};
    REQUIRE(doca_graph_get_user_data(graph, &data));
    answer_number((long long)data.u64);
    REQUIRE(doca_graph_instance_get_user_data(instance, &data));
    answer_number((long long)data.u64);
}

/* Submits the outer instance, which is to fail, and waits until its context stops. */
static void
fail_outer(void) {
    REQUIRE(doca_graph_instance_submit(whole));
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_STOPPING);
    progress_for(50);
    answer_notes();
    CODE(doca_graph_instance_submit(whole));
    CODE(doca_graph_instance_destroy(whole));
}

RULE(graph_failure_in_sub_graph,
     "When a task of a sub-graph fails, the sub-graph's error callback is called and that of the parent is not: its instance "
     "stays submitted.", .source = OBSERVED_3_0,
     .answer = "user node 0x5, graph failed 10 20, to STOPPING, IN_USE, IN_USE") {
    create_outer();
    REQUIRE(doca_graph_instance_set_ctx_node_data(instance, copy_node, as_task(failing_task(dma, 2))));
    start_outer_with(NULL);
    fail_outer();
}

RULE(graph_failure_after_sub_graph,
     "When a task fails after a sub-graph of the same graph has ended, the failure is not reported: the instance stays "
     "submitted. Its tasks can be freed, and the context then becomes idle.", .source = OBSERVED_3_0,
     .answer = "user node 0x5, graph done 10 20, to STOPPING, IN_USE, IN_USE, to IDLE") {
    create_outer_with_copy();
    REQUIRE(doca_graph_add_dependency(outer, part, outer_copy));
    struct doca_dma_task_memcpy *failing = failing_task(dma, 2);
    start_outer_with(failing);
    fail_outer();
    doca_task_free(as_task(task));
    doca_task_free(as_task(failing));
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_IDLE);
    answer_notes();
}
