/* SPDX-License-Identifier: Apache-2.0 */
#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "copy.h"
#include "cq.h"
#include "engine.h"
#include "fake_card.h"
#include "interface.h"
#include "key.h"
#include "log.h"
#include "object.h"
#include "qp.h"
#include "rdma.h"
#include "settings.h"

#define PART_BYTES 16
#define MAX_PARTS 63
#define BLOCK_BYTES 64
/* Vendor syndromes: the device's for a flushed request, and the fake card's for all other failures. */
#define FLUSHED_VENDOR 0xf9
#define FAILED_VENDOR 0x53

/* True if the thread runs; true if it has executed a request in this round. Guarded by card_lock(). */
static bool running;
static bool worked;

/* Written by any thread, read by the engine; the two are independent. */
static _Atomic int held;
static _Atomic long budget = -1;
static _Atomic long executed;

/* Guarded by card_lock(): the number of requests up to the one that fails, 0 for none, and its error. */
static struct {
    long request;
    int syndrome;
    int vendor;
} failure;

void
fake_card_hold(int hold) {
    atomic_store(&held, hold);
    card_lock();
    card_unlock();
}

void
fake_card_budget(long requests) {
    atomic_store(&budget, requests);
}

void
fake_card_fail(long request, int syndrome, int vendor) {
    card_lock();
    failure.request = request;
    failure.syndrome = syndrome;
    failure.vendor = vendor;
    card_unlock();
}

long
fake_card_executed(void) {
    return atomic_load(&executed);
}

/* Returns whether the request about to be executed has to fail. */
static bool
is_failing(void) {
    return failure.request > 0 && --failure.request == 0;
}

/* Reports a completed request if it failed or requests a completion, and removes it from the queue. */
static void
end_request(struct card_qp *qp, const struct mlx5_wqe_ctrl_seg *control, int syndrome, int vendor, uint32_t bytes) {
    const uint32_t parts = be32toh(control->qpn_ds) & MAX_PARTS;
    const uint32_t blocks = (parts * PART_BYTES + BLOCK_BYTES - 1) / BLOCK_BYTES;
    struct card_completion completion = {
        .kind = syndrome == 0 ? MLX5_CQE_REQ : MLX5_CQE_REQ_ERR,
        .qp = qp->object.number,
        .user_index = qp->user_index,
        .opcode = (uint8_t)be32toh(control->opmod_idx_opcode),
        .counter = qp->send_counter,
        .bytes = bytes,
        .syndrome = syndrome,
        .vendor = vendor,
    };
    qp->send_counter = (uint16_t)(qp->send_counter + (blocks == 0 ? 1 : blocks));
    atomic_fetch_add(&executed, 1);
    if (syndrome != 0 || (control->fm_ce_se & MLX5_WQE_CTRL_CQ_UPDATE) != 0) {
        card_complete(qp->send_cq, &completion);
    }
    if (syndrome != 0) {
        card_fail_qp(qp);
    }
}

/* Reports the next request of a queue pair in the error state. */
static void
flush_next(struct card_qp *qp) {
    struct mlx5_wqe_ctrl_seg control;
    card_read_send(qp, &control, sizeof(control));
    end_request(qp, &control, MLX5_CQE_SYNDROME_WR_FLUSH_ERR, FLUSHED_VENDOR, 0);
}

void
card_flush_sends(struct card_qp *qp) {
    while (card_posted_sends(qp) != qp->send_counter) {
        flush_next(qp);
    }
}

/* Executes a request that changes a key. Returns 0 or a syndrome. */
static int
change_key(const struct card_qp *qp, const struct mlx5_wqe_ctrl_seg *control) {
    uint8_t request[MAX_PARTS * PART_BYTES];
    const size_t size = (size_t)(be32toh(control->qpn_ds) & MAX_PARTS) * PART_BYTES;
    card_read_send(qp, request, size);
    return card_change_key(be32toh(control->imm), request, size);
}

/* Executes the next request of a send queue. Returns false if none can be executed now. */
static bool
execute_next(struct card_qp *qp) {
    if ((qp->state != CARD_QP_READY_TO_SEND && qp->state != CARD_QP_ERROR) ||
        card_posted_sends(qp) == qp->send_counter) {
        return false;
    }
    if (qp->state == CARD_QP_ERROR) {
        flush_next(qp);
        return true;
    }
    struct mlx5_wqe_ctrl_seg control;
    card_read_send(qp, &control, sizeof(control));
    if (qp->flight == NULL && is_failing()) {
        end_request(qp, &control, failure.syndrome, failure.vendor, 0);
        return true;
    }
    int syndrome = 0;
    uint32_t bytes = 0;
    const uint32_t opcode = be32toh(control.opmod_idx_opcode) & 0xff;
    if (opcode == CARD_OPCODE_MMO) {
        syndrome = card_copy(qp, &bytes);
    } else if (card_is_rdma(opcode)) {
        syndrome = card_run_rdma(qp, &control, &bytes);
        if (syndrome == CARD_RDMA_WAITS) {
            return false;
        }
    } else if (opcode == MLX5_OPCODE_UMR) {
        syndrome = change_key(qp, &control);
    } else if (opcode != MLX5_OPCODE_NOP) {
        card_log(CARD_LOG_FAULTS, "the card cannot execute requests of opcode 0x%x", opcode);
        syndrome = MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR;
    }
    end_request(qp, &control, syndrome, syndrome == 0 ? 0 : FAILED_VENDOR, bytes);
    return true;
}

static void
execute(struct mlx5dv_devx_obj *object) {
    struct card_qp *qp = (struct card_qp *)object;
    const long batch = card_settings()->batch;
    for (long i = 0; i < batch && atomic_load(&budget) != 0 && execute_next(qp); i++) {
        worked = true;
        if (atomic_load(&budget) > 0) {
            atomic_fetch_sub(&budget, 1);
        }
    }
    if (qp->state == CARD_QP_ERROR) {
        card_flush_receives(qp);
    }
}

/* Returns whether a request was executed. */
static bool
run_round(void) {
    card_lock();
    worked = false;
    if (!atomic_load(&held)) {
        worked = card_handle_messages();
        card_for_each_object(CARD_KIND_QP, execute);
    }
    card_for_each_object(CARD_KIND_CQ, card_check_arming);
    const bool result = worked;
    card_unlock();
    return result;
}

static void *
run_engine(void *unused) {
    const long poll_us = card_settings()->poll_us;
    for (;;) {
        if (run_round()) {
            continue;
        }
        if (poll_us > 0) {
            usleep((useconds_t)poll_us);
        } else {
            sched_yield();
        }
    }
    return unused;
}

void
card_start_engine(void) {
    if (running) {
        return;
    }
    static bool is_initialised;
    if (!is_initialised) {
        is_initialised = true;
        failure.request = card_settings()->failed_request;
        failure.syndrome = card_settings()->failure_syndrome;
        failure.vendor = card_settings()->failure_vendor;
    }
    /* Signals are for the threads of the program. */
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    const int error = pthread_create(&thread, NULL, run_engine, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0) {
        fprintf(stderr, "fake card: its thread cannot be started: %s\n", strerror(error));
        abort();
    }
    pthread_detach(thread);
    running = true;
}

void
card_restart_engine(void) {
    if (running) {
        running = false;
        card_start_engine();
    }
}
