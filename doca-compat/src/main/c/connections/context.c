/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Before DOCA 2.9 an RDMA context completes its start when its one connection is established, and allocates no tasks
 * before. From 2.9 on the start completes at once. Here the context is RUNNING as soon as it is started, and tasks wait
 * for the connection. When the SDK's context runs, its callback is called for a change from RUNNING to RUNNING.
 */
#include "context.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Guards the list and the engine of each context. The other members of a context belong to the thread of its engine. */
static pthread_mutex_t contexts_lock = PTHREAD_MUTEX_INITIALIZER;
static LIST_HEAD(, rdma_context) contexts = LIST_HEAD_INITIALIZER(contexts);

/* The number of contexts with a deferred stop. Relaxed, because each thread checks only contexts of its own engines. */
static atomic_int num_deferred_stops;

/* That libraries have it tells Java that a change from RUNNING to RUNNING follows each connect, when the SDK's context runs. */
__attribute__((visibility("default"))) extern const char docajava_rdma_runs_when_connected;
const char docajava_rdma_runs_when_connected = 1;

#define FIND_CONTEXT(condition) \
    struct rdma_context *context; \
    pthread_mutex_lock(&contexts_lock); \
    LIST_FOREACH(context, &contexts, link) { \
        if (condition) { \
            break; \
        } \
    } \
    pthread_mutex_unlock(&contexts_lock); \
    return context;

struct rdma_context *
context_of_rdma(const struct doca_rdma *rdma) {
    FIND_CONTEXT(context->rdma == rdma)
}

static struct rdma_context *
context_of_ctx(const struct doca_ctx *ctx) {
    FIND_CONTEXT(context->ctx == ctx)
}

/* Returns a context of the engine whose deferred stop can go on now. The other conditions are read by the engine's thread. */
static struct rdma_context *
context_to_stop(const struct doca_pe *pe) {
    FIND_CONTEXT(context->pe == pe && context->is_stop_deferred
                 && (context->num_allocated == 0 || !TAILQ_EMPTY(&context->waiting)))
}

static void
change_state(struct rdma_context *context, enum doca_ctx_states next) {
    const enum doca_ctx_states previous = context->state;
    context->state = next;
    if (previous != next && context->state_changed != NULL) {
        context->state_changed(context->user_data, context->ctx, previous, next);
    }
}

static void
sdk_state_changed(
        const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states previous, enum doca_ctx_states next) {
    struct rdma_context *context = user_data.ptr;
    (void)ctx;
    (void)previous;
    context->sdk_state = next;
    switch (next) {
    case DOCA_CTX_STATE_STARTING:
        change_state(context, DOCA_CTX_STATE_RUNNING);
        break;
    case DOCA_CTX_STATE_RUNNING:
        /*
         * Otherwise the context was connected and stopped in one step: the next step of the stop fails the waiting
         * tasks.
         */
        if (!context->is_stop_deferred) {
            change_state(context, DOCA_CTX_STATE_RUNNING);
            if (context->state_changed != NULL) {
                context->state_changed(context->user_data, context->ctx, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_RUNNING);
            }
            tasks_submit_waiting(context);
        }
        break;
    case DOCA_CTX_STATE_STOPPING:
        change_state(context, next);
        /* If the context stops by itself, the task that has failed ends first, and then these. */
        if (context->is_stop_requested || !tasks_are_in_flight(context)) {
            tasks_fail_waiting(context);
        }
        break;
    default:
        tasks_fail_waiting(context);
        memset(context->queues, 0, sizeof(context->queues));
        context->is_stop_requested = false;
        context->connection.exported = false;
        context->connection.connected = false;
        change_state(context, next);
        break;
    }
}

/*
 * The object
 */

static doca_error_t
watch_sdk(struct rdma_context *context) {
    const doca_error_t result = sdk.doca_ctx_set_user_data(context->ctx, (union doca_data){.ptr = context});
    return result == DOCA_SUCCESS ? sdk.doca_ctx_set_state_changed_cb(context->ctx, sdk_state_changed) : result;
}

