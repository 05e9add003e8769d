/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests RDMA connections on a double of an SDK without connection objects.
 *
 *   connections_test DOUBLE LACKING    the double, and a library that lacks most of its functions
 */
#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_ctx.h>
#include <doca_graph.h>
#include <doca_pe.h>
#include <doca_rdma.h>

#include "connections_double.h"
#include "recorded_events.h"

static struct connections_double *sdk_double;
static void (*end_task)(bool success);
static void (*break_context)(void);
static struct doca_dev *const device = (struct doca_dev *)8;
static struct doca_buf *const buf = (struct doca_buf *)16;
static struct doca_buf *const other_buf = (struct doca_buf *)24;

static struct doca_task *last_task;

static void
received(struct doca_rdma_task_receive *task, union doca_data task_data, union doca_data ctx_data) {
    assert(ctx_data.u64 == 77);
    assert(doca_rdma_task_receive_get_result_len(task) == 40);
    assert(doca_rdma_task_receive_get_result_opcode(task) == DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM);
    assert(doca_rdma_task_receive_get_result_immediate_data(task) == 41);
    assert(doca_rdma_task_receive_get_result_rdma_connection(task) != NULL);
    note("+%lu ", task_data.u64);
    last_task = doca_rdma_task_receive_as_task(task);
}

static void
receive_failed(struct doca_rdma_task_receive *task, union doca_data task_data, union doca_data ctx_data) {
    assert(ctx_data.u64 == 77);
    last_task = doca_rdma_task_receive_as_task(task);
    assert(doca_task_get_status(last_task) == DOCA_ERROR_BAD_STATE);
    note("-%lu ", task_data.u64);
}

static void
wrote(struct doca_rdma_task_write *task, union doca_data task_data, union doca_data ctx_data) {
    assert(ctx_data.u64 == 77);
    note("+%lu ", task_data.u64);
    last_task = doca_rdma_task_write_as_task(task);
}

static void
write_failed(struct doca_rdma_task_write *task, union doca_data task_data, union doca_data ctx_data) {
    assert(ctx_data.u64 == 77);
    note("-%lu ", task_data.u64);
    last_task = doca_rdma_task_write_as_task(task);
}

struct lab {
    struct doca_pe *pe;
    struct doca_rdma *rdma;
    struct doca_ctx *ctx;
    struct doca_rdma_connection *connection;
};

static enum doca_ctx_states
state_of(const struct lab *lab) {
    enum doca_ctx_states state;
    assert(doca_ctx_get_state(lab->ctx, &state) == DOCA_SUCCESS);
    return state;
}

static struct lab
open_another_lab(void) {
    struct lab lab = {.pe = (struct doca_pe *)32};
    const void *details;
    size_t length;
    assert(doca_rdma_create(device, &lab.rdma) == DOCA_SUCCESS);
    lab.ctx = sdk_double->ctx;
    assert(doca_ctx_set_user_data(lab.ctx, (union doca_data){.u64 = 77}) == DOCA_SUCCESS);
    assert(doca_ctx_set_state_changed_cb(lab.ctx, state_changed) == DOCA_SUCCESS);
    assert(doca_rdma_task_receive_set_conf(lab.rdma, received, receive_failed, 2) == DOCA_SUCCESS);
    assert(doca_rdma_task_write_set_conf(lab.rdma, wrote, write_failed, 1) == DOCA_SUCCESS);
    assert(doca_pe_connect_ctx(lab.pe, lab.ctx) == DOCA_SUCCESS);
    assert(state_of(&lab) == DOCA_CTX_STATE_IDLE);
    assert(doca_ctx_start(lab.ctx) == DOCA_SUCCESS);
    assert(sdk_double->state == DOCA_CTX_STATE_STARTING);
    assert(state_of(&lab) == DOCA_CTX_STATE_RUNNING);
    assert_events("RUNNING ");
    assert(doca_rdma_export(lab.rdma, &details, &length, &lab.connection) == DOCA_SUCCESS);
    assert(length == 3 && memcmp(details, "me", 3) == 0);
    return lab;
}

