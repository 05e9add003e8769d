/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs of DMA jobs and functions.
 */
#include <doca_graph.h>
#include <doca_log.h>
#include <pthread.h>

#include "fixture.h"

#define CHAIN_LENGTH 10000
#define STACK_SIZE (128 * 1024)

static int num_calls;
static char log_record[1024];
static char last_error[1024];

static void
keep_record(char *record) {
    snprintf(last_error, sizeof(last_error), "%s", record);
}

/* The last error contains the text; then it is discarded. */
static void
check_logged(const char *text) {
    if (strstr(last_error, text) == NULL) {
        CHECK_FAILED("expected an error with \"%s\", the last one is \"%s\"", text, last_error);
    }
    last_error[0] = '\0';
}

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
    CHECK_SUCCESS(doca_graph_instance_set_ctx_node_data(inner_instance, nodes[3], &second.base, &events[2]));
    CHECK_SUCCESS(doca_graph_instance_set_ctx_node_data(instance, nodes[0], &first.base, &events[0]));
    CHECK_SUCCESS(doca_graph_instance_set_user_node_data(instance, nodes[1], &cookie, &events[1]));
    CHECK_SUCCESS(doca_graph_instance_set_sub_graph_node_data(instance, nodes[2], inner_instance, NULL));
    memset(memory, 0x17, 64);
    for (int run = 1; run <= 2; run++) {
        CHECK_SUCCESS(doca_buf_reset_data_len(middle));
        CHECK_SUCCESS(doca_buf_reset_data_len(dst));
        memset(memory + 4096, 0, 8192);
        CHECK_SUCCESS(doca_workq_graph_submit(fixture.workq, instance, (union doca_data){.u64 = 9}));
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
    CHECK_SUCCESS(doca_graph_destroy(inner));
    CHECK_SUCCESS(doca_graph_destroy(graph));
    give_back(src);
    give_back(middle);
    give_back(copied);
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

/*
 * Inner instances
 */

/* A copy, then two runs of an inner graph, each with one copy. */
struct nested_fixture {
    struct dma_fixture dma;
    struct doca_buf *src;
    struct doca_buf *dst[3];
    struct doca_dma_job_memcpy jobs[3];
    struct doca_graph *graph;
    struct doca_graph *inner;
    struct doca_graph_node *copy;
    struct doca_graph_node *subs[2];
    struct doca_graph_node *inner_copy;
    struct doca_graph_instance *instance;
    struct doca_graph_instance *inner_instances[2];
};

static struct doca_graph_instance *
create_instance(const struct doca_graph *graph) {
    struct doca_graph_instance *instance;
    REQUIRE_SUCCESS(doca_graph_instance_create(graph, &instance));
    return instance;
}

static void
start_nested(struct nested_fixture *fixture) {
    fixture->dma = start_dma(4);
    fixture->src = take(0, 64, 64);
    for (int i = 0; i < 3; i++) {
        fixture->dst[i] = take(4096 + 64 * (size_t)i, 64, 0);
        fixture->jobs[i] = copy_job(&fixture->dma, fixture->src, fixture->dst[i], (uint64_t)i);
    }
    REQUIRE_SUCCESS(doca_graph_create(&fixture->inner));
    REQUIRE_SUCCESS(
            doca_graph_ctx_node_create(fixture->inner, DOCA_DMA_JOB_MEMCPY, fixture->dma.ctx, &fixture->inner_copy));
    REQUIRE_SUCCESS(doca_graph_create(&fixture->graph));
    REQUIRE_SUCCESS(doca_graph_ctx_node_create(fixture->graph, DOCA_DMA_JOB_MEMCPY, fixture->dma.ctx, &fixture->copy));
    for (int i = 0; i < 2; i++) {
        REQUIRE_SUCCESS(doca_graph_sub_graph_node_create(fixture->graph, fixture->inner, &fixture->subs[i]));
        REQUIRE_SUCCESS(doca_graph_add_dependency(fixture->graph, fixture->copy, fixture->subs[i]));
    }
    REQUIRE_SUCCESS(doca_graph_start(fixture->inner));
    REQUIRE_SUCCESS(doca_graph_start(fixture->graph));
    REQUIRE_SUCCESS(doca_graph_workq_add(fixture->inner, fixture->dma.workq));
    REQUIRE_SUCCESS(doca_graph_workq_add(fixture->graph, fixture->dma.workq));
    fixture->instance = create_instance(fixture->graph);
    CHECK_SUCCESS(
            doca_graph_instance_set_ctx_node_data(fixture->instance, fixture->copy, &fixture->jobs[2].base, NULL));
    for (int i = 0; i < 2; i++) {
        fixture->inner_instances[i] = create_instance(fixture->inner);
        CHECK_SUCCESS(doca_graph_instance_set_ctx_node_data(fixture->inner_instances[i], fixture->inner_copy,
                                                            &fixture->jobs[i].base, NULL));
        CHECK_SUCCESS(doca_graph_instance_set_sub_graph_node_data(fixture->instance, fixture->subs[i],
                                                                  fixture->inner_instances[i], NULL));
    }
}

static void
stop_nested(struct nested_fixture *fixture) {
    CHECK_SUCCESS(doca_graph_workq_rm(fixture->graph, fixture->dma.workq));
    CHECK_SUCCESS(doca_graph_workq_rm(fixture->inner, fixture->dma.workq));
    CHECK_SUCCESS(doca_graph_instance_destroy(fixture->instance));
    for (int i = 0; i < 2; i++) {
        CHECK_SUCCESS(doca_graph_instance_destroy(fixture->inner_instances[i]));
    }
    CHECK_SUCCESS(doca_graph_stop(fixture->graph));
    CHECK_SUCCESS(doca_graph_stop(fixture->inner));
    CHECK_SUCCESS(doca_graph_destroy(fixture->graph));
    CHECK_SUCCESS(doca_graph_destroy(fixture->inner));
    give_back(fixture->src);
    for (int i = 0; i < 3; i++) {
        give_back(fixture->dst[i]);
    }
    stop_dma(&fixture->dma);
}

static doca_error_t
submit(struct nested_fixture *fixture, struct doca_graph_instance *instance) {
    return doca_workq_graph_submit(fixture->dma.workq, instance, (union doca_data){.u64 = 9});
}

/* Runs the outer instance. */
static void
run_nested(struct nested_fixture *fixture) {
    struct doca_event event = {0};
    memset(memory, 0x29, 64);
    memset(memory + 4096, 0, 192);
    for (int i = 0; i < 3; i++) {
        CHECK_SUCCESS(doca_buf_reset_data_len(fixture->dst[i]));
    }
    REQUIRE_SUCCESS(submit(fixture, fixture->instance));
    CHECK_SUCCESS(retrieve(fixture->dma.workq, &event));
    for (int i = 0; i < 3; i++) {
        CHECK_EQUAL(0, memcmp(memory, memory + 4096 + 64 * i, 64));
    }
}

/* Another instance may get the memory of the destroyed one. */
static void
check_destroyed_inner_instance_is_refused(void) {
    enum { MAX_TRIES = 4096 };
    struct nested_fixture fixture;
    start_nested(&fixture);
    struct doca_graph_instance *destroyed = fixture.inner_instances[0];
    CHECK_SUCCESS(doca_graph_instance_destroy(destroyed));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, submit(&fixture, fixture.instance));
    check_logged("has an instance that was destroyed");
    struct doca_graph_instance *created = create_instance(fixture.inner);
    for (int i = 0; i < MAX_TRIES && created != destroyed; i++) {
        CHECK_SUCCESS(doca_graph_instance_destroy(created));
        created = create_instance(fixture.inner);
    }
    CHECK_POINTER(destroyed, created);
    CHECK_SUCCESS(doca_graph_instance_set_ctx_node_data(created, fixture.inner_copy, &fixture.jobs[0].base, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, submit(&fixture, fixture.instance));
    check_logged("has an instance that was destroyed");
    CHECK_SUCCESS(doca_graph_instance_set_sub_graph_node_data(fixture.instance, fixture.subs[0], created, NULL));
    run_nested(&fixture);
    fixture.inner_instances[0] = created;
    stop_nested(&fixture);
}

/* An instance stays bound, even if the node gets another instance or the outer instance is destroyed. */
static void
check_instance_is_part_of_one_node_for_ever(void) {
    struct nested_fixture fixture;
    start_nested(&fixture);
    struct doca_graph_instance *bound = fixture.inner_instances[0];
    struct doca_graph_instance *other = create_instance(fixture.graph);
    struct doca_graph_instance *inner = create_instance(fixture.inner);
    CHECK_ERROR(DOCA_ERROR_BAD_STATE,
                doca_graph_instance_set_sub_graph_node_data(fixture.instance, fixture.subs[1], bound, NULL));
    check_logged("is bound to a node already");
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_graph_instance_set_sub_graph_node_data(other, fixture.subs[0], bound, NULL));
    check_logged("is bound to a node already");
    CHECK_ERROR(DOCA_ERROR_BAD_STATE,
                doca_graph_instance_set_sub_graph_node_data(fixture.instance, fixture.subs[0], bound, NULL));
    run_nested(&fixture);
    CHECK_SUCCESS(doca_graph_instance_set_sub_graph_node_data(other, fixture.subs[0], inner, NULL));
    CHECK_SUCCESS(doca_graph_instance_destroy(other));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE,
                doca_graph_instance_set_sub_graph_node_data(fixture.instance, fixture.subs[0], inner, NULL));
    CHECK_SUCCESS(doca_graph_instance_destroy(inner));
    stop_nested(&fixture);
}

