/* SPDX-License-Identifier: Apache-2.0 */
#include "rdma.h"

#include <stdio.h>

#define THEME "rdma connections"

#define PORT 13579

static struct doca_rdma_connection *client_connection;
static struct doca_rdma_connection *server_connection;
static bool rejects;
/* Whether the callback of a request disconnects its connection. */
static bool disconnects;
static bool answers = true;
/* Whether the callback of a request notes whether its connection has an address. */
static bool examines;
static unsigned num_established;
static unsigned num_disconnected;
static unsigned num_failed;

static void
on_request(struct doca_rdma_connection *connection, union doca_data ctx_data) {
    (void)ctx_data;
    note("request");
    server_connection = connection;
    if (examines) {
        struct doca_rdma_addr *address = NULL;
        REQUIRE(doca_rdma_connection_get_addr(connection, &address));
        note(address == NULL ? "without address" : "with address");
    }
    if (!answers) {
        return;
    }
    if (disconnects) {
        note("disconnect %s", code_name(doca_rdma_connection_disconnect(connection)));
    } else if (rejects) {
        REQUIRE(doca_rdma_connection_reject(connection));
    } else {
        REQUIRE(doca_rdma_connection_accept(connection, NULL, 0));
    }
}

static void
on_established(struct doca_rdma_connection *connection, union doca_data connection_data, union doca_data ctx_data) {
    (void)ctx_data;
    if (connection != server_connection) {
        client_connection = connection;
        note("client data %llu", (unsigned long long)connection_data.u64);
    }
    num_established++;
}

static void
on_failure(struct doca_rdma_connection *connection, union doca_data connection_data, union doca_data ctx_data) {
    (void)connection;
    (void)connection_data;
    (void)ctx_data;
    note("failure");
    num_failed++;
}

static void
on_disconnect(struct doca_rdma_connection *connection, union doca_data connection_data, union doca_data ctx_data) {
    (void)connection_data;
    (void)ctx_data;
    note("%s disconnected", connection == server_connection ? "server" : "client");
    num_disconnected++;
    (void)doca_rdma_connection_disconnect(connection);
}

static bool
both_established(void) {
    return num_established == 2;
}

static bool
one_failed(void) {
    return num_failed == 1;
}

static bool
one_disconnected(void) {
    return num_disconnected == 1;
}

/* Makes the far side the server, which does not listen yet. */
static void
start_by_address_of_sides(void) {
    REQUIRE(doca_rdma_set_connection_state_callbacks(
            near_side.rdma, on_request, on_established, on_failure, on_disconnect));
    REQUIRE(doca_rdma_set_connection_state_callbacks(
            far_side.rdma, on_request, on_established, on_failure, on_disconnect));
    start_side(&near_side);
    start_side(&far_side);
    forget_notes();
}

static void
start_by_address(void) {
    create_sides();
    start_by_address_of_sides();
}

static struct doca_rdma_addr *
server_address(void) {
    struct doca_rdma_addr *address;
    uint8_t bytes[DOCA_DEVINFO_IPV4_ADDR_SIZE] = {127, 0, 0, 1};
    if (!is_emulator() && doca_devinfo_get_ipv4_addr(devinfo(), bytes, sizeof(bytes)) != DOCA_SUCCESS) {
        not_available("the device has no IPv4 address");
    }
    char text[16];
    snprintf(text, sizeof(text), "%u.%u.%u.%u", bytes[0], bytes[1], bytes[2], bytes[3]);
    REQUIRE(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, text, PORT, &address));
    return address;
}

static void
connect_by_address(void) {
    start_by_address();
    struct doca_rdma_addr *address = server_address();
    REQUIRE(doca_rdma_start_listen_to_port(far_side.rdma, PORT));
    REQUIRE(doca_rdma_connect_to_addr(near_side.rdma, address, data_of(33)));
}

RULE(connection_start, "A context is RUNNING when the start returns, without any connection.", .source = OBSERVED_3_0,
     .since = 209, .answer = "SUCCESS, to RUNNING, RUNNING") {
    create_sides();
    CODE(doca_ctx_start(near_side.ctx));
    answer_notes();
    answer("%s", state_of(near_side.ctx));
}

