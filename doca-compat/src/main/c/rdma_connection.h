/* SPDX-License-Identifier: Apache-2.0 */
/* The one connection that an RDMA context has before DOCA 2.9, for both translations. */
#ifndef DOCA_COMPAT_RDMA_CONNECTION_H_
#define DOCA_COMPAT_RDMA_CONNECTION_H_

#include <stdbool.h>

#include <doca_ctx.h>
#include <doca_error.h>
#include <doca_rdma.h>

struct doca_rdma_connection {
    union doca_data user_data;
    /* Both are reset by a stop. */
    bool exported;
    bool connected;
};

/* Checks that the context can export its connection. Returns NOT_SUPPORTED for the second time. */
doca_error_t rdma_connection_check_export(const struct doca_rdma_connection *connection, const struct doca_rdma *rdma);

/* Checks that `given` is the connection of the context and was exported. */
doca_error_t rdma_connection_check_connect(
        const struct doca_rdma_connection *connection, const struct doca_rdma_connection *given, const struct doca_rdma *rdma);

/* Implemented by each translation. Checks that a property of the context can be set. */
doca_error_t rdma_check_idle(const struct doca_rdma *rdma);

#endif /* DOCA_COMPAT_RDMA_CONNECTION_H_ */
