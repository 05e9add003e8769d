/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Servers and clients of a comm channel, each with its own engine, and the events that their programs received.
 */
#ifndef DOCA_EMULATOR_COMCH_FIXTURE_H_
#define DOCA_EMULATOR_COMCH_FIXTURE_H_

#include <doca_comch.h>

#include "peer.h"
#include "runtime_dir.h"
#include "sdk_errors.h"

#define SERVER_NAME "a server"
#define MAX_EVENTS 4096
#define MAX_BYTES 4080
/* The limit for one message: the next power of two. */
#define LONGEST_BYTES 4096
#define QUEUE_SIZE 16
#define NUM_TASKS 64

enum event_kind {
    EVENT_STATE,
    EVENT_CONNECTED,
    EVENT_DISCONNECTED,
    EVENT_SENT,
    EVENT_FAILED,
    EVENT_RECEIVED,
    /* The start has found no server. */
    EVENT_ABORTED,
};

struct event {
    enum event_kind kind;
    /* EVENT_STATE: the next state. */
    enum doca_ctx_states state;
    /* EVENT_SENT, EVENT_FAILED */
    uint64_t task_id;
    doca_error_t status;
    /* EVENT_RECEIVED, for a message of make_message(). */
    uint32_t len;
    uint32_t number;
    struct doca_comch_connection *connection;
};

struct side;

typedef void (*reaction_t)(struct side *side, const struct event *event);

/* A server or a client. */
struct side {
    struct doca_dev *dev;
    struct doca_dev_rep *rep;
    struct doca_pe *pe;
    struct doca_comch_server *server;
    struct doca_comch_client *client;
    struct doca_ctx *ctx;
    /* The last connection that was established, or NULL. */
    struct doca_comch_connection *connection;
    /* The program's reaction in its callbacks, or NULL. */
    reaction_t reaction;
    struct event events[MAX_EVENTS];
    size_t num_events;
};

static inline void
record(struct side *side, struct event event) {
    if (side->num_events == MAX_EVENTS) {
        CHECK_FAILED("more than %d events", MAX_EVENTS);
        return;
    }
    side->events[side->num_events++] = event;
    if (side->reaction != NULL) {
        side->reaction(side, &event);
    }
}

static inline void
record_state(const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states previous,
             enum doca_ctx_states next) {
    struct side *side = user_data.ptr;
    (void)ctx;
    (void)previous;
    if (side->client != NULL && next == DOCA_CTX_STATE_RUNNING) {
        REQUIRE_SUCCESS(doca_comch_client_get_connection(side->client, &side->connection));
    }
    record(side, (struct event){.kind = EVENT_STATE, .state = next});
}

static inline struct side *
side_of(const struct doca_comch_connection *connection) {
    union doca_data user_data = {0};
    struct doca_comch_server *server = doca_comch_server_get_server_ctx(connection);
    struct doca_comch_client *client = doca_comch_client_get_client_ctx(connection);
    CHECK((server == NULL) != (client == NULL));
    CHECK_SUCCESS(doca_ctx_get_user_data(
            server != NULL ? doca_comch_server_as_ctx(server) : doca_comch_client_as_ctx(client), &user_data));
    return user_data.ptr;
}

static inline void
record_connected(struct doca_comch_event_connection_status_changed *event, struct doca_comch_connection *connection,
                 uint8_t successful) {
    struct side *side = side_of(connection);
    CHECK(event != NULL);
    CHECK_EQUAL(1, successful);
    side->connection = connection;
    record(side, (struct event){.kind = EVENT_CONNECTED, .connection = connection});
}

static inline void
record_disconnected(struct doca_comch_event_connection_status_changed *event,
                    struct doca_comch_connection *connection, uint8_t successful) {
    struct side *side = side_of(connection);
    CHECK(event != NULL);
    CHECK_EQUAL(1, successful);
    side->connection = side->connection == connection ? NULL : side->connection;
    record(side, (struct event){.kind = EVENT_DISCONNECTED, .connection = connection});
}

/* Makes a message: the number, truncated if necessary, followed by bytes that depend on it. */
static inline void
make_message(uint8_t *bytes, uint32_t len, uint32_t number) {
    for (uint32_t i = 0; i < len; i++) {
        bytes[i] = i < sizeof(number) ? (uint8_t)(number >> (8 * i)) : (uint8_t)(number * 31 + i * 7);
    }
}

