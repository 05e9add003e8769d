/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs, tested with DMA. */
#include <doca_graph.h>

#include "dma_fixture.h"

#define LEN 64
#define MAX_NODES 1000
#define NUM_DEPENDENCIES 3000
#define NUM_RUNS 100

static struct doca_dma *dma;
static struct doca_graph *graph;

/* The ended instances, in the order of their reports. */
static struct {
    struct doca_graph_instance *instance;
    union doca_data instance_data;
    union doca_data graph_data;
    bool failed;
} ends[64];
static size_t num_ends;
/* Called when an instance has ended; or NULL. */
static void (*on_end)(struct doca_graph_instance *instance);

/* The cookies of the called user nodes; their result, and a function that a test runs in them; or NULL. */
static uintptr_t calls[MAX_NODES];
static size_t num_calls;
static doca_error_t user_result;
static void (*on_call)(void);

static void
record_end(struct doca_graph_instance *instance, union doca_data instance_data, union doca_data graph_data,
           bool failed) {
    ends[num_ends].instance = instance;
    ends[num_ends].instance_data = instance_data;
    ends[num_ends].graph_data = graph_data;
    ends[num_ends].failed = failed;
    num_ends++;
    if (on_end != NULL) {
        on_end(instance);
    }
}

static void
completed(struct doca_graph_instance *instance, union doca_data instance_data, union doca_data graph_data) {
    record_end(instance, instance_data, graph_data, false);
}

static void
failed(struct doca_graph_instance *instance, union doca_data instance_data, union doca_data graph_data) {
    record_end(instance, instance_data, graph_data, true);
}

static doca_error_t
call_user(void *cookie) {
    calls[num_calls++ % MAX_NODES] = (uintptr_t)cookie;
    if (on_call != NULL) {
        on_call();
    }
    return user_result;
}

static struct doca_graph *
create_graph(void) {
    struct doca_graph *created;
    REQUIRE_SUCCESS(doca_graph_create(pe, &created));
    REQUIRE_SUCCESS(doca_graph_set_conf(created, completed, failed, 4));
    REQUIRE_SUCCESS(doca_graph_set_user_data(created, numbered(7)));
    return created;
}

static struct doca_graph_node *
ctx_node(struct doca_graph *of) {
    struct doca_graph_node *node;
    REQUIRE_SUCCESS(doca_graph_node_create_from_ctx(of, doca_dma_as_ctx(dma), &node));
    return node;
}

static struct doca_graph_node *
user_node(struct doca_graph *of) {
    struct doca_graph_node *node;
    REQUIRE_SUCCESS(doca_graph_node_create_from_user(of, call_user, &node));
    return node;
}

static struct doca_graph_instance *
create_instance(struct doca_graph *of) {
    struct doca_graph_instance *instance;
    REQUIRE_SUCCESS(doca_graph_instance_create(of, &instance));
    return instance;
}

static void
set_task(struct doca_graph_instance *instance, struct doca_graph_node *node, struct doca_dma_task_memcpy *task) {
    REQUIRE_SUCCESS(doca_graph_instance_set_ctx_node_data(instance, node, doca_dma_task_memcpy_as_task(task)));
}

static void
progress_to_end(size_t wanted) {
    while (num_ends < wanted) {
        progress_or_rest(pe);
    }
}

static void
begin_test(uint32_t num_tasks) {
    dma = start_dma(num_tasks, 0);
    graph = create_graph();
    num_ends = 0;
    num_calls = 0;
    on_end = NULL;
    on_call = NULL;
    user_result = DOCA_SUCCESS;
}

static void
end_graph(struct doca_graph *ended) {
    CHECK_SUCCESS(doca_graph_stop(ended));
    CHECK_SUCCESS(doca_graph_destroy(ended));
}

static void
end_test(void) {
    end_graph(graph);
    end_dma(dma);
    last_error[0] = '\0';
}

