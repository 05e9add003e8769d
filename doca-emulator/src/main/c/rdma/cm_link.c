/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "common/clock.h"
#include "common/sdk_log.h"
#include "rdma/cm_link.h"
#include "rdma/cm_message.h"
#include "rdma/connection.h"
#include "rdma/rdma.h"

/* The ports that Linux gives clients. */
#define FIRST_CLIENT_PORT 32768
#define CLIENT_PORTS 28232

/*
 * Life
 */

static struct cm_link *
create(struct doca_rdma *rdma, enum cm_link_state state) {
    struct cm_link *link = calloc(1, sizeof(*link));
    if (link != NULL) {
        link->rdma = rdma;
        link->state = state;
        link->fd = -1;
        link->source.link = link;
        TAILQ_INSERT_TAIL(&rdma->cm.links, link, entry);
    }
    return link;
}

/* Creates the link's connection. Returns FULL if there are too many. */
static doca_error_t
add_connection(struct cm_link *link) {
    const doca_error_t result = rdma_connection_create(link->rdma, &link->connection);
    if (result == DOCA_SUCCESS) {
        link->connection->by_address = true;
        link->connection->cm = link;
    }
    return result;
}

static void
set_addr(struct cm_link *link, struct doca_rdma_addr *addr, bool owned) {
    addr->num_users++;
    addr->is_of_request = owned;
    link->addr = addr;
}

static void
drop_addr(struct cm_link *link) {
    if (link->addr != NULL) {
        link->addr->num_users--;
        if (link->addr->num_users == 0 && (link->addr->is_of_request || link->addr->is_destroyed)) {
            rdma_cm_addr_destroy(link->addr);
        }
        link->addr = NULL;
    }
}

static void
cancel_report(struct cm_link *link) {
    if (link->is_to_be_reported) {
        TAILQ_REMOVE(&link->rdma->cm.reports, link, report);
        link->is_to_be_reported = false;
    }
}

static void
cancel_resolution(struct cm_link *link) {
    if (link->is_to_be_resolved) {
        TAILQ_REMOVE(&link->rdma->cm.resolving, link, resolution);
        link->is_to_be_resolved = false;
    }
}

void
rdma_cm_link_stall(struct cm_link *link) {
    cancel_resolution(link);
    cancel_report(link);
}

static void
close_socket(struct cm_link *link) {
    if (link->fd < 0) {
        return;
    }
    if (!waker_is_inherited(&link->rdma->cm.waker)) {
        (void)epoll_ctl(link->rdma->cm.waker.events, EPOLL_CTL_DEL, link->fd, NULL);
        (void)shutdown(link->fd, SHUT_RDWR);
    }
    local_socket_disconnect(link->fd);
    link->fd = -1;
}

/* Returns false if the socket cannot be watched. */
static bool
open_socket(struct cm_link *link, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &link->source};
    link->fd = fd;
    return epoll_ctl(link->rdma->cm.waker.events, EPOLL_CTL_ADD, fd, &event) == 0;
}

static void
clear_deadline(struct cm_link *link) {
    if (link->deadline != 0) {
        TAILQ_REMOVE(&link->rdma->cm.waiting, link, deadline_entry);
        link->deadline = 0;
    }
}

static void
set_deadline(struct cm_link *link) {
    clear_deadline(link);
    link->deadline = clock_now() + link->rdma->properties.connection_request_timeout * NS_PER_MS;
    TAILQ_INSERT_TAIL(&link->rdma->cm.waiting, link, deadline_entry);
}

void
rdma_cm_link_shut(struct cm_link *link) {
    close_socket(link);
    rdma_cm_link_stall(link);
    clear_deadline(link);
    link->state = link->state == CM_LINK_FAILED ? CM_LINK_FAILED : CM_LINK_ENDED;
}

void
rdma_cm_link_destroy(struct cm_link *link) {
    rdma_cm_link_shut(link);
    TAILQ_REMOVE(&link->rdma->cm.links, link, entry);
    if (link->connection != NULL) {
        link->connection->cm = NULL;
        rdma_cm_leave(link->connection);
    }
    drop_addr(link);
    free(link);
}

/*
 * Ends
 */

static void
report(struct cm_link *link, enum cm_link_state state) {
    link->state = state;
    TAILQ_INSERT_TAIL(&link->rdma->cm.reports, link, report);
    link->is_to_be_reported = true;
    pe_signal(link->rdma->ctx.queue);
}

