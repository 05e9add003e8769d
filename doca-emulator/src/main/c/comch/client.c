/* SPDX-License-Identifier: Apache-2.0 */
/* Clients: they run on the host, and each connects to one server for its function. */
#include <stdio.h>

#include "comch/connection.h"
#include "comch/endpoint.h"
#include "comch/task_send.h"
#include "common/device.h"
#include "common/property.h"
#include "common/sdk_log.h"

struct doca_comch_client {
    struct endpoint endpoint;
    /* Exists from the start until the context is idle. */
    struct doca_comch_connection *connection;
};

static struct object_class comch_client_class = OBJECT_CLASS("comch client", struct doca_comch_client);

static struct doca_comch_client *
as_client(struct endpoint *endpoint) {
    return (struct doca_comch_client *)endpoint;
}

/*
 * The connection
 */

/* A client does not accept connections. */
static bool
accept_nothing(struct endpoint *endpoint) {
    (void)endpoint;
    return false;
}

static void
be_welcomed(struct doca_comch_connection *connection, size_t size) {
    struct endpoint *endpoint = connection->endpoint;
    if (comch_connection_is_introduction(connection, MESSAGE_WELCOME, size)) {
        comch_connection_establish(connection);
        ctx_running(&endpoint->ctx);
        return;
    }
    SDK_LOG_ERR("%s %p: Server \"%s\" has refused the connection", endpoint->ctx.ops->name, endpoint, endpoint->name);
    comch_connection_lose(connection, "it was refused");
}

/* Without a server the client never was connected; then it does not go to STOPPING. */
static void
lose_server(struct doca_comch_connection *connection) {
    struct doca_ctx *ctx = &connection->endpoint->ctx;
    if (ctx->state == DOCA_CTX_STATE_STARTING) {
        ctx_abandon_start(ctx);
    } else {
        ctx_fail(ctx);
    }
}

static const struct endpoint_ops client_endpoint_ops = {
    .accept = accept_nothing,
    .shake_hands = be_welcomed,
    .lose = lose_server,
};

