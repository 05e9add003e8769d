/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <time.h>

#include "common/clock.h"
#include "common/sdk_log.h"
#include "common/service_thread.h"
#include "rdma/engine.h"
#include "rdma/operation.h"

/* The interval between two attempts of an operation that waits for its peer. */
#define RETRY_INTERVAL_NS (UINT64_C(500) * 1000)

/* Takes the lock only if there is a thread. */
static void
acquire(struct engine *engine) {
    if (engine->threaded) {
        pthread_mutex_lock(&engine->lock);
    }
}

static void
release(struct engine *engine) {
    if (engine->threaded) {
        pthread_mutex_unlock(&engine->lock);
    }
}

static void
activate(struct engine *engine, struct doca_rdma_connection *connection) {
    TAILQ_INSERT_TAIL(&engine->active, connection, active_link);
    engine->num_active++;
}

static void
deactivate(struct engine *engine, struct doca_rdma_connection *connection) {
    TAILQ_REMOVE(&engine->active, connection, active_link);
    engine->num_active--;
}

/* Ends the connection of a failed operation before the program is notified. */
static bool
is_fatal(const struct rdma_task *task) {
    return task->result != DOCA_SUCCESS && !task->flushed && !faults_are_transient(task->result);
}

/*
 * Executes the first operation of the connection and returns whether it has ended. Called under the lock, which is
 * released while the operation runs.
 */
static bool
execute(struct engine *engine, struct doca_rdma_connection *connection, struct rdma_task *task) {
    bool ended = false;
    if (connection->flush_error == DOCA_SUCCESS) {
        connection->executing = true;
        release(engine);
        const struct sdk_section section = emulator_begin_section();
        ended = engine->threaded ? rdma_operation_run_pinned(task) : rdma_operation_run(task);
        emulator_end_section(section);
        acquire(engine);
        connection->executing = false;
    }
    if (!ended && connection->flush_error != DOCA_SUCCESS) {
        rdma_task_flush(task, connection->flush_error);
        ended = true;
    }
    if (ended && is_fatal(task)) {
        connection->flush_error = DOCA_ERROR_BAD_STATE;
    }
    return ended;
}

/* Executes one operation and returns its task; NULL if all operations have to wait. Called under the lock. */
static struct rdma_task *
step(struct engine *engine) {
    for (uint32_t i = engine->num_active; i > 0 && engine->num_active > 0; i--) {
        struct doca_rdma_connection *connection = TAILQ_FIRST(&engine->active);
        struct doca_task *task = TAILQ_FIRST(&connection->queue);
        deactivate(engine, connection);
        const bool ended = execute(engine, connection, as_rdma_task(task));
        if (ended) {
            TAILQ_REMOVE(&connection->queue, task, link);
        }
        if (!TAILQ_EMPTY(&connection->queue)) {
            activate(engine, connection);
        }
        if (ended) {
            return as_rdma_task(task);
        }
    }
    return NULL;
}

/*
 * The thread
 */

/* Called under the lock. */
static void
add_finished(struct engine *engine, struct rdma_task *task) {
    TAILQ_INSERT_TAIL(&engine->finished, &task->base, link);
    atomic_fetch_add_explicit(&engine->num_finished, 1, memory_order_release);
}

/* One critical section, because the program may stop the context once it has seen the task. */
static void
finish(struct engine *engine, struct rdma_task *task) {
    add_finished(engine, task);
    pe_signal(engine->queue);
}

static void
wait_for_work(struct engine *engine) {
    if (engine->num_active == 0) {
        pthread_cond_wait(&engine->wake, &engine->lock);
    } else {
        const uint64_t time = clock_now() + RETRY_INTERVAL_NS;
        const struct timespec until = {.tv_sec = (time_t)(time / NS_PER_S), .tv_nsec = (long)(time % NS_PER_S)};
        pthread_cond_timedwait(&engine->wake, &engine->lock, &until);
    }
}

