/* SPDX-License-Identifier: Apache-2.0 */
/* The comm channel between processes of the host and of the DPU. */
#include <errno.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "comch_fixture.h"

#define FUNCTION "0000:0b:00.0"
#define MAX_CLIENTS 512

static struct side side;

/*
 * The other process
 */

enum order_kind {
    ORDER_START,
    ORDER_STOP,
    /* Sends the message with that number and the following ones. */
    ORDER_SEND,
    ORDER_SET_MAX_MSG_SIZE,
    ORDER_SET_RECV_QUEUE_SIZE,
};

struct order {
    enum order_kind kind;
    uint32_t value;
    uint32_t count;
    uint32_t len;
};

/* Allows the descriptors of many contexts, each with a connection and an epoll instance. */
static void
allow_many_files(void) {
    struct rlimit limit;
    CHECK_EQUAL(0, getrlimit(RLIMIT_NOFILE, &limit));
    limit.rlim_cur = limit.rlim_max;
    CHECK_EQUAL(0, setrlimit(RLIMIT_NOFILE, &limit));
}

/* The reader may have ended. */
static void
write_event(struct side *side, const struct event *event) {
    (void)side;
    (void)!write(STDOUT_FILENO, event, sizeof(*event));
}

static void
start(void) {
    const doca_error_t result = doca_ctx_start(side.ctx);
    if (side.client != NULL && result == DOCA_ERROR_CONNECTION_ABORTED) {
        write_event(&side, &(struct event){.kind = EVENT_ABORTED});
    } else {
        CHECK_ERROR(side.client != NULL ? DOCA_ERROR_IN_PROGRESS : DOCA_SUCCESS, result);
    }
}

static void
obey(const struct order *order) {
    switch (order->kind) {
    case ORDER_START:
        start();
        break;
    case ORDER_STOP:
        (void)doca_ctx_stop(side.ctx);
        break;
    case ORDER_SEND:
        for (uint32_t i = 0; i < order->count; i++) {
            send_message(&side, order->value + i, order->len);
        }
        break;
    case ORDER_SET_MAX_MSG_SIZE:
        CHECK_SUCCESS(doca_comch_client_set_max_msg_size(side.client, order->value));
        break;
    case ORDER_SET_RECV_QUEUE_SIZE:
        CHECK_SUCCESS(doca_comch_client_set_recv_queue_size(side.client, order->value));
        break;
    }
}

/* Progresses and executes orders, until the other process closes the pipe. */
static int
run_side(void) {
    struct pollfd orders = {.fd = STDIN_FILENO, .events = POLLIN};
    struct order order;
    for (;;) {
        forget_events(&side);
        if (poll(&orders, 1, 0) == 0) {
            progress(&side);
        } else if (read_fully(STDIN_FILENO, &order, sizeof(order))) {
            obey(&order);
        } else {
            end_side(&side);
            return check_result();
        }
    }
}

static int
run_client(const char *device) {
    create_client(&side, device);
    side.reaction = write_event;
    return run_side();
}

static int
run_server(void) {
    create_server(&side, FUNCTION);
    side.reaction = write_event;
    return run_side();
}

/* Records the number of each message in its callback: recorded messages have been received. */
static void
write_down(struct side *side, const struct event *event) {
    if (event->kind == EVENT_RECEIVED) {
        (void)!write(STDOUT_FILENO, &event->number, sizeof(event->number));
    }
    forget_events(side);
}

static int
run_log(void) {
    create_client(&side, "mlx5_0");
    side.reaction = write_down;
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(side.ctx));
    /* Runs until it is killed. */
    while (state_of(&side) != DOCA_CTX_STATE_IDLE) {
        progress(&side);
    }
    return check_result();
}

/* Returns the resulting state: RUNNING if the server has accepted it. */
static enum doca_ctx_states
start_client(struct side *client) {
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(client->ctx));
    while (state_of(client) == DOCA_CTX_STATE_STARTING) {
        progress(client);
    }
    return state_of(client);
}

