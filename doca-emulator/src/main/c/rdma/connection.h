/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections of an RDMA context: the common part of both ways of connecting. Functions are called by the thread of the
 * program, unless stated otherwise.
 */
#ifndef DOCA_EMULATOR_RDMA_CONNECTION_H_
#define DOCA_EMULATOR_RDMA_CONNECTION_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <doca_rdma.h>

#include "common/object.h"
#include "common/task.h"
#include "rdma/link.h"

enum connection_state {
    /* Has a descriptor and no peer. */
    CONNECTION_OPEN,
    /* Knows its peer. Operations wait until the peer knows this connection as well. */
    CONNECTION_CONNECTED,
    /* Ended by either side. Nothing can be submitted any more, and the peer begins no operation on the memory. */
    CONNECTION_CLOSED,
};

struct cm_link;

/* The serial of no connection. */
#define RDMA_NO_CONNECTION UINT32_MAX

struct doca_rdma_connection {
    struct object object;
    struct doca_rdma *rdma;
    TAILQ_ENTRY(doca_rdma_connection) link;
    /* In the context's table by serial. */
    LIST_ENTRY(doca_rdma_connection) same_bucket;
    enum connection_state state;
    /* Unique among the connections of this context, in all its runs. Messages name it. */
    uint32_t serial;
    union doca_data user_data;

    /* The slot in the context's link, until the connection is closed and not draining. For the program it is the id. */
    uint32_t slot;
    /* True if it is CLOSED, and the peer may not have finished an operation. */
    bool is_draining;
    struct link_descriptor descriptor;
    /* Valid once it was CONNECTED. */
    struct remote_link *remote;
    uint32_t remote_slot;
    struct link_end remote_end;

    /* Submitted and not reported. */
    uint32_t num_tasks;
    /* Receives with a message of this connection that were removed from the ring and not reported. */
    uint32_t num_received;
    /* Used by the engine: operations not executed yet, in order. */
    struct task_list queue;
    TAILQ_ENTRY(doca_rdma_connection) active_link;
    bool executing;
    /* If not SUCCESS, the error of operations that cannot be executed at once. */
    doca_error_t flush_error;
    /* The times since which the first operation waits, for anything and for a receive; 0 if it does not. */
    uint64_t waiting_since;
    uint64_t rnr_since;
    uint64_t peer_looked_at;

    /* Constant from before the first operation, so that the engine may read it. */
    bool by_address;
    /* NULL for a connection by descriptors. */
    struct cm_link *cm;
    /* True if the program has disconnected it while it was in use. See rdma_cm_leave(). */
    bool is_left;
    TAILQ_ENTRY(doca_rdma_connection) left;
};

TAILQ_HEAD(connection_list, doca_rdma_connection);
LIST_HEAD(connection_bucket, doca_rdma_connection);

extern struct object_class rdma_connection_class;

/*
 * Creates an OPEN connection. Returns BAD_STATE if the context is not running, FULL if it has its maximum number of
 * connections. CLOSED connections do not count.
 */
doca_error_t rdma_connection_create(struct doca_rdma *rdma, struct doca_rdma_connection **connection);

/*
 * Sets the peer. Returns BAD_STATE if it was set before, and CONNECTION_ABORTED, with a record in the log, if the
 * descriptor does not refer to a peer.
 */
doca_error_t rdma_connection_attach(struct doca_rdma_connection *connection, const void *descriptor, size_t size);

/*
 * Ends the connection, unless it has ended already. It becomes CLOSED, the peer notices it, and outstanding operations
 * fail with the error during progress. The context keeps running. Waits up to half a second for a peer that accesses the
 * memory. After that the connection is draining, until rdma_connections_drain() finds that the peer has finished.
 */
void rdma_connection_close(struct doca_rdma_connection *connection, doca_error_t error);

/* As rdma_connection_close(), of all connections. */
void rdma_connections_close(struct doca_rdma *rdma, doca_error_t error);

/* Ends the draining of connections whose peers have finished, or have ended. It looks every few milliseconds. */
void rdma_connections_drain(struct doca_rdma *rdma);

/* Forgets that connections are draining, and their slots. Called in a forked child, which has neither. */
void rdma_connections_abandon(struct doca_rdma *rdma);

/* Frees a CLOSED connection that is not in use. Its handle becomes invalid. */
void rdma_connection_destroy(struct doca_rdma_connection *connection);

/* Creates a CLOSED connection that takes no room in its context, and that only its creator knows; NULL without memory. */
struct doca_rdma_connection *rdma_connection_create_spare(struct doca_rdma *rdma);

/* Returns the connection with that serial, also a closed one, or NULL. */
struct doca_rdma_connection *rdma_connection_find(struct doca_rdma *rdma, uint32_t serial);

/* Returns the connection that has the slot, or NULL. */
struct doca_rdma_connection *rdma_connection_in_slot(struct doca_rdma *rdma, uint32_t slot);

/* Returns whether it has unreported tasks, which include receives with its messages, or is draining. */
bool rdma_connection_is_in_use(const struct doca_rdma_connection *connection);

/* Returns whether both sides know each other, so that operations are executed. */
bool rdma_connection_is_established(const struct doca_rdma_connection *connection);

enum peer_state {
    PEER_READY,
    /* The peer does not know this side yet. */
    PEER_NOT_CONNECTED,
    /* The peer has ended the connection. */
    PEER_CLOSED,
    /* The context of the peer has stopped, or is connected to another peer. */
    PEER_GONE,
};

/*
 * Begins an operation on the memory of the peer. If this returns PEER_READY, the memory stays accessible until
 * rdma_connection_leave(). Called by the engine, which executes one operation at a time on a connection.
 */
enum peer_state rdma_connection_enter(struct doca_rdma_connection *connection);
void rdma_connection_leave(struct doca_rdma_connection *connection);

#endif /* DOCA_EMULATOR_RDMA_CONNECTION_H_ */
