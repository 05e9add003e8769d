/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process with RDMA contexts, as others of the same user see it: the location of its memory, the locks of atomic
 * operations on that memory, and a futex that wakes it. Each process has one while a context runs there.
 */
#ifndef DOCA_EMULATOR_RDMA_NODE_H_
#define DOCA_EMULATOR_RDMA_NODE_H_

#include <stdint.h>
#include <sys/queue.h>

#include <doca_error.h>

#include "common/pe.h"
#include "common/peer_memory.h"
#include "common/process.h"

struct node;

/* The location of a node. There is no padding. */
struct node_descriptor {
    struct peer_place place;
    /* The descriptor of its file in its process. */
    int32_t fd;
    /* The effective user. */
    uint32_t user;
};

/* Acquires the node of this process for one more context. */
doca_error_t rdma_node_acquire(struct node **node);

/* Finds the node of any process. Returns INVALID_VALUE if the process has ended. */
doca_error_t rdma_node_open(const struct node_descriptor *descriptor, struct node **node);

/* Releases a node of one of the two functions above. */
void rdma_node_release(struct node *node);

const struct node_descriptor *rdma_node_get_descriptor(const struct node *node);

/*
 * Lock an address of the node's memory against other atomic operations. A holder that dies does not keep the lock.
 * Returns IO_FAILED if the lock cannot be acquired.
 */
doca_error_t rdma_node_lock(struct node *node, uint64_t addr);
void rdma_node_unlock(struct node *node, uint64_t addr);

/* Wakes the listening progress engines of the node. May be called from any thread. */
void rdma_node_ring(struct node *node);

/* A progress engine of this process that a wake-up signals. */
struct node_listener {
    struct pe_queue *queue;
    /* See process_generation(). */
    unsigned int generation;
    TAILQ_ENTRY(node_listener) link;
};

void rdma_node_add_listener(struct node_listener *listener);
void rdma_node_remove_listener(struct node_listener *listener);

/*
 * Makes wake-ups of this process signal the listeners, by a thread that starts at the first use of its node. Returns false if
 * the thread cannot be started: then nothing signals them until a later call succeeds.
 */
bool rdma_node_listen(void);

#endif /* DOCA_EMULATOR_RDMA_NODE_H_ */
