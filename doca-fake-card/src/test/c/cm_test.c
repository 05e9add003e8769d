/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Connects by addresses, inside of the process and to another one: this program once more, which does one thing and reports it
 * by a line, then waits to be killed.
 */

#define CHECK(condition)                                                                                             \
    do {                                                                                                             \
        if (!(condition)) {                                                                                          \
            fprintf(stderr, "%s:%d: %s: not so: %s (errno %s)\n", __FILE__, __LINE__, __func__, #condition,           \
                    strerror(errno));                                                                                \
            exit(1);                                                                                                 \
        }                                                                                                            \
    } while (0)

#define PORT 18515
#define PATIENCE_MS 30000
#define NO_LISTENER 8
#define REFUSED 28

static struct sockaddr_in
address_of(const char *text, uint16_t port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    CHECK(inet_pton(AF_INET, text, &address.sin_addr) == 1);
    return address;
}

static struct rdma_event_channel *
new_channel(void) {
    struct rdma_event_channel *channel = rdma_create_event_channel();
    CHECK(channel != NULL);
    return channel;
}

static struct rdma_cm_id *
new_id(struct rdma_event_channel *channel, void *context) {
    struct rdma_cm_id *id = NULL;
    CHECK(rdma_create_id(channel, &id, context, RDMA_PS_TCP) == 0);
    CHECK(id->channel == channel && id->context == context);
    return id;
}

/* Waits for the next event, which has to be of this kind and status. The caller acknowledges it. */
static struct rdma_cm_event *
next(struct rdma_event_channel *channel, enum rdma_cm_event_type kind, int status) {
    struct rdma_cm_event *event = NULL;
    struct pollfd ready = {.fd = channel->fd, .events = POLLIN};
    CHECK(poll(&ready, 1, PATIENCE_MS) == 1);
    CHECK(rdma_get_cm_event(channel, &event) == 0);
    if (event->event != kind || event->status != status) {
        fprintf(stderr, "%s with status %d instead of %s with %d\n", rdma_event_str(event->event), event->status,
                rdma_event_str(kind), status);
        exit(1);
    }
    return event;
}

static void
expect(struct rdma_event_channel *channel, enum rdma_cm_event_type kind, int status) {
    CHECK(rdma_ack_cm_event(next(channel, kind, status)) == 0);
}

static bool
is_empty(struct rdma_event_channel *channel) {
    struct pollfd ready = {.fd = channel->fd, .events = POLLIN};
    return poll(&ready, 1, 0) == 0;
}

static struct rdma_cm_id *
listen_at(struct rdma_event_channel *channel, uint16_t port, void *context) {
    struct rdma_cm_id *id = new_id(channel, context);
    struct sockaddr_in any = address_of("0.0.0.0", port);
    CHECK(rdma_bind_addr(id, (struct sockaddr *)&any) == 0);
    CHECK(ntohs(rdma_get_src_port(id)) == port);
    CHECK(rdma_listen(id, 4) == 0);
    return id;
}

/* Sends a request to a port, as queue pair 7. */
static struct rdma_cm_id *
connect_to(struct rdma_event_channel *channel, const char *text, uint16_t port, void *context) {
    struct rdma_cm_id *id = new_id(channel, context);
    struct sockaddr_in address = address_of(text, port);
    struct rdma_conn_param parameters = {
        .private_data = "hello",
        .private_data_len = 6,
        .responder_resources = 4,
        .initiator_depth = 2,
        .retry_count = 7,
        .rnr_retry_count = 6,
        .qp_num = 7,
    };
    CHECK(rdma_resolve_addr(id, NULL, (struct sockaddr *)&address, 2000) == 0);
    expect(channel, RDMA_CM_EVENT_ADDR_RESOLVED, 0);
    CHECK(id->verbs != NULL && id->port_num == 1 && rdma_get_src_port(id) != 0);
    CHECK(rdma_resolve_route(id, 2000) == 0);
    expect(channel, RDMA_CM_EVENT_ROUTE_RESOLVED, 0);
    CHECK(id->route.num_paths == 1);
    CHECK(rdma_connect(id, &parameters) == 0);
    return id;
}

