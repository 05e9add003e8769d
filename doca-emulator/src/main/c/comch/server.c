/* SPDX-License-Identifier: Apache-2.0 */
/* Servers: they run on the DPU, each for one function of its host. */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

#include "comch/connection.h"
#include "comch/endpoint.h"
#include "comch/task_send.h"
#include "common/device.h"
#include "common/property.h"
#include "common/sdk_log.h"
#include "common/settings.h"

struct doca_comch_server {
    struct endpoint endpoint;
    struct doca_dev_rep *rep;
    doca_comch_event_connection_status_changed_cb_t connected;
    doca_comch_event_connection_status_changed_cb_t disconnected;
    struct local_socket listener;
    bool listens;
    uint32_t num_clients;
};

static struct object_class comch_server_class = OBJECT_CLASS("comch server", struct doca_comch_server);

static struct doca_comch_server *
as_server(struct endpoint *endpoint) {
    return (struct doca_comch_server *)endpoint;
}

/*
 * Clients
 */

static bool
accept_client(struct endpoint *endpoint) {
    const int fd = local_socket_accept(&as_server(endpoint)->listener);
    if (fd < 0) {
        waker_rest(&endpoint->waker);
        return false;
    }
    (void)comch_connection_create(endpoint, fd);
    return true;
}

static void
call_status(struct doca_comch_server *server, doca_comch_event_connection_status_changed_cb_t callback,
            struct doca_comch_connection *connection) {
    struct doca_comch_event_connection_status_changed event = {.endpoint = &server->endpoint};
    ctx_begin_event(&server->endpoint.ctx);
    callback(&event, connection, 1);
    ctx_end_event(&server->endpoint.ctx);
}

/* Accepts the connection, or ends it without notifying the program. */
static void
welcome(struct doca_comch_connection *connection, size_t size) {
    struct doca_comch_server *server = as_server(connection->endpoint);
    if (!comch_connection_is_introduction(connection, MESSAGE_GREETING, size) ||
        server->num_clients == MAX_NUM_CLIENTS) {
        comch_connection_refuse(connection);
        comch_connection_destroy(connection);
    } else if (!comch_connection_introduce(connection, MESSAGE_WELCOME)) {
        comch_connection_destroy(connection);
    } else {
        server->num_clients++;
        comch_connection_establish(connection);
        call_status(server, server->connected, connection);
    }
}

static void
lose_client(struct doca_comch_connection *connection) {
    struct doca_comch_server *server = as_server(connection->endpoint);
    if (connection->was_established) {
        server->num_clients--;
        call_status(server, server->disconnected, connection);
    }
    comch_connection_destroy(connection);
}

static const struct endpoint_ops server_endpoint_ops = {
    .accept = accept_client,
    .shake_hands = welcome,
    .lose = lose_client,
};

/*
 * The operations of the context
 */

static void
stop_listening(struct doca_comch_server *server) {
    const bool inherited = server->listens && waker_is_inherited(&server->endpoint.waker);
    if (server->listens) {
        if (!inherited) {
            (void)epoll_ctl(server->endpoint.waker.events, EPOLL_CTL_DEL, server->listener.fd, NULL);
        }
        local_socket_close(&server->listener, inherited);
        server->listens = false;
    }
}

static doca_error_t
start_listening(struct doca_comch_server *server) {
    struct endpoint *endpoint = &server->endpoint;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    char name[LOCAL_SOCKET_NAME_SIZE];
    comch_endpoint_make_socket_name(endpoint, name);
    const doca_error_t result = local_socket_listen(name, &server->listener);
    if (result == DOCA_ERROR_IN_USE) {
        return SDK_REFUSE(DOCA_ERROR_CONNECTION_ABORTED, "%s %p: Failed to start: there is a server \"%s\" for function %s already",
                          endpoint->ctx.ops->name, server, endpoint->name, endpoint->vuid);
    }
    if (result != DOCA_SUCCESS) {
        return result;
    }
    server->listens = true;
    return epoll_ctl(endpoint->waker.events, EPOLL_CTL_ADD, server->listener.fd, &event) == 0
                   ? DOCA_SUCCESS
                   : SDK_REFUSE_SYSTEM_ERROR(errno, "%s %p: Failed to start: the socket cannot be watched",
                                             endpoint->ctx.ops->name, server);
}

