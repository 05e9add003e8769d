/* SPDX-License-Identifier: Apache-2.0 */
/* Connections by address, between processes. */
#include <poll.h>

#include "peer.h"
#include "rdma_cm_fixture.h"

#define MAX_NUM_ADDRS 8

static struct side side;
static struct doca_rdma_addr *addrs[MAX_NUM_ADDRS];
static size_t num_addrs;

/*
 * The other process
 */

/* The reader may have ended. */
static void
report(char byte) {
    (void)!write(STDOUT_FILENO, &byte, 1);
}

/* Writes each event, as a letter. */
static void
write_event(struct side *side, const struct cm_event *event) {
    accept_and_disconnect(side, event);
    report("refd"[event->kind]);
}

static void
write_and_leave_open(struct side *side, const struct cm_event *event) {
    (void)side;
    report("refd"[event->kind]);
}

/* Progresses until this process is ordered to end. */
static int
run_side(void) {
    struct pollfd end = {.fd = STDIN_FILENO, .events = POLLIN};
    while (poll(&end, 1, 0) == 0) {
        progress_or_rest(side.pe);
    }
    end_side(&side);
    return check_result();
}

static int
run_server(const char *device, cm_reaction_t reaction) {
    start_side(&side, device);
    side.reaction = reaction;
    REQUIRE_SUCCESS(doca_rdma_start_listen_to_port(side.rdma, PORT));
    report('l');
    return run_side();
}

static int
run_client(void) {
    start_side(&side, "mlx5_1");
    side.reaction = write_event;
    struct doca_rdma_addr *addr = create_addr(DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, PORT);
    ask(&side, addr, 0);
    const int result = run_side();
    CHECK_SUCCESS(doca_rdma_addr_destroy(addr));
    return result;
}

/*
 * This process
 */

static void
expect(struct peer *peer, char expected) {
    struct pollfd ready = {.fd = peer->replies, .events = POLLIN};
    char byte = '?';
    while (poll(&ready, 1, 0) == 0) {
        (void)doca_pe_progress(side.pe);
    }
    if (!read_fully(peer->replies, &byte, 1) || byte != expected) {
        CHECK_FAILED("the other process says %c, not %c", byte, expected);
    }
}

static struct peer
start_server(const char *part, const char *role) {
    struct peer peer = start_peer(part, role);
    expect(&peer, 'l');
    return peer;
}

static void
connect_to(enum doca_rdma_addr_type type, const char *text, enum cm_event_kind expected) {
    struct doca_rdma_addr *addr = create_addr(type, text, PORT);
    const size_t num_events = side.num_events;
    ask(&side, addr, 7);
    await_event(&side, num_events + 1, NULL);
    check_cm_event(&side, num_events, expected, 7);
    addrs[num_addrs++] = addr;
}

static void
end(void) {
    end_side(&side);
    while (num_addrs > 0) {
        CHECK_SUCCESS(doca_rdma_addr_destroy(addrs[--num_addrs]));
    }
}

static void
processes_connect(void) {
    start_side(&side, "mlx5_1");
    struct peer server = start_server("server", "dpu");
    connect_to(DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, CM_ESTABLISHED);
    expect(&server, 'r');
    expect(&server, 'e');
    connect_to(DOCA_RDMA_ADDR_TYPE_GID, "fe80::d0:caff:fe00:0", CM_ESTABLISHED);
    expect(&server, 'r');
    expect(&server, 'e');
    CHECK_SUCCESS(doca_rdma_connection_disconnect(side.events[0].connection));
    expect(&server, 'd');
    /* It stops with one connection still open. */
    end_peer(&server);
    await_event(&side, 3, NULL);
    check_cm_event(&side, 2, CM_DISCONNECTED, 7);
    CHECK_EQUAL(0, count_names());
    end();
}

/* Two machines, each with its own loopback interface. */
static void
a_host_is_another_machine(void) {
    start_side(&side, "mlx5_1");
    struct peer server = start_server("server", "host");
    connect_to(DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, CM_FAILED);
    connect_to(DOCA_RDMA_ADDR_TYPE_GID, "fe80::d0:caff:fe01:4", CM_ESTABLISHED);
    end_peer(&server);
    await_event(&side, 3, NULL);
    end();
}

