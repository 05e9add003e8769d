/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comm channels: a service on the DPU and a client in a process of the host.
 */
#include <doca_comm_channel.h>
#include <doca_version.h>
#include <sched.h>

/* Release 2.5 has the same comm channels, and devices under other names. */
#if DOCA_VER_MINOR == 5
#define doca_devinfo_list_create doca_devinfo_create_list
#define doca_devinfo_list_destroy doca_devinfo_destroy_list
#define doca_devinfo_rep_list_create doca_devinfo_rep_create_list
#define doca_devinfo_rep_list_destroy doca_devinfo_rep_destroy_list
#define DOCA_DEV_REP_FILTER_NET DOCA_DEVINFO_REP_FILTER_NET
#endif
#include "../runtime_dir.h"
#include "device.h"

#define NAME "workq_comm_channel_test"

static struct doca_comm_channel_ep_t *
create_endpoint(void) {
    struct doca_comm_channel_ep_t *ep;
    REQUIRE_SUCCESS(doca_comm_channel_ep_create(&ep));
    REQUIRE_SUCCESS(doca_comm_channel_ep_set_device(ep, dev));
    return ep;
}

/* Waits for a message and checks its text. */
static struct doca_comm_channel_addr_t *
receive(struct doca_comm_channel_ep_t *ep, const char *expected) {
    char text[64] = "";
    struct doca_comm_channel_addr_t *peer = NULL;
    size_t len;
    doca_error_t result;
    do {
        len = sizeof(text);
        result = doca_comm_channel_ep_recvfrom(ep, text, &len, DOCA_CC_MSG_FLAG_NONE, &peer);
    } while (result == DOCA_ERROR_AGAIN);
    CHECK_SUCCESS(result);
    CHECK_STRING(expected, text);
    CHECK_EQUAL(strlen(expected) + 1, len);
    return peer;
}

static void
send_text(struct doca_comm_channel_ep_t *ep, struct doca_comm_channel_addr_t *peer, const char *text) {
    doca_error_t result;
    do {
        result = doca_comm_channel_ep_sendto(ep, text, strlen(text) + 1, DOCA_CC_MSG_FLAG_NONE, peer);
    } while (result == DOCA_ERROR_AGAIN);
    CHECK_SUCCESS(result);
}

static void
check_properties(void) {
    struct doca_comm_channel_ep_t *ep = create_endpoint();
    struct doca_comm_channel_addr_t *peer = NULL;
    struct doca_devinfo *devinfo = doca_dev_as_devinfo(dev);
    struct doca_dev *set = NULL;
    doca_event_channel_t channel;
    char byte;
    size_t len = 1;
    uint32_t limit = 0;
    uint16_t size = 0;
    CHECK_SUCCESS(doca_comm_channel_get_max_service_name_len(&limit));
    CHECK_EQUAL(120, limit);
    CHECK_SUCCESS(doca_comm_channel_get_max_message_size(devinfo, &limit));
    CHECK_EQUAL(4080, limit);
    CHECK_SUCCESS(doca_comm_channel_ep_get_device(ep, &set));
    CHECK_POINTER(dev, set);
    CHECK_SUCCESS(doca_comm_channel_ep_get_max_msg_size(ep, &size));
    CHECK_EQUAL(1500, size);
    CHECK_SUCCESS(doca_comm_channel_ep_set_max_msg_size(ep, 1));
    CHECK_SUCCESS(doca_comm_channel_ep_get_max_msg_size(ep, &size));
    CHECK_EQUAL(256, size);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_comm_channel_ep_set_max_msg_size(ep, 4081));
    CHECK_SUCCESS(doca_comm_channel_ep_get_send_queue_size(ep, &size));
    CHECK_EQUAL(128, size);
    CHECK_SUCCESS(doca_comm_channel_ep_set_send_queue_size(ep, 17));
    CHECK_SUCCESS(doca_comm_channel_ep_get_send_queue_size(ep, &size));
    CHECK_EQUAL(32, size);
    CHECK_SUCCESS(doca_comm_channel_ep_set_recv_queue_size(ep, 1));
    CHECK_SUCCESS(doca_comm_channel_ep_get_recv_queue_size(ep, &size));
    CHECK_EQUAL(16, size);
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_comm_channel_ep_get_event_channel(ep, &channel, NULL));
    CHECK_ERROR(DOCA_ERROR_NOT_CONNECTED, doca_comm_channel_ep_recvfrom(ep, &byte, &len, 0, &peer));
    CHECK_ERROR(DOCA_ERROR_NOT_CONNECTED, doca_comm_channel_ep_sendto(ep, &byte, 1, 0, NULL));
    CHECK_ERROR(DOCA_ERROR_NOT_CONNECTED, doca_comm_channel_ep_disconnect(ep, NULL));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_comm_channel_ep_listen(ep, NAME));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_comm_channel_ep_connect(ep, NAME, &peer));
    CHECK_SUCCESS(doca_comm_channel_ep_destroy(ep));
    CHECK_ERROR(DOCA_ERROR_NOT_CONNECTED, doca_comm_channel_ep_destroy(ep));
}