/* Takes the request of a client from the listener's channel. */
static struct rdma_cm_id *
take_request(struct rdma_event_channel *channel, struct rdma_cm_id *listener) {
    struct rdma_cm_event *event = next(channel, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
    struct rdma_cm_id *id = event->id;
    CHECK(event->listen_id == listener && id != listener && id->context == listener->context);
    CHECK(event->param.conn.private_data_len == 6 && strcmp(event->param.conn.private_data, "hello") == 0);
    CHECK(event->param.conn.qp_num == 7);
    CHECK(event->param.conn.responder_resources == 2 && event->param.conn.initiator_depth == 4);
    CHECK(event->param.conn.retry_count == 7 && event->param.conn.rnr_retry_count == 6);
    CHECK(id->verbs != NULL && id->port_num == 1);
    CHECK(rdma_ack_cm_event(event) == 0);
    return id;
}

static void
accept_request(struct rdma_cm_id *id) {
    struct rdma_conn_param parameters = {.responder_resources = 2, .initiator_depth = 4, .qp_num = 9};
    CHECK(rdma_accept(id, &parameters) == 0);
}

static void
leads_to(struct rdma_cm_id *id, uint32_t remote, uint8_t reads) {
    struct ibv_qp_attr attributes = {.qp_state = IBV_QPS_INIT};
    int mask = 0;
    CHECK(rdma_init_qp_attr(id, &attributes, &mask) == 0);
    CHECK(attributes.port_num == 1 && (mask & IBV_QP_PORT) != 0);
    attributes = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR};
    CHECK(rdma_init_qp_attr(id, &attributes, &mask) == 0);
    CHECK(attributes.dest_qp_num == remote && attributes.path_mtu == IBV_MTU_1024);
    CHECK(attributes.max_dest_rd_atomic == reads && (mask & IBV_QP_DEST_QPN) != 0);
    union ibv_gid own;
    CHECK(ibv_query_gid(id->verbs, 1, attributes.ah_attr.grh.sgid_index, &own) == 0);
    CHECK(memcmp(own.raw, id->route.addr.addr.ibaddr.sgid.raw, sizeof(own.raw)) == 0);
    CHECK(memcmp(&attributes.ah_attr.grh.dgid, &id->route.path_rec->dgid, sizeof(union ibv_gid)) == 0);
    attributes = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS};
    CHECK(rdma_init_qp_attr(id, &attributes, &mask) == 0);
    CHECK(attributes.retry_cnt == 7 && attributes.rnr_retry == 6 && (mask & IBV_QP_RETRY_CNT) != 0);
}

/* Connects a client with a server of this process. */
static void
connect_both(struct rdma_event_channel *clients, struct rdma_event_channel *servers, const char *text,
             struct rdma_cm_id *listener, struct rdma_cm_id **client, struct rdma_cm_id **server) {
    *client = connect_to(clients, text, PORT, NULL);
    *server = take_request(servers, listener);
    accept_request(*server);
    struct rdma_cm_event *event = next(clients, RDMA_CM_EVENT_CONNECT_RESPONSE, 0);
    CHECK(event->id == *client && event->param.conn.qp_num == 9);
    CHECK(rdma_ack_cm_event(event) == 0);
    CHECK(rdma_establish(*client) == 0);
    expect(servers, RDMA_CM_EVENT_ESTABLISHED, 0);
}

static void
connects_and_disconnects(void) {
    static const char *const texts[] = {"127.0.0.1", "192.168.100.2", "192.168.100.3"};
    struct rdma_event_channel *clients = new_channel();
    struct rdma_event_channel *servers = new_channel();
    int context;
    struct rdma_cm_id *listener = listen_at(servers, PORT, &context);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct rdma_cm_id *client;
        struct rdma_cm_id *server;
        connect_both(clients, servers, texts[i], listener, &client, &server);
        leads_to(client, 9, 4);
        leads_to(server, 7, 2);
        CHECK(server->route.addr.dst_sin.sin_port == rdma_get_src_port(client));
        CHECK(rdma_disconnect(i % 2 == 0 ? client : server) == 0);
        expect(clients, RDMA_CM_EVENT_DISCONNECTED, 0);
        expect(servers, RDMA_CM_EVENT_DISCONNECTED, 0);
        CHECK(rdma_disconnect(client) == 0 && rdma_disconnect(server) == 0);
        CHECK(is_empty(clients) && is_empty(servers));
        CHECK(rdma_destroy_id(client) == 0 && rdma_destroy_id(server) == 0);
    }
    /* The end of an id disconnects the other one. */
    struct rdma_cm_id *client;
    struct rdma_cm_id *server;
    connect_both(clients, servers, "127.0.0.1", listener, &client, &server);
    CHECK(rdma_destroy_id(client) == 0);
    expect(servers, RDMA_CM_EVENT_DISCONNECTED, 0);
    CHECK(rdma_destroy_id(server) == 0 && rdma_destroy_id(listener) == 0);
    rdma_destroy_event_channel(clients);
    rdma_destroy_event_channel(servers);
}