RULE(connection_ids, "The connections of a context are numbered from 0.", .source = OBSERVED_3_0, .since = 209,
     .answer = "SUCCESS, SUCCESS, 0 and 1") {
    create_sides();
    REQUIRE(doca_rdma_set_max_num_connections(near_side.rdma, 2));
    start_side(&near_side);
    uint32_t ids[2] = {9, 9};
    for (int i = 0; i < 2; i++) {
        REQUIRE(export_side(&near_side));
        CODE(doca_rdma_connection_get_id(near_side.connection, &ids[i]));
    }
    answer("%u and %u", ids[0], ids[1]);
}

/* Adds a connection of both sides, and returns the near side's id. */
static uint32_t
add_connection(void) {
    uint32_t id = 99;
    REQUIRE(export_side(&near_side));
    REQUIRE(export_side(&far_side));
    REQUIRE(connect_side(&near_side, far_side.details, far_side.details_size));
    REQUIRE(connect_side(&far_side, near_side.details, near_side.details_size));
    REQUIRE(doca_rdma_connection_get_id(near_side.connection, &id));
    return id;
}

RULE(connection_ids_reused, "The id that has been free for the longest time is used next.", .source = OBSERVED_3_0,
     .since = 209, .answer = "0, 1, 2, then 3, 2, 0") {
    struct doca_rdma_connection *connections[3];
    uint32_t id = 99;
    create_sides();
    REQUIRE(doca_rdma_set_max_num_connections(near_side.rdma, 4));
    REQUIRE(doca_rdma_set_max_num_connections(far_side.rdma, 4));
    start_side(&near_side);
    start_side(&far_side);
    for (int i = 0; i < 3; i++) {
        answer_number(add_connection());
        connections[i] = near_side.connection;
    }
    REQUIRE(doca_rdma_connection_disconnect(connections[2]));
    REQUIRE(doca_rdma_connection_disconnect(connections[0]));
    for (int i = 0; i < 3; i++) {
        REQUIRE(export_side(&near_side));
        REQUIRE(doca_rdma_connection_get_id(near_side.connection, &id));
        answer(i == 0 ? "then %u" : "%u", id);
    }
}

RULE(connection_ids_after_restart, "After a restart connections are numbered from 0 again.", .source = OBSERVED_3_0,
     .since = 209, .answer = "0, 0") {
    create_sides();
    for (int i = 0; i < 2; i++) {
        uint32_t id = 99;
        start_side(&near_side);
        REQUIRE(export_side(&near_side));
        REQUIRE(doca_rdma_connection_get_id(near_side.connection, &id));
        answer_number(id);
        (void)doca_ctx_stop(near_side.ctx);
        progress_to_state(near_side.ctx, DOCA_CTX_STATE_IDLE);
    }
}

RULE(connection_limit, "A context has no more connections than it was configured for.", .source = OBSERVED_3_0, .since = 209,
     .answer = "SUCCESS, SUCCESS, FULL") {
    create_sides();
    REQUIRE(doca_rdma_set_max_num_connections(near_side.rdma, 2));
    start_side(&near_side);
    CODE(export_side(&near_side));
    CODE(export_side(&near_side));
    CODE(export_side(&near_side));
}

RULE(connection_user_data, "A connection keeps its user data.", .source = OBSERVED_3_0, .since = 209,
     .answer = "SUCCESS, SUCCESS, 7") {
    create_sides();
    start_side(&near_side);
    REQUIRE(export_side(&near_side));
    union doca_data data = {0};
    CODE(doca_rdma_connection_set_user_data(near_side.connection, data_of(7)));
    CODE(doca_rdma_connection_get_user_data(near_side.connection, &data));
    answer_number((long long)data.u64);
}

RULE(connection_submit_before_peer, "Tasks may be submitted before the peer has connected, and then wait for it.",
     .source = OBSERVED_3_0, .since = 209, .answer = "0, 1 done, yes") {
    create_sides();
    start_sides();
    REQUIRE(connect_side(&near_side, far_side.details, far_side.details_size));
    submit(write_task(&near_side, 1, source(0, 64), remote_target(65536, 64)));
    progress_for(5);
    answer("%zu", num_completions);
    REQUIRE(connect_side(&far_side, near_side.details, near_side.details_size));
    answer_results(1);
    answer_flag(is_copied(0, 65536, 64));
}

