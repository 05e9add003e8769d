/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Endpoints of comm channels. An endpoint that listens or connects has a server or a client of the core. Each function of
 * the endpoint collects received messages, which wait there for the program, up to the size of the receive queue.
 */
#ifndef DOCA_EMULATOR_CC_ENDPOINT_H_
#define DOCA_EMULATOR_CC_ENDPOINT_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <core_comch.h>
#include <core_pe.h>
#include <doca_comm_channel.h>

#include "common/object.h"
#include "workq/common/event_handle.h"

/* The size of the longest name, with its terminator. */
#define CC_MAX_NAME_LEN 120

struct statistics {
    uint64_t send_messages;
    uint64_t send_bytes;
    uint64_t recv_messages;
    uint64_t recv_bytes;
    uint64_t send_in_flight;
};

/* A peer, from its connection until the program disconnects it. */
struct doca_comm_channel_addr_t {
    struct object object;
    struct doca_comm_channel_ep_t *ep;
    TAILQ_ENTRY(doca_comm_channel_addr_t) link;
    /* NULL while it is connecting, and once the connection has ended. */
    struct core_comch_connection *connection;
    bool is_lost;
    uint64_t user_data;
    struct statistics current;
    /* The values of the last update. */
    struct statistics shown;
};

struct message {
    STAILQ_ENTRY(message) link;
    struct doca_comm_channel_addr_t *sender;
    size_t len;
    uint8_t bytes[];
};

/* An event that a program can wait for. The handle watches the progress engine. */
struct event_channel {
    struct event_handle handle;
    /* True while the program waits for the next event. */
    bool is_armed;
};

struct doca_comm_channel_ep_t {
    struct object object;
    struct doca_dev *dev;
    struct doca_dev_rep *dev_rep;
    uint16_t max_msg_size;
    uint16_t send_queue_size;
    uint16_t recv_queue_size;

    /* One of the two if the endpoint is active, and the engine of its context. */
    struct core_comch_server *server;
    struct core_comch_client *client;
    struct core_ctx *ctx;
    struct core_pe *pe;
    struct event_channel sent;
    struct event_channel received;
    struct event_channel service;

    TAILQ_HEAD(, doca_comm_channel_addr_t) peers;
    STAILQ_HEAD(, message) messages;
    uint32_t num_messages;
    uint32_t num_sending;
    /* The peers at the last update of the service's state. */
    struct doca_comm_channel_addr_t **peer_list;
    uint32_t peer_list_len;
};

extern struct object_class cc_ep_class;
extern struct object_class cc_addr_class;

static inline bool
cc_ep_is_active(const struct doca_comm_channel_ep_t *ep) {
    return ep->ctx != NULL;
}

/* Handles all received messages and events, while there is room for messages. */
void cc_ep_progress(struct doca_comm_channel_ep_t *ep);

/* Frees the peer and its messages. */
void cc_ep_forget_peer(struct doca_comm_channel_addr_t *peer);

/* Event channels. A failed open releases all that it acquired. */
doca_error_t event_channel_open(struct event_channel *channel, const struct core_pe *pe);
void event_channel_close(struct event_channel *channel);

/* Makes the handle readable if the channel is armed. */
void event_channel_notify(struct event_channel *channel);

/* Arms the channel, and makes the handle readable if the event has already occurred. */
void event_channel_arm(struct event_channel *channel, struct core_pe *pe, bool is_ready);

#endif /* DOCA_EMULATOR_CC_ENDPOINT_H_ */