void
rdma_cm_link_abort(struct cm_link *link, const char *reason) {
    close_socket(link);
    clear_deadline(link);
    switch (link->state) {
    case CM_LINK_GREETED:
        rdma_cm_link_destroy(link);
        break;
    case CM_LINK_RESOLVING:
    case CM_LINK_REQUESTING:
    case CM_LINK_REQUESTED:
    case CM_LINK_ACCEPTED:
        SDK_LOG_ERR("RDMA %p: Connection %p to %s port %u failed: %s", link->rdma, link->connection, link->addr->text,
                    link->addr->address.port, reason);
        report(link, CM_LINK_FAILED);
        break;
    case CM_LINK_ESTABLISHED:
        SDK_LOG_INFO("RDMA %p: Connection %p has ended: %s", link->rdma, link->connection, reason);
        rdma_connection_close(link->connection, DOCA_ERROR_CONNECTION_RESET);
        report(link, CM_LINK_ENDED);
        break;
    case CM_LINK_FAILED:
    case CM_LINK_ENDED:
        break;
    }
}

/*
 * Messages
 */

static bool
send_message(struct cm_link *link, struct cm_message *message) {
    message->magic = CM_MESSAGE_MAGIC;
    return local_socket_send(link->fd, message, sizeof(*message));
}

/* Sends a message with this end of the connection. */
static bool
send_end(struct cm_link *link, struct cm_message *message) {
    message->end = link->connection->descriptor;
    return send_message(link, message);
}

static bool
is_valid(const struct cm_message *message, ssize_t size) {
    return size == sizeof(*message) && message->magic == CM_MESSAGE_MAGIC;
}

/* Returns whether the request is for this address; all loopback addresses are equal. */
static bool
is_addressed_to(const struct cm_message *message, const struct cm_address *address) {
    const struct cm_address *given = &message->address;
    return given->port == address->port && rdma_cm_address_is_valid(given) &&
           (memcmp(given->gid, address->gid, sizeof(given->gid)) == 0 ||
            (rdma_cm_address_is_loopback(given) && rdma_cm_address_is_loopback(address)));
}

/*
 * The server
 */

void
rdma_cm_link_greet(struct doca_rdma *rdma, int fd, const struct cm_address *address) {
    struct cm_link *link = create(rdma, CM_LINK_GREETED);
    if (link == NULL) {
        local_socket_disconnect(fd);
        return;
    }
    link->listening = *address;
    if (open_socket(link, fd)) {
        set_deadline(link);
    } else {
        rdma_cm_link_destroy(link);
    }
}

static void
reject_and_destroy(struct cm_link *link) {
    struct cm_message message = {.kind = CM_REJECT};
    (void)send_message(link, &message);
    rdma_cm_link_destroy(link);
}

/*
 * The address that the server sees: that of the client. Both are on one machine, where the addresses of both ends are equal
 * and only the ports differ.
 */
static struct cm_address
client_address(const struct cm_message *message) {
    static _Atomic uint16_t number;
    struct cm_address address = message->address;
    do {
        address.port = (uint16_t)(FIRST_CLIENT_PORT + atomic_fetch_add(&number, 1) % CLIENT_PORTS);
    } while (address.port == message->address.port);
    return address;
}

/* Reports a request of a client. The program may stop the context meanwhile, but it does not become idle. */
static void
report_request(struct cm_link *link, struct doca_rdma_connection *connection) {
    struct doca_rdma *rdma = link->rdma;
    link->state = CM_LINK_REQUESTED;
    clear_deadline(link);
    ctx_begin_event(&rdma->ctx);
    rdma->cm.requested(connection, rdma->ctx.user_data);
    ctx_end_event(&rdma->ctx);
}

/* Reports a request for which the context has no room, as the real library does. It is rejected whatever the program answers. */
static void
report_excess_request(struct cm_link *link) {
    struct cm *cm = &link->rdma->cm;
    if (cm->spare == NULL) {
        cm->spare = rdma_connection_create_spare(link->rdma);
    }
    if (cm->spare != NULL) {
        cm->spare->cm = link;
        report_request(link, cm->spare);
        cm->spare->cm = NULL;
    }
    reject_and_destroy(link);
}

static void
be_requested(struct cm_link *link, const struct cm_message *message) {
    if (message->kind != CM_REQUEST || !is_addressed_to(message, &link->listening)) {
        rdma_cm_link_abort(link, "");
        return;
    }
    const struct cm_address client = client_address(message);
    struct doca_rdma_addr *addr = rdma_cm_addr_create(&client);
    if (addr != NULL) {
        set_addr(link, addr, true);
    }
    const doca_error_t result = addr == NULL ? DOCA_ERROR_NO_MEMORY : add_connection(link);
    if (result == DOCA_SUCCESS) {
        link->peer = message->end;
        report_request(link, link->connection);
    } else if (result == DOCA_ERROR_FULL) {
        report_excess_request(link);
    } else {
        reject_and_destroy(link);
    }
}

