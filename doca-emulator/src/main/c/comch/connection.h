/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A connection between a server and a client.
 *
 * A send completes when the receive queue of the other side has taken the message; it waits while that queue is full. A
 * message occupies its entry until the callback of the receiving program has returned, or has sent a message or
 * disconnected; then it is acknowledged. A message whose send has completed is therefore lost only if the receiver ends the
 * connection or dies before its callback.
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
    /* Unique among the connections of an endpoint: the memory of a connection may be reused for a later one. */
    uint64_t id;
    enum connection_state state;
    /* During the handshake: the deadline for the greeting of the other side. */
    uint64_t deadline;
    /* The program has been notified of it. */
    bool was_established;
    bool is_to_be_reported;
    /* Negative when closed. */
    int fd;
    bool waits_for_room;
    union doca_data user_data;
    /* The size of the other side's receive queue. */
    uint32_t recv_queue_size;
    /* Sends for which the other side's receive queue, or the socket, has no room yet. */
    struct task_list waiting;
    uint32_t num_waiting;
    uint64_t num_acknowledged;
    /* The program's callback for the message of the endpoint is running. */
    bool is_in_callback;
    /* The number of messages acknowledged to the other side. */
    uint64_t num_notified;
    struct connection_counters counters;
    /* Updated by doca_comch_connection_update_info(). */
    struct connection_counters shown;
};

/* Returns whether the handle is a connection; if not, logs that. */
bool comch_connection_is_live(const struct doca_comch_connection *connection);

/* Creates a connection to be established, which owns the socket. A negative fd means no socket. */
struct doca_comch_connection *comch_connection_create(struct endpoint *endpoint, int fd);

void comch_connection_destroy(struct doca_comch_connection *connection);

/* Sends a greeting to the other side. Returns false if it has closed. */
bool comch_connection_introduce(const struct doca_comch_connection *connection, enum message_kind kind);

/* Refuses the other side. */
void comch_connection_refuse(const struct doca_comch_connection *connection);

/*
 * Returns whether the endpoint's message of that size is of the kind, is for the same server, and comes from an endpoint with
 * the same largest message.
 */
bool comch_connection_is_introduction(
        const struct doca_comch_connection *connection, enum message_kind kind, size_t size);

/* The other side has sent its greeting. */
void comch_connection_establish(struct doca_comch_connection *connection);

/* Submits a task. Returns AGAIN if as many sends wait as the receive queue of the other side has entries. */
doca_error_t comch_connection_send(struct doca_comch_connection *connection, struct doca_comch_task_send *task);

/* Sends what the socket had no room for. Returns false if it still has none. */
bool comch_connection_flush(struct doca_comch_connection *connection);

/* Reads one message from the socket. Returns false if there is none. */
bool comch_connection_receive(struct doca_comch_connection *connection);

/* Passes received data to the program. */
void comch_connection_deliver(struct doca_comch_connection *connection);

/* Acknowledges the messages that the program has received. Returns false if the socket has no room. */
bool comch_connection_acknowledge(struct doca_comch_connection *connection);

/*
 * Sends the waiting messages for which the other side has acknowledged enough others. Called before the connection ends; unread
 * messages are lost.
 */
void comch_connection_finish(struct doca_comch_connection *connection);

/* Closes the socket and fails outstanding sends with the error. */
void comch_connection_end(struct doca_comch_connection *connection, doca_error_t error);

/* The other side has closed it, or has sent an invalid message; progress notifies the program. */
void comch_connection_lose(struct doca_comch_connection *connection, const char *reason);

#endif /* DOCA_EMULATOR_COMCH_CONNECTION_H_ */
