/* SPDX-License-Identifier: Apache-2.0 */
/* Messages on connections by address that are established and ended. */
#include "rdma_cm_fixture.h"

#define MESSAGE_SIZE 64
#define NUM_TASKS 4

enum end {
    NOT_ENDED,
    COMPLETED,
    FAILED,
};

/* A completed task, and the number of connection events that preceded it on its side. */
struct ended_task {
    enum end end;
    doca_error_t status;
    size_t num_events_before;
    const struct doca_rdma_connection *connection;
};

static uint8_t memory[4 * MESSAGE_SIZE];
static struct side server;
static struct side client;
static struct doca_rdma_addr *addr;
static struct doca_mmap *memory_map;
static struct ended_task sent;
static struct ended_task received;

static void
note_received(struct doca_rdma_task_receive *task, union doca_data user_data, union doca_data ctx_user_data) {
    struct doca_task *base = doca_rdma_task_receive_as_task(task);
    const struct side *side = ctx_user_data.ptr;
    received.status = doca_task_get_status(base);
    received.end = received.status == DOCA_SUCCESS ? COMPLETED : FAILED;
    received.num_events_before = side->num_events;
    if (received.end == COMPLETED) {
        received.connection = doca_rdma_task_receive_get_result_rdma_connection(task);
    }
    CHECK_SUCCESS(doca_buf_dec_refcount(user_data.ptr, NULL));
    doca_task_free(base);
}

static void
note_sent(struct doca_rdma_task_send *task, union doca_data user_data, union doca_data ctx_user_data) {
    struct doca_task *base = doca_rdma_task_send_as_task(task);
    const struct side *side = ctx_user_data.ptr;
    sent.status = doca_task_get_status(base);
    sent.end = sent.status == DOCA_SUCCESS ? COMPLETED : FAILED;
    sent.num_events_before = side->num_events;
    CHECK_SUCCESS(doca_buf_dec_refcount(user_data.ptr, NULL));
    doca_task_free(base);
}

static void
start(struct side *side) {
    create_side(side, "mlx5_0");
    REQUIRE_SUCCESS(doca_rdma_set_max_num_connections(side->rdma, 1));
    /* A sender waits without limit until there is a receive. */
    REQUIRE_SUCCESS(doca_rdma_set_rnr_retry_count(side->rdma, 7));
    REQUIRE_SUCCESS(doca_rdma_task_receive_set_conf(side->rdma, note_received, note_received, NUM_TASKS));
    REQUIRE_SUCCESS(doca_rdma_task_send_set_conf(side->rdma, note_sent, note_sent, NUM_TASKS));
    REQUIRE_SUCCESS(doca_ctx_start(side->ctx));
}

static void
begin(void) {
    start(&server);
    start(&client);
    memory_map = start_mmap(memory, sizeof(memory), server.dev);
    inventory = start_inventory(NUM_TASKS);
    REQUIRE_SUCCESS(doca_rdma_start_listen_to_port(server.rdma, PORT));
    addr = create_addr(DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, PORT);
    sent = (struct ended_task){0};
    received = (struct ended_task){0};
    memset(memory, 0, sizeof(memory));
    last_error[0] = '\0';
}

static void
end(void) {
    stop_and_wait(client.ctx, client.pe);
    stop_and_wait(server.ctx, server.pe);
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
    CHECK_SUCCESS(doca_mmap_destroy(memory_map));
    CHECK_SUCCESS(doca_rdma_addr_destroy(addr));
    end_side(&client);
    end_side(&server);
}

static void
post_receive(struct side *side) {
    struct doca_rdma_task_receive *task;
    struct doca_buf *buf = space_of(memory_map, memory, MESSAGE_SIZE);
    REQUIRE_SUCCESS(doca_rdma_task_receive_allocate_init(side->rdma, buf, (union doca_data){.ptr = buf}, &task));
    REQUIRE_SUCCESS(doca_task_submit(doca_rdma_task_receive_as_task(task)));
}

