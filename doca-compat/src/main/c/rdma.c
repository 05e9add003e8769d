/* SPDX-License-Identifier: Apache-2.0 */
/*
 * RDMA contexts. An RDMA context of the old SDK has one peer and no object for it: its export and connect refer to that
 * peer. Here the peer is the one connection of the context.
 */
#include "rdma.h"

#include <stdlib.h>
#include <string.h>

#include "rdma_destination.h"
#include "refuse.h"

/* A page from which the drain job would send. */
static char nothing[4096] __attribute__((aligned(4096)));

/*
 * Draining. Posted receives do not complete without messages, and the old SDK cannot flush them. A job that fails on
 * this side breaks the connection, which flushes them.
 */

static void
release_drain(struct doca_rdma *rdma) {
    if (rdma->drain.buf != NULL) {
        (void)old.doca_buf_refcount_rm(rdma->drain.buf, NULL);
        rdma->drain.buf = NULL;
    }
    if (rdma->drain.inventory != NULL) {
        (void)old.doca_buf_inventory_stop(rdma->drain.inventory);
        (void)old.doca_buf_inventory_destroy(rdma->drain.inventory);
        rdma->drain.inventory = NULL;
    }
    if (rdma->drain.mmap != NULL) {
        (void)old.doca_mmap_stop(rdma->drain.mmap);
        (void)old.doca_mmap_destroy(rdma->drain.mmap);
        rdma->drain.mmap = NULL;
    }
}

static doca_error_t
map_nothing(struct doca_rdma *rdma, struct doca_dev *dev) {
    doca_error_t result = old.doca_mmap_create(NULL, &rdma->drain.mmap);
    if (result == DOCA_SUCCESS) {
        result = old.doca_mmap_set_memrange(rdma->drain.mmap, nothing, sizeof(nothing));
    }
    if (result == DOCA_SUCCESS && dev != NULL) {
        result = old.doca_mmap_dev_add(rdma->drain.mmap, dev);
    }
    if (result == DOCA_SUCCESS) {
        result = old.doca_mmap_start(rdma->drain.mmap);
    }
    return result;
}

/* Creates a buffer of a map of this device; NULL for a map of no device. */
static doca_error_t
take_nothing(struct doca_rdma *rdma, struct doca_dev *dev) {
    doca_error_t result = map_nothing(rdma, dev);
    if (result == DOCA_SUCCESS) {
        result = old.doca_buf_inventory_create(NULL, 1, 0, &rdma->drain.inventory);
    }
    if (result == DOCA_SUCCESS) {
        result = old.doca_buf_inventory_start(rdma->drain.inventory);
    }
    if (result == DOCA_SUCCESS) {
        result = old.doca_buf_inventory_buf_by_args(rdma->drain.inventory, rdma->drain.mmap, nothing, sizeof(nothing),
                                                    nothing, sizeof(nothing), &rdma->drain.buf);
    }
    return result;
}

/*
 * Creates a buffer that cannot be sent: its data are outside of its memory map. The emulator refuses to set such data, unless
 * DOCA_EMULATOR_STRICT is 0. There, the map has no device instead.
 */
static doca_error_t
take_unsendable(struct doca_rdma *rdma) {
    doca_error_t result = take_nothing(rdma, rdma->dev);
    if (result == DOCA_SUCCESS
        && old.doca_buf_set_data(rdma->drain.buf, nothing + sizeof(nothing), sizeof(nothing)) != DOCA_SUCCESS) {
        release_drain(rdma);
        result = take_nothing(rdma, NULL);
    }
    return result;
}

static void
drain(struct doca_ctx *ctx) {
    struct doca_rdma *rdma = (struct doca_rdma *)ctx;
    if (!rdma->connection.connected || ctx->is_broken || rdma->drain.buf != NULL) {
        return;
    }
    doca_error_t result = take_unsendable(rdma);
    if (result == DOCA_SUCCESS) {
        const struct old_rdma_job_send job = {
                .base = {.type = OLD_JOB_RDMA_SEND, .ctx = ctx->old, .user_data = {.ptr = NULL}},
                .src = rdma->drain.buf,
        };
        result = old.doca_workq_submit(ctx->member.workq, &job.base);
    }
    if (result == DOCA_SUCCESS) {
        ctx->num_queued++;
        rdma->is_worn = true;
    } else {
        release_drain(rdma);
        (void)REFUSE(result, "RDMA %p: Failed to flush its receives: it stops when they end by themselves", (void *)rdma);
    }
}

