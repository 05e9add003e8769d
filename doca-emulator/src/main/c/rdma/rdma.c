/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "common/clock.h"
#include "common/pe_timer.h"
#include "common/property.h"
#include "common/sdk_log.h"
#include "common/settings.h"
#include "common/sync_event_remote.h"
#include "rdma/program.h"
#include "rdma/rdma.h"

/* How long a sleeping engine waits before it tries again to start the thread that wakes it. */
#define LISTEN_RETRY_NS (UINT64_C(10) * 1000 * 1000)

struct object_class rdma_class = OBJECT_CLASS("rdma", struct doca_rdma);

static struct doca_rdma *
as_rdma(struct doca_ctx *ctx) {
    return (struct doca_rdma *)ctx;
}

/* The beginning and the end of a run */

static doca_error_t
open_link(struct doca_rdma *rdma) {
    const struct link_layout layout = {.num_slots = rdma->properties.max_num_connections,
                                       .num_receives = rdma_receive_ring_size(rdma),
                                       .max_extents = rdma_receive_list_limit(rdma),
                                       .permissions = rdma->properties.permissions,
                                       .gid_type = device_gid_type(rdma->dev, rdma->properties.gid_index),
                                       .mtu = rdma->properties.has_own_mtu ? rdma->properties.mtu
                                                                           : LINK_ANY_MTU};
    doca_error_t result = rdma_link_create(&layout, rdma_node_get_descriptor(rdma->node), &rdma->link);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    rdma->in_slots = calloc(layout.num_slots, sizeof(struct doca_rdma_connection *));
    rdma->by_serial = calloc(layout.num_slots, sizeof(struct connection_bucket));
    result = rdma->in_slots == NULL || rdma->by_serial == NULL
                     ? DOCA_ERROR_NO_MEMORY
                     : rdma_receive_queue_create(&rdma->receives, &rdma->link, rdma_receive_limit(rdma));
    if (result == DOCA_SUCCESS) {
        result = rdma_engine_start(&rdma->engine, rdma->ctx.queue);
        if (result != DOCA_SUCCESS) {
            rdma_receive_queue_destroy(&rdma->receives);
        }
    }
    if (result != DOCA_SUCCESS) {
        free(rdma->in_slots);
        free(rdma->by_serial);
        rdma_link_destroy(&rdma->link);
    }
    return result;
}

static doca_error_t
start(struct doca_ctx *ctx) {
    struct doca_rdma *rdma = as_rdma(ctx);
    if (!rdma->capabilities->supported) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "RDMA %p: Failed to start: the device has no RDMA", rdma);
    }
    doca_error_t result = rdma_properties_prepare(rdma);
    result = result == DOCA_SUCCESS ? rdma_node_acquire(&rdma->node) : result;
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = open_link(rdma);
    if (result != DOCA_SUCCESS) {
        rdma_node_release(rdma->node);
        return result;
    }
    rdma->listener.queue = ctx->queue;
    rdma_node_add_listener(&rdma->listener);
    rdma->operation_limit = rdma_send_queue_room(rdma);
    rdma->is_abandoned = false;
    return emulator_has_one_connection() ? DOCA_ERROR_IN_PROGRESS : DOCA_SUCCESS;
}

bool
rdma_is_started(const struct doca_rdma *rdma) {
    return rdma->ctx.state == DOCA_CTX_STATE_RUNNING || rdma->ctx.state == DOCA_CTX_STATE_STARTING;
}

/* Returns whether the context is starting, and has the connection that completes the start. */
static bool
ends_start(const struct doca_rdma *rdma) {
    const struct doca_rdma_connection *connection = TAILQ_FIRST(&rdma->connections);
    return rdma->ctx.state == DOCA_CTX_STATE_STARTING && connection != NULL && connection->state == CONNECTION_CONNECTED;
}

bool
rdma_is_inherited(const struct doca_rdma *rdma) {
    return rdma->ctx.state != DOCA_CTX_STATE_IDLE && rdma_link_is_inherited(&rdma->link);
}

/*
 * Fails the tasks in flight. Their lists may be inconsistent, because a thread of the parent may have been changing them.
 */
