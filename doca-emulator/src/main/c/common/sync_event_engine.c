/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"
#include "pe_timer.h"
#include "process.h"
#include "sdk_log.h"
#include "sync_event.h"
#include "sync_event_engine.h"

/* The interval between two reads of the value while a program sleeps until it is notified. */
#define LOOK_INTERVAL_NS (UINT64_C(500) * 1000)

/* Executing tasks */

static void
end_task(struct sync_event_engine *engine, struct sync_event_task *task, doca_error_t result) {
    task->result = task->faulty && task->faults.error != DOCA_SUCCESS ? task->faults.error : result;
    TAILQ_INSERT_TAIL(task->faulty ? &engine->delayed : &engine->ready, &task->base, link);
}

static doca_error_t
carry_out(struct sync_event_engine *engine, const struct sync_event_task *task) {
    doca_error_t result = DOCA_SUCCESS;
    switch (task->kind) {
    case SYNC_EVENT_TASK_GET:
        result = event_value_check(engine->value);
        return result == DOCA_SUCCESS ? event_value_load(engine->value, task->result_ptr) : result;
    case SYNC_EVENT_TASK_NOTIFY_ADD:
        return event_value_add(engine->value, task->operand, task->result_ptr);
    case SYNC_EVENT_TASK_NOTIFY_SET:
        return event_value_store(engine->value, task->operand);
    case SYNC_EVENT_TASK_WAIT_EQ:
    case SYNC_EVENT_TASK_WAIT_NEQ:
        break;
    }
    return DOCA_ERROR_UNEXPECTED;
}

/* A task that fails by a fault does nothing. */
static bool
run_queued(struct sync_event_engine *engine) {
    struct sync_event_task *task = as_sync_event_task(TAILQ_FIRST(&engine->queued));
    if (task == NULL) {
        return false;
    }
    TAILQ_REMOVE(&engine->queued, &task->base, link);
    if (task->faulty && task->faults.kills_exporter) {
        process_kill(event_value_owner(engine->value));
    }
    const bool fails = task->faulty && task->faults.error != DOCA_SUCCESS;
    end_task(engine, task, fails ? DOCA_SUCCESS : carry_out(engine, task));
    return true;
}

/* Returns the first wait that ends now, with its result set, or NULL. */
static struct sync_event_task *
find_ended_wait(struct sync_event_engine *engine, doca_error_t *result) {
    struct doca_task *task;
    uint64_t current;
    if (TAILQ_EMPTY(&engine->waiting)) {
        return NULL;
    }
    /* In this order, so that the last value is used even if its owner has ended since. */
    const doca_error_t check = event_value_check(engine->value);
    *result = event_value_load(engine->value, &current);
    if (*result != DOCA_SUCCESS) {
        return as_sync_event_task(TAILQ_FIRST(&engine->waiting));
    }
    TAILQ_FOREACH(task, &engine->waiting, link) {
        if (sync_event_condition_holds(&as_sync_event_task(task)->condition, current)) {
            return as_sync_event_task(task);
        }
    }
    *result = check;
    return check == DOCA_SUCCESS ? NULL : as_sync_event_task(TAILQ_FIRST(&engine->waiting));
}

static bool
run_waiting(struct sync_event_engine *engine) {
    doca_error_t result;
    struct sync_event_task *task = find_ended_wait(engine, &result);
    if (task == NULL) {
        return false;
    }
    TAILQ_REMOVE(&engine->waiting, &task->base, link);
    end_task(engine, task, result);
    return true;
}

/*
 * Reports
 */

static bool
is_due(const struct sync_event_task *task) {
    return task->faults.due <= clock_now() || task->faults.generation != faults_generation();
}

/* All delayed tasks have the same delay. Other tasks wait behind them, no longer than that delay. */
static struct sync_event_task *
next_due(struct sync_event_engine *engine) {
    struct doca_task *task = TAILQ_FIRST(&engine->ready);
    if (task != NULL) {
        TAILQ_REMOVE(&engine->ready, task, link);
        return as_sync_event_task(task);
    }
    task = TAILQ_FIRST(&engine->delayed);
    if (task == NULL || !is_due(as_sync_event_task(task))) {
        return NULL;
    }
    TAILQ_REMOVE(&engine->delayed, task, link);
    return as_sync_event_task(task);
}

static struct sync_event_task *
next_ended(struct sync_event_engine *engine) {
    struct sync_event_task *task = next_due(engine);
    if (task != NULL) {
        return task;
    }
    engine->waits_next = !engine->waits_next;
    if (engine->waits_next) {
        (void)(run_waiting(engine) || run_queued(engine));
    } else {
        (void)(run_queued(engine) || run_waiting(engine));
    }
    return next_due(engine);
}

static void
report(struct doca_task *base) {
    const struct doca_sync_event *event = (const struct doca_sync_event *)base->ctx;
    struct sync_event_task *task = as_sync_event_task(base);
    const struct sync_event_task_conf *conf = &event->engine.confs[task->kind];
    (base->status == DOCA_SUCCESS && !task->flushed ? conf->completed : conf->failed)(task, base->user_data, base->ctx->user_data);
}

