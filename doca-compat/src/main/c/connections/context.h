/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RDMA contexts. A struct doca_rdma and its struct doca_ctx are objects of the SDK, so that all functions without a
 * translation accept them. The translation's own state is found by either pointer. A context and its tasks belong to one
 * thread.
 */
#ifndef DOCA_COMPAT_CONNECTIONS_CONTEXT_H_
#define DOCA_COMPAT_CONNECTIONS_CONTEXT_H_

#include <stdbool.h>
#include <sys/queue.h>

#include "rdma_connection.h"
#include "refuse.h"
#include "sdk.h"

#define TASK_KIND(name, parameters, ...) TASK_##name,

enum task_kind {
    SDK_TASKS(TASK_KIND)
    NUM_TASK_KINDS,
};

/* Callbacks of all kinds of tasks differ in the type of their first parameter. */
typedef void (*task_callback)(void *task, union doca_data task_user_data, union doca_data ctx_user_data);

/* A task of the 3.0 API: it can be allocated and submitted before its context is connected. */
struct rdma_task {
    struct rdma_context *context;
    enum task_kind kind;
    union doca_data user_data;
    struct doca_rdma_connection *connection;
    /* The arguments; each kind uses some of them. */
    const struct doca_buf *src_buf;
    struct doca_buf *dst_buf;
    struct doca_buf *result_buf;
    const struct doca_sync_event_remote_net *sync_event;
    doca_be32_t immediate_data;
    uint64_t cmp_data;
    uint64_t swap_data;
    uint64_t add_data;
    /* The SDK's task, by its own type and by the general one; NULL until it is first submitted on a connection. */
    void *typed;
    struct doca_task *general;
    /* True while the submitted task waits for the connection, or for room in its queue of the SDK. */
    bool waits;
    /* True while the SDK has the submitted task. A task that a graph runs is not in flight. */
    bool in_flight;
    /* The result, if the task was never submitted to the SDK. */
    bool has_own_status;
    doca_error_t status;
    /* In the list of free tasks of its pool, or of waiting tasks of its context. */
    TAILQ_ENTRY(rdma_task) link;
};

TAILQ_HEAD(rdma_task_list, rdma_task);

struct task_pool {
    struct rdma_task *memory;
    struct rdma_task_list free;
    task_callback succeeded;
    task_callback failed;
};

/* The two queues of a connection. */
enum queue {
    RECEIVE_QUEUE,
    SEND_QUEUE,
    NUM_QUEUES,
};

struct queue_use {
    uint32_t num_in_flight;
    uint32_t num_waiting;
};

struct rdma_context {
    struct doca_rdma *rdma;
    struct doca_ctx *ctx;
    struct doca_pe *pe;
    union doca_data user_data;
    doca_ctx_state_changed_callback_t state_changed;
    struct doca_rdma_connection connection;
    struct task_pool pools[NUM_TASK_KINDS];
    /* The state in the 3.0 API: RUNNING also while the SDK waits for the connection in STARTING. */
    enum doca_ctx_states state;
    enum doca_ctx_states sdk_state;
    /* True from a call of doca_ctx_stop() until the context is idle. */
    bool is_stop_requested;
    /* A stop requested before the SDK's context was running waits until all tasks are freed. */
    bool is_stop_deferred;
    uint32_t num_allocated;
    struct rdma_task_list waiting;
    struct queue_use queues[NUM_QUEUES];
    LIST_ENTRY(rdma_context) link;
};

/* Returns NULL if there is none. */
struct rdma_context *context_of_rdma(const struct doca_rdma *rdma);

/*
 * Submits the waiting tasks for which the SDK has room, once its context is running. They were accepted before, so those without room
 * go on waiting while others of the same queue are in flight.
 */
void tasks_submit_waiting(struct rdma_context *context);

/* Returns whether the SDK has tasks of this context. */
bool tasks_are_in_flight(const struct rdma_context *context);

/* Fails the waiting tasks. */
void tasks_fail_waiting(struct rdma_context *context);

void tasks_init(struct rdma_context *context);
void tasks_destroy(struct rdma_context *context);

#endif /* DOCA_COMPAT_CONNECTIONS_CONTEXT_H_ */
