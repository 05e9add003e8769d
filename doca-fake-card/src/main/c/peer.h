/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_PEER_H
#define CARD_PEER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "interface.h"

/*
 * The shared state of processes on one machine. They meet in a folder: each takes a slot there, which numbers its
 * functions and its queue pairs, publishes the keys that it exports as files, and has a socket for requests of the
 * queue pairs of others. All functions are called with card_lock() held, which guards their state.
 */

enum {
    /* Of the 24 bits of a queue pair's number. */
    CARD_SLOT_BITS = 8,
    CARD_SLOTS = 1 << CARD_SLOT_BITS,
};

/* The slot of this process, taken by the first call. The process exits if none is free. */
uint32_t card_slot(void);

/* The number of a function in other processes. */
uint32_t card_vhca(int function);

/* The slot of the process that has a queue pair. */
static inline uint32_t
card_slot_of_qp(uint32_t qp) {
    return qp >> (24 - CARD_SLOT_BITS);
}

/* Returns whether a process has a slot. */
bool card_peer_lives(uint32_t slot);

/* Runs in the child of a fork: drops the slot, exports and socket of its parent. */
void card_forget_peers(void);

/* A key that others may use. Constant except for the first field, as it lies in a file that they map. */
struct card_export {
    /* Cleared when the key is destroyed. */
    _Atomic uint32_t alive;
    int32_t process;
    uint32_t key;
    uint32_t writable;
    uint64_t start;
    uint64_t length;
    /* The address of the start in the process. */
    uint64_t memory;
    uint8_t access_key[CARD_ACCESS_KEY_BYTES];
};

/* The exports of a key. */
struct card_export_list {
    struct card_published_export *first;
};

/* Publishes a key under the number of its function and its own. Returns 0 or an errno. */
int card_publish_export(struct card_export_list *list, uint32_t vhca, uint32_t number, const struct card_export *export);

/* Ends the exports, and empties the list. */
void card_withdraw_exports(struct card_export_list *list);

/* Finds the export of a function: NULL with errno ENOENT, or EACCES if the access key differs. */
const struct card_export *card_acquire_export(uint32_t vhca, uint32_t number, const uint8_t *access_key);

/* Releases an export; may be NULL. */
void card_release_export(const struct card_export *export);

/* Opens the socket of this process, unless it is open. */
void card_open_socket(void);

/* Sends a message. Returns 0, EAGAIN if the receiver's socket is full, or ENOENT if it has none. */
int card_send(uint32_t slot, const void *message, size_t size);

/* Receives a message. Returns its size, or 0 if there is none. */
size_t card_receive(void *message, size_t size);

#endif
