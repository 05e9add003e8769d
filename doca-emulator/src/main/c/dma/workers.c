/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdint.h>

#include "common/fork.h"
#include "common/sdk_log.h"
#include "common/service_thread.h"
#include "dma/workers.h"

#define NUM_WORKERS 2

static struct {
    /* Held while the threads are started or stopped. */
    pthread_mutex_t lifecycle;
    struct service_thread threads[NUM_WORKERS];
    unsigned int num_users;

    /* Guards the members below, and the finished tasks of all contexts. */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct task_list jobs;
    bool end;
} workers = {
    .lifecycle = PTHREAD_MUTEX_INITIALIZER,
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .wake = PTHREAD_COND_INITIALIZER,
    .jobs = TAILQ_HEAD_INITIALIZER(workers.jobs),
};

/*
 * One critical section: once the program's thread has taken the task, it may destroy the context and its progress
 * engine. So neither is accessed after the lock is released.
 */
static void
finish(struct doca_dma_task_memcpy *task) {
    struct doca_dma *dma = (struct doca_dma *)task->base.ctx;

    task->finished = true;
    TAILQ_INSERT_TAIL(&dma->finished, &task->base, link);
    atomic_fetch_add_explicit(&dma->num_finished, 1, memory_order_release);
    pe_signal(dma->ctx.queue);
}

/* The workers take tasks from different ends, so that a program that relies on an order soon fails. */
static struct doca_task *
next_job(uintptr_t worker) {
    return worker == 0 ? TAILQ_FIRST(&workers.jobs) : TAILQ_LAST(&workers.jobs, task_list);
}

static void *
work(void *argument) {
    const uintptr_t worker = (uintptr_t)argument;
    pthread_mutex_lock(&workers.lock);
    for (;;) {
        struct doca_task *job = next_job(worker);
        if (job != NULL) {
            TAILQ_REMOVE(&workers.jobs, job, link);
            pthread_mutex_unlock(&workers.lock);
            const bool nested = emulator_defer_records();
            dma_memcpy_task_run_pinned(as_memcpy(job));
            emulator_write_records(nested);
            pthread_mutex_lock(&workers.lock);
            finish(as_memcpy(job));
        } else if (workers.end) {
            break;
        } else {
            pthread_cond_wait(&workers.wake, &workers.lock);
        }
    }
    pthread_mutex_unlock(&workers.lock);
    return NULL;
}

static void
end(void *unused) {
    (void)unused;
    pthread_mutex_lock(&workers.lock);
    workers.end = true;
    pthread_cond_broadcast(&workers.wake);
    pthread_mutex_unlock(&workers.lock);
}

static void
stop_threads(void) {
    for (uintptr_t worker = 0; worker < NUM_WORKERS; worker++) {
        service_thread_stop(&workers.threads[worker]);
    }
}

static doca_error_t
start_threads(void) {
    static const struct service_thread_ops ops = {.name = "doca-dma", .run = work, .end = end};
    doca_error_t result = DOCA_SUCCESS;
    workers.end = false;
    for (uintptr_t worker = 0; worker < NUM_WORKERS && result == DOCA_SUCCESS; worker++) {
        result = service_thread_start(&workers.threads[worker], &ops, (void *)worker);
    }
    if (result != DOCA_SUCCESS) {
        stop_threads();
    }
    return result;
}

/* Runs in a forked child, which has none of the threads. */
static void
forget_threads(void) {
    workers.num_users = 0;
}

/* The tasks remain in the lists of their contexts. */
static void
forget_jobs(void) {
    TAILQ_INIT(&workers.jobs);
    pthread_cond_init(&workers.wake, NULL);
}

GUARD_IN_FORKS(lifecycle, &workers.lifecycle, forget_threads)
GUARD_IN_FORKS(jobs, &workers.lock, forget_jobs)

doca_error_t
dma_workers_acquire(void) {
    doca_error_t result = DOCA_SUCCESS;
    emulator_lock(&workers.lifecycle);
    if (workers.num_users == 0) {
        result = start_threads();
    }
    workers.num_users += result == DOCA_SUCCESS;
    emulator_unlock(&workers.lifecycle);
    return result;
}

void
dma_workers_release(void) {
    emulator_lock(&workers.lifecycle);
    workers.num_users--;
    if (workers.num_users == 0) {
        stop_threads();
    }
    emulator_unlock(&workers.lifecycle);
}

void
dma_workers_submit(struct task_list *tasks) {
    pthread_mutex_lock(&workers.lock);
    TAILQ_CONCAT(&workers.jobs, tasks, link);
    pthread_cond_broadcast(&workers.wake);
    pthread_mutex_unlock(&workers.lock);
}

void
dma_workers_revoke(struct doca_dma *dma, struct task_list *revoked) {
    pthread_mutex_lock(&workers.lock);
    struct doca_task *job = TAILQ_FIRST(&workers.jobs);
    while (job != NULL) {
        struct doca_task *next = TAILQ_NEXT(job, link);
        if (job->ctx == &dma->ctx) {
            TAILQ_REMOVE(&workers.jobs, job, link);
            TAILQ_INSERT_TAIL(revoked, job, link);
        }
        job = next;
    }
    pthread_mutex_unlock(&workers.lock);
}

/* Called under the lock. */
static struct doca_dma_task_memcpy *
first_finished(struct doca_dma *dma) {
    if (!dma_is_ordered(dma)) {
        return as_memcpy(TAILQ_FIRST(&dma->finished));
    }
    struct doca_dma_task_memcpy *first = TAILQ_FIRST(&dma->outstanding);
    return first != NULL && first->finished ? first : NULL;
}

struct doca_dma_task_memcpy *
dma_workers_take_finished(struct doca_dma *dma) {
    /* Yields, so that a program that polls does not hinder the workers. */
    if (atomic_load_explicit(&dma->num_finished, memory_order_acquire) == 0) {
        return NULL;
    }
    pthread_mutex_lock(&workers.lock);
    struct doca_dma_task_memcpy *task = first_finished(dma);
    if (task != NULL) {
        TAILQ_REMOVE(&dma->finished, &task->base, link);
        atomic_fetch_sub_explicit(&dma->num_finished, 1, memory_order_relaxed);
    }
    pthread_mutex_unlock(&workers.lock);
    if (task != NULL) {
        TAILQ_REMOVE(&dma->outstanding, task, outstanding);
    }
    return task;
}

bool
dma_workers_have_finished(struct doca_dma *dma) {
    pthread_mutex_lock(&workers.lock);
    const bool have = first_finished(dma) != NULL;
    pthread_mutex_unlock(&workers.lock);
    return have;
}