/* The process of the host. */
static void
run_client(void) {
    struct doca_comm_channel_addr_t *peer = NULL;
    uint64_t number = 0;
    doca_error_t result;
    dev = open_device(0);
    struct doca_comm_channel_ep_t *ep = create_endpoint();
    /* There is no service until the other process listens. */
    while ((result = doca_comm_channel_ep_connect(ep, NAME, &peer)) == DOCA_ERROR_CONNECTION_ABORTED) {
        sched_yield();
    }
    REQUIRE_SUCCESS(result);
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_comm_channel_ep_connect(ep, NAME, &peer));
    while ((result = doca_comm_channel_peer_addr_update_info(peer)) == DOCA_ERROR_CONNECTION_INPROGRESS) {
        sched_yield();
    }
    CHECK_SUCCESS(result);
    send_text(ep, peer, "question");
    CHECK_POINTER(peer, receive(ep, "answer"));
    CHECK_SUCCESS(doca_comm_channel_peer_addr_update_info(peer));
    CHECK_SUCCESS(doca_comm_channel_peer_addr_get_send_messages(peer, &number));
    CHECK_EQUAL(1, number);
    CHECK_SUCCESS(doca_comm_channel_peer_addr_get_recv_bytes(peer, &number));
    CHECK_EQUAL(7, number);
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_comm_channel_ep_update_service_state_info(ep));
    CHECK_SUCCESS(doca_comm_channel_ep_disconnect(ep, peer));
    CHECK_SUCCESS(doca_comm_channel_ep_destroy(ep));
    CHECK_SUCCESS(doca_dev_close(dev));
}

static pid_t
start_client(void) {
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        setenv("DOCA_EMULATOR_ROLE", "host", 1);
        run_client();
        exit(check_result());
    }
    return child;
}

static struct doca_dev_rep *
open_representor(void) {
    struct doca_devinfo_rep **list;
    struct doca_dev_rep *rep;
    uint32_t num_reps;
    REQUIRE_SUCCESS(doca_devinfo_rep_list_create(dev, DOCA_DEV_REP_FILTER_NET, &list, &num_reps));
    REQUIRE_SUCCESS(doca_dev_rep_open(list[0], &rep));
    REQUIRE_SUCCESS(doca_devinfo_rep_list_destroy(list));
    return rep;
}

/* A service whose event channels, or whose socket, cannot be opened leaves nothing open. */
static void
check_missing_descriptors(void) {
    struct doca_comm_channel_ep_t *ep = create_endpoint();
    struct doca_dev_rep *rep = open_representor();
    const int next = next_descriptor();
    int num_left = 0;
    doca_error_t result;
    CHECK_SUCCESS(doca_comm_channel_ep_set_device_rep(ep, rep));
    do {
        const struct rlimit limit = limit_descriptors(num_left);
        result = doca_comm_channel_ep_listen(ep, NAME "_short");
        restore_descriptors(&limit);
        num_left++;
    } while (result == DOCA_ERROR_OPERATING_SYSTEM && num_left < 64);
    CHECK_SUCCESS(result);
    /* One descriptor for the engine, and two for each event channel. */
    CHECK(num_left > 1 + 3 * 2);
    CHECK_SUCCESS(doca_comm_channel_ep_destroy(ep));
    CHECK_EQUAL(next, next_descriptor());
    CHECK_SUCCESS(doca_dev_rep_close(rep));
}

