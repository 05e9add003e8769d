/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The posted receives of a context: a ring in its link, from which peers take the first one. A word of each receive names
 * its taker, so nothing is lost if a peer is killed.
 */
#ifndef DOCA_EMULATOR_RDMA_RECEIVE_QUEUE_H_
#define DOCA_EMULATOR_RDMA_RECEIVE_QUEUE_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

#include "rdma/link.h"
#include "rdma/task.h"

/* The owner's side, used by the thread of the program. */
struct receive_queue {
    struct link_block *block;
    /* A copy of the link's header, because peers may alter the block. */
    const struct link_header *header;
    /* Indexed by number, like the ring in the block. */
    struct rdma_task **tasks;
    /* Receives that were posted while their entry of the ring was still occupied, in order. */
    struct task_list waiting;
    /* The maximum number of posted receives. */
    uint32_t limit;
    uint32_t num_posted;
    /* The number of the next receive, and of the first that was not reported. */
    uint32_t next;
    uint32_t first;
    uint64_t takers_looked_at;
};

doca_error_t rdma_receive_queue_create(struct receive_queue *queue, struct link *link, uint32_t limit);
void rdma_receive_queue_destroy(struct receive_queue *queue);

/* Counts the receive as posted. Returns AGAIN if the maximum is reached. */
doca_error_t rdma_receive_queue_reserve(struct receive_queue *queue, const struct rdma_task *task);

/* Uncounts a receive that will not be posted. */
void rdma_receive_queue_return(struct receive_queue *queue);

/* Lets peers take a counted receive. */
void rdma_receive_queue_post(struct receive_queue *queue, struct rdma_task *task);

/* Returns the next receive that has a message or fails; NULL if there is none. */
struct rdma_task *rdma_receive_queue_next(struct receive_queue *queue, struct doca_rdma *rdma);

/*
 * Returns whether rdma_receive_queue_next() would find a receive. If a peer may have died, sets the time of the next
 * check.
 */
bool rdma_receive_queue_has_work(struct receive_queue *queue, uint64_t *look_again);

/*
 * Takes the next remaining receive, with or without a message, once peers have left the memory; NULL if none remains.
 */
struct rdma_task *rdma_receive_queue_drain(struct receive_queue *queue, struct doca_rdma *rdma);

/* Discards all tasks, which belong to another process, and does not change the ring. */
void rdma_receive_queue_abandon(struct receive_queue *queue);

/* Returns whether a message of that connection was not reported. */
bool rdma_receive_queue_has_message(const struct receive_queue *queue, uint32_t connection_serial);

/*
 * Fails the receives that the peer of that connection has taken and not filled. The peer no longer accesses the
 * memory.
 */
void rdma_receive_queue_forget_taker(struct receive_queue *queue, const struct doca_rdma_connection *taker);

/*
 * The peer's side, called by any thread.
 */

/* A receive that was taken. */
struct taken_receive {
    struct link_receive *receive;
    uint32_t number;
    uint32_t slot;
    /* The size of its memory. */
    uint64_t room;
};

/* Returns whether a receive can be taken. */
bool rdma_receive_is_posted(struct remote_link *remote);

/* Takes the first posted receive for the connection in that slot of the owner. Returns false if there is none. */
bool rdma_receive_take(struct remote_link *remote, uint32_t slot, struct taken_receive *taken);

/* Returns a range of its memory; len is 0 if there is no such range. */
struct link_extent rdma_receive_extent(
        const struct remote_link *remote, const struct taken_receive *taken, uint32_t index);

/* A received message. */
struct received {
    enum doca_rdma_opcode opcode;
    doca_be32_t immediate;
    uint64_t len;
    bool failed;
};

void rdma_receive_complete(
        struct remote_link *remote, const struct taken_receive *taken, const struct received *received);

#endif /* DOCA_EMULATOR_RDMA_RECEIVE_QUEUE_H_ */
