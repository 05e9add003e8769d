/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections of an RDMA context: what both ways of connecting have in common. Functions here are for the thread of
 * the program, unless they say something else; the threaded engine is kept out by them.
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
    /* Knows its peer; operations are carried out as soon as the peer knows it as well, and wait until then. */
    CONNECTION_CONNECTED,
    /* Ended by either side. Nothing can be submitted any more. */
    CONNECTION_CLOSED,
};

struct cm_link;

struct doca_rdma_connection {
    struct object object;
    struct doca_rdma *rdma;
    TAILQ_ENTRY(doca_rdma_connection) link;
    enum connection_state state;
    /* Not the id of another connection of this context, in all its runs; never 0. */
    uint32_t id;
    union doca_data user_data;

    /* In the context's link, until the connection is closed. */
    uint32_t slot;
    struct link_descriptor descriptor;
    /* When CONNECTED, and the last one when CLOSED. */
    struct remote_link *remote;
    uint32_t remote_slot;
    struct link_end remote_end;

    /* What was submitted and not carried out, in order, and how the first of them waits. */
    struct task_list queue;
    bool executing;
    uint64_t waiting_since;
    uint64_t peer_looked_at;

    /* NULL for a connection by descriptors. */
    struct cm_link *cm;
    /* CLOSED for good: the program has disconnected it, and has the tasks only. See cm_leave(). */
    bool is_left;
};

TAILQ_HEAD(connection_list, doca_rdma_connection);

extern struct object_class connection_class;

/*
 * A new OPEN connection of a running context; BAD_STATE when it does not run, FULL when it has as many connections as
 * it may have. Connections that are CLOSED do not count.
 */
doca_error_t connection_create(struct doca_rdma *rdma, struct doca_rdma_connection **connection);

/* Says who the peer is: CONNECTION_ABORTED, with a record in the log, for a descriptor that leads to nobody. */
doca_error_t connection_attach(struct doca_rdma_connection *connection, const void *descriptor, size_t size);

/*
 * Ends the connection, if it was not: it becomes CLOSED, peers notice, and what is outstanding fails with the error
 * during progress. The context goes on.
 */
void connection_close(struct doca_rdma_connection *connection, doca_error_t error);

/* Frees a CLOSED connection, whose tasks have all been reported; the handle is not live any more. */
void connection_destroy(struct doca_rdma_connection *connection);

/* The connection with that id, closed ones included, or NULL. */
struct doca_rdma_connection *connection_find(struct doca_rdma *rdma, uint32_t id);

/* Whether tasks on the connection were submitted and not reported yet. */
bool connection_has_tasks(const struct doca_rdma_connection *connection);

/* Whether both sides know each other, so that data flows. */
bool connection_is_established(const struct doca_rdma_connection *connection);

#endif /* DOCA_EMULATOR_RDMA_CONNECTION_H_ */
