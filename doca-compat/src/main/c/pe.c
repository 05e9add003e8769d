/* SPDX-License-Identifier: Apache-2.0 */
#include "pe.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "ctx.h"
#include "refuse.h"

/*
 * Members
 */

static struct pe_member *
after(const struct doca_pe *pe, struct pe_member *member) {
    struct pe_member *next = TAILQ_NEXT(member, link);
    return next != NULL ? next : TAILQ_FIRST(&pe->members);
}

void
pe_add(struct doca_pe *pe, struct pe_member *member) {
    member->pe = pe;
    TAILQ_INSERT_TAIL(&pe->members, member, link);
    pe->num_members++;
    if (pe->next == NULL) {
        pe->next = member;
    }
}

void
pe_remove(struct pe_member *member) {
    struct doca_pe *pe = member->pe;
    if (pe->next == member) {
        struct pe_member *next = after(pe, member);
        pe->next = next == member ? NULL : next;
    }
    TAILQ_REMOVE(&pe->members, member, link);
    pe->num_members--;
    member->pe = NULL;
}

/*
 * Work queues
 */

doca_error_t
pe_open_queue(struct pe_member *member, uint32_t depth) {
    struct old_workq *workq;
    doca_error_t result = old.doca_workq_create(depth, &workq);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = old.doca_workq_set_event_driven_enable(workq, 1);
    if (result == DOCA_SUCCESS) {
        result = old.doca_workq_get_event_handle(workq, &member->handle);
    }
    if (result == DOCA_SUCCESS) {
        struct epoll_event events = {.events = EPOLLIN};
        if (epoll_ctl(member->pe->epoll, EPOLL_CTL_ADD, member->handle, &events) != 0) {
            result = REFUSE(DOCA_ERROR_OPERATING_SYSTEM, "Failed to watch a work queue: epoll_ctl: %s", strerror(errno));
        }
    }
    if (result != DOCA_SUCCESS) {
        old.doca_workq_destroy(workq);
        return result;
    }
    member->workq = workq;
    member->armed = false;
    return DOCA_SUCCESS;
}

void
pe_close_queue(struct pe_member *member) {
    epoll_ctl(member->pe->epoll, EPOLL_CTL_DEL, member->handle, NULL);
    old.doca_workq_destroy(member->workq);
    member->workq = NULL;
    member->armed = false;
}

static doca_error_t
arm(struct pe_member *member) {
    if (member->workq == NULL || member->armed) {
        return DOCA_SUCCESS;
    }
    const doca_error_t result = old.doca_workq_event_handle_arm(member->workq);
    member->armed = result == DOCA_SUCCESS;
    return result;
}

/* The handle is also readable after an event that was not cleared. */
static bool
has_fired(const struct pe_member *member) {
    struct pollfd handle = {.fd = member->handle, .events = POLLIN};
    return poll(&handle, 1, 0) > 0;
}

/* Clears the event of an armed work queue if it has fired. */
static bool
clear(struct pe_member *member) {
    if (!has_fired(member)) {
        return false;
    }
    member->armed = false;
    return old.doca_workq_event_handle_clear(member->workq, member->handle) == DOCA_SUCCESS;
}

void
pe_start_queue(struct pe_member *member) {
    if (member->pe->armed) {
        (void)arm(member);
    }
}

doca_error_t
pe_retrieve(struct pe_member *member, struct old_event *event) {
    if (__builtin_expect(member->armed, 0) && !clear(member)) {
        return DOCA_ERROR_AGAIN;
    }
    return old.doca_workq_progress_retrieve(member->workq, event, 0);
}

void
pe_wake(struct doca_pe *pe) {
    if (pe->armed) {
        (void)eventfd_write(pe->wake, 1);
    }
}

/*
 * Life
 */

doca_error_t
doca_pe_create(struct doca_pe **pe) {
    if (pe == NULL) {
        return REFUSE_NULL(pe);
    }
    struct doca_pe *created = calloc(1, sizeof(*created));
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    created->epoll = epoll_create1(EPOLL_CLOEXEC);
    created->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event events = {.events = EPOLLIN};
    if (created->epoll < 0 || created->wake < 0
        || epoll_ctl(created->epoll, EPOLL_CTL_ADD, created->wake, &events) != 0) {
        const doca_error_t result =
                REFUSE(DOCA_ERROR_OPERATING_SYSTEM, "Failed to create a pe: no descriptor: %s", strerror(errno));
        if (created->epoll >= 0) {
            close(created->epoll);
        }
        if (created->wake >= 0) {
            close(created->wake);
        }
        free(created);
        return result;
    }
    TAILQ_INIT(&created->members);
    *pe = created;
    return DOCA_SUCCESS;
}