/* DOCA 3.0 destroys channels before the ids that use them. */
static void
ends_the_ids_of_a_destroyed_channel(void) {
    struct rdma_event_channel *clients = new_channel();
    struct rdma_event_channel *servers = new_channel();
    struct rdma_cm_id *listener = listen_at(servers, PORT, NULL);
    struct rdma_cm_id *client;
    struct rdma_cm_id *server;
    connect_both(clients, servers, "127.0.0.1", listener, &client, &server);
    rdma_destroy_event_channel(clients);
    CHECK(rdma_disconnect(client) == 0 && rdma_destroy_id(client) == 0);
    expect(servers, RDMA_CM_EVENT_DISCONNECTED, 0);

    /* A request that the program did not get. */
    struct rdma_event_channel *others = new_channel();
    client = connect_to(others, "127.0.0.1", PORT, NULL);
    struct pollfd ready = {.fd = servers->fd, .events = POLLIN};
    CHECK(poll(&ready, 1, PATIENCE_MS) == 1);
    rdma_destroy_event_channel(servers);
    expect(others, RDMA_CM_EVENT_REJECTED, REFUSED);
    CHECK(rdma_destroy_id(listener) == 0 && rdma_destroy_id(server) == 0 && rdma_destroy_id(client) == 0);
    rdma_destroy_event_channel(others);
}

/* DOCA 3.0 takes an errno other than 0 behind this call, which returns nothing, for its failure. */
static void
destroys_channels_without_a_trace_in_errno(void) {
    for (int i = 0; i < 100; i++) {
        struct rdma_event_channel *clients = new_channel();
        struct rdma_event_channel *servers = new_channel();
        struct rdma_cm_id *listener = listen_at(servers, PORT, NULL);
        struct rdma_cm_id *client;
        struct rdma_cm_id *server;
        connect_both(clients, servers, "127.0.0.1", listener, &client, &server);
        errno = 0;
        rdma_destroy_event_channel(clients);
        CHECK(errno == 0);
        /* The other side may have closed its socket, so that nothing can be sent to it. */
        rdma_destroy_event_channel(servers);
        CHECK(errno == 0);
        CHECK(rdma_destroy_id(listener) == 0 && rdma_destroy_id(server) == 0 && rdma_destroy_id(client) == 0);
    }
}

static void
rejects_where_nobody_listens(void) {
    struct rdma_event_channel *channel = new_channel();
    struct rdma_cm_id *client = connect_to(channel, "127.0.0.1", PORT, NULL);
    expect(channel, RDMA_CM_EVENT_REJECTED, NO_LISTENER);
    CHECK(rdma_destroy_id(client) == 0);
    CHECK(rdma_destroy_id(listen_at(channel, PORT, NULL)) == 0);
    client = connect_to(channel, "127.0.0.1", PORT, NULL);
    expect(channel, RDMA_CM_EVENT_REJECTED, NO_LISTENER);
    CHECK(rdma_destroy_id(client) == 0);
    rdma_destroy_event_channel(channel);
}

