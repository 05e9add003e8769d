/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine that carries out operations, one at a time on a connection and in the order of submission:
 * doca_pe_progress() itself, or a thread of the context.
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
    /* Of the context; signalled by the thread. */
    struct pe_queue *queue;
    /* From the start to the stop of the engine. */
    struct service_thread thread;
    bool end;
    pthread_cond_t wake;
    /* With a thread it guards what follows, and what connections have for the engine. */
    pthread_mutex_t lock;
    /* Connections with operations that nobody is at. */
    struct connection_list active;
    uint32_t num_active;
    /* What has ended and was not taken by rdma_engine_next(). */
    struct task_list finished;
    atomic_uint num_finished;
};

void rdma_engine_init(struct engine *engine, bool threaded);
void rdma_engine_fini(struct engine *engine);

/* All that follows is between these two. */
doca_error_t rdma_engine_start(struct engine *engine, struct pe_queue *queue);
void rdma_engine_stop(struct engine *engine);

/* In a forked child, which has neither the thread nor what that has done: there are no operations any more. */
void rdma_engine_abandon(struct engine *engine);

void rdma_engine_submit(struct engine *engine, struct rdma_task *task);

/* The next task that has been carried out, or NULL. */
struct rdma_task *rdma_engine_next(struct engine *engine);

/* Returns whether that function would find something; if only a peer has to do something, it might at that time. */
bool rdma_engine_has_work(struct engine *engine, uint64_t *look_again);

/*
 * What was not begun on the connection fails with the error, after what was begun, and then what is in the list, which
 * is empty afterwards.
 */
void rdma_engine_flush(struct engine *engine, struct doca_rdma_connection *connection, doca_error_t error,
                       struct task_list *not_submitted);

#endif /* DOCA_EMULATOR_RDMA_ENGINE_H_ */
