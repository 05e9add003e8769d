/* SPDX-License-Identifier: Apache-2.0 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "key.h"
#include "log.h"
#include "peer.h"
#include "rdma.h"
#include "responder.h"
#include "settings.h"

#define PART_BYTES 16
#define MAX_PARTS 63
#define INLINE_FLAG 0x80000000u
#define INLINE_MASK 0x3ffu
/*
 * The interval between two attempts of a request that the other side could not accept, and between two checks of its
 * process.
 */
#define RETRY_MS 1
/* The number of retries for a posted receive that stands for any number. */
#define RETRIES_WITHOUT_LIMIT 7

/* A request in flight. Guarded by card_lock(). */
struct card_flight {
    /* In the list of requests that another process has received and not answered. */
    struct card_flight *next;
    /* NULL once the request was abandoned, while the other process may still use the data. */
    struct card_qp *qp;
    struct card_message request;
    char *data;
    struct mlx5_wqe_data_seg parts[MAX_PARTS];
    unsigned int part_count;
    /* True once the other process has received it; true once it has answered, with its answer. */
    bool sent;
    bool answered;
    int answer;
    /* In milliseconds: the time since which it is stuck, 0 if it is not, and the time of the next attempt. */
    uint64_t stuck_since;
    uint64_t next_try;
};

/* Guarded by card_lock(). */
static struct card_flight *sent_flights;
static uint32_t last_serial;

static uint64_t
now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

bool
card_is_rdma(uint32_t opcode) {
    switch (opcode) {
    case MLX5_OPCODE_SEND:
    case MLX5_OPCODE_SEND_IMM:
    case MLX5_OPCODE_RDMA_WRITE:
    case MLX5_OPCODE_RDMA_WRITE_IMM:
    case MLX5_OPCODE_RDMA_READ:
    case MLX5_OPCODE_ATOMIC_CS:
    case MLX5_OPCODE_ATOMIC_FA:
        return true;
    default:
        return false;
    }
}

static bool
is_atomic(uint32_t opcode) {
    return opcode == MLX5_OPCODE_ATOMIC_CS || opcode == MLX5_OPCODE_ATOMIC_FA;
}

/* Returns whether data moves to the other side, and not from it. */
static bool
is_outbound(uint32_t opcode) {
    return opcode != MLX5_OPCODE_RDMA_READ && !is_atomic(opcode);
}

static void
free_flight(struct card_flight *flight) {
    free(flight->data);
    free(flight);
}

static void
forget_sent(struct card_flight *flight) {
    struct card_flight **link = &sent_flights;
    while (*link != flight) {
        link = &(*link)->next;
    }
    *link = flight->next;
    flight->sent = false;
}

void
card_abandon_flight(struct card_qp *qp) {
    struct card_flight *flight = qp->flight;
    if (flight != NULL) {
        qp->flight = NULL;
        flight->qp = NULL;
        if (!flight->sent) {
            free_flight(flight);
        }
    }
}

/* Finds the data of a request: reads the segments that follow the header, and reserves memory for all of it. */
static bool
read_parts(struct card_flight *flight, const char *request, size_t size, size_t offset) {
    const char *inlined = NULL;
    uint32_t inlined_bytes = 0;
    uint64_t length = 0;
    while (offset + sizeof(uint32_t) <= size) {
        struct mlx5_wqe_data_seg part;
        memcpy(&part.byte_count, request + offset, sizeof(part.byte_count));
        const uint32_t bytes = be32toh(part.byte_count);
        if ((bytes & INLINE_FLAG) != 0) {
            inlined = request + offset + sizeof(uint32_t);
            inlined_bytes = bytes & INLINE_MASK;
            offset += (sizeof(uint32_t) + inlined_bytes + PART_BYTES - 1) / PART_BYTES * PART_BYTES;
        } else {
            memcpy(&part, request + offset, sizeof(part));
            flight->parts[flight->part_count++] = part;
            length += bytes;
            offset += PART_BYTES;
        }
    }
    flight->request.length = (uint32_t)(length + inlined_bytes);
    flight->data = malloc(length + inlined_bytes + sizeof(uint64_t));
    if (flight->data == NULL || (inlined_bytes > 0 && inlined + inlined_bytes > request + size)) {
        return false;
    }
    if (inlined_bytes > 0) {
        memcpy(flight->data, inlined, inlined_bytes);
    }
    return true;
}

