/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <unistd.h>

#include "channel.h"
#include "cq.h"
#include "log.h"

/* A pipe of cookies; never changed. Whether the card may still write is guarded by card_lock(). */
struct card_channel {
    struct mlx5dv_devx_event_channel public;
    int write_end;
};

/* The only event that completion queues have. */
#define COMPLETION_EVENT 0

struct mlx5dv_devx_event_channel *
mlx5dv_devx_create_event_channel(struct ibv_context *context, enum mlx5dv_devx_create_event_channel_flags flags) {
    (void)context;
    (void)flags;
    int ends[2];
    struct card_channel *channel = calloc(1, sizeof(*channel));
    if (channel == NULL || pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        free(channel);
        return NULL;
    }
    channel->public.fd = ends[0];
    channel->write_end = ends[1];
    return &channel->public;
}

void
mlx5dv_devx_destroy_event_channel(struct mlx5dv_devx_event_channel *public) {
    struct card_channel *channel = (struct card_channel *)public;
    card_lock();
    card_unsubscribe(channel);
    card_unlock();
    close(channel->public.fd);
    close(channel->write_end);
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

ssize_t
mlx5dv_devx_get_event(struct mlx5dv_devx_event_channel *public, struct mlx5dv_devx_async_event_hdr *event,
                      size_t event_size) {
    if (event_size < sizeof(*event)) {
        errno = EINVAL;
        return -1;
    }
    const ssize_t size = read(public->fd, &event->cookie, sizeof(event->cookie));
    if (size == 0) {
        errno = EAGAIN;
    }
    return size > 0 ? size : -1;
}

void
card_raise(struct card_channel *channel, uint64_t cookie) {
    if (channel != NULL && write(channel->write_end, &cookie, sizeof(cookie)) != (ssize_t)sizeof(cookie)) {
        card_log(CARD_LOG_FAULTS, "an event is lost, as nobody has read thousands of others");
    }
}
