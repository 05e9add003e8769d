/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

#include "clock.h"
#include "fork.h"
#include "pe_timer.h"
#include "sdk_log.h"
#include "service_thread.h"

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* Queues that have a time. */
    TAILQ_HEAD(, pe_queue) queues;
    /* Runs from the first use until the process ends. */
    struct service_thread thread;
} timer = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .queues = TAILQ_HEAD_INITIALIZER(timer.queues),
};

static void
forget(struct pe_queue *queue) {
    TAILQ_REMOVE(&timer.queues, queue, timer_link);
    queue->has_timer = false;
}

/* Signals the queues whose time has come; returns the earliest time of the others, or UINT64_MAX. */
static uint64_t
fire(uint64_t now) {
    uint64_t earliest = UINT64_MAX;
    struct pe_queue *queue = TAILQ_FIRST(&timer.queues);
    while (queue != NULL) {
        struct pe_queue *next = TAILQ_NEXT(queue, timer_link);
        if (queue->timer <= now) {
            forget(queue);
            pe_notify(queue);
        } else if (queue->timer < earliest) {
            earliest = queue->timer;
        }
        queue = next;
    }
    return earliest;
}

static void *
run(void *unused) {
    (void)unused;
    pthread_mutex_lock(&timer.lock);
    for (;;) {
        const uint64_t next = fire(clock_now());
        if (next == UINT64_MAX) {
            pthread_cond_wait(&timer.changed, &timer.lock);
        } else {
            const struct timespec time = {.tv_sec = (time_t)(next / NS_PER_S), .tv_nsec = (long)(next % NS_PER_S)};
            pthread_cond_timedwait(&timer.changed, &timer.lock, &time);
        }
    }
    return NULL;
}

/* Runs in a forked child, which does not have the thread. */
static void
forget_parent(void) {
    while (!TAILQ_EMPTY(&timer.queues)) {
        forget(TAILQ_FIRST(&timer.queues));
    }
}

GUARD_IN_FORKS(timer, &timer.lock, forget_parent)

/* Under the lock. */
static bool
start_thread(void) {
    static const struct service_thread_ops ops = {.name = "doca-timer", .run = run};
    pthread_condattr_t attributes;
    if (service_thread_is_running(&timer.thread)) {
        return true;
    }
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&timer.changed, &attributes);
    pthread_condattr_destroy(&attributes);
    return service_thread_start(&timer.thread, &ops, NULL) == DOCA_SUCCESS;
}

void
pe_timer_set(struct pe_queue *queue, uint64_t time) {
    emulator_lock(&timer.lock);
    if (!start_thread()) {
        /* Firing early is better than never. */
        pe_notify(queue);
    } else if (!queue->has_timer || time < queue->timer) {
        if (!queue->has_timer) {
            TAILQ_INSERT_TAIL(&timer.queues, queue, timer_link);
            queue->has_timer = true;
        }
        queue->timer = time;
        pthread_cond_signal(&timer.changed);
    }
    emulator_unlock(&timer.lock);
}

void
pe_timer_cancel(struct pe_queue *queue) {
    emulator_lock(&timer.lock);
    if (queue->has_timer) {
        forget(queue);
    }
    emulator_unlock(&timer.lock);
}

void
pe_timer_fire_all(void) {
    emulator_lock(&timer.lock);
    fire(UINT64_MAX);
    emulator_unlock(&timer.lock);
}
