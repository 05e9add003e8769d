/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The posted receives of a context: a ring in its link, from which peers take the first one. A word of each says who
 * has taken it, so nothing is lost when a peer is killed at any time.
 */
#ifndef DOCA_EMULATOR_RDMA_RECEIVE_QUEUE_H_
#define DOCA_EMULATOR_RDMA_RECEIVE_QUEUE_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

#include "rdma/link.h"
#include "rdma/task.h"

/* The owner's side. For the thread of the program. */
struct receive_queue {
    struct link_block *block;
    /* Of the link: what the block says of itself may be altered by peers. */
    const struct link_header *header;
    /* By number, as the ring in the block. */
    struct rdma_task **tasks;
    /* Posted while something else is in their place of the ring still, in order. */
    struct task_list waiting;
    /* How many may be posted at a time, those included that were submitted and not flushed. */
    uint32_t limit;
    uint32_t num_posted;
    /* The number of the next receive, and of the first that was not reported. */
    uint32_t next;
    uint32_t first;
    uint64_t takers_looked_at;
};

doca_error_t rdma_receive_queue_create(struct receive_queue *queue, struct link *link, uint32_t limit);
void rdma_receive_queue_destroy(struct receive_queue *queue);

/* Counts the receive as posted: AGAIN when there are as many as may be. */
doca_error_t rdma_receive_queue_reserve(struct receive_queue *queue, const struct rdma_task *task);

/* One that was counted will not be posted. */
void rdma_receive_queue_return(struct receive_queue *queue);

/* Lets peers take one that was counted. */
void rdma_receive_queue_post(struct receive_queue *queue, struct rdma_task *task);

/* The next receive that has a message, or that fails; NULL when there is none. */
struct rdma_task *rdma_receive_queue_next(struct receive_queue *queue, struct doca_rdma *rdma);

/* Returns whether that function would find something; if only a peer may have died, at that time it would. */
bool rdma_receive_queue_has_work(struct receive_queue *queue, uint64_t *look_again);

/* Takes what is left, messages or not, when peers are out of the memory; NULL when there is no more. */
struct rdma_task *rdma_receive_queue_drain(struct receive_queue *queue, struct doca_rdma *rdma);

/* Forgets all tasks, which are another process', and leaves the ring alone. */
void rdma_receive_queue_abandon(struct receive_queue *queue);

/* Returns whether a message has come by that connection that was not reported. */
bool rdma_receive_queue_has_message(const struct receive_queue *queue, uint32_t connection_id);

/* What the peer of that connection has taken and not filled fails. It is not at the memory any more. */
void rdma_receive_queue_forget_taker(struct receive_queue *queue, const struct doca_rdma_connection *taker);

/*
 * The peer's side. From any thread.
 */

/* A receive that was taken. */
struct taken_receive {
    struct link_receive *receive;
    uint32_t number;
    uint32_t slot;
    /* The size of its memory. */
    uint64_t room;
};

/* Returns whether there is one to be taken. */
bool rdma_receive_is_posted(struct remote_link *remote);

/* The first posted one, for the connection in that slot of the owner; false when there is none. */
bool rdma_receive_take(struct remote_link *remote, uint32_t slot, struct taken_receive *taken);

/* A range of its memory; len is 0 when there is no such range. */
struct link_extent rdma_receive_extent(
        const struct remote_link *remote, const struct taken_receive *taken, uint32_t index);

/* The message that it has received. */
struct received {
    enum doca_rdma_opcode opcode;
    doca_be32_t immediate;
    uint64_t len;
    bool failed;
};

void rdma_receive_complete(
        struct remote_link *remote, const struct taken_receive *taken, const struct received *received);

#endif /* DOCA_EMULATOR_RDMA_RECEIVE_QUEUE_H_ */
