/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "common/clock.h"
#include "common/pe_timer.h"
#include "common/property.h"
#include "common/sdk_log.h"
#include "common/settings.h"
#include "common/sync_event_remote.h"
#include "rdma/rdma.h"

struct object_class rdma_class = OBJECT_CLASS("rdma", struct doca_rdma);

static struct doca_rdma *
as_rdma(struct doca_ctx *ctx) {
    return (struct doca_rdma *)ctx;
}

/*
 * The beginning and the end of a run
 */

static doca_error_t
open_link(struct doca_rdma *rdma) {
    const struct link_layout layout = {.num_slots = rdma->properties.max_num_connections,
                                       .num_receives = rdma_receive_ring_size(rdma),
                                       .max_extents = rdma->properties.recv_buf_list_len,
                                       .permissions = rdma->properties.permissions};
    doca_error_t result = link_create(&layout, node_get_descriptor(rdma->node), &rdma->link);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    rdma->in_slots = calloc(layout.num_slots, sizeof(struct doca_rdma_connection *));
    result = rdma->in_slots == NULL
                     ? DOCA_ERROR_NO_MEMORY
                     : receive_queue_create(&rdma->receives, &rdma->link, rdma_receive_limit(rdma));
    if (result == DOCA_SUCCESS) {
        result = engine_start(&rdma->engine, rdma->ctx.pe);
        if (result != DOCA_SUCCESS) {
            receive_queue_destroy(&rdma->receives);
        }
    }
    if (result != DOCA_SUCCESS) {
        free(rdma->in_slots);
        link_destroy(&rdma->link);
    }
    return result;
}

static doca_error_t
start(struct doca_ctx *ctx) {
    struct doca_rdma *rdma = as_rdma(ctx);
    if (!rdma->capabilities->supported) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "RDMA %p: Failed to start: the device has no RDMA", rdma);
    }
    doca_error_t result = node_acquire(&rdma->node);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = open_link(rdma);
    if (result != DOCA_SUCCESS) {
        node_release(rdma->node);
        return result;
    }
    rdma->listener.pe = ctx->pe;
    node_add_listener(&rdma->listener);
    return DOCA_SUCCESS;
}

/* Peers are out when this returns, and find that the context does not run. */
static void
close_link(struct doca_rdma *rdma) {
    struct doca_rdma_connection *connection;
    link_close(&rdma->link);
    TAILQ_FOREACH(connection, &rdma->connections, link) {
        connection_close(connection, DOCA_ERROR_BAD_STATE);
    }
}

/* What has been carried out, or has come, is reported as it is; all else as failed. */
static void
stop(struct doca_ctx *ctx) {
    struct doca_rdma *rdma = as_rdma(ctx);
    struct rdma_task *task;
    cm_stop(rdma);
    TAILQ_CONCAT(&rdma->ready, &rdma->delayed, link);
    close_link(rdma);
    engine_take_finished(&rdma->engine, &rdma->ready);
    while ((task = receive_queue_drain(&rdma->receives, rdma)) != NULL) {
        TAILQ_INSERT_TAIL(&rdma->ready, &task->base, link);
    }
}

static void
release(struct doca_ctx *ctx) {
    struct doca_rdma *rdma = as_rdma(ctx);
    struct doca_rdma_connection *connection;
    close_link(rdma);
    engine_stop(&rdma->engine);
    cm_release(rdma);
    while ((connection = TAILQ_FIRST(&rdma->connections)) != NULL) {
        connection_destroy(connection);
    }
    node_remove_listener(&rdma->listener);
    receive_queue_destroy(&rdma->receives);
    free(rdma->in_slots);
    link_destroy(&rdma->link);
    node_release(rdma->node);
}

/*
 * Reports
 */

static struct rdma_task *
next_executed(struct doca_rdma *rdma) {
    struct rdma_task *task = NULL;
    rdma->receives_next = !rdma->receives_next;
    if (rdma->receives_next) {
        task = receive_queue_next(&rdma->receives, rdma);
    }
    if (task == NULL) {
        task = engine_next(&rdma->engine);
    }
    if (task == NULL && !rdma->receives_next) {
        task = receive_queue_next(&rdma->receives, rdma);
    }
    return task;
}

/* Delays are over when there are other faults. */
static bool
is_due(const struct rdma_task *task, uint64_t now) {
    return !task->faulty || task->faults.due <= now || task->faults.generation != faults_generation();
}

