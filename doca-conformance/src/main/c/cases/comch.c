/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fixture.h"
#include "peer.h"

#define THEME "comm channel"


static struct doca_comch_server *server;
static struct doca_comch_client *client;
static struct doca_comch_connection *connection;
static struct doca_dev_rep *representor;
static unsigned num_received;
static char received[256];
static char service[32];

/* Returns a server name of this case only: the server of another case may still be running. */
static const char *
service_of(pid_t case_process) {
    snprintf(service, sizeof(service), "conformance-%d", (int)case_process);
    return service;
}

/* The representor of the first function of the host. */
static void
open_representor(void) {
    open_device();
    struct doca_devinfo_rep **list;
    uint32_t count = 0;
    if (doca_comch_cap_server_is_supported(devinfo()) != DOCA_SUCCESS
        || doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &count) != DOCA_SUCCESS
        || count == 0) {
        not_available("the device serves no comm channel");
    }
    REQUIRE(doca_dev_rep_open(list[0], &representor));
}

static void
note_sent(struct doca_comch_task_send *task, union doca_data task_data, union doca_data ctx_data) {
    (void)ctx_data;
    note_task(doca_comch_task_send_as_task(task), task_data.u64, true);
}

static void
note_not_sent(struct doca_comch_task_send *task, union doca_data task_data, union doca_data ctx_data) {
    (void)ctx_data;
    note_task(doca_comch_task_send_as_task(task), task_data.u64, false);
}

static void
note_received(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t len,
              struct doca_comch_connection *from) {
    (void)event;
    (void)from;
    snprintf(received + strlen(received), sizeof(received) - strlen(received), "%s%.*s", num_received == 0 ? "" : " ",
             (int)len, (const char *)bytes);
    num_received++;
}

/* The server sends each message back. */
static void
send_back(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t len, struct doca_comch_connection *from) {
    (void)event;
    struct doca_comch_task_send *task;
    REQUIRE(doca_comch_server_task_send_alloc_init(server, from, bytes, len, &task));
    REQUIRE(doca_task_submit(doca_comch_task_send_as_task(task)));
}

static void
free_sent(struct doca_comch_task_send *task, union doca_data task_data, union doca_data ctx_data) {
    (void)task_data;
    (void)ctx_data;
    doca_task_free(doca_comch_task_send_as_task(task));
}

static void
keep_connection(struct doca_comch_event_connection_status_changed *event, struct doca_comch_connection *changed,
                uint8_t successful) {
    (void)event;
    (void)successful;
    connection = changed;
}

static void
forget_connection(struct doca_comch_event_connection_status_changed *event, struct doca_comch_connection *changed,
                  uint8_t successful) {
    (void)event;
    (void)changed;
    (void)successful;
    connection = NULL;
    send_to_peer("gone", 4);
}

/* Keeps the server in the callback for a message until the case has got its answer. */
static void
hold_message(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t len, struct doca_comch_connection *from) {
    (void)event;
    (void)bytes;
    (void)len;
    (void)from;
    await_peer();
}

static void
configure_server(const char *name) {
    open_representor();
    create_engine();
    REQUIRE(doca_comch_server_create(dev, representor, name, &server));
    REQUIRE(doca_comch_server_task_send_set_conf(server, free_sent, free_sent, 16));
    REQUIRE(doca_comch_server_event_msg_recv_register(server, send_back));
    REQUIRE(doca_comch_server_event_connection_status_changed_register(server, keep_connection, forget_connection));
    REQUIRE(doca_pe_connect_ctx(pe, doca_comch_server_as_ctx(server)));
}

/* Runs the server until the case has ended. A message of the case ends the connection. */
static void
run_server(void) {
    REQUIRE(doca_ctx_start(doca_comch_server_as_ctx(server)));
    send_to_peer("ready", 5);
    char request;
    for (;;) {
        if (doca_pe_progress(pe) == 0) {
            pause_for(1);
        }
        const ssize_t length = recv(PEER_SOCKET, &request, sizeof(request), MSG_DONTWAIT);
        if (length == 0) {
            return;
        }
        if (length > 0 && connection != NULL) {
            REQUIRE(doca_comch_server_disconnect(server, connection));
        }
    }
}

/* The second process: an echo server. */
static void
serve(void) {
    configure_server(service_of(getppid()));
    run_server();
}

/* The second process: a server that does not return from its first message. */
static void
serve_one_message(void) {
    configure_server(service_of(getppid()));
    REQUIRE(doca_comch_server_event_msg_recv_register(server, hold_message));
    run_server();
}

