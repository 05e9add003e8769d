/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs of DMA jobs and functions.
 */
#include <doca_graph.h>

#include "fixture.h"

static int num_calls;

static doca_error_t
count_call(void *cookie, struct doca_event *event) {
    *(int *)cookie = ++num_calls;
    event->result.u64 = 99;
    return DOCA_ERROR_UNEXPECTED;
}

static void
check_state(enum doca_graph_instance_node_state expected, const struct doca_graph_instance *instance,
            const struct doca_graph_node *node) {
    enum doca_graph_instance_node_state state = DOCA_GRAPH_INSTANCE_NODE_STATE_STARTED;
    CHECK_SUCCESS(doca_graph_instance_node_get_state(instance, node, &state));
    CHECK_EQUAL(expected, state);
}

static void
check_edits(void) {
    struct dma_fixture fixture = start_dma(4);
    struct doca_graph *graph;
    struct doca_graph_node *first;
    struct doca_graph_node *second;
    struct doca_graph_instance *instance;
    REQUIRE_SUCCESS(doca_graph_create(&graph));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_graph_start(graph));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_graph_user_node_create(graph, NULL, &first));
    REQUIRE_SUCCESS(doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, fixture.ctx, &first));
    REQUIRE_SUCCESS(doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, fixture.ctx, &second));
    CHECK_SUCCESS(doca_graph_add_dependency(graph, first, second));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_graph_add_dependency(graph, first, second));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_graph_add_dependency(graph, second, first));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_graph_add_dependency(graph, first, first));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_graph_workq_add(graph, fixture.workq));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_graph_instance_create(graph, &instance));
    CHECK_SUCCESS(doca_graph_start(graph));
    CHECK_SUCCESS(doca_graph_start(graph));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_graph_add_dependency(graph, first, second));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, fixture.ctx, &second));
    CHECK_SUCCESS(doca_graph_workq_add(graph, fixture.workq));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_graph_workq_add(graph, fixture.workq));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_graph_destroy(graph));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_graph_stop(graph));
    CHECK_SUCCESS(doca_graph_workq_rm(graph, fixture.workq));
    CHECK_ERROR(DOCA_ERROR_NOT_FOUND, doca_graph_workq_rm(graph, fixture.workq));
    CHECK_SUCCESS(doca_graph_stop(graph));
    CHECK_SUCCESS(doca_graph_destroy(graph));
    stop_dma(&fixture);
}

