/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define THEME "graphs"

static doca_error_t
count_call(void *cookie, struct doca_event *event) {
    ++*(int *)cookie;
    event->result.u64 = 9;
    return DOCA_ERROR_UNEXPECTED;
}

/* A copy, and a function that depends on it. */
struct chain {
    struct doca_workq *workq;
    struct doca_ctx *ctx;
    struct doca_graph *graph;
    struct doca_graph_node *copy;
    struct doca_graph_node *call;
    struct doca_graph_instance *instance;
    struct doca_dma_job_memcpy job;
    struct doca_event copy_event;
    struct doca_event call_event;
    int num_calls;
};

static struct chain chain;

static void
start_chain(uint32_t depth) {
    chain.workq = create_workq(depth);
    chain.ctx = attach_dma(chain.workq);
    REQUIRE(doca_graph_create(&chain.graph));
    REQUIRE(doca_graph_ctx_node_create(chain.graph, DOCA_DMA_JOB_MEMCPY, chain.ctx, &chain.copy));
    REQUIRE(doca_graph_user_node_create(chain.graph, count_call, &chain.call));
    REQUIRE(doca_graph_add_dependency(chain.graph, chain.copy, chain.call));
    REQUIRE(doca_graph_start(chain.graph));
    REQUIRE(doca_graph_workq_add(chain.graph, chain.workq));
    REQUIRE(doca_graph_instance_create(chain.graph, &chain.instance));
}

static void
set_chain(struct doca_buf *src) {
    chain.job = copy_job(chain.ctx, 3, src, target(65536, 64));
    REQUIRE(doca_graph_instance_set_ctx_node_data(chain.instance, chain.copy, &chain.job.base, &chain.copy_event));
    REQUIRE(doca_graph_instance_set_user_node_data(chain.instance, chain.call, &chain.num_calls, &chain.call_event));
}

static void
answer_graph_event(void) {
    struct doca_event event = {.result = {.u64 = 99}};
    const doca_error_t code = retrieve(chain.workq, &event);
    answer("type %#x, data %llu, %s %#llx", (unsigned)event.type, (unsigned long long)event.user_data.u64,
           code_name(code), (unsigned long long)event.result.u64);
}

RULE(graph_run, "A run of a graph ends with one event, and each step has its own.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, type 0xe0001, data 8, SUCCESS 0, copy 0x10001 3, calls 1, result 9, yes") {
    start_chain(4);
    set_chain(source(0, 64));
    CODE(doca_workq_graph_submit(chain.workq, chain.instance, (union doca_data){.u64 = 8}));
    answer_graph_event();
    answer("copy %#x %llu", (unsigned)chain.copy_event.type, (unsigned long long)chain.copy_event.user_data.u64);
    answer("calls %d, result %llu", chain.num_calls, (unsigned long long)chain.call_event.result.u64);
    answer_flag(is_copied(0, 65536, 64));
}

RULE(graph_failure, "A failed step fails the graph.", .source = OBSERVED_2_2,
     .answer = "type 0xe0001, data 8, IO_FAILED 0x11, calls 0, INVALID_VALUE, SUCCESS, yes, BAD_STATE") {
    const struct doca_graph_node *failed[2] = {NULL};
    uint32_t num_failed = 0;
    start_chain(4);
    set_chain(target(0, 64));
    REQUIRE(doca_workq_graph_submit(chain.workq, chain.instance, (union doca_data){.u64 = 8}));
    answer_graph_event();
    answer("calls %d", chain.num_calls);
    CODE(doca_graph_instance_get_failed_nodes(chain.instance, failed, &num_failed));
    num_failed = 2;
    CODE(doca_graph_instance_get_failed_nodes(chain.instance, failed, &num_failed));
    answer_flag(num_failed == 1 && failed[0] == chain.copy);
    CODE(doca_workq_graph_submit(chain.workq, chain.instance, (union doca_data){.u64 = 8}));
}

