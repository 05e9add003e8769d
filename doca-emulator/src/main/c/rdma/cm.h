/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections by address, as rdma_cm makes them. All happens in the thread of the context: rdma_cm_progress() reads
 * messages of other processes from sockets.
 *
 * A link is such a connection at any stage. A client's is requesting until the server accepts, and established at
 * once then. A server's is greeted once a client has connected, requested from the client's request until the program
 * accepts, accepted until the client is ready, and established then. A link that cannot be established is failed
 * until the program is notified; a link whose other side has closed is ended until the program disconnects as well.
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
    CM_LINK_REQUESTING,
    CM_LINK_GREETED,
    CM_LINK_REQUESTED,
    CM_LINK_ACCEPTED,
    CM_LINK_ESTABLISHED,
    CM_LINK_FAILED,
    CM_LINK_ENDED,
};

struct cm_link {
    TAILQ_ENTRY(cm_link) entry;
    /* In the list of those that the program has to be notified of. */
    TAILQ_ENTRY(cm_link) report;
    bool is_to_be_reported;
    enum cm_link_state state;
    struct doca_rdma *rdma;
    /* NULL while greeted. */
    struct doca_rdma_connection *connection;
    struct doca_rdma_addr *addr;
    /* The link owns the address object: no program made it. */
    bool owns_addr;
    /* Negative when closed. */
    int fd;
    /*
     * When it fails without an answer, in terms of clock_now(); it is in the list of links with a deadline then. 0
     * for none.
     */
    uint64_t deadline;
    TAILQ_ENTRY(cm_link) deadline_entry;
    struct cm_source source;
    /* For a server: the address on which it listens, and the client's end of the connection. */
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
    /* Links with a deadline, the earliest first: all wait equally long from the start of their wait. */
    struct cm_link_list waiting;
};

/* Initialises the state of a new context. */
void rdma_cm_init(struct cm *cm);

/*
 * One step for messages of others. Call this before looking at tasks: a connection is established before its first
 * message arrives.
 */
bool rdma_cm_progress(struct doca_rdma *rdma);

/*
 * Reports a failed or ended connection to the program. Call this when there are no tasks to report: operations of the
 * other side before it closed come first.
 */
bool rdma_cm_report(struct doca_rdma *rdma);

/* Returns whether one of the two would find work now. For later work, it sets the timer of the progress engine. */
bool rdma_cm_has_work(struct doca_rdma *rdma);

/*
 * Returns whether the program has not been notified yet that the connection is established: received messages are not
 * reported before that. The next rdma_cm_progress() finds the cause.
 */
bool rdma_cm_is_to_be_established(const struct doca_rdma_connection *connection);

/*
 * The context leaves RUNNING, which the other sides notice. The program still has its connections, and may disconnect
 * them.
 */
void rdma_cm_stop(struct doca_rdma *rdma);

/*
 * Called when the context becomes IDLE, perhaps without rdma_cm_stop() before: destroys the connections by address.
 */
void rdma_cm_release(struct doca_rdma *rdma);

/* The waker starts with the first use of an address. */
doca_error_t rdma_cm_open(struct doca_rdma *rdma);

/* As rdma_cm_listener_create(). */
doca_error_t rdma_cm_add_listener(struct doca_rdma *rdma, uint16_t port);

void rdma_cm_remove_listener(struct cm *cm, struct cm_listener *listener);

/* Ends a connection that the program may no longer use, and destroys it, now or when its tasks have ended. */
void rdma_cm_leave(struct doca_rdma_connection *connection);

#endif /* DOCA_EMULATOR_CM_H_ */