/* One copy and a user node after it, with their data. */
static struct {
    struct doca_graph_node *copy;
    struct doca_graph_node *user;
    struct doca_buf *src;
    struct doca_buf *dst;
    struct doca_dma_task_memcpy *task;
    struct doca_graph_instance *instance;
} pair;

static void
begin_pair(void) {
    begin_test(4);
    pair.copy = ctx_node(graph);
    pair.user = user_node(graph);
    REQUIRE_SUCCESS(doca_graph_add_dependency(graph, pair.copy, pair.user));
    REQUIRE_SUCCESS(doca_graph_start(graph));
    pair.src = take_source(0, LEN);
    pair.dst = take_target(8192, LEN);
    pair.task = alloc_task(dma, 1, pair.src, pair.dst);
    pair.instance = create_instance(graph);
    set_task(pair.instance, pair.copy, pair.task);
    REQUIRE_SUCCESS(doca_graph_instance_set_user_node_data(pair.instance, pair.user, (void *)(uintptr_t)11));
    REQUIRE_SUCCESS(doca_graph_instance_set_user_data(pair.instance, numbered(5)));
}

static void
end_pair(void) {
    CHECK_SUCCESS(doca_graph_instance_destroy(pair.instance));
    free_task(pair.task);
    GIVE_BACK(pair.src, pair.dst);
    end_test();
}

static void
check_end(size_t index, struct doca_graph_instance *instance, bool has_failed) {
    CHECK(index < num_ends);
    CHECK_POINTER(instance, ends[index].instance);
    CHECK_EQUAL(5, ends[index].instance_data.u64);
    CHECK_EQUAL(7, ends[index].graph_data.u64);
    CHECK_EQUAL(has_failed, ends[index].failed);
}

/*
 * Runs
 */

static void
set_num_tasks(uint32_t num_tasks) {
    REQUIRE_SUCCESS(doca_ctx_stop(doca_dma_as_ctx(dma)));
    REQUIRE_SUCCESS(doca_dma_task_memcpy_set_conf(dma, record_completed, record_failed, num_tasks));
    REQUIRE_SUCCESS(doca_ctx_start(doca_dma_as_ctx(dma)));
    forget_events();
}

/* The context was configured again, and the instance still has a task of the earlier configuration. */
static void
a_task_of_an_earlier_configuration_is_refused(void) {
    begin_pair();
    for (uint32_t num_tasks = 1; num_tasks <= 10000; num_tasks *= 10) {
        free_task(pair.task);
        set_num_tasks(num_tasks);
        struct doca_dma_task_memcpy *tasks[100];
        const uint32_t num_taken = num_tasks < 100 ? num_tasks : 100;
        for (uint32_t i = 0; i < num_taken; i++) {
            tasks[i] = alloc_task(dma, 1, pair.src, pair.dst);
        }
        pair.task = tasks[num_taken - 1];
        set_task(pair.instance, pair.copy, pair.task);
        for (uint32_t i = 0; i < num_taken; i++) {
            free_task(tasks[i]);
        }
        set_num_tasks(4);
        CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "has a task that was freed", doca_graph_instance_submit(pair.instance));
        doca_task_free(doca_dma_task_memcpy_as_task(pair.task));
        check_logged("was freed before");
        pair.task = alloc_task(dma, 1, pair.src, pair.dst);
    }
    set_task(pair.instance, pair.copy, pair.task);
    CHECK_SUCCESS(doca_graph_instance_submit(pair.instance));
    progress_to_end(1);
    end_pair();
}

static void
destroy_and_replace(struct doca_graph_instance *instance) {
    CHECK_SUCCESS(doca_graph_instance_destroy(instance));
    pair.instance = create_instance(graph);
}

static void
an_instance_can_be_destroyed_in_its_callback(void) {
    begin_pair();
    on_end = destroy_and_replace;
    CHECK_SUCCESS(doca_graph_instance_submit(pair.instance));
    progress_to_end(1);
    end_pair();
}