/* Starts the maximum number of clients of a server, and one more, which is accepted after the first one has left. */
static int
run_crowd(void) {
    /* No static array: the leak sanitizer would search it in each process of this program. */
    struct side *crowd = calloc(MAX_CLIENTS + 1, sizeof(*crowd));
    struct side *last = &crowd[MAX_CLIENTS];
    uint8_t order;
    allow_many_files();
    for (size_t i = 0; i <= MAX_CLIENTS; i++) {
        create_client(&crowd[i], "mlx5_0");
        CHECK_EQUAL(i < MAX_CLIENTS ? DOCA_CTX_STATE_RUNNING : DOCA_CTX_STATE_IDLE, start_client(&crowd[i]));
    }
    end_side(&crowd[0]);
    /* The server may notice the stop only after the first attempt. */
    do {
        await_state(last, DOCA_CTX_STATE_IDLE);
    } while (start_client(last) != DOCA_CTX_STATE_RUNNING);
    write_event(NULL, &last->events[0]);
    /* Runs until it is killed. */
    (void)read_fully(STDIN_FILENO, &order, sizeof(order));
    free(crowd);
    return check_result();
}

/*
 * This process
 */

static void
start_server(void) {
    create_server(&side, FUNCTION);
    REQUIRE_SUCCESS(doca_ctx_start(side.ctx));
    forget_events(&side);
}

static void
give_order(struct peer *peer, struct order order) {
    write_fully(peer->requests, &order, sizeof(order));
}

/* Returns the next event of the other process. While this process waits, it progresses its own work. */
static struct event
next_event(struct peer *peer) {
    struct pollfd ready = {.fd = peer->replies, .events = POLLIN};
    struct event event = {0};
    while (side.pe != NULL && poll(&ready, 1, 0) == 0) {
        progress(&side);
    }
    if (!read_fully(peer->replies, &event, sizeof(event))) {
        CHECK_FAILED("the other process has ended");
    }
    return event;
}

static struct event
expect(struct peer *peer, enum event_kind kind) {
    const struct event event = next_event(peer);
    CHECK_EQUAL(kind, event.kind);
    return event;
}

static void
expect_state(struct peer *peer, enum doca_ctx_states state) {
    CHECK_EQUAL(state, expect(peer, EVENT_STATE).state);
}

static void
start_and_expect(struct peer *peer, enum doca_ctx_states state) {
    give_order(peer, (struct order){.kind = ORDER_START});
    expect_state(peer, DOCA_CTX_STATE_STARTING);
    expect_state(peer, state);
}

static void
start_without_server(struct peer *peer) {
    give_order(peer, (struct order){.kind = ORDER_START});
    (void)expect(peer, EVENT_ABORTED);
}

/* A client that is connected to this server. */
static struct peer
connect_client(void) {
    const size_t num_connected = count_events(&side, EVENT_CONNECTED);
    struct peer client = start_peer("client", "host");
    start_and_expect(&client, DOCA_CTX_STATE_RUNNING);
    CHECK_EQUAL(num_connected + 1, count_events(&side, EVENT_CONNECTED));
    return client;
}

static void
end(void) {
    end_side(&side);
    side.pe = NULL;
}

static char ended_record[1024];
static struct doca_comch_connection *connection_of_record;
static doca_error_t result_of_handler = DOCA_ERROR_UNKNOWN;

static void
disconnect_once(char *record) {
    struct doca_comch_connection *connection = connection_of_record;
    if (connection != NULL && strstr(record, "has ended") != NULL) {
        connection_of_record = NULL;
        result_of_handler = doca_comch_server_disconnect(side.server, connection);
    }
}

/* It gets the record when the server has handled the end of the connection. */
static void
a_handler_disconnects_the_connection_of_its_record(void) {
    struct doca_log_backend *backend;
    REQUIRE_SUCCESS(
            doca_log_backend_create_with_buf_sdk(ended_record, sizeof(ended_record), disconnect_once, &backend));
    start_server();
    struct peer client = connect_client();
    connection_of_record = side.connection;
    kill_peer(&client);
    await(&side, EVENT_DISCONNECTED, 1);
    CHECK_ERROR(DOCA_ERROR_NOT_CONNECTED, result_of_handler);
    CHECK_EQUAL(1, count_events(&side, EVENT_DISCONNECTED));
    end();
}

/* Returns lengths of all kinds. */
static uint32_t
len_of(uint32_t number) {
    return sizeof(number) + number * 7919 % (MAX_BYTES - sizeof(number) + 1);
}

/*
 * Sends no more messages than the other process's pipe has room for events, because the events are read after all
 * messages have arrived.
 */
