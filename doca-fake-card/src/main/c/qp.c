/* SPDX-License-Identifier: Apache-2.0 */
#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "cq.h"
#include "engine.h"
#include "log.h"
#include "memory.h"
#include "peer.h"
#include "pool.h"
#include "qp.h"
#include "rdma.h"

#define BLOCK_BYTES 64
/* The device's vendor syndrome for a flushed request. */
#define FLUSHED_VENDOR 0xf9

/* Returns the pool with the receives of a queue pair; NULL if it has none, or if that is destroyed. */
static struct card_pool *
pool_of(const struct card_qp *qp) {
    return qp->receive_pool == 0 ? NULL : card_find_pool(qp->receive_pool);
}

struct mlx5dv_devx_obj *
card_create_qp(const void *in) {
    struct card_qp *qp = calloc(1, sizeof(*qp));
    if (qp == NULL) {
        return NULL;
    }
    qp->object.kind = CARD_KIND_QP;
    qp->object.number = card_new_number(CARD_KIND_QP);
    qp->user_index = (uint32_t)card_bits(in, CARD_QP_USER_INDEX, 24);
    qp->send_cq = (uint32_t)card_bits(in, CARD_QP_SEND_CQ, 24);
    qp->receive_cq = (uint32_t)card_bits(in, CARD_QP_RECEIVE_CQ, 24);
    uint32_t *doorbell = card_memory_at((uint32_t)card_bits(in, CARD_QP_DOORBELL_UMEM, 32),
                                        card_bits(in, CARD_QP_DOORBELL_OFFSET, 64));
    if (doorbell != NULL) {
        /*
         * A program may reuse the memory of a destroyed queue pair, with the record of its last doorbell. A device does not
         * read the record before the new queue pair's first doorbell; this card, which polls it, would.
         */
        __atomic_store_n(&doorbell[MLX5_SND_DBR], 0, __ATOMIC_RELEASE);
        qp->doorbell = doorbell;
    }
    uint8_t *queues =
        card_memory_at((uint32_t)card_bits(in, CARD_QP_UMEM, 32), card_bits(in, CARD_QP_UMEM_OFFSET, 64));
    const uint64_t receive_type = card_bits(in, CARD_QP_RECEIVE_TYPE, 3);
    if (queues != NULL && receive_type == CARD_RECEIVES_OWN) {
        qp->receives = queues;
        qp->receive_count = 1u << card_bits(in, CARD_QP_LOG_RECEIVES, 4);
        qp->receive_bytes = 16u << card_bits(in, CARD_QP_RECEIVE_STRIDE, 3);
    }
    if (receive_type == CARD_RECEIVES_OF_POOL) {
        qp->receive_pool = (uint32_t)card_bits(in, CARD_QP_RECEIVE_POOL, 24);
        const struct card_pool *pool = pool_of(qp);
        qp->receive_bytes = pool == NULL ? 0 : card_pool_receive_bytes(pool);
    }
    if (queues != NULL && !card_bits(in, CARD_QP_NO_SEND_QUEUE, 1)) {
        /* After the receives, unless they are in a pool. */
        qp->sends = queues + (size_t)qp->receive_count * qp->receive_bytes;
        qp->send_count = 1u << card_bits(in, CARD_QP_LOG_SENDS, 4);
    }
    card_log(CARD_LOG_COMMANDS, "queue pair 0x%x: %u sends to completion queue %u, %u receives to %u, receive pool %u",
             qp->object.number, qp->send_count, qp->send_cq, qp->receive_count, qp->receive_cq, qp->receive_pool);
    return &qp->object;
}

void
card_free_qp(struct mlx5dv_devx_obj *object) {
    struct card_qp *qp = (struct card_qp *)object;
    card_abandon_flight(qp);
    free(qp);
}

static void
reset(struct card_qp *qp) {
    card_abandon_flight(qp);
    qp->state = CARD_QP_RESET;
    qp->send_counter = 0;
    qp->receive_counter = 0;
}