static void
submitted_work_is_notified(void) {
    begin_pair();
    CHECK_SUCCESS(doca_pe_request_notification(pe));
    CHECK(!is_notified(pe, 0));
    CHECK_SUCCESS(doca_graph_instance_submit(pair.instance));
    CHECK(is_notified(pe, WAKE_TIME_MS));
    CHECK_SUCCESS(doca_pe_clear_notification(pe, 0));
    /* Completions that are already waiting fire at once. */
    CHECK_SUCCESS(doca_pe_request_notification(pe));
    CHECK(is_notified(pe, WAKE_TIME_MS));
    CHECK_SUCCESS(doca_pe_clear_notification(pe, 0));
    progress_to_end(1);
    end_pair();
}

/*
 * Failures
 */

/* One copy fails when it begins, while the other one is in flight. */
static void
begun_steps_end_before_the_failure_is_reported(void) {
    begin_test(4);
    struct doca_dma *stopping = start_dma(1, 1);
    struct doca_graph_node *copy = ctx_node(graph);
    struct doca_graph_node *bad;
    REQUIRE_SUCCESS(doca_graph_node_create_from_ctx(graph, doca_dma_as_ctx(stopping), &bad));
    struct doca_graph_node *next = user_node(graph);
    CHECK_SUCCESS(doca_graph_add_dependency(graph, copy, next));
    CHECK_SUCCESS(doca_graph_start(graph));
    struct doca_buf *src = take_source(0, LEN);
    struct doca_buf *dst = take_target(8192, LEN);
    struct doca_dma_task_memcpy *task = alloc_task(dma, 1, src, dst);
    struct doca_dma_task_memcpy *bad_task = alloc_task(stopping, 2, src, dst);
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(doca_dma_as_ctx(stopping)));
    struct doca_graph_instance *instance = create_instance(graph);
    set_task(instance, copy, task);
    set_task(instance, bad, bad_task);
    CHECK_SUCCESS(doca_graph_instance_set_user_node_data(instance, next, (void *)(uintptr_t)2));
    CHECK_SUCCESS(doca_graph_instance_submit(instance));
    check_logged("failed with DOCA_ERROR_BAD_STATE: nothing new of it begins");
    CHECK_EQUAL(0, num_ends);
    progress_to_end(1);
    CHECK_EQUAL(true, ends[0].failed);
    CHECK_EQUAL(0, num_calls);
    CHECK_EQUAL(LEN, data_len_of(dst));
    CHECK_SUCCESS(doca_graph_instance_destroy(instance));
    free_task(task);
    free_task(bad_task);
    end_graph(graph);
    end_dma(stopping);
    graph = create_graph();
    GIVE_BACK(src, dst);
    end_test();
}

/*
 * Graphs in graphs
 */

/*
 * One copy fails when it begins, and another one of the same inner graph later and for another reason. The outer graph is
 * reported only because it has a copy of its own.
 */
