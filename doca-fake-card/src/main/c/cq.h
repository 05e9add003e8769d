/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_CQ_H
#define CARD_CQ_H

#include <stdbool.h>
#include <stdint.h>

#include "object.h"

struct card_channel;

/* A completion queue. Guarded by card_lock(); entries and doorbell are the program's memory, which it reads and writes. */
struct card_cq {
    struct mlx5dv_devx_obj object;
    uint8_t *entries;
    uint32_t entry_size;
    uint32_t count;
    /* How many entries have been written, in the 24 bits that the program counts with. */
    uint32_t producer;
    /* What the program has consumed, and how it asks for an event; NULL if it has none. */
    uint32_t *doorbell;
    /* Whether an event is to be raised, when there is an entry that the program had not seen when it asked. */
    bool armed;
    uint32_t armed_at;
    struct card_channel *channel;
    uint64_t cookie;
    /* Whether the event is raised and not read, and the one that was raised after it. */
    bool raised;
    struct card_cq *next_raised;
};

/* What is told of a request that has ended. */
struct card_completion {
    /* One of rdma-core's MLX5_CQE_... */
    int kind;
    uint32_t qp;
    uint32_t user_index;
    uint8_t opcode;
    uint16_t counter;
    uint32_t bytes;
    /* As in the request: big-endian. */
    uint32_t immediate;
    int syndrome;
    int vendor;
};

/* Makes a completion queue of a CARD_CREATE_CQ command, with the lock held; NULL if there is no memory for it. */
struct mlx5dv_devx_obj *card_create_cq(const void *in);

void card_free_cq(struct mlx5dv_devx_obj *object);

/* Writes a completion into a queue, with the lock held, and raises the event that was asked for. */
void card_complete(uint32_t cq, const struct card_completion *completion);

/* Raises the event of a queue if the program has asked for it meanwhile, with the lock held. */
void card_check_arming(struct mlx5dv_devx_obj *object);

/* Forgets a channel, with the lock held. */
void card_unsubscribe(struct card_channel *channel);

#endif
