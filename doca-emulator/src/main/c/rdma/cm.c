/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <sys/epoll.h>

#include <doca_dev.h>

#include "common/clock.h"
#include "common/pe_timer.h"
#include "common/sdk_log.h"
#include "rdma/cm_link.h"
#include "rdma/connection.h"
#include "rdma/rdma.h"

void
rdma_cm_init(struct cm *cm) {
    TAILQ_INIT(&cm->listeners);
    TAILQ_INIT(&cm->links);
    TAILQ_INIT(&cm->reports);
    TAILQ_INIT(&cm->resolving);
    TAILQ_INIT(&cm->waiting);
    TAILQ_INIT(&cm->left);
}

doca_error_t
rdma_cm_open(struct doca_rdma *rdma) {
    struct cm *cm = &rdma->cm;
    const doca_error_t result = cm->open ? DOCA_SUCCESS : waker_start(&cm->waker, &rdma->ctx);
    cm->open = result == DOCA_SUCCESS;
    return result;
}

/*
 * Progress
 */

/*
 * Accepts a connected client, whose first message is its request. Returns false if it cannot be accepted, for example
 * because this process has too many open files. A later step tries again, and programs do not wait for it.
 */
static bool
greet(struct doca_rdma *rdma, const struct cm_source *source) {
    const int fd = local_socket_accept(&source->listener->sockets[source->index]);
    if (fd >= 0) {
        rdma_cm_link_greet(rdma, fd, &source->listener->addresses[source->index]);
    } else {
        waker_rest(&rdma->cm.waker);
    }
    return fd >= 0;
}

/* Returns the first link whose deadline has passed, or NULL. */
static struct cm_link *
find_late(const struct cm *cm) {
    struct cm_link *first = TAILQ_FIRST(&cm->waiting);
    return first != NULL && first->deadline <= clock_now() ? first : NULL;
}

bool
rdma_cm_progress(struct doca_rdma *rdma) {
    struct cm *cm = &rdma->cm;
    struct epoll_event event;
    if (!cm->open) {
        return false;
    }
    struct cm_link *late = find_late(cm);
    if (late != NULL) {
        rdma_cm_link_abort(late, "the other side has not answered in time");
        return true;
    }
    if (!TAILQ_EMPTY(&cm->resolving)) {
        rdma_cm_link_dial(TAILQ_FIRST(&cm->resolving));
        return true;
    }
    if (!waker_look(&cm->waker, &event)) {
        return false;
    }
    const struct cm_source *source = event.data.ptr;
    if (source->link == NULL) {
        return greet(rdma, source);
    }
    rdma_cm_link_receive(source->link);
    return true;
}

void
rdma_cm_leave(struct doca_rdma_connection *connection) {
    rdma_connection_close(connection, DOCA_ERROR_IO_FAILED);
    if (rdma_connection_is_in_use(connection)) {
        connection->is_left = true;
        TAILQ_INSERT_TAIL(&connection->rdma->cm.left, connection, left);
    } else {
        rdma_connection_destroy(connection);
    }
}

/* Destroys the connections that the program has disconnected and that are no longer in use. */
static void
reap(struct doca_rdma *rdma) {
    struct doca_rdma_connection *connection = TAILQ_FIRST(&rdma->cm.left);
    while (connection != NULL) {
        struct doca_rdma_connection *next = TAILQ_NEXT(connection, left);
        if (!rdma_connection_is_in_use(connection)) {
            TAILQ_REMOVE(&rdma->cm.left, connection, left);
            rdma_connection_destroy(connection);
        }
        connection = next;
    }
}

/*
 * The tasks of an ended connection are reported before its end, including one that the engine's thread is executing and
 * received messages that are delayed or held. The end is not reported while the peer accesses the memory.
 */
static struct cm_link *
next_report(const struct cm *cm) {
    struct cm_link *link;
    TAILQ_FOREACH(link, &cm->reports, report) {
        if (link->state == CM_LINK_FAILED || !rdma_connection_is_in_use(link->connection)) {
            return link;
        }
    }
    return NULL;
}

bool
rdma_cm_report(struct doca_rdma *rdma) {
    struct cm *cm = &rdma->cm;
    reap(rdma);
    struct cm_link *link = next_report(cm);
    if (link == NULL) {
        return false;
    }
    const bool failed = link->state == CM_LINK_FAILED;
    struct doca_rdma_connection *connection = link->connection;
    TAILQ_REMOVE(&cm->reports, link, report);
    link->is_to_be_reported = false;
    ctx_begin_event(&rdma->ctx);
    (failed ? cm->failed : cm->disconnected)(connection, connection->user_data, rdma->ctx.user_data);
    ctx_end_event(&rdma->ctx);
    if (failed) {
        rdma_cm_link_destroy(link);
    }
    return true;
}