static void
messages_keep_their_order_in_both_directions(void) {
    enum { COUNT = 500 };
    start_server();
    struct peer client = connect_client();
    give_order(&client, (struct order){.kind = ORDER_SEND, .value = 500000, .count = COUNT, .len = MAX_BYTES});
    for (uint32_t i = 0; i < COUNT; i++) {
        send_message(&side, i, len_of(i));
    }
    await(&side, EVENT_SENT, COUNT);
    await(&side, EVENT_RECEIVED, COUNT);
    uint32_t num_sent = 0;
    uint32_t num_received = 0;
    for (size_t i = 0; i < side.num_events; i++) {
        const struct event *event = &side.events[i];
        if (event->kind == EVENT_SENT) {
            CHECK_EQUAL(num_sent++, event->task_id);
        } else if (event->kind == EVENT_RECEIVED) {
            CHECK_EQUAL(500000 + num_received++, event->number);
            CHECK_EQUAL(MAX_BYTES, event->len);
        }
    }
    for (uint32_t sent = 0, received = 0; sent + received < 2 * COUNT;) {
        const struct event event = next_event(&client);
        if (event.kind == EVENT_SENT) {
            CHECK_EQUAL(500000 + sent++, event.task_id);
        } else {
            CHECK_EQUAL(EVENT_RECEIVED, event.kind);
            CHECK_EQUAL(received, event.number);
            CHECK_EQUAL(len_of(received++), event.len);
        }
    }
    end_peer(&client);
    end();
}

static uint64_t
counter_of(enum doca_comch_counter type) {
    uint64_t value = UINT64_MAX;
    CHECK_SUCCESS(doca_comch_connection_get_counter(side.connection, type, &value));
    return value;
}

static void
connections_count(void) {
    start_server();
    struct peer client = connect_client();
    give_order(&client, (struct order){.kind = ORDER_SEND, .value = 1, .count = 3, .len = 100});
    await(&side, EVENT_RECEIVED, 3);
    send_message(&side, 4, 50);
    await(&side, EVENT_SENT, 1);
    CHECK_EQUAL(0, counter_of(DOCA_COMCH_COUNTER_RECV_MESSAGES));
    CHECK_SUCCESS(doca_comch_connection_update_info(side.connection));
    CHECK_EQUAL(1, counter_of(DOCA_COMCH_COUNTER_SENT_MESSAGES));
    CHECK_EQUAL(50, counter_of(DOCA_COMCH_COUNTER_SENT_BYTES));
    CHECK_EQUAL(3, counter_of(DOCA_COMCH_COUNTER_RECV_MESSAGES));
    CHECK_EQUAL(300, counter_of(DOCA_COMCH_COUNTER_RECV_BYTES));
    uint64_t value;
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "counter 5", doca_comch_connection_get_counter(side.connection, 5, &value));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "counter_value is NULL",
                  doca_comch_connection_get_counter(side.connection, DOCA_COMCH_COUNTER_SENT_BYTES, NULL));
    CHECK_SUCCESS(doca_comch_connection_set_user_data(side.connection, numbered(42)));
    CHECK_EQUAL(42, doca_comch_connection_get_user_data(side.connection).u64);
    end_peer(&client);
    end();
}

/* Sends as many messages as the receive queue of the client has entries, and as many more, which wait. */
static void
fill_queue(void) {
    for (uint32_t i = 0; i < 2 * QUEUE_SIZE; i++) {
        CHECK_SUCCESS(try_send(&side, i, 10));
    }
    CHECK_ERROR(DOCA_ERROR_AGAIN, try_send(&side, 2 * QUEUE_SIZE, 10));
    while (doca_pe_progress(side.pe) != 0) {
    }
}

static void
a_send_completes_when_the_queue_of_its_receiver_takes_it(void) {
    size_t num_inflight;
    start_server();
    struct peer client = connect_client();
    suspend(&client);
    fill_queue();
    CHECK_EQUAL(QUEUE_SIZE, count_events(&side, EVENT_SENT));
    CHECK_SUCCESS(doca_ctx_get_num_inflight_tasks(side.ctx, &num_inflight));
    CHECK_EQUAL(QUEUE_SIZE, num_inflight);
    kill(client.pid, SIGCONT);
    await(&side, EVENT_SENT, QUEUE_SIZE + 1);
    CHECK_SUCCESS(try_send(&side, 2 * QUEUE_SIZE, 10));
    for (uint32_t i = 0; i <= 2 * QUEUE_SIZE; i++) {
        CHECK_EQUAL(i, expect(&client, EVENT_RECEIVED).number);
    }
    end_peer(&client);
    end();
}