doca_error_t
doca_rdma_create(struct doca_dev *dev, struct doca_rdma **rdma) {
    struct rdma_context *context = calloc(1, sizeof(*context));
    if (context == NULL) {
        return REFUSE(DOCA_ERROR_NO_MEMORY, "No memory for an RDMA context");
    }
    doca_error_t result = sdk.doca_rdma_create(dev, rdma);
    if (result == DOCA_SUCCESS) {
        context->rdma = *rdma;
        context->ctx = sdk.doca_rdma_as_ctx(*rdma);
        tasks_init(context);
        result = watch_sdk(context);
        if (result != DOCA_SUCCESS) {
            (void)sdk.doca_rdma_destroy(*rdma);
        }
    }
    if (result != DOCA_SUCCESS) {
        free(context);
        return result;
    }
    pthread_mutex_lock(&contexts_lock);
    LIST_INSERT_HEAD(&contexts, context, link);
    pthread_mutex_unlock(&contexts_lock);
    return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_destroy(struct doca_rdma *rdma) {
    struct rdma_context *context = context_of_rdma(rdma);
    const doca_error_t result = sdk.doca_rdma_destroy(rdma);
    if (result == DOCA_SUCCESS && context != NULL) {
        pthread_mutex_lock(&contexts_lock);
        LIST_REMOVE(context, link);
        pthread_mutex_unlock(&contexts_lock);
        tasks_destroy(context);
        free(context);
    }
    return result;
}

/* Contexts; those of other libraries are passed to the SDK */

doca_error_t
doca_ctx_set_user_data(struct doca_ctx *ctx, union doca_data user_data) {
    struct rdma_context *context = context_of_ctx(ctx);
    if (context == NULL) {
        return sdk.doca_ctx_set_user_data(ctx, user_data);
    }
    if (context->state != DOCA_CTX_STATE_IDLE) {
        return REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to set user data: is not idle", (void *)context->rdma);
    }
    context->user_data = user_data;
    return DOCA_SUCCESS;
}

doca_error_t
doca_ctx_set_state_changed_cb(struct doca_ctx *ctx, doca_ctx_state_changed_callback_t cb) {
    struct rdma_context *context = context_of_ctx(ctx);
    if (context == NULL) {
        return sdk.doca_ctx_set_state_changed_cb(ctx, cb);
    }
    if (context->state != DOCA_CTX_STATE_IDLE) {
        return REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to set a callback: is not idle", (void *)context->rdma);
    }
    context->state_changed = cb;
    return DOCA_SUCCESS;
}

doca_error_t
doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx) {
    struct rdma_context *context = context_of_ctx(ctx);
    const doca_error_t result = sdk.doca_pe_connect_ctx(pe, ctx);
    if (result == DOCA_SUCCESS && context != NULL) {
        pthread_mutex_lock(&contexts_lock);
        context->pe = pe;
        pthread_mutex_unlock(&contexts_lock);
    }
    return result;
}

doca_error_t
doca_ctx_get_state(const struct doca_ctx *ctx, enum doca_ctx_states *state) {
    const struct rdma_context *context = context_of_ctx(ctx);
    if (context == NULL || state == NULL) {
        return sdk.doca_ctx_get_state(ctx, state);
    }
    *state = context->state;
    return DOCA_SUCCESS;
}

doca_error_t
doca_ctx_start(struct doca_ctx *ctx) {
    const struct rdma_context *context = context_of_ctx(ctx);
    const doca_error_t result = sdk.doca_ctx_start(ctx);
    return context != NULL && result == DOCA_ERROR_IN_PROGRESS ? DOCA_SUCCESS : result;
}

