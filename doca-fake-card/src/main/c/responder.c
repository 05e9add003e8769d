/* SPDX-License-Identifier: Apache-2.0 */
#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "cq.h"
#include "key.h"
#include "qp.h"
#include "responder.h"

#define FAILED_VENDOR 0x53
/* Ends the segment list of a receive that has room for more. */
#define END_OF_LIST 0x100

static bool
is_local(const struct card_message *request) {
    return request->process == getpid();
}

/* The data of a request: in place, or a copy of another process' data. NULL if it cannot be accessed. */
static char *
open_data(const struct card_message *request, bool fetch) {
    if (is_local(request)) {
        return (char *)(uintptr_t)request->data;
    }
    char *data = malloc(request->length == 0 ? 1 : request->length);
    struct iovec here = {.iov_base = data, .iov_len = request->length};
    struct iovec there = {.iov_base = (void *)(uintptr_t)request->data, .iov_len = request->length};
    if (data != NULL && fetch && request->length > 0 &&
        process_vm_readv(request->process, &here, 1, &there, 1, 0) != (ssize_t)request->length) {
        free(data);
        return NULL;
    }
    return data;
}

static bool
deliver_data(const struct card_message *request, char *data) {
    if (is_local(request)) {
        return true;
    }
    struct iovec here = {.iov_base = data, .iov_len = request->length};
    struct iovec there = {.iov_base = (void *)(uintptr_t)request->data, .iov_len = request->length};
    return process_vm_writev(request->process, &here, 1, &there, 1, 0) == (ssize_t)request->length;
}

static void
close_data(const struct card_message *request, char *data) {
    if (!is_local(request)) {
        free(data);
    }
}

/* Refuses a request, which breaks the connection. */
static int
refuse(struct card_qp *qp, int syndrome) {
    card_fail_qp(qp);
    return syndrome;
}

/* Writes data into the buffers of the next receive. Returns 0 or the syndrome with which the receive fails. */
static int
fill_receive(const struct card_qp *qp, const char *data, uint32_t length) {
    const uint8_t *parts = card_next_receive(qp);
    for (uint32_t i = 0; i < qp->receive_bytes / sizeof(struct mlx5_wqe_data_seg) && length > 0; i++) {
        struct mlx5_wqe_data_seg part;
        memcpy(&part, parts + i * sizeof(part), sizeof(part));
        if (be32toh(part.lkey) == END_OF_LIST) {
            break;
        }
        const uint32_t room = be32toh(part.byte_count);
        const uint32_t bytes = room < length ? room : length;
        const int syndrome = card_transfer(be32toh(part.lkey), be64toh(part.addr), bytes, (char *)data, CARD_LOCAL_WRITE);
        if (syndrome != 0) {
            return syndrome;
        }
        data += bytes;
        length -= bytes;
    }
    return length > 0 ? MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR : 0;
}

/* Takes a receive from the queue for a message. */
static int
receive(struct card_qp *qp, const struct card_message *request, int kind, int syndrome) {
    struct card_completion completion = {
        .kind = syndrome == 0 ? kind : MLX5_CQE_RESP_ERR,
        .bytes = request->length,
        .immediate = request->immediate,
        .syndrome = syndrome,
        .vendor = syndrome == 0 ? 0 : FAILED_VENDOR,
    };
    card_complete_receive(qp, &completion);
    return syndrome == 0 ? 0 : refuse(qp, MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR);
}

static int
respond_to_write(struct card_qp *qp, const struct card_message *request, char *data) {
    const bool permitted = request->length == 0 || qp->remote_write;
    if (!permitted ||
        card_transfer(request->remote_key, request->remote_address, request->length, data, CARD_REMOTE_WRITE) != 0) {
        return refuse(qp, MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR);
    }
    return request->opcode == MLX5_OPCODE_RDMA_WRITE ? 0 : receive(qp, request, MLX5_CQE_RESP_WR_IMM, 0);
}

static int
respond_to_read(struct card_qp *qp, const struct card_message *request, char *data) {
    const bool permitted = request->length == 0 || qp->remote_read;
    if (!permitted ||
        card_transfer(request->remote_key, request->remote_address, request->length, data, CARD_REMOTE_READ) != 0) {
        return refuse(qp, MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR);
    }
    return deliver_data(request, data) ? 0 : CARD_NO_RESPONDER;
}

static int
respond_to_atomic(struct card_qp *qp, const struct card_message *request, char *data) {
    uint64_t before;
    if (request->remote_address % sizeof(before) != 0) {
        return refuse(qp, MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR);
    }
    if (!qp->remote_atomic || card_transfer(request->remote_key, request->remote_address, sizeof(before), &before,
                                            CARD_ATOMIC_READ) != 0) {
        return refuse(qp, MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR);
    }
    uint64_t after = before + request->operand;
    if (request->opcode == MLX5_OPCODE_ATOMIC_CS) {
        after = before == request->compared ? request->operand : before;
    }
    if (card_transfer(request->remote_key, request->remote_address, sizeof(after), &after, CARD_ATOMIC_WRITE) != 0) {
        return refuse(qp, MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR);
    }
    memcpy(data, &before, sizeof(before));
    return deliver_data(request, data) ? 0 : CARD_NO_RESPONDER;
}

int
card_respond(const struct card_message *request) {
    struct card_qp *qp = card_find_qp(request->target_qp);
    if (qp == NULL || (qp->state != CARD_QP_READY_TO_RECEIVE && qp->state != CARD_QP_READY_TO_SEND)) {
        return CARD_NO_RESPONDER;
    }
    const bool sends = request->opcode == MLX5_OPCODE_SEND || request->opcode == MLX5_OPCODE_SEND_IMM;
    const bool writes = request->opcode == MLX5_OPCODE_RDMA_WRITE || request->opcode == MLX5_OPCODE_RDMA_WRITE_IMM;
    if ((sends || request->opcode == MLX5_OPCODE_RDMA_WRITE_IMM) && card_next_receive(qp) == NULL) {
        return CARD_NO_RECEIVE;
    }
    char *data = open_data(request, sends || writes);
    if (data == NULL) {
        return CARD_NO_RESPONDER;
    }
    int answer;
    if (sends) {
        answer = receive(qp, request,
                         request->opcode == MLX5_OPCODE_SEND ? MLX5_CQE_RESP_SEND : MLX5_CQE_RESP_SEND_IMM,
                         fill_receive(qp, data, request->length));
    } else if (writes) {
        answer = respond_to_write(qp, request, data);
    } else if (request->opcode == MLX5_OPCODE_RDMA_READ) {
        answer = respond_to_read(qp, request, data);
    } else {
        answer = respond_to_atomic(qp, request, data);
    }
    close_data(request, data);
    return answer;
}