static void
refuses_a_request(void) {
    struct rdma_event_channel *clients = new_channel();
    struct rdma_event_channel *servers = new_channel();
    struct rdma_cm_id *listener = listen_at(servers, PORT, NULL);
    struct rdma_cm_id *client = connect_to(clients, "127.0.0.1", PORT, NULL);
    struct rdma_cm_id *server = take_request(servers, listener);
    CHECK(rdma_reject(server, "no", 3) == 0);
    struct rdma_cm_event *event = next(clients, RDMA_CM_EVENT_REJECTED, REFUSED);
    CHECK(event->param.conn.private_data_len == 3 && strcmp(event->param.conn.private_data, "no") == 0);
    CHECK(rdma_ack_cm_event(event) == 0);
    CHECK(rdma_destroy_id(client) == 0 && rdma_destroy_id(server) == 0);

    /* A request that its listener does not deliver any more. */
    client = connect_to(clients, "127.0.0.1", PORT, NULL);
    struct pollfd ready = {.fd = servers->fd, .events = POLLIN};
    CHECK(poll(&ready, 1, PATIENCE_MS) == 1);
    CHECK(rdma_destroy_id(listener) == 0 && is_empty(servers));
    expect(clients, RDMA_CM_EVENT_REJECTED, REFUSED);
    CHECK(rdma_destroy_id(client) == 0);
    rdma_destroy_event_channel(clients);
    rdma_destroy_event_channel(servers);
}

static void
resolves_only_the_addresses_of_the_card(void) {
    static const struct {
        const char *text;
        int status;
    } addresses[] = {{"192.168.100.77", -ETIMEDOUT}, {"203.0.113.5", -ENODEV}};
    struct rdma_event_channel *channel = new_channel();
    for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
        struct rdma_cm_id *id = new_id(channel, NULL);
        struct sockaddr_in address = address_of(addresses[i].text, PORT);
        CHECK(rdma_resolve_addr(id, NULL, (struct sockaddr *)&address, 2000) == 0);
        expect(channel, RDMA_CM_EVENT_ADDR_ERROR, addresses[i].status);
        CHECK(rdma_resolve_route(id, 2000) == -1 && errno == EINVAL);
        CHECK(rdma_bind_addr(id, (struct sockaddr *)&address) == -1 && errno == EADDRNOTAVAIL);
        CHECK(rdma_destroy_id(id) == 0);
    }
    /* IPv6, of the second function. */
    struct rdma_cm_id *id = new_id(channel, NULL);
    struct rdma_addrinfo *found = NULL;
    struct rdma_addrinfo hints = {.ai_flags = RAI_NUMERICHOST, .ai_family = AF_INET6, .ai_port_space = RDMA_PS_TCP};
    CHECK(rdma_getaddrinfo("fd00:ba3f:d201::3", "4711", &hints, &found) == 0);
    CHECK(found->ai_family == AF_INET6 && found->ai_dst_len == sizeof(struct sockaddr_in6) && found->ai_src_addr == NULL);
    CHECK(rdma_resolve_addr(id, NULL, found->ai_dst_addr, 2000) == 0);
    expect(channel, RDMA_CM_EVENT_ADDR_RESOLVED, 0);
    CHECK(strcmp(ibv_get_device_name(id->verbs->device), "mlx5_1") == 0);
    rdma_freeaddrinfo(found);
    CHECK(rdma_destroy_id(id) == 0);
    hints.ai_family = AF_INET;
    CHECK(rdma_getaddrinfo("no address", "4711", &hints, &found) != 0);
    hints.ai_flags = RAI_PASSIVE;
    CHECK(rdma_getaddrinfo(NULL, "4711", &hints, &found) == 0);
    CHECK(found->ai_src_len == sizeof(struct sockaddr_in) && found->ai_dst_addr == NULL);
    rdma_freeaddrinfo(found);
    rdma_destroy_event_channel(channel);
}

static void
gives_a_port_to_one_id(void) {
    struct rdma_event_channel *channel = new_channel();
    struct rdma_cm_id *first = listen_at(channel, PORT, NULL);
    struct rdma_cm_id *second = new_id(channel, NULL);
    struct sockaddr_in address = address_of("0.0.0.0", PORT);
    CHECK(rdma_bind_addr(second, (struct sockaddr *)&address) == -1 && errno == EADDRINUSE);
    CHECK(rdma_destroy_id(first) == 0);
    CHECK(rdma_bind_addr(second, (struct sockaddr *)&address) == 0);
    CHECK(rdma_destroy_id(second) == 0);
    rdma_destroy_event_channel(channel);
}

