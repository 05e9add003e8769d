/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The protocol of two processes until they are connected:
 *
 *     client   request               -> server
 *     client      <- accept or reject   server
 *     client   ready                 -> server
 *
 * They send nothing after that. A side that ends the connection, or dies, closes the socket.
 */
#ifndef DOCA_EMULATOR_CM_MESSAGE_H_
#define DOCA_EMULATOR_CM_MESSAGE_H_

#include <stdint.h>

#include "rdma/cm_addr.h"
#include "rdma/link.h"

#define CM_MESSAGE_MAGIC UINT32_C(0x434d4431)
#define CM_MAX_PRIVATE_DATA_SIZE 255

enum cm_message_kind {
    CM_REQUEST = 1,
    CM_ACCEPT = 2,
    CM_REJECT = 3,
    CM_READY = 4,
};

struct cm_message {
    uint32_t magic;
    /* An enum cm_message_kind. */
    uint32_t kind;
    /* For a request: its destination. */
    struct cm_address address;
    /* For a request and an accept: the sender's end of the connection. */
    struct link_descriptor end;
    /* For an accept. The SDK has no function by which the client reads it. */
    uint32_t private_data_size;
    uint8_t private_data[CM_MAX_PRIVATE_DATA_SIZE];
};

#endif /* DOCA_EMULATOR_CM_MESSAGE_H_ */
