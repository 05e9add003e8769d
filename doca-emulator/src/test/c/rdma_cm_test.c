/* SPDX-License-Identifier: Apache-2.0 */
/* Connections by address, between contexts of one process. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "descriptors.h"
#include "rdma_cm_fixture.h"

static struct side server;
static struct side client;
static struct doca_rdma_addr *addr;

static void
begin(void) {
    start_side(&server, "mlx5_0");
    start_side(&client, "mlx5_1");
    REQUIRE_SUCCESS(doca_rdma_start_listen_to_port(server.rdma, PORT));
    addr = create_addr(DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, PORT);
    last_error[0] = '\0';
}

static void
end(void) {
    end_side(&client);
    end_side(&server);
    CHECK_SUCCESS(doca_rdma_addr_destroy(addr));
    CHECK_EQUAL(0, count_names());
}

/*
 * Connecting
 */

static void
check_addr(const struct doca_rdma_connection *connection, enum doca_rdma_addr_type type, const char *text,
           bool is_requested) {
    struct doca_rdma_addr *actual;
    enum doca_rdma_addr_type actual_type;
    const char *actual_text;
    uint16_t actual_port;
    CHECK_SUCCESS(doca_rdma_connection_get_addr(connection, &actual));
    CHECK_SUCCESS(doca_rdma_addr_get_params(actual, &actual_type, &actual_text, &actual_port));
    CHECK_EQUAL(type, actual_type);
    CHECK_STRING(text, actual_text);
    CHECK_EQUAL(is_requested, actual_port == PORT);
    if (!is_requested) {
        CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "it is of a connection request", doca_rdma_addr_destroy(actual));
    }
}

/* The server gets the address of the client, which is on the same machine, in its own notation, with the port of the client. */
static void
check_connects(enum doca_rdma_addr_type type, const char *text, const char *usual_text) {
    struct doca_rdma_addr *used = create_addr(type, text, PORT);
    connect_sides(&server, &client, used, 7);
    struct doca_rdma_connection *connection = last_connection(&client);
    check_addr(connection, type, text, true);
    check_addr(last_connection(&server), type, usual_text, false);
    CHECK_SUCCESS(doca_rdma_connection_disconnect(connection));
    await_event(&server, server.num_events + 1, &client);
    check_cm_event(&server, server.num_events - 1, CM_DISCONNECTED, 0);
    CHECK_SUCCESS(doca_rdma_addr_destroy(used));
}

static void
a_server_is_reached_at_each_of_its_addresses(void) {
    begin();
    check_connects(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", "127.0.0.1");
    check_connects(DOCA_RDMA_ADDR_TYPE_IPv4, "127.9.9.9", "127.9.9.9");
    check_connects(DOCA_RDMA_ADDR_TYPE_IPv4, "localhost", "127.0.0.1");
    check_connects(DOCA_RDMA_ADDR_TYPE_IPv6, "::1", "::1");
    check_connects(DOCA_RDMA_ADDR_TYPE_IPv6, "fe80::d0:caff:fe00:0%p1", "fe80::d0:caff:fe00:0");
    check_connects(DOCA_RDMA_ADDR_TYPE_GID, "fe80:0000:0000:0000:00d0:caff:fe00:0000", "fe80::d0:caff:fe00:0");
    check_connects(DOCA_RDMA_ADDR_TYPE_GID, "::ffff:127.0.0.1", "::ffff:127.0.0.1");
    end();
}

static void
connections_are_told_apart(void) {
    uint32_t ids[8];
    begin();
    for (size_t i = 0; i < 8; i++) {
        connect_sides(&server, &client, addr, i);
        CHECK_SUCCESS(doca_rdma_connection_get_id(last_connection(&server), &ids[i]));
        for (size_t k = 0; k < i; k++) {
            CHECK(ids[k] != ids[i]);
            CHECK(client.events[k].connection != client.events[i].connection);
        }
    }
    for (size_t i = 0; i < 8; i++) {
        CHECK_SUCCESS(doca_rdma_connection_disconnect(client.events[i].connection));
    }
    await_event(&server, 24, &client);
    end();
}

/* One context is both client and server. */
static void
a_context_connects_to_itself(void) {
    begin();
    ask(&server, addr, 7);
    await_event(&server, 3, NULL);
    check_cm_event(&server, 0, CM_REQUESTED, 0);
    check_cm_event(&server, 1, CM_ESTABLISHED, 7);
    check_cm_event(&server, 2, CM_ESTABLISHED, 0);
    end();
}

static void
a_server_accepts_when_it_likes(void) {
    begin();
    server.reaction = react_not;
    ask(&client, addr, 0);
    await_event(&server, 1, &client);
    settle(&server);
    settle(&client);
    CHECK_EQUAL(0, client.num_events);
    CHECK_SUCCESS(doca_rdma_connection_accept(server.events[0].connection, NULL, 0));
    await_event(&server, 2, &client);
    check_cm_event(&client, 0, CM_ESTABLISHED, 0);
    end();
}

/*
 * Failing to connect
 */

static void
check_fails(enum doca_rdma_addr_type type, const char *text, uint16_t port) {
    struct doca_rdma_addr *wrong = create_addr(type, text, port);
    client.num_events = 0;
    ask(&client, wrong, 5);
    CHECK_EQUAL(0, client.num_events);
    CHECK_SUCCESS(doca_rdma_addr_destroy(wrong));
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "was destroyed before", doca_rdma_addr_destroy(wrong));
    check_cause("nobody listens there");
    await_event(&client, 1, NULL);
    check_cm_event(&client, 0, CM_FAILED, 5);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_addr_destroy(wrong));
}

