/* SPDX-License-Identifier: Apache-2.0 */
/* The comm channel between processes of the host and of the DPU. */
#include <sys/resource.h>

#include "comch_fixture.h"

#define FUNCTION "0000:0b:00.0"
#define DEFAULT_QUEUE_SIZE 16

static struct side side;

/*
 * The other process
 */

enum order_kind {
    ORDER_START,
    ORDER_STOP,
    /* Messages of that number and the following ones. */
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

/* Perhaps nobody listens any more. */
static void
tell_event(struct side *told, const struct event *event) {
    (void)told;
    (void)!write(STDOUT_FILENO, event, sizeof(*event));
}

static void
obey(const struct order *order) {
    switch (order->kind) {
    case ORDER_START:
        CHECK_ERROR(side.client != NULL ? DOCA_ERROR_IN_PROGRESS : DOCA_SUCCESS, doca_ctx_start(side.ctx));
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

/* Progresses and does what it is told, until nobody tells any more. */
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
    side.reaction = tell_event;
    return run_side();
}

static int
run_server(void) {
    create_server(&side, FUNCTION);
    side.reaction = tell_event;
    return run_side();
}

/* Sends when it runs and ends when it has got an answer, as NVIDIA's client does. */
static void
send_and_stop(struct side *client, const struct event *event) {
    if (event->kind == EVENT_STATE && event->state == DOCA_CTX_STATE_RUNNING) {
        CHECK_SUCCESS(try_send(client, 1, 100));
    } else if (event->kind == EVENT_RECEIVED) {
        CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(client->ctx));
    }
}

static int
run_ping(void) {
    create_client(&side, "mlx5_0");
    side.reaction = send_and_stop;
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(side.ctx));
    await_state(&side, DOCA_CTX_STATE_IDLE);
    check_state_event(&side, 0, DOCA_CTX_STATE_STARTING);
    check_state_event(&side, 1, DOCA_CTX_STATE_RUNNING);
    check_event(&side, 2, EVENT_SENT);
    CHECK_EQUAL(2, check_event(&side, 3, EVENT_RECEIVED)->number);
    check_state_event(&side, 4, DOCA_CTX_STATE_STOPPING);
    check_state_event(&side, 5, DOCA_CTX_STATE_IDLE);
    end_side(&side);
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

/* What the other process is told next; this one progresses meanwhile when it has something to progress. */
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

static void
answer_and_stop(struct side *server, const struct event *event) {
    if (event->kind == EVENT_RECEIVED) {
        CHECK_SUCCESS(try_send(server, 2, 200));
    } else if (event->kind == EVENT_SENT) {
        CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(server->ctx));
    }
}

static void
a_message_is_answered(void) {
    start_server();
    side.reaction = answer_and_stop;
    struct peer client = start_peer("ping", "host");
    await_state(&side, DOCA_CTX_STATE_IDLE);
    check_event(&side, 0, EVENT_CONNECTED);
    const struct event *received = check_event(&side, 1, EVENT_RECEIVED);
    CHECK_EQUAL(1, received->number);
    CHECK_EQUAL(100, received->len);
    CHECK_EQUAL(2, check_event(&side, 2, EVENT_SENT)->task_id);
    check_state_event(&side, 3, DOCA_CTX_STATE_STOPPING);
    check_state_event(&side, 4, DOCA_CTX_STATE_IDLE);
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
                                                      : run_ping();
    }
    use_own_runtime_dir();
    keep_errors();
    (void)connect_client;
    a_message_is_answered();
    rmdir(runtime_dir);
    return check_result();
}