static void
delay(struct doca_rdma *rdma, struct rdma_task *task) {
    struct doca_task *before = TAILQ_LAST(&rdma->delayed, task_list);
    while (before != NULL && as_rdma_task(before)->faults.due > task->faults.due) {
        before = TAILQ_PREV(before, task_list, link);
    }
    if (before == NULL) {
        TAILQ_INSERT_HEAD(&rdma->delayed, &task->base, link);
    } else {
        TAILQ_INSERT_AFTER(&rdma->delayed, before, &task->base, link);
    }
}

static struct rdma_task *
take_first(struct task_list *tasks) {
    struct doca_task *first = TAILQ_FIRST(tasks);
    if (first != NULL) {
        TAILQ_REMOVE(tasks, first, link);
    }
    return as_rdma_task(first);
}

/* The next task to report, or NULL. */
static struct rdma_task *
next_due(struct doca_rdma *rdma) {
    const struct rdma_task *first = as_rdma_task(TAILQ_FIRST(&rdma->delayed));
    if (first != NULL && is_due(first, clock_now())) {
        return take_first(&rdma->delayed);
    }
    struct rdma_task *task = next_executed(rdma);
    while (task != NULL && task->faulty && !is_due(task, clock_now())) {
        delay(rdma, task);
        task = next_executed(rdma);
    }
    return task;
}

/* What a task has written becomes data of its buffers. */
static void
extend_buffers(struct rdma_task *task) {
    if (rdma_task_is_atomic(task) || task->kind == RDMA_TASK_EVENT_NOTIFY_ADD) {
        struct doca_buf *result = task->result_buf;
        result->data_len = result->data_len < sizeof(uint64_t) ? sizeof(uint64_t) : result->data_len;
    } else if (task->kind == RDMA_TASK_READ || task->kind == RDMA_TASK_EVENT_GET ||
               (task->kind == RDMA_TASK_RECEIVE && task->result_opcode != DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM)) {
        extents_extend_buffers(&task->local, task->result_len);
    }
}

/* The program learns of the new state before it learns of the task. */
static void
report(struct doca_rdma *rdma, struct rdma_task *task) {
    const struct rdma_task_conf *conf = &rdma->confs[task->kind];
    rdma_task_callback_t callback = conf->completed;
    if (task->held_event != NULL) {
        sync_event_remote_release(task->held_event);
        task->held_event = NULL;
    }
    if (task->kind != RDMA_TASK_RECEIVE) {
        task->connection->num_tasks--;
    } else if (task->result_connection != NULL) {
        task->result_connection->num_received--;
    }
    if (task->result == DOCA_SUCCESS) {
        extend_buffers(task);
    } else {
        if (rdma->ctx.state == DOCA_CTX_STATE_RUNNING && !task->flushed) {
            rdma_task_log_failure(task, "complete");
            if (!faults_are_transient(task->result)) {
                ctx_fail(&rdma->ctx);
            }
        }
        callback = conf->failed;
    }
    if (ctx_begin_completion(&task->base, task->result)) {
        callback(task, task->base.user_data, rdma->ctx.user_data);
    }
    ctx_end_completion(&rdma->ctx);
}

static bool
progress(struct doca_ctx *ctx) {
    struct doca_rdma *rdma = as_rdma(ctx);
    struct rdma_task *task = take_first(&rdma->ready);
    if (task == NULL && cm_progress(rdma)) {
        return true;
    }
    if (task == NULL) {
        task = next_due(rdma);
    }
    if (task == NULL) {
        return cm_report(rdma);
    }
    report(rdma, task);
    return true;
}

static bool
has_work(struct doca_ctx *ctx) {
    struct doca_rdma *rdma = as_rdma(ctx);
    const struct rdma_task *delayed = as_rdma_task(TAILQ_FIRST(&rdma->delayed));
    uint64_t receives_later = UINT64_MAX;
    uint64_t engine_later = UINT64_MAX;
    uint64_t later = UINT64_MAX;
    node_listen();
    if (delayed != NULL) {
        /* Set before the faults are looked at: if they change now, either is noticed. */
        pe_timer_set(ctx->pe, delayed->faults.due);
        if (is_due(delayed, clock_now())) {
            return true;
        }
    }
    if (!TAILQ_EMPTY(&rdma->ready) || receive_queue_has_work(&rdma->receives, &receives_later) ||
        engine_has_work(&rdma->engine, &engine_later) || cm_has_work(rdma)) {
        return true;
    }
    later = receives_later < engine_later ? receives_later : engine_later;
    if (later != UINT64_MAX) {
        pe_timer_set(ctx->pe, later);
    }
    return false;
}

/*
 * Submission
 */