RULE(graph_without_data, "A graph can run only when all its steps have data.", .source = OBSERVED_2_2,
     .answer = "process died: Segmentation fault") {
    start_chain(4);
    CODE(doca_workq_graph_submit(chain.workq, chain.instance, (union doca_data){.u64 = 8}));
}

RULE(graph_null, "A function and its argument cannot be NULL.", .source = OBSERVED_2_2,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    struct doca_graph *graph;
    struct doca_graph_node *node;
    start_chain(4);
    REQUIRE(doca_graph_create(&graph));
    CODE(doca_graph_user_node_create(graph, NULL, &node));
    CODE(doca_graph_instance_set_user_node_data(chain.instance, chain.call, NULL, &chain.call_event));
}

RULE(graph_order, "A graph must be started before a queue or an instance uses it, and detached before it stops.",
     .source = OBSERVED_2_2,
     .answer = "BAD_STATE, BAD_STATE, BAD_STATE, SUCCESS, SUCCESS, IN_USE, IN_USE, BAD_STATE, SUCCESS, NOT_FOUND, "
               "SUCCESS, SUCCESS") {
    struct doca_graph *graph;
    struct doca_graph_node *node;
    struct doca_graph_instance *instance;
    struct doca_workq *workq = create_workq(2);
    REQUIRE(doca_graph_create(&graph));
    CODE(doca_graph_start(graph));
    REQUIRE(doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, attach_dma(workq), &node));
    CODE(doca_graph_workq_add(graph, workq));
    CODE(doca_graph_instance_create(graph, &instance));
    CODE(doca_graph_start(graph));
    CODE(doca_graph_workq_add(graph, workq));
    CODE(doca_graph_workq_add(graph, workq));
    CODE(doca_graph_stop(graph));
    CODE(doca_graph_destroy(graph));
    CODE(doca_graph_workq_rm(graph, workq));
    CODE(doca_graph_workq_rm(graph, workq));
    CODE(doca_graph_stop(graph));
    CODE(doca_graph_destroy(graph));
}

RULE(graph_with_instance, "A graph with an instance cannot be stopped.", .source = OBSERVED_2_2,
     .answer = "BAD_STATE, BAD_STATE, BAD_STATE, SUCCESS") {
    start_chain(4);
    CODE(doca_graph_stop(chain.graph));
    REQUIRE(doca_graph_workq_rm(chain.graph, chain.workq));
    CODE(doca_graph_stop(chain.graph));
    CODE(doca_graph_destroy(chain.graph));
    REQUIRE(doca_graph_instance_destroy(chain.instance));
    CODE(doca_graph_stop(chain.graph));
}

RULE(graph_dependency, "A dependency can be added only once, and cannot form a cycle.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, NOT_PERMITTED, NOT_PERMITTED") {
    struct doca_graph *graph;
    struct doca_graph_node *first;
    struct doca_graph_node *second;
    struct doca_ctx *ctx = start_dma();
    REQUIRE(doca_graph_create(&graph));
    REQUIRE(doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, ctx, &first));
    REQUIRE(doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, ctx, &second));
    CODE(doca_graph_add_dependency(graph, first, second));
    CODE(doca_graph_add_dependency(graph, first, second));
    CODE(doca_graph_add_dependency(graph, first, first));
}

RULE(graph_running, "A running instance can be neither submitted nor destroyed.", .source = OBSERVED_2_2,
     .answer = "IN_USE, NOT_PERMITTED, IN_USE, type 0xe0001, data 8, SUCCESS 0, SUCCESS, SUCCESS") {
    start_chain(8);
    set_chain(source(0, 64));
    REQUIRE(doca_workq_graph_submit(chain.workq, chain.instance, (union doca_data){.u64 = 8}));
    CODE(doca_workq_graph_submit(chain.workq, chain.instance, (union doca_data){.u64 = 8}));
    CODE(doca_graph_instance_destroy(chain.instance));
    CODE(doca_graph_workq_rm(chain.graph, chain.workq));
    answer_graph_event();
    CODE(doca_graph_workq_rm(chain.graph, chain.workq));
    CODE(doca_graph_instance_destroy(chain.instance));
}
