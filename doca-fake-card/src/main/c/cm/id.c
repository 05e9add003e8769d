/* SPDX-License-Identifier: Apache-2.0 */
#include "id.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "event.h"
#include "log.h"
#include "service.h"
#include "settings.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Guarded by the lock, as the ids are. */
static struct cm_id *ids;
static uint64_t last_number;

void
cm_lock(void) {
    pthread_mutex_lock(&lock);
}

void
cm_unlock(void) {
    pthread_mutex_unlock(&lock);
}

void
cm_wait(pthread_cond_t *condition) {
    pthread_cond_wait(condition, &lock);
}

struct cm_id *
cm_find_id(uint64_t number) {
    struct cm_id *id = ids;
    while (id != NULL && id->number != number) {
        id = id->next;
    }
    return id;
}

struct cm_id *
cm_id_of(struct rdma_cm_id *public) {
    return (struct cm_id *)public;
}

int
cm_fail(int error) {
    errno = error;
    return -1;
}

struct cm_id *
cm_new_id(struct rdma_event_channel *channel, void *context, enum rdma_port_space space) {
    struct cm_id *id = calloc(1, sizeof(*id));
    if (id == NULL) {
        return NULL;
    }
    id->number = ++last_number;
    id->public.channel = channel;
    id->public.context = context;
    id->public.ps = space;
    id->public.qp_type = IBV_QPT_RC;
    id->socket = -1;
    id->next = ids;
    ids = id;
    return id;
}

void
cm_close_socket(struct cm_id *id) {
    if (id->socket >= 0) {
        close(id->socket);
        id->socket = -1;
    }
}

void
cm_end(struct cm_id *id) {
    cm_close_socket(id);
    id->state = CM_ENDED;
}

static void
remove_id(struct cm_id *id) {
    struct cm_id **link = &ids;
    while (*link != id) {
        link = &(*link)->next;
    }
    *link = id->next;
}

bool
cm_send_kind(struct cm_id *id, enum cm_message_kind kind) {
    const struct cm_message message = {.kind = kind};
    return cm_send(id->socket, &message);
}

/* Tells the other side that an id will not go on. */
static void
leave(struct cm_id *id) {
    if (id->socket < 0) {
        return;
    }
    if (id->state == CM_REQUESTED) {
        cm_send_kind(id, CM_REJECT);
    } else if (id->state == CM_CONNECTED) {
        cm_send_kind(id, CM_DISCONNECT);
    }
    cm_end(id);
}

void
cm_forget(struct cm_id *id) {
    cm_close_socket(id);
    remove_id(id);
    free(id);
}

static void
abandon(struct cm_id *requester) {
    leave(requester);
    cm_forget(requester);
}

int
rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **public, void *context,
               enum rdma_port_space space) {
    if (channel == NULL || space != RDMA_PS_TCP) {
        return cm_fail(EINVAL);
    }
    cm_lock();
    const int error = cm_start_service();
    struct cm_id *id = error == 0 ? cm_new_id(channel, context, space) : NULL;
    cm_unlock();
    if (id == NULL) {
        return cm_fail(error == 0 ? ENOMEM : error);
    }
    *public = &id->public;
    return 0;
}

void
cm_leave_channel(const struct rdma_event_channel *channel) {
    struct cm_id *id = ids;
    while (id != NULL) {
        if (id->public.channel != channel || id->has_lost_channel) {
            id = id->next;
            continue;
        }
        id->has_lost_channel = true;
        if (id->state == CM_GREETED) {
            cm_forget(id);
        } else {
            leave(id);
        }
        id = ids;
    }
}

/* Abandons the connections to a listener whose requests did not arrive yet, and lets the others go on without it. */
static void
leave_requesters(const struct cm_id *listener) {
    struct cm_id **link = &ids;
    while (*link != NULL) {
        struct cm_id *id = *link;
        if (id->listener == listener && id->state == CM_GREETED) {
            *link = id->next;
            cm_close_socket(id);
            free(id);
            continue;
        }
        if (id->listener == listener) {
            id->listener = NULL;
        }
        link = &id->next;
    }
}

int
rdma_destroy_id(struct rdma_cm_id *public) {
    struct cm_id *id = cm_id_of(public);
    card_log(CARD_LOG_COMMANDS, "connection %p of event channel %p is destroyed", (void *)id, (void *)public->channel);
    cm_lock();
    cm_withdraw(id, abandon);
    leave_requesters(id);
    leave(id);
    bool keeps = false;
    if (!card_settings()->forgiving) {
        cm_wait_for_acknowledgements(id);
    } else {
        keeps = cm_has_unacknowledged(id);
    }
    remove_id(id);
    cm_unlock();
    /* The program may still use the id in an event that it did not acknowledge. */
    if (!keeps) {
        free(id);
    }
    return 0;
}