RULE(connection_of_receive, "A receive returns the connection of its message.", .source = OBSERVED_3_0, .since = 209,
     .answer = "1 done, 2 done, yes") {
    connect_sides();
    struct doca_task *receive = receive_task(&far_side, 1, target(65536, 64));
    submit(receive);
    submit(send_task(&near_side, 2, source(0, 64)));
    answer_results(2);
    answer_flag(doca_rdma_task_receive_get_result_rdma_connection((struct doca_rdma_task_receive *)receive)
                == far_side.connection);
}

RULE(connection_receive_queue, "On the CPU data path the receive queue has no size that can be set or read.",
     .source = OBSERVED_3_0, .since = 300, .answer = "NOT_SUPPORTED, NOT_SUPPORTED") {
    uint32_t size;
    create_sides();
    CODE(doca_rdma_set_recv_queue_size(near_side.rdma, 64));
    CODE(doca_rdma_get_recv_queue_size(near_side.rdma, &size));
}

static uint64_t num_in_order;

static void
note_receive(struct doca_task *task, uint64_t number) {
    (void)task;
    num_in_order += number == num_in_order;
}

RULE(connection_stale_details, "Details of a peer that has stopped since are accepted.", .source = OBSERVED_3_0,
     .since = 209, .answer = "SUCCESS") {
    create_sides();
    start_sides();
    static uint8_t details[4096];
    const size_t size = far_side.details_size;
    memcpy(details, far_side.details, size);
    REQUIRE(doca_ctx_stop(far_side.ctx));
    progress_to_state(far_side.ctx, DOCA_CTX_STATE_IDLE);
    CODE(connect_side(&near_side, details, size));
}

RULE(connection_of_other_context, "A task may name a connection of another context, over which it is executed.",
     .source = OBSERVED_3_0, .since = 209, .answer = "SUCCESS, 1 done, yes") {
    connect_sides();
    struct side other = near_side;
    other.connection = far_side.connection;
    CODE(doca_task_submit(write_task(&other, 1, source(0, 64), remote_target(65536, 64))));
    answer_results(1);
    answer_flag(is_copied(0, 65536, 64));
}

RULE(connection_receive_order, "Receives of two connections complete in the order of their posting.",
     .source = OBSERVED_3_0, .since = 209, .answer = "in order") {
    create_sides();
    REQUIRE(doca_rdma_set_max_num_connections(near_side.rdma, 2));
    REQUIRE(doca_rdma_set_max_num_connections(far_side.rdma, 2));
    start_side(&near_side);
    start_side(&far_side);
    struct side near_sides[2];
    for (int i = 0; i < 2; i++) {
        REQUIRE(export_side(&near_side));
        REQUIRE(export_side(&far_side));
        REQUIRE(connect_side(&near_side, far_side.details, far_side.details_size));
        REQUIRE(connect_side(&far_side, near_side.details, near_side.details_size));
        near_sides[i] = near_side;
    }
    on_task = note_receive;
    for (uint64_t number = 0; number < 4; number++) {
        submit(receive_task(&far_side, number, target(65536 + number * 64, 64)));
    }
    for (uint64_t number = 0; number < 4; number++) {
        submit(send_task(&near_sides[number / 2 % 2], 5 + number, source(number * 64, 64)));
        progress_to(2 * number + 2);
    }
    answer("%s", num_in_order == 4 ? "in order" : "not in order");
}

static void
answer_retries(void) {
    uint8_t retries = 255;
    REQUIRE(doca_rdma_get_rnr_retry_count(near_side.rdma, &retries));
    answer_number(retries);
}

static void
answer_request_timeout(void) {
    uint16_t timeout = UINT16_MAX;
    REQUIRE(doca_rdma_get_connection_request_timeout(near_side.rdma, &timeout));
    answer_number(timeout);
}

RULE(connection_properties, "The retry count and the request timeout can be set.", .source = OBSERVED_3_0, .since = 209,
     .answer = "SUCCESS, 7, SUCCESS, 500") {
    create_sides();
    CODE(doca_rdma_set_rnr_retry_count(near_side.rdma, 7));
    answer_retries();
    CODE(doca_rdma_set_connection_request_timeout(near_side.rdma, 500));
    answer_request_timeout();
}