doca_error_t
doca_ctx_stop(struct doca_ctx *ctx) {
    struct rdma_context *context = context_of_ctx(ctx);
    if (context == NULL
        || (!context->is_stop_deferred
            && (context->sdk_state != DOCA_CTX_STATE_STARTING || context->num_allocated == 0))) {
        if (context != NULL && context->state != DOCA_CTX_STATE_IDLE) {
            context->is_stop_requested = true;
        }
        return sdk.doca_ctx_stop(ctx);
    }
    /* The SDK does not know these tasks, so its context would be idle at once. */
    if (!context->is_stop_deferred) {
        context->is_stop_deferred = true;
        atomic_fetch_add_explicit(&num_deferred_stops, 1, memory_order_relaxed);
        change_state(context, DOCA_CTX_STATE_STOPPING);
    }
    return DOCA_ERROR_IN_PROGRESS;
}

/* The callbacks of failed tasks may free tasks, stop contexts and destroy idle ones. */
static void
finish_stop(struct rdma_context *context) {
    tasks_fail_waiting(context);
    if (context->num_allocated > 0) {
        return;
    }
    context->is_stop_deferred = false;
    atomic_fetch_sub_explicit(&num_deferred_stops, 1, memory_order_relaxed);
    const doca_error_t result = sdk.doca_ctx_stop(context->ctx);
    if (result != DOCA_SUCCESS && result != DOCA_ERROR_IN_PROGRESS) {
        (void)REFUSE(result, "RDMA %p: Failed to stop", (void *)context->rdma);
    }
}

uint8_t
doca_pe_progress(struct doca_pe *pe) {
    uint8_t progressed = sdk.doca_pe_progress(pe);
    while (atomic_load_explicit(&num_deferred_stops, memory_order_relaxed) > 0) {
        struct rdma_context *context = context_to_stop(pe);
        if (context == NULL) {
            break;
        }
        finish_stop(context);
        progressed = 1;
    }
    return progressed;
}

/*
 * The connection
 */

doca_error_t
rdma_check_idle(const struct doca_rdma *rdma) {
    const struct rdma_context *context = context_of_rdma(rdma);
    if (context == NULL) {
        return REFUSE_NULL(rdma);
    }
    return context->state == DOCA_CTX_STATE_IDLE
                   ? DOCA_SUCCESS
                   : REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to set a property: is not idle", (const void *)rdma);
}

doca_error_t
doca_rdma_export(
        struct doca_rdma *rdma, const void **local_rdma_conn_details, size_t *local_rdma_conn_details_size,
        struct doca_rdma_connection **rdma_connection) {
    struct rdma_context *context = context_of_rdma(rdma);
    if (context == NULL || rdma_connection == NULL) {
        return context == NULL ? REFUSE_NULL(rdma) : REFUSE_NULL(rdma_connection);
    }
    doca_error_t result = rdma_connection_check_export(&context->connection, rdma);
    if (result == DOCA_SUCCESS) {
        result = sdk.doca_rdma_export(rdma, local_rdma_conn_details, local_rdma_conn_details_size);
    }
    if (result == DOCA_SUCCESS) {
        context->connection.exported = true;
        *rdma_connection = &context->connection;
    }
    return result;
}

doca_error_t
doca_rdma_connect(
        struct doca_rdma *rdma, const void *remote_rdma_conn_details, size_t remote_rdma_conn_details_size,
        struct doca_rdma_connection *rdma_connection) {
    struct rdma_context *context = context_of_rdma(rdma);
    if (context == NULL) {
        return REFUSE_NULL(rdma);
    }
    doca_error_t result = rdma_connection_check_connect(&context->connection, rdma_connection, rdma);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (context->state != DOCA_CTX_STATE_RUNNING) {
        return REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to connect: is not running", (void *)rdma);
    }
    result = sdk.doca_rdma_connect(rdma, remote_rdma_conn_details, remote_rdma_conn_details_size);
    if (result == DOCA_SUCCESS) {
        context->connection.connected = true;
    }
    return result;
}
