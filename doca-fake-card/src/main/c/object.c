/* SPDX-License-Identifier: Apache-2.0 */
#include "engine.h"
#include "object.h"
#include "peer.h"

#define BUCKETS 1024
#define LAST_NUMBER 0xffffff

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

/* Guarded by the lock. */
static struct mlx5dv_devx_obj *buckets[CARD_KINDS][BUCKETS];
static uint32_t last_number[CARD_KINDS];

/*
 * The child of a fork has the objects, in memory of its own, but neither the engine nor the state shared with other
 * processes.
 */
static void
after_fork_in_child(void) {
    pthread_mutex_init(&lock, NULL);
    card_forget_peers();
    card_restart_engine();
}

static void
watch_forks(void) {
    pthread_atfork(card_lock, card_unlock, after_fork_in_child);
}

void
card_lock(void) {
    pthread_once(&fork_once, watch_forks);
    pthread_mutex_lock(&lock);
}

void
card_unlock(void) {
    pthread_mutex_unlock(&lock);
}

static struct mlx5dv_devx_obj **
bucket(enum card_kind kind, uint32_t number) {
    return &buckets[kind][number % BUCKETS];
}

uint32_t
card_new_number(enum card_kind kind) {
    /* Queue pairs have 16 bits of their own: the others identify their process. */
    const uint32_t last = kind == CARD_KIND_QP ? LAST_NUMBER >> CARD_SLOT_BITS : LAST_NUMBER;
    const uint32_t prefix = kind == CARD_KIND_QP ? card_slot() << (24 - CARD_SLOT_BITS) : 0;
    uint32_t number;
    do {
        last_number[kind] = last_number[kind] == last ? 1 : last_number[kind] + 1;
        number = prefix | last_number[kind];
    } while (card_find_object(kind, number) != NULL);
    return number;
}

void
card_add_object(struct mlx5dv_devx_obj *object) {
    struct mlx5dv_devx_obj **first = bucket(object->kind, object->number);
    object->next = *first;
    *first = object;
}

void
card_remove_object(struct mlx5dv_devx_obj *object) {
    struct mlx5dv_devx_obj **link = bucket(object->kind, object->number);
    while (*link != object) {
        link = &(*link)->next;
    }
    *link = object->next;
}

struct mlx5dv_devx_obj *
card_find_object(enum card_kind kind, uint32_t number) {
    struct mlx5dv_devx_obj *object = *bucket(kind, number);
    while (object != NULL && object->number != number) {
        object = object->next;
    }
    return object;
}

void
card_for_each_object(enum card_kind kind, void (*function)(struct mlx5dv_devx_obj *object)) {
    for (unsigned int i = 0; i < BUCKETS; i++) {
        for (struct mlx5dv_devx_obj *object = buckets[kind][i]; object != NULL; object = object->next) {
            function(object);
        }
    }
}