RULE(connection_default_timeout, "The request timeout is 5 s, and the retry count is 6 unless set.",
     .source = OBSERVED_3_0, .since = 209, .answer = "5000, 6") {
    create_sides();
    answer_request_timeout();
    answer_retries();
}

RULE(connection_properties_unchecked, "The values of the retry count and the request timeout are not checked.",
     .source = OBSERVED_3_0, .since = 209, .answer = "SUCCESS, 9, SUCCESS, 0, NOT_SUPPORTED") {
    create_sides();
    CODE(doca_rdma_set_rnr_retry_count(near_side.rdma, 9));
    answer_retries();
    CODE(doca_rdma_set_connection_request_timeout(near_side.rdma, 0));
    answer_request_timeout();
    CODE(doca_rdma_set_max_num_connections(near_side.rdma, 0));
}

RULE(connection_retries_of_three_bits, "A retry count of 8 means 0.", .source = OBSERVED_3_0, .since = 209,
     .answer = "1 IO_FAILED, STOPPING and RUNNING") {
    create_sides();
    REQUIRE(doca_rdma_set_rnr_retry_count(near_side.rdma, 8));
    start_sides();
    REQUIRE(connect_side(&near_side, far_side.details, far_side.details_size));
    REQUIRE(connect_side(&far_side, near_side.details, near_side.details_size));
    submit(send_task(&near_side, 1, source(0, 64)));
    progress_for(150);
    answer_results(1);
    answer_states();
}

RULE(connection_properties_when_running, "Properties of connections must be set before the start.",
     .source = OBSERVED_3_0, .since = 209, .answer = "BAD_STATE, BAD_STATE, BAD_STATE") {
    connect_sides();
    CODE(doca_rdma_set_rnr_retry_count(near_side.rdma, 1));
    CODE(doca_rdma_set_connection_request_timeout(near_side.rdma, 1));
    CODE(doca_rdma_set_max_num_connections(near_side.rdma, 0));
}

RULE(address_params, "An address returns its type, its text and its port.", .source = OBSERVED_3_0, .since = 209,
     .answer = "SUCCESS, SUCCESS, 0, 192.168.100.2, 4711, SUCCESS") {
    struct doca_rdma_addr *address;
    enum doca_rdma_addr_type type = 9;
    const char *text = "";
    uint16_t port = 0;
    CODE(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "192.168.100.2", 4711, &address));
    CODE(doca_rdma_addr_get_params(address, &type, &text, &port));
    answer_number(type);
    answer("%s", text);
    answer_number(port);
    CODE(doca_rdma_addr_destroy(address));
}

RULE(address_result_null, "The library does not check that an address has a result pointer.", .source = OBSERVED_3_0,
     .since = 209, .answer = "process died: Segmentation fault") {
    CODE(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "192.168.100.2", 4711, NULL));
}

RULE(address_text_null, "The library does not check that an address has a text.", .source = OBSERVED_3_0, .since = 209,
     .answer = "process died: Segmentation fault") {
    struct doca_rdma_addr *address;
    CODE(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, NULL, 4711, &address));
}

RULE(listen_idle, "A context can listen and request connections only while it is RUNNING.", .source = OBSERVED_3_0,
     .since = 209, .answer = "BAD_STATE, BAD_STATE, BAD_STATE") {
    create_sides();
    REQUIRE(doca_rdma_set_connection_state_callbacks(
            far_side.rdma, on_request, on_established, on_failure, on_disconnect));
    CODE(doca_rdma_start_listen_to_port(far_side.rdma, PORT));
    CODE(doca_rdma_stop_listen_to_port(far_side.rdma, PORT));
    CODE(doca_rdma_connect_to_addr(far_side.rdma, server_address(), data_of(1)));
}