static void
send_message(struct side *side, struct doca_rdma_connection *connection) {
    struct doca_rdma_task_send *task;
    uint8_t *message = memory + MESSAGE_SIZE;
    memset(message, 0x5a, MESSAGE_SIZE);
    struct doca_buf *buf = data_of(memory_map, message, MESSAGE_SIZE);
    REQUIRE_SUCCESS(
            doca_rdma_task_send_allocate_init(side->rdma, connection, buf, (union doca_data){.ptr = buf}, &task));
    REQUIRE_SUCCESS(doca_task_submit(doca_rdma_task_send_as_task(task)));
}

static void
await_end(const struct ended_task *task, struct side *side, struct side *other) {
    while (task->end == NOT_ENDED) {
        if (doca_pe_progress(side->pe) + (other == NULL ? 0 : doca_pe_progress(other->pe)) == 0) {
            sched_yield();
        }
    }
}

static void
send_when_established(struct side *side, const struct cm_event *event) {
    if (event->kind == CM_ESTABLISHED) {
        send_message(side, event->connection);
    }
}

/* Everything happens before the server progresses. */
static void
messages_come_between_the_begin_and_the_end(void) {
    begin();
    client.reaction = send_when_established;
    post_receive(&server);
    ask(&client, addr, 0);
    await_event(&server, 1, NULL);
    await_end(&sent, &client, NULL);
    CHECK_SUCCESS(sent.status);
    CHECK_SUCCESS(doca_rdma_connection_disconnect(client.events[0].connection));
    CHECK_EQUAL(1, server.num_events);

    await_event(&server, 3, NULL);
    check_cm_event(&server, 1, CM_ESTABLISHED, 0);
    check_cm_event(&server, 2, CM_DISCONNECTED, 0);
    CHECK_EQUAL(COMPLETED, received.end);
    CHECK_EQUAL(2, received.num_events_before);
    CHECK_POINTER(server.events[1].connection, received.connection);
    CHECK_EQUAL(0x5a, memory[MESSAGE_SIZE - 1]);
    end();
}

static void
check_message_came_first(void) {
    await_event(&server, 3, NULL);
    check_cm_event(&server, 2, CM_DISCONNECTED, 0);
    CHECK_EQUAL(COMPLETED, received.end);
    CHECK_EQUAL(2, received.num_events_before);
}

static void
a_message_comes_before_the_end_if_the_engine_is_armed(void) {
    begin();
    connect_sides(&server, &client, addr, 0);
    post_receive(&server);
    REQUIRE_SUCCESS(doca_pe_request_notification(server.pe));
    send_message(&client, last_connection(&client));
    await_end(&sent, &client, NULL);
    CHECK_SUCCESS(doca_rdma_connection_disconnect(last_connection(&client)));
    settle(&server);
    REQUIRE_SUCCESS(doca_pe_clear_notification(server.pe, 0));
    check_message_came_first();
    end();
}

static void
a_message_comes_before_the_end_if_it_is_delayed(void) {
    begin();
    connect_sides(&server, &client, addr, 0);
    post_receive(&server);
    CHECK_SUCCESS(doca_emulator_set_faults("delay=30ms"));
    send_message(&client, last_connection(&client));
    await_end(&sent, &client, &server);
    CHECK_SUCCESS(doca_rdma_connection_disconnect(last_connection(&client)));
    check_message_came_first();
    CHECK_SUCCESS(doca_emulator_set_faults(NULL));
    end();
}

static void
both_sides_send(void) {
    begin();
    connect_sides(&server, &client, addr, 0);
    post_receive(&client);
    send_message(&server, last_connection(&server));
    await_end(&received, &client, &server);
    CHECK_SUCCESS(received.status);
    CHECK_POINTER(last_connection(&client), received.connection);
    await_end(&sent, &server, NULL);
    CHECK_SUCCESS(sent.status);
    end();
}

