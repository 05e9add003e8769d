/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOCA_COMPAT_RDMA_H_
#define DOCA_COMPAT_RDMA_H_

#include <doca_rdma.h>

#include "ctx.h"
#include "rdma_connection.h"

enum rdma_pool {
    RDMA_RECEIVE,
    RDMA_SEND,
    RDMA_SEND_IMM,
    RDMA_READ,
    RDMA_WRITE,
    RDMA_WRITE_IMM,
    RDMA_ATOMIC_CMP_SWP,
    RDMA_ATOMIC_FETCH_ADD,
    RDMA_NUM_POOLS,
};

/* The properties of the old SDK's object; they are set again when that object is replaced. */
#define RDMA_PROPERTIES(F) \
    F(permissions) F(transport_type) F(mtu) F(grh_enabled) F(gid_index) F(sl) F(send_queue_size) F(recv_queue_size) \
    F(recv_buf_chain_len)

#define RDMA_PROPERTY(name) \
    struct { \
        uint32_t value; \
        bool is_set; \
    } name;

struct rdma_properties {
    RDMA_PROPERTIES(RDMA_PROPERTY)
};

struct rdma_copies;

struct doca_rdma {
    struct doca_ctx ctx;
    struct task_pool pools[RDMA_NUM_POOLS];
    struct old_rdma *old;
    struct doca_dev *dev;
    struct doca_rdma_connection connection;
    struct rdma_properties properties;
    /* True after receives were flushed: the old SDK does not free their entries, so the next start replaces its object. */
    bool is_worn;
    /* The requested number of elements of a list to send; 0 for the maximum. */
    uint32_t max_send_buf_list_len;
    /* Inventories of the copies of buffers that jobs fill, the largest first. */
    struct rdma_copies *copies;
    /* The buffer by which a stop has broken the connection; NULL if no stop did. */
    struct {
        struct doca_mmap *mmap;
        struct doca_buf_inventory *inventory;
        struct doca_buf *buf;
    } drain;
};

/* Copies the properties of the previous object of the old SDK to a new one. */
doca_error_t rdma_restore_properties(const struct doca_rdma *rdma, struct old_rdma *old_rdma);

#endif /* DOCA_COMPAT_RDMA_H_ */
