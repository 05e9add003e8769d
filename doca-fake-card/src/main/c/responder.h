/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_RESPONDER_H
#define CARD_RESPONDER_H

#include <stdint.h>
#include <sys/types.h>

/* What the side that a request is for has to know, and its answer. Sent between processes as it is. */
struct card_message {
    enum { CARD_REQUEST, CARD_ANSWER } kind;
    /* Of an answer: 0, a syndrome, or one of the two below. */
    int answer;
    /* Tells requests apart. */
    uint64_t serial;
    uint32_t source_qp;
    uint32_t target_qp;
    uint32_t opcode;
    /* Big-endian. */
    uint32_t immediate;
    uint64_t remote_address;
    uint32_t remote_key;
    uint32_t length;
    /* Of atomic operations: what is added or stored, and what is compared. */
    uint64_t operand;
    uint64_t compared;
    /* Where the data is, or goes to. */
    pid_t process;
    uint64_t data;
};

/* Nobody is there to answer. */
#define CARD_NO_RESPONDER (-1)
/* The other side has posted no receive. */
#define CARD_NO_RECEIVE (-2)

/* Executes a request for a queue pair of this process, and returns the answer. Call it with card_lock() held. */
int card_respond(const struct card_message *request);

#endif
