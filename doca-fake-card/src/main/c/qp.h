/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_QP_H
#define CARD_QP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interface.h"
#include "object.h"

struct card_flight;

/* A queue pair. Guarded by card_lock(); queues and doorbell are memory of the program, which writes it. */
struct card_qp {
    struct mlx5dv_devx_obj object;
    enum card_qp_state state;
    uint32_t user_index;
    uint32_t send_cq;
    uint32_t receive_cq;
    /* The number of requests that the program has posted to each queue; NULL without a doorbell. */
    const uint32_t *doorbell;
    /* Blocks of 64 bytes; NULL if there is no send queue. */
    const uint8_t *sends;
    uint32_t send_count;
    uint16_t send_counter;
    /* NULL if the receives are elsewhere or there are none. */
    const uint8_t *receives;
    uint32_t receive_count;
    uint32_t receive_bytes;
    uint16_t receive_counter;
    /* The number of the pool that the receives are in, or 0. */
    uint32_t receive_pool;
    /* The connected queue pair, and its permissions. */
    uint32_t remote_qp;
    bool remote_read;
    bool remote_write;
    bool remote_atomic;
    /* How many times a request is sent again to a queue pair without a posted receive. */
    uint8_t receiver_retries;
    /* The request of the send queue that waits for its peer, or NULL. */
    struct card_flight *flight;
};

/* Creates a queue pair for a CARD_CREATE_QP command, with the lock held; NULL if there is no memory for it. */
struct mlx5dv_devx_obj *card_create_qp(const void *in);

void card_free_qp(struct mlx5dv_devx_obj *object);

/* Moves a queue pair to another state, with the lock held. Returns false for any other command. */
bool card_move_qp(struct mlx5dv_devx_obj *object, enum card_command command, const void *in);

/* The queue pair of a number, or NULL, with the lock held. */
struct card_qp *card_find_qp(uint32_t number);

/* Return the number of requests posted to each queue. */
uint16_t card_posted_sends(const struct card_qp *qp);
uint16_t card_posted_receives(const struct card_qp *qp);

/* Copies bytes of the next request of the send queue, which may wrap to the start of the queue. */
void card_read_send(const struct card_qp *qp, void *buffer, size_t size);

/* The next receive of the queue pair or of its pool, or NULL if none is posted. */
const uint8_t *card_next_receive(const struct card_qp *qp);

/* Completes the next receive and removes it from its queue. The completion does not have the queue pair yet. */
struct card_completion;
void card_complete_receive(struct card_qp *qp, struct card_completion *completion);

/* Moves a queue pair to the error state, and flushes its own receives. */
void card_fail_qp(struct card_qp *qp);

/* Flushes the receives that have been posted in the error state. The receives of a pool stay there for other queue pairs. */
void card_flush_receives(struct card_qp *qp);

#endif