static void
wait_for_end(struct doca_comm_channel_ep_t *ep, doca_event_channel_t service) {
    struct doca_comm_channel_addr_t **peers;
    uint32_t num_peers = 1;
    while (num_peers > 0) {
        CHECK(is_readable(service, 20000));
        CHECK_SUCCESS(doca_comm_channel_ep_update_service_state_info(ep));
        CHECK_SUCCESS(doca_comm_channel_ep_get_peer_addr_list(ep, &peers, &num_peers));
    }
}

static void
arm_send(void *ep) {
    CHECK_SUCCESS(doca_comm_channel_ep_event_handle_arm_send(ep));
}

/* A forked child has event channels of its own. */
static void
check_channels_in_child(void) {
    struct doca_comm_channel_ep_t *ep = create_endpoint();
    struct doca_dev_rep *rep = open_representor();
    doca_event_channel_t sent;
    CHECK_SUCCESS(doca_comm_channel_ep_set_device_rep(ep, rep));
    REQUIRE_SUCCESS(doca_comm_channel_ep_listen(ep, "forking"));
    CHECK_SUCCESS(doca_comm_channel_ep_get_event_channel(ep, &sent, NULL));
    check_in_child(arm_send, ep);
    CHECK(!is_readable(sent, 0));
    arm_send(ep);
    CHECK(is_readable(sent, 0));
    CHECK_SUCCESS(doca_comm_channel_ep_destroy(ep));
    CHECK_SUCCESS(doca_dev_rep_close(rep));
}

static void
check_service(pid_t client) {
    struct doca_comm_channel_ep_t *ep = create_endpoint();
    struct doca_dev_rep *rep = open_representor();
    struct doca_comm_channel_addr_t **peers;
    doca_event_channel_t sent;
    doca_event_channel_t received;
    doca_event_channel_t service;
    uint32_t number = 7;
    uint64_t user_data = 0;
    int status = -1;
    CHECK_SUCCESS(doca_comm_channel_ep_set_device_rep(ep, rep));
    REQUIRE_SUCCESS(doca_comm_channel_ep_listen(ep, NAME));
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, doca_comm_channel_ep_listen(ep, NAME));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_comm_channel_ep_set_max_msg_size(ep, 512));
    CHECK_SUCCESS(doca_comm_channel_ep_get_event_channel(ep, &sent, &received));
    CHECK_SUCCESS(doca_comm_channel_ep_get_service_event_channel(ep, &service));
    CHECK_SUCCESS(doca_comm_channel_ep_event_handle_arm_send(ep));
    CHECK(is_readable(sent, 0));
    CHECK_SUCCESS(doca_comm_channel_ep_event_handle_arm_recv(ep));
    CHECK(is_readable(received, 20000));

    struct doca_comm_channel_addr_t *peer = receive(ep, "question");
    CHECK(is_readable(service, 20000));
    CHECK_SUCCESS(doca_comm_channel_ep_update_service_state_info(ep));
    CHECK_SUCCESS(doca_comm_channel_ep_get_peer_addr_list(ep, &peers, &number));
    CHECK_EQUAL(1, number);
    CHECK_POINTER(peer, peers[0]);
    CHECK_SUCCESS(doca_comm_channel_ep_get_pending_connections(ep, &number));
    CHECK_EQUAL(0, number);
    CHECK_SUCCESS(doca_comm_channel_peer_addr_get_user_data(peer, &user_data));
    CHECK_EQUAL(0, user_data);
    CHECK_SUCCESS(doca_comm_channel_peer_addr_set_user_data(peer, 5));
    CHECK_SUCCESS(doca_comm_channel_peer_addr_get_user_data(peer, &user_data));
    CHECK_EQUAL(5, user_data);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_comm_channel_ep_sendto(ep, "", 0, 0, peer));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_comm_channel_ep_sendto(ep, memory, 4096, 0, peer));
    send_text(ep, peer, "answer");
    wait_for_end(ep, service);
    CHECK_ERROR(DOCA_ERROR_CONNECTION_ABORTED, doca_comm_channel_peer_addr_update_info(peer));
    CHECK_ERROR(DOCA_ERROR_CONNECTION_RESET, doca_comm_channel_ep_sendto(ep, "late", 5, 0, peer));
    CHECK_SUCCESS(doca_comm_channel_ep_disconnect(ep, peer));
    CHECK_ERROR(DOCA_ERROR_NOT_CONNECTED, doca_comm_channel_ep_disconnect(ep, peer));
    CHECK_SUCCESS(doca_comm_channel_ep_destroy(ep));
    CHECK_SUCCESS(doca_dev_rep_close(rep));
    CHECK_EQUAL(client, waitpid(client, &status, 0));
    CHECK_EQUAL(0, status);
}