/* A copy, then a function, then a graph with another copy of the copied data. */
static void
check_run(void) {
    struct dma_fixture fixture = start_dma(4);
    struct doca_buf *src = take(0, 64, 64);
    struct doca_buf *middle = take(4096, 64, 0);
    struct doca_buf *copied = take(4096, 64, 64);
    struct doca_buf *dst = take(8192, 64, 0);
    struct doca_dma_job_memcpy first = copy_job(&fixture, src, middle, 1);
    struct doca_dma_job_memcpy second = copy_job(&fixture, copied, dst, 2);
    struct doca_event events[3] = {0};
    struct doca_event event = {0};
    struct doca_graph *graph;
    struct doca_graph *inner;
    struct doca_graph_node *nodes[4];
    struct doca_graph_instance *instance;
    struct doca_graph_instance *inner_instance;
    union doca_data result = {.u64 = 5};
    int cookie = 0;
    uint32_t num_failed = 7;

    REQUIRE_SUCCESS(doca_graph_create(&inner));
    REQUIRE_SUCCESS(doca_graph_ctx_node_create(inner, DOCA_DMA_JOB_MEMCPY, fixture.ctx, &nodes[3]));
    REQUIRE_SUCCESS(doca_graph_start(inner));
    REQUIRE_SUCCESS(doca_graph_create(&graph));
    REQUIRE_SUCCESS(doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, fixture.ctx, &nodes[0]));
    REQUIRE_SUCCESS(doca_graph_user_node_create(graph, count_call, &nodes[1]));
    REQUIRE_SUCCESS(doca_graph_sub_graph_node_create(graph, inner, &nodes[2]));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_graph_sub_graph_node_create(graph, graph, &nodes[2]));
    CHECK_SUCCESS(doca_graph_add_dependency(graph, nodes[0], nodes[1]));
    CHECK_SUCCESS(doca_graph_add_dependency(graph, nodes[1], nodes[2]));
    REQUIRE_SUCCESS(doca_graph_start(graph));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_graph_workq_add(graph, fixture.workq));
    CHECK_SUCCESS(doca_graph_workq_add(inner, fixture.workq));
    CHECK_SUCCESS(doca_graph_workq_add(graph, fixture.workq));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_workq_destroy(fixture.workq));

    REQUIRE_SUCCESS(doca_graph_instance_create(inner, &inner_instance));
    REQUIRE_SUCCESS(doca_graph_instance_create(graph, &instance));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_workq_graph_submit(fixture.workq, instance, result));
    CHECK_SUCCESS(doca_graph_instance_set_ctx_node_data(inner_instance, nodes[3], &second.base, &events[2]));
    CHECK_SUCCESS(doca_graph_instance_set_ctx_node_data(instance, nodes[0], &first.base, &events[0]));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_graph_instance_set_user_node_data(instance, nodes[1], NULL, &events[1]));
    CHECK_SUCCESS(doca_graph_instance_set_user_node_data(instance, nodes[1], &cookie, &events[1]));
    CHECK_SUCCESS(doca_graph_instance_set_sub_graph_node_data(instance, nodes[2], inner_instance, NULL));
    memset(memory, 0x17, 64);
    for (int run = 1; run <= 2; run++) {
        CHECK_SUCCESS(doca_buf_reset_data_len(middle));
        CHECK_SUCCESS(doca_buf_reset_data_len(dst));
        memset(memory + 4096, 0, 8192);
        CHECK_SUCCESS(doca_workq_graph_submit(fixture.workq, instance, (union doca_data){.u64 = 9}));
        CHECK_ERROR(DOCA_ERROR_IN_USE, doca_workq_graph_submit(fixture.workq, instance, result));
        CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_graph_instance_destroy(instance));
        CHECK_ERROR(DOCA_ERROR_IN_USE, doca_graph_workq_rm(graph, fixture.workq));
        CHECK_ERROR(DOCA_ERROR_BAD_STATE,
                    doca_graph_instance_set_ctx_node_data(instance, nodes[0], &first.base, &events[0]));
        CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_graph_instance_node_get_result(instance, nodes[2], &result));
        check_state(DOCA_GRAPH_INSTANCE_NODE_STATE_STARTED, instance, nodes[0]);
        check_state(DOCA_GRAPH_INSTANCE_NODE_STATE_NOT_STARTED, instance, nodes[1]);
        CHECK_SUCCESS(retrieve(fixture.workq, &event));
        CHECK_EQUAL(DOCA_GRAPH_JOB, event.type);
        CHECK_EQUAL(9, event.user_data.u64);
        CHECK_EQUAL(DOCA_SUCCESS, event.result.u64);
        CHECK_EQUAL(run, cookie);
        CHECK_EQUAL(DOCA_DMA_JOB_MEMCPY, events[0].type);
        CHECK_EQUAL(1, events[0].user_data.u64);
        CHECK_EQUAL(99, events[1].result.u64);
        CHECK_EQUAL(2, events[2].user_data.u64);
        CHECK_EQUAL(0, memcmp(memory, memory + 8192, 64));
        check_state(DOCA_GRAPH_INSTANCE_NODE_STATE_COMPLETED, instance, nodes[2]);
    }
    CHECK_SUCCESS(doca_graph_instance_node_get_result(instance, nodes[0], &result));
    CHECK_EQUAL(0, result.u64);
    CHECK_SUCCESS(doca_graph_instance_get_num_failed_nodes(instance, &num_failed));
    CHECK_EQUAL(0, num_failed);

    CHECK_SUCCESS(doca_graph_workq_rm(graph, fixture.workq));
    CHECK_SUCCESS(doca_graph_workq_rm(inner, fixture.workq));
    CHECK_SUCCESS(doca_graph_instance_destroy(instance));
    CHECK_SUCCESS(doca_graph_instance_destroy(inner_instance));
    CHECK_SUCCESS(doca_graph_stop(graph));
    CHECK_SUCCESS(doca_graph_stop(inner));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_graph_destroy(inner));
    CHECK_SUCCESS(doca_graph_destroy(graph));
    CHECK_SUCCESS(doca_graph_destroy(inner));
    give_back(src);
    give_back(middle);
    give_back(copied);
    give_back(dst);
    stop_dma(&fixture);
}