static struct doca_ctx *
configure_client(const char *name) {
    if (doca_comch_cap_client_is_supported(devinfo()) != DOCA_SUCCESS || !is_emulator()) {
        not_available("the client has to run on the other side of the bus");
    }
    create_engine();
    REQUIRE(doca_comch_client_create(dev, name, &client));
    REQUIRE(doca_comch_client_task_send_set_conf(client, note_sent, note_not_sent, 16));
    REQUIRE(doca_comch_client_event_msg_recv_register(client, note_received));
    struct doca_ctx *ctx = doca_comch_client_as_ctx(client);
    REQUIRE(doca_ctx_set_state_changed_cb(ctx, note_state));
    REQUIRE(doca_pe_connect_ctx(pe, ctx));
    return ctx;
}

/* Returns a client that is connected to the server of the second process. */
static struct doca_ctx *
connect_client(void) {
    struct doca_ctx *ctx = configure_client(service_of(getpid()));
    char ready[8];
    (void)receive_from_peer(ready, sizeof(ready));
    const doca_error_t result = doca_ctx_start(ctx);
    if (result != DOCA_ERROR_IN_PROGRESS) {
        require_success(result, "doca_ctx_start");
    }
    progress_to_state(ctx, DOCA_CTX_STATE_RUNNING);
    REQUIRE(doca_comch_client_get_connection(client, &connection));
    return ctx;
}

static struct doca_task *
message_task(uint64_t number, const char *text) {
    struct doca_comch_task_send *task;
    REQUIRE(doca_comch_client_task_send_alloc_init(client, connection, text, (uint32_t)strlen(text), &task));
    struct doca_task *base = doca_comch_task_send_as_task(task);
    doca_task_set_user_data(base, data_of(number));
    return base;
}

/* The server needs time, and nothing is in flight while the case waits for it. */
static bool
is_idle(void) {
    return strcmp(state_of(doca_comch_client_as_ctx(client)), "IDLE") == 0;
}

static bool
has_received(void) {
    return num_received == 1;
}

static bool
has_received_three(void) {
    return num_received == 3;
}

RULE(comch_capabilities, "Messages have 4080 bytes or more, names 119 or more.", .source = OBSERVED_2_2, .since = 207,
     .answer = "SUCCESS, yes, SUCCESS, yes") {
    uint32_t value = 0;
    CODE(doca_comch_cap_get_max_msg_size(devinfo(), &value));
    answer_flag(value >= 4080);
    CODE(doca_comch_cap_get_max_name_len(devinfo(), &value));
    answer_flag(value >= 119);
}

RULE(comch_server_arguments, "A server needs a device, a representor, a name and a result pointer.", .source = HEADER,
     .since = 207, .answer = "INVALID_VALUE, INVALID_VALUE, INVALID_VALUE, INVALID_VALUE") {
    open_representor();
    CODE(doca_comch_server_create(NULL, representor, service_of(getpid()), &server));
    CODE(doca_comch_server_create(dev, NULL, service_of(getpid()), &server));
    CODE(doca_comch_server_create(dev, representor, NULL, &server));
    CODE(doca_comch_server_create(dev, representor, service_of(getpid()), NULL));
}

RULE(comch_client_arguments, "A client needs a device, a name and a result pointer.", .source = HEADER, .since = 207,
     .host = true, .answer = "INVALID_VALUE, INVALID_VALUE, INVALID_VALUE") {
    if (doca_comch_cap_client_is_supported(devinfo()) != DOCA_SUCCESS) {
        not_available("the device has no clients");
    }
    CODE(doca_comch_client_create(NULL, service_of(getpid()), &client));
    CODE(doca_comch_client_create(dev, NULL, &client));
    CODE(doca_comch_client_create(dev, service_of(getpid()), NULL));
}

RULE(comch_name_too_long, "A name longer than the capability is truncated.", .source = READ_2_10, .since = 207,
     .answer = "SUCCESS, CONNECTION_ABORTED") {
    open_representor();
    uint32_t max = 0;
    REQUIRE(doca_comch_cap_get_max_name_len(devinfo(), &max));
    char *name = malloc(max + 64);
    memset(name, 'n', max + 63);
    name[max + 63] = '\0';
    configure_server(name);
    CODE(doca_ctx_start(doca_comch_server_as_ctx(server)));
    name[max - 1] = '\0';
    configure_server(name);
    CODE(doca_ctx_start(doca_comch_server_as_ctx(server)));
}