static void
an_inner_graph_fails_with_its_first_failure(void) {
    begin_test(4);
    struct doca_dma *stopping = start_dma(1, 1);
    struct doca_graph_node *late = ctx_node(graph);
    struct doca_graph_node *early;
    REQUIRE_SUCCESS(doca_graph_node_create_from_ctx(graph, doca_dma_as_ctx(stopping), &early));
    CHECK_SUCCESS(doca_graph_start(graph));
    struct doca_graph *outer = create_graph();
    struct doca_graph_node *inner;
    REQUIRE_SUCCESS(doca_graph_node_create_from_graph(outer, graph, &inner));
    struct doca_graph_node *beside = ctx_node(outer);
    CHECK_SUCCESS(doca_graph_start(outer));
    struct doca_buf *empty = take_source(0, LEN);
    CHECK_SUCCESS(doca_buf_reset_data_len(empty));
    struct doca_buf *src = take_source(0, LEN);
    struct doca_buf *dst = take_target(8192, LEN);
    struct doca_dma_task_memcpy *late_task = alloc_task(dma, 1, empty, dst);
    struct doca_dma_task_memcpy *early_task = alloc_task(stopping, 2, src, dst);
    struct doca_dma_task_memcpy *beside_task = alloc_task(dma, 3, src, dst);
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(doca_dma_as_ctx(stopping)));
    struct doca_graph_instance *sub_instance = create_instance(graph);
    set_task(sub_instance, late, late_task);
    set_task(sub_instance, early, early_task);
    struct doca_graph_instance *instance = create_instance(outer);
    REQUIRE_SUCCESS(doca_graph_instance_set_sub_graph_node_data(instance, inner, sub_instance));
    set_task(instance, beside, beside_task);
    CHECK_SUCCESS(doca_graph_instance_submit(instance));
    CHECK_EQUAL(0, num_ends);
    progress_to_end(2);
    CHECK_EQUAL(true, ends[0].failed);
    CHECK_EQUAL(true, ends[1].failed);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, doca_task_get_status(doca_dma_task_memcpy_as_task(late_task)));
    /* Of the copy of the outer graph, after that of its sub-graph. */
    check_logged("failed with DOCA_ERROR_IO_FAILED: nothing new of it begins");
    check_cause("failed with DOCA_ERROR_BAD_STATE: nothing new of it begins");
    CHECK_SUCCESS(doca_graph_instance_destroy(instance));
    CHECK_SUCCESS(doca_graph_instance_destroy(sub_instance));
    free_task(late_task);
    free_task(beside_task);
    free_task(early_task);
    end_graph(outer);
    end_graph(graph);
    end_dma(stopping);
    graph = create_graph();
    GIVE_BACK(empty, src, dst);
    end_test();
}

static void
a_sub_graph_needs_its_instance(void) {
    begin_pair();
    struct doca_graph *outer = create_graph();
    struct doca_graph_node *inner;
    struct doca_graph_node *copy = ctx_node(outer);
    CHECK_SUCCESS(doca_graph_node_create_from_graph(outer, graph, &inner));
    CHECK_SUCCESS(doca_graph_start(outer));
    struct doca_dma_task_memcpy *task = alloc_task(dma, 2, pair.src, pair.dst);
    struct doca_graph_instance *instance = create_instance(outer);
    set_task(instance, copy, task);
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "node 1 has no instance of its graph", doca_graph_instance_submit(instance));
    CHECK_SUCCESS(doca_graph_instance_set_sub_graph_node_data(instance, inner, pair.instance));
    CHECK_SUCCESS(doca_graph_instance_destroy(pair.instance));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "node 1 has an instance that was destroyed",
                  doca_graph_instance_submit(instance));
    CHECK_SUCCESS(doca_graph_instance_destroy(instance));
    free_task(task);
    end_graph(outer);
    pair.instance = create_instance(graph);
    end_pair();
}

/*
 * Refusals
 */

static void
a_graph_outlives_its_contexts(void) {
    begin_pair();
    free_task(pair.task);
    end_dma(dma);
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "node 0 has lost its context, which was destroyed",
                  doca_graph_instance_submit(pair.instance));
    CHECK_SUCCESS(doca_graph_instance_destroy(pair.instance));
    CHECK_SUCCESS(doca_graph_stop(graph));
    CHECK_REFUSED(DOCA_ERROR_NOT_PERMITTED, "the context of node 0 was destroyed", doca_graph_start(graph));
    CHECK_SUCCESS(doca_graph_destroy(graph));
    GIVE_BACK(pair.src, pair.dst);
}

