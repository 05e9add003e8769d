/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections by address, like those of rdma_cm. Everything runs in the thread of the context: rdma_cm_progress() reads
 * messages of other processes from sockets.
 *
 * A link is such a connection at any stage. The link of a client is resolving until progress sends the request,
 * requesting until the server accepts, and then established. The link of a server is greeted once a client has connected, requested from the client's request until the
 * program accepts, accepted until the client is ready, and then established. A link that cannot be established is failed
 * until the program is notified. A link whose other side has closed is ended until the program disconnects as well.
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
    CM_LINK_RESOLVING,
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
    /* The list of links that the program must be notified of. */
    TAILQ_ENTRY(cm_link) report;
    /* The list of resolving links; a resolving link may have been dropped from it by rdma_cm_lose_event(). */
    TAILQ_ENTRY(cm_link) resolution;
    bool is_to_be_resolved;
    bool is_to_be_reported;
    enum cm_link_state state;
    struct doca_rdma *rdma;
    /* NULL while greeted, and if the context has no room for another connection. */
    struct doca_rdma_connection *connection;
    struct doca_rdma_addr *addr;
    /* Negative when closed. */
    int fd;
    /*
     * The time at which it fails without an answer, in terms of clock_now(); 0 for none. A link with a deadline is in
     * the list of waiting links.
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
    /* True if the context has used addresses since its start, so the waker runs. */
    bool open;
    struct waker waker;
    TAILQ_HEAD(, cm_listener) listeners;
    struct cm_link_list links;
    struct cm_link_list reports;
    /* The links of clients whose request the next progress sends. */
    struct cm_link_list resolving;
    /* Connections that the program has disconnected, and that are still in use. */
    struct connection_list left;
    /* Links with a deadline, the earliest first: all wait for the same time. */
    struct cm_link_list waiting;
    /*
     * The connection of requests for which the context has no room; NULL before the first one. It is in no list. It has a
     * link only during the callback of a request, and the program may use its handle until the context is IDLE.
     */
    struct doca_rdma_connection *spare;
};

/* Initialises the state of a new context. */
void rdma_cm_init(struct cm *cm);

/*
 * Handles messages of other processes, one step at a time. Called before tasks are checked, because a connection is
 * established before its first message arrives.
 */
bool rdma_cm_progress(struct doca_rdma *rdma);

/*
 * Reports a failed or ended connection to the program. Called when there are no tasks to report: operations of the other
 * side before it closed are reported first.
 */
bool rdma_cm_report(struct doca_rdma *rdma);

/*
 * Discards one event that is pending, as the real library does when an engine is armed: it takes the event from the
 * connection manager and handles the next one instead. A connection may thus never be established, and a disconnect may go
 * unnoticed.
 */
void rdma_cm_lose_event(struct doca_rdma *rdma);

/* Returns whether one of the two functions would find work now. For later work, sets the timer of the engine. */
bool rdma_cm_has_work(struct doca_rdma *rdma);

/*
 * Returns whether the program must still be notified that the connection is established, which the next
 * rdma_cm_progress() does. Received messages are not reported before.
 */
bool rdma_cm_is_to_be_established(const struct doca_rdma_connection *connection);

/*
 * Called when the context leaves RUNNING. The other sides notice it. The program keeps its connections, and may
 * disconnect them.
 */
void rdma_cm_stop(struct doca_rdma *rdma);

/*
 * Destroys the connections by address. Called when the context becomes IDLE, with or without rdma_cm_stop() before.
 */
void rdma_cm_release(struct doca_rdma *rdma);

/* Starts the waker, at the first use of an address. */
doca_error_t rdma_cm_open(struct doca_rdma *rdma);

/* Fails like rdma_cm_listener_create(). */
doca_error_t rdma_cm_add_listener(struct doca_rdma *rdma, uint16_t port);

void rdma_cm_remove_listener(struct cm *cm, struct cm_listener *listener);

/* Ends a connection that the program has disconnected, and destroys it now or when it is no longer in use. */
void rdma_cm_leave(struct doca_rdma_connection *connection);

#endif /* DOCA_EMULATOR_CM_H_ */