/* Whether somebody listens is not known then. */
static void
a_client_without_files_says_so(void) {
    begin();
    REQUIRE_SUCCESS(doca_rdma_connect_to_addr(client.rdma, addr, numbered(5)));
    const struct rlimit limit = set_descriptor_limit(1);
    CHECK_EQUAL(1, doca_pe_progress(client.pe));
    restore_descriptors(&limit);
    check_logged("failed: this process has too many open files (ulimit -n)");
    await_event(&client, 1, NULL);
    check_cm_event(&client, 0, CM_FAILED, 5);
    end();
}

static void
nobody_listens_elsewhere(void) {
    begin();
    check_fails(DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, PORT + 1);
    check_fails(DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.1", PORT);
    check_fails(DOCA_RDMA_ADDR_TYPE_IPv4, "0.0.0.0", PORT);
    check_fails(DOCA_RDMA_ADDR_TYPE_IPv6, "2001:db8::1", PORT);
    check_fails(DOCA_RDMA_ADDR_TYPE_GID, "fe80::d0:caff:fe00:1", PORT);
    CHECK_SUCCESS(doca_rdma_stop_listen_to_port(server.rdma, PORT));
    check_fails(DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, PORT);
    CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of_ctx(client.ctx));
    end();
}

static void
set_timeout(struct side *side, uint16_t timeout) {
    stop_and_wait(side->ctx, side->pe);
    REQUIRE_SUCCESS(doca_rdma_set_connection_request_timeout(side->rdma, timeout));
    REQUIRE_SUCCESS(doca_ctx_start(side->ctx));
}

/* The server does not progress. */
static void
a_client_does_not_wait_for_ever(void) {
    begin();
    set_timeout(&client, 20);
    ask(&client, addr, 5);
    await_event(&client, 1, NULL);
    check_cm_event(&client, 0, CM_FAILED, 5);
    check_logged("failed: the other side has not answered in time");
    /* The client has left before its request was handled. */
    server.reaction = react_not;
    await_event(&server, 2, NULL);
    check_cm_event(&server, 0, CM_REQUESTED, 0);
    check_cm_event(&server, 1, CM_FAILED, 0);
    end();
}

