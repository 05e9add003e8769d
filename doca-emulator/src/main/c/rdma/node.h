/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process with RDMA contexts, as others of the same user see it: the place of its memory, the locks of atomic
 * operations on that memory, and the bell that wakes it.
 */
#ifndef DOCA_EMULATOR_RDMA_NODE_H_
#define DOCA_EMULATOR_RDMA_NODE_H_

#include <stdint.h>

#include <doca_error.h>

#include "common/peer_memory.h"
#include "common/process.h"

struct node;
struct doca_rdma;

/* How to find a node. There is no padding. */
struct node_descriptor {
    struct peer_place place;
    /* Of its file in its process. */
    int32_t fd;
    uint32_t reserved;
};

#endif /* DOCA_EMULATOR_RDMA_NODE_H_ */
