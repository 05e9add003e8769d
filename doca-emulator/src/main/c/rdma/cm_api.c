/* SPDX-License-Identifier: Apache-2.0 */
/* The functions for connections by address, and for any connection. */
#include "common/property.h"
#include "common/sdk_log.h"
#include "rdma/cm_link.h"
#include "rdma/connection.h"
#include "rdma/rdma.h"

/* Refuses a forked child, which has none of its parent's threads and sockets. */
static doca_error_t
check_own(const struct doca_rdma *rdma, const char *what) {
    if (rdma_is_inherited(rdma)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to %s: was started by the parent of this process",
                          rdma, what);
    }
    return DOCA_SUCCESS;
}

static doca_error_t
check_running(const struct doca_rdma *rdma, const char *what) {
    if (rdma->ctx.state != DOCA_CTX_STATE_RUNNING) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to %s: is %s and not running", rdma, what,
                          ctx_state_name(&rdma->ctx));
    }
    return check_own(rdma, what);
}

/* Checks functions that need a running context with connection callbacks. */
static doca_error_t
check_ready(const struct doca_rdma *rdma, const char *what) {
    const doca_error_t result = check_running(rdma, what);
    if (result == DOCA_SUCCESS && rdma->cm.established == NULL) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to %s: there are no callbacks for connections", rdma,
                          what);
    }
    return result;
}

/* Refuses a connection that the program has disconnected, even if its tasks are not reported yet. */
static bool
is_usable(const struct doca_rdma_connection *connection) {
    if (!IS_LIVE(rdma_connection_class, connection)) {
        return false;
    }
    if (connection->is_left) {
        SDK_LOG_ERR("RDMA %p: Invalid input: connection %p was disconnected before", connection->rdma, connection);
    }
    return !connection->is_left;
}

/* Returns whether the connection is that of requests for which the context has no room. */
static bool
is_spare(const struct doca_rdma_connection *connection) {
    return connection == connection->rdma->cm.spare;
}

/* Like GET_PROPERTY(). */
#define GET_CONNECTION_PROPERTY(connection, value, out) \
    (!is_usable(connection) ? DOCA_ERROR_INVALID_VALUE \
                            : GET_PROPERTY(rdma_connection_class, (connection), (value), (out)))

doca_error_t
doca_rdma_set_connection_state_callbacks(
        struct doca_rdma *rdma, doca_rdma_connection_request_cb_t doca_rdma_connect_request_cb,
        doca_rdma_connection_established_cb_t doca_rdma_connect_established_cb,
        doca_rdma_connection_failure_cb_t doca_rdma_connect_failure_cb,
        doca_rdma_connection_disconnection_cb_t doca_rdma_disconnect_cb) {
    if (!IS_LIVE(rdma_class, rdma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (doca_rdma_connect_established_cb == NULL || doca_rdma_connect_failure_cb == NULL ||
        doca_rdma_disconnect_cb == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE,
                          "RDMA %p: Invalid input: a callback is NULL, and only that of requests may be", rdma);
    }
    if (rdma->ctx.state != DOCA_CTX_STATE_IDLE) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to set callbacks for connections: is %s and not idle",
                          rdma, ctx_state_name(&rdma->ctx));
    }
    rdma->cm.requested = doca_rdma_connect_request_cb;
    rdma->cm.established = doca_rdma_connect_established_cb;
    rdma->cm.failed = doca_rdma_connect_failure_cb;
    rdma->cm.disconnected = doca_rdma_disconnect_cb;
    return DOCA_SUCCESS;
}

/*
 * The server
 */

static struct cm_listener *
find_listener(struct doca_rdma *rdma, uint16_t port) {
    struct cm_listener *listener;
    TAILQ_FOREACH(listener, &rdma->cm.listeners, entry) {
        if (listener->port == port) {
            return listener;
        }
    }
    return NULL;
}

