/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "common/sdk_log.h"
#include "workq/2.2/comm_channel/endpoint.h"

static bool
watch(int epoll, int fd) {
    struct epoll_event event = {.events = EPOLLIN};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

doca_error_t
event_channel_open(struct event_channel *channel, const struct core_pe *pe) {
    core_notification_handle_t notification;
    (void)core_pe_get_notification_handle(pe, &notification);
    channel->handle = epoll_create1(EPOLL_CLOEXEC);
    channel->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (channel->handle >= 0 && channel->event >= 0 && watch(channel->handle, channel->event) &&
        watch(channel->handle, notification)) {
        return DOCA_SUCCESS;
    }
    const int error = errno;
    event_channel_close(channel);
    return SDK_REFUSE(DOCA_ERROR_OPERATING_SYSTEM, "Failed to open an event channel: %s", strerror(error));
}

void
event_channel_close(struct event_channel *channel) {
    if (channel->handle >= 0) {
        close(channel->handle);
    }
    if (channel->event >= 0) {
        close(channel->event);
    }
    *channel = (struct event_channel){.handle = -1, .event = -1};
}

void
event_channel_notify(struct event_channel *channel) {
    if (channel->is_armed) {
        channel->is_armed = false;
        (void)eventfd_write(channel->event, 1);
    }
}

void
event_channel_arm(struct event_channel *channel, struct core_pe *pe, bool is_ready) {
    eventfd_t count;
    (void)eventfd_read(channel->event, &count);
    channel->is_armed = true;
    if (is_ready) {
        event_channel_notify(channel);
    }
    (void)core_pe_clear_notification(pe, 0);
    (void)core_pe_request_notification(pe);
}
