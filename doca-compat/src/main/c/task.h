/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks. Each is submitted as its job. A context has a pool of tasks for each kind. */
#ifndef DOCA_COMPAT_TASK_H_
#define DOCA_COMPAT_TASK_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <doca_pe.h>

#include "old_sdk.h"
#include "refuse.h"

struct doca_ctx;
struct doca_rdma_connection;
struct doca_task;
struct graph_step;
struct rdma_copies;
struct stored_array;

/* Callbacks of all kinds of tasks differ in the type of their first parameter. */
typedef void (*task_callback)(struct doca_task *, union doca_data, union doca_data);

enum task_state {
    TASK_FREE,
    TASK_OWNED,
    TASK_SUBMITTED,
};

struct task_pool {
    /*
     * Refuses arguments that would crash the process or never complete, and sets members of the job beyond its fields.
     */
    doca_error_t (*check)(const struct doca_task *task);
    int job_type;
    /* The index of one of the two queues of a context, whose entries the jobs take. A full one does not block the other. */
    uint32_t queue;
    task_callback succeeded;
    task_callback failed;
    /* The configured number. */
    uint32_t num_configured;
    uint32_t num_tasks;
    size_t task_size;
    /* NULL before the first start. A task keeps its memory, so that a stale handle is that of a free task. */
    struct stored_array *memory;
    TAILQ_HEAD(, doca_task) free;
};

TAILQ_HEAD(task_list, doca_task);

struct doca_task {
    union {
        struct old_job base;
        struct old_dma_job_memcpy memcpy;
        struct old_rdma_job_receive receive;
        struct old_rdma_job_send send;
        struct old_rdma_job_read_write read_write;
        struct old_rdma_job_atomic atomic;
        struct old_sync_event_job_wait wait;
        struct old_sync_event_job_get get;
        struct old_sync_event_job_set set;
        struct old_sync_event_job_add add;
    } job;
    struct doca_ctx *ctx;
    struct task_pool *pool;
    enum task_state state;
    doca_error_t status;
    union doca_data user_data;
    /* The step of a running graph instance that borrows the task and is notified of its end; or NULL. */
    struct graph_step *step;
    /*
     * In the list of free tasks of a pool, of tasks that wait for an entry in the work queue, or of tasks that failed
     * without an entry.
     */
    TAILQ_ENTRY(doca_task) link;
    /* Gets the old value that an addition to a sync event fetches, if the program does not request it. */
    uint64_t unwanted;
    /* While a copy of release 1.5 is in the work queue: the length of the data that its destination had before. */
    size_t kept;
    /* For RDMA tasks. */
    struct doca_rdma_connection *connection;
    struct old_rdma_result result;
    /* While the job is in the work queue: the copy of the buffer that it fills, its inventory, and its elements. */
    struct doca_buf *copy;
    struct rdma_copies *copies;
    uint32_t num_copied;
};

doca_error_t task_pool_create(struct task_pool *pool, struct doca_ctx *ctx, uint32_t num_tasks, size_t task_size);
struct doca_task *task_pool_at(const struct task_pool *pool, uint32_t index);
void task_pool_destroy(struct task_pool *pool);

/*
 * Takes a task whose job has the task as user data. Returns BAD_STATE unless the context is running, NO_MEMORY without
 * a free task.
 */
doca_error_t task_alloc(struct task_pool *pool, struct doca_ctx *ctx, union doca_data user_data, struct doca_task **task);

/* Does the same in any state of the context. */
doca_error_t task_take(struct task_pool *pool, struct doca_ctx *ctx, union doca_data user_data, struct doca_task **task);

/* Returns whether a task of the pool is in flight. */
bool task_pool_is_used(const struct task_pool *pool);

/* Calls the callback of a completed task, which may fail the context. */
void task_end(struct doca_task *task, doca_error_t status);

/* Submits a task for the step that borrows it. */
doca_error_t task_submit_step(struct doca_task *task);

#define TASK_IS_LIVE(task) ((task) != NULL || REFUSE_NULL(task) == DOCA_SUCCESS)

#endif /* DOCA_COMPAT_TASK_H_ */
