/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CM_ID_H
#define CM_ID_H

#include <infiniband/sa.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <stdint.h>

#include "message.h"

/* The ids of the connection manager: each listens at a port, or is one side of a connection. */

enum cm_state {
    CM_IDLE,
    CM_LISTENING,
    /* Client: the address was found. */
    CM_RESOLVED,
    /* Client: the request was sent; it was accepted. */
    CM_REQUESTING,
    CM_ACCEPTED,
    /* Server: the socket is connected; it has received the request; the program has accepted it. */
    CM_GREETED,
    CM_REQUESTED,
    CM_ACCEPTING,
    CM_CONNECTED,
    /* The connection has ended or failed. */
    CM_ENDED,
};

/* Guarded by cm_lock(). */
struct cm_id {
    struct rdma_cm_id public;
    /* Of no earlier id: a later one may have the memory of this one. */
    uint64_t number;
    struct ibv_sa_path_rec path;
    enum cm_state state;
    /* -1 without a socket. */
    int socket;
    /* The listener with the request; NULL otherwise, and once that is destroyed. */
    struct cm_id *listener;
    /* True once the channel is destroyed: the id ends, and gets no more events. */
    bool has_lost_channel;
    /* The entry of the GID table with the own address. */
    uint8_t gid_index;
    /* Of the other side. */
    uint32_t remote_qp;
    /* Of this side: the number of concurrent reads that it answers, and makes. */
    uint8_t responder_resources;
    uint8_t initiator_depth;
    uint8_t retry_count;
    uint8_t rnr_retry_count;
    struct cm_id *next;
};

/* The lock of the connection manager, which guards all its state. */
void cm_lock(void);
void cm_unlock(void);
void cm_wait(pthread_cond_t *condition);

/* Returns the id with a number, with cm_lock() held; NULL if it was destroyed. */
struct cm_id *cm_find_id(uint64_t number);

struct cm_id *cm_id_of(struct rdma_cm_id *public);

/* Sets errno and returns -1. */
int cm_fail(int error);

/* The following are called with cm_lock() held. */

/* Creates an idle id without a socket. Returns NULL if there is no memory. */
struct cm_id *cm_new_id(struct rdma_event_channel *channel, void *context, enum rdma_port_space space);

void cm_close_socket(struct cm_id *id);

/* Ends the connection of an id without an event. */
void cm_end(struct cm_id *id);

/* Frees an id that the program does not have. */
void cm_forget(struct cm_id *id);

/* Ends the connections of all ids with a channel, which is being destroyed. Linux does so for programs that end. */
void cm_leave_channel(const struct rdma_event_channel *channel);

/* Sends a message without parameters. Returns false if the other side has closed its socket. */
bool cm_send_kind(struct cm_id *id, enum cm_message_kind kind);

#endif