RULE(connection_callbacks, "Callbacks for connections cannot be NULL, except that for requests, even if a context listens.",
     .source = OBSERVED_3_0, .since = 209,
     .answer = "INVALID_VALUE, INVALID_VALUE, INVALID_VALUE, SUCCESS, SUCCESS, SUCCESS") {
    create_sides();
    struct doca_rdma *rdma = near_side.rdma;
    CODE(doca_rdma_set_connection_state_callbacks(rdma, on_request, NULL, on_failure, on_disconnect));
    CODE(doca_rdma_set_connection_state_callbacks(rdma, on_request, on_established, NULL, on_disconnect));
    CODE(doca_rdma_set_connection_state_callbacks(rdma, on_request, on_established, on_failure, NULL));
    CODE(doca_rdma_set_connection_state_callbacks(rdma, NULL, on_established, on_failure, on_disconnect));
    start_side(&near_side);
    CODE(doca_rdma_start_listen_to_port(rdma, PORT));
    CODE(doca_rdma_connect_to_addr(rdma, server_address(), data_of(1)));
}

RULE(connection_callbacks_missing, "A context without callbacks can listen and request connections.",
     .source = OBSERVED_3_0, .since = 209, .answer = "SUCCESS, SUCCESS") {
    create_sides();
    start_side(&near_side);
    CODE(doca_rdma_start_listen_to_port(near_side.rdma, PORT));
    CODE(doca_rdma_connect_to_addr(near_side.rdma, server_address(), data_of(1)));
}

RULE(connect_by_address, "A connection by address is requested, accepted, and established on both sides.",
     .source = OBSERVED_3_0, .since = 209, .answer = "request, client data 33, established 2") {
    connect_by_address();
    progress_until(both_established);
    answer_notes();
    answer("established %u", num_established);
}

RULE(connect_by_address_destroyed, "An address can be destroyed after the request, also before the connection is established.",
     .source = OBSERVED_3_0, .since = 209, .answer = "SUCCESS, request, client data 33, established 2") {
    start_by_address();
    struct doca_rdma_addr *address = server_address();
    REQUIRE(doca_rdma_start_listen_to_port(far_side.rdma, PORT));
    REQUIRE(doca_rdma_connect_to_addr(near_side.rdma, address, data_of(33)));
    CODE(doca_rdma_addr_destroy(address));
    progress_until(both_established);
    answer_notes();
    answer("established %u", num_established);
}

RULE(listen_to_port_0, "Listening to port 0 is accepted, although nobody knows which port that is.", .source = OBSERVED_3_0,
     .since = 209, .answer = "SUCCESS") {
    start_by_address();
    CODE(doca_rdma_start_listen_to_port(far_side.rdma, 0));
}

RULE(connect_by_address_transfer, "A connection by address executes tasks as other connections do.", .source = OBSERVED_3_0,
     .since = 209, .answer = "1 done, 2 done, yes") {
    connect_by_address();
    progress_until(both_established);
    near_side.connection = client_connection;
    far_side.connection = server_connection;
    submit(receive_task(&far_side, 1, target(65536, 64)));
    submit(send_task(&near_side, 2, source(0, 64)));
    answer_results(2);
    answer_flag(is_copied(0, 65536, 64));
}

RULE(connect_by_address_rejected, "A client is notified of the failure when its request is rejected.", .source = OBSERVED_3_0,
     .since = 209, .answer = "request, failure") {
    rejects = true;
    connect_by_address();
    progress_until(one_failed);
    answer_notes();
}

RULE(connect_by_address_disconnected, "The disconnect of a request succeeds, but does not answer the client.",
     .source = OBSERVED_3_0, .since = 209, .answer = "request, disconnect SUCCESS, still waiting") {
    disconnects = true;
    connect_by_address();
    progress_until(one_failed);
    answer_notes();
}

RULE(connect_by_address_port, "On the server, the address of a connection is that of the client, with the client's port.",
     .source = OBSERVED_3_0, .since = 209, .answer = "SUCCESS, SUCCESS, the requested port no") {
    struct doca_rdma_addr *address;
    enum doca_rdma_addr_type type;
    const char *text;
    uint16_t port = 0;
    connect_by_address();
    progress_until(both_established);
    CODE(doca_rdma_connection_get_addr(server_connection, &address));
    CODE(doca_rdma_addr_get_params(address, &type, &text, &port));
    answer("the requested port %s", port == PORT ? "yes" : "no");
}

