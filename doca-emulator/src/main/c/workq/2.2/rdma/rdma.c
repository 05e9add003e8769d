/* SPDX-License-Identifier: Apache-2.0 */
#include "common/sdk_log.h"
#include "workq/2.2/rdma/rdma.h"

/* The default of the largest number of buffers of a receive. */
#define DEFAULT_RECV_CHAIN_LEN 3

struct object_class job_rdma_class = OBJECT_CLASS("rdma", struct doca_rdma);

static struct doca_rdma *
as_rdma(struct doca_ctx *ctx) {
    return (struct doca_rdma *)ctx;
}

/*
 * The operations of the context
 */

static void
destroy_core(struct doca_rdma *rdma) {
    (void)core_rdma_destroy(rdma->core);
    rdma->core = NULL;
    if (rdma->pe != NULL) {
        (void)core_pe_destroy(rdma->pe);
        rdma->pe = NULL;
    }
}

/* Lists may be as long as the device allows; each type of job has its own, lower limit. */
static doca_error_t
create_core(struct doca_dev *dev, struct core_rdma **core) {
    uint32_t list_len;
    doca_error_t result = core_rdma_cap_get_max_send_buf_list_len(doca_dev_as_devinfo(dev), &list_len);
    result = result == DOCA_SUCCESS ? core_rdma_create(dev, core) : result;
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = core_rdma_set_max_num_connections(*core, 1);
    result = result == DOCA_SUCCESS ? core_rdma_set_max_send_buf_list_len(*core, list_len) : result;
    result = result == DOCA_SUCCESS ? core_rdma_task_receive_set_dst_buf_list_len(*core, DEFAULT_RECV_CHAIN_LEN)
                                    : result;
    if (result != DOCA_SUCCESS) {
        (void)core_rdma_destroy(*core);
    }
    return result;
}

static doca_error_t
set_dev(struct doca_ctx *ctx, struct doca_dev *dev) {
    struct doca_rdma *rdma = as_rdma(ctx);
    struct core_rdma *core = NULL;
    const doca_error_t result = dev == NULL ? DOCA_SUCCESS : create_core(dev, &core);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (rdma->core != NULL) {
        destroy_core(rdma);
    }
    rdma->core = core;
    return DOCA_SUCCESS;
}

static doca_error_t
start(struct doca_ctx *ctx) {
    struct doca_rdma *rdma = as_rdma(ctx);
    const doca_error_t result = rdma_configure_jobs(rdma->core);
    return result == DOCA_SUCCESS ? job_ctx_start_core(core_rdma_as_ctx(rdma->core), &rdma->pe) : result;
}

static doca_error_t
stop(struct doca_ctx *ctx) {
    struct doca_rdma *rdma = as_rdma(ctx);
    const doca_error_t result = job_ctx_stop_core(ctx, core_rdma_as_ctx(rdma->core), rdma->pe);
    if (result == DOCA_SUCCESS) {
        rdma->connection = NULL;
        rdma->is_connected = false;
    }
    return result;
}

static doca_error_t
attach(struct attachment *attachment) {
    struct doca_rdma *rdma = as_rdma(attachment->ctx);
    if (rdma->is_attached) {
        return SDK_REFUSE(DOCA_ERROR_INITIALIZATION, "RDMA %p: Failed to attach to workq %p: has one already", rdma,
                          attachment->workq);
    }
    rdma->is_attached = true;
    attachment->pe = rdma->pe;
    return DOCA_SUCCESS;
}

static void
detach(struct attachment *attachment) {
    as_rdma(attachment->ctx)->is_attached = false;
}

static const struct job_ctx_ops ops = {
        .name = "RDMA",
        .set_dev = set_dev,
        .start = start,
        .stop = stop,
        .attach = attach,
        .detach = detach,
        .submit = rdma_submit_job,
};

/*
 * Life
 */

