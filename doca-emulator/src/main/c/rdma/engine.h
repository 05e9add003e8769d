/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine that executes operations, one at a time on a connection and in the order of submission: in
 * doca_pe_progress() itself, or in a thread of the context.
 */
#ifndef DOCA_EMULATOR_RDMA_ENGINE_H_
#define DOCA_EMULATOR_RDMA_ENGINE_H_

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <doca_error.h>

#include "common/pe.h"
#include "common/service_thread.h"
#include "common/task.h"
#include "rdma/connection.h"
#include "rdma/task.h"

struct engine {
    bool threaded;
    /* The context's queue; signalled by the thread. */
    struct pe_queue *queue;
    /* Runs from the start to the stop of the engine. */
    struct service_thread thread;
    bool end;
    pthread_cond_t wake;
    /* With a thread, guards the members below and the operations of connections. */
    pthread_mutex_t lock;
    /* Connections with operations that are not being executed. */
    struct connection_list active;
    uint32_t num_active;
    /* Completed tasks that rdma_engine_next() has not returned. */
    struct task_list finished;
    atomic_uint num_finished;
};

void rdma_engine_init(struct engine *engine, bool threaded);
void rdma_engine_fini(struct engine *engine);

/* The functions below are called only between these two. */
doca_error_t rdma_engine_start(struct engine *engine, struct pe_queue *queue);
void rdma_engine_stop(struct engine *engine);

/* Discards all operations in a forked child, which has neither the thread nor its completed tasks. */
void rdma_engine_abandon(struct engine *engine);

void rdma_engine_submit(struct engine *engine, struct rdma_task *task);

/* Returns the next executed task, or NULL. */
struct rdma_task *rdma_engine_next(struct engine *engine);

/* Returns whether rdma_engine_next() would find a task. If a peer has to act first, sets the time of the next check. */
bool rdma_engine_has_work(struct engine *engine, uint64_t *look_again);

/* Fails the operations of the connection that were not begun with the error, after the begun one. */
void rdma_engine_flush(struct engine *engine, struct doca_rdma_connection *connection, doca_error_t error);

#endif /* DOCA_EMULATOR_RDMA_ENGINE_H_ */
