/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "ctx.h"
#include "fork.h"
#include "pe.h"
#include "pe_timer.h"
#include "property.h"
#include "sdk_log.h"

static struct {
    /* Guards the list. */
    pthread_mutex_t lock;
    /* All engines of this process. */
    LIST_HEAD(, doca_pe) list;
} engines = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct object_class pe_class = OBJECT_CLASS("pe", struct doca_pe);

static struct doca_ctx *
after(struct doca_pe *pe, struct doca_ctx *ctx) {
    struct doca_ctx *next = TAILQ_NEXT(ctx, visit);
    return next != NULL ? next : TAILQ_FIRST(&pe->visited);
}

static bool
has_work(const struct pe_queue *queue) {
    struct doca_ctx *ctx;
    TAILQ_FOREACH(ctx, &queue->pe->visited, visit) {
        if (ctx->queue == queue && ctx_has_work(ctx)) {
            return true;
        }
    }
    return false;
}

static bool
change_state(struct pe_queue *queue, enum pe_queue_state from, enum pe_queue_state to) {
    int expected = from;
    return atomic_compare_exchange_strong(&queue->state, &expected, to);
}

/* An eventfd is readable while its counter is not zero; reading resets it. */
static void
clear(struct doca_pe *pe) {
    eventfd_t count;
    (void)eventfd_read(pe->notification, &count);
    for (int i = 0; i < PE_NUM_QUEUES; i++) {
        change_state(&pe->queues[i], PE_QUEUE_FIRED, PE_QUEUE_POLLED);
    }
}

bool
pe_is_live(const struct doca_pe *pe) {
    return IS_LIVE(pe_class, pe);
}

void
pe_visit(struct doca_pe *pe, struct doca_ctx *ctx) {
    if (ctx->is_visited) {
        return;
    }
    ctx->is_visited = true;
    TAILQ_INSERT_TAIL(&pe->visited, ctx, visit);
    pe->num_visited++;
    if (pe->next == NULL) {
        pe->next = ctx;
    }
}

static void
end_visits(struct doca_pe *pe, struct doca_ctx *ctx) {
    if (pe->next == ctx) {
        pe->next = after(pe, ctx);
    }
    ctx->is_visited = false;
    TAILQ_REMOVE(&pe->visited, ctx, visit);
    pe->num_visited--;
    if (pe->num_visited == 0) {
        pe->next = NULL;
    }
}

void
pe_disconnect(struct doca_pe *pe, struct doca_ctx *ctx) {
    if (ctx->is_visited) {
        end_visits(pe, ctx);
    }
    pe->num_contexts--;
    ctx->pe = NULL;
}

/*
 * Each arming fires once. A program arms first and then checks for work. A worker publishes its work first and then
 * checks the arming. Both hold the lock of the context's completions, so one of them sees the other.
 */
void
pe_notify(struct pe_queue *queue) {
    if (change_state(queue, PE_QUEUE_ARMED, PE_QUEUE_FIRED)) {
        (void)eventfd_write(queue->pe->notification, 1);
    }
}

/*
 * Runs in a forked child, whose new eventfds are not readable. A queue that has fired does not fire again before the program
 * clears the notification, so the child would wait for it without end.
 */
static void
renew_notifications(void) {
    struct doca_pe *pe;
    LIST_FOREACH(pe, &engines.list, link) {
        for (int i = 0; i < PE_NUM_QUEUES; i++) {
            if (atomic_load(&pe->queues[i].state) == PE_QUEUE_FIRED) {
                (void)eventfd_write(pe->notification, 1);
            }
        }
    }
}

GUARD_IN_FORKS(engines, &engines.lock, renew_notifications)

/*
 * Life
 */

doca_error_t
doca_pe_create(struct doca_pe **pe) {
    if (pe == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: pe is NULL");
    }
    const int notification = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (notification < 0) {
        return SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to create a pe: eventfd");
    }
    struct doca_pe *created = object_create(&pe_class);
    if (created == NULL) {
        close(notification);
        return DOCA_ERROR_NO_MEMORY;
    }
    created->notification = notification;
    fork_renew_event(notification);
    created->event_mode = DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE;
    for (int i = 0; i < PE_NUM_QUEUES; i++) {
        created->queues[i].pe = created;
        atomic_init(&created->queues[i].state, PE_QUEUE_POLLED);
    }
    TAILQ_INIT(&created->visited);
    pthread_mutex_lock(&engines.lock);
    LIST_INSERT_HEAD(&engines.list, created, link);
    pthread_mutex_unlock(&engines.lock);
    *pe = created;
    SDK_LOG_INFO("PE %p: was created", created);
    return DOCA_SUCCESS;
}