RULE(comch_name_empty, "An empty name is refused at the start.", .source = READ_2_10, .since = 207,
     .answer = "INVALID_VALUE") {
    configure_server("");
    CODE(doca_ctx_start(doca_comch_server_as_ctx(server)));
}

RULE(comch_create_not_supported, "A device without clients refuses to create one.", .source = READ_2_10, .since = 207,
     .answer = "NOT_SUPPORTED") {
    open_representor();
    if (doca_comch_cap_client_is_supported(devinfo()) == DOCA_SUCCESS) {
        not_available("the device has clients");
    }
    CODE(doca_comch_client_create(dev, service_of(getpid()), &client));
}

RULE(comch_server_start, "A server is RUNNING when the start returns.", .source = SAMPLE, .since = 207,
     .answer = "SUCCESS, RUNNING") {
    configure_server(service_of(getpid()));
    CODE(doca_ctx_start(doca_comch_server_as_ctx(server)));
    answer("%s", state_of(doca_comch_server_as_ctx(server)));
}

RULE(comch_server_callbacks, "A server needs callbacks for messages and connections.", .source = HEADER, .since = 207,
     .answer = "BAD_STATE, BAD_STATE") {
    open_representor();
    create_engine();
    REQUIRE(doca_comch_server_create(dev, representor, service_of(getpid()), &server));
    REQUIRE(doca_pe_connect_ctx(pe, doca_comch_server_as_ctx(server)));
    CODE(doca_ctx_start(doca_comch_server_as_ctx(server)));
    REQUIRE(doca_comch_server_event_connection_status_changed_register(server, keep_connection, forget_connection));
    CODE(doca_ctx_start(doca_comch_server_as_ctx(server)));
}

RULE(comch_server_send_tasks, "A server needs send tasks.", .source = READ_2_10, .since = 207, .answer = "BAD_STATE") {
    open_representor();
    create_engine();
    REQUIRE(doca_comch_server_create(dev, representor, service_of(getpid()), &server));
    REQUIRE(doca_comch_server_event_msg_recv_register(server, send_back));
    REQUIRE(doca_comch_server_event_connection_status_changed_register(server, keep_connection, forget_connection));
    REQUIRE(doca_pe_connect_ctx(pe, doca_comch_server_as_ctx(server)));
    CODE(doca_ctx_start(doca_comch_server_as_ctx(server)));
}

RULE(comch_server_defaults, "Messages have up to 2048 bytes and a receive queue 128 entries, unless set.",
     .source = READ_2_10, .since = 207, .answer = "2048, 128") {
    open_representor();
    uint32_t size = 0;
    REQUIRE(doca_comch_server_create(dev, representor, service_of(getpid()), &server));
    REQUIRE(doca_comch_server_get_max_msg_size(server, &size));
    answer_number(size);
    REQUIRE(doca_comch_server_get_recv_queue_size(server, &size));
    answer_number(size);
}

RULE(comch_server_small_size, "A size below 256 is kept as the property.", .source = READ_2_10, .since = 207,
     .answer = "SUCCESS, SUCCESS, 1") {
    configure_server(service_of(getpid()));
    uint32_t size = 0;
    CODE(doca_comch_server_set_max_msg_size(server, 1));
    CODE(doca_ctx_start(doca_comch_server_as_ctx(server)));
    REQUIRE(doca_comch_server_get_max_msg_size(server, &size));
    answer_number(size);
}

RULE(comch_server_properties, "The sizes of messages and of the receive queue can be set up to the capability.",
     .source = HEADER, .since = 207,
     .answer = "SUCCESS, 256, SUCCESS, INVALID_VALUE, INVALID_VALUE, SUCCESS, yes, INVALID_VALUE") {
    configure_server(service_of(getpid()));
    uint32_t size = 0;
    CODE(doca_comch_server_set_max_msg_size(server, 256));
    REQUIRE(doca_comch_server_get_max_msg_size(server, &size));
    answer_number(size);
    REQUIRE(doca_comch_cap_get_max_msg_size(devinfo(), &size));
    CODE(doca_comch_server_set_max_msg_size(server, size));
    CODE(doca_comch_server_set_max_msg_size(server, size + 1));
    CODE(doca_comch_server_set_max_msg_size(server, 0));
    uint32_t max = 0;
    REQUIRE(doca_comch_cap_get_max_recv_queue_size(devinfo(), &max));
    CODE(doca_comch_server_set_recv_queue_size(server, max));
    REQUIRE(doca_comch_server_get_recv_queue_size(server, &size));
    answer_flag(size == max);
    CODE(doca_comch_server_set_recv_queue_size(server, max + 1));
}

