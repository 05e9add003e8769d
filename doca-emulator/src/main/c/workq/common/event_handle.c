/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "common/fork.h"
#include "common/process.h"
#include "workq/common/event_handle.h"

static int
watch(int epoll, int fd) {
    struct epoll_event event = {.events = EPOLLIN};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0 ? 0 : errno;
}

int
event_handle_open(struct event_handle *handle) {
    const int epoll = epoll_create1(EPOLL_CLOEXEC);
    const int event = epoll < 0 ? -1 : eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    const int error = event < 0 ? errno : watch(epoll, event);
    if (error == 0) {
        fork_withhold(epoll);
        fork_renew_event(event);
        *handle = (struct event_handle){.epoll = epoll, .event = event, .generation = process_generation()};
        return 0;
    }
    if (event >= 0) {
        close(event);
    }
    if (epoll >= 0) {
        close(epoll);
    }
    *handle = EVENT_HANDLE_CLOSED;
    return error;
}

void
event_handle_close(struct event_handle *handle) {
    if (handle->epoll >= 0) {
        fork_release(handle->epoll);
        fork_release(handle->event);
        close(handle->epoll);
        close(handle->event);
        *handle = EVENT_HANDLE_CLOSED;
    }
}

bool
event_handle_is_inherited(const struct event_handle *handle) {
    return handle->epoll >= 0 && handle->generation != process_generation();
}

int
event_handle_renew(struct event_handle *handle) {
    const int own = epoll_create1(EPOLL_CLOEXEC);
    if (own < 0) {
        return errno;
    }
    const int error = dup3(own, handle->epoll, O_CLOEXEC) < 0 ? errno : watch(handle->epoll, handle->event);
    close(own);
    if (error == 0) {
        fork_withhold(handle->epoll);
        handle->generation = process_generation();
    }
    return error;
}

int
event_handle_watch(const struct event_handle *handle, const struct core_pe *pe) {
    core_notification_handle_t notification;
    (void)core_pe_get_notification_handle(pe, &notification);
    return watch(handle->epoll, notification);
}

void
event_handle_unwatch(const struct event_handle *handle, const struct core_pe *pe) {
    core_notification_handle_t notification;
    (void)core_pe_get_notification_handle(pe, &notification);
    (void)epoll_ctl(handle->epoll, EPOLL_CTL_DEL, notification, NULL);
}

void
event_handle_signal(const struct event_handle *handle) {
    (void)eventfd_write(handle->event, 1);
}

void
event_handle_clear(const struct event_handle *handle) {
    eventfd_t count;
    (void)eventfd_read(handle->event, &count);
}