doca_error_t
doca_pe_destroy(struct doca_pe *pe) {
    if (pe == NULL) {
        return REFUSE_NULL(pe);
    }
    if (pe->num_members > 0 || pe->num_graphs > 0) {
        return REFUSE(DOCA_ERROR_IN_USE, "PE %p: Failed to destroy: has %zu contexts and %zu graphs", (void *)pe,
                      pe->num_members, pe->num_graphs);
    }
    if (pe->callback_depth > 0) {
        return REFUSE(DOCA_ERROR_IN_USE, "PE %p: Failed to destroy: called from a callback", (void *)pe);
    }
    close(pe->epoll);
    close(pe->wake);
    free(pe);
    return DOCA_SUCCESS;
}

doca_error_t
doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx) {
    if (pe == NULL) {
        return REFUSE_NULL(pe);
    }
    if (ctx == NULL) {
        return REFUSE_NULL(ctx);
    }
    if (ctx->pe != NULL) {
        return REFUSE(DOCA_ERROR_NOT_PERMITTED, "PE %p: Failed to connect %s %p: is connected to PE %p", (void *)pe,
                      ctx->ops->name, (void *)ctx, (void *)ctx->pe);
    }
    ctx->pe = pe;
    pe_add(pe, &ctx->member);
    return DOCA_SUCCESS;
}

/*
 * Progress
 */

uint8_t
doca_pe_progress(struct doca_pe *pe) {
    if (pe == NULL || pe->callback_depth > 0) {
        return 0;
    }
    for (size_t i = pe->num_members; i > 0; i--) {
        /* Advances before the step, since the member may be destroyed by it. */
        struct pe_member *member = pe->next;
        pe->next = after(pe, member);
        if (member->ops->progress(member)) {
            return 1;
        }
    }
    return 0;
}

doca_error_t
doca_pe_get_num_inflight_tasks(const struct doca_pe *pe, size_t *num_inflight_tasks) {
    if (pe == NULL) {
        return REFUSE_NULL(pe);
    }
    if (num_inflight_tasks == NULL) {
        return REFUSE_NULL(num_inflight_tasks);
    }
    size_t sum = 0;
    const struct pe_member *member;
    TAILQ_FOREACH(member, &pe->members, link) {
        sum += member->ops->num_inflight(member);
    }
    *num_inflight_tasks = sum;
    return DOCA_SUCCESS;
}

/*
 * Notification
 */

doca_error_t
doca_pe_get_notification_handle(const struct doca_pe *pe, doca_notification_handle_t *handle) {
    if (pe == NULL) {
        return REFUSE_NULL(pe);
    }
    if (handle == NULL) {
        return REFUSE_NULL(handle);
    }
    *handle = pe->epoll;
    return DOCA_SUCCESS;
}

/* A work queue that already has completions fires at once. */
doca_error_t
doca_pe_request_notification(struct doca_pe *pe) {
    if (pe == NULL) {
        return REFUSE_NULL(pe);
    }
    pe->armed = true;
    struct pe_member *member;
    TAILQ_FOREACH(member, &pe->members, link) {
        const doca_error_t result = arm(member);
        if (result != DOCA_SUCCESS) {
            return result;
        }
        if (member->ops->has_work(member)) {
            pe_wake(pe);
        }
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_pe_clear_notification(struct doca_pe *pe, doca_notification_handle_t handle) {
    (void)handle;
    if (pe == NULL) {
        return REFUSE_NULL(pe);
    }
    pe->armed = false;
    eventfd_t count;
    (void)eventfd_read(pe->wake, &count);
    struct pe_member *member;
    TAILQ_FOREACH(member, &pe->members, link) {
        if (member->armed) {
            (void)clear(member);
        }
    }
    return DOCA_SUCCESS;
}
