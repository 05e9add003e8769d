/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "clock.h"
#include "ctx.h"
#include "fork.h"
#include "pe_timer.h"
#include "process.h"
#include "sdk_log.h"
#include "service_thread.h"
#include "waker.h"

/* The event that ends the thread. No context has this number. */
#define END_ID 0

/* The interval between two checks for the end of the thread, in case the program has closed the file that signals it. */
#define LOOK_INTERVAL_MS 1000

#define REST_NS (UINT64_C(10) * 1000 * 1000)

static struct {
    /* Held while the thread is started or ended. */
    pthread_mutex_t life_lock;
    /* Guards the list. */
    pthread_mutex_t lock;
    LIST_HEAD(, waker) wakers;
    uint64_t last_id;
    struct service_thread thread;
    int epoll;
    /* Always readable, and watched from the end of the thread on. */
    int end;
    bool has_files;
    /* True from the end of the thread until the start of the next one. Relaxed. */
    atomic_bool is_ending;
} service = {
    .life_lock = PTHREAD_MUTEX_INITIALIZER,
    .lock = PTHREAD_MUTEX_INITIALIZER,
};

static void
wake(uint64_t id) {
    struct waker *waker;
    pthread_mutex_lock(&service.lock);
    LIST_FOREACH(waker, &service.wakers, link) {
        if (waker->id == id) {
            pe_notify(waker->queue);
        }
    }
    pthread_mutex_unlock(&service.lock);
}

static void *
run(void *argument) {
    /* The epoll instance of this thread; the next thread may have another one. */
    const int epoll = *(const int *)argument;
    struct epoll_event event;
    while (!atomic_load_explicit(&service.is_ending, memory_order_relaxed)) {
        const int num_events = epoll_wait(epoll, &event, 1, LOOK_INTERVAL_MS);
        if (num_events < 0 && errno != EINTR) {
            SDK_LOG_ERR("Failed to watch connections: epoll_wait: %s; has the program closed descriptor %d?", strerror(errno),
                        epoll);
            return NULL;
        }
        if (num_events == 1 && event.data.u64 != END_ID) {
            wake(event.data.u64);
        }
    }
    return NULL;
}

/* Without events it waits for waker_sleep(). */
static bool
watch(int fd, uint32_t events, uint64_t id) {
    struct epoll_event event = {.events = events | EPOLLONESHOT, .data.u64 = id};
    return epoll_ctl(service.epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

static void
close_files(void) {
    fork_release(service.epoll);
    fork_release(service.end);
    close(service.epoll);
    close(service.end);
    service.has_files = false;
}

/*
 * Runs in a forked child, which does not have the thread, and has /dev/null in place of the files.
 */
static void
forget_thread(void) {
    if (service.has_files) {
        close(service.epoll);
        close(service.end);
        service.has_files = false;
    }
    LIST_INIT(&service.wakers);
}

GUARD_IN_FORKS(life, &service.life_lock, NULL)
GUARD_IN_FORKS(wakers, &service.lock, forget_thread)

static doca_error_t
open_files(void) {
    service.epoll = epoll_create1(EPOLL_CLOEXEC);
    service.end = eventfd(1, EFD_CLOEXEC);
    if (service.epoll >= 0 && service.end >= 0 && watch(service.end, 0, END_ID)) {
        fork_withhold(service.epoll);
        fork_withhold(service.end);
        service.has_files = true;
        return DOCA_SUCCESS;
    }
    const doca_error_t result = SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to watch connections");
    close_files();
    return result;
}

static void
end(void *unused) {
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = END_ID};
    (void)unused;
    atomic_store_explicit(&service.is_ending, true, memory_order_relaxed);
    /* The program may have closed the files, so nothing is written to them. */
    (void)epoll_ctl(service.epoll, EPOLL_CTL_MOD, service.end, &event);
}

/* Called under the life lock. */
static doca_error_t
start_thread(void) {
    static const struct service_thread_ops ops = {.name = "doca-waker", .run = run, .end = end};
    if (service_thread_is_running(&service.thread)) {
        return DOCA_SUCCESS;
    }
    doca_error_t result = open_files();
    if (result == DOCA_SUCCESS) {
        atomic_store_explicit(&service.is_ending, false, memory_order_relaxed);
        result = service_thread_start(&service.thread, &ops, &service.epoll);
        if (result != DOCA_SUCCESS) {
            close_files();
        }
    }
    return result;
}

/* Called under the life lock. */
static void
end_thread(void) {
    service_thread_stop(&service.thread);
    close_files();
}

/* Called under the life lock. */
static void
cease_to_watch(struct waker *waker) {
    /* Removes it explicitly, since a forked child may have the file open too and would keep it watched. */
    (void)epoll_ctl(service.epoll, EPOLL_CTL_DEL, waker->events, NULL);
    pthread_mutex_lock(&service.lock);
    LIST_REMOVE(waker, link);
    const bool was_last = LIST_EMPTY(&service.wakers);
    pthread_mutex_unlock(&service.lock);
    if (was_last) {
        end_thread();
    }
}

/* Called under the life lock. */
static doca_error_t
begin_to_watch(struct waker *waker) {
    doca_error_t result = start_thread();
    if (result != DOCA_SUCCESS) {
        return result;
    }
    pthread_mutex_lock(&service.lock);
    waker->id = ++service.last_id;
    LIST_INSERT_HEAD(&service.wakers, waker, link);
    pthread_mutex_unlock(&service.lock);
    if (!watch(waker->events, 0, waker->id)) {
        result = SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to watch connections");
        cease_to_watch(waker);
    }
    return result;
}

doca_error_t
waker_start(struct waker *waker, struct doca_ctx *ctx) {
    waker->queue = ctx->queue;
    waker->generation = process_generation();
    waker->rests_until = 0;
    waker->events = epoll_create1(EPOLL_CLOEXEC);
    if (waker->events < 0) {
        return SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to watch connections");
    }
    emulator_lock(&service.life_lock);
    const doca_error_t result = begin_to_watch(waker);
    emulator_unlock(&service.life_lock);
    if (result != DOCA_SUCCESS) {
        close(waker->events);
        return result;
    }
    fork_withhold(waker->events);
    pe_visit(ctx->pe, ctx);
    return DOCA_SUCCESS;
}

bool
waker_is_inherited(const struct waker *waker) {
    return waker->generation != process_generation();
}

void
waker_rest(struct waker *waker) {
    waker->rests_until = clock_now() + REST_NS;
}

static bool
is_resting(const struct waker *waker) {
    return waker->rests_until > 0 && clock_now() < waker->rests_until;
}

bool
waker_look(const struct waker *waker, struct epoll_event *event) {
    return !waker_is_inherited(waker) && !is_resting(waker) && epoll_wait(waker->events, event, 1, 0) == 1;
}

/* An event between the two steps makes the thread fire at once. */
bool
waker_sleep(struct waker *waker) {
    struct epoll_event unused;
    struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.u64 = waker->id};
    if (waker_is_inherited(waker)) {
        return true;
    }
    if (is_resting(waker)) {
        pe_timer_set(waker->queue, waker->rests_until);
        return true;
    }
    if (waker_look(waker, &unused)) {
        return false;
    }
    (void)epoll_ctl(service.epoll, EPOLL_CTL_MOD, waker->events, &event);
    return true;
}

void
waker_stop(struct waker *waker) {
    if (!waker_is_inherited(waker)) {
        emulator_lock(&service.life_lock);
        cease_to_watch(waker);
        emulator_unlock(&service.life_lock);
    }
    fork_release(waker->events);
    close(waker->events);
}