RULE(comch_server_objects, "A server returns its device and its representor.", .source = HEADER, .since = 207,
     .answer = "yes, yes") {
    struct doca_dev *device = NULL;
    struct doca_dev_rep *rep = NULL;
    configure_server(service_of(getpid()));
    REQUIRE(doca_comch_server_get_device(server, &device));
    REQUIRE(doca_comch_server_get_device_rep(server, &rep));
    answer_flag(device == dev);
    answer_flag(rep == representor);
}

RULE(comch_server_callbacks_null, "The callbacks of a server cannot be NULL.", .source = ASSUMED, .since = 207,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    configure_server(service_of(getpid()));
    CODE(doca_comch_server_event_msg_recv_register(server, NULL));
    CODE(doca_comch_server_event_connection_status_changed_register(server, keep_connection, NULL));
}

RULE(comch_server_property_running, "Properties must be set before the start.", .source = HEADER, .since = 207,
     .answer = "BAD_STATE") {
    configure_server(service_of(getpid()));
    REQUIRE(doca_ctx_start(doca_comch_server_as_ctx(server)));
    CODE(doca_comch_server_set_max_msg_size(server, 256));
}

RULE(comch_server_name_twice, "Only one server of a function can have a given name.", .source = ASSUMED, .since = 207,
     .answer = "CONNECTION_ABORTED") {
    configure_server(service_of(getpid()));
    REQUIRE(doca_ctx_start(doca_comch_server_as_ctx(server)));
    configure_server(service_of(getpid()));
    CODE(doca_ctx_start(doca_comch_server_as_ctx(server)));
}

RULE(comch_client_without_server, "The start of a client whose server does not exist fails.", .source = ASSUMED,
     .since = 207, .host = true, .answer = "CONNECTION_ABORTED, IDLE") {
    struct doca_ctx *ctx = configure_client("no such service");
    CODE(doca_ctx_start(ctx));
    answer("%s", state_of(ctx));
}

RULE(comch_client_send_tasks, "A client needs send tasks.", .source = READ_2_10, .since = 207, .host = true,
     .answer = "BAD_STATE") {
    if (doca_comch_cap_client_is_supported(devinfo()) != DOCA_SUCCESS) {
        not_available("the device has no clients");
    }
    create_engine();
    REQUIRE(doca_comch_client_create(dev, service_of(getpid()), &client));
    REQUIRE(doca_comch_client_event_msg_recv_register(client, note_received));
    REQUIRE(doca_pe_connect_ctx(pe, doca_comch_client_as_ctx(client)));
    CODE(doca_ctx_start(doca_comch_client_as_ctx(client)));
}

RULE(comch_other_size, "A client whose largest message is another one than the server's goes from STARTING to IDLE.",
     .source = READ_2_10, .since = 207, .host = true, .peer = serve,
     .answer = "IN_PROGRESS, to STARTING, to IDLE, BAD_STATE") {
    struct doca_ctx *ctx = configure_client(service_of(getpid()));
    char ready[8];
    (void)receive_from_peer(ready, sizeof(ready));
    REQUIRE(doca_comch_client_set_max_msg_size(client, 2000));
    CODE(doca_ctx_start(ctx));
    progress_to_state(ctx, DOCA_CTX_STATE_IDLE);
    answer_notes();
    CODE(doca_comch_client_get_connection(client, &connection));
}

RULE(comch_connection_of_running_client, "A client has a connection only while it is RUNNING.", .source = READ_2_10,
     .since = 207, .host = true, .peer = serve, .answer = "BAD_STATE, BAD_STATE, SUCCESS") {
    struct doca_ctx *ctx = configure_client(service_of(getpid()));
    char ready[8];
    (void)receive_from_peer(ready, sizeof(ready));
    CODE(doca_comch_client_get_connection(client, &connection));
    const doca_error_t result = doca_ctx_start(ctx);
    if (result != DOCA_ERROR_IN_PROGRESS) {
        require_success(result, "doca_ctx_start");
    }
    CODE(doca_comch_client_get_connection(client, &connection));
    progress_to_state(ctx, DOCA_CTX_STATE_RUNNING);
    CODE(doca_comch_client_get_connection(client, &connection));
}