/*
 * Disconnections by the service
 */

#define LARGE 4080

/* A client that does nothing without orders. */
struct ordered_client {
    pid_t pid;
    int orders;
    int reports;
};

static void
write_byte(int fd) {
    CHECK_EQUAL(1, write(fd, "", 1));
}

/* Returns false if the other process has ended. */
static bool
read_byte(int fd) {
    char byte;
    return read(fd, &byte, 1) == 1;
}

/* Connects and reports that, so that it reads nothing until the next order. Then sends messages and reports that. */
static struct doca_comm_channel_ep_t *
connect_and_send(const char *name, int orders, int reports, int count) {
    struct doca_comm_channel_addr_t *peer = NULL;
    doca_error_t result;
    dev = open_device(0);
    struct doca_comm_channel_ep_t *ep = create_endpoint();
    CHECK_SUCCESS(doca_comm_channel_ep_set_max_msg_size(ep, LARGE));
    CHECK_SUCCESS(doca_comm_channel_ep_set_recv_queue_size(ep, 8192));
    CHECK(read_byte(orders));
    REQUIRE_SUCCESS(doca_comm_channel_ep_connect(ep, name, &peer));
    while ((result = doca_comm_channel_peer_addr_update_info(peer)) == DOCA_ERROR_CONNECTION_INPROGRESS) {
        sched_yield();
    }
    CHECK_SUCCESS(result);
    write_byte(reports);
    CHECK(read_byte(orders));
    for (int i = 0; i < count; i++) {
        CHECK_SUCCESS(doca_comm_channel_ep_sendto(ep, "late", 5, DOCA_CC_MSG_FLAG_NONE, peer));
    }
    write_byte(reports);
    return ep;
}

/* Sends one message, then reads nothing until the next order. */
static void
run_busy_client(int orders, int reports) {
    static char text[LARGE];
    struct doca_comm_channel_addr_t *peer = NULL;
    struct doca_comm_channel_ep_t *ep = connect_and_send(NAME "_busy", orders, reports, 1);
    doca_error_t result;
    CHECK(read_byte(orders));
    do {
        size_t len = sizeof(text);
        result = doca_comm_channel_ep_recvfrom(ep, text, &len, DOCA_CC_MSG_FLAG_NONE, &peer);
    } while (result == DOCA_SUCCESS || result == DOCA_ERROR_AGAIN);
    CHECK_ERROR(DOCA_ERROR_CONNECTION_RESET, result);
    CHECK_SUCCESS(doca_comm_channel_ep_destroy(ep));
}

/* Fills the queue of the service, then ends. */
static void
run_ended_client(int orders, int reports) {
    struct doca_comm_channel_ep_t *ep = connect_and_send(NAME "_ended", orders, reports, 16);
    CHECK_SUCCESS(doca_comm_channel_ep_destroy(ep));
}

static struct ordered_client
start_ordered_client(void (*run)(int orders, int reports)) {
    int orders[2];
    int reports[2];
    fflush(NULL);
    if (pipe(orders) != 0 || pipe(reports) != 0) {
        perror("pipe");
        exit(EXIT_FAILURE);
    }
    const pid_t child = fork();
    if (child == 0) {
        check_begin_child();
        close(orders[1]);
        close(reports[0]);
        setenv("DOCA_EMULATOR_ROLE", "host", 1);
        run(orders[0], reports[1]);
        CHECK_SUCCESS(doca_dev_close(dev));
        exit(check_result());
    }
    close(orders[0]);
    close(reports[1]);
    return (struct ordered_client){.pid = child, .orders = orders[1], .reports = reports[0]};
}

static void
end_ordered_client(const struct ordered_client *client) {
    int status = -1;
    CHECK_EQUAL(client->pid, waitpid(client->pid, &status, 0));
    CHECK_EQUAL(0, status);
    close(client->orders);
    close(client->reports);
}

