/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links between the RDMA contexts of all processes of a user. A running context has a link: an anonymous file with its
 * posted receives and a slot for each of its connections, which peers map. A connection descriptor names the file, the
 * slot, and the secrets of both; the program passes it to the peer. Both run on one machine, and its byte order is used.
 */
#ifndef DOCA_EMULATOR_RDMA_LINK_H_
#define DOCA_EMULATOR_RDMA_LINK_H_

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "common/descriptor.h"
#include "common/peer_memory.h"
#include "common/process.h"
#include "common/share.h"
#include "rdma/node.h"

#define LINK_BLOCK_MAGIC "DOCAEMUL"
/* The version of both layouts. */
#define LINK_VERSION 5

/* The MTU of a context whose program has set none. */
#define LINK_ANY_MTU UINT32_MAX

/* Distinguishes one connection of one run of a context from all others. */
struct link_end {
    uint8_t link[SHARE_NONCE_SIZE];
    uint8_t secret[SHARE_NONCE_SIZE];
};

/* The descriptor that doca_rdma_export() returns and rdma_cm sends. There is no padding. */
struct link_descriptor {
    struct descriptor_head head;
    struct link_end end;
    /* The file of the link. */
    uint64_t block_size;
    int32_t pid;
    int32_t fd;
    /* The effective user. */
    uint32_t user;
    uint32_t slot;
};

_Static_assert(sizeof(struct link_descriptor) == 80, "padding is not initialized");

enum link_slot_state {
    LINK_SLOT_FREE,
    /* The connection exists and does not know its peer yet. */
    LINK_SLOT_OPEN,
    /* The peer is known. Operations are executed once the peer's slot has the same state. */
    LINK_SLOT_CONNECTED,
    /* The owner has ended the connection, and reuses the slot once the peer no longer accesses the memory. */
    LINK_SLOT_CLOSED,
};

/* One connection, written by the owner of the link. */
struct link_slot {
    alignas(64) _Atomic uint32_t state;
    /* The connection, as the owner identifies it. */
    uint32_t connection_serial;
    /*
     * The lower half is nonzero while the peer executes an operation on memory of the owner. The upper half is a part of the
     * secret, so that the peer of an earlier connection in the slot changes nothing. The peer changes it only by
     * link_slot_add_users().
     */
    _Atomic uint64_t users;
    uint8_t secret[SHARE_NONCE_SIZE];
    /* Valid while CONNECTED. */
    struct link_end peer;
};

/* A range of the memory of the owner. */
struct link_extent {
    uint64_t addr;
    uint64_t len;
};

enum link_receive_state {
    /* The owner may use it. */
    LINK_RECEIVE_NONE,
    LINK_RECEIVE_POSTED,
    /* A peer writes to the memory. */
    LINK_RECEIVE_TAKEN,
    LINK_RECEIVE_DONE,
};

/* The failure of a completed receive. */
enum link_receive_failure {
    LINK_RECEIVE_WHOLE,
    /* The peer could not send the whole message; its send has failed too. */
    LINK_RECEIVE_FAILED,
    /* The peer has ended before it had written the whole message. */
    LINK_RECEIVE_ABANDONED,
};

/* A posted receive. In the file it is followed by as many extents as a list may have. */
struct link_receive {
    /* The number of the receive, the slot of the connection that has taken it, and the state. */
    alignas(16) _Atomic uint64_t word;
    /* Written by the owner. */
    uint32_t num_extents;
    /* Written by the peer that has taken it. */
    uint32_t opcode;
    uint64_t len;
    uint32_t immediate;
    uint32_t connection_serial;
    /* An enum link_receive_failure. */
    uint32_t failure;
    uint32_t reserved;
    struct link_extent extents[];
};

/* Constant once the first descriptor has been returned. */
struct link_header {
    char magic[SHARE_MAGIC_SIZE];
    uint32_t version;
    uint32_t num_slots;
    uint64_t size;
    uint8_t nonce[SHARE_NONCE_SIZE];
    /* The owner's process. */
    struct node_descriptor node;
    /* The permissions of peers, as passed to doca_rdma_set_permissions(). */
    uint32_t permissions;
    uint32_t num_receives;
    uint32_t receive_size;
    uint32_t max_extents;
    /* An enum gid_type: the protocol of connections by descriptors. */
    uint32_t gid_type;
    /* An enum doca_mtu_size, or LINK_ANY_MTU. */
    uint32_t mtu;
    uint64_t receives_offset;
};

struct link_block {
    struct link_header header;
    /* Nonzero as long as the context runs. */
    alignas(64) _Atomic uint32_t is_live;
    /* Nonzero while the owner sleeps until its node is woken. */
    _Atomic uint32_t is_waiting;
    /* The next receive to be taken. */
    alignas(64) _Atomic uint32_t next_receive;
    struct link_slot slots[];
};

