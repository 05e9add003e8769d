/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_OBJECT_H
#define CARD_OBJECT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * All objects that a program creates on the card in this process, found by their numbers. One lock guards all of it:
 * the table, the objects, and the engine's work on them.
 */

enum card_kind {
    CARD_KIND_MEMORY,
    CARD_KIND_KEY,
    CARD_KIND_CQ,
    CARD_KIND_QP,
    CARD_KIND_RECEIVE_POOL,
    /* Objects that the card records without acting on them. */
    CARD_KIND_OTHER,
    CARD_KINDS,
};

/* The start of each kind of object. Guarded by card_lock(). */
struct mlx5dv_devx_obj {
    enum card_kind kind;
    uint32_t number;
    struct mlx5dv_devx_obj *next;
};

void card_lock(void);
void card_unlock(void);

/* A number for a new object, from 1 on; the numbers of each kind are 24 bits long. Call it with the lock held. */
uint32_t card_new_number(enum card_kind kind);

/* Adds an object, whose kind and number are set, with the lock held. */
void card_add_object(struct mlx5dv_devx_obj *object);

/* Removes an object, with the lock held. It is not freed. */
void card_remove_object(struct mlx5dv_devx_obj *object);

/* The object of a kind and number, or NULL, with the lock held. */
struct mlx5dv_devx_obj *card_find_object(enum card_kind kind, uint32_t number);

/* Calls a function for each object of a kind, with the lock held. It must not remove objects. */
void card_for_each_object(enum card_kind kind, void (*function)(struct mlx5dv_devx_obj *object));

#endif
