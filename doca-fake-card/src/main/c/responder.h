/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_RESPONDER_H
#define CARD_RESPONDER_H

#include <stdint.h>
#include <sys/types.h>

/* A request for its target, or the answer. Sent between processes unchanged. */
struct card_message {
    enum { CARD_REQUEST, CARD_ANSWER } kind;
    /* For an answer: 0, a syndrome, or one of the two below. */
    int answer;
    /* Identifies a request. */
    uint64_t serial;
    uint32_t source_qp;
    uint32_t target_qp;
    uint32_t opcode;
    /* Big-endian. */
    uint32_t immediate;
    uint64_t remote_address;
    uint32_t remote_key;
    uint32_t length;
    /* For atomic operations: the value added or stored, and the compared one. */
    uint64_t operand;
    uint64_t compared;
    /* The source or destination of the data. */
    pid_t process;
    uint64_t data;
};

/* No process has the target. */
#define CARD_NO_RESPONDER (-1)
/* The other side has posted no receive. */
#define CARD_NO_RECEIVE (-2)

/* Executes a request for a queue pair of this process, and returns the answer. Call it with card_lock() held. */
int card_respond(const struct card_message *request);

#endif
