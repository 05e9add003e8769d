/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of an RDMA context.
 */
#ifndef DOCA_EMULATOR_RDMA_H_
#define DOCA_EMULATOR_RDMA_H_

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_rdma.h>

#include "common/ctx.h"
#include "common/device.h"
#include "common/task.h"
#include "rdma/cm.h"
#include "rdma/connection.h"
#include "rdma/link.h"

/* In the order of their names in the API. */
enum rdma_task_kind {
    RDMA_TASK_ATOMIC_CMP_SWP,
    RDMA_TASK_ATOMIC_FETCH_ADD,
    RDMA_TASK_READ,
    RDMA_TASK_RECEIVE,
    RDMA_TASK_SEND,
    RDMA_TASK_SEND_IMM,
    RDMA_TASK_WRITE,
    RDMA_TASK_WRITE_IMM,
};

#define NUM_RDMA_TASK_KINDS 8

struct rdma_task;

typedef void (*rdma_task_callback_t)(struct rdma_task *task, union doca_data task_user_data,
                                     union doca_data ctx_user_data);

/* What doca_rdma_task_*_set_conf() says of one kind. */
struct rdma_task_conf {
    struct task_pool pool;
    rdma_task_callback_t completed;
    rdma_task_callback_t failed;
};

struct rdma_properties {
    uint32_t send_queue_size;
    uint32_t recv_queue_size;
    uint32_t max_send_buf_list_len;
    uint32_t recv_buf_list_len;
    uint32_t permissions;
    uint32_t gid_index;
    uint32_t sl;
    enum doca_rdma_transport_type transport_type;
    enum doca_mtu_size mtu;
    /* In milliseconds. */
    uint16_t connection_request_timeout;
    uint16_t max_num_connections;
    uint8_t grh_enabled;
    uint8_t rnr_retry_count;
};

struct doca_rdma {
    struct doca_ctx ctx;
    struct doca_dev *dev;
    const struct rdma_capabilities *capabilities;
    struct rdma_properties properties;
    struct rdma_task_conf confs[NUM_RDMA_TASK_KINDS];
    bool strict;
    bool threaded;
    /* A task has failed: the others of this run are flushed. */
    bool broken;

    /* From the start to the end of a run. */
    struct link link;
    struct remote_link *remote_links;
    struct connection_list connections;
    uint32_t num_connections;
    uint32_t last_connection_id;

    /* What connections by address need; see cm.h for when its functions are to be called. */
    struct cm cm;
};

extern struct object_class rdma_class;

#endif /* DOCA_EMULATOR_RDMA_H_ */
