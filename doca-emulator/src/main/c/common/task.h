/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of tasks, and their pools. */
#ifndef DOCA_EMULATOR_TASK_H_
#define DOCA_EMULATOR_TASK_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <doca_pe.h>

#include "shared.h"

struct doca_ctx;
struct graph_step;
struct stored_array;
struct task_pool;

/* Unlikely numbers, so that a stray pointer is not mistaken for a task. */
enum task_state {
    TASK_FREE = 0x54460001,
    TASK_OWNED = 0x54460002,
    TASK_SUBMITTED = 0x54460003,
};

/* Libraries put this at the beginning of their tasks. */
struct doca_task {
    enum task_state state;
    uint32_t flags;
    doca_error_t status;
    struct doca_ctx *ctx;
    struct task_pool *pool;
    union doca_data user_data;
    /* The step of a running graph instance that borrows the task and is notified of its end; or NULL. */
    struct graph_step *step;
    /* In the pool while free; owned by the library while submitted. */
    TAILQ_ENTRY(doca_task) link;
};

TAILQ_HEAD(task_list, doca_task);

/* Logs that the function was called without a task. */
void task_report(const void *handle, const char *file, int line, const char *function) EMULATOR_SHARED(task_report);

static inline bool
task_is_live(const struct doca_task *task, const char *file, int line, const char *function) {
    if (task != NULL && (task->state == TASK_FREE || task->state == TASK_OWNED || task->state == TASK_SUBMITTED)) {
        return true;
    }
    task_report(task, file, line, function);
    return false;
}

/* Like IS_LIVE(). A free task is live, because programs read tasks that they have just freed. */
#define TASK_IS_LIVE(task) task_is_live((task), __FILE__, __LINE__, __func__)

/* Logs that the function would change a task in flight. */
void task_report_in_flight(const struct doca_task *task, const char *file, int line, const char *function)
        EMULATOR_SHARED(task_report_in_flight);

static inline bool
task_may_change(const struct doca_task *task, const char *file, int line, const char *function) {
    if (!task_is_live(task, file, line, function)) {
        return false;
    }
    if (task->state == TASK_SUBMITTED) {
        task_report_in_flight(task, file, line, function);
        return false;
    }
    return true;
}

/* Like TASK_IS_LIVE(), for functions that change what a task in flight uses. */
#define TASK_MAY_CHANGE(task) task_may_change((task), __FILE__, __LINE__, __func__)

struct task_pool {
    /* NULL in a pool of zeros. */
    struct stored_array *memory;
    size_t task_size;
    uint32_t num_tasks;
    struct task_list free;
};

doca_error_t task_pool_create(struct task_pool *pool, struct doca_ctx *ctx, uint32_t num_tasks, size_t task_size)
        EMULATOR_SHARED(task_pool_create);

/* Gives the memory of all tasks back; a stale handle is a free task. Allowed on a pool of zeros. */
void task_pool_destroy(struct task_pool *pool) EMULATOR_SHARED(task_pool_destroy);

struct doca_task *task_pool_at(const struct task_pool *pool, uint32_t index) EMULATOR_SHARED(task_pool_at);

/* Submits a task for the step that borrows it. */
doca_error_t task_submit_step(struct doca_task *task);

/* Takes a task from the pool. Returns BAD_STATE if the context is not running, NO_MEMORY if no task is free. */
doca_error_t task_alloc(struct task_pool *pool, struct doca_ctx *ctx, union doca_data user_data,
                        struct doca_task **task) EMULATOR_SHARED(task_alloc);

/* Does the same in any state of the context. */
doca_error_t task_take(struct task_pool *pool, struct doca_ctx *ctx, union doca_data user_data,
                       struct doca_task **task) EMULATOR_SHARED(task_take);

#endif /* DOCA_EMULATOR_TASK_H_ */
