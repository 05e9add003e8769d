/* SPDX-License-Identifier: Apache-2.0 */
#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>

#include "copy.h"
#include "interface.h"
#include "key.h"
#include "log.h"

#define REQUEST_BYTES 64
/* The highest bit of a length is a flag. */
#define LENGTH_MASK 0x7fffffffu

/* Holds the bytes between reading and writing. Grows, and is guarded by card_lock(). */
static char *between;
static size_t between_size;

static char *
reserve(size_t size) {
    if (size > between_size) {
        free(between);
        between = malloc(size);
        between_size = between == NULL ? 0 : size;
    }
    return between;
}

int
card_copy(const struct card_qp *qp, uint32_t *bytes) {
    char request[REQUEST_BYTES];
    card_read_send(qp, request, sizeof(request));
    const struct mlx5_wqe_data_seg *source = (const struct mlx5_wqe_data_seg *)(request + CARD_MMO_SOURCE_BYTE);
    const struct mlx5_wqe_data_seg *target = (const struct mlx5_wqe_data_seg *)(request + CARD_MMO_TARGET_BYTE);
    const uint32_t length = be32toh(source->byte_count) & LENGTH_MASK;
    const uint32_t room = be32toh(target->byte_count) & LENGTH_MASK;
    card_log(CARD_LOG_REQUESTS, "copy of %u bytes from 0x%lx of key %08x to 0x%lx of key %08x with room for %u", length,
             (unsigned long)be64toh(source->addr), be32toh(source->lkey), (unsigned long)be64toh(target->addr),
             be32toh(target->lkey), room);
    if (length == 0) {
        return MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR;
    }
    if (room < length) {
        return MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR;
    }
    char *buffer = reserve(length);
    if (buffer == NULL) {
        card_log(CARD_LOG_FAULTS, "there is no memory to copy %u bytes", length);
        return MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR;
    }
    int syndrome = card_transfer(be32toh(source->lkey), be64toh(source->addr), length, buffer, CARD_LOCAL_READ);
    if (syndrome == 0) {
        syndrome = card_transfer(be32toh(target->lkey), be64toh(target->addr), length, buffer, CARD_LOCAL_WRITE);
    }
    *bytes = length;
    return syndrome;
}