#define NUM_LARGE 512

/* Sends more messages than a socket has room for, to a suspended client with a queue for all of them. */
static struct peer
fill_socket(void) {
    create_server(&side, FUNCTION);
    CHECK_SUCCESS(doca_comch_server_task_send_set_conf(side.server, record_sent, record_failed, NUM_LARGE));
    REQUIRE_SUCCESS(doca_ctx_start(side.ctx));
    forget_events(&side);
    struct peer client = start_peer("client", "host");
    give_order(&client, (struct order){.kind = ORDER_SET_RECV_QUEUE_SIZE, .value = 8192});
    start_and_expect(&client, DOCA_CTX_STATE_RUNNING);
    suspend(&client);
    for (uint32_t i = 0; i < NUM_LARGE; i++) {
        CHECK_SUCCESS(try_send(&side, i, MAX_BYTES));
    }
    while (doca_pe_progress(side.pe) != 0) {
    }
    CHECK(count_events(&side, EVENT_SENT) < NUM_LARGE);
    return client;
}

static void
a_large_receive_queue_takes_megabytes(void) {
    struct peer client = fill_socket();
    kill(client.pid, SIGCONT);
    for (uint32_t i = 0; i < NUM_LARGE; i++) {
        CHECK_EQUAL(i, expect(&client, EVENT_RECEIVED).number);
    }
    await(&side, EVENT_SENT, NUM_LARGE);
    end_peer(&client);
    end();
}

static void
the_death_of_a_client_fails_what_its_socket_has_not_taken(void) {
    struct peer client = fill_socket();
    kill_peer(&client);
    await(&side, EVENT_DISCONNECTED, 1);
    CHECK_EQUAL(NUM_LARGE, count_events(&side, EVENT_SENT) + count_events(&side, EVENT_FAILED));
    CHECK(count_events(&side, EVENT_FAILED) > 0);
    end();
}

static void
send_on_the_ended_connection(struct side *server, const struct event *event) {
    if (event->kind == EVENT_FAILED) {
        CHECK_REFUSED(DOCA_ERROR_CONNECTION_RESET, "has ended", try_send(server, 9, 10));
    }
}

static void
the_death_of_a_client_fails_what_its_queue_has_not_taken(void) {
    start_server();
    struct peer client = connect_client();
    struct peer other = connect_client();
    struct doca_comch_connection *others = side.connection;
    side.connection = check_event(&side, 0, EVENT_CONNECTED)->connection;
    struct doca_comch_task_send *kept;
    REQUIRE_SUCCESS(alloc_send(&side, "text", 4, &kept));
    suspend(&client);
    forget_events(&side);
    struct doca_comch_connection *connection = side.connection;
    fill_queue();
    side.reaction = send_on_the_ended_connection;
    kill_peer(&client);
    await(&side, EVENT_DISCONNECTED, 1);
    side.reaction = NULL;
    for (size_t i = 0; i < 2 * QUEUE_SIZE; i++) {
        const struct event *event = check_event(&side, i, i < QUEUE_SIZE ? EVENT_SENT : EVENT_FAILED);
        CHECK_EQUAL(i, event->task_id);
        CHECK_ERROR(i < QUEUE_SIZE ? DOCA_SUCCESS : DOCA_ERROR_CONNECTION_ABORTED, event->status);
    }
    CHECK_POINTER(connection, check_event(&side, 2 * QUEUE_SIZE, EVENT_DISCONNECTED)->connection);

    /* Only the task remains, and the other connection still works. */
    CHECK_REFUSED(DOCA_ERROR_NOT_CONNECTED, "has no connection", doca_task_submit(doca_comch_task_send_as_task(kept)));
    doca_task_free(doca_comch_task_send_as_task(kept));
    side.connection = connection;
    CHECK_ERROR(DOCA_ERROR_NOT_CONNECTED, try_send(&side, 6, 10));
    check_cause("was destroyed before");
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_comch_connection_set_user_data(connection, numbered(1)));
    CHECK_EQUAL(0, doca_comch_connection_get_user_data(connection).u64);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_comch_connection_update_info(connection));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_comch_server_disconnect(side.server, connection));
    CHECK_POINTER(NULL, doca_comch_server_get_server_ctx(connection));
    side.connection = others;
    CHECK_SUCCESS(try_send(&side, 7, 10));
    CHECK_EQUAL(7, expect(&other, EVENT_RECEIVED).number);
    end_peer(&other);
    end();
}