struct link_layout {
    uint32_t num_slots;
    uint32_t num_receives;
    uint32_t max_extents;
    uint32_t permissions;
    uint32_t gid_type;
    uint32_t mtu;
};

/*
 * The link of a context of this process. Peers can write anything to the block, so the owner keeps its own state here and
 * checks everything that it reads from the block.
 */
struct link {
    struct link_block *block;
    struct link_header header;
    /* A ring of the free slots, so that the one that has been free for the longest time is taken next. */
    uint32_t *free_slots;
    uint32_t first_free_slot;
    uint32_t num_free_slots;
    int fd;
    unsigned int generation;
};

/* The link of a peer, which may be in this process. */
struct remote_link {
    struct link_block *block;
    /* A checked copy, because another process may change the block itself at any time. */
    struct link_header header;
    struct node *node;
    uint32_t num_users;
    struct remote_link *next;
};

doca_error_t rdma_link_create(
        const struct link_layout *layout, const struct node_descriptor *node, struct link *link);

/* Marks the context as not running for peers. Operations in progress on its memory continue. */
void rdma_link_close(struct link *link);

void rdma_link_destroy(struct link *link);

/* Takes a free slot. Returns its index, or -1. */
int64_t rdma_link_take_slot(struct link *link, uint32_t connection_serial);

/* Returns whether this is a forked copy: the link belongs to the parent. */
bool rdma_link_is_inherited(const struct link *link);

/* Fills in the descriptor of the connection in a slot, for the peer. */
void rdma_link_describe(const struct link *link, uint32_t slot, struct link_descriptor *descriptor);

/* Records the peer in the slot. */
void rdma_link_connect_slot(struct link *link, uint32_t slot, const struct link_end *peer);

/* Ends the connection of the slot. A peer that accesses the memory already may not have finished. */
void rdma_link_close_slot(struct link *link, uint32_t slot);

/* Frees a slot whose peer, if any, no longer accesses the memory. */
void rdma_link_free_slot(struct link *link, uint32_t slot);

/* Reads a descriptor that is complete and consistent. Otherwise returns CONNECTION_ABORTED. */
doca_error_t rdma_link_read_descriptor(const void *bytes, size_t size, struct link_descriptor *descriptor);

/* Maps the peer's link, unless it is mapped already. Returns CONNECTION_ABORTED if it has ended. */
doca_error_t rdma_remote_link_open(
        struct remote_link **known, const struct link_descriptor *descriptor, struct remote_link **remote);

void rdma_remote_link_close(struct remote_link **known, struct remote_link *remote);

/* Returns the `users` of a slot with this secret and no user. */
static inline uint64_t
link_slot_no_users(const uint8_t secret[SHARE_NONCE_SIZE]) {
    uint32_t part;
    __builtin_memcpy(&part, secret, sizeof(part));
    return (uint64_t)part << 32;
}

/* Returns whether the slot has users. A number that was not written for that secret counts as none. */
static inline bool
link_slot_has_users(const struct link_slot *slot, const uint8_t secret[SHARE_NONCE_SIZE]) {
    const uint64_t difference = atomic_load(&slot->users) ^ link_slot_no_users(secret);
    return difference != 0 && difference >> 32 == 0;
}

/* Adds to the number of users of a slot. Returns false if the slot has another secret by now, and changes nothing then. */
static inline bool
link_slot_add_users(struct link_slot *slot, const uint8_t secret[SHARE_NONCE_SIZE], int32_t number) {
    const uint64_t none = link_slot_no_users(secret);
    uint64_t users = atomic_load(&slot->users);
    do {
        if ((users ^ none) >> 32 != 0) {
            return false;
        }
    } while (!atomic_compare_exchange_weak(&slot->users, &users, none | ((uint32_t)users + (uint32_t)number)));
    return true;
}

static inline bool
link_end_equals(const struct link_end *a, const struct link_end *b) {
    return __builtin_memcmp(a, b, sizeof(*a)) == 0;
}

/* The layout of the word: 32 bits for the number of the receive, 16 for the slot, 8 for the state. */
static inline uint64_t
link_receive_word(uint32_t number, enum link_receive_state state, uint32_t slot) {
    return (uint64_t)number << 32 | (uint64_t)(slot & UINT16_MAX) << 8 | state;
}

static inline uint32_t
link_receive_number(uint64_t word) {
    return (uint32_t)(word >> 32);
}

static inline uint32_t
link_receive_slot(uint64_t word) {
    return (uint32_t)(word >> 8) & UINT16_MAX;
}

static inline enum link_receive_state
link_receive_state(uint64_t word) {
    return (enum link_receive_state)(word & UINT8_MAX);
}

static inline struct link_receive *
link_receive_at(struct link_block *block, const struct link_header *header, uint32_t number) {
    return (struct link_receive *)((uint8_t *)block + header->receives_offset +
                                   (size_t)(number & (header->num_receives - 1)) * header->receive_size);
}

#endif /* DOCA_EMULATOR_RDMA_LINK_H_ */
