/* SPDX-License-Identifier: Apache-2.0 */
/* An RDMA context of release 2.5 has one connection, which its functions do not take as a parameter. */
#include <doca_rdma.h>

#include "2.5/front.h"
#include "common/sdk_log.h"
#include "rdma/rdma.h"

/* NULL before it is exported. */
static struct doca_rdma_connection *
connection_of(const struct doca_rdma *rdma) {
    return IS_LIVE(rdma_class, rdma) ? TAILQ_FIRST(&rdma->connections) : NULL;
}

/* Further exports in one run return the same connection details. */
FUNCTION_2_5(doca_rdma_export,
             (const struct doca_rdma *rdma, const void **local_rdma_conn_details, size_t *local_rdma_conn_details_size)) {
    struct doca_rdma_connection *connection = connection_of(rdma);
    if (connection == NULL || local_rdma_conn_details == NULL || local_rdma_conn_details_size == NULL) {
        return doca_rdma_export((struct doca_rdma *)rdma, local_rdma_conn_details, local_rdma_conn_details_size,
                                &connection);
    }
    *local_rdma_conn_details = &connection->descriptor;
    *local_rdma_conn_details_size = sizeof(connection->descriptor);
    return DOCA_SUCCESS;
}

FUNCTION_2_5(doca_rdma_connect,
             (struct doca_rdma *rdma, const void *remote_rdma_conn_details, size_t remote_rdma_conn_details_size)) {
    struct doca_rdma_connection *connection = connection_of(rdma);
    if (connection == NULL && IS_LIVE(rdma_class, rdma)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA %p: Failed to connect: was not exported", rdma);
    }
    return doca_rdma_connect(rdma, remote_rdma_conn_details, remote_rdma_conn_details_size, connection);
}

/* Allocates a task of the kind. Takes the parameters after the context, and their arguments. */
#define ALLOCATE(kind, parameters, ...) \
    FUNCTION_2_5(doca_rdma_task_##kind##_allocate_init, parameters) { \
        return doca_rdma_task_##kind##_allocate_init(rdma, connection_of(rdma), __VA_ARGS__, user_data, task); \
    }

ALLOCATE(send,
         (struct doca_rdma *rdma, const struct doca_buf *src_buf, union doca_data user_data,
          struct doca_rdma_task_send **task),
         src_buf)
ALLOCATE(send_imm,
         (struct doca_rdma *rdma, const struct doca_buf *src_buf, doca_be32_t immediate_data, union doca_data user_data,
          struct doca_rdma_task_send_imm **task),
         src_buf, immediate_data)
ALLOCATE(read,
         (struct doca_rdma *rdma, const struct doca_buf *src_buf, struct doca_buf *dst_buf, union doca_data user_data,
          struct doca_rdma_task_read **task),
         src_buf, dst_buf)
ALLOCATE(write,
         (struct doca_rdma *rdma, const struct doca_buf *src_buf, struct doca_buf *dst_buf, union doca_data user_data,
          struct doca_rdma_task_write **task),
         src_buf, dst_buf)
ALLOCATE(write_imm,
         (struct doca_rdma *rdma, const struct doca_buf *src_buf, struct doca_buf *dst_buf, doca_be32_t immediate_data,
          union doca_data user_data, struct doca_rdma_task_write_imm **task),
         src_buf, dst_buf, immediate_data)
ALLOCATE(atomic_cmp_swp,
         (struct doca_rdma *rdma, struct doca_buf *dst_buf, struct doca_buf *result_buf, uint64_t cmp_data,
          uint64_t swap_data, union doca_data user_data, struct doca_rdma_task_atomic_cmp_swp **task),
         dst_buf, result_buf, cmp_data, swap_data)
ALLOCATE(atomic_fetch_add,
         (struct doca_rdma *rdma, struct doca_buf *dst_buf, struct doca_buf *result_buf, uint64_t add_data,
          union doca_data user_data, struct doca_rdma_task_atomic_fetch_add **task),
         dst_buf, result_buf, add_data)
ALLOCATE(remote_net_sync_event_get,
         (struct doca_rdma *rdma, const struct doca_sync_event_remote_net *event, struct doca_buf *dst_buf,
          union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_get **task),
         event, dst_buf)
ALLOCATE(remote_net_sync_event_notify_set,
         (struct doca_rdma *rdma, struct doca_sync_event_remote_net *event, const struct doca_buf *src_buf,
          union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_notify_set **task),
         event, src_buf)
ALLOCATE(remote_net_sync_event_notify_add,
         (struct doca_rdma *rdma, struct doca_sync_event_remote_net *event, struct doca_buf *result_buf,
          uint64_t add_data, union doca_data user_data, struct doca_rdma_task_remote_net_sync_event_notify_add **task),
         event, result_buf, add_data)