/* An inner instance belongs to the run from the submission on, not only once its own steps begin. */
static void
check_inner_instance_is_kept_during_the_run(void) {
    struct nested_fixture fixture;
    struct doca_event event = {0};
    start_nested(&fixture);
    struct doca_graph_instance *inner = fixture.inner_instances[0];
    CHECK_SUCCESS(submit(&fixture, fixture.instance));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_graph_instance_destroy(inner));
    CHECK_ERROR(DOCA_ERROR_IN_USE, submit(&fixture, inner));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_graph_workq_rm(fixture.inner, fixture.dma.workq));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE,
                doca_graph_instance_set_ctx_node_data(inner, fixture.inner_copy, &fixture.jobs[0].base, NULL));
    CHECK_SUCCESS(retrieve(fixture.dma.workq, &event));
    CHECK_EQUAL(DOCA_SUCCESS, event.result.u64);
    /* On its own it can run only while the outer one does not. */
    CHECK_SUCCESS(doca_buf_reset_data_len(fixture.dst[0]));
    CHECK_SUCCESS(submit(&fixture, inner));
    CHECK_ERROR(DOCA_ERROR_IN_USE, submit(&fixture, fixture.instance));
    CHECK_SUCCESS(retrieve(fixture.dma.workq, &event));
    run_nested(&fixture);
    stop_nested(&fixture);
}