static void
a_server_learns_that_a_client_has_given_up(void) {
    begin();
    set_timeout(&client, 20);
    server.reaction = react_not;
    for (int i = 0; i < 3; i++) {
        const size_t num_events = server.num_events;
        ask(&client, addr, 5);
        await_event(&server, num_events + 1, NULL);
        await_event(&client, (size_t)i + 1, NULL);
        struct doca_rdma_connection *connection = server.events[num_events].connection;
        if (i == 0) {
            /* Reported by a callback. */
            await_event(&server, num_events + 2, &client);
            check_cm_event(&server, num_events + 1, CM_FAILED, 0);
            CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connection_reject(connection));
        } else if (i == 1) {
            CHECK_ERROR(DOCA_ERROR_CONNECTION_ABORTED, doca_rdma_connection_accept(connection, NULL, 0));
            await_event(&server, num_events + 2, &client);
            check_cm_event(&server, num_events + 1, CM_FAILED, 0);
        } else {
            CHECK_SUCCESS(doca_rdma_connection_reject(connection));
            settle(&server);
            CHECK_EQUAL(num_events + 1, server.num_events);
        }
    }
    end();
}

/* The client has not handled the answer. */
static void
a_server_does_not_wait_for_ever(void) {
    begin();
    stop_and_wait(server.ctx, server.pe);
    REQUIRE_SUCCESS(doca_rdma_set_connection_request_timeout(server.rdma, 20));
    REQUIRE_SUCCESS(doca_ctx_start(server.ctx));
    CHECK_SUCCESS(doca_rdma_start_listen_to_port(server.rdma, PORT));
    ask(&client, addr, 5);
    await_event(&server, 2, NULL);
    check_cm_event(&server, 1, CM_FAILED, 0);
    await_event(&client, 1, NULL);
    check_cm_event(&client, 0, CM_FAILED, 5);
    end();
}

static char failed_record[1024];
static struct doca_rdma_connection *connection_of_record;
static doca_error_t result_of_handler = DOCA_ERROR_UNKNOWN;

static void
reject_once(char *record) {
    struct doca_rdma_connection *connection = connection_of_record;
    if (connection != NULL && strstr(record, "the other side has closed it") != NULL) {
        connection_of_record = NULL;
        result_of_handler = doca_rdma_connection_reject(connection);
    }
}

static void
keep_connection(struct side *side, const struct cm_event *event) {
    (void)side;
    connection_of_record = event->connection;
}

/* It gets the record when the server has handled the end of the request. */
static void
a_handler_rejects_the_request_of_its_record(void) {
    struct doca_log_backend *backend;
    REQUIRE_SUCCESS(
            doca_log_backend_create_with_buf_sdk(failed_record, sizeof(failed_record), reject_once, &backend));
    begin();
    server.reaction = keep_connection;
    ask(&client, addr, 1);
    await_event(&server, 1, &client);
    check_cm_event(&server, 0, CM_REQUESTED, 0);
    stop_and_wait(client.ctx, client.pe);
    while (connection_of_record != NULL) {
        (void)doca_pe_progress(server.pe);
    }
    CHECK_SUCCESS(result_of_handler);
    for (int i = 0; i < 100; i++) {
        (void)doca_pe_progress(server.pe);
    }
    CHECK_EQUAL(1, server.num_events);
    REQUIRE_SUCCESS(doca_ctx_start(client.ctx));
    end();
}

/*
 * Disconnecting
 */

static void
both_may_disconnect_at_once(void) {
    begin();
    connect_sides(&server, &client, addr, 0);
    CHECK_SUCCESS(doca_rdma_connection_disconnect(last_connection(&server)));
    CHECK_SUCCESS(doca_rdma_connection_disconnect(last_connection(&client)));
    settle(&server);
    settle(&client);
    CHECK_EQUAL(2, server.num_events);
    CHECK_EQUAL(1, client.num_events);
    end();
}

static void
the_handle_stays_until_both_have_disconnected(void) {
    uint32_t id;
    begin();
    client.reaction = react_not;
    connect_sides(&server, &client, addr, 0);
    CHECK_SUCCESS(doca_rdma_connection_disconnect(last_connection(&server)));
    await_event(&client, 2, &server);
    CHECK_SUCCESS(doca_rdma_connection_get_id(last_connection(&client), &id));
    check_addr(last_connection(&client), DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, true);
    CHECK_SUCCESS(doca_rdma_connection_disconnect(last_connection(&client)));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connection_get_id(last_connection(&client), &id));
    end();
}