/* Moves the data between its segments and the memory of the flight, after the data in the request itself. */
static int
move_parts(struct card_flight *flight, enum card_access access) {
    uint32_t in_parts = 0;
    for (unsigned int i = 0; i < flight->part_count; i++) {
        in_parts += be32toh(flight->parts[i].byte_count);
    }
    char *data = flight->data + (flight->request.length - in_parts);
    for (unsigned int i = 0; i < flight->part_count; i++) {
        const struct mlx5_wqe_data_seg *part = &flight->parts[i];
        const uint32_t bytes = be32toh(part->byte_count);
        const int syndrome = card_transfer(be32toh(part->lkey), be64toh(part->addr), bytes, data, access);
        if (syndrome != 0) {
            return syndrome;
        }
        data += bytes;
    }
    return 0;
}

/* Starts the next request. Returns 0 or a syndrome. */
static int
start_flight(struct card_qp *qp, const struct mlx5_wqe_ctrl_seg *control) {
    char request[MAX_PARTS * PART_BYTES];
    const size_t size = (size_t)(be32toh(control->qpn_ds) & MAX_PARTS) * PART_BYTES;
    size_t offset = sizeof(*control);
    struct card_flight *flight = calloc(1, sizeof(*flight));
    if (flight == NULL) {
        return MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR;
    }
    memset(request, 0, sizeof(request));
    card_read_send(qp, request, size);
    flight->qp = qp;
    qp->flight = flight;
    flight->request.kind = CARD_REQUEST;
    flight->request.serial = (uint64_t)getpid() << 32 | ++last_serial;
    flight->request.source_qp = qp->object.number;
    flight->request.target_qp = qp->remote_qp;
    flight->request.opcode = be32toh(control->opmod_idx_opcode) & 0xff;
    flight->request.immediate = control->imm;
    flight->request.process = getpid();
    if (flight->request.opcode != MLX5_OPCODE_SEND && flight->request.opcode != MLX5_OPCODE_SEND_IMM) {
        const struct mlx5_wqe_raddr_seg *remote = (const struct mlx5_wqe_raddr_seg *)(request + offset);
        flight->request.remote_address = be64toh(remote->raddr);
        flight->request.remote_key = be32toh(remote->rkey);
        offset += sizeof(*remote);
    }
    if (is_atomic(flight->request.opcode)) {
        const struct mlx5_wqe_atomic_seg *operands = (const struct mlx5_wqe_atomic_seg *)(request + offset);
        flight->request.operand = be64toh(operands->swap_add);
        flight->request.compared = be64toh(operands->compare);
        offset += sizeof(*operands);
    }
    if (!read_parts(flight, request, size, offset)) {
        return MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR;
    }
    if (is_atomic(flight->request.opcode)) {
        flight->request.length = sizeof(uint64_t);
    }
    flight->request.data = (uintptr_t)flight->data;
    card_log(CARD_LOG_REQUESTS, "queue pair 0x%x: opcode 0x%x to queue pair 0x%x, %u bytes, 0x%lx of key %08x",
             qp->object.number, flight->request.opcode, qp->remote_qp, flight->request.length,
             (unsigned long)flight->request.remote_address, flight->request.remote_key);
    return is_outbound(flight->request.opcode) ? move_parts(flight, CARD_LOCAL_READ) : 0;
}

/* Sends the request to the other side, or checks for its answer. */
static bool
has_answer(struct card_flight *flight, int *answer) {
    const uint32_t slot = card_slot_of_qp(flight->request.target_qp);
    /* The child of a fork has queue pairs with the slot of its parent. */
    if (slot == card_slot() || card_find_qp(flight->request.target_qp) != NULL) {
        /* A queue pair that is its own peer may fail by this, and abandon its flight. */
        const struct card_message request = flight->request;
        *answer = card_respond(&request);
        return true;
    }
    if (flight->answered) {
        *answer = flight->answer;
        return true;
    }
    if (flight->sent) {
        if (now_ms() < flight->next_try || card_peer_lives(slot)) {
            return false;
        }
        forget_sent(flight);
        *answer = CARD_NO_RESPONDER;
        return true;
    }
    const int error = card_send(slot, &flight->request, sizeof(flight->request));
    if (error == 0) {
        flight->sent = true;
        flight->next = sent_flights;
        sent_flights = flight;
        flight->next_try = now_ms() + RETRY_MS;
        return false;
    }
    *answer = CARD_NO_RESPONDER;
    return error != EAGAIN;
}