/* Checks the record of a killed process: it is in order, and lacks no message reported as sent but those in its queue. */
static void
check_log(struct peer *log, uint32_t num_submitted) {
    uint32_t number;
    uint32_t num_written = 0;
    while (read_fully(log->replies, &number, sizeof(number))) {
        CHECK_EQUAL(num_written++, number);
    }
    CHECK(num_written + QUEUE_SIZE >= count_events(&side, EVENT_SENT));
    CHECK(num_written <= num_submitted);
    CHECK_EQUAL(num_submitted, count_events(&side, EVENT_SENT) + count_events(&side, EVENT_FAILED));
}

static void
a_killed_peer_loses_only_the_messages_of_its_queue(void) {
    start_server();
    for (uint32_t i = 0; i < 10; i++) {
        uint32_t num_submitted = 0;
        forget_events(&side);
        struct peer log = start_peer("log", "host");
        await(&side, EVENT_CONNECTED, 1);
        while (count_events(&side, EVENT_SENT) < 37 * i) {
            num_submitted += try_send(&side, num_submitted, 10) == DOCA_SUCCESS;
            progress(&side);
        }
        kill(log.pid, SIGKILL);
        await(&side, EVENT_DISCONNECTED, 1);
        check_log(&log, num_submitted);
        CHECK_EQUAL(SIGKILL, join_peer(&log));
    }
    end();
}

static void
a_server_disconnects(void) {
    struct side other;
    start_server();
    struct peer client = connect_client();
    struct doca_comch_connection *connection = side.connection;
    create_server(&other, "0000:0b:00.2");
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "is another one's", doca_comch_server_disconnect(other.server, connection));
    end_side(&other);
    suspend(&client);
    fill_queue();
    CHECK_SUCCESS(doca_comch_server_disconnect(side.server, connection));
    kill(client.pid, SIGCONT);
    await(&side, EVENT_FAILED, QUEUE_SIZE);
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, side.events[side.num_events - 1].status);
    for (uint32_t i = 0; i < QUEUE_SIZE; i++) {
        CHECK_EQUAL(i, expect(&client, EVENT_RECEIVED).number);
    }
    expect_state(&client, DOCA_CTX_STATE_STOPPING);
    expect_state(&client, DOCA_CTX_STATE_IDLE);
    CHECK_EQUAL(0, count_events(&side, EVENT_DISCONNECTED));

    /* The client may connect again. */
    start_and_expect(&client, DOCA_CTX_STATE_RUNNING);
    give_order(&client, (struct order){.kind = ORDER_STOP});
    expect_state(&client, DOCA_CTX_STATE_IDLE);
    await(&side, EVENT_DISCONNECTED, 1);
    end_peer(&client);
    end();
}

static void
disconnect_the_sender(struct side *server, const struct event *event) {
    if (event->kind == EVENT_RECEIVED) {
        CHECK_SUCCESS(doca_comch_server_disconnect(server->server, event->connection));
    }
}

/* A message is received as soon as the server's callback for it is called, whatever the callback does. */
static void
a_message_that_ends_its_connection_was_received(void) {
    start_server();
    side.reaction = disconnect_the_sender;
    struct peer client = connect_client();
    give_order(&client, (struct order){.kind = ORDER_SEND, .value = 1, .count = 1, .len = 10});
    CHECK_EQUAL(1, expect(&client, EVENT_SENT).task_id);
    expect_state(&client, DOCA_CTX_STATE_STOPPING);
    expect_state(&client, DOCA_CTX_STATE_IDLE);
    end_peer(&client);
    end();
}