/* Connects to a server that has as many connections as it was configured for, and waits for the failure. */
static void
connect_to_full_server(void) {
    examines = true;
    create_sides();
    REQUIRE(doca_rdma_set_max_num_connections(far_side.rdma, 1));
    start_by_address_of_sides();
    REQUIRE(export_side(&far_side));
    struct doca_rdma_addr *address = server_address();
    REQUIRE(doca_rdma_start_listen_to_port(far_side.rdma, PORT));
    REQUIRE(doca_rdma_connect_to_addr(near_side.rdma, address, data_of(33)));
    progress_until(one_failed);
    answer_notes();
    answer_states();
}

RULE(connect_by_address_full,
     "A request to a context without room for another connection has a spare connection. After the callback the library "
     "rejects the request, and the connection has no address any more.", .source = OBSERVED_3_0, .since = 209,
     .answer = "request, with address, failure, RUNNING and RUNNING, SUCCESS, no address, SUCCESS") {
    struct doca_rdma_addr *address;
    answers = false;
    connect_to_full_server();
    CODE(doca_rdma_connection_get_addr(server_connection, &address));
    answer(address == NULL ? "no address" : "an address");
    CODE(doca_rdma_connection_reject(server_connection));
}

RULE(connect_by_address_limit, "A client that has all its connections requests no other.", .source = OBSERVED_3_0,
     .since = 209, .answer = "FULL") {
    connect_by_address();
    progress_until(both_established);
    CODE(doca_rdma_connect_to_addr(near_side.rdma, server_address(), data_of(34)));
}

RULE(connect_by_address_full_accepted,
     "A callback accepts a request to a context without room with success. The library rejects it all the same.",
     .source = OBSERVED_3_0, .since = 209, .answer = "request, with address, failure, RUNNING and RUNNING") {
    connect_to_full_server();
}

RULE(connect_by_address_full_accepted_later,
     "The library does not check whether the connection of a request still exists.", .source = OBSERVED_3_0, .since = 209,
     .answer = "request, with address, failure, RUNNING and RUNNING, process died: Segmentation fault") {
    answers = false;
    connect_to_full_server();
    CODE(doca_rdma_connection_accept(server_connection, NULL, 0));
}

RULE(connect_by_address_unanswered,
     "A request that the server does not answer does not end with the request timeout, which limits the resolution of the "
     "address.", .source = OBSERVED_3_0, .since = 209, .answer = "request, nothing more") {
    answers = false;
    create_sides();
    REQUIRE(doca_rdma_set_connection_request_timeout(near_side.rdma, 50));
    start_by_address_of_sides();
    struct doca_rdma_addr *address = server_address();
    REQUIRE(doca_rdma_start_listen_to_port(far_side.rdma, PORT));
    REQUIRE(doca_rdma_connect_to_addr(near_side.rdma, address, data_of(33)));
    progress_for(500);
    answer_notes();
    if (num_failed == 0) {
        answer("nothing more");
    }
}

RULE(connect_by_address_garbage, "The text of an address is not checked before a request.", .source = OBSERVED_3_0,
     .since = 209, .answer = "SUCCESS, CONNECTION_ABORTED") {
    struct doca_rdma_addr *address = NULL;
    start_by_address();
    CODE(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "192.168.100.256", PORT, &address));
    if (address != NULL) {
        CODE(doca_rdma_connect_to_addr(near_side.rdma, address, data_of(33)));
    }
}

RULE(connect_by_address_nobody, "A client is notified of the failure when no server listens.", .source = OBSERVED_3_0,
     .since = 209, .answer = "SUCCESS, failure") {
    start_by_address();
    struct doca_rdma_addr *address = server_address();
    CODE(doca_rdma_connect_to_addr(near_side.rdma, address, data_of(33)));
    progress_until(one_failed);
    answer_notes();
}

RULE(disconnect, "When one side disconnects, the other side is notified.", .source = OBSERVED_3_0, .since = 209,
     .answer = "SUCCESS, server disconnected, RUNNING and RUNNING") {
    connect_by_address();
    progress_until(both_established);
    forget_notes();
    CODE(doca_rdma_connection_disconnect(client_connection));
    progress_until(one_disconnected);
    answer_notes();
    answer_states();
}