static inline uint32_t
check_message(const uint8_t *bytes, uint32_t len) {
    uint8_t expected[LONGEST_BYTES];
    uint32_t number = 0;
    for (uint32_t i = 0; i < len && i < sizeof(number); i++) {
        number |= (uint32_t)bytes[i] << (8 * i);
    }
    make_message(expected, len, number);
    CHECK(memcmp(expected, bytes, len) == 0);
    return number;
}

static inline void
record_received(struct doca_comch_event_msg_recv *event, uint8_t *bytes, uint32_t len,
                struct doca_comch_connection *connection) {
    CHECK(event != NULL);
    record(side_of(connection),
           (struct event){
                                      .kind = EVENT_RECEIVED,
                                      .len = len,
                                      .number = check_message(bytes, len),
                                      .connection = connection,
                              });
}

/* Records the end of a send and frees its task. */
static inline void
record_end(struct doca_comch_task_send *task, union doca_data task_user_data, union doca_data ctx_user_data,
           enum event_kind kind) {
    struct doca_task *base = doca_comch_task_send_as_task(task);
    const doca_error_t status = doca_task_get_status(base);
    doca_task_free(base);
    record(ctx_user_data.ptr, (struct event){.kind = kind, .task_id = task_user_data.u64, .status = status});
}

static inline void
record_sent(struct doca_comch_task_send *task, union doca_data task_user_data, union doca_data ctx_user_data) {
    record_end(task, task_user_data, ctx_user_data, EVENT_SENT);
}

static inline void
record_failed(struct doca_comch_task_send *task, union doca_data task_user_data, union doca_data ctx_user_data) {
    record_end(task, task_user_data, ctx_user_data, EVENT_FAILED);
}

static inline struct doca_dev_rep *
open_representor(struct doca_dev *dev, const char *pci_addr) {
    struct doca_devinfo_rep **list;
    uint32_t num_reps;
    struct doca_dev_rep *rep = NULL;
    REQUIRE_SUCCESS(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &num_reps));
    for (uint32_t i = 0; i < num_reps && rep == NULL; i++) {
        uint8_t is_equal = 0;
        REQUIRE_SUCCESS(doca_devinfo_rep_is_equal_pci_addr(list[i], pci_addr, &is_equal));
        if (is_equal) {
            REQUIRE_SUCCESS(doca_dev_rep_open(list[i], &rep));
        }
    }
    REQUIRE_SUCCESS(doca_devinfo_rep_destroy_list(list));
    if (rep == NULL) {
        fprintf(stderr, "no representor of %s\n", pci_addr);
        exit(EXIT_FAILURE);
    }
    return rep;
}

static inline void
connect_side(struct side *side) {
    REQUIRE_SUCCESS(doca_pe_create(&side->pe));
    REQUIRE_SUCCESS(doca_ctx_set_user_data(side->ctx, (union doca_data){.ptr = side}));
    REQUIRE_SUCCESS(doca_ctx_set_state_changed_cb(side->ctx, record_state));
    REQUIRE_SUCCESS(doca_pe_connect_ctx(side->pe, side->ctx));
}

/* Creates a server on the DPU, for the function of the host with that PCI address. */
static inline void
create_server(struct side *side, const char *pci_addr) {
    memset(side, 0, sizeof(*side));
    side->dev = open_device("mlx5_0");
    side->rep = open_representor(side->dev, pci_addr);
    REQUIRE_SUCCESS(doca_comch_server_create(side->dev, side->rep, SERVER_NAME, &side->server));
    side->ctx = doca_comch_server_as_ctx(side->server);
    REQUIRE_SUCCESS(doca_comch_server_set_max_msg_size(side->server, MAX_BYTES));
    REQUIRE_SUCCESS(doca_comch_server_set_recv_queue_size(side->server, QUEUE_SIZE));
    REQUIRE_SUCCESS(doca_comch_server_task_send_set_conf(side->server, record_sent, record_failed, NUM_TASKS));
    REQUIRE_SUCCESS(doca_comch_server_event_msg_recv_register(side->server, record_received));
    REQUIRE_SUCCESS(doca_comch_server_event_connection_status_changed_register(side->server, record_connected,
                                                                               record_disconnected));
    connect_side(side);
}

