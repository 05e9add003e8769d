/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CM_MESSAGE_H
#define CM_MESSAGE_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The messages of connection managers, and the sockets that carry them. Each port is the name of a socket, which contains the
 * folder where the processes of a card find each other.
 */

enum cm_message_kind {
    CM_REQUEST = 1,
    CM_ACCEPT,
    CM_ESTABLISH,
    CM_REJECT,
    CM_DISCONNECT,
};

/* Sent between processes unchanged. */
struct cm_message {
    enum cm_message_kind kind;
    uint32_t qp;
    uint8_t responder_resources;
    uint8_t initiator_depth;
    uint8_t retry_count;
    uint8_t rnr_retry_count;
    uint8_t data_length;
    uint8_t data[255];
    /* The address of the sender. */
    struct sockaddr_storage source;
};

/*
 * Opens a socket with the name of a port, or of any free port if that is 0, and stores the port. Returns -1 with errno
 * EADDRINUSE if another socket has it.
 */
int cm_open_socket(uint16_t *port);

/* Connects a socket to the listener of a port. Returns -1 with errno ECONNREFUSED if nobody listens. */
int cm_connect_socket(int socket, uint16_t port);

/* Sends a message. Returns false if the other side has closed its socket. */
bool cm_send(int socket, const struct cm_message *message);

/* Receives a message. Returns 1, 0 if there is none now, or -1 if the other side has closed its socket. */
int cm_receive(int socket, struct cm_message *message);

#endif
