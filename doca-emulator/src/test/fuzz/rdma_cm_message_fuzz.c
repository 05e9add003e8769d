/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages by which RDMA contexts connect by address: to a server as or after the request, and to a client as the answer.
 */
#include "fuzz.h"

#include <sys/socket.h>
#include <sys/un.h>

#include "rdma/cm_message.h"

#include "../c/rdma_cm_fixture.h"

/* A port on which this program listens in place of an RDMA context. */
#define OWN_PORT (PORT + 1)

/* The recipient of an input, by its first byte. */
enum part {
    PART_REQUEST,
    PART_READY,
    PART_ANSWER,
    NUM_PARTS,
};

static struct side side;
/* The side whose end of the connection is in the messages. */
static struct side peer;
static struct sockaddr_un server_path;
static struct cm_message request;
static int listener;
static struct doca_rdma_addr *own_addr;

static struct sockaddr_un
path_of(uint16_t port) {
    struct sockaddr_un path = {.sun_family = AF_UNIX};
    snprintf(path.sun_path, sizeof(path.sun_path), "%s/doca-emulator-loopback-dpu-%u", runtime_dir, port);
    return path;
}

/* The program accepts requests, and drops their connections. */
static void
accept_and_forget(struct side *side, const struct cm_event *event) {
    if (event->kind == CM_REQUESTED) {
        /* An unusable end is refused. */
        (void)doca_rdma_connection_accept(event->connection, NULL, 0);
    } else {
        accept_and_disconnect(side, event);
    }
    side->num_events = 0;
}

static void
talk(int fd, const uint8_t *message, size_t size) {
    (void)!send(fd, message, size, MSG_NOSIGNAL);
    settle(&side);
    close(fd);
    settle(&side);
}

static void
talk_to_server(enum part part, const uint8_t *message, size_t size) {
    const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    CHECK_EQUAL(0, connect(fd, (const struct sockaddr *)&server_path, sizeof(server_path)));
    settle(&side);
    if (part == PART_READY) {
        CHECK_EQUAL(sizeof(request), send(fd, &request, sizeof(request), MSG_NOSIGNAL));
        settle(&side);
    }
    talk(fd, message, size);
}

static void
talk_to_client(const uint8_t *message, size_t size) {
    ask(&side, own_addr, 0);
    talk(accept4(listener, NULL, NULL, SOCK_CLOEXEC), message, size);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const enum part part = data[0] % NUM_PARTS;
    if (part == PART_ANSWER) {
        talk_to_client(data + 1, size - 1);
    } else {
        talk_to_server(part, data + 1, size - 1);
    }
    return 0;
}

static void
make_request(void) {
    const void *details;
    size_t size;
    struct doca_rdma_connection *connection;
    REQUIRE_SUCCESS(doca_rdma_export(peer.rdma, &details, &size, &connection));
    CHECK_EQUAL(sizeof(request.end), size);
    memcpy(&request.end, details, sizeof(request.end));
    request.magic = CM_MESSAGE_MAGIC;
    request.kind = CM_REQUEST;
    request.address = (struct cm_address){.type = DOCA_RDMA_ADDR_TYPE_IPv6, .port = PORT, .gid = {[15] = 1}};
}

static void
listen_as_server(void) {
    const struct sockaddr_un path = path_of(OWN_PORT);
    listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    CHECK_EQUAL(0, bind(listener, (const struct sockaddr *)&path, sizeof(path)));
    CHECK_EQUAL(0, listen(listener, 1));
    own_addr = create_addr(DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, OWN_PORT);
}

static size_t
fuzz_begin(uint8_t *data) {
    use_own_runtime_dir();
    start_side(&side, "mlx5_0");
    start_side(&peer, "mlx5_1");
    side.reaction = accept_and_forget;
    REQUIRE_SUCCESS(doca_rdma_start_listen_to_port(side.rdma, PORT));
    server_path = path_of(PORT);
    listen_as_server();
    make_request();
    memcpy(data + 1, &request, sizeof(request));
    return 1 + sizeof(request);
}

/* The recipients alternate. The kind is mostly the expected one, and the end of the connection valid. */
static void
fuzz_seal(uint8_t *data, size_t size) {
    static uint8_t turn;
    static const enum cm_message_kind kinds[NUM_PARTS] = {CM_REQUEST, CM_READY, CM_ACCEPT};
    struct cm_message message = {0};
    data[0] = turn++;
    if (size != 1 + sizeof(message)) {
        return;
    }
    memcpy(&message, data + 1, sizeof(message));
    message.magic = CM_MESSAGE_MAGIC;
    if (data[0] < 128) {
        message.kind = kinds[data[0] % NUM_PARTS];
    }
    fuzz_seal_descriptor((uint8_t *)&message.end, sizeof(message.end));
    memcpy(data + 1, &message, sizeof(message));
}

int
main(void) {
    const int result = fuzz();
    const struct sockaddr_un path = path_of(OWN_PORT);
    end_side(&side);
    end_side(&peer);
    CHECK_SUCCESS(doca_rdma_addr_destroy(own_addr));
    close(listener);
    unlink(path.sun_path);
    CHECK_EQUAL(0, rmdir(runtime_dir));
    return result == EXIT_SUCCESS ? check_result() : result;
}
