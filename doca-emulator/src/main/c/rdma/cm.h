/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections that are made by address, as rdma_cm makes them. All happens in the thread of the context: what others
 * do is found on sockets by rdma_cm_progress().
 *
 * A link is such a connection on its way. A client's is asking until the server accepts, and established at once then.
 * A server's is greeted when a client has connected, requested from the client's request until the program accepts,
 * accepted until the client is ready, and established then. One that cannot be established has failed, until the
 * program knows; one whose other side has closed is ended, until the program disconnects as well.
 */
#ifndef DOCA_EMULATOR_CM_H_
#define DOCA_EMULATOR_CM_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <doca_rdma.h>

#include "rdma/cm_addr.h"
#include "rdma/cm_listener.h"
#include "common/waker.h"
#include "rdma/connection.h"
#include "rdma/link.h"

struct doca_rdma;

enum cm_link_state {
    CM_LINK_ASKING,
    CM_LINK_GREETED,
    CM_LINK_REQUESTED,
    CM_LINK_ACCEPTED,
    CM_LINK_ESTABLISHED,
    CM_LINK_FAILED,
    CM_LINK_ENDED,
};

struct cm_link {
    TAILQ_ENTRY(cm_link) entry;
    /* In the list of those that the program has to learn of. */
    TAILQ_ENTRY(cm_link) report;
    bool is_to_be_reported;
    enum cm_link_state state;
    struct doca_rdma *rdma;
    /* NULL while greeted. */
    struct doca_rdma_connection *connection;
    struct doca_rdma_addr *addr;
    /* The address object goes with this link: no program made it. */
    bool owns_addr;
    /* Negative when closed. */
    int fd;
    /* When it fails by itself, in terms of clock_now(): it is in the list of those with a deadline then. 0 for none. */
    uint64_t deadline;
    TAILQ_ENTRY(cm_link) deadline_entry;
    struct cm_source source;
    /* Of a server: where it listens, and the client's end of the connection. */
    struct cm_address listening;
    struct link_descriptor peer;
};

TAILQ_HEAD(cm_link_list, cm_link);

/* Embedded in the context. */
struct cm {
    doca_rdma_connection_request_cb_t requested;
    doca_rdma_connection_established_cb_t established;
    doca_rdma_connection_failure_cb_t failed;
    doca_rdma_connection_disconnection_cb_t disconnected;
    /* The context has used addresses since its start: the waker runs. */
    bool open;
    struct waker waker;
    TAILQ_HEAD(, cm_listener) listeners;
    struct cm_link_list links;
    struct cm_link_list reports;
    /* Connections that only wait for their tasks to be reported. */
    struct connection_list left;
    /* Links with a deadline, the earliest first: all have the same time from the start of their wait. */
    struct cm_link_list waiting;
};

/* Of a new context. */
void rdma_cm_init(struct cm *cm);

/*
 * One step for what others do. To be called before tasks are looked at: a connection is established before the first
 * message comes by it.
 */
bool rdma_cm_progress(struct doca_rdma *rdma);

/*
 * Tells the program of a connection that has failed or ended. To be called when there are no tasks to report: what the
 * other side did before it closed comes first.
 */
bool rdma_cm_report(struct doca_rdma *rdma);

/* Returns whether one of the two would find something now. For later, it sets the timer of the progress engine. */
bool rdma_cm_has_work(struct doca_rdma *rdma);

/*
 * Returns whether the program is still to learn that the connection is established: what has been received by it is not
 * reported before that. The next rdma_cm_progress() finds why.
 */
bool rdma_cm_is_to_be_established(const struct doca_rdma_connection *connection);

/* The context leaves RUNNING: the others notice. The program still has its connections, and may disconnect them. */
void rdma_cm_stop(struct doca_rdma *rdma);

/* When the context becomes IDLE, perhaps without rdma_cm_stop() before: destroys the connections by address. */
void rdma_cm_release(struct doca_rdma *rdma);

/* The waker starts with the first use of an address. */
doca_error_t rdma_cm_open(struct doca_rdma *rdma);

/* As rdma_cm_listener_create(). */
doca_error_t rdma_cm_add_listener(struct doca_rdma *rdma, uint16_t port);

void rdma_cm_remove_listener(struct cm *cm, struct cm_listener *listener);

/* Ends a connection that the program shall not use any more, and destroys it, now or when its tasks have ended. */
void rdma_cm_leave(struct doca_rdma_connection *connection);

#endif /* DOCA_EMULATOR_CM_H_ */