/* Progress reports the answer of the server. Returns CONNECTION_ABORTED if there is no server. */
static doca_error_t
connect_to_server(struct doca_comch_client *client) {
    struct endpoint *endpoint = &client->endpoint;
    char name[LOCAL_SOCKET_NAME_SIZE];
    comch_endpoint_make_socket_name(endpoint, name);
    client->connection = comch_connection_create(endpoint, local_socket_connect(name));
    if (client->connection == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    if (client->connection->fd < 0 && local_socket_lacks_descriptors()) {
        return SDK_REFUSE(DOCA_ERROR_CONNECTION_ABORTED,
                          "%s %p: Failed to connect to server \"%s\": this process has too many open files (ulimit -n)",
                          endpoint->ctx.ops->name, client, endpoint->name);
    }
    if (client->connection->fd < 0 || !comch_connection_introduce(client->connection, MESSAGE_GREETING)) {
        return SDK_REFUSE(DOCA_ERROR_CONNECTION_ABORTED, "%s %p: There is no server \"%s\" for function %s",
                          endpoint->ctx.ops->name, client, endpoint->name, endpoint->vuid);
    }
    return DOCA_ERROR_IN_PROGRESS;
}

/*
 * The operations of the context
 */

static void
stop(struct doca_ctx *ctx) {
    comch_endpoint_close(as_endpoint(ctx));
}

static void
release(struct doca_ctx *ctx) {
    comch_endpoint_release(ctx);
    as_client(as_endpoint(ctx))->connection = NULL;
}

static doca_error_t
start(struct doca_ctx *ctx) {
    struct endpoint *endpoint = as_endpoint(ctx);
    doca_error_t result = comch_endpoint_open(endpoint);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    result = connect_to_server(as_client(endpoint));
    if (result != DOCA_ERROR_IN_PROGRESS) {
        release(ctx);
    }
    return result;
}

static const struct ctx_ops client_ops = {
    .name = "Comch client",
    .start = start,
    .stop = stop,
    .release = release,
    .progress = comch_endpoint_progress,
    .has_events = comch_endpoint_has_events,
    .has_work = comch_endpoint_has_work,
    .submit = comch_task_send_submit,
    .flush = comch_endpoint_flush,
};

/*
 * Life
 */

doca_error_t
doca_comch_client_create(struct doca_dev *dev, const char *name, struct doca_comch_client **comch_client) {
    if (!device_is_open(dev)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (name == NULL || comch_client == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: %s is NULL",
                          name == NULL ? "name" : "comch_client");
    }
    const doca_error_t result = doca_comch_cap_client_is_supported(doca_dev_as_devinfo(dev));
    if (result != DOCA_SUCCESS) {
        return SDK_REFUSE(result, "Failed to create a comch client: the device cannot have clients");
    }
    struct doca_comch_client *created = object_create(&comch_client_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    comch_endpoint_init(&created->endpoint, &client_ops, &client_endpoint_ops, dev, name);
    snprintf(created->endpoint.vuid, sizeof(created->endpoint.vuid), "%s", device_vuid(dev));
    *comch_client = created;
    SDK_LOG_INFO("Comch client %p: was created", created);
    return DOCA_SUCCESS;
}

doca_error_t
doca_comch_client_destroy(struct doca_comch_client *comch_client) {
    if (!IS_LIVE(comch_client_class, comch_client)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = comch_endpoint_fini(&comch_client->endpoint);
    if (result == DOCA_SUCCESS) {
        object_destroy(&comch_client_class, comch_client);
        SDK_LOG_INFO("Comch client %p: was destroyed", comch_client);
    }
    return result;
}

struct doca_ctx *
doca_comch_client_as_ctx(struct doca_comch_client *comch_client) {
    return IS_LIVE(comch_client_class, comch_client) ? &comch_client->endpoint.ctx : NULL;
}

/*
 * Properties
 */

doca_error_t
doca_comch_client_set_max_msg_size(struct doca_comch_client *comch_client, uint32_t size) {
    return IS_LIVE(comch_client_class, comch_client) ? comch_endpoint_set_max_msg_size(&comch_client->endpoint, size)
                                               : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t
doca_comch_client_set_recv_queue_size(struct doca_comch_client *comch_client, uint32_t size) {
    return IS_LIVE(comch_client_class, comch_client) ? comch_endpoint_set_recv_queue_size(&comch_client->endpoint, size)
                                               : DOCA_ERROR_INVALID_VALUE;
}

/*
 * Events and tasks
 */

doca_error_t
doca_comch_client_event_msg_recv_register(
        struct doca_comch_client *comch_client, doca_comch_event_msg_recv_cb_t recv_event_cb) {
    return IS_LIVE(comch_client_class, comch_client) ? comch_endpoint_set_received(&comch_client->endpoint, recv_event_cb)
                                               : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t
doca_comch_client_task_send_set_conf(struct doca_comch_client *comch_client,
                                     doca_comch_task_send_completion_cb_t task_completion_cb,
                                     doca_comch_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks) {
    return IS_LIVE(comch_client_class, comch_client)
                   ? comch_task_send_set_conf(&comch_client->endpoint, task_completion_cb, task_error_cb,
                                              num_send_tasks)
                   : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t
doca_comch_client_task_send_alloc_init(struct doca_comch_client *comch_client, struct doca_comch_connection *peer,
                                       const void *msg, uint32_t len, struct doca_comch_task_send **task) {
    return IS_LIVE(comch_client_class, comch_client) ? comch_task_send_alloc(&comch_client->endpoint, peer, msg, len, task)
                                               : DOCA_ERROR_INVALID_VALUE;
}

/*
 * Connections
 */

struct doca_comch_client *
doca_comch_client_get_client_ctx(const struct doca_comch_connection *connection) {
    return comch_connection_is_live(connection) && connection->endpoint->ops == &client_endpoint_ops
                   ? as_client(connection->endpoint)
                   : NULL;
}

doca_error_t
doca_comch_client_get_connection(
        const struct doca_comch_client *comch_client, struct doca_comch_connection **connection) {
    if (!IS_LIVE(comch_client_class, comch_client)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (connection == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Comch client %p: Invalid input: connection is NULL", comch_client);
    }
    if (comch_client->endpoint.ctx.state != DOCA_CTX_STATE_RUNNING) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Comch client %p: Failed to get the connection: is %s and not running",
                          comch_client, ctx_state_name(&comch_client->endpoint.ctx));
    }
    *connection = comch_client->connection;
    return DOCA_SUCCESS;
}

#include <getters/comch_client.h>
