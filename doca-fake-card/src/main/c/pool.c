/* SPDX-License-Identifier: Apache-2.0 */
#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "interface.h"
#include "log.h"
#include "memory.h"
#include "pool.h"

struct card_pool {
    struct mlx5dv_devx_obj object;
    /* NULL if the program gave no valid memory. */
    const uint8_t *receives;
    const uint32_t *doorbell;
    uint32_t count;
    uint32_t stride;
    /* True if each receive starts with a segment that contains the index of its successor. */
    bool linked;
    /* The number of receives taken, and the place of the next. */
    uint16_t counter;
    uint16_t next;
};

struct mlx5dv_devx_obj *
card_create_pool(const void *in) {
    struct card_pool *pool = calloc(1, sizeof(*pool));
    if (pool == NULL) {
        return NULL;
    }
    pool->object.kind = CARD_KIND_RECEIVE_POOL;
    pool->object.number = card_new_number(CARD_KIND_RECEIVE_POOL);
    pool->linked = card_bits(in, CARD_POOL_TYPE, 4) == CARD_POOL_TYPE_LINKED;
    pool->stride = 1u << card_bits(in, CARD_POOL_LOG_STRIDE, 4);
    pool->count = 1u << card_bits(in, CARD_POOL_LOG_RECEIVES, 5);
    pool->doorbell = card_memory_at((uint32_t)card_bits(in, CARD_POOL_DOORBELL_UMEM, 32),
                                    card_bits(in, CARD_POOL_DOORBELL_OFFSET, 64));
    pool->receives = card_memory_at((uint32_t)card_bits(in, CARD_POOL_UMEM, 32), card_bits(in, CARD_POOL_UMEM_OFFSET, 64));
    card_log(CARD_LOG_COMMANDS, "receive pool %u: %u %s receives of %u bytes", pool->object.number, pool->count,
             pool->linked ? "linked" : "consecutive", pool->stride);
    return &pool->object;
}

struct card_pool *
card_find_pool(uint32_t number) {
    return (struct card_pool *)card_find_object(CARD_KIND_RECEIVE_POOL, number);
}

static uint32_t
link_bytes(const struct card_pool *pool) {
    return pool->linked ? sizeof(struct mlx5_wqe_srq_next_seg) : 0;
}

uint32_t
card_pool_receive_bytes(const struct card_pool *pool) {
    return pool->stride - link_bytes(pool);
}

static const uint8_t *
next_place(const struct card_pool *pool) {
    return pool->receives + (size_t)(pool->next & (pool->count - 1)) * pool->stride;
}

const uint8_t *
card_next_of_pool(const struct card_pool *pool) {
    if (pool->doorbell == NULL || pool->receives == NULL ||
        (uint16_t)be32toh(__atomic_load_n(pool->doorbell, __ATOMIC_ACQUIRE)) == pool->counter) {
        return NULL;
    }
    return next_place(pool) + link_bytes(pool);
}

uint16_t
card_take_from_pool(struct card_pool *pool) {
    const uint16_t taken = pool->next;
    pool->counter++;
    if (pool->linked) {
        struct mlx5_wqe_srq_next_seg link;
        memcpy(&link, next_place(pool), sizeof(link));
        pool->next = be16toh(link.next_wqe_index);
    } else {
        pool->next++;
    }
    return taken;
}