/* Each graph contains the one before twice, so there are 2^40 ways from the last one to the first one. */
static void
check_diamonds_are_searched_at_once(void) {
    enum { LEVELS = 40 };
    struct dma_fixture fixture = start_dma(4);
    struct doca_graph *graphs[LEVELS];
    struct doca_graph_node *node;
    struct doca_graph_node *subs[2];
    struct doca_graph_instance *inner[2];
    for (int i = 0; i < LEVELS; i++) {
        REQUIRE_SUCCESS(doca_graph_create(&graphs[i]));
        REQUIRE_SUCCESS(doca_graph_ctx_node_create(graphs[i], DOCA_DMA_JOB_MEMCPY, fixture.ctx, &node));
        for (int j = 0; j < 2 && i > 0; j++) {
            REQUIRE_SUCCESS(doca_graph_sub_graph_node_create(graphs[i], graphs[i - 1], &subs[j]));
        }
    }
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_graph_sub_graph_node_create(graphs[0], graphs[LEVELS - 1], &node));
    check_logged("it would be within itself");
    for (int i = 0; i < LEVELS; i++) {
        REQUIRE_SUCCESS(doca_graph_start(graphs[i]));
        REQUIRE_SUCCESS(doca_graph_workq_add(graphs[i], fixture.workq));
    }
    struct doca_graph_instance *instance = create_instance(graphs[LEVELS - 1]);
    for (int i = 0; i < 2; i++) {
        inner[i] = create_instance(graphs[LEVELS - 2]);
        CHECK_SUCCESS(doca_graph_instance_set_sub_graph_node_data(instance, subs[i], inner[i], NULL));
    }
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_workq_graph_submit(fixture.workq, instance, (union doca_data){.u64 = 9}));
    CHECK_SUCCESS(doca_graph_instance_destroy(instance));
    for (int i = 0; i < 2; i++) {
        CHECK_SUCCESS(doca_graph_instance_destroy(inner[i]));
    }
    for (int i = LEVELS - 1; i >= 0; i--) {
        CHECK_SUCCESS(doca_graph_workq_rm(graphs[i], fixture.workq));
        CHECK_SUCCESS(doca_graph_stop(graphs[i]));
        CHECK_SUCCESS(doca_graph_destroy(graphs[i]));
    }
    stop_dma(&fixture);
}

static void *
add_to_chain(void *unused) {
    (void)unused;
    struct doca_graph *graph;
    struct doca_graph_node *first;
    struct doca_graph_node *last;
    struct doca_graph_node *next;
    REQUIRE_SUCCESS(doca_graph_create(&graph));
    REQUIRE_SUCCESS(doca_graph_user_node_create(graph, count_call, &first));
    last = first;
    for (int i = 1; i < CHAIN_LENGTH; i++) {
        REQUIRE_SUCCESS(doca_graph_user_node_create(graph, count_call, &next));
        REQUIRE_SUCCESS(doca_graph_add_dependency(graph, last, next));
        last = next;
    }
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_graph_add_dependency(graph, last, first));
    check_logged("that would close a cycle");
    CHECK_SUCCESS(doca_graph_destroy(graph));
    return NULL;
}

/* The thread's stack has less than 14 bytes for each node. */
static void
check_chains_need_no_stack(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    CHECK_EQUAL(0, pthread_attr_setstacksize(&attributes, STACK_SIZE));
    CHECK_EQUAL(0, pthread_create(&thread, &attributes, add_to_chain, NULL));
    CHECK_EQUAL(0, pthread_join(thread, NULL));
    pthread_attr_destroy(&attributes);
}

int
main(void) {
    struct doca_logger_backend *backend;
    REQUIRE_SUCCESS(doca_log_create_buffer_backend(log_record, sizeof(log_record), keep_record, &backend));
    set_up(DOCA_ACCESS_LOCAL_READ_WRITE);
    check_run();
    check_places();
    check_destroyed_inner_instance_is_refused();
    check_instance_is_part_of_one_node_for_ever();
    check_inner_instance_is_kept_during_the_run();
    check_diamonds_are_searched_at_once();
    check_chains_need_no_stack();
    tear_down();
    return check_result();
}