/* How long a request waits for the other side, in milliseconds; -1 for no limit. */
static long
longest_wait(const struct card_qp *qp, int answer) {
    if (answer != CARD_NO_RECEIVE) {
        return card_settings()->retry_ms;
    }
    return qp->receiver_retries == RETRIES_WITHOUT_LIMIT ? -1 : qp->receiver_retries * card_settings()->receiver_retry_ms;
}

/* Keeps a request waiting that the other side could not accept, until its time limit. */
static int
wait_longer(struct card_flight *flight, int answer) {
    const uint64_t now = now_ms();
    const long limit = longest_wait(flight->qp, answer);
    flight->answered = false;
    flight->next_try = now + RETRY_MS;
    if (flight->stuck_since == 0) {
        flight->stuck_since = now;
    }
    if (limit < 0 || now - flight->stuck_since < (uint64_t)limit) {
        return CARD_RDMA_WAITS;
    }
    return answer == CARD_NO_RECEIVE ? MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR : MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR;
}

int
card_run_rdma(struct card_qp *qp, const struct mlx5_wqe_ctrl_seg *control, uint32_t *bytes) {
    int result = 0;
    if (qp->flight == NULL) {
        result = start_flight(qp, control);
    }
    struct card_flight *flight = qp->flight;
    if (result == 0) {
        if (!flight->sent && now_ms() < flight->next_try) {
            return CARD_RDMA_WAITS;
        }
        if (!has_answer(flight, &result)) {
            return CARD_RDMA_WAITS;
        }
        if (qp->flight != flight) {
            return result;
        }
        if (result == CARD_NO_RESPONDER || result == CARD_NO_RECEIVE) {
            result = wait_longer(flight, result);
            if (result == CARD_RDMA_WAITS) {
                return result;
            }
        } else if (result == 0 && !is_outbound(flight->request.opcode)) {
            result = move_parts(flight, CARD_LOCAL_WRITE);
        }
    }
    if (flight != NULL) {
        *bytes = flight->request.length;
    }
    card_abandon_flight(qp);
    return result;
}

static void
take_answer(const struct card_message *message) {
    struct card_flight *flight = sent_flights;
    while (flight != NULL && flight->request.serial != message->serial) {
        flight = flight->next;
    }
    if (flight == NULL) {
        return;
    }
    forget_sent(flight);
    if (flight->qp == NULL) {
        free_flight(flight);
    } else {
        flight->answered = true;
        flight->answer = message->answer;
    }
}

/* Answers that the other process could not accept yet. Guarded by card_lock(). */
static struct card_pending_answer {
    struct card_pending_answer *next;
    struct card_message message;
} *pending_answers;

static bool
send_answer(const struct card_message *answer) {
    return card_send(card_slot_of_qp(answer->source_qp), answer, sizeof(*answer)) != EAGAIN;
}

static void
send_pending_answers(void) {
    while (pending_answers != NULL && send_answer(&pending_answers->message)) {
        struct card_pending_answer *sent = pending_answers;
        pending_answers = sent->next;
        free(sent);
    }
}

static void
answer(struct card_message *message) {
    message->kind = CARD_ANSWER;
    if (pending_answers == NULL && send_answer(message)) {
        return;
    }
    struct card_pending_answer *pending = calloc(1, sizeof(*pending));
    if (pending == NULL) {
        card_log(CARD_LOG_FAULTS, "there is no memory for an answer");
        return;
    }
    pending->message = *message;
    struct card_pending_answer **last = &pending_answers;
    while (*last != NULL) {
        last = &(*last)->next;
    }
    *last = pending;
}

bool
card_handle_messages(void) {
    bool some = false;
    struct card_message message;
    send_pending_answers();
    while (card_receive(&message, sizeof(message)) == sizeof(message)) {
        some = true;
        if (message.kind == CARD_ANSWER) {
            take_answer(&message);
        } else {
            message.answer = card_respond(&message);
            answer(&message);
        }
    }
    return some;
}