static void
take_inflight(struct doca_rdma *rdma) {
    for (size_t kind = 0; kind < NUM_RDMA_TASK_KINDS; kind++) {
        struct task_pool *pool = &rdma->confs[kind].pool;
        for (uint32_t i = 0; i < pool->num_tasks; i++) {
            struct doca_task *task = task_pool_at(pool, i);
            if (task->state == TASK_SUBMITTED) {
                rdma_task_flush(as_rdma_task(task), DOCA_ERROR_BAD_STATE);
                TAILQ_INSERT_TAIL(&rdma->ready, task, link);
            }
        }
    }
}

/*
 * Runs in a forked child. The run continues in the parent, whose peers, sockets and receives are not affected. The child
 * can stop and destroy its copy.
 */
static void
abandon(struct doca_rdma *rdma) {
    if (rdma->is_abandoned) {
        return;
    }
    rdma->is_abandoned = true;
    TAILQ_INIT(&rdma->ready);
    TAILQ_INIT(&rdma->unsignalled);
    TAILQ_INIT(&rdma->delayed);
    rdma_engine_abandon(&rdma->engine);
    rdma_receive_queue_abandon(&rdma->receives);
    rdma_connections_abandon(rdma);
    take_inflight(rdma);
}

/* When this returns, peers see that the context has stopped, and do not begin to access the memory. */
static void
close_link(struct doca_rdma *rdma) {
    if (rdma_is_inherited(rdma)) {
        abandon(rdma);
        return;
    }
    rdma_link_close(&rdma->link);
    rdma_connections_close(rdma, DOCA_ERROR_BAD_STATE);
}

void
rdma_flush_connection(struct doca_rdma *rdma, struct doca_rdma_connection *connection, doca_error_t error) {
    rdma_engine_flush(&rdma->engine, connection, error);
    if (connection->num_tasks > 0) {
        pe_signal(rdma->ctx.queue);
    }
}

/* Lets progress fail all receives. No peer accesses their memory. Releases after 2.5 do not signal this. */
static void
take_receives(struct doca_rdma *rdma) {
    struct task_list *list = emulator_release_is_at_most(EMULATOR_RELEASE_2_5) ? &rdma->ready : &rdma->unsignalled;
    struct rdma_task *task;
    while ((task = rdma_receive_queue_drain(&rdma->receives, rdma)) != NULL) {
        TAILQ_INSERT_TAIL(list, &task->base, link);
    }
}

/* Fails unreported tasks, even if they were executed: see report(). */
static void
stop(struct doca_ctx *ctx) {
    struct doca_rdma *rdma = as_rdma(ctx);
    rdma_cm_stop(rdma);
    if (rdma_is_inherited(rdma)) {
        abandon(rdma);
        return;
    }
    TAILQ_CONCAT(&rdma->ready, &rdma->delayed, link);
    /* Otherwise drain() has closed it, and has waited. */
    if (!ctx->is_draining) {
        close_link(rdma);
    }
    if (rdma->num_draining == 0) {
        take_receives(rdma);
    }
}

/* Waits during the stop, and not in progress. */
static bool
drain(struct doca_ctx *ctx) {
    struct doca_rdma *rdma = as_rdma(ctx);
    if (ctx->state != DOCA_CTX_STATE_STOPPING) {
        close_link(rdma);
    }
    return rdma->num_draining == 0;
}

/* Returns whether receives remain posted after the stop, because peers may still write to their memory. */
static bool
retains_receives(const struct doca_rdma *rdma) {
    return rdma->ctx.state == DOCA_CTX_STATE_STOPPING && rdma->num_draining > 0;
}

static void
drain_connections(struct doca_rdma *rdma) {
    rdma_connections_drain(rdma);
    if (rdma->ctx.state == DOCA_CTX_STATE_STOPPING && rdma->num_draining == 0) {
        take_receives(rdma);
    }
}

static void
release(struct doca_ctx *ctx) {
    struct doca_rdma *rdma = as_rdma(ctx);
    struct doca_rdma_connection *connection;
    rdma_engine_stop(&rdma->engine);
    rdma_cm_release(rdma);
    while ((connection = TAILQ_FIRST(&rdma->connections)) != NULL) {
        rdma_connection_destroy(connection);
    }
    rdma_node_remove_listener(&rdma->listener);
    rdma_receive_queue_destroy(&rdma->receives);
    free(rdma->in_slots);
    free(rdma->by_serial);
    rdma_link_destroy(&rdma->link);
    rdma_node_release(rdma->node);
}

