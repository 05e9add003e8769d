/* SPDX-License-Identifier: Apache-2.0 */
#include "event.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "id.h"
#include "log.h"
#include "settings.h"

/* Guarded by cm_lock(). */
struct cm_event {
    struct rdma_cm_event public;
    uint8_t data[255];
    /* Whose events the program acknowledges with this one: the id's, or those of the listener for a request. */
    struct cm_id *owner;
    struct cm_event *next;
};

struct cm_channel {
    struct rdma_event_channel public;
    /* Guarded by cm_lock(). The descriptor is readable while there are some. */
    struct cm_event *first;
};

/* The events that programs got and did not acknowledge. Guarded by cm_lock(). */
static struct cm_event *unacknowledged;
static pthread_cond_t acknowledged = PTHREAD_COND_INITIALIZER;

static struct cm_channel *
channel_of(const struct cm_id *id) {
    return (struct cm_channel *)id->public.channel;
}

struct rdma_event_channel *
rdma_create_event_channel(void) {
    struct cm_channel *channel = calloc(1, sizeof(*channel));
    if (channel == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    channel->public.fd = eventfd(0, EFD_CLOEXEC);
    if (channel->public.fd < 0) {
        free(channel);
        return NULL;
    }
    return &channel->public;
}

/* Frees the events of a channel that the program did not get. */
static void
drop_events(struct cm_channel *channel) {
    while (channel->first != NULL) {
        struct cm_event *event = channel->first;
        channel->first = event->next;
        free(event);
    }
}

/* It returns nothing, so that DOCA takes an errno that it leaves for its failure. */
void
rdma_destroy_event_channel(struct rdma_event_channel *public) {
    const int kept = errno;
    card_log(CARD_LOG_COMMANDS, "event channel %p is destroyed", (void *)public);
    cm_lock();
    cm_leave_channel(public);
    drop_events((struct cm_channel *)public);
    cm_unlock();
    close(public->fd);
    free(public);
    errno = kept;
}

static void
append(struct cm_event **list, struct cm_event *event) {
    while (*list != NULL) {
        list = &(*list)->next;
    }
    *list = event;
    event->next = NULL;
}

void
cm_raise(struct cm_id *id, struct cm_id *listener, enum rdma_cm_event_type kind, int status,
         const struct cm_message *message) {
    const struct cm_id *owner = listener == NULL ? id : listener;
    if (owner->has_lost_channel) {
        return;
    }
    struct cm_event *event = calloc(1, sizeof(*event));
    if (event == NULL) {
        fprintf(stderr, "fake card: there is no memory for an event of the connection manager\n");
        abort();
    }
    event->public.id = &id->public;
    event->public.listen_id = listener == NULL ? NULL : &listener->public;
    event->public.event = kind;
    event->public.status = status;
    event->owner = listener == NULL ? id : listener;
    if (message != NULL) {
        struct rdma_conn_param *parameters = &event->public.param.conn;
        memcpy(event->data, message->data, message->data_length);
        parameters->private_data = message->data_length == 0 ? NULL : event->data;
        parameters->private_data_len = message->data_length;
        parameters->responder_resources = message->responder_resources;
        parameters->initiator_depth = message->initiator_depth;
        parameters->retry_count = message->retry_count;
        parameters->rnr_retry_count = message->rnr_retry_count;
        parameters->qp_num = message->qp;
    }
    struct cm_channel *channel = channel_of(event->owner);
    if (channel->first == NULL) {
        eventfd_write(channel->public.fd, 1);
    }
    append(&channel->first, event);
    card_log(CARD_LOG_COMMANDS, "connection %p: %s, status %d", (void *)id, rdma_event_str(kind), status);
}

/* Makes the descriptor of a channel without events unreadable. */
static void
check_empty(struct cm_channel *channel) {
    eventfd_t some;
    if (channel->first == NULL) {
        eventfd_read(channel->public.fd, &some);
    }
}

void
cm_withdraw(struct cm_id *id, void (*abandon)(struct cm_id *requester)) {
    if (id->has_lost_channel) {
        return;
    }
    struct cm_channel *channel = channel_of(id);
    struct cm_event **link = &channel->first;
    bool some = false;
    while (*link != NULL) {
        struct cm_event *event = *link;
        if (event->owner != id) {
            link = &event->next;
            continue;
        }
        some = true;
        *link = event->next;
        if (event->public.event == RDMA_CM_EVENT_CONNECT_REQUEST) {
            abandon((struct cm_id *)event->public.id);
        }
        free(event);
    }
    if (some) {
        check_empty(channel);
    }
}

int
rdma_get_cm_event(struct rdma_event_channel *public, struct rdma_cm_event **event) {
    struct cm_channel *channel = (struct cm_channel *)public;
    const bool waits = (fcntl(public->fd, F_GETFL) & O_NONBLOCK) == 0;
    cm_lock();
    while (channel->first == NULL) {
        cm_unlock();
        struct pollfd ready = {.fd = public->fd, .events = POLLIN};
        if (!waits) {
            errno = EAGAIN;
            return -1;
        }
        if (poll(&ready, 1, -1) < 0) {
            return -1;
        }
        cm_lock();
    }
    struct cm_event *first = channel->first;
    channel->first = first->next;
    check_empty(channel);
    append(&unacknowledged, first);
    cm_unlock();
    *event = &first->public;
    return 0;
}

int
rdma_ack_cm_event(struct rdma_cm_event *public) {
    cm_lock();
    struct cm_event **link = &unacknowledged;
    while (*link != NULL && &(*link)->public != public) {
        link = &(*link)->next;
    }
    struct cm_event *event = *link;
    if (event != NULL) {
        *link = event->next;
        free(event);
        pthread_cond_broadcast(&acknowledged);
    }
    cm_unlock();
    if (event == NULL) {
        card_log(CARD_LOG_FAULTS, "the program acknowledges an event twice: librdmacm would free it twice");
        if (!card_settings()->forgiving) {
            abort();
        }
    }
    return 0;
}

bool
cm_has_unacknowledged(const struct cm_id *id) {
    const struct cm_event *event = unacknowledged;
    while (event != NULL && event->owner != id) {
        event = event->next;
    }
    return event != NULL;
}

void
cm_wait_for_acknowledgements(struct cm_id *id) {
    if (cm_has_unacknowledged(id)) {
        card_log(CARD_LOG_FAULTS, "the program destroys an id before it has acknowledged its events: librdmacm waits");
    }
    while (cm_has_unacknowledged(id)) {
        cm_wait(&acknowledged);
    }
}

const char *
rdma_event_str(enum rdma_cm_event_type kind) {
    static const char *const names[] = {
        [RDMA_CM_EVENT_ADDR_RESOLVED] = "RDMA_CM_EVENT_ADDR_RESOLVED",
        [RDMA_CM_EVENT_ADDR_ERROR] = "RDMA_CM_EVENT_ADDR_ERROR",
        [RDMA_CM_EVENT_ROUTE_RESOLVED] = "RDMA_CM_EVENT_ROUTE_RESOLVED",
        [RDMA_CM_EVENT_ROUTE_ERROR] = "RDMA_CM_EVENT_ROUTE_ERROR",
        [RDMA_CM_EVENT_CONNECT_REQUEST] = "RDMA_CM_EVENT_CONNECT_REQUEST",
        [RDMA_CM_EVENT_CONNECT_RESPONSE] = "RDMA_CM_EVENT_CONNECT_RESPONSE",
        [RDMA_CM_EVENT_CONNECT_ERROR] = "RDMA_CM_EVENT_CONNECT_ERROR",
        [RDMA_CM_EVENT_UNREACHABLE] = "RDMA_CM_EVENT_UNREACHABLE",
        [RDMA_CM_EVENT_REJECTED] = "RDMA_CM_EVENT_REJECTED",
        [RDMA_CM_EVENT_ESTABLISHED] = "RDMA_CM_EVENT_ESTABLISHED",
        [RDMA_CM_EVENT_DISCONNECTED] = "RDMA_CM_EVENT_DISCONNECTED",
    };
    const size_t count = sizeof(names) / sizeof(names[0]);
    return (size_t)kind < count && names[kind] != NULL ? names[kind] : "UNKNOWN EVENT";
}