doca_error_t
doca_rdma_create(struct doca_rdma **rdma) {
    if (rdma == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: rdma is NULL");
    }
    struct doca_rdma *created = object_create(&job_rdma_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    const doca_error_t result = job_ctx_init(&created->ctx, &ops);
    if (result != DOCA_SUCCESS) {
        object_destroy(&job_rdma_class, created);
        return result;
    }
    *rdma = created;
    return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_destroy(struct doca_rdma *rdma) {
    if (!IS_LIVE(job_rdma_class, rdma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (rdma->ctx.is_started) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to destroy: is started", rdma);
    }
    const doca_error_t result = job_ctx_fini(&rdma->ctx);
    if (result == DOCA_SUCCESS) {
        object_destroy(&job_rdma_class, rdma);
    }
    return result;
}

struct doca_ctx *
doca_rdma_as_ctx(struct doca_rdma *rdma) {
    return IS_LIVE(job_rdma_class, rdma) ? &rdma->ctx : NULL;
}

/*
 * The connection
 */

enum doca_rdma_state
rdma_get_job_state(const struct doca_rdma *rdma) {
    enum core_ctx_states state;
    if (!rdma->ctx.is_started) {
        return DOCA_RDMA_STATE_RESET;
    }
    if (core_ctx_get_state(core_rdma_as_ctx(rdma->core), &state) != DOCA_SUCCESS || state != CORE_CTX_STATE_RUNNING) {
        return DOCA_RDMA_STATE_ERROR;
    }
    return rdma->is_connected ? DOCA_RDMA_STATE_CONNECTED : DOCA_RDMA_STATE_INIT;
}

doca_error_t
doca_rdma_get_state(const struct doca_rdma *rdma, enum doca_rdma_state *state) {
    if (!IS_LIVE(job_rdma_class, rdma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (state == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Invalid input: state is NULL", rdma);
    }
    *state = rdma_get_job_state(rdma);
    return DOCA_SUCCESS;
}

/* Creates the connection of this run, if there is none. */
static doca_error_t
open_connection(struct doca_rdma *rdma) {
    return rdma->connection != NULL
                   ? DOCA_SUCCESS
                   : core_rdma_export(rdma->core, &rdma->details, &rdma->details_size, &rdma->connection);
}

static doca_error_t
check_state(const struct doca_rdma *rdma, bool is_allowed, const char *what) {
    if (!is_allowed) {
        static const char *const names[] = {"RESET", "INIT", "CONNECTED", "ERROR"};
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to %s: its state is %s", rdma, what,
                          names[rdma_get_job_state(rdma)]);
    }
    return DOCA_SUCCESS;
}

/* The first export creates the connection, which the program does not notice. */
doca_error_t
doca_rdma_export(const struct doca_rdma *rdma, const void **local_rdma_conn_details,
                 size_t *local_rdma_conn_details_size) {
    if (!IS_LIVE(job_rdma_class, rdma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (local_rdma_conn_details == NULL || local_rdma_conn_details_size == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Invalid input: no place for the connection details", rdma);
    }
    doca_error_t result = check_state(rdma, rdma_get_job_state(rdma) != DOCA_RDMA_STATE_RESET, "export");
    result = result == DOCA_SUCCESS ? open_connection((struct doca_rdma *)rdma) : result;
    if (result == DOCA_SUCCESS) {
        *local_rdma_conn_details = rdma->details;
        *local_rdma_conn_details_size = rdma->details_size;
    }
    return result;
}

doca_error_t
doca_rdma_connect(struct doca_rdma *rdma, const void *remote_rdma_conn_details, size_t remote_rdma_conn_details_size) {
    if (!IS_LIVE(job_rdma_class, rdma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (remote_rdma_conn_details == NULL || remote_rdma_conn_details_size == 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Invalid input: connection details %p of %zu bytes", rdma,
                          remote_rdma_conn_details, remote_rdma_conn_details_size);
    }
    doca_error_t result = check_state(rdma, rdma_get_job_state(rdma) == DOCA_RDMA_STATE_INIT, "connect");
    result = result == DOCA_SUCCESS ? open_connection(rdma) : result;
    result = result == DOCA_SUCCESS ? core_rdma_connect(rdma->core, remote_rdma_conn_details,
                                                        remote_rdma_conn_details_size, rdma->connection)
                                    : result;
    rdma->is_connected |= result == DOCA_SUCCESS;
    return result;
}
