/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_KEY_H
#define CARD_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "object.h"
#include "peer.h"

/* A memory key. Guarded by card_lock(). */
struct card_key {
    struct mlx5dv_devx_obj object;
    /* Number and variant, as in requests. */
    uint32_t key;
    uint64_t start;
    uint64_t length;
    bool local_write;
    bool remote_read;
    bool remote_write;
    bool remote_atomic;
    /* For a direct key: the memory at its start. */
    uint32_t umem;
    uint64_t umem_offset;
    /* For an indirect key: its entries, as in the command. */
    uint8_t *entries;
    uint32_t entry_count;
    /* For a key of another function: the export. */
    const struct card_export *source;
    /* The exports of this key to other functions. */
    struct card_export_list exports;
};

/* The kind of access of a request to the memory of a key. */
enum card_access {
    /* Reads and writes of the program that posted the request. */
    CARD_LOCAL_READ,
    CARD_LOCAL_WRITE,
    /* Reads and writes of a peer. */
    CARD_REMOTE_READ,
    CARD_REMOTE_WRITE,
    /* Both halves of an atomic operation. */
    CARD_ATOMIC_READ,
    CARD_ATOMIC_WRITE,
};

/* Creates a key for a CARD_CREATE_MKEY command; NULL if there is no memory for it. Call it with the lock held. */
struct mlx5dv_devx_obj *card_create_key(const void *in, size_t in_size);

/* Creates a key for the export of another function, with the lock held. */
struct mlx5dv_devx_obj *card_create_alias(const struct card_export *source);

/* Lets other functions use a key, with the lock held. Returns 0 or an errno. */
int card_export_key(uint32_t number, uint32_t vhca, const uint8_t *access_key);

/*
 * Creates the key of a memory region: a part of registered memory, that requests address from the given start, with rights
 * from IBV_ACCESS_... NULL if there is no memory for it. Call it with the lock held.
 */
struct mlx5dv_devx_obj *card_create_region_key(uint32_t umem, uint64_t length, uint64_t start, unsigned int access);

/*
 * Executes a request of a send queue that changes a key. Returns 0 or the syndrome with which the request fails. Call it
 * with the lock held.
 */
int card_change_key(uint32_t key, const uint8_t *request, size_t size);

void card_free_key(struct mlx5dv_devx_obj *object);

/*
 * Moves bytes between a buffer and the memory of a key, which is read or written depending on the access. Returns 0
 * or the syndrome of the completion with which the request fails. Call it with the lock held.
 */
int card_transfer(uint32_t key, uint64_t address, uint64_t length, void *buffer, enum card_access access);

#endif