/* Logs a failure, and returns whether it is fatal for the context. */
static bool
examine(const struct sync_event_engine *engine, const struct sync_event_task *task) {
    if (task->result == DOCA_SUCCESS || engine->ctx->state != DOCA_CTX_STATE_RUNNING || task->flushed) {
        return false;
    }
    SDK_LOG_ERR("Sync event %p: Failed to complete %s task %p: %s", engine->ctx, sync_event_task_name(task), task,
                task->faulty && task->faults.error != DOCA_SUCCESS ? "the faults that are set ask for it"
                                                                    : "the value cannot be reached");
    return !faults_are_transient(task->result);
}

bool
sync_event_engine_progress(struct sync_event_engine *engine) {
    struct sync_event_task *task = next_ended(engine);
    if (task == NULL) {
        return false;
    }
    ctx_complete(&task->base, task->result, examine(engine, task), report);
    return true;
}

bool
sync_event_engine_has_work(struct sync_event_engine *engine) {
    const struct sync_event_task *delayed = as_sync_event_task(TAILQ_FIRST(&engine->delayed));
    doca_error_t result;
    if (delayed != NULL) {
        /* Set before the faults are read, so that a change of the faults is not missed. */
        pe_timer_set(engine->ctx->queue, delayed->faults.due);
        if (is_due(delayed)) {
            return true;
        }
    }
    if (!TAILQ_EMPTY(&engine->ready) || !TAILQ_EMPTY(&engine->queued) || find_ended_wait(engine, &result) != NULL) {
        return true;
    }
    if (!TAILQ_EMPTY(&engine->waiting)) {
        pe_timer_set(engine->ctx->queue, clock_now() + LOOK_INTERVAL_NS);
    }
    return false;
}

/*
 * Stop
 */

static void
mark_flushed(struct task_list *tasks) {
    struct doca_task *task;
    TAILQ_FOREACH(task, tasks, link) {
        as_sync_event_task(task)->flushed = true;
    }
}

/* Fails the tasks that were not executed yet. The others keep their results. */
static void
flush(struct sync_event_engine *engine) {
    struct task_list dropped = TAILQ_HEAD_INITIALIZER(dropped);
    struct doca_task *task;
    TAILQ_CONCAT(&dropped, &engine->queued, link);
    TAILQ_CONCAT(&dropped, &engine->waiting, link);
    TAILQ_FOREACH(task, &dropped, link) {
        as_sync_event_task(task)->result = DOCA_ERROR_IO_FAILED;
    }
    mark_flushed(&dropped);
    TAILQ_CONCAT(&engine->ready, &engine->delayed, link);
    TAILQ_CONCAT(&engine->ready, &dropped, link);
}

/* As NVIDIA's library, this reports also the executed tasks as failed, with the status SUCCESS. */
void
sync_event_engine_stop(struct sync_event_engine *engine) {
    flush(engine);
    mark_flushed(&engine->ready);
}

bool
sync_event_engine_break(struct sync_event_engine *engine) {
    const bool is_first = !engine->is_broken;
    engine->is_broken = true;
    flush(engine);
    pe_signal(engine->ctx->queue);
    return is_first;
}

/*
 * Submission
 */

doca_error_t
sync_event_engine_submit(struct sync_event_engine *engine, struct doca_task *base) {
    struct sync_event_task *task = as_sync_event_task(base);
    const doca_error_t result = sync_event_task_check(task);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    task->flushed = false;
    task->faulty = faults_are_set();
    if (task->faulty) {
        task->faults = faults_of_next_task(event_value_is_imported(engine->value));
    }
    if (task->faulty && task->faults.error != DOCA_SUCCESS) {
        end_task(engine, task, DOCA_SUCCESS);
    } else {
        TAILQ_INSERT_TAIL(sync_event_task_waits(task) ? &engine->waiting : &engine->queued, base, link);
    }
    if (engine->is_broken) {
        flush(engine);
    }
    pe_signal(engine->ctx->queue);
    return DOCA_SUCCESS;
}

/*
 * Life
 */

void
sync_event_engine_init(struct sync_event_engine *engine) {
    TAILQ_INIT(&engine->queued);
    TAILQ_INIT(&engine->waiting);
    TAILQ_INIT(&engine->ready);
    TAILQ_INIT(&engine->delayed);
}

bool
sync_event_engine_has_tasks(const struct sync_event_engine *engine) {
    for (int i = 0; i < NUM_SYNC_EVENT_TASK_KINDS; i++) {
        if (engine->confs[i].pool.num_tasks > 0) {
            return true;
        }
    }
    return false;
}

void
sync_event_engine_fini(struct sync_event_engine *engine) {
    for (int i = 0; i < NUM_SYNC_EVENT_TASK_KINDS; i++) {
        task_pool_destroy(&engine->confs[i].pool);
    }
}

void
sync_event_engine_start(struct sync_event_engine *engine, struct doca_ctx *ctx, struct event_value *value) {
    engine->ctx = ctx;
    engine->value = value;
    engine->is_broken = false;
}