static void
disconnect_at_once(struct side *side, const struct cm_event *event) {
    if (event->kind == CM_ESTABLISHED) {
        CHECK_SUCCESS(doca_rdma_connection_disconnect(event->connection));
    } else {
        accept_and_disconnect(side, event);
    }
}

static void
a_connection_may_end_in_the_callback_that_brings_it(void) {
    begin();
    client.reaction = disconnect_at_once;
    ask(&client, addr, 0);
    await_event(&server, 3, &client);
    check_cm_event(&server, 1, CM_ESTABLISHED, 0);
    check_cm_event(&server, 2, CM_DISCONNECTED, 0);
    CHECK_EQUAL(1, client.num_events);
    end();
}

/*
 * Stopping
 */

static void
stopping_ends_all(void) {
    begin();
    connect_sides(&server, &client, addr, 1);
    connect_sides(&server, &client, addr, 2);
    struct doca_rdma_connection *connection = last_connection(&server);
    stop_and_wait(server.ctx, server.pe);
    CHECK_EQUAL(0, count_names());
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connection_disconnect(connection));
    await_event(&client, 4, NULL);
    check_cm_event(&client, 2, CM_DISCONNECTED, client.events[2].user_data);
    check_cm_event(&client, 3, CM_DISCONNECTED, 3 - client.events[2].user_data);
    CHECK_EQUAL(4, server.num_events);

    REQUIRE_SUCCESS(doca_ctx_start(server.ctx));
    check_fails(DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, PORT);
    CHECK_SUCCESS(doca_rdma_start_listen_to_port(server.rdma, PORT));
    connect_sides(&server, &client, addr, 3);
    end();
}

static void
stopping_ends_what_is_not_connected_yet(void) {
    begin();
    server.reaction = react_not;
    ask(&client, addr, 1);
    await_event(&server, 1, &client);
    stop_and_wait(server.ctx, server.pe);
    await_event(&client, 1, NULL);
    check_cm_event(&client, 0, CM_FAILED, 1);

    REQUIRE_SUCCESS(doca_ctx_start(server.ctx));
    CHECK_SUCCESS(doca_rdma_start_listen_to_port(server.rdma, PORT));
    ask(&client, addr, 2);
    stop_and_wait(client.ctx, client.pe);
    CHECK_EQUAL(1, client.num_events);
    await_event(&server, 3, NULL);
    check_cm_event(&server, 2, CM_FAILED, 0);
    end();
}

static void
stop_at_once(struct side *side, const struct cm_event *event) {
    (void)event;
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(side->ctx));
    CHECK_EQUAL(DOCA_CTX_STATE_STOPPING, state_of_ctx(side->ctx));
}

static void
a_context_may_stop_in_each_callback(void) {
    begin();
    server.reaction = stop_at_once;
    ask(&client, addr, 0);
    await_event(&client, 1, &server);
    check_cm_event(&client, 0, CM_FAILED, 0);
    CHECK_EQUAL(DOCA_CTX_STATE_IDLE, state_of_ctx(server.ctx));

    client.reaction = stop_at_once;
    ask(&client, addr, 0);
    await_event(&client, 2, NULL);
    settle(&client);
    CHECK_EQUAL(DOCA_CTX_STATE_IDLE, state_of_ctx(client.ctx));

    server.reaction = NULL;
    REQUIRE_SUCCESS(doca_ctx_start(server.ctx));
    REQUIRE_SUCCESS(doca_ctx_start(client.ctx));
    CHECK_SUCCESS(doca_rdma_start_listen_to_port(server.rdma, PORT));
    ask(&client, addr, 0);
    await_event(&client, 3, &server);
    check_cm_event(&client, 2, CM_ESTABLISHED, 0);
    settle(&client);
    CHECK_EQUAL(DOCA_CTX_STATE_IDLE, state_of_ctx(client.ctx));
    await_event(&server, 4, NULL);
    check_cm_event(&server, 3, CM_DISCONNECTED, 0);
    end();
}

/* Like programs that disconnect when they are notified of the state. */
static void
disconnect_and_stop(struct side *side, const struct cm_event *event) {
    if (event->kind == CM_DISCONNECTED) {
        CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(side->ctx));
        CHECK_SUCCESS(doca_rdma_connection_disconnect(event->connection));
    } else {
        accept_and_disconnect(side, event);
    }
}