static struct lab
open_lab(void) {
    *sdk_double = (struct connections_double){.submit_result = DOCA_SUCCESS};
    return open_another_lab();
}

static void
connect_lab(const struct lab *lab) {
    assert(doca_rdma_connect(lab->rdma, "you", 4, lab->connection) == DOCA_SUCCESS);
    assert(doca_pe_progress(lab->pe) == 1);
    assert(sdk_double->state == DOCA_CTX_STATE_RUNNING);
    /* The first callback; those of tasks follow. */
    assert(strncmp(events, "RUNS ", 5) == 0);
    memmove(events, events + 5, strlen(events + 5) + 1);
}

static void
close_lab(const struct lab *lab) {
    assert(doca_ctx_stop(lab->ctx) == DOCA_SUCCESS);
    assert(state_of(lab) == DOCA_CTX_STATE_IDLE);
    assert(doca_rdma_destroy(lab->rdma) == DOCA_SUCCESS);
    events[0] = '\0';
}

static struct doca_task *
allocate_receive(const struct lab *lab, uint64_t number) {
    struct doca_rdma_task_receive *task;
    assert(doca_rdma_task_receive_allocate_init(lab->rdma, buf, (union doca_data){.u64 = number}, &task) == DOCA_SUCCESS);
    return doca_rdma_task_receive_as_task(task);
}

static void
tasks_wait_for_the_connection(void) {
    const struct lab lab = open_lab();
    struct doca_task *first = allocate_receive(&lab, 1);
    struct doca_task *second = allocate_receive(&lab, 2);
    struct doca_rdma_task_receive *third;
    assert(doca_rdma_task_receive_allocate_init(lab.rdma, buf, (union doca_data){.u64 = 3}, &third)
           == DOCA_ERROR_NO_MEMORY);
    assert(doca_task_submit(first) == DOCA_SUCCESS);
    assert(doca_task_submit(second) == DOCA_SUCCESS);
    assert(doca_task_submit(second) == DOCA_ERROR_BAD_STATE);
    assert(sdk_double->num_submitted == 0);

    connect_lab(&lab);
    assert_events("");
    assert(sdk_double->num_submitted == 2);
    end_task(true);
    end_task(true);
    assert_events("+1 +2 ");
    assert(doca_task_get_status(first) == DOCA_SUCCESS);
    doca_task_free(first);
    doca_task_free(second);
    assert(sdk_double->num_allocated == 0);
    close_lab(&lab);
}

static void
submissions_that_are_refused_later_fail(void) {
    const struct lab lab = open_lab();
    struct doca_task *task = allocate_receive(&lab, 1);
    assert(doca_task_submit(task) == DOCA_SUCCESS);
    sdk_double->submit_result = DOCA_ERROR_BAD_STATE;
    connect_lab(&lab);
    assert_events("-1 ");
    doca_task_free(task);
    close_lab(&lab);
}

static struct doca_task *
allocate_write(const struct lab *lab, uint64_t number) {
    struct doca_rdma_task_write *write;
    assert(doca_rdma_task_write_allocate_init(lab->rdma, lab->connection, buf, other_buf, (union doca_data){.u64 = number}, &write)
           == DOCA_SUCCESS);
    return doca_rdma_task_write_as_task(write);
}

/* Submits two receives, and connects to an SDK that has room for the first one. */
static struct lab
open_lab_with_room_for_one(struct doca_task **first, struct doca_task **second) {
    const struct lab lab = open_lab();
    *first = allocate_receive(&lab, 1);
    *second = allocate_receive(&lab, 2);
    assert(doca_task_submit(*first) == DOCA_SUCCESS);
    assert(doca_task_submit(*second) == DOCA_SUCCESS);
    sdk_double->capacity = 1;
    connect_lab(&lab);
    return lab;
}