static void
a_client_survives_its_server(void) {
    struct peer server = start_peer("server", "dpu");
    struct peer client = start_peer("client", "host");
    give_order(&server, (struct order){.kind = ORDER_START});
    expect_state(&server, DOCA_CTX_STATE_RUNNING);
    start_and_expect(&client, DOCA_CTX_STATE_RUNNING);
    (void)expect(&server, EVENT_CONNECTED);
    suspend(&server);
    give_order(&client, (struct order){.kind = ORDER_SEND, .value = 1, .count = 2, .len = 10});
    for (uint32_t i = 1; i <= 2; i++) {
        CHECK_EQUAL(i, expect(&client, EVENT_SENT).task_id);
    }
    kill_peer(&server);
    expect_state(&client, DOCA_CTX_STATE_STOPPING);
    expect_state(&client, DOCA_CTX_STATE_IDLE);

    /* First there is no server, then there is one. The remains of the killed server have no effect. */
    start_without_server(&client);
    server = start_peer("server", "dpu");
    give_order(&server, (struct order){.kind = ORDER_START});
    expect_state(&server, DOCA_CTX_STATE_RUNNING);
    start_and_expect(&client, DOCA_CTX_STATE_RUNNING);
    end_peer(&client);
    end_peer(&server);
}

static void
a_server_is_for_one_function(void) {
    start_server();
    struct peer client = start_peer("other client", "host");
    start_without_server(&client);
    CHECK_EQUAL(0, count_events(&side, EVENT_CONNECTED));
    end_peer(&client);
    end();
}

/* Clients that leave, are refused or are killed no longer count. */
static void
a_server_has_so_many_clients(void) {
    allow_many_files();
    start_server();
    struct peer crowd = start_peer("crowd", "host");
    (void)next_event(&crowd);
    CHECK_EQUAL(MAX_CLIENTS + 1, count_events(&side, EVENT_CONNECTED));
    CHECK_EQUAL(1, count_events(&side, EVENT_DISCONNECTED));

    struct peer client = start_peer("client", "host");
    start_and_expect(&client, DOCA_CTX_STATE_IDLE);
    CHECK_SUCCESS(doca_comch_server_disconnect(side.server, side.connection));
    start_and_expect(&client, DOCA_CTX_STATE_RUNNING);
    struct peer another = start_peer("client", "host");
    start_and_expect(&another, DOCA_CTX_STATE_IDLE);

    kill_peer(&crowd);
    await(&side, EVENT_DISCONNECTED, MAX_CLIENTS);
    start_and_expect(&another, DOCA_CTX_STATE_RUNNING);
    end_peer(&client);
    end_peer(&another);
    end();
}

/* The program does not progress after the send, like NVIDIA's samples of sync events. */
static void
messages_that_the_queue_took_before_a_stop_were_sent(void) {
    start_server();
    struct peer client = connect_client();
    CHECK_SUCCESS(doca_pe_request_notification(side.pe));
    CHECK_SUCCESS(try_send(&side, 1, 100));
    CHECK(is_notified(side.pe, WAKE_TIME_MS));
    forget_events(&side);
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(side.ctx));
    await_state(&side, DOCA_CTX_STATE_IDLE);
    check_state_event(&side, 0, DOCA_CTX_STATE_STOPPING);
    CHECK_EQUAL(1, check_event(&side, 1, EVENT_SENT)->task_id);
    check_state_event(&side, 2, DOCA_CTX_STATE_IDLE);
    CHECK_EQUAL(1, expect(&client, EVENT_RECEIVED).number);
    end_peer(&client);
    end();
}

/* The client has made room, but the program has not progressed since. */
static void
messages_that_the_queue_has_room_for_are_sent_by_a_stop(void) {
    start_server();
    struct peer client = connect_client();
    suspend(&client);
    fill_queue();
    kill(client.pid, SIGCONT);
    struct doca_pe *const pe = side.pe;
    side.pe = NULL;
    for (uint32_t i = 0; i < QUEUE_SIZE; i++) {
        CHECK_EQUAL(i, expect(&client, EVENT_RECEIVED).number);
    }
    side.pe = pe;
    stop_and_wait(side.ctx, side.pe);
    CHECK(count_events(&side, EVENT_SENT) >= 2 * QUEUE_SIZE - 1);
    for (uint32_t i = QUEUE_SIZE; i < count_events(&side, EVENT_SENT); i++) {
        CHECK_EQUAL(i, expect(&client, EVENT_RECEIVED).number);
    }
    end_peer(&client);
    end();
}

