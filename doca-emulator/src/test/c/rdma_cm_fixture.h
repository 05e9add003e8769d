/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RDMA contexts that connect by address, each with its own engine, and the events that their programs received.
 */
#ifndef DOCA_EMULATOR_RDMA_CM_FIXTURE_H_
#define DOCA_EMULATOR_RDMA_CM_FIXTURE_H_

#include <sys/stat.h>

#include <doca_rdma.h>

#include "fixture.h"
#include "runtime_dir.h"
#include "sdk_errors.h"

#define PORT 13579
#define MAX_CM_EVENTS 256
#define LOOPBACK "127.0.0.1"

enum cm_event_kind {
    CM_REQUESTED,
    CM_ESTABLISHED,
    CM_FAILED,
    CM_DISCONNECTED,
};

struct cm_event {
    enum cm_event_kind kind;
    struct doca_rdma_connection *connection;
    /* The user data of the connection; unused for requests. */
    uint64_t user_data;
};

struct side;

/*
 * The program's reaction to an event. NULL accepts requests, and disconnects connections that the other side has ended.
 */
typedef void (*cm_reaction_t)(struct side *side, const struct cm_event *event);

struct side {
    struct doca_dev *dev;
    struct doca_pe *pe;
    struct doca_rdma *rdma;
    struct doca_ctx *ctx;
    cm_reaction_t reaction;
    struct cm_event events[MAX_CM_EVENTS];
    size_t num_events;
};

static inline void
accept_and_disconnect(struct side *side, const struct cm_event *event) {
    (void)side;
    if (event->kind == CM_REQUESTED) {
        CHECK_SUCCESS(doca_rdma_connection_accept(event->connection, "hello", 6));
    } else if (event->kind == CM_DISCONNECTED) {
        CHECK_SUCCESS(doca_rdma_connection_disconnect(event->connection));
    }
}

static inline void
react_not(struct side *side, const struct cm_event *event) {
    (void)side;
    (void)event;
}

static inline void
record_cm(union doca_data ctx_user_data, struct cm_event event) {
    struct side *side = ctx_user_data.ptr;
    if (side->num_events == MAX_CM_EVENTS) {
        CHECK_FAILED("more than %d events", MAX_CM_EVENTS);
        return;
    }
    side->events[side->num_events++] = event;
    (side->reaction == NULL ? accept_and_disconnect : side->reaction)(side, &event);
}

static inline void
record_request(struct doca_rdma_connection *connection, union doca_data ctx_user_data) {
    record_cm(ctx_user_data, (struct cm_event){.kind = CM_REQUESTED, .connection = connection});
}

static inline void
record_established(
        struct doca_rdma_connection *connection, union doca_data user_data, union doca_data ctx_user_data) {
    record_cm(ctx_user_data, (struct cm_event){CM_ESTABLISHED, connection, user_data.u64});
}

static inline void
record_failure(struct doca_rdma_connection *connection, union doca_data user_data, union doca_data ctx_user_data) {
    record_cm(ctx_user_data, (struct cm_event){CM_FAILED, connection, user_data.u64});
}

static inline void
record_disconnection(
        struct doca_rdma_connection *connection, union doca_data user_data, union doca_data ctx_user_data) {
    record_cm(ctx_user_data, (struct cm_event){CM_DISCONNECTED, connection, user_data.u64});
}

static inline void
create_side(struct side *side, const char *device) {
    memset(side, 0, sizeof(*side));
    side->dev = open_device(device);
    REQUIRE_SUCCESS(doca_pe_create(&side->pe));
    REQUIRE_SUCCESS(doca_rdma_create(side->dev, &side->rdma));
    side->ctx = doca_rdma_as_ctx(side->rdma);
    REQUIRE_SUCCESS(doca_rdma_set_max_num_connections(side->rdma, 8));
    REQUIRE_SUCCESS(doca_rdma_set_connection_state_callbacks(side->rdma, record_request, record_established,
                                                             record_failure, record_disconnection));
    REQUIRE_SUCCESS(doca_ctx_set_user_data(side->ctx, (union doca_data){.ptr = side}));
    REQUIRE_SUCCESS(doca_pe_connect_ctx(side->pe, side->ctx));
}

static inline void
start_side(struct side *side, const char *device) {
    create_side(side, device);
    REQUIRE_SUCCESS(doca_ctx_start(side->ctx));
}

static inline void
end_side(struct side *side) {
    stop_and_wait(side->ctx, side->pe);
    CHECK_SUCCESS(doca_rdma_destroy(side->rdma));
    CHECK_SUCCESS(doca_pe_destroy(side->pe));
    CHECK_SUCCESS(doca_dev_close(side->dev));
}

/* Progresses all sides until one of them has received count events. */
static inline void
await_event(struct side *side, size_t num_events, struct side *other) {
    while (side->num_events < num_events) {
        if (doca_pe_progress(side->pe) + (other == NULL ? 0 : doca_pe_progress(other->pe)) == 0) {
            sched_yield();
        }
    }
}

/* Progresses until there is no more work. */
static inline void
settle(struct side *side) {
    while (doca_pe_progress(side->pe) != 0) {
    }
}

static inline void
check_cm_event(const struct side *side, size_t index, enum cm_event_kind kind, uint64_t user_data) {
    if (index >= side->num_events) {
        CHECK_FAILED("there is no event %zu, but %zu", index, side->num_events);
        return;
    }
    CHECK_EQUAL(kind, side->events[index].kind);
    CHECK_EQUAL(user_data, side->events[index].user_data);
}

static inline struct doca_rdma_addr *
create_addr(enum doca_rdma_addr_type type, const char *text, uint16_t port) {
    struct doca_rdma_addr *addr;
    REQUIRE_SUCCESS(doca_rdma_addr_create(type, text, port, &addr));
    return addr;
}

/* Requests a connection; the first progress sends the request. */
static inline void
ask(struct side *client, struct doca_rdma_addr *addr, uint64_t user_data) {
    REQUIRE_SUCCESS(doca_rdma_connect_to_addr(client->rdma, addr, numbered(user_data)));
    CHECK_EQUAL(1, doca_pe_progress(client->pe));
}

/* Connects both sides; the server must be listening. Returns the connections. */
static inline void
connect_sides(struct side *server, struct side *client, struct doca_rdma_addr *addr, uint64_t user_data) {
    const size_t server_events = server->num_events;
    const size_t client_events = client->num_events;
    REQUIRE_SUCCESS(doca_rdma_connect_to_addr(client->rdma, addr, numbered(user_data)));
    await_event(client, client_events + 1, server);
    await_event(server, server_events + 2, client);
    check_cm_event(server, server_events, CM_REQUESTED, 0);
    check_cm_event(server, server_events + 1, CM_ESTABLISHED, 0);
    check_cm_event(client, client_events, CM_ESTABLISHED, user_data);
}

static inline struct doca_rdma_connection *
last_connection(const struct side *side) {
    return side->events[side->num_events - 1].connection;
}

#endif /* DOCA_EMULATOR_RDMA_CM_FIXTURE_H_ */