doca_error_t
doca_pe_destroy(struct doca_pe *pe) {
    if (!IS_LIVE(pe_class, pe)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (pe->num_contexts > 0) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "PE %p: Failed to destroy: %u contexts are connected", pe,
                          pe->num_contexts);
    }
    if (pe->num_graphs > 0) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "PE %p: Failed to destroy: has %u graphs", pe, pe->num_graphs);
    }
    if (pe->callback_depth > 0) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "PE %p: Failed to destroy: called from a callback", pe);
    }
    for (int i = 0; i < PE_NUM_QUEUES; i++) {
        pe_timer_cancel(&pe->queues[i]);
    }
    pthread_mutex_lock(&engines.lock);
    LIST_REMOVE(pe, link);
    pthread_mutex_unlock(&engines.lock);
    fork_release(pe->notification);
    close(pe->notification);
    object_destroy(&pe_class, pe);
    SDK_LOG_INFO("PE %p: was destroyed", pe);
    return DOCA_SUCCESS;
}

doca_error_t
doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx) {
    if (!IS_LIVE(pe_class, pe)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!ctx_is_live(ctx)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "PE %p: Invalid input: %p is no context, or was destroyed before",
                          pe, ctx);
    }
    if (ctx->pe != NULL) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "PE %p: Failed to connect %s %p: is connected to PE %p", pe,
                          ctx->ops->name, ctx, ctx->pe);
    }
    ctx->pe = pe;
    ctx->queue = &pe->queues[ctx->ops->queue];
    pe->num_contexts++;
    return DOCA_SUCCESS;
}

/*
 * Progress
 */

static bool
progress_contexts(struct doca_pe *pe) {
    /* Advances before the step, since the context may be destroyed by it. */
    for (uint32_t i = pe->num_visited; i > 0; i--) {
        struct doca_ctx *ctx = pe->next;
        pe->next = after(pe, ctx);
        if (ctx_progress(ctx)) {
            return true;
        }
        if (!ctx_needs_visits(ctx)) {
            end_visits(pe, ctx);
        }
    }
    return false;
}

static bool
is_in_callback(const struct doca_pe *pe) {
    if (pe->callback_depth > 0) {
        SDK_LOG_ERR("PE %p: Failed to progress: called from a callback", pe);
    }
    return pe->callback_depth > 0;
}

uint8_t
doca_pe_progress(struct doca_pe *pe) {
    const bool nested = emulator_defer_records();
    const bool has_progressed = IS_LIVE(pe_class, pe) && !is_in_callback(pe) && progress_contexts(pe);
    emulator_write_records(nested);
    return has_progressed;
}

static size_t
count_inflight_tasks(const struct doca_pe *pe) {
    size_t sum = 0;
    const struct doca_ctx *ctx;
    TAILQ_FOREACH(ctx, &pe->visited, visit) {
        sum += ctx->num_inflight;
    }
    return sum;
}

/*
 * Notification
 */

/* If completions are already waiting, the queue fires at once and can be progressed. A fired queue stays fired. */
static void
arm(struct pe_queue *queue) {
    change_state(queue, PE_QUEUE_POLLED, PE_QUEUE_ARMED);
    if (has_work(queue) && change_state(queue, PE_QUEUE_ARMED, PE_QUEUE_POLLED)) {
        (void)eventfd_write(queue->pe->notification, 1);
    }
}

doca_error_t
doca_pe_request_notification(struct doca_pe *pe) {
    if (!IS_LIVE(pe_class, pe)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    /* In the other mode the descriptor stays readable until the program clears it. */
    if (pe->event_mode == DOCA_PE_EVENT_MODE_PROGRESS_ALL) {
        clear(pe);
    }
    struct doca_ctx *ctx;
    TAILQ_FOREACH(ctx, &pe->visited, visit) {
        if (ctx->ops->arm != NULL) {
            ctx->ops->arm(ctx);
        }
    }
    for (int i = 0; i < PE_NUM_QUEUES; i++) {
        arm(&pe->queues[i]);
    }
    return DOCA_SUCCESS;
}

/* The handle is not used on Linux. */
doca_error_t
doca_pe_clear_notification(struct doca_pe *pe, doca_notification_handle_t handle) {
    (void)handle;
    if (!IS_LIVE(pe_class, pe)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    clear(pe);
    return DOCA_SUCCESS;
}

/* In PROGRESS_SELECTIVE mode, progress skips queues that are armed, or whose notification was not cleared. */
doca_error_t
doca_pe_set_event_mode(struct doca_pe *pe, enum doca_pe_event_mode event_mode) {
    if (!IS_LIVE(pe_class, pe)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (event_mode != DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE && event_mode != DOCA_PE_EVENT_MODE_PROGRESS_ALL) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "PE %p: Failed to set the event mode: there is no mode %u", pe,
                          (unsigned int)event_mode);
    }
    if (pe->callback_depth > 0) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "PE %p: Failed to set the event mode: called from a callback", pe);
    }
    pe->event_mode = event_mode;
    return DOCA_SUCCESS;
}

#include <getters/pe.h>