static void
withdraws_events_and_does_not_wait_for_them_unless_asked(void) {
    struct rdma_event_channel *channel = new_channel();
    struct rdma_cm_id *id = new_id(channel, NULL);
    struct rdma_cm_event *event;
    struct sockaddr_in address = address_of("127.0.0.1", PORT);
    CHECK(fcntl(channel->fd, F_SETFL, O_NONBLOCK) == 0);
    CHECK(rdma_get_cm_event(channel, &event) == -1 && errno == EAGAIN);
    CHECK(rdma_resolve_addr(id, NULL, (struct sockaddr *)&address, 2000) == 0);
    CHECK(!is_empty(channel));
    CHECK(rdma_destroy_id(id) == 0);
    CHECK(is_empty(channel));
    CHECK(rdma_get_cm_event(channel, &event) == -1 && errno == EAGAIN);
    rdma_destroy_event_channel(channel);
}

static void *
acknowledge(void *event) {
    CHECK(rdma_ack_cm_event(event) == 0);
    return NULL;
}

static void
waits_for_acknowledgements_before_it_destroys(void) {
    struct rdma_event_channel *channel = new_channel();
    struct rdma_cm_id *id = new_id(channel, NULL);
    struct sockaddr_in address = address_of("127.0.0.1", PORT);
    pthread_t thread;
    CHECK(rdma_resolve_addr(id, NULL, (struct sockaddr *)&address, 2000) == 0);
    struct rdma_cm_event *event = next(channel, RDMA_CM_EVENT_ADDR_RESOLVED, 0);
    CHECK(pthread_create(&thread, NULL, acknowledge, event) == 0);
    CHECK(rdma_destroy_id(id) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    rdma_destroy_event_channel(channel);
}

/* Another process, and its output. */
struct peer {
    pid_t process;
    FILE *lines;
};

static struct peer
start_peer(const char *task) {
    int from[2];
    CHECK(pipe(from) == 0);
    char *const arguments[] = {"cm_test", (char *)task, NULL};
    posix_spawn_file_actions_t actions;
    pid_t process;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, from[0]);
    CHECK(posix_spawn(&process, "/proc/self/exe", &actions, NULL, arguments, environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    close(from[1]);
    return (struct peer){.process = process, .lines = fdopen(from[0], "r")};
}

static void
says(struct peer *peer, const char *expected) {
    char line[100];
    CHECK(fgets(line, sizeof(line), peer->lines) != NULL);
    CHECK(strcmp(line, expected) == 0);
}

/* Waits for the end of a peer, after killing it if there is a signal. Returns its status. */
static int
end_peer(struct peer *peer, int signal) {
    int status;
    if (signal != 0) {
        kill(peer->process, signal);
    }
    CHECK(waitpid(peer->process, &status, 0) == peer->process);
    fclose(peer->lines);
    return status;
}

static void
report(const char *line) {
    puts(line);
    fflush(stdout);
}

static void
wait_to_be_killed(void) {
    for (;;) {
        pause();
    }
}

static void
serve(bool accepts) {
    struct rdma_event_channel *channel = new_channel();
    struct rdma_cm_id *listener = listen_at(channel, PORT, NULL);
    report("listening");
    struct rdma_cm_id *id = take_request(channel, listener);
    if (accepts) {
        accept_request(id);
        expect(channel, RDMA_CM_EVENT_ESTABLISHED, 0);
    }
    report("done");
    wait_to_be_killed();
}

static void
be_refused(void) {
    struct rdma_event_channel *channel = new_channel();
    connect_to(channel, "127.0.0.1", PORT, NULL);
    expect(channel, RDMA_CM_EVENT_REJECTED, NO_LISTENER);
    report("rejected");
    wait_to_be_killed();
}

static int
acknowledge_twice(void) {
    struct rdma_event_channel *channel = new_channel();
    struct rdma_cm_id *id = new_id(channel, NULL);
    struct sockaddr_in address = address_of("127.0.0.1", PORT);
    CHECK(rdma_resolve_addr(id, NULL, (struct sockaddr *)&address, 2000) == 0);
    struct rdma_cm_event *event = next(channel, RDMA_CM_EVENT_ADDR_RESOLVED, 0);
    CHECK(rdma_ack_cm_event(event) == 0 && rdma_ack_cm_event(event) == 0);
    CHECK(rdma_resolve_route(id, 2000) == 0);
    next(channel, RDMA_CM_EVENT_ROUTE_RESOLVED, 0);
    CHECK(rdma_destroy_id(id) == 0);
    return 0;
}

static void
reports_the_death_of_a_server(void) {
    struct rdma_event_channel *channel = new_channel();
    struct peer peer = start_peer("accept");
    says(&peer, "listening\n");
    struct rdma_cm_id *client = connect_to(channel, "127.0.0.1", PORT, NULL);
    expect(channel, RDMA_CM_EVENT_CONNECT_RESPONSE, 0);
    CHECK(rdma_establish(client) == 0);
    says(&peer, "done\n");
    CHECK(WIFSIGNALED(end_peer(&peer, SIGKILL)));
    expect(channel, RDMA_CM_EVENT_DISCONNECTED, 0);
    CHECK(rdma_destroy_id(client) == 0);

    peer = start_peer("listen");
    says(&peer, "listening\n");
    client = connect_to(channel, "127.0.0.1", PORT, NULL);
    says(&peer, "done\n");
    CHECK(WIFSIGNALED(end_peer(&peer, SIGKILL)));
    expect(channel, RDMA_CM_EVENT_UNREACHABLE, -ETIMEDOUT);
    CHECK(rdma_destroy_id(client) == 0);
    rdma_destroy_event_channel(channel);
}

static void
keeps_the_cards_of_other_folders_apart(const char *folder) {
    struct rdma_event_channel *channel = new_channel();
    struct rdma_cm_id *listener = listen_at(channel, PORT, NULL);
    char other[100];
    snprintf(other, sizeof(other), "%s/other", folder);
    setenv("FAKE_CARD_DIR", other, 1);
    struct peer peer = start_peer("be refused");
    says(&peer, "rejected\n");
    end_peer(&peer, SIGKILL);
    setenv("FAKE_CARD_DIR", folder, 1);
    CHECK(is_empty(channel));
    CHECK(rdma_destroy_id(listener) == 0);
    rdma_destroy_event_channel(channel);
}

static void
ends_a_process_that_acknowledges_twice_unless_it_forgives(void) {
    struct peer peer = start_peer("acknowledge twice");
    int status = end_peer(&peer, 0);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    setenv("FAKE_CARD_FORGIVE", "1", 1);
    peer = start_peer("acknowledge twice");
    status = end_peer(&peer, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    unsetenv("FAKE_CARD_FORGIVE");
}

static void
remove_folder(const char *folder) {
    char command[200];
    snprintf(command, sizeof(command), "rm -rf '%s'", folder);
    CHECK(system(command) == 0);
}

int
main(int argc, char **argv) {
    if (argc == 2) {
        if (strcmp(argv[1], "acknowledge twice") == 0) {
            return acknowledge_twice();
        }
        if (strcmp(argv[1], "be refused") == 0) {
            be_refused();
        }
        serve(strcmp(argv[1], "accept") == 0);
    }
    char folder[] = "/tmp/fake-card-test-XXXXXX";
    CHECK(mkdtemp(folder) != NULL);
    setenv("FAKE_CARD_DIR", folder, 1);
    setenv("FAKE_CARD_LOG_LEVEL", "-1", 0);
    connects_and_disconnects();
    ends_the_ids_of_a_destroyed_channel();
    destroys_channels_without_a_trace_in_errno();
    rejects_where_nobody_listens();
    refuses_a_request();
    resolves_only_the_addresses_of_the_card();
    gives_a_port_to_one_id();
    withdraws_events_and_does_not_wait_for_them_unless_asked();
    waits_for_acknowledgements_before_it_destroys();
    reports_the_death_of_a_server();
    keeps_the_cards_of_other_folders_apart(folder);
    ends_a_process_that_acknowledges_twice_unless_it_forgives();
    remove_folder(folder);
    puts("The connection manager connects, rejects, and reports the end of processes.");
    return 0;
}