static void
the_death_of_a_server_is_a_disconnection(void) {
    start_side(&side, "mlx5_1");
    struct peer server = start_server("server", "dpu");
    connect_to(DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, CM_ESTABLISHED);
    expect(&server, 'r');
    kill_peer(&server);
    await_event(&side, 2, NULL);
    check_cm_event(&side, 1, CM_DISCONNECTED, 7);
    CHECK(count_names() > 0);
    connect_to(DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, CM_FAILED);

    /* The next process takes over its names. */
    server = start_server("server", "dpu");
    connect_to(DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, CM_ESTABLISHED);
    end_peer(&server);
    await_event(&side, 5, NULL);
    CHECK_EQUAL(0, count_names());
    end();
}

static void
the_death_of_a_server_that_has_not_answered_is_a_failure(void) {
    start_side(&side, "mlx5_1");
    struct peer server = start_server("silent server", "dpu");
    struct doca_rdma_addr *addr = create_addr(DOCA_RDMA_ADDR_TYPE_IPv4, LOOPBACK, PORT);
    ask(&side, addr, 7);
    expect(&server, 'r');
    CHECK_EQUAL(0, side.num_events);
    kill_peer(&server);
    await_event(&side, 1, NULL);
    check_cm_event(&side, 0, CM_FAILED, 7);
    end();
    CHECK_SUCCESS(doca_rdma_addr_destroy(addr));
}

static void
listen_here(void) {
    start_side(&side, "mlx5_0");
    REQUIRE_SUCCESS(doca_rdma_start_listen_to_port(side.rdma, PORT));
}

static void
the_death_of_a_client_is_a_disconnection(void) {
    listen_here();
    struct peer client = start_peer("client", "dpu");
    await_event(&side, 2, NULL);
    check_cm_event(&side, 1, CM_ESTABLISHED, 0);
    expect(&client, 'e');
    kill_peer(&client);
    await_event(&side, 3, NULL);
    check_cm_event(&side, 2, CM_DISCONNECTED, 0);
    end();
}

static void
the_death_of_a_client_that_waits_is_a_failure(void) {
    listen_here();
    side.reaction = react_not;
    struct peer client = start_peer("client", "dpu");
    await_event(&side, 1, NULL);
    kill_peer(&client);
    await_event(&side, 2, NULL);
    check_cm_event(&side, 1, CM_FAILED, 0);
    end();
}

static void
stop_copy(void *unused) {
    (void)unused;
    stop_and_wait(side.ctx, side.pe);
}

/* A child has copies of all sockets, and may end before or after its parent. */
static void
a_forked_child_ends_nothing(void) {
    listen_here();
    struct peer client = start_peer("client", "dpu");
    await_event(&side, 2, NULL);
    expect(&client, 'e');
    check_in_child(stop_copy, NULL);
    CHECK(count_names() > 0);
    struct peer another = start_peer("client", "dpu");
    await_event(&side, 4, NULL);
    check_cm_event(&side, 3, CM_ESTABLISHED, 0);
    expect(&another, 'e');

    /* This child still runs after the stop of the parent. */
    int pipe_ends[2];
    CHECK_EQUAL(0, pipe2(pipe_ends, O_CLOEXEC));
    const pid_t survivor = fork();
    if (survivor == 0) {
        char byte;
        close(pipe_ends[1]);
        (void)!read(pipe_ends[0], &byte, 1);
        _exit(EXIT_SUCCESS);
    }
    end();
    CHECK_EQUAL(0, count_names());
    char byte = '?';
    CHECK(read_fully(client.replies, &byte, 1) && byte == 'd');
    CHECK(read_fully(another.replies, &byte, 1) && byte == 'd');
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    waitpid(survivor, NULL, 0);
    end_peer(&client);
    end_peer(&another);
}

int
main(int argc, char **argv) {
    if (argc > 1) {
        signal(SIGPIPE, SIG_IGN);
        return strcmp(argv[1], "server") == 0          ? run_server("mlx5_0", write_event)
               : strcmp(argv[1], "silent server") == 0 ? run_server("mlx5_0", write_and_leave_open)
                                                       : run_client();
    }
    use_own_runtime_dir();
    keep_errors();
    processes_connect();
    a_host_is_another_machine();
    the_death_of_a_server_is_a_disconnection();
    the_death_of_a_server_that_has_not_answered_is_a_failure();
    the_death_of_a_client_is_a_disconnection();
    the_death_of_a_client_that_waits_is_a_failure();
    a_forked_child_ends_nothing();
    rmdir(runtime_dir);
    return check_result();
}