/*
 * Context
 */

static doca_error_t
create_old(struct doca_dev *dev, struct old_rdma **old_rdma) {
    doca_error_t result = old.doca_rdma_create(old_rdma);
    if (result == DOCA_SUCCESS) {
        result = old.doca_ctx_dev_add(old.doca_rdma_as_ctx(*old_rdma), dev);
        if (result != DOCA_SUCCESS) {
            (void)old.doca_rdma_destroy(*old_rdma);
        }
    }
    return result;
}

static doca_error_t
replace_old(struct doca_rdma *rdma) {
    struct old_rdma *replacement;
    doca_error_t result = create_old(rdma->dev, &replacement);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = rdma_restore_properties(rdma, replacement);
    if (result == DOCA_SUCCESS) {
        result = old.doca_rdma_destroy(rdma->old);
    }
    if (result != DOCA_SUCCESS) {
        (void)old.doca_rdma_destroy(replacement);
        return result;
    }
    rdma->old = replacement;
    rdma->is_worn = false;
    return DOCA_SUCCESS;
}

static struct old_ctx *
as_old(struct doca_ctx *ctx) {
    struct doca_rdma *rdma = (struct doca_rdma *)ctx;
    if (rdma->is_worn) {
        const doca_error_t result = replace_old(rdma);
        if (result != DOCA_SUCCESS) {
            (void)REFUSE(result, "RDMA %p: Failed to start: no new context of the old SDK", (void *)rdma);
            return NULL;
        }
    }
    return old.doca_rdma_as_ctx(rdma->old);
}

static bool
is_ready(struct doca_ctx *ctx) {
    return ((struct doca_rdma *)ctx)->connection.connected;
}

static doca_error_t
completed(struct doca_task *task, const struct old_event *event, doca_error_t status) {
    (void)event;
    task->result = task->ctx->result;
    return rdma_complete(task, status);
}

/* Detects a broken connection: the peer may break it without a failed job on this side. */
static void
watch(struct doca_ctx *ctx) {
    struct doca_rdma *rdma = (struct doca_rdma *)ctx;
    uint32_t state;
    if (ctx->state == DOCA_CTX_STATE_RUNNING && rdma->connection.connected
        && old.doca_rdma_get_state(rdma->old, &state) == DOCA_SUCCESS && state == OLD_RDMA_STATE_ERROR) {
        ctx_fail(ctx);
    }
}

static void
stopped(struct doca_ctx *ctx) {
    struct doca_rdma *rdma = (struct doca_rdma *)ctx;
    rdma->connection.exported = false;
    rdma->connection.connected = false;
    rdma->is_worn |= ctx->is_broken;
    release_drain(rdma);
}

static const struct ctx_ops ops = {
        .name = "RDMA",
        .flushed = DOCA_ERROR_BAD_STATE,
        .as_old = as_old,
        .is_ready = is_ready,
        .submit = rdma_submit,
        .completed = completed,
        .watch = watch,
        .drain = drain,
        .stopped = stopped,
};