static void
check_failure(void) {
    struct dma_fixture fixture = start_dma(2);
    struct doca_buf *src = take(0, 64, 0);
    struct doca_buf *dst = take(8192, 64, 0);
    struct doca_dma_job_memcpy job = copy_job(&fixture, src, dst, 3);
    struct doca_event events[2] = {0};
    struct doca_event event = {0};
    struct doca_graph *graph;
    struct doca_graph_node *nodes[2];
    struct doca_graph_instance *instance;
    const struct doca_graph_node *failed[2] = {0};
    uint32_t num_failed = 0;
    REQUIRE_SUCCESS(doca_graph_create(&graph));
    for (int i = 0; i < 2; i++) {
        REQUIRE_SUCCESS(doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, fixture.ctx, &nodes[i]));
    }
    REQUIRE_SUCCESS(doca_graph_add_dependency(graph, nodes[0], nodes[1]));
    REQUIRE_SUCCESS(doca_graph_start(graph));
    REQUIRE_SUCCESS(doca_graph_workq_add(graph, fixture.workq));
    REQUIRE_SUCCESS(doca_graph_instance_create(graph, &instance));
    for (int i = 0; i < 2; i++) {
        CHECK_SUCCESS(doca_graph_instance_set_ctx_node_data(instance, nodes[i], &job.base, &events[i]));
    }
    CHECK_SUCCESS(doca_workq_graph_submit(fixture.workq, instance, (union doca_data){.u64 = 9}));
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, retrieve(fixture.workq, &event));
    CHECK_EQUAL(DOCA_GRAPH_JOB, event.type);
    CHECK_EQUAL(DOCA_ERROR_IO_FAILED, event.result.u64);
    CHECK_EQUAL(DOCA_ERROR_UNKNOWN, events[0].result.u64);
    CHECK_EQUAL(0, events[1].type);
    check_state(DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR, instance, nodes[0]);
    check_state(DOCA_GRAPH_INSTANCE_NODE_STATE_NOT_STARTED, instance, nodes[1]);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_graph_instance_get_failed_nodes(instance, failed, &num_failed));
    num_failed = 2;
    CHECK_SUCCESS(doca_graph_instance_get_failed_nodes(instance, failed, &num_failed));
    CHECK_EQUAL(1, num_failed);
    CHECK_POINTER(nodes[0], failed[0]);
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_workq_graph_submit(fixture.workq, instance, (union doca_data){.u64 = 9}));
    CHECK_SUCCESS(doca_graph_workq_rm(graph, fixture.workq));
    CHECK_SUCCESS(doca_graph_instance_destroy(instance));
    CHECK_SUCCESS(doca_graph_stop(graph));
    CHECK_SUCCESS(doca_graph_destroy(graph));
    give_back(src);
    give_back(dst);
    stop_dma(&fixture);
}

/* Each job of a graph needs an entry of the queue. */
static void
check_places(void) {
    struct dma_fixture fixture = start_dma(1);
    struct doca_buf *src = take(0, 64, 64);
    struct doca_buf *dst = take(8192, 64, 0);
    struct doca_dma_job_memcpy job = copy_job(&fixture, src, dst, 3);
    struct doca_graph *graph;
    struct doca_graph_node *nodes[2];
    struct doca_graph_instance *instance;
    REQUIRE_SUCCESS(doca_graph_create(&graph));
    for (int i = 0; i < 2; i++) {
        REQUIRE_SUCCESS(doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, fixture.ctx, &nodes[i]));
    }
    REQUIRE_SUCCESS(doca_graph_start(graph));
    REQUIRE_SUCCESS(doca_graph_workq_add(graph, fixture.workq));
    REQUIRE_SUCCESS(doca_graph_instance_create(graph, &instance));
    for (int i = 0; i < 2; i++) {
        CHECK_SUCCESS(doca_graph_instance_set_ctx_node_data(instance, nodes[i], &job.base, NULL));
    }
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, doca_workq_graph_submit(fixture.workq, instance, (union doca_data){.u64 = 9}));
    CHECK_SUCCESS(doca_graph_workq_rm(graph, fixture.workq));
    CHECK_SUCCESS(doca_graph_instance_destroy(instance));
    CHECK_SUCCESS(doca_graph_stop(graph));
    CHECK_SUCCESS(doca_graph_destroy(graph));
    give_back(src);
    give_back(dst);
    stop_dma(&fixture);
}

int
main(void) {
    set_up(DOCA_ACCESS_LOCAL_READ_WRITE);
    check_edits();
    check_run();
    check_failure();
    check_places();
    tear_down();
    return check_result();
}