static void
connections_are_disconnected_while_stopping(void) {
    begin();
    server.reaction = disconnect_and_stop;
    connect_sides(&server, &client, addr, 1);
    connect_sides(&server, &client, addr, 2);
    CHECK_SUCCESS(doca_rdma_connection_disconnect(client.events[0].connection));
    await_event(&server, 5, &client);
    settle(&server);
    CHECK_EQUAL(DOCA_CTX_STATE_IDLE, state_of_ctx(server.ctx));
    await_event(&client, 3, NULL);
    check_cm_event(&client, 2, CM_DISCONNECTED, 2);
    end();
}

/*
 * Listening
 */

static void
a_port_is_listened_to_once_a_device(void) {
    struct side other;
    struct side same;
    begin();
    start_side(&other, "mlx5_2");
    start_side(&same, "mlx5_0");
    CHECK_REFUSED(DOCA_ERROR_CONNECTION_ABORTED, "port 13579 of the device is listened to already",
                  doca_rdma_start_listen_to_port(server.rdma, PORT));
    CHECK_ERROR(DOCA_ERROR_CONNECTION_ABORTED, doca_rdma_start_listen_to_port(same.rdma, PORT));
    CHECK_SUCCESS(doca_rdma_start_listen_to_port(same.rdma, PORT + 1));
    CHECK_SUCCESS(doca_rdma_start_listen_to_port(server.rdma, PORT + 2));
    CHECK_SUCCESS(doca_rdma_start_listen_to_port(other.rdma, PORT));
    /* The first one has the loopback address. */
    connect_sides(&server, &client, addr, 0);
    struct doca_rdma_addr *of_other = create_addr(DOCA_RDMA_ADDR_TYPE_GID, "fe80::d0:caff:fe00:2", PORT);
    connect_sides(&other, &client, of_other, 0);
    end_side(&other);
    await_event(&client, 3, NULL);
    CHECK_SUCCESS(doca_rdma_addr_destroy(of_other));
    end_side(&same);
    end();
}

/* Connects a client that does not follow the protocol. */
static int
connect_raw(void) {
    struct sockaddr_un path = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    snprintf(path.sun_path, sizeof(path.sun_path), "%s/doca-emulator-loopback-dpu-%d", runtime_dir, PORT);
    if (connect(fd, (const struct sockaddr *)&path, sizeof(path)) != 0) {
        perror(path.sun_path);
        exit(EXIT_FAILURE);
    }
    return fd;
}

static void
a_server_is_not_impressed_by_nonsense(void) {
    char nonsense[4096];
    begin();
    set_timeout(&server, 500);
    CHECK_SUCCESS(doca_rdma_start_listen_to_port(server.rdma, PORT));
    memset(nonsense, 0x5a, sizeof(nonsense));
    const int fds[] = {connect_raw(), connect_raw(), connect_raw(), connect_raw()};
    CHECK_EQUAL(1, send(fds[0], nonsense, 1, 0));
    CHECK_EQUAL(sizeof(nonsense), send(fds[1], nonsense, sizeof(nonsense), 0));
    close(fds[2]);
    /* The last one sends nothing at all. */
    char byte;
    for (size_t i = 0; i < 4; i++) {
        while (i != 2 && recv(fds[i], &byte, 1, MSG_DONTWAIT) != 0) {
            (void)doca_pe_progress(server.pe);
        }
    }
    CHECK_EQUAL(0, server.num_events);
    connect_sides(&server, &client, addr, 0);
    close(fds[0]);
    close(fds[1]);
    close(fds[3]);
    end();
}

/* The client waits until the server can open a file again. */
static void
a_server_without_files_does_not_hang(void) {
    begin();
    ask(&client, addr, 0);
    const struct rlimit limit = set_descriptor_limit(1);
    settle(&server);
    CHECK_EQUAL(0, server.num_events);
    restore_descriptors(&limit);
    await_event(&server, 2, &client);
    check_cm_event(&server, 1, CM_ESTABLISHED, 0);
    end();
}