static void
foreign_things_are_refused(void) {
    struct doca_graph_node *node;
    struct doca_dma_task_memcpy *foreign;
    union doca_data data;
    begin_pair();
    struct doca_graph *other = create_graph();
    struct doca_graph *outer = create_graph();
    struct doca_graph_node *other_user = user_node(other);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "a node is of another graph",
                  doca_graph_add_dependency(other, pair.copy, other_user));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_graph_add_dependency(other, NULL, other_user));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_graph_add_dependency(other, other_user, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_graph_node_create_from_ctx(other, NULL, &node));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_graph_node_create_from_user(other, NULL, &node));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_graph_node_create_from_user(other, call_user, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_graph_node_create_from_graph(other, NULL, &node));
    CHECK_SUCCESS(doca_graph_node_create_from_graph(other, outer, &node));
    CHECK_REFUSED(DOCA_ERROR_NOT_PERMITTED, "it would be within itself",
                  doca_graph_node_create_from_graph(outer, other, &node));
    CHECK_REFUSED(DOCA_ERROR_NOT_PERMITTED, "is no user node of this graph",
                  doca_graph_instance_set_user_node_data(pair.instance, other_user, &data));
    CHECK_REFUSED(DOCA_ERROR_NOT_PERMITTED, "is no context node of this graph",
                  doca_graph_instance_set_ctx_node_data(pair.instance, pair.user, (struct doca_task *)pair.task));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_graph_instance_set_ctx_node_data(pair.instance, pair.copy, NULL));
    CHECK_REFUSED(DOCA_ERROR_NOT_PERMITTED, "is no sub-graph node of this graph",
                  doca_graph_instance_set_sub_graph_node_data(pair.instance, pair.user, pair.instance));

    struct doca_dma *second = start_dma(1, 1);
    foreign = alloc_task(second, 3, pair.src, pair.dst);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "and node 0 of",
                  doca_graph_instance_set_ctx_node_data(pair.instance, pair.copy, (struct doca_task *)foreign));
    free_task(foreign);
    end_dma(second);

    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_graph_get_user_data(graph, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_graph_set_user_data(NULL, data));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_graph_instance_get_user_data(NULL, &data));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_graph_instance_set_user_data(NULL, data));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_graph_instance_create(NULL, &pair.instance));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_graph_instance_create(graph, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_graph_instance_submit(NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_graph_instance_destroy(NULL));
    free_task(pair.task);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "node 0 has a task that was freed",
                  doca_graph_instance_submit(pair.instance));
    pair.task = alloc_task(dma, 1, pair.src, pair.dst);
    end_graph(other);
    end_graph(outer);
    end_pair();
}

static void
misbehave(void) {
    CHECK_EQUAL(0, doca_pe_progress(pe));
    check_logged("called from a callback");
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_graph_instance_destroy(pair.instance));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_graph_instance_submit(pair.instance));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_graph_stop(graph));
    last_error[0] = '\0';
}

static void
a_user_node_cannot_harm_its_instance(void) {
    begin_pair();
    on_call = misbehave;
    CHECK_SUCCESS(doca_graph_instance_submit(pair.instance));
    progress_to_end(1);
    check_end(0, pair.instance, false);
    end_pair();
}

/* A large graph, whose dependencies lead from nodes to later ones in a random order */

static uint32_t
random_below(uint32_t bound) {
    static uint64_t state = 42;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % bound;
}

static struct {
    uint32_t from;
    uint32_t to;
} dependencies[NUM_DEPENDENCIES];

static void
check_order(void) {
    static size_t places[MAX_NODES];
    CHECK_EQUAL(MAX_NODES, num_calls);
    for (size_t i = 0; i < MAX_NODES; i++) {
        places[calls[i] - 1] = i;
    }
    for (size_t i = 0; i < NUM_DEPENDENCIES; i++) {
        CHECK(places[dependencies[i].from] < places[dependencies[i].to]);
    }
}

