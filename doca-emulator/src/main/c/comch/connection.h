/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A connection between a server and a client.
 *
 * A message counts as sent when the callback of the receiving program has returned, or has sent or ended something
 * itself: that is what is acknowledged. So what is reported as sent has been received, whatever happened later to
 * the receiver, and of what is reported as failed it is not known. Until then a message has a place in the receive
 * queue of the other side, and when that is full no more are accepted for it.
 */
#ifndef DOCA_EMULATOR_COMCH_CONNECTION_H_
#define DOCA_EMULATOR_COMCH_CONNECTION_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <doca_comch.h>

#include "comch/endpoint.h"
#include "common/object.h"
#include "common/task.h"

struct doca_comch_task_send;

enum connection_state {
    CONNECTION_GREETING,
    CONNECTION_ESTABLISHED,
    CONNECTION_ENDED,
};

struct connection_counters {
    uint64_t sent_messages;
    uint64_t sent_bytes;
    uint64_t received_messages;
    uint64_t received_bytes;
};

struct doca_comch_connection {
    struct object object;
    TAILQ_ENTRY(doca_comch_connection) link;
    TAILQ_ENTRY(doca_comch_connection) report;
    struct endpoint *endpoint;
    /* Another one for each connection of an endpoint: the memory of a connection may become that of a later one. */
    uint64_t id;
    enum connection_state state;
    /* While it is greeting: when the other side must have introduced itself. */
    uint64_t deadline;
    /* The program knows it. */
    bool was_established;
    bool is_to_be_reported;
    /* Negative when closed. */
    int fd;
    bool waits_for_room;
    union doca_data user_data;
    /* Of the smaller end, and of the other side. */
    uint32_t max_msg_size;
    uint32_t recv_queue_size;
    /* Sends that the other side has not acknowledged, and those that its socket has no room for yet. */
    struct task_list unacknowledged;
    struct task_list unsent;
    uint32_t num_outstanding;
    uint64_t num_acknowledged;
    /* The program is in its callback for the message of the endpoint. */
    bool is_in_callback;
    /* The number that was acknowledged to the other side. */
    uint64_t num_told;
    struct connection_counters counters;
    /* As doca_comch_connection_update_info() found them. */
    struct connection_counters shown;
};

/* Returns whether the handle is a connection; if not, the log says so. */
bool comch_connection_is_live(const struct doca_comch_connection *connection);

/* A connection on its way, by a socket that is its own from then on; by none when that is negative. */
struct doca_comch_connection *comch_connection_create(struct endpoint *endpoint, int fd);

void comch_connection_destroy(struct doca_comch_connection *connection);

/* Introduces the endpoint to the other side. False when that is gone. */
bool comch_connection_introduce(const struct doca_comch_connection *connection, enum message_kind kind);

/* Tells the other side that it is not wanted. */
void comch_connection_refuse(const struct doca_comch_connection *connection);

/*
 * Returns whether the endpoint's message of that size is of the kind, and for a server that is called as this
 * endpoint's.
 */
bool comch_connection_is_introduction(
        const struct doca_comch_connection *connection, enum message_kind kind, size_t size);

/* The other side has introduced itself. */
void comch_connection_establish(struct doca_comch_connection *connection);

/* Takes a task, or says why not: AGAIN when the receive queue of the other side is full. */
doca_error_t comch_connection_send(struct doca_comch_connection *connection, struct doca_comch_task_send *task);

/* Sends what there was no room for; false when there still is none. */
bool comch_connection_flush(struct doca_comch_connection *connection);

/* Takes one message from the socket; false when there is none. */
bool comch_connection_receive(struct doca_comch_connection *connection);

/* Gives the data that have come by it to the program. */
void comch_connection_deliver(struct doca_comch_connection *connection);

/* Acknowledges what the program has received. False when the socket has no room for that. */
bool comch_connection_acknowledge(struct doca_comch_connection *connection);

/* Before it is ended: what the other side has received was sent. Messages that have come are lost. */
void comch_connection_take_acknowledgements(struct doca_comch_connection *connection);

/* Closes the socket; sends that are outstanding fail with the error. */
void comch_connection_end(struct doca_comch_connection *connection, doca_error_t error);

/* The other side has ended it, or cannot be understood; the program learns of it in its turn. */
void comch_connection_lose(struct doca_comch_connection *connection, const char *reason);

#endif /* DOCA_EMULATOR_COMCH_CONNECTION_H_ */