static void
tasks_without_room_wait_for_others_to_end(void) {
    struct doca_task *first;
    struct doca_task *second;
    const struct lab lab = open_lab_with_room_for_one(&first, &second);
    assert_events("");
    assert(sdk_double->num_submitted == 1);
    assert(doca_task_submit(second) == DOCA_ERROR_BAD_STATE);

    end_task(true);
    assert_events("+1 ");
    assert(sdk_double->num_submitted == 2);
    end_task(true);
    assert_events("+2 ");
    doca_task_free(first);
    doca_task_free(second);
    close_lab(&lab);
}

static void
tasks_do_not_overtake_those_without_room(void) {
    struct doca_task *first;
    struct doca_task *second;
    const struct lab lab = open_lab_with_room_for_one(&first, &second);
    sdk_double->capacity = 2;
    /* A write uses the other queue. */
    struct doca_task *write = allocate_write(&lab, 5);
    assert(doca_task_submit(write) == DOCA_SUCCESS);
    sdk_double->capacity = 3;
    end_task(true);
    assert_events("+1 ");
    assert(sdk_double->num_submitted == 3);
    assert(doca_task_submit(first) == DOCA_SUCCESS);
    end_task(true);
    end_task(true);
    end_task(true);
    assert_events("+5 +2 +1 ");
    doca_task_free(first);
    doca_task_free(second);
    doca_task_free(write);
    close_lab(&lab);
}

static void
tasks_are_refused_while_others_have_no_room(void) {
    struct doca_task *first;
    struct doca_task *second;
    const struct lab lab = open_lab_with_room_for_one(&first, &second);
    assert(doca_task_submit(first) == DOCA_ERROR_NO_MEMORY);
    assert(doca_ctx_stop(lab.ctx) == DOCA_SUCCESS);
    assert_events("STOPPING -2 IDLE ");
    end_task(true);
    assert_events("+1 ");
    doca_task_free(first);
    doca_task_free(second);
    assert(doca_rdma_destroy(lab.rdma) == DOCA_SUCCESS);
}

/* A write and a receive are in flight, and a second receive waits for room. */
static void
open_lab_with_waiting_task(void) {
    const struct lab lab = open_lab();
    struct doca_task *write = allocate_write(&lab, 1);
    struct doca_task *waiting = allocate_receive(&lab, 2);
    struct doca_task *posted = allocate_receive(&lab, 3);
    assert(doca_task_submit(write) == DOCA_SUCCESS);
    assert(doca_task_submit(posted) == DOCA_SUCCESS);
    assert(doca_task_submit(waiting) == DOCA_SUCCESS);
    sdk_double->capacity = 2;
    connect_lab(&lab);
    assert(sdk_double->num_submitted == 2);
}

/* The first failure comes before that of the waiting task. */
static void
assert_order_of_failures(void) {
    end_task(false);
    assert_events("-1 -2 ");
    end_task(true);
    assert_events("+3 ");
}

/* The SDK has refused all further tasks, but has not yet reported that it stops. */
static void
the_failure_that_ends_others_comes_before_theirs(void) {
    open_lab_with_waiting_task();
    sdk_double->submit_result = DOCA_ERROR_BAD_STATE;
    sdk_double->capacity = 0;
    assert_order_of_failures();
}

static void
the_failure_that_stops_the_context_comes_before_others(void) {
    open_lab_with_waiting_task();
    break_context();
    assert_events("STOPPING ");
    assert_order_of_failures();
}