static void
nodes_run_after_those_that_they_depend_on(void) {
    static struct doca_graph_node *nodes[MAX_NODES];
    static uint32_t order[MAX_NODES];
    begin_test(1);
    struct doca_graph_node *copy = ctx_node(graph);
    for (uint32_t i = 0; i < MAX_NODES; i++) {
        const uint32_t other = random_below(i + 1);
        nodes[i] = user_node(graph);
        order[i] = order[other];
        order[other] = i;
    }
    for (uint32_t i = 0; i < NUM_DEPENDENCIES;) {
        const uint32_t early = random_below(MAX_NODES - 1);
        const uint32_t late = early + 1 + random_below(MAX_NODES - 1 - early);
        dependencies[i].from = order[early];
        dependencies[i].to = order[late];
        const doca_error_t result = doca_graph_add_dependency(graph, nodes[order[early]], nodes[order[late]]);
        i += result == DOCA_SUCCESS;
    }
    CHECK_SUCCESS(doca_graph_add_dependency(graph, nodes[order[0]], copy));
    CHECK_SUCCESS(doca_graph_start(graph));
    struct doca_buf *src = take_source(0, LEN);
    struct doca_buf *dst = take_target(8192, LEN);
    struct doca_dma_task_memcpy *task = alloc_task(dma, 1, src, dst);
    struct doca_graph_instance *instance = create_instance(graph);
    set_task(instance, copy, task);
    for (uintptr_t i = 0; i < MAX_NODES; i++) {
        CHECK_SUCCESS(doca_graph_instance_set_user_node_data(instance, nodes[i], (void *)(i + 1)));
    }
    for (size_t i = 0; i < NUM_RUNS; i++) {
        num_ends = 0;
        num_calls = 0;
        CHECK_SUCCESS(doca_buf_reset_data_len(dst));
        CHECK_SUCCESS(doca_graph_instance_submit(instance));
        progress_to_end(1);
        CHECK_EQUAL(false, ends[0].failed);
        check_order();
    }
    CHECK_SUCCESS(doca_graph_instance_destroy(instance));
    free_task(task);
    GIVE_BACK(src, dst);
    end_test();
}

#define MAX_DEPTH 1024

/* The depth of nested graphs is bounded, because they recurse. */
static void
graphs_are_nested_only_so_deep(void) {
    static struct doca_graph *graphs[MAX_DEPTH + 1];
    static struct doca_graph_instance *instances[MAX_DEPTH];
    begin_test(1);
    for (size_t i = 0; i <= MAX_DEPTH; i++) {
        struct doca_graph_node *inner = NULL;
        graphs[i] = create_graph();
        if (i > 0) {
            REQUIRE_SUCCESS(doca_graph_node_create_from_graph(graphs[i], graphs[i - 1], &inner));
        }
        ctx_node(graphs[i]);
        if (i == MAX_DEPTH) {
            break;
        }
        REQUIRE_SUCCESS(doca_graph_start(graphs[i]));
        instances[i] = create_instance(graphs[i]);
        if (i > 0) {
            REQUIRE_SUCCESS(doca_graph_instance_set_sub_graph_node_data(instances[i], inner, instances[i - 1]));
        }
    }
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "more than 1024 graphs would be within one another",
                  doca_graph_start(graphs[MAX_DEPTH]));
    for (int i = 0; i < 2; i++) {
        CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "node 0 has no task", doca_graph_instance_submit(instances[MAX_DEPTH - 1]));
    }
    CHECK_SUCCESS(doca_graph_destroy(graphs[MAX_DEPTH]));
    for (size_t i = MAX_DEPTH; i > 0; i--) {
        CHECK_SUCCESS(doca_graph_instance_destroy(instances[i - 1]));
        end_graph(graphs[i - 1]);
    }
    end_test();
}

static void
run(void) {
    set_up();
    a_task_of_an_earlier_configuration_is_refused();
    an_instance_can_be_destroyed_in_its_callback();
    submitted_work_is_notified();
    begun_steps_end_before_the_failure_is_reported();
    an_inner_graph_fails_with_its_first_failure();
    a_sub_graph_needs_its_instance();
    graphs_are_nested_only_so_deep();
    a_graph_outlives_its_contexts();
    foreign_things_are_refused();
    a_user_node_cannot_harm_its_instance();
    nodes_run_after_those_that_they_depend_on();
    tear_down();
}

int
main(void) {
    check_with_engines(run);
    return check_result();
}
