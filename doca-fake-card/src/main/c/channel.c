/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "channel.h"
#include "cq.h"

/* A channel that delivers events to a program. The descriptor counts the raised ones. */
struct card_channel {
    struct mlx5dv_devx_event_channel public;
    /* The completion queues whose events are raised, the oldest first. Guarded by card_lock(). */
    struct card_cq *raised;
};

/* The only event that completion queues have. */
#define COMPLETION_EVENT 0

struct mlx5dv_devx_event_channel *
mlx5dv_devx_create_event_channel(struct ibv_context *context, enum mlx5dv_devx_create_event_channel_flags flags) {
    (void)context;
    (void)flags;
    struct card_channel *channel = calloc(1, sizeof(*channel));
    if (channel == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    channel->public.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
    if (channel->public.fd < 0) {
        free(channel);
        return NULL;
    }
    return &channel->public;
}

void
mlx5dv_devx_destroy_event_channel(struct mlx5dv_devx_event_channel *public) {
    struct card_channel *channel = (struct card_channel *)public;
    card_lock();
    card_unsubscribe(channel);
    card_unlock();
    close(channel->public.fd);
    free(channel);
}

int
mlx5dv_devx_subscribe_devx_event(struct mlx5dv_devx_event_channel *public, struct mlx5dv_devx_obj *object,
                                 uint16_t events_size, uint16_t events[], uint64_t cookie) {
    if (object != NULL && object->kind == CARD_KIND_CQ && events_size > 0 && events[0] == COMPLETION_EVENT) {
        struct card_cq *cq = (struct card_cq *)object;
        card_lock();
        cq->channel = (struct card_channel *)public;
        cq->cookie = cookie;
        card_unlock();
    }
    return 0;
}

/* Removes an event from the list and from the count. Returns its successor. */
static struct card_cq *
end_event(struct card_channel *channel, struct card_cq *cq) {
    eventfd_t one;
    eventfd_read(channel->public.fd, &one);
    cq->raised = false;
    return cq->next_raised;
}

ssize_t
mlx5dv_devx_get_event(struct mlx5dv_devx_event_channel *public, struct mlx5dv_devx_async_event_hdr *event,
                      size_t event_size) {
    struct card_channel *channel = (struct card_channel *)public;
    if (event_size < sizeof(*event)) {
        errno = EINVAL;
        return -1;
    }
    card_lock();
    struct card_cq *cq = channel->raised;
    if (cq != NULL) {
        event->cookie = cq->cookie;
        channel->raised = end_event(channel, cq);
    }
    card_unlock();
    if (cq == NULL) {
        errno = EAGAIN;
        return -1;
    }
    return (ssize_t)sizeof(*event);
}

void
card_raise(struct card_cq *cq) {
    if (cq->channel == NULL || cq->raised) {
        return;
    }
    struct card_cq **last = &cq->channel->raised;
    while (*last != NULL) {
        last = &(*last)->next_raised;
    }
    *last = cq;
    cq->next_raised = NULL;
    cq->raised = true;
    eventfd_write(cq->channel->public.fd, 1);
}

void
card_take_back(struct card_cq *cq) {
    if (!cq->raised) {
        return;
    }
    struct card_cq **link = &cq->channel->raised;
    while (*link != cq) {
        link = &(*link)->next_raised;
    }
    *link = end_event(cq->channel, cq);
}