/* Waits for the notification instead of polling. */
static void
a_program_sleeps_until_a_message_comes(void) {
    start_server();
    struct peer client = connect_client();
    give_order(&client, (struct order){.kind = ORDER_SEND, .value = 1, .count = 20, .len = 10});
    while (count_events(&side, EVENT_RECEIVED) < 20) {
        sleep_once(side.pe);
        while (doca_pe_progress(side.pe) != 0) {
        }
    }
    end_peer(&client);
    end();
}

static void
use_in_child(void *unused) {
    (void)unused;
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "was started by the parent of this process", try_send(&side, 1, 10));
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "is the parent process'",
                  doca_comch_server_disconnect(side.server, side.connection));
    stop_and_wait(side.ctx, side.pe);
}

/* A child has copies of all sockets. */
static void
a_forked_child_ends_nothing(void) {
    start_server();
    struct peer client = connect_client();
    check_in_child(use_in_child, NULL);
    send_message(&side, 2, 10);
    CHECK_EQUAL(2, expect(&client, EVENT_RECEIVED).number);
    struct peer another = connect_client();
    end_peer(&client);
    end_peer(&another);
    end();
}

/* Connections of processes that send nothing, or invalid messages. */

/* Returns the path of the socket of the only server, whatever its name is. */
static struct sockaddr_un
path_of_server(void) {
    struct sockaddr_un path = {.sun_family = AF_UNIX};
    char name[256];
    CHECK_EQUAL(1, find_socket("doca-emulator-comch-", name));
    snprintf(path.sun_path, sizeof(path.sun_path), "%s/%.60s", runtime_dir, name);
    return path;
}

static int
connect_to_server(void) {
    const struct sockaddr_un path = path_of_server();
    const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    CHECK_EQUAL(0, connect(fd, (const struct sockaddr *)&path, sizeof(path)));
    return fd;
}

static void
progress_finds_what_is_there(void) {
    start_server();
    for (int i = 0; i < 200; i++) {
        while (doca_pe_progress(side.pe) != 0) {
        }
        const int fd = connect_to_server();
        if (doca_pe_progress(side.pe) != 1) {
            CHECK_FAILED("progress has not found connection %d", i);
            i = 200;
        }
        close(fd);
    }
    end();
}

struct greeting {
    uint8_t bytes[4096];
    size_t len;
};

/* Receives the first message of a client, which finds a socket of this process where the server was. */
static void
receive_greeting(const struct sockaddr_un *path, struct greeting *greeting) {
    const int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    CHECK_EQUAL(0, bind(listener, (const struct sockaddr *)path, sizeof(*path)));
    CHECK_EQUAL(0, listen(listener, 1));
    struct peer client = start_peer("client", "host");
    give_order(&client, (struct order){.kind = ORDER_START});
    const int fd = accept(listener, NULL, NULL);
    const ssize_t len = recv(fd, greeting->bytes, sizeof(greeting->bytes), 0);
    CHECK(len > 0);
    greeting->len = len > 0 ? (size_t)len : 0;
    close(fd);
    close(listener);
    CHECK_EQUAL(0, unlink(path->sun_path));
    expect_state(&client, DOCA_CTX_STATE_STARTING);
    expect_state(&client, DOCA_CTX_STATE_IDLE);
    end_peer(&client);
}

/* Returns the greeting of a client of the server that runs, which is restarted. */
static struct greeting
take_greeting(void) {
    struct greeting greeting;
    const struct sockaddr_un path = path_of_server();
    CHECK_SUCCESS(doca_ctx_stop(side.ctx));
    struct doca_pe *const pe = side.pe;
    side.pe = NULL;
    receive_greeting(&path, &greeting);
    side.pe = pe;
    REQUIRE_SUCCESS(doca_ctx_start(side.ctx));
    forget_events(&side);
    return greeting;
}

static void
send_greeting(int fd, const struct greeting *greeting) {
    CHECK_EQUAL(greeting->len, send(fd, greeting->bytes, greeting->len, 0));
}

/*
 * A stopping server reads acknowledgements, but not all that a client sends. Here the client returns the server's own
 * message, which acknowledges nothing, until the socket is full. Closing a socket with unread messages resets it.
 */