doca_error_t
doca_rdma_start_listen_to_port(struct doca_rdma *rdma, uint16_t port) {
    if (!IS_LIVE(rdma_class, rdma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (port == 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Invalid input: port 0", rdma);
    }
    doca_error_t result = check_ready(rdma, "listen");
    if (result == DOCA_SUCCESS && rdma->cm.requested == NULL) {
        result = SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to listen: there is no callback for requests",
                            rdma);
    }
    if (result == DOCA_SUCCESS) {
        result = rdma_cm_open(rdma);
    }
    if (result == DOCA_SUCCESS) {
        result = rdma_cm_add_listener(rdma, port);
    }
    if (result == DOCA_ERROR_IN_USE) {
        return SDK_REFUSE(DOCA_ERROR_CONNECTION_ABORTED,
                          "RDMA %p: Failed to listen: port %u of the device is listened to already", rdma, port);
    }
    return result;
}

doca_error_t
doca_rdma_stop_listen_to_port(struct doca_rdma *rdma, uint16_t port) {
    if (!IS_LIVE(rdma_class, rdma)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_running(rdma, "stop listening");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    struct cm_listener *listener = find_listener(rdma, port);
    if (listener == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Invalid input: does not listen to port %u", rdma, port);
    }
    rdma_cm_remove_listener(&rdma->cm, listener);
    return DOCA_SUCCESS;
}

/* Finds a request that waits for its answer, or whose client has timed out without a report of the failure yet. */
static doca_error_t
check_requested(const struct doca_rdma_connection *connection, const char *what) {
    const struct cm_link *link = connection->cm;
    const doca_error_t result = check_running(connection->rdma, what);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (link == NULL || (link->state != CM_LINK_REQUESTED && link->state != CM_LINK_FAILED)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to %s: connection %p is no request without answer",
                          connection->rdma, what, connection);
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_connection_accept(
        struct doca_rdma_connection *rdma_connection, void *private_data, uint8_t private_data_len) {
    if (!is_usable(rdma_connection)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (private_data == NULL && private_data_len > 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: private_data is NULL, and its length is %u",
                          private_data_len);
    }
    const doca_error_t result = check_requested(rdma_connection, "accept");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (is_spare(rdma_connection)) {
        return DOCA_SUCCESS;
    }
    if (rdma_connection->cm->state == CM_LINK_FAILED) {
        return DOCA_ERROR_CONNECTION_ABORTED;
    }
    return rdma_cm_link_accept(rdma_connection->cm, private_data, private_data_len);
}

doca_error_t
doca_rdma_connection_reject(struct doca_rdma_connection *rdma_connection) {
    if (!is_usable(rdma_connection)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (is_spare(rdma_connection)) {
        return DOCA_SUCCESS;
    }
    const doca_error_t result = check_requested(rdma_connection, "reject");
    if (result == DOCA_SUCCESS && !cm_link_is_failing(rdma_connection->cm)) {
        rdma_cm_link_reject(rdma_connection->cm);
    }
    return result;
}

/*
 * The client
 */

doca_error_t
doca_rdma_connect_to_addr(struct doca_rdma *rdma, struct doca_rdma_addr *addr, union doca_data connection_user_data) {
    if (!IS_LIVE(rdma_class, rdma) || !rdma_cm_addr_is_live(addr)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    doca_error_t result = check_ready(rdma, "connect");
    if (result == DOCA_SUCCESS) {
        result = rdma_cm_open(rdma);
    }
    return result == DOCA_SUCCESS ? rdma_cm_link_ask(rdma, addr, connection_user_data) : result;
}

/* Client and server */

doca_error_t
doca_rdma_connection_disconnect(struct doca_rdma_connection *rdma_connection) {
    if (!is_usable(rdma_connection)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = check_own(rdma_connection->rdma, "disconnect");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    struct cm_link *link = rdma_connection->cm;
    if (is_spare(rdma_connection)) {
        return DOCA_SUCCESS;
    }
    if (link == NULL) {
        /* The real library keeps the place of a connection that was never connected, which can still be connected. */
        if (rdma_connection->state != CONNECTION_OPEN) {
            rdma_cm_leave(rdma_connection);
        }
        return DOCA_SUCCESS;
    }
    if (cm_link_is_failing(link)) {
        return DOCA_SUCCESS;
    }
    if (link->state == CM_LINK_REQUESTED) {
        rdma_cm_link_reject(link);
    } else {
        rdma_cm_link_destroy(link);
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_connection_get_addr(const struct doca_rdma_connection *rdma_connection, struct doca_rdma_addr **addr) {
    if (!is_usable(rdma_connection)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (addr == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: addr is NULL");
    }
    if (rdma_connection->cm == NULL && !is_spare(rdma_connection)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Connection %p was not made by address",
                          rdma_connection->rdma, rdma_connection);
    }
    *addr = rdma_connection->cm == NULL ? NULL : rdma_connection->cm->addr;
    return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_connection_get_id(const struct doca_rdma_connection *rdma_connection, uint32_t *connection_id) {
    return GET_CONNECTION_PROPERTY(rdma_connection, rdma_connection->slot, connection_id);
}

doca_error_t
doca_rdma_connection_get_user_data(
        const struct doca_rdma_connection *rdma_connection, union doca_data *connection_user_data) {
    return GET_CONNECTION_PROPERTY(rdma_connection, rdma_connection->user_data, connection_user_data);
}

doca_error_t
doca_rdma_connection_set_user_data(
        struct doca_rdma_connection *rdma_connection, union doca_data connection_user_data) {
    if (!is_usable(rdma_connection)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    rdma_connection->user_data = connection_user_data;
    return DOCA_SUCCESS;
}