RULE(disconnect_frees_place, "A context has room for another connection after a disconnect.", .source = OBSERVED_3_0,
     .since = 209, .answer = "SUCCESS, SUCCESS") {
    connect_by_address();
    progress_until(both_established);
    REQUIRE(doca_rdma_connection_disconnect(client_connection));
    progress_until(one_disconnected);
    progress_for(20);
    CODE(export_side(&near_side));
    CODE(export_side(&far_side));
}

RULE(disconnect_exported, "A connection by details can be disconnected, which frees its place; the peer is not notified.",
     .source = OBSERVED_3_0, .since = 209, .answer = "SUCCESS, nothing, RUNNING and RUNNING, SUCCESS") {
    create_sides();
    start_sides();
    REQUIRE(connect_side(&near_side, far_side.details, far_side.details_size));
    REQUIRE(connect_side(&far_side, near_side.details, near_side.details_size));
    forget_notes();
    CODE(doca_rdma_connection_disconnect(near_side.connection));
    progress_for(20);
    answer_notes();
    answer_states();
    CODE(export_side(&near_side));
}

RULE(disconnect_unconnected,
     "The disconnect of a connection that is not connected does nothing: its place is not free, and it can be connected.",
     .source = OBSERVED_3_0, .since = 209, .answer = "SUCCESS, SUCCESS, FULL, SUCCESS, SUCCESS") {
    create_sides();
    start_sides();
    struct doca_rdma_connection *connection = near_side.connection;
    const void *details = near_side.details;
    const size_t details_size = near_side.details_size;
    CODE(doca_rdma_connection_disconnect(connection));
    CODE(doca_rdma_connection_disconnect(connection));
    CODE(export_side(&near_side));
    CODE(doca_rdma_connect(near_side.rdma, far_side.details, far_side.details_size, connection));
    CODE(connect_side(&far_side, details, details_size));
}

RULE(disconnect_by_peer, "A task over a connection by details that the peer has disconnected fails and stops the context.",
     .source = OBSERVED_3_0, .since = 209, .answer = "1 IO_FAILED, STOPPING and RUNNING") {
    connect_sides();
    REQUIRE(doca_rdma_connection_disconnect(far_side.connection));
    submit(write_task(&near_side, 1, source(0, 64), remote_target(65536, 64)));
    answer_results(1);
    answer_states();
}

RULE(disconnect_in_flight, "A disconnect fails the tasks in flight over the connection. The context keeps running.",
     .source = OBSERVED_3_0, .since = 209, .answer = "SUCCESS, 1 IO_FAILED, 2 IO_FAILED, RUNNING and RUNNING") {
    connect_sides();
    submit(send_task(&near_side, 1, source(0, 64)));
    submit(send_task(&near_side, 2, source(64, 64)));
    progress_for(5);
    CODE(doca_rdma_connection_disconnect(near_side.connection));
    answer_results(2);
    answer_states();
}

RULE(disconnect_submit, "A task over a disconnected connection is accepted.", .source = OBSERVED_3_0, .since = 209,
     .answer = "SUCCESS") {
    connect_by_address();
    progress_until(both_established);
    near_side.connection = client_connection;
    struct doca_task *task = write_task(&near_side, 1, source(0, 64), remote_target(65536, 64));
    REQUIRE(doca_rdma_connection_disconnect(client_connection));
    progress_until(one_disconnected);
    CODE(doca_task_submit(task));
}

RULE(listen_stop, "A context can stop listening.", .source = OBSERVED_3_0, .since = 209,
     .answer = "SUCCESS, SUCCESS, failure") {
    start_by_address();
    struct doca_rdma_addr *address = server_address();
    REQUIRE(doca_rdma_start_listen_to_port(far_side.rdma, PORT));
    CODE(doca_rdma_stop_listen_to_port(far_side.rdma, PORT));
    CODE(doca_rdma_connect_to_addr(near_side.rdma, address, data_of(33)));
    progress_until(one_failed);
    answer_notes();
}

RULE(listen_twice, "Only one listener can have a given port.", .source = OBSERVED_3_0, .since = 209,
     .answer = "SUCCESS, CONNECTION_ABORTED") {
    start_by_address();
    (void)server_address();
    CODE(doca_rdma_start_listen_to_port(far_side.rdma, PORT));
    CODE(doca_rdma_start_listen_to_port(near_side.rdma, PORT));
}