/* An incomplete submission would crash the process in the old SDK. */
static doca_error_t
check(const struct doca_task *task) {
    const struct doca_rdma *rdma = (const struct doca_rdma *)task->ctx;
    const int type = task->job.base.type;
    if (type != OLD_JOB_RDMA_RECEIVE && task->connection != &rdma->connection) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Failed to submit task %p: connection %p is not of this context",
                      (const void *)rdma, (const void *)task, (void *)task->connection);
    }
    if ((type == OLD_JOB_RDMA_ATOMIC_CMP_SWP || type == OLD_JOB_RDMA_ATOMIC_FETCH_ADD)
        && (task->job.atomic.dst == NULL || task->job.atomic.result == NULL)) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Failed to submit task %p: a buffer is NULL",
                      (const void *)rdma, (const void *)task);
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_create(struct doca_dev *dev, struct doca_rdma **rdma) {
    static const int types[RDMA_NUM_POOLS] = {
            [RDMA_RECEIVE] = OLD_JOB_RDMA_RECEIVE,
            [RDMA_SEND] = OLD_JOB_RDMA_SEND,
            [RDMA_SEND_IMM] = OLD_JOB_RDMA_SEND_IMM,
            [RDMA_READ] = OLD_JOB_RDMA_READ,
            [RDMA_WRITE] = OLD_JOB_RDMA_WRITE,
            [RDMA_WRITE_IMM] = OLD_JOB_RDMA_WRITE_IMM,
            [RDMA_ATOMIC_CMP_SWP] = OLD_JOB_RDMA_ATOMIC_CMP_SWP,
            [RDMA_ATOMIC_FETCH_ADD] = OLD_JOB_RDMA_ATOMIC_FETCH_ADD,
    };
    if (dev == NULL || rdma == NULL) {
        return dev == NULL ? REFUSE_NULL(dev) : REFUSE_NULL(rdma);
    }
    struct doca_rdma *created = calloc(1, sizeof(*created));
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    const doca_error_t result = create_old(dev, &created->old);
    if (result != DOCA_SUCCESS) {
        free(created);
        return result;
    }
    created->dev = dev;
    for (int i = 0; i < RDMA_NUM_POOLS; i++) {
        created->pools[i].check = check;
        created->pools[i].job_type = types[i];
        created->pools[i].queue = i == RDMA_RECEIVE ? 1 : 0;
    }
    ctx_init(&created->ctx, &ops, created->pools, RDMA_NUM_POOLS);
    *rdma = created;
    return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_destroy(struct doca_rdma *rdma) {
    if (rdma == NULL) {
        return REFUSE_NULL(rdma);
    }
    doca_error_t result = ctx_check_idle(&rdma->ctx, "destroy");
    if (result == DOCA_SUCCESS) {
        result = old.doca_rdma_destroy(rdma->old);
    }
    if (result == DOCA_SUCCESS) {
        rdma_destroy_copies(rdma);
        result = ctx_fini(&rdma->ctx);
        free(rdma);
    }
    return result;
}

struct doca_ctx *
doca_rdma_as_ctx(struct doca_rdma *rdma) {
    return rdma == NULL ? NULL : &rdma->ctx;
}

/*
 * Connection
 */

static doca_error_t
check_running(const struct doca_rdma *rdma, const char *what) {
    return rdma->ctx.state == DOCA_CTX_STATE_RUNNING
                   ? DOCA_SUCCESS
                   : REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to %s: is %s and not running", (const void *)rdma, what,
                            ctx_state_name(&rdma->ctx));
}

doca_error_t
doca_rdma_export(
        struct doca_rdma *rdma, const void **local_rdma_conn_details, size_t *local_rdma_conn_details_size,
        struct doca_rdma_connection **rdma_connection) {
    if (rdma == NULL || rdma_connection == NULL) {
        return rdma == NULL ? REFUSE_NULL(rdma) : REFUSE_NULL(rdma_connection);
    }
    doca_error_t result = check_running(rdma, "export");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = rdma_connection_check_export(&rdma->connection, rdma);
    if (result == DOCA_SUCCESS) {
        result = old.doca_rdma_export(rdma->old, local_rdma_conn_details, local_rdma_conn_details_size);
    }
    if (result == DOCA_SUCCESS) {
        rdma->connection.exported = true;
        *rdma_connection = &rdma->connection;
    }
    return result;
}

doca_error_t
doca_rdma_connect(
        struct doca_rdma *rdma, const void *remote_rdma_conn_details, size_t remote_rdma_conn_details_size,
        struct doca_rdma_connection *rdma_connection) {
    if (rdma == NULL) {
        return REFUSE_NULL(rdma);
    }
    doca_error_t result = check_running(rdma, "connect");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = rdma_connection_check_connect(&rdma->connection, rdma_connection, rdma);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (rdma->connection.connected) {
        return REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to connect: is connected", (void *)rdma);
    }
    result = old.doca_rdma_connect(rdma->old, remote_rdma_conn_details, remote_rdma_conn_details_size);
    if (result == DOCA_SUCCESS) {
        rdma->connection.connected = true;
        ctx_submit_waiting(&rdma->ctx);
    }
    return result;
}
