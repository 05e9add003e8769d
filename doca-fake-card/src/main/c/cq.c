/* SPDX-License-Identifier: Apache-2.0 */
#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bits.h"
#include "channel.h"
#include "cq.h"
#include "interface.h"
#include "log.h"
#include "memory.h"

#define COUNTER_MASK 0xffffffu
/* A doorbell value that no program writes: no event was requested since the card last looked. */
#define NOT_ASKED UINT32_MAX

enum { CONSUMED, ASKED };

struct mlx5dv_devx_obj *
card_create_cq(const void *in) {
    struct card_cq *cq = calloc(1, sizeof(*cq));
    if (cq == NULL) {
        return NULL;
    }
    cq->object.kind = CARD_KIND_CQ;
    cq->object.number = card_new_number(CARD_KIND_CQ);
    cq->count = 1u << card_bits(in, CARD_CQ_LOG_ENTRIES, 5);
    cq->entry_size = card_bits(in, CARD_CQ_ENTRY_SIZE, 3) == 0 ? 64 : 128;
    cq->entries =
        card_memory_at((uint32_t)card_bits(in, CARD_CQ_UMEM, 32), card_bits(in, CARD_CQ_UMEM_OFFSET, 64));
    cq->doorbell = card_memory_at((uint32_t)card_bits(in, CARD_CQ_DOORBELL_UMEM, 32),
                                  card_bits(in, CARD_CQ_DOORBELL_OFFSET, 64));
    if (cq->doorbell != NULL) {
        __atomic_store_n(&cq->doorbell[ASKED], NOT_ASKED, __ATOMIC_RELEASE);
    }
    card_log(CARD_LOG_COMMANDS, "completion queue %u: %u entries of %u bytes", cq->object.number, cq->count,
             cq->entry_size);
    return &cq->object;
}

void
card_free_cq(struct mlx5dv_devx_obj *object) {
    struct card_cq *cq = (struct card_cq *)object;
    card_take_back(cq);
    free(cq);
}

/* The place of the next completion: the last 64 bytes of an entry. */
static uint8_t *
next_entry(const struct card_cq *cq) {
    if (cq->doorbell != NULL) {
        const uint32_t consumed = be32toh(__atomic_load_n(&cq->doorbell[CONSUMED], __ATOMIC_ACQUIRE));
        if (((cq->producer - consumed) & COUNTER_MASK) >= cq->count) {
            card_log(CARD_LOG_FAULTS, "completion queue %u has no free entry", cq->object.number);
        }
    }
    uint8_t *entry = cq->entries + (size_t)(cq->producer & (cq->count - 1)) * cq->entry_size;
    return entry + cq->entry_size - sizeof(struct mlx5_cqe64);
}

static uint64_t
now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void
card_complete(uint32_t number, const struct card_completion *completion) {
    struct card_cq *cq = (struct card_cq *)card_find_object(CARD_KIND_CQ, number);
    if (cq == NULL || cq->entries == NULL) {
        card_log(CARD_LOG_FAULTS, "there is no completion queue %u", number);
        return;
    }
    struct mlx5_cqe64 entry = {
        .srqn_uidx = htobe32(completion->user_index),
        .sop_drop_qpn = htobe32((uint32_t)completion->opcode << 24 | completion->qp),
        .wqe_counter = htobe16(completion->counter),
    };
    if (completion->kind == MLX5_CQE_REQ_ERR || completion->kind == MLX5_CQE_RESP_ERR) {
        struct mlx5_err_cqe *error = (struct mlx5_err_cqe *)&entry;
        error->vendor_err_synd = (uint8_t)completion->vendor;
        error->syndrome = (uint8_t)completion->syndrome;
    } else {
        entry.byte_cnt = htobe32(completion->bytes);
        entry.imm_inval_pkey = completion->immediate;
        entry.timestamp = htobe64(now_ns());
    }
    uint8_t *place = next_entry(cq);
    const bool odd_round = (cq->producer & cq->count) != 0;
    /* The program reads the entry as soon as its last byte shows that this round has written it. */
    memcpy(place, &entry, sizeof(entry) - 1);
    __atomic_store_n(place + sizeof(entry) - 1, (uint8_t)(completion->kind << 4 | odd_round), __ATOMIC_RELEASE);
    cq->producer = (cq->producer + 1) & COUNTER_MASK;
    card_log(CARD_LOG_REQUESTS, "completion queue %u: kind %d, queue pair 0x%x, counter %u, %u bytes, syndrome 0x%x",
             number, completion->kind, completion->qp, completion->counter, completion->bytes, completion->syndrome);
    card_check_arming(&cq->object);
}

void
card_check_arming(struct mlx5dv_devx_obj *object) {
    struct card_cq *cq = (struct card_cq *)object;
    if (cq->doorbell == NULL) {
        return;
    }
    if (__atomic_load_n(&cq->doorbell[ASKED], __ATOMIC_ACQUIRE) != NOT_ASKED) {
        const uint32_t asked = __atomic_exchange_n(&cq->doorbell[ASKED], NOT_ASKED, __ATOMIC_ACQ_REL);
        cq->armed = true;
        cq->armed_at = be32toh(asked) & COUNTER_MASK;
    }
    /* Sign-extended from 24 bits. */
    if (cq->armed && (int32_t)((cq->producer - cq->armed_at) << 8) > 0) {
        cq->armed = false;
        card_raise(cq);
    }
}

/* The channel being removed. Guarded by card_lock(). */
static struct card_channel *unsubscribed;

static void
unsubscribe(struct mlx5dv_devx_obj *object) {
    struct card_cq *cq = (struct card_cq *)object;
    if (cq->channel == unsubscribed) {
        card_take_back(cq);
        cq->channel = NULL;
    }
}

void
card_unsubscribe(struct card_channel *channel) {
    unsubscribed = channel;
    card_for_each_object(CARD_KIND_CQ, unsubscribe);
}
