/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_POOL_H
#define CARD_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "object.h"

/*
 * A receive pool: receives that several queue pairs take in turn. Guarded by card_lock(); receives and doorbell are memory of
 * the program, which writes it.
 */
struct card_pool;

/* Creates a pool for a CARD_CREATE_RECEIVE_POOL command, with the lock held; NULL if there is no memory for it. */
struct mlx5dv_devx_obj *card_create_pool(const void *in);

/* The pool of a number, or NULL, with the lock held. */
struct card_pool *card_find_pool(uint32_t number);

/* Returns the size of the segment list of each receive. */
uint32_t card_pool_receive_bytes(const struct card_pool *pool);

/* The segment list of the next receive, or NULL if none is posted. */
const uint8_t *card_next_of_pool(const struct card_pool *pool);

/* Removes the next receive. Returns the counter that its completion reports. */
uint16_t card_take_from_pool(struct card_pool *pool);

#endif