doca_error_t
rdma_cm_link_accept(struct cm_link *link, const void *private_data, uint8_t private_data_size) {
    struct cm_message message = {.kind = CM_ACCEPT, .private_data_size = private_data_size};
    if (private_data_size > 0) {
        memcpy(message.private_data, private_data, private_data_size);
    }
    if (rdma_connection_attach(link->connection, &link->peer, sizeof(link->peer)) != DOCA_SUCCESS) {
        rdma_cm_link_abort(link, "the client's end is not usable");
        return DOCA_ERROR_CONNECTION_ABORTED;
    }
    if (!send_end(link, &message)) {
        rdma_cm_link_abort(link, "the client is gone");
        return DOCA_ERROR_CONNECTION_ABORTED;
    }
    link->state = CM_LINK_ACCEPTED;
    set_deadline(link);
    return DOCA_SUCCESS;
}

void
rdma_cm_link_reject(struct cm_link *link) {
    reject_and_destroy(link);
}

/*
 * The client
 */

void
rdma_cm_link_dial(struct cm_link *link) {
    struct cm_message message = {.kind = CM_REQUEST, .address = link->addr->address};
    char name[LOCAL_SOCKET_NAME_SIZE];
    cancel_resolution(link);
    link->state = CM_LINK_REQUESTING;
    rdma_cm_address_make_name(&link->addr->address, name);
    const int fd = local_socket_connect(name);
    if (fd < 0) {
        rdma_cm_link_abort(link, local_socket_lacks_descriptors() ? "this process has too many open files (ulimit -n)"
                                                                  : "nobody listens there");
    } else if (!open_socket(link, fd) || !send_end(link, &message)) {
        rdma_cm_link_abort(link, "the server is gone");
    } else {
        set_deadline(link);
    }
}

doca_error_t
rdma_cm_link_ask(struct doca_rdma *rdma, struct doca_rdma_addr *addr, union doca_data user_data) {
    struct cm_link *link = create(rdma, CM_LINK_RESOLVING);
    if (link == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    const doca_error_t result = add_connection(link);
    if (result != DOCA_SUCCESS) {
        rdma_cm_link_destroy(link);
        return result;
    }
    link->connection->user_data = user_data;
    set_addr(link, addr, false);
    TAILQ_INSERT_TAIL(&rdma->cm.resolving, link, resolution);
    link->is_to_be_resolved = true;
    pe_signal(rdma->ctx.queue);
    return DOCA_SUCCESS;
}

/* Client and server */

static void
establish(struct cm_link *link) {
    struct doca_rdma *rdma = link->rdma;
    link->state = CM_LINK_ESTABLISHED;
    clear_deadline(link);
    ctx_begin_event(&rdma->ctx);
    rdma->cm.established(link->connection, link->connection->user_data, rdma->ctx.user_data);
    ctx_end_event(&rdma->ctx);
}

/* Notifies the server that this side is ready, before the program can send. */
static void
be_answered(struct cm_link *link, const struct cm_message *message) {
    struct cm_message ready = {.kind = CM_READY};
    if (message->kind == CM_REJECT) {
        rdma_cm_link_abort(link, "the server has rejected it");
    } else if (message->kind != CM_ACCEPT) {
        rdma_cm_link_abort(link, "the server does not speak this language");
    } else if (rdma_connection_attach(link->connection, &message->end, sizeof(message->end)) != DOCA_SUCCESS) {
        rdma_cm_link_abort(link, "the server's end is not usable");
    } else if (!send_message(link, &ready)) {
        rdma_cm_link_abort(link, "the server is gone");
    } else {
        establish(link);
    }
}

void
rdma_cm_link_receive(struct cm_link *link) {
    struct cm_message message;
    const ssize_t size = local_socket_receive(link->fd, &message, sizeof(message));
    if (size < 0) {
        return;
    }
    if (size == 0) {
        rdma_cm_link_abort(link, "the other side has closed it");
    } else if (!is_valid(&message, size)) {
        rdma_cm_link_abort(link, "the other side does not speak this language");
    } else if (link->state == CM_LINK_GREETED) {
        be_requested(link, &message);
    } else if (link->state == CM_LINK_REQUESTING) {
        be_answered(link, &message);
    } else if (link->state == CM_LINK_ACCEPTED && message.kind == CM_READY) {
        establish(link);
    } else {
        rdma_cm_link_abort(link, "the other side has said something unexpected");
    }
}

/* An end is reported by every poll until it is no longer watched. */
void
rdma_cm_link_ignore(struct cm_link *link) {
    struct cm_message message;
    if (local_socket_receive(link->fd, &message, sizeof(message)) == 0) {
        (void)epoll_ctl(link->rdma->cm.waker.events, EPOLL_CTL_DEL, link->fd, NULL);
    }
}
