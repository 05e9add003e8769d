/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_CQ_H
#define CARD_CQ_H

#include <stdbool.h>
#include <stdint.h>

#include "object.h"

struct card_channel;

/*
 * A completion queue. Guarded by card_lock(); entries and doorbell are memory of the program, which reads and writes
 * it.
 */
struct card_cq {
    struct mlx5dv_devx_obj object;
    uint8_t *entries;
    uint32_t entry_size;
    uint32_t count;
    /* The number of entries written, modulo the 24 bits with which the program counts. */
    uint32_t producer;
    /* The program's consumer index and its request for an event; NULL if there is none. */
    uint32_t *doorbell;
    /*
     * True if an event is to be raised for the next entry that the program had not seen when it requested the event.
     */
    bool armed;
    uint32_t armed_at;
    struct card_channel *channel;
    uint64_t cookie;
    /* True if the event is raised and not read; and the event raised after it. */
    bool raised;
    struct card_cq *next_raised;
};

/* The completion of a request. */
struct card_completion {
    /* One of rdma-core's MLX5_CQE_... */
    int kind;
    uint32_t qp;
    uint32_t user_index;
    uint8_t opcode;
    uint16_t counter;
    uint32_t bytes;
    /* Big-endian, as in the request. */
    uint32_t immediate;
    int syndrome;
    int vendor;
};

/* Creates a completion queue for a CARD_CREATE_CQ command, with the lock held; NULL if there is no memory for it. */
struct mlx5dv_devx_obj *card_create_cq(const void *in);

void card_free_cq(struct mlx5dv_devx_obj *object);

/* Writes a completion into a queue, with the lock held, and raises the requested event. */
void card_complete(uint32_t cq, const struct card_completion *completion);

/* Raises the event of a queue if the program has requested it meanwhile, with the lock held. */
void card_check_arming(struct mlx5dv_devx_obj *object);

/* Removes a channel from its queues, with the lock held. */
void card_unsubscribe(struct card_channel *channel);

#endif