static void
stop(struct doca_ctx *ctx) {
    struct endpoint *endpoint = as_endpoint(ctx);
    stop_listening(as_server(endpoint));
    comch_endpoint_close(endpoint);
}

static void
release(struct doca_ctx *ctx) {
    stop(ctx);
    comch_endpoint_release(ctx);
    as_server(as_endpoint(ctx))->num_clients = 0;
}

static doca_error_t
start(struct doca_ctx *ctx) {
    struct endpoint *endpoint = as_endpoint(ctx);
    struct doca_comch_server *server = as_server(endpoint);
    if (server->connected == NULL) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "%s %p: Failed to start: is not registered for connections",
                          ctx->ops->name, server);
    }
    doca_error_t result = comch_endpoint_open(endpoint);
    if (result == DOCA_SUCCESS) {
        result = start_listening(server);
    }
    if (result != DOCA_SUCCESS) {
        stop(ctx);
    }
    return result;
}

static const struct ctx_ops server_ops = {
    .name = "Comch server",
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

/* Returns whether the device has a representor of the function. */
static bool
manages(struct doca_dev *dev, const char *vuid) {
    struct doca_devinfo_rep **list;
    uint32_t num_reps;
    bool found = false;
    if (doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &num_reps) != DOCA_SUCCESS) {
        return false;
    }
    for (uint32_t i = 0; i < num_reps && !found; i++) {
        char other[DOCA_DEVINFO_VUID_SIZE];
        found = doca_devinfo_rep_get_vuid(list[i], other, sizeof(other)) == DOCA_SUCCESS && strcmp(other, vuid) == 0;
    }
    (void)doca_devinfo_rep_destroy_list(list);
    return found;
}

static doca_error_t
init(struct doca_comch_server *server, struct doca_dev *dev, struct doca_dev_rep *repr, const char *name) {
    struct endpoint *endpoint = &server->endpoint;
    const struct doca_devinfo_rep *devinfo = doca_dev_rep_as_devinfo(repr);
    if (devinfo == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = doca_devinfo_rep_get_vuid(devinfo, endpoint->vuid, sizeof(endpoint->vuid));
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (!manages(dev, endpoint->vuid)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: representor %p is none of device %p", (void *)repr,
                          (void *)dev);
    }
    server->rep = repr;
    comch_endpoint_init(endpoint, &server_ops, &server_endpoint_ops, dev, name);
    return DOCA_SUCCESS;
}