/*
 * Waiting
 */

static void
arm(struct side *side) {
    REQUIRE_SUCCESS(doca_pe_request_notification(side->pe));
}

/* Sleeps until the armed engine has signalled an event, and progresses. */
static void
sleep_and_settle(struct side *side, size_t num_events) {
    while (side->num_events < num_events) {
        CHECK(is_notified(side->pe, WAKE_TIME_MS));
        REQUIRE_SUCCESS(doca_pe_clear_notification(side->pe, 0));
        settle(side);
        if (side->num_events < num_events) {
            arm(side);
        }
    }
    CHECK_EQUAL(num_events, side->num_events);
}

/* Each engine is armed before its event can come. */
static void
programs_may_sleep_until_something_happens(void) {
    begin();
    set_timeout(&client, 200);
    arm(&server);
    ask(&client, addr, 0);
    arm(&client);
    sleep_and_settle(&server, 1);
    arm(&server);
    sleep_and_settle(&client, 1);
    sleep_and_settle(&server, 2);
    check_cm_event(&server, 1, CM_ESTABLISHED, 0);
    arm(&server);
    CHECK_SUCCESS(doca_rdma_connection_disconnect(last_connection(&client)));
    sleep_and_settle(&server, 3);
    check_cm_event(&server, 2, CM_DISCONNECTED, 0);

    /* No answer comes. */
    ask(&client, addr, 0);
    arm(&client);
    sleep_and_settle(&client, 2);
    check_cm_event(&client, 1, CM_FAILED, 0);
    end();
}

static void
arm_and_settle(struct side *side) {
    arm(side);
    REQUIRE_SUCCESS(doca_pe_clear_notification(side->pe, 0));
    settle(side);
}

static void
an_event_that_is_pending_when_an_engine_is_armed_is_lost(void) {
    begin();
    set_timeout(&client, 20);
    CHECK_SUCCESS(doca_rdma_connect_to_addr(client.rdma, addr, numbered(0)));
    arm_and_settle(&client);
    settle(&server);
    CHECK_EQUAL(0, server.num_events);

    /* A request. */
    ask(&client, addr, 1);
    arm_and_settle(&server);
    CHECK_EQUAL(0, server.num_events);
    await_event(&client, 1, &server);
    check_cm_event(&client, 0, CM_FAILED, 1);
    settle(&server);
    CHECK_EQUAL(0, server.num_events);

    /* A disconnect. */
    connect_sides(&server, &client, addr, 2);
    CHECK_SUCCESS(doca_rdma_connection_disconnect(last_connection(&client)));
    arm_and_settle(&server);
    CHECK_EQUAL(2, server.num_events);

    /* One of two events, and none while nothing is pending. */
    CHECK_SUCCESS(doca_rdma_connect_to_addr(client.rdma, addr, numbered(3)));
    CHECK_SUCCESS(doca_rdma_connect_to_addr(client.rdma, addr, numbered(4)));
    arm_and_settle(&client);
    await_event(&client, 3, &server);
    check_cm_event(&client, 2, CM_ESTABLISHED, 4);
    end();
}

/* Completions are skipped while the engine is armed. Connection events are not completions. */
static void
connections_are_made_while_engines_are_armed(void) {
    begin();
    REQUIRE_SUCCESS(doca_pe_request_notification(server.pe));
    REQUIRE_SUCCESS(doca_pe_request_notification(client.pe));
    ask(&client, addr, 0);
    await_event(&server, 2, &client);
    check_cm_event(&server, 1, CM_ESTABLISHED, 0);
    await_event(&client, 1, &server);
    CHECK_SUCCESS(doca_rdma_connection_disconnect(last_connection(&client)));
    await_event(&server, 3, &client);
    check_cm_event(&server, 2, CM_DISCONNECTED, 0);
    end();
}

/*
 * Wrong use
 */

