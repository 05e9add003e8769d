/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The protocol between the two ends of a connection. Each message is one packet of their socket:
 *
 *     client   greeting              -> server
 *     client     <- welcome or refusal  server
 *
 * followed by data and acknowledgements, in both directions. Each carries the number of messages that its sender's
 * program has received so far. A side that ends the connection, or dies, closes the socket.
 */
#ifndef DOCA_EMULATOR_COMCH_MESSAGE_H_
#define DOCA_EMULATOR_COMCH_MESSAGE_H_

#include <stdint.h>

#include <doca_dev.h>

#define MAX_NAME_LEN 120
#define MAX_MSG_SIZE 4080
#define DEFAULT_MAX_MSG_SIZE 2048
/* The length of the longest message of a connection whose largest size is MAX_MSG_SIZE: the next power of two. */
#define LONGEST_MSG 4096
#define MESSAGE_MAGIC UINT32_C(0x434d4331)

enum message_kind {
    MESSAGE_GREETING = 1,
    MESSAGE_WELCOME = 2,
    MESSAGE_REFUSAL = 3,
    MESSAGE_DATA = 4,
    MESSAGE_ACKNOWLEDGEMENT = 5,
};

struct message_header {
    uint32_t magic;
    /* An enum message_kind. */
    uint32_t kind;
    uint64_t num_received;
};

/* A greeting or a welcome. */
struct greeting {
    struct message_header header;
    /* The sizes of the sender's end. Both ends must have the same max_msg_size. */
    uint32_t max_msg_size;
    uint32_t recv_queue_size;
    /* The addressed server: the function of the host that it serves, and its name. */
    char vuid[DOCA_DEVINFO_VUID_SIZE];
    char name[MAX_NAME_LEN];
};

struct data {
    struct message_header header;
    uint8_t bytes[LONGEST_MSG];
};

union message {
    struct message_header header;
    struct greeting greeting;
    struct data data;
};

#endif /* DOCA_EMULATOR_COMCH_MESSAGE_H_ */