RULE(comch_connect, "A client is STARTING, and becomes RUNNING when the server has accepted it.", .source = SAMPLE,
     .since = 207, .host = true, .peer = serve, .answer = "to STARTING, to RUNNING, yes") {
    (void)connect_client();
    answer_notes();
    answer_flag(connection != NULL);
}

RULE(comch_echo, "A message arrives whole, and so does the reply.", .source = SAMPLE, .since = 207, .host = true,
     .peer = serve, .answer = "received hello, 1 sent") {
    (void)connect_client();
    forget_notes();
    REQUIRE(doca_task_submit(message_task(1, "hello")));
    progress_to(1);
    progress_until(has_received);
    answer("received %s", received);
    answer("%zu sent", num_completions);
}

RULE(comch_send_completes, "A send completes while the receiver's callback for an earlier message has not returned.",
     .source = READ_2_10, .since = 207, .host = true, .peer = serve_one_message, .answer = "1 sent, 2 sent") {
    (void)connect_client();
    forget_notes();
    for (uint64_t number = 1; number <= 2; number++) {
        REQUIRE(doca_task_submit(message_task(number, "text")));
        progress_to((size_t)number);
        answer("%zu sent", num_completions);
    }
    signal_peer();
}

RULE(comch_order, "Messages of a connection keep their order.", .source = GUIDE, .since = 207, .host = true,
     .peer = serve, .answer = "received a b c") {
    (void)connect_client();
    for (uint64_t number = 1; number <= 3; number++) {
        static const char *const texts[] = {"a", "b", "c"};
        REQUIRE(doca_task_submit(message_task(number, texts[number - 1])));
    }
    progress_until(has_received_three);
    answer("received %s", received);
}

RULE(comch_server_disconnects, "A client whose server disconnects it stops by itself.", .source = HEADER, .since = 207,
     .host = true, .peer = serve, .answer = "to STOPPING, to IDLE") {
    (void)connect_client();
    forget_notes();
    signal_peer();
    progress_until(is_idle);
    answer_notes();
}

RULE(comch_server_dies, "A client whose server dies stops by itself.", .source = ASSUMED, .since = 207, .host = true,
     .peer = serve, .answer = "to STOPPING, to IDLE") {
    (void)connect_client();
    forget_notes();
    kill_peer();
    progress_until(is_idle);
    answer_notes();
}

RULE(comch_client_stops, "A server is notified when its client stops.", .source = HEADER, .since = 207, .host = true,
     .peer = serve, .answer = "notified gone") {
    struct doca_ctx *ctx = connect_client();
    (void)doca_ctx_stop(ctx);
    progress_to_state(ctx, DOCA_CTX_STATE_IDLE);
    char notice[8] = "";
    (void)receive_from_peer(notice, sizeof(notice) - 1);
    answer("notified %s", notice);
}

RULE(comch_message_size,
     "The length of a message is checked at its submission: 1 to the next power of two of the configured size.",
     .source = READ_2_10, .since = 207, .host = true, .peer = serve,
     .answer = "SUCCESS, INVALID_VALUE, SUCCESS, INVALID_VALUE, SUCCESS, SUCCESS") {
    (void)connect_client();
    static const uint32_t lengths[] = {0, 2049, 2048};
    for (size_t i = 0; i < 3; i++) {
        struct doca_comch_task_send *task;
        CODE(doca_comch_client_task_send_alloc_init(client, connection, memory, lengths[i], &task));
        CODE(doca_task_submit(doca_comch_task_send_as_task(task)));
    }
    progress_to(1);
}

RULE(comch_message_null, "A message without memory is refused at its submission.", .source = READ_2_10, .since = 207,
     .host = true, .peer = serve, .answer = "SUCCESS, INVALID_VALUE") {
    (void)connect_client();
    struct doca_comch_task_send *task;
    CODE(doca_comch_client_task_send_alloc_init(client, connection, NULL, 1, &task));
    CODE(doca_task_submit(doca_comch_task_send_as_task(task)));
}

RULE(comch_message_captured, "The bytes of a message may be changed after its submission has returned.",
     .source = ASSUMED, .since = 207, .host = true, .peer = serve, .answer = "received first") {
    (void)connect_client();
    static char text[] = "first";
    struct doca_task *task = message_task(1, text);
    REQUIRE(doca_task_submit(task));
    memcpy(text, "other", 5);
    progress_until(has_received);
    answer("received %s", received);
}
