/* SPDX-License-Identifier: Apache-2.0 */
#include "rdma_connection.h"

#include "refuse.h"

doca_error_t
rdma_connection_check_export(const struct doca_rdma_connection *connection, const struct doca_rdma *rdma) {
    return connection->exported
                   ? REFUSE(DOCA_ERROR_NOT_SUPPORTED,
                            "RDMA %p: Failed to export: a context has one connection before DOCA 2.9", (const void *)rdma)
                   : DOCA_SUCCESS;
}

doca_error_t
rdma_connection_check_connect(
        const struct doca_rdma_connection *connection, const struct doca_rdma_connection *given, const struct doca_rdma *rdma) {
    return given != connection || !connection->exported
                   ? REFUSE(DOCA_ERROR_INVALID_VALUE,
                            "RDMA %p: Failed to connect: connection %p is not of this context", (const void *)rdma,
                            (const void *)given)
                   : DOCA_SUCCESS;
}

/* The callbacks are for connections by address, which do not exist here. */
doca_error_t
doca_rdma_set_connection_state_callbacks(
        struct doca_rdma *rdma, doca_rdma_connection_request_cb_t doca_rdma_connect_request_cb,
        doca_rdma_connection_established_cb_t doca_rdma_connect_established_cb,
        doca_rdma_connection_failure_cb_t doca_rdma_connect_failure_cb,
        doca_rdma_connection_disconnection_cb_t doca_rdma_disconnect_cb) {
    (void)doca_rdma_connect_request_cb;
    (void)doca_rdma_connect_established_cb;
    (void)doca_rdma_connect_failure_cb;
    (void)doca_rdma_disconnect_cb;
    return rdma_check_idle(rdma);
}

/* Accepts any limit: a context has one connection and refuses the export of a second one. */
doca_error_t
doca_rdma_set_max_num_connections(struct doca_rdma *rdma, uint16_t max_num_connections) {
    const doca_error_t result = rdma_check_idle(rdma);
    return result == DOCA_SUCCESS && max_num_connections == 0
                   ? REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA %p: Invalid input: 0 connections", (void *)rdma)
                   : result;
}

doca_error_t
doca_rdma_get_max_num_connections(struct doca_rdma *rdma, uint16_t *max_num_connections) {
    if (rdma == NULL || max_num_connections == NULL) {
        return rdma == NULL ? REFUSE_NULL(rdma) : REFUSE_NULL(max_num_connections);
    }
    *max_num_connections = 1;
    return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_connection_disconnect(struct doca_rdma_connection *rdma_connection) {
    return REFUSE(DOCA_ERROR_NOT_SUPPORTED, "RDMA connection %p: Failed to disconnect: before DOCA 2.9 only a stop does",
                  (void *)rdma_connection);
}

doca_error_t
doca_rdma_connection_get_id(const struct doca_rdma_connection *rdma_connection, uint32_t *connection_id) {
    if (rdma_connection == NULL || connection_id == NULL) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: connection %p, id %p", (const void *)rdma_connection,
                      (void *)connection_id);
    }
    *connection_id = 1;
    return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_connection_set_user_data(struct doca_rdma_connection *rdma_connection, union doca_data connection_user_data) {
    if (rdma_connection == NULL) {
        return REFUSE_NULL(rdma_connection);
    }
    rdma_connection->user_data = connection_user_data;
    return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_connection_get_user_data(
        const struct doca_rdma_connection *rdma_connection, union doca_data *connection_user_data) {
    if (rdma_connection == NULL || connection_user_data == NULL) {
        return REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: connection %p, user data %p",
                      (const void *)rdma_connection, (void *)connection_user_data);
    }
    *connection_user_data = rdma_connection->user_data;
    return DOCA_SUCCESS;
}