/*
 * Reports
 */

static struct rdma_task *
next_received(struct doca_rdma *rdma) {
    return retains_receives(rdma) ? NULL : rdma_receive_queue_next(&rdma->receives, rdma);
}

static struct rdma_task *
next_executed(struct doca_rdma *rdma) {
    struct rdma_task *task = NULL;
    rdma->receives_next = !rdma->receives_next;
    if (rdma->receives_next) {
        task = next_received(rdma);
    }
    if (task == NULL) {
        task = rdma_engine_next(&rdma->engine);
    }
    if (task == NULL && !rdma->receives_next) {
        task = next_received(rdma);
    }
    return task;
}

/* Returns whether the task can be reported. A change of the faults ends delays, and failures are not delayed. */
static bool
is_due(const struct doca_rdma *rdma, const struct rdma_task *task, uint64_t now) {
    return !task->faulty || task->flushed || rdma->ctx.state != DOCA_CTX_STATE_RUNNING || task->faults.due <= now ||
           task->faults.generation != faults_generation();
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

/* Returns the next task to report, or NULL. */
static struct rdma_task *
next_due(struct doca_rdma *rdma) {
    const struct rdma_task *first = as_rdma_task(TAILQ_FIRST(&rdma->delayed));
    if (first != NULL && is_due(rdma, first, clock_now())) {
        return take_first(&rdma->delayed);
    }
    struct rdma_task *task = next_executed(rdma);
    while (task != NULL && task->faulty && !is_due(rdma, task, clock_now())) {
        delay(rdma, task);
        task = next_executed(rdma);
    }
    return task;
}

/* Extends the data within the buffer, which the program may have changed or returned since the submission. */
static bool
extend(struct buf_use use, size_t len) {
    struct doca_buf *buf = buf_in_use(use);
    if (buf == NULL) {
        return true;
    }
    const size_t room = buf_room(buf);
    buf->data_len += len < room ? len : room;
    return len <= room;
}

/* Unless strict, the data of a result buffer may become longer than the buffer, which is not detected. */
static void
extend_result(struct buf_use use) {
    struct doca_buf *buf = buf_in_use(use);
    if (emulator_settings()->strict) {
        (void)extend(use, sizeof(uint64_t));
    } else if (buf != NULL) {
        buf->data_len += sizeof(uint64_t);
    }
}

/* Adds the written bytes to the data of the buffers. Returns false if the write exceeds a remote buffer. */
static bool
extend_buffers(struct rdma_task *task) {
    if (rdma_task_is_atomic(task) || task->kind == RDMA_TASK_EVENT_NOTIFY_ADD) {
        extend_result(task->local.single.use);
    } else if (task->kind == RDMA_TASK_READ || task->kind == RDMA_TASK_EVENT_GET ||
               (task->kind == RDMA_TASK_RECEIVE && task->result_opcode != DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM)) {
        rdma_extents_extend_buffers(&task->local, task->result_len);
    } else {
        return extend(task->remote.written, task->len);
    }
    return true;
}

/* Removes the task from its connection. */
static void
release_task(struct rdma_task *task) {
    if (task->held_event != NULL) {
        sync_event_remote_release(task->held_event);
        task->held_event = NULL;
    }
    if (task->kind != RDMA_TASK_RECEIVE) {
        task->connection->num_tasks--;
    } else if (task->result_connection != NULL) {
        task->result_connection->num_received--;
    }
}

static void
call_back(struct doca_task *base) {
    struct rdma_task *task = as_rdma_task(base);
    const struct rdma_task_conf *conf = &as_rdma(base->ctx)->confs[task->kind];
    (base->status == DOCA_SUCCESS ? conf->completed : conf->failed)(task, base->user_data, base->ctx->user_data);
}

/*
 * Notifies the program of a failed task while the context runs, and of the failed context afterwards. A context that
 * leaves RUNNING fails all other tasks, even executed ones. The context may be destroyed when this returns.
 */
static void
report(struct doca_rdma *rdma, struct rdma_task *task) {
    bool ends_run = false;
    release_task(task);
    if (rdma->ctx.state != DOCA_CTX_STATE_RUNNING && !task->flushed) {
        rdma_task_flush(task, DOCA_ERROR_BAD_STATE);
    }
    if (task->result == DOCA_SUCCESS) {
        if (!extend_buffers(task)) {
            task->result = DOCA_ERROR_UNEXPECTED;
            task->fault = "it has written beyond the remote buffer";
            rdma_task_log_failure(task, "complete");
        }
    } else if (!task->flushed) {
        rdma_task_log_failure(task, "complete");
        ends_run = !faults_are_transient(task->result);
    }
    ctx_complete(&task->base, task->result, ends_run, call_back);
}

static bool
progress(struct doca_ctx *ctx) {
    struct doca_rdma *rdma = as_rdma(ctx);
    if (rdma_is_inherited(rdma)) {
        /* The parent may have begun the stop. */
        abandon(rdma);
    }
    if (ends_start(rdma)) {
        ctx_running(ctx);
        return true;
    }
    if (rdma->num_draining > 0) {
        drain_connections(rdma);
    }
    /* Events of connections by address are not completions and are not skipped. */
    const bool held = !rdma->is_abandoned && ctx_is_held(ctx);
    struct rdma_task *task = held ? NULL : take_first(&rdma->ready);
    if (task == NULL) {
        task = take_first(&rdma->unsignalled);
    }
    if (rdma->is_abandoned) {
        if (task != NULL) {
            report(rdma, task);
        }
        return task != NULL;
    }
    if (task == NULL && rdma_cm_progress(rdma)) {
        return true;
    }
    if (task == NULL && !held) {
        task = next_due(rdma);
    }
    if (task == NULL) {
        return rdma_cm_report(rdma);
    }
    report(rdma, task);
    return true;
}

/* The real library never reports the receives that a stop has flushed if it is armed before the next progress. */
static void
lose_receives(struct doca_rdma *rdma) {
    if (!TAILQ_EMPTY(&rdma->unsignalled)) {
        SDK_LOG_WARN("RDMA %p: A request for a notification after the stop loses the receives that the stop has flushed",
                     &rdma->ctx);
        TAILQ_INIT(&rdma->unsignalled);
    }
}

/* The real library does not look for an event of a connection if a completion is waiting. */
static void
arm(struct doca_ctx *ctx) {
    struct doca_rdma *rdma = as_rdma(ctx);
    if (rdma_is_inherited(rdma)) {
        return;
    }
    lose_receives(rdma);
    if (TAILQ_EMPTY(&rdma->ready)) {
        rdma_cm_lose_event(rdma);
    }
}

static bool
has_work(struct doca_ctx *ctx) {
    struct doca_rdma *rdma = as_rdma(ctx);
    const struct rdma_task *delayed = as_rdma_task(TAILQ_FIRST(&rdma->delayed));
    uint64_t receives_later = UINT64_MAX;
    uint64_t engine_later = UINT64_MAX;
    uint64_t later = UINT64_MAX;
    if (rdma_is_inherited(rdma)) {
        abandon(rdma);
        return !TAILQ_EMPTY(&rdma->ready);
    }
    if (!rdma_node_listen()) {
        pe_timer_set(ctx->queue, clock_now() + LISTEN_RETRY_NS);
    }
    if (rdma->num_draining > 0) {
        pe_timer_set(ctx->queue, clock_now() + CTX_DRAIN_INTERVAL_NS);
    }
    if (delayed != NULL) {
        /* Set before the faults are read, so that a change of the faults is not missed. */
        pe_timer_set(ctx->queue, delayed->faults.due);
        if (is_due(rdma, delayed, clock_now())) {
            return true;
        }
    }
    if (ends_start(rdma) || !TAILQ_EMPTY(&rdma->ready) ||
        (!retains_receives(rdma) && rdma_receive_queue_has_work(&rdma->receives, &receives_later)) ||
        rdma_engine_has_work(&rdma->engine, &engine_later) || rdma_cm_has_work(rdma)) {
        return true;
    }
    later = receives_later < engine_later ? receives_later : engine_later;
    if (later != UINT64_MAX) {
        pe_timer_set(ctx->queue, later);
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
    if (!IS_LIVE(rdma_connection_class, connection)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (connection->rdma != rdma) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Failed to submit %s task %p: connection %p is of RDMA %p",
                          rdma, rdma_task_name(task), task, connection, connection->rdma);
    }
    if (connection->state != CONNECTION_CONNECTED) {
        return SDK_REFUSE(DOCA_ERROR_NOT_CONNECTED, "RDMA %p: Failed to submit %s task %p: connection %u %s", rdma,
                          rdma_task_name(task), task, connection->slot,
                          connection->state == CONNECTION_OPEN ? "is not connected" : "has ended");
    }
    if (connection->num_tasks >= rdma->operation_limit) {
        return SDK_REFUSE(DOCA_ERROR_NO_MEMORY, "RDMA %p: Failed to submit %s task %p: the send queue has its %u tasks",
                          rdma, rdma_task_name(task), task, connection->num_tasks);
    }
    return DOCA_SUCCESS;
}

static void
add_operation(struct rdma_task *task) {
    task->connection->num_tasks++;
    if (rdma_task_is_on_event(task)) {
        task->held_event = task->event;
        sync_event_remote_hold(task->held_event);
    }
}

/* Submits a receive. With faults it may fail before any message arrives. */
static void
post(struct doca_rdma *rdma, struct rdma_task *task) {
    if (task->fault == NULL) {
        rdma_receive_queue_post(&rdma->receives, task);
    } else {
        rdma_receive_queue_return(&rdma->receives);
        rdma_task_fail(task, DOCA_ERROR_IO_FAILED, NULL);
        TAILQ_INSERT_TAIL(&rdma->ready, &task->base, link);
    }
}

/* Each submission rings the doorbell, whatever its flags. */
static void
flush(struct doca_ctx *ctx) {
    (void)ctx;
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
        task->fault = rdma_task_validate(task);
    }
    if (validate && task->fault != NULL) {
        rdma_task_log_failure(task, "submit");
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (receives) {
        result = rdma_receive_queue_reserve(&rdma->receives, task);
        if (result != DOCA_SUCCESS) {
            return result;
        }
    } else {
        add_operation(task);
    }
    if (faults_are_set()) {
        rdma_task_add_faults(task);
    }
    if (receives) {
        post(rdma, task);
    } else {
        rdma_engine_submit(&rdma->engine, task);
    }
    ctx_signal_work(&rdma->ctx);
    return DOCA_SUCCESS;
}

/*
 * True for sockets of connections by address, for connections that are destroyed after their last task, and for draining
 * connections.
 */
static bool
has_events(const struct doca_ctx *ctx) {
    const struct doca_rdma *rdma = (const struct doca_rdma *)ctx;
    return rdma->cm.open || !TAILQ_EMPTY(&rdma->cm.left) || rdma->num_draining > 0;
}

static const struct ctx_ops rdma_ops = {
    .name = "RDMA",
    .queue = PE_QUEUE_RDMA,
    .start = start,
    .stop = stop,
    .drain = drain,
    .release = release,
    .progress = progress,
    .has_events = has_events,
    .arm = arm,
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
    const doca_error_t result = rdma_check_programs();
    if (result != DOCA_SUCCESS) {
        return result;
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
    TAILQ_INIT(&created->unsignalled);
    TAILQ_INIT(&created->ready);
    TAILQ_INIT(&created->delayed);
    rdma_cm_init(&created->cm);
    rdma_engine_init(&created->engine, emulator_settings()->engine == EMULATOR_ENGINE_THREADED);
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
    rdma_engine_fini(&rdma->engine);
    device_release(rdma->dev);
    object_destroy(&rdma_class, rdma);
    SDK_LOG_INFO("RDMA %p: was destroyed", rdma);
    return DOCA_SUCCESS;
}

struct doca_ctx *
doca_rdma_as_ctx(struct doca_rdma *rdma) {
    return IS_LIVE(rdma_class, rdma) ? &rdma->ctx : NULL;
}