/* Returns the number of the service's peers, and stores the first one. */
static uint32_t
update_peers(struct doca_comm_channel_ep_t *ep, struct doca_comm_channel_addr_t **peer) {
    struct doca_comm_channel_addr_t **peers;
    uint32_t number = 0;
    CHECK_SUCCESS(doca_comm_channel_ep_update_service_state_info(ep));
    CHECK_SUCCESS(doca_comm_channel_ep_get_peer_addr_list(ep, &peers, &number));
    *peer = number > 0 ? peers[0] : NULL;
    return number;
}

/* Returns a service of the representor that the client is connected to. */
static struct doca_comm_channel_ep_t *
listen_for(const struct ordered_client *client, const char *name, struct doca_dev_rep *rep,
           struct doca_comm_channel_addr_t **peer) {
    struct doca_comm_channel_ep_t *ep = create_endpoint();
    CHECK_SUCCESS(doca_comm_channel_ep_set_device_rep(ep, rep));
    CHECK_SUCCESS(doca_comm_channel_ep_set_max_msg_size(ep, LARGE));
    CHECK_SUCCESS(doca_comm_channel_ep_set_send_queue_size(ep, 2048));
    CHECK_SUCCESS(doca_comm_channel_ep_set_recv_queue_size(ep, 16));
    REQUIRE_SUCCESS(doca_comm_channel_ep_listen(ep, name));
    write_byte(client->orders);
    while (update_peers(ep, peer) == 0) {
        sched_yield();
    }
    CHECK(read_byte(client->reports));
    return ep;
}

/* Sends more than twice what a socket has room for. */
static void
fill_queue(struct doca_comm_channel_ep_t *ep, struct doca_comm_channel_addr_t *peer) {
    doca_error_t result;
    do {
        result = doca_comm_channel_ep_sendto(ep, memory, LARGE, DOCA_CC_MSG_FLAG_NONE, peer);
    } while (result == DOCA_SUCCESS);
    CHECK_ERROR(DOCA_ERROR_AGAIN, result);
}

/* The socket has no room for the acknowledgement of the client's message. */
static void
check_busy_client_is_disconnected(const struct ordered_client *client) {
    struct doca_dev_rep *rep = open_representor();
    struct doca_comm_channel_addr_t *peer;
    struct doca_comm_channel_addr_t *none;
    struct doca_comm_channel_ep_t *ep = listen_for(client, NAME "_busy", rep, &peer);
    fill_queue(ep, peer);
    write_byte(client->orders);
    CHECK(read_byte(client->reports));
    CHECK_POINTER(peer, receive(ep, "late"));
    CHECK_SUCCESS(doca_comm_channel_ep_disconnect(ep, peer));
    CHECK_EQUAL(0, update_peers(ep, &none));
    CHECK_ERROR(DOCA_ERROR_NOT_CONNECTED, doca_comm_channel_ep_disconnect(ep, peer));
    write_byte(client->orders);
    end_ordered_client(client);
    CHECK_SUCCESS(doca_comm_channel_ep_destroy(ep));
    CHECK_SUCCESS(doca_dev_rep_close(rep));
}

/* The queue of received messages is full, so the service has not noticed that the client has ended. */
static void
check_ended_client_is_disconnected(const struct ordered_client *client) {
    struct doca_dev_rep *rep = open_representor();
    struct doca_comm_channel_addr_t *peer;
    struct doca_comm_channel_ep_t *ep = listen_for(client, NAME "_ended", rep, &peer);
    write_byte(client->orders);
    CHECK(read_byte(client->reports));
    end_ordered_client(client);
    CHECK_EQUAL(1, update_peers(ep, &peer));
    CHECK_SUCCESS(doca_comm_channel_ep_disconnect(ep, peer));
    CHECK_EQUAL(0, update_peers(ep, &peer));
    CHECK_SUCCESS(doca_comm_channel_ep_destroy(ep));
    CHECK_SUCCESS(doca_dev_rep_close(rep));
}

int
main(void) {
    use_own_runtime_dir();
    const pid_t client = start_client();
    const struct ordered_client busy_client = start_ordered_client(run_busy_client);
    const struct ordered_client ended_client = start_ordered_client(run_ended_client);
    dev = open_device(0);
    check_properties();
    check_missing_descriptors();
    check_channels_in_child();
    check_service(client);
    check_busy_client_is_disconnected(&busy_client);
    check_ended_client_is_disconnected(&ended_client);
    CHECK_SUCCESS(doca_dev_close(dev));
    rmdir(runtime_dir);
    return check_result();
}