static void
a_client_that_sends_without_end_does_not_delay_a_stop(void) {
    uint8_t message[4096];
    start_server();
    const struct greeting greeting = take_greeting();
    const int fd = connect_to_server();
    send_greeting(fd, &greeting);
    await(&side, EVENT_CONNECTED, 1);
    CHECK_SUCCESS(try_send(&side, 1, 10));
    CHECK(recv(fd, message, sizeof(message), 0) > 0);
    const ssize_t len = recv(fd, message, sizeof(message), 0);
    CHECK(len > 10);
    size_t num_messages = 0;
    while (send(fd, message, (size_t)len, MSG_DONTWAIT) == len) {
        num_messages++;
    }
    CHECK(num_messages > QUEUE_SIZE + 1);
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(side.ctx));
    CHECK_EQUAL(-1, recv(fd, message, sizeof(message), 0));
    CHECK_EQUAL(ECONNRESET, errno);
    await_state(&side, DOCA_CTX_STATE_IDLE);
    CHECK_EQUAL(1, count_events(&side, EVENT_SENT));
    CHECK_EQUAL(0, count_events(&side, EVENT_RECEIVED));
    close(fd);
    end();
}

/*
 * A server that does not progress answers no client, so the client times out. When the server progresses again, it ends
 * connections that have sent nothing for the same time, even if it always has other work. It accepts a client whose
 * greeting has arrived meanwhile.
 */
static void
nobody_waits_for_ever_for_an_introduction(void) {
    start_server();
    const struct greeting greeting = take_greeting();
    const int silent = connect_to_server();
    const int late = connect_to_server();
    struct pollfd end_of_silent = {.fd = silent, .events = POLLIN};
    while (doca_pe_progress(side.pe) != 0) {
    }
    struct doca_pe *const pe = side.pe;
    side.pe = NULL;
    struct peer client = start_peer("client", "host");
    start_and_expect(&client, DOCA_CTX_STATE_IDLE);
    end_peer(&client);
    side.pe = pe;
    send_greeting(late, &greeting);
    /* Each connection is more work than one call of doca_pe_progress() does. */
    for (int i = 0; i < 3; i++) {
        close(connect_to_server());
        CHECK_EQUAL(1, doca_pe_progress(side.pe));
    }
    CHECK_EQUAL(1, poll(&end_of_silent, 1, 0));
    check_logged("the other side has said nothing for 10 s");
    close(silent);
    await(&side, EVENT_CONNECTED, 1);
    close(late);
    await(&side, EVENT_DISCONNECTED, 1);
    forget_events(&side);
    client = connect_client();
    end_peer(&client);
    end();
}

int
main(int argc, char **argv) {
    if (argc > 1) {
        signal(SIGPIPE, SIG_IGN);
        return strcmp(argv[1], "client") == 0         ? run_client("mlx5_0")
               : strcmp(argv[1], "other client") == 0 ? run_client("mlx5_1")
               : strcmp(argv[1], "server") == 0       ? run_server()
               : strcmp(argv[1], "log") == 0          ? run_log()
                                                      : run_crowd();
    }
    use_own_runtime_dir();
    keep_errors();
    messages_keep_their_order_in_both_directions();
    connections_count();
    a_send_completes_when_the_queue_of_its_receiver_takes_it();
    a_large_receive_queue_takes_megabytes();
    the_death_of_a_client_fails_what_its_socket_has_not_taken();
    the_death_of_a_client_fails_what_its_queue_has_not_taken();
    a_killed_peer_loses_only_the_messages_of_its_queue();
    a_server_disconnects();
    messages_that_the_queue_took_before_a_stop_were_sent();
    messages_that_the_queue_has_room_for_are_sent_by_a_stop();
    a_message_that_ends_its_connection_was_received();
    a_client_survives_its_server();
    a_server_is_for_one_function();
    a_server_has_so_many_clients();
    a_program_sleeps_until_a_message_comes();
    a_forked_child_ends_nothing();
    progress_finds_what_is_there();
    a_client_that_sends_without_end_does_not_delay_a_stop();
    nobody_waits_for_ever_for_an_introduction();
    a_handler_disconnects_the_connection_of_its_record();
    CHECK_EQUAL(0, rmdir(runtime_dir));
    return check_result();
}