static void
wrong_arguments_are_refused(void) {
    struct doca_rdma_addr *used;
    uint32_t id;
    begin();
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "port 0", doca_rdma_start_listen_to_port(server.rdma, 0));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_start_listen_to_port(NULL, PORT));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_stop_listen_to_port(NULL, PORT));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_stop_listen_to_port(server.rdma, PORT + 1));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connect_to_addr(client.rdma, NULL, numbered(0)));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connect_to_addr(NULL, addr, numbered(0)));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connection_accept(NULL, NULL, 0));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connection_reject(NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connection_disconnect(NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connection_set_user_data(NULL, numbered(0)));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connection_get_addr(NULL, &used));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connection_get_id(NULL, &id));

    server.reaction = react_not;
    ask(&client, addr, 0);
    await_event(&server, 1, &client);
    struct doca_rdma_connection *connection = server.events[0].connection;
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "private_data is NULL, and its length is 1",
                  doca_rdma_connection_accept(connection, NULL, 1));
    CHECK_SUCCESS(doca_rdma_connection_accept(connection, NULL, 0));
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "is no request without answer",
                  doca_rdma_connection_accept(connection, NULL, 0));
    await_event(&server, 2, &client);
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_rdma_connection_reject(connection));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_rdma_connection_accept(last_connection(&client), NULL, 0));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connection_get_addr(connection, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connection_get_id(connection, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connection_get_user_data(connection, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connection_disconnect((void *)client.rdma));
    end();
}

static void
the_folder_must_be_private(void) {
    begin();
    CHECK_SUCCESS(doca_rdma_stop_listen_to_port(server.rdma, PORT));
    chmod(runtime_dir, 0750);
    CHECK_REFUSED(DOCA_ERROR_NOT_PERMITTED, "permissions 750, must be of user",
                  doca_rdma_start_listen_to_port(server.rdma, PORT));
    rmdir(runtime_dir);
    CHECK_SUCCESS(doca_rdma_start_listen_to_port(server.rdma, PORT));
    struct stat status;
    CHECK_EQUAL(0, stat(runtime_dir, &status));
    CHECK_EQUAL(S_IFDIR | 0700, status.st_mode);
    connect_sides(&server, &client, addr, 0);
    CHECK_SUCCESS(doca_rdma_stop_listen_to_port(server.rdma, PORT));
    rmdir(runtime_dir);
    CHECK_EQUAL(0, symlink("/tmp", runtime_dir));
    CHECK_ERROR(DOCA_ERROR_OPERATING_SYSTEM, doca_rdma_start_listen_to_port(server.rdma, PORT));
    unlink(runtime_dir);
    end();
    mkdir(runtime_dir, 0700);
}

/*
 * Forked children
 */

static void
check_refused_for_child(doca_error_t result, const char *what) {
    char text[128];
    snprintf(text, sizeof(text), "Failed to %s: was started by the parent of this process", what);
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, result);
    check_logged(text);
}

/* A connection by address, one by descriptors, and a request; and a context that has used no address yet. */
struct inheritance {
    struct side other;
    struct doca_rdma_connection *by_address;
    struct doca_rdma_connection *by_descriptors;
    struct doca_rdma_connection *request;
};

static void
check_child(void *argument) {
    struct inheritance *of_parent = argument;
    struct side *other = &of_parent->other;
    check_refused_for_child(doca_rdma_start_listen_to_port(server.rdma, PORT + 1), "listen");
    check_refused_for_child(doca_rdma_start_listen_to_port(other->rdma, PORT + 1), "listen");
    check_refused_for_child(doca_rdma_stop_listen_to_port(server.rdma, PORT), "stop listening");
    check_refused_for_child(doca_rdma_connect_to_addr(client.rdma, addr, numbered(0)), "connect");
    check_refused_for_child(doca_rdma_connect_to_addr(other->rdma, addr, numbered(0)), "connect");
    check_refused_for_child(doca_rdma_connection_reject(of_parent->request), "reject");
    check_refused_for_child(doca_rdma_connection_accept(of_parent->request, NULL, 0), "accept");
    check_refused_for_child(doca_rdma_connection_disconnect(of_parent->by_address), "disconnect");
    check_refused_for_child(doca_rdma_connection_disconnect(of_parent->by_descriptors), "disconnect");
    /* A child can still end its copies. */
    end_side(&client);
    end_side(&server);
    end_side(other);
}