doca_error_t
doca_comch_server_create(
        struct doca_dev *dev, struct doca_dev_rep *repr, const char *name, struct doca_comch_server **comch_server) {
    if (!device_is_open(dev)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (name == NULL || comch_server == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: %s is NULL",
                          name == NULL ? "name" : "comch_server");
    }
    doca_error_t result = doca_comch_cap_server_is_supported(doca_dev_as_devinfo(dev));
    if (result != DOCA_SUCCESS) {
        return SDK_REFUSE(result, "Failed to create a comch server: the device cannot have servers");
    }
    struct doca_comch_server *created = object_create(&comch_server_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    result = init(created, dev, repr, name);
    if (result != DOCA_SUCCESS) {
        object_destroy(&comch_server_class, created);
        return result;
    }
    *comch_server = created;
    SDK_LOG_INFO("Comch server %p: was created", created);
    return DOCA_SUCCESS;
}

doca_error_t
doca_comch_server_destroy(struct doca_comch_server *comch_server) {
    if (!IS_LIVE(comch_server_class, comch_server)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = comch_endpoint_fini(&comch_server->endpoint);
    if (result == DOCA_SUCCESS) {
        object_destroy(&comch_server_class, comch_server);
        SDK_LOG_INFO("Comch server %p: was destroyed", comch_server);
    }
    return result;
}

struct doca_ctx *
doca_comch_server_as_ctx(struct doca_comch_server *comch_server) {
    return IS_LIVE(comch_server_class, comch_server) ? &comch_server->endpoint.ctx : NULL;
}

/*
 * Properties
 */

doca_error_t
doca_comch_server_set_max_msg_size(struct doca_comch_server *comch_server, uint32_t size) {
    return IS_LIVE(comch_server_class, comch_server) ? comch_endpoint_set_max_msg_size(&comch_server->endpoint, size)
                                               : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t
doca_comch_server_set_recv_queue_size(struct doca_comch_server *comch_server, uint32_t size) {
    return IS_LIVE(comch_server_class, comch_server) ? comch_endpoint_set_recv_queue_size(&comch_server->endpoint, size)
                                               : DOCA_ERROR_INVALID_VALUE;
}

/*
 * Events and tasks
 */

doca_error_t
doca_comch_server_event_connection_status_changed_register(
        struct doca_comch_server *comch_server, doca_comch_event_connection_status_changed_cb_t connect_event_cb,
        doca_comch_event_connection_status_changed_cb_t disconnect_event_cb) {
    if (!IS_LIVE(comch_server_class, comch_server)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result =
            comch_endpoint_check_conf(&comch_server->endpoint, connect_event_cb == NULL || disconnect_event_cb == NULL,
                                      "register for connections");
    if (result == DOCA_SUCCESS) {
        comch_server->connected = connect_event_cb;
        comch_server->disconnected = disconnect_event_cb;
    }
    return result;
}

doca_error_t
doca_comch_server_event_msg_recv_register(
        struct doca_comch_server *comch_server, doca_comch_event_msg_recv_cb_t recv_event_cb) {
    return IS_LIVE(comch_server_class, comch_server) ? comch_endpoint_set_received(&comch_server->endpoint, recv_event_cb)
                                               : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t
doca_comch_server_task_send_set_conf(struct doca_comch_server *comch_server,
                                     doca_comch_task_send_completion_cb_t task_completion_cb,
                                     doca_comch_task_send_completion_cb_t task_error_cb, uint32_t num_send_tasks) {
    return IS_LIVE(comch_server_class, comch_server)
                   ? comch_task_send_set_conf(&comch_server->endpoint, task_completion_cb, task_error_cb,
                                              num_send_tasks)
                   : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t
doca_comch_server_task_send_alloc_init(struct doca_comch_server *comch_server, struct doca_comch_connection *peer,
                                       const void *msg, uint32_t len, struct doca_comch_task_send **task) {
    return IS_LIVE(comch_server_class, comch_server) ? comch_task_send_alloc(&comch_server->endpoint, peer, msg, len, task)
                                               : DOCA_ERROR_INVALID_VALUE;
}

/*
 * Connections
 */

struct doca_comch_server *
doca_comch_server_get_server_ctx(const struct doca_comch_connection *connection) {
    return comch_connection_is_live(connection) && connection->endpoint->ops == &server_endpoint_ops
                   ? as_server(connection->endpoint)
                   : NULL;
}

/*
 * Does not notify the program, because it ends the connection itself. In release 2.2 a channel can always be disconnected,
 * even if messages cannot be acknowledged.
 */
doca_error_t
doca_comch_server_disconnect(struct doca_comch_server *comch_server, struct doca_comch_connection *connection) {
    if (!IS_LIVE(comch_server_class, comch_server) || !comch_connection_is_live(connection)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (connection->endpoint != &comch_server->endpoint) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Comch server %p: Invalid input: connection %p is another one's",
                          comch_server, connection);
    }
    if (connection->state != CONNECTION_ESTABLISHED) {
        return SDK_REFUSE(DOCA_ERROR_NOT_CONNECTED, "Comch server %p: Failed to disconnect: connection %p has ended",
                          comch_server, connection);
    }
    if (waker_is_inherited(&comch_server->endpoint.waker)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE,
                          "Comch server %p: Failed to disconnect: connection %p is the parent process'", comch_server,
                          connection);
    }
    /* The older libdoca_comm_channel, which is above the server in all releases before 3.0, does not wait. */
    if (!comch_connection_acknowledge(connection) && emulator_abi.number == 0) {
        return DOCA_ERROR_AGAIN;
    }
    comch_connection_finish(connection);
    comch_server->num_clients--;
    comch_connection_destroy(connection);
    return DOCA_SUCCESS;
}

#include <getters/comch_server.h>