static void
check_goes_on(struct side *side) {
    CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of_ctx(side->ctx));
    connect_sides(&server, &client, addr, 1);
    sent = (struct ended_task){0};
    post_receive(&server);
    send_message(&client, last_connection(&client));
    await_end(&received, &server, &client);
    CHECK_SUCCESS(received.status);
    await_end(&sent, &client, NULL);
}

/* The message waits for a receive. */
static void
outstanding_tasks_fail_when_their_connection_is_disconnected(void) {
    union doca_data data;
    begin();
    connect_sides(&server, &client, addr, 0);
    struct doca_rdma_connection *connection = last_connection(&client);
    send_message(&client, connection);
    settle(&client);
    CHECK_EQUAL(NOT_ENDED, sent.end);
    CHECK_SUCCESS(doca_rdma_connection_disconnect(connection));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connection_disconnect(connection));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connection_get_user_data(connection, &data));
    await_end(&sent, &client, &server);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, sent.status);
    await_event(&server, 3, &client);
    check_goes_on(&client);
    end();
}

static void
what_is_outstanding_fails_when_the_other_side_disconnects(void) {
    begin();
    connect_sides(&server, &client, addr, 0);
    send_message(&client, last_connection(&client));
    settle(&client);
    CHECK_SUCCESS(doca_rdma_connection_disconnect(last_connection(&server)));
    await_end(&sent, &client, NULL);
    CHECK_ERROR(DOCA_ERROR_CONNECTION_RESET, sent.status);
    /* The task is reported before the program is notified of the reason. */
    CHECK_EQUAL(1, sent.num_events_before);
    await_event(&client, 2, NULL);
    check_cm_event(&client, 1, CM_DISCONNECTED, 0);
    check_goes_on(&client);
    end();
}

/* Receives belong to the context, not to a connection. */
static void
receives_outlive_connections(void) {
    begin();
    post_receive(&server);
    connect_sides(&server, &client, addr, 0);
    CHECK_SUCCESS(doca_rdma_connection_disconnect(last_connection(&client)));
    await_event(&server, 3, &client);
    connect_sides(&server, &client, addr, 1);
    CHECK_EQUAL(NOT_ENDED, received.end);
    send_message(&client, last_connection(&client));
    await_end(&received, &server, &client);
    CHECK_SUCCESS(received.status);
    end();
}

static void
connections_by_descriptors_have_no_address(void) {
    struct doca_rdma_connection *connections[2];
    struct doca_rdma_addr *none;
    const void *details[2];
    size_t sizes[2];
    begin();
    REQUIRE_SUCCESS(doca_rdma_export(server.rdma, &details[0], &sizes[0], &connections[0]));
    REQUIRE_SUCCESS(doca_rdma_export(client.rdma, &details[1], &sizes[1], &connections[1]));
    REQUIRE_SUCCESS(doca_rdma_connect(server.rdma, details[1], sizes[1], connections[0]));
    REQUIRE_SUCCESS(doca_rdma_connect(client.rdma, details[0], sizes[0], connections[1]));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "was not made by address",
                  doca_rdma_connection_get_addr(connections[0], &none));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_rdma_connection_accept(connections[0], NULL, 0));
    end();
}

static void
run(void) {
    keep_errors();
    messages_come_between_the_begin_and_the_end();
    a_message_comes_before_the_end_if_the_engine_is_armed();
    a_message_comes_before_the_end_if_it_is_delayed();
    both_sides_send();
    outstanding_tasks_fail_when_their_connection_is_disconnected();
    what_is_outstanding_fails_when_the_other_side_disconnects();
    receives_outlive_connections();
    connections_by_descriptors_have_no_address();
}

int
main(void) {
    use_own_runtime_dir();
    check_with_engines(run);
    rmdir(runtime_dir);
    return check_result();
}