static void
a_child_cannot_use_connections_of_its_parent(void) {
    struct inheritance inheritance;
    const void *details;
    size_t size;
    begin();
    start_side(&inheritance.other, "mlx5_2");
    connect_sides(&server, &client, addr, 1);
    inheritance.by_address = last_connection(&server);
    server.reaction = react_not;
    ask(&client, addr, 2);
    await_event(&server, 3, &client);
    inheritance.request = last_connection(&server);
    REQUIRE_SUCCESS(doca_rdma_export(server.rdma, &details, &size, &inheritance.by_descriptors));
    const size_t num_names = count_names();
    check_in_child(check_child, &inheritance);

    settle(&client);
    settle(&server);
    CHECK_EQUAL(1, client.num_events);
    CHECK_EQUAL(3, server.num_events);
    CHECK_EQUAL(num_names, count_names());
    CHECK_SUCCESS(doca_rdma_connection_accept(inheritance.request, NULL, 0));
    await_event(&client, 2, &server);
    await_event(&server, 4, &client);
    check_cm_event(&client, 1, CM_ESTABLISHED, 2);
    CHECK_SUCCESS(doca_rdma_connection_disconnect(inheritance.by_descriptors));
    CHECK_SUCCESS(doca_rdma_connection_disconnect(inheritance.by_address));
    await_event(&client, 3, &server);
    check_cm_event(&client, 2, CM_DISCONNECTED, 1);
    end_side(&inheritance.other);
    end();
}

/* The next file that the context opens is the epoll instance of its sockets. */
static void
a_port_that_cannot_be_watched_is_not_listened_to(void) {
    struct side other;
    char link[64];
    char file[64] = "";
    begin();
    start_side(&other, "mlx5_2");
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    const int events = dup(null);
    close(events);
    CHECK_SUCCESS(doca_rdma_start_listen_to_port(other.rdma, PORT + 1));
    snprintf(link, sizeof(link), "/proc/self/fd/%d", events);
    CHECK(readlink(link, file, sizeof(file) - 1) > 0);
    CHECK_STRING("anon_inode:[eventpoll]", file);

    const int kept = dup(events);
    const size_t num_names = count_names();
    CHECK_EQUAL(events, dup2(null, events));
    CHECK_REFUSED(DOCA_ERROR_OPERATING_SYSTEM, "Failed to watch port 13581: Invalid argument",
                  doca_rdma_start_listen_to_port(other.rdma, PORT + 2));
    CHECK_EQUAL(num_names, count_names());
    CHECK_EQUAL(events, dup2(kept, events));
    close(kept);
    close(null);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_stop_listen_to_port(other.rdma, PORT + 2));
    CHECK_SUCCESS(doca_rdma_start_listen_to_port(other.rdma, PORT + 2));
    end_side(&other);
    end();
}

int
main(void) {
    use_own_runtime_dir();
    keep_errors();
    a_server_is_reached_at_each_of_its_addresses();
    connections_are_told_apart();
    a_context_connects_to_itself();
    a_server_accepts_when_it_likes();
    nobody_listens_elsewhere();
    a_client_without_files_says_so();
    a_client_does_not_wait_for_ever();
    a_server_learns_that_a_client_has_given_up();
    a_server_does_not_wait_for_ever();
    both_may_disconnect_at_once();
    the_handle_stays_until_both_have_disconnected();
    a_connection_may_end_in_the_callback_that_brings_it();
    stopping_ends_all();
    stopping_ends_what_is_not_connected_yet();
    a_context_may_stop_in_each_callback();
    connections_are_disconnected_while_stopping();
    a_port_is_listened_to_once_a_device();
    a_server_is_not_impressed_by_nonsense();
    a_server_without_files_does_not_hang();
    programs_may_sleep_until_something_happens();
    an_event_that_is_pending_when_an_engine_is_armed_is_lost();
    connections_are_made_while_engines_are_armed();
    wrong_arguments_are_refused();
    a_handler_rejects_the_request_of_its_record();
    the_folder_must_be_private();
    a_child_cannot_use_connections_of_its_parent();
    a_port_that_cannot_be_watched_is_not_listened_to();
    rmdir(runtime_dir);
    return check_result();
}