static void
arguments_are_passed_on(void) {
    const struct lab lab = open_lab();
    connect_lab(&lab);
    struct doca_rdma_task_write *write;
    assert(doca_rdma_task_write_allocate_init(lab.rdma, NULL, buf, other_buf, (union doca_data){.u64 = 5}, &write)
           == DOCA_SUCCESS);
    struct doca_task *task = doca_rdma_task_write_as_task(write);
    assert(doca_task_submit(task) == DOCA_ERROR_INVALID_VALUE);
    assert(sdk_double->num_submitted == 0);

    doca_rdma_task_write_set_rdma_connection(write, lab.connection);
    assert(doca_rdma_task_write_get_rdma_connection(write) == lab.connection);
    assert(doca_task_submit(task) == DOCA_SUCCESS);
    assert(sdk_double->src_buf == buf && sdk_double->dst_buf == other_buf);
    end_task(true);
    assert_events("+5 ");

    doca_rdma_task_write_set_src_buf(write, other_buf);
    doca_rdma_task_write_set_dst_buf(write, buf);
    assert(doca_rdma_task_write_get_src_buf(write) == other_buf);
    assert(sdk_double->src_buf == other_buf && sdk_double->dst_buf == buf);
    assert(doca_task_submit(task) == DOCA_SUCCESS);
    end_task(false);
    assert_events("-5 ");
    assert(sdk_double->num_allocated == 1);

    assert(doca_graph_instance_set_ctx_node_data((struct doca_graph_instance *)40, NULL, task) == DOCA_SUCCESS);
    assert(sdk_double->node_task == sdk_double->last_task);
    doca_task_free(task);
    close_lab(&lab);
}

static void
there_is_one_connection(void) {
    const struct lab lab = open_lab();
    const void *details;
    size_t length;
    struct doca_rdma_connection *second = NULL;
    uint16_t most = 0;
    uint32_t id = 0;
    assert(doca_rdma_export(lab.rdma, &details, &length, &second) == DOCA_ERROR_NOT_SUPPORTED);
    assert(doca_rdma_connect(lab.rdma, "you", 4, second) == DOCA_ERROR_INVALID_VALUE);
    assert(doca_rdma_get_max_num_connections(lab.rdma, &most) == DOCA_SUCCESS && most == 1);
    assert(doca_rdma_connection_get_id(lab.connection, &id) == DOCA_SUCCESS && id == 1);
    assert(doca_rdma_connection_disconnect(lab.connection) == DOCA_ERROR_NOT_SUPPORTED);

    connect_lab(&lab);
    assert(doca_ctx_stop(lab.ctx) == DOCA_SUCCESS);
    assert_events("STOPPING IDLE ");
    assert(doca_ctx_start(lab.ctx) == DOCA_SUCCESS);
    assert(doca_rdma_export(lab.rdma, &details, &length, &second) == DOCA_SUCCESS);
    close_lab(&lab);
}

static void
a_stop_right_after_the_connection_is_a_stop(void) {
    const struct lab lab = open_lab();
    struct doca_task *task = allocate_receive(&lab, 1);
    assert(doca_task_submit(task) == DOCA_SUCCESS);
    assert(doca_rdma_connect(lab.rdma, "you", 4, lab.connection) == DOCA_SUCCESS);
    assert(doca_ctx_stop(lab.ctx) == DOCA_ERROR_IN_PROGRESS);
    assert(doca_pe_progress(lab.pe) == 1);
    assert(sdk_double->state == DOCA_CTX_STATE_RUNNING);
    assert_events("STOPPING -1 ");
    assert(doca_task_submit(task) == DOCA_ERROR_BAD_STATE);
    assert(doca_ctx_stop(lab.ctx) == DOCA_ERROR_IN_PROGRESS);
    assert(sdk_double->num_submitted == 0);
    doca_task_free(task);
    assert(doca_pe_progress(lab.pe) == 1);
    assert_events("IDLE ");
    close_lab(&lab);
}