/* On the host. */
static inline void
create_client(struct side *side, const char *device) {
    memset(side, 0, sizeof(*side));
    side->dev = open_device(device);
    REQUIRE_SUCCESS(doca_comch_client_create(side->dev, SERVER_NAME, &side->client));
    side->ctx = doca_comch_client_as_ctx(side->client);
    REQUIRE_SUCCESS(doca_comch_client_set_max_msg_size(side->client, MAX_BYTES));
    REQUIRE_SUCCESS(doca_comch_client_set_recv_queue_size(side->client, QUEUE_SIZE));
    REQUIRE_SUCCESS(doca_comch_client_task_send_set_conf(side->client, record_sent, record_failed, NUM_TASKS));
    REQUIRE_SUCCESS(doca_comch_client_event_msg_recv_register(side->client, record_received));
    connect_side(side);
}

static inline enum doca_ctx_states
state_of(const struct side *side) {
    return state_of_ctx(side->ctx);
}

static inline void
progress(struct side *side) {
    progress_or_rest(side->pe);
}

static inline void
end_side(struct side *side) {
    side->reaction = NULL;
    stop_and_wait(side->ctx, side->pe);
    CHECK_SUCCESS(side->server != NULL ? doca_comch_server_destroy(side->server)
                                       : doca_comch_client_destroy(side->client));
    CHECK_SUCCESS(doca_pe_destroy(side->pe));
    if (side->rep != NULL) {
        CHECK_SUCCESS(doca_dev_rep_close(side->rep));
    }
    CHECK_SUCCESS(doca_dev_close(side->dev));
}

static inline size_t
count_events(const struct side *side, enum event_kind kind) {
    size_t count = 0;
    for (size_t i = 0; i < side->num_events; i++) {
        count += side->events[i].kind == kind;
    }
    return count;
}

static inline void
forget_events(struct side *side) {
    side->num_events = 0;
}

/* Progresses until count events of the kind have occurred. */
static inline void
await(struct side *side, enum event_kind kind, size_t count) {
    while (count_events(side, kind) < count) {
        progress(side);
    }
}

static inline void
await_state(struct side *side, enum doca_ctx_states state) {
    while (state_of(side) != state) {
        progress(side);
    }
}

/* Checks the kind of the event with that index. */
static inline const struct event *
check_event(const struct side *side, size_t index, enum event_kind kind) {
    static const struct event none;
    if (index >= side->num_events || side->events[index].kind != kind) {
        CHECK_FAILED("event %zu of %zu is of kind %d, not %d", index, side->num_events,
                     index < side->num_events ? (int)side->events[index].kind : -1, kind);
        return &none;
    }
    return &side->events[index];
}

static inline void
check_state_event(const struct side *side, size_t index, enum doca_ctx_states state) {
    CHECK_EQUAL(state, check_event(side, index, EVENT_STATE)->state);
}

static inline doca_error_t
alloc_send(struct side *side, const void *bytes, uint32_t len, struct doca_comch_task_send **task) {
    return side->server != NULL
                   ? doca_comch_server_task_send_alloc_init(side->server, side->connection, bytes, len, task)
                   : doca_comch_client_task_send_alloc_init(side->client, side->connection, bytes, len, task);
}

/* Sends the message with that number. Frees the task if it cannot be submitted. */
static inline doca_error_t
try_send(struct side *side, uint32_t number, uint32_t len) {
    uint8_t bytes[LONGEST_BYTES + 1];
    make_message(bytes, len, number);
    struct doca_comch_task_send *task;
    doca_error_t result = alloc_send(side, bytes, len, &task);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    struct doca_task *base = doca_comch_task_send_as_task(task);
    doca_task_set_user_data(base, numbered(number));
    result = doca_task_submit(base);
    if (result != DOCA_SUCCESS) {
        doca_task_free(base);
    }
    return result;
}

/* Waits for a free task, and for room at the other side. */
static inline void
send_message(struct side *side, uint32_t number, uint32_t len) {
    doca_error_t result;
    while ((result = try_send(side, number, len)) == DOCA_ERROR_AGAIN || result == DOCA_ERROR_NO_MEMORY) {
        progress(side);
    }
    CHECK_SUCCESS(result);
}

#endif /* DOCA_EMULATOR_COMCH_FIXTURE_H_ */