static doca_error_t
check_connection(const struct rdma_task *task) {
    const struct doca_rdma *rdma = (const struct doca_rdma *)task->base.ctx;
    const struct doca_rdma_connection *connection = task->connection;
    if (!IS_LIVE(connection_class, connection)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (connection->rdma != rdma) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Failed to submit %s task %p: connection %p is of RDMA %p",
                          rdma, rdma_task_name(task), task, connection, connection->rdma);
    }
    if (connection->state != CONNECTION_CONNECTED) {
        return SDK_REFUSE(DOCA_ERROR_NOT_CONNECTED, "RDMA %p: Failed to submit %s task %p: connection %u %s", rdma,
                          rdma_task_name(task), task, connection->id,
                          connection->state == CONNECTION_OPEN ? "is not connected" : "has ended");
    }
    if (connection->num_tasks >= rdma->properties.send_queue_size) {
        return SDK_REFUSE(DOCA_ERROR_FULL, "RDMA %p: Failed to submit %s task %p: %u are outstanding", rdma,
                          rdma_task_name(task), task, connection->num_tasks);
    }
    return DOCA_SUCCESS;
}

static doca_error_t
submit_operation(struct doca_rdma *rdma, struct rdma_task *task) {
    task->connection->num_tasks++;
    if (rdma_task_is_on_event(task)) {
        task->held_event = task->event;
        sync_event_remote_hold(task->held_event);
    }
    engine_submit(&rdma->engine, task);
    pe_signal(rdma->ctx.pe);
    return DOCA_SUCCESS;
}

static doca_error_t
submit_receive(struct doca_rdma *rdma, struct rdma_task *task) {
    if (task->fault == NULL) {
        return receive_queue_post(&rdma->receives, task);
    }
    rdma_task_fail(task, DOCA_ERROR_IO_FAILED, NULL);
    TAILQ_INSERT_TAIL(&rdma->ready, &task->base, link);
    pe_signal(rdma->ctx.pe);
    return DOCA_SUCCESS;
}

static doca_error_t
submit(struct doca_task *base, bool validate) {
    struct rdma_task *task = as_rdma_task(base);
    struct doca_rdma *rdma = as_rdma(base->ctx);
    const bool receives = task->kind == RDMA_TASK_RECEIVE;
    doca_error_t result = receives ? DOCA_SUCCESS : check_connection(task);
    if (result == DOCA_SUCCESS) {
        result = rdma_task_capture(task);
    }
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (validate && task->fault == NULL) {
        task->fault = rdma_task_check_local_access(task);
    }
    if (validate && task->fault != NULL) {
        rdma_task_log_failure(task, "submit");
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (faults_are_set()) {
        rdma_task_add_faults(task);
    }
    return receives ? submit_receive(rdma, task) : submit_operation(rdma, task);
}

/* All tasks go at once: there is no doorbell that could be noticed. */
static void
flush(struct doca_ctx *ctx) {
    (void)ctx;
}

static const struct ctx_ops rdma_ops = {
    .name = "RDMA",
    .start = start,
    .stop = stop,
    .release = release,
    .progress = progress,
    .has_work = has_work,
    .submit = submit,
    .flush = flush,
};

/*
 * Life
 */

doca_error_t
doca_rdma_create(struct doca_dev *dev, struct doca_rdma **rdma) {
    if (!device_is_open(dev)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (rdma == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: rdma is NULL");
    }
    struct doca_rdma *created = object_create(&rdma_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    ctx_init(&created->ctx, &rdma_ops);
    created->dev = dev;
    created->capabilities = devinfo_rdma_capabilities(doca_dev_as_devinfo(dev));
    rdma_properties_init(&created->properties);
    TAILQ_INIT(&created->connections);
    TAILQ_INIT(&created->ready);
    TAILQ_INIT(&created->delayed);
    cm_init(&created->cm);
    engine_init(&created->engine, emulator_settings()->engine == EMULATOR_ENGINE_THREADED);
    device_hold(dev);
    *rdma = created;
    SDK_LOG_INFO("RDMA %p: was created", created);
    return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_destroy(struct doca_rdma *rdma) {
    if (!IS_LIVE(rdma_class, rdma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = ctx_fini(&rdma->ctx);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    for (size_t i = 0; i < NUM_RDMA_TASK_KINDS; i++) {
        rdma_dispose_tasks(&rdma->confs[i]);
    }
    engine_fini(&rdma->engine);
    device_release(rdma->dev);
    object_destroy(&rdma_class, rdma);
    SDK_LOG_INFO("RDMA %p: was destroyed", rdma);
    return DOCA_SUCCESS;
}

struct doca_ctx *
doca_rdma_as_ctx(struct doca_rdma *rdma) {
    return IS_LIVE(rdma_class, rdma) ? &rdma->ctx : NULL;
}