bool
card_move_qp(struct mlx5dv_devx_obj *object, enum card_command command, const void *in) {
    struct card_qp *qp = (struct card_qp *)object;
    switch ((int)command) {
    case CARD_RST_TO_INIT_QP:
        qp->state = CARD_QP_INIT;
        qp->remote_read = card_bits(in, CARD_MOVE_REMOTE_READ, 1);
        qp->remote_write = card_bits(in, CARD_MOVE_REMOTE_WRITE, 1);
        qp->remote_atomic = card_bits(in, CARD_MOVE_REMOTE_ATOMIC, 1);
        break;
    case CARD_INIT_TO_RTR_QP:
        qp->state = CARD_QP_READY_TO_RECEIVE;
        qp->remote_qp = (uint32_t)card_bits(in, CARD_MOVE_REMOTE_QP, 24);
        if (card_slot_of_qp(qp->remote_qp) != card_slot()) {
            card_open_socket();
        }
        card_log(CARD_LOG_COMMANDS, "queue pair 0x%x is connected with 0x%x", object->number, qp->remote_qp);
        break;
    case CARD_RTR_TO_RTS_QP:
        qp->state = CARD_QP_READY_TO_SEND;
        qp->receiver_retries = (uint8_t)card_bits(in, CARD_MOVE_RNR_RETRY, 3);
        card_log(CARD_LOG_COMMANDS, "queue pair 0x%x retries %u times for a receive", object->number, qp->receiver_retries);
        break;
    case CARD_RTS_TO_RTS_QP:
        break;
    case CARD_ANY_TO_ERR_QP:
        card_fail_qp(qp);
        /* Before the command returns: DOCA polls these completions and resets the queue pair, which would drop the rest. */
        card_flush_sends(qp);
        break;
    case CARD_ANY_TO_RST_QP:
        reset(qp);
        break;
    default:
        return false;
    }
    return true;
}

struct card_qp *
card_find_qp(uint32_t number) {
    return (struct card_qp *)card_find_object(CARD_KIND_QP, number);
}

static uint16_t
posted(const struct card_qp *qp, int queue) {
    return qp->doorbell == NULL ? 0 : (uint16_t)be32toh(__atomic_load_n(&qp->doorbell[queue], __ATOMIC_ACQUIRE));
}

uint16_t
card_posted_sends(const struct card_qp *qp) {
    return qp->sends == NULL ? qp->send_counter : posted(qp, MLX5_SND_DBR);
}

uint16_t
card_posted_receives(const struct card_qp *qp) {
    return qp->receives == NULL ? qp->receive_counter : posted(qp, MLX5_RCV_DBR);
}

void
card_read_send(const struct card_qp *qp, void *buffer, size_t size) {
    const size_t queue_bytes = (size_t)qp->send_count * BLOCK_BYTES;
    const size_t start = (size_t)(qp->send_counter & (qp->send_count - 1)) * BLOCK_BYTES;
    const size_t before_end = queue_bytes - start < size ? queue_bytes - start : size;
    memcpy(buffer, qp->sends + start, before_end);
    memcpy((char *)buffer + before_end, qp->sends, size - before_end);
}

const uint8_t *
card_next_receive(const struct card_qp *qp) {
    const struct card_pool *pool = pool_of(qp);
    if (pool != NULL) {
        return card_next_of_pool(pool);
    }
    if (card_posted_receives(qp) == qp->receive_counter) {
        return NULL;
    }
    return qp->receives + (size_t)(qp->receive_counter & (qp->receive_count - 1)) * qp->receive_bytes;
}

void
card_complete_receive(struct card_qp *qp, struct card_completion *completion) {
    completion->qp = qp->object.number;
    completion->user_index = qp->user_index;
    struct card_pool *pool = pool_of(qp);
    completion->counter = pool == NULL ? qp->receive_counter++ : card_take_from_pool(pool);
    card_complete(qp->receive_cq, completion);
}

void
card_flush_receives(struct card_qp *qp) {
    while (qp->receive_pool == 0 && card_next_receive(qp) != NULL) {
        struct card_completion flushed = {
            .kind = MLX5_CQE_RESP_ERR,
            .syndrome = MLX5_CQE_SYNDROME_WR_FLUSH_ERR,
            .vendor = FLUSHED_VENDOR,
        };
        card_complete_receive(qp, &flushed);
    }
}

void
card_fail_qp(struct card_qp *qp) {
    card_abandon_flight(qp);
    if (qp->state != CARD_QP_ERROR) {
        card_log(CARD_LOG_COMMANDS, "queue pair 0x%x is in the error state", qp->object.number);
        qp->state = CARD_QP_ERROR;
        card_flush_receives(qp);
    }
}