static void *
work(void *argument) {
    struct engine *engine = argument;
    pthread_mutex_lock(&engine->lock);
    while (!engine->end) {
        struct rdma_task *task = step(engine);
        if (task != NULL) {
            finish(engine, task);
        } else if (!engine->end) {
            wait_for_work(engine);
        }
    }
    pthread_mutex_unlock(&engine->lock);
    return NULL;
}

static void
end(void *argument) {
    struct engine *engine = argument;
    pthread_mutex_lock(&engine->lock);
    engine->end = true;
    pthread_cond_signal(&engine->wake);
    pthread_mutex_unlock(&engine->lock);
}

/*
 * For the context
 */

void
rdma_engine_init(struct engine *engine, bool threaded) {
    pthread_condattr_t attributes;
    engine->threaded = threaded;
    TAILQ_INIT(&engine->active);
    engine->num_active = 0;
    TAILQ_INIT(&engine->finished);
    atomic_init(&engine->num_finished, 0);
    pthread_mutex_init(&engine->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&engine->wake, &attributes);
    pthread_condattr_destroy(&attributes);
}

void
rdma_engine_fini(struct engine *engine) {
    pthread_cond_destroy(&engine->wake);
    pthread_mutex_destroy(&engine->lock);
}

doca_error_t
rdma_engine_start(struct engine *engine, struct pe_queue *queue) {
    static const struct service_thread_ops ops = {.name = "doca-rdma", .run = work, .end = end};
    engine->queue = queue;
    engine->end = false;
    return engine->threaded ? service_thread_start(&engine->thread, &ops, engine) : DOCA_SUCCESS;
}

void
rdma_engine_stop(struct engine *engine) {
    service_thread_stop(&engine->thread);
}

/* The parent's thread may hold the lock, so lock and condition are initialised again. */
void
rdma_engine_abandon(struct engine *engine) {
    rdma_engine_init(engine, engine->threaded);
}

void
rdma_engine_submit(struct engine *engine, struct rdma_task *task) {
    struct doca_rdma_connection *connection = task->connection;
    acquire(engine);
    if (TAILQ_EMPTY(&connection->queue)) {
        activate(engine, connection);
        if (engine->threaded) {
            pthread_cond_signal(&engine->wake);
        }
    }
    TAILQ_INSERT_TAIL(&connection->queue, &task->base, link);
    release(engine);
}

struct rdma_task *
rdma_engine_next(struct engine *engine) {
    /* Yields, so that a program that polls does not hinder the thread. */
    if (atomic_load_explicit(&engine->num_finished, memory_order_acquire) == 0) {
        return engine->threaded ? NULL : step(engine);
    }
    acquire(engine);
    struct doca_task *first = TAILQ_FIRST(&engine->finished);
    TAILQ_REMOVE(&engine->finished, first, link);
    atomic_fetch_sub_explicit(&engine->num_finished, 1, memory_order_relaxed);
    release(engine);
    return as_rdma_task(first);
}

bool
rdma_engine_has_work(struct engine *engine, uint64_t *look_again) {
    const struct doca_rdma_connection *connection;
    acquire(engine);
    const bool has_finished = !TAILQ_EMPTY(&engine->finished);
    release(engine);
    if (has_finished || engine->threaded) {
        return has_finished;
    }
    TAILQ_FOREACH(connection, &engine->active, active_link) {
        if (!rdma_operation_waits(connection)) {
            return true;
        }
    }
    if (engine->num_active > 0) {
        *look_again = clock_now() + RETRY_INTERVAL_NS;
    }
    return false;
}

void
rdma_engine_flush(struct engine *engine, struct doca_rdma_connection *connection, doca_error_t error) {
    struct doca_task *task;
    acquire(engine);
    connection->flush_error = error;
    /* If the thread is executing the first operation, it flushes the others itself afterwards. */
    const bool is_active = !connection->executing && !TAILQ_EMPTY(&connection->queue);
    if (is_active) {
        deactivate(engine, connection);
    }
    while (!connection->executing && (task = TAILQ_FIRST(&connection->queue)) != NULL) {
        TAILQ_REMOVE(&connection->queue, task, link);
        rdma_task_flush(as_rdma_task(task), error);
        add_finished(engine, as_rdma_task(task));
    }
    release(engine);
}