static void
a_stop_before_the_connection_waits_for_the_tasks(void) {
    const struct lab lab = open_lab();
    struct doca_task *task = allocate_receive(&lab, 1);
    assert(doca_task_submit(task) == DOCA_SUCCESS);
    assert(doca_ctx_stop(lab.ctx) == DOCA_ERROR_IN_PROGRESS);
    assert(doca_ctx_stop(lab.ctx) == DOCA_ERROR_IN_PROGRESS);
    assert(state_of(&lab) == DOCA_CTX_STATE_STOPPING);
    assert(doca_task_submit(task) == DOCA_ERROR_BAD_STATE);
    assert_events("STOPPING ");
    assert(doca_pe_progress((struct doca_pe *)48) == 0);
    assert(doca_pe_progress(lab.pe) == 1);
    assert_events("-1 ");
    assert(doca_pe_progress(lab.pe) == 0);
    assert(doca_task_submit(task) == DOCA_ERROR_BAD_STATE);
    doca_task_free(task);
    assert(doca_pe_progress(lab.pe) == 1);
    assert_events("IDLE ");
    assert(doca_ctx_start(lab.ctx) == DOCA_SUCCESS);
    close_lab(&lab);
}

static void
stops_do_not_wait_for_tasks_of_other_contexts(void) {
    const struct lab lab = open_lab();
    const struct lab other = open_another_lab();
    struct doca_task *task = allocate_receive(&lab, 1);
    struct doca_task *kept = allocate_receive(&other, 2);
    assert(doca_task_submit(task) == DOCA_SUCCESS);
    assert(doca_ctx_stop(lab.ctx) == DOCA_ERROR_IN_PROGRESS);
    assert(doca_ctx_stop(other.ctx) == DOCA_ERROR_IN_PROGRESS);
    assert_events("STOPPING STOPPING ");
    assert(doca_pe_progress(lab.pe) == 1);
    assert_events("-1 ");
    doca_task_free(task);
    assert(doca_pe_progress(lab.pe) == 1);
    assert_events("IDLE ");
    assert(state_of(&other) == DOCA_CTX_STATE_STOPPING);
    doca_task_free(kept);
    assert(doca_pe_progress(lab.pe) == 1);
    assert_events("IDLE ");
    close_lab(&lab);
    close_lab(&other);
}

static void
others_are_passed_through(void) {
    struct doca_ctx *ctx = (struct doca_ctx *)56;
    struct doca_task *task = (struct doca_task *)64;
    *sdk_double = (struct connections_double){.submit_result = DOCA_ERROR_FULL};
    assert(doca_ctx_set_user_data(ctx, (union doca_data){.u64 = 7}) == DOCA_SUCCESS);
    assert(sdk_double->user_data.u64 == 7);
    assert(doca_task_submit(task) == DOCA_ERROR_FULL);
    assert(sdk_double->last_task == task);
    assert(doca_pe_progress((struct doca_pe *)32) == 0);
}

int
main(int argc, char **argv) {
    assert(argc == 3);
    char *problem = docajava_old_sdk_open("rdma", argv[2]);
    assert(problem != NULL && strstr(problem, "the first of which is doca_rdma_create") != NULL);
    free(problem);
    char missing[4096];
    snprintf(missing, sizeof(missing), "%s.missing", argv[1]);
    assert(docajava_old_sdk_open("dma", missing) == NULL);
    assert(docajava_old_sdk_open("common", argv[1]) == NULL);
    assert(docajava_old_sdk_open("rdma", argv[1]) == NULL);
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    sdk_double = dlsym(library, "connections_double");
    void *address = dlsym(library, "connections_double_end");
    memcpy(&end_task, &address, sizeof(address));
    address = dlsym(library, "connections_double_break");
    memcpy(&break_context, &address, sizeof(address));

    tasks_wait_for_the_connection();
    submissions_that_are_refused_later_fail();
    tasks_without_room_wait_for_others_to_end();
    tasks_do_not_overtake_those_without_room();
    tasks_are_refused_while_others_have_no_room();
    the_failure_that_ends_others_comes_before_theirs();
    the_failure_that_stops_the_context_comes_before_others();
    arguments_are_passed_on();
    there_is_one_connection();
    a_stop_right_after_the_connection_is_a_stop();
    a_stop_before_the_connection_waits_for_the_tasks();
    stops_do_not_wait_for_tasks_of_other_contexts();
    others_are_passed_through();
    puts("connections_test: passed");
    return 0;
}
