/* SPDX-License-Identifier: Apache-2.0 */
/* The internal part of an RDMA context. */
#ifndef DOCA_EMULATOR_RDMA_H_
#define DOCA_EMULATOR_RDMA_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_rdma.h>

#include "common/ctx.h"
#include "common/device.h"
#include "common/task.h"
#include "rdma/cm.h"
#include "rdma/connection.h"
#include "rdma/engine.h"
#include "rdma/link.h"
#include "rdma/node.h"
#include "rdma/receive_queue.h"
#include "rdma/task.h"

/* The entries of the GID table of any port of a BlueField. */
#define RDMA_GID_TABLE_SIZE 255

typedef void (*rdma_task_callback_t)(struct rdma_task *task, union doca_data task_user_data,
                                     union doca_data ctx_user_data);

/* The configuration of one kind of task, by doca_rdma_task_*_set_conf(). */
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
    /* True if the program has set the MTU. Otherwise the peer's counts. */
    bool has_own_mtu;
    /* In milliseconds. */
    uint16_t connection_request_timeout;
    uint16_t max_num_connections;
    uint8_t grh_enabled;
    uint8_t rnr_retry_count;
};

/*
 * A task goes to the engine or to the queue of receives, then to the delayed tasks if there are faults, and then
 * doca_pe_progress() reports it.
 */
struct doca_rdma {
    struct doca_ctx ctx;
    struct doca_dev *dev;
    const struct rdma_capabilities *capabilities;
    struct rdma_properties properties;
    struct rdma_task_conf confs[NUM_RDMA_TASK_KINDS];

    /* Set from the start to the end of a run. */
    struct node *node;
    struct node_listener listener;
    struct link link;
    struct remote_link *remote_links;
    struct connection_list connections;
    /* Indexed by the slot of the link. */
    struct doca_rdma_connection **in_slots;
    struct connection_bucket *by_serial;
    /* The number of draining connections, and the time at which they were examined. */
    uint32_t num_draining;
    uint64_t peers_looked_at;
    struct receive_queue receives;
    struct engine engine;
    /* The largest number of outstanding operations on a connection. */
    uint32_t operation_limit;
    /* Tasks to be reported. */
    struct task_list ready;
    /* Receives that a stop has failed, to be reported even while the queue is armed. They signal nothing. */
    struct task_list unsignalled;
    /* Executed tasks, to be reported after their delay. */
    struct task_list delayed;
    /* Receives are polled in turn. */
    bool receives_next;
    /* True in a forked child: all tasks that were in flight are ready, and nothing else of the run is accessed. */
    bool is_abandoned;

    /* The serial of the next connection. */
    uint32_t next_connection_serial;

    /* The state of connections by address; cm.h says when to call its functions. */
    struct cm cm;
};

extern struct object_class rdma_class;

void rdma_properties_init(struct rdma_properties *properties);

/* Checks the properties together, and rounds some, before a start. */
doca_error_t rdma_properties_prepare(struct doca_rdma *rdma);

/* Returns the number of operations of a connection that the device accepts at a time. */
uint32_t rdma_send_queue_room(const struct doca_rdma *rdma);

/* Returns the largest number of buffers in a list. */
uint32_t rdma_send_list_limit(const struct doca_rdma *rdma);
uint32_t rdma_receive_list_limit(const struct doca_rdma *rdma);

/* Returns the largest number of posted receives. */
uint32_t rdma_receive_limit(const struct doca_rdma *rdma);

/* Returns the size of the ring, rounded up to a power of two. */
uint32_t rdma_receive_ring_size(const struct doca_rdma *rdma);

/* Returns whether it can be connected: it is RUNNING or, if the connection is part of the start, STARTING. */
bool rdma_is_started(const struct doca_rdma *rdma);

/* Returns whether the context runs in the parent of this process, which only has a copy. */
bool rdma_is_inherited(const struct doca_rdma *rdma);

/* Fails operations that were submitted on the connection and not executed with the error. */
void rdma_flush_connection(struct doca_rdma *rdma, struct doca_rdma_connection *connection, doca_error_t error);

void rdma_dispose_tasks(struct rdma_task_conf *conf);

#endif /* DOCA_EMULATOR_RDMA_H_ */