void
rdma_cm_lose_event(struct doca_rdma *rdma) {
    struct cm *cm = &rdma->cm;
    struct epoll_event event;
    if (!cm->open) {
        return;
    }
    struct cm_link *reported = next_report(cm);
    if (!TAILQ_EMPTY(&cm->resolving)) {
        rdma_cm_link_stall(TAILQ_FIRST(&cm->resolving));
        return;
    }
    if (reported != NULL) {
        rdma_cm_link_stall(reported);
        return;
    }
    /* That a client has connected is no event by itself: its request is. */
    while (waker_look(&cm->waker, &event)) {
        const struct cm_source *source = event.data.ptr;
        if (source->link != NULL) {
            rdma_cm_link_ignore(source->link);
            return;
        }
        if (!greet(rdma, source)) {
            return;
        }
    }
}

bool
rdma_cm_has_work(struct doca_rdma *rdma) {
    struct cm *cm = &rdma->cm;
    if (!cm->open) {
        return false;
    }
    if (!TAILQ_EMPTY(&cm->waiting)) {
        pe_timer_set(rdma->ctx.queue, TAILQ_FIRST(&cm->waiting)->deadline);
    }
    return !TAILQ_EMPTY(&cm->resolving) || next_report(cm) != NULL || find_late(cm) != NULL || !waker_sleep(&cm->waker);
}

bool
rdma_cm_is_to_be_established(const struct doca_rdma_connection *connection) {
    return connection->cm != NULL && connection->cm->state == CM_LINK_ACCEPTED;
}

/*
 * Listening
 */

/* After an error some sockets may be watched. */
static doca_error_t
watch_listener(struct cm *cm, struct cm_listener *listener) {
    for (uint32_t i = 0; i < listener->num_sockets; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &listener->sources[i]};
        listener->sources[i].listener = listener;
        listener->sources[i].index = i;
        if (epoll_ctl(cm->waker.events, EPOLL_CTL_ADD, listener->sockets[i].fd, &event) != 0) {
            return SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to watch port %u", listener->port);
        }
    }
    return DOCA_SUCCESS;
}

doca_error_t
rdma_cm_add_listener(struct doca_rdma *rdma, uint16_t port) {
    struct cm_listener *listener;
    doca_error_t result = rdma_cm_listener_create(doca_dev_as_devinfo(rdma->dev), port, &listener);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    TAILQ_INSERT_TAIL(&rdma->cm.listeners, listener, entry);
    result = watch_listener(&rdma->cm, listener);
    if (result != DOCA_SUCCESS) {
        rdma_cm_remove_listener(&rdma->cm, listener);
    }
    return result;
}

/* Removed explicitly: a forked child may also have the sockets open, which would keep them watched. */
void
rdma_cm_remove_listener(struct cm *cm, struct cm_listener *listener) {
    const bool inherited = waker_is_inherited(&cm->waker);
    for (uint32_t i = 0; i < listener->num_sockets && !inherited; i++) {
        (void)epoll_ctl(cm->waker.events, EPOLL_CTL_DEL, listener->sockets[i].fd, NULL);
    }
    TAILQ_REMOVE(&cm->listeners, listener, entry);
    rdma_cm_listener_destroy(listener, inherited);
}

/*
 * The end
 */

void
rdma_cm_stop(struct doca_rdma *rdma) {
    struct cm *cm = &rdma->cm;
    struct cm_listener *listener;
    struct cm_link *link;
    if (!cm->open) {
        return;
    }
    while ((listener = TAILQ_FIRST(&cm->listeners)) != NULL) {
        rdma_cm_remove_listener(cm, listener);
    }
    TAILQ_FOREACH(link, &cm->links, entry) {
        rdma_cm_link_shut(link);
    }
    waker_stop(&cm->waker);
    cm->open = false;
}

void
rdma_cm_release(struct doca_rdma *rdma) {
    struct cm_link *link;
    rdma_cm_stop(rdma);
    TAILQ_INIT(&rdma->cm.left);
    while ((link = TAILQ_FIRST(&rdma->cm.links)) != NULL) {
        rdma_cm_link_destroy(link);
    }
    if (rdma->cm.spare != NULL) {
        object_destroy(&rdma_connection_class, rdma->cm.spare);
        rdma->cm.spare = NULL;
    }
}
