/* SPDX-License-Identifier: Apache-2.0 */
#include <endian.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bits.h"
#include "fake_card.h"
#include "interface.h"

/*
 * Drives the card as DOCA's libraries do, by commands, requests in memory, and doorbells. The program is one side of
 * a connection and starts itself as the other one, which executes commands, one per line.
 */

#define CHECK(condition)                                                                                             \
    do {                                                                                                             \
        if (!(condition)) {                                                                                          \
            fprintf(stderr, "%s:%d: %s: not so: %s (errno %s)\n", __FILE__, __LINE__, __func__, #condition,           \
                    strerror(errno));                                                                                \
            exit(1);                                                                                                 \
        }                                                                                                            \
    } while (0)

#define AREA_BYTES (1 << 16)
#define QUEUE 16
#define BLOCK_BYTES 64
#define RECEIVE_BYTES 64
/* Of a pool: a segment that links a receive to the next, and its segment list. */
#define LINK_BYTES 16
#define POOLED_BYTES 64
#define PATIENCE_S 30
/* The thread sanitizer lets the child of a fork start no thread. */
#if defined(__SANITIZE_THREAD__)
#define FORKS_HAVE_THREADS false
#else
#define FORKS_HAVE_THREADS true
#endif
#define COOKIE UINT64_C(0x1122334455667788)

static const uint8_t access_key[CARD_ACCESS_KEY_BYTES] = "who has this may read and write";

/* A program with one function of the card, memory that it may reach, and a queue pair. */
struct program {
    struct ibv_context *context;
    /* Data, then the queues and doorbells. */
    _Alignas(4096) uint8_t data[AREA_BYTES];
    _Alignas(64) uint8_t sends[QUEUE * BLOCK_BYTES];
    struct mlx5_cqe64 entries[2 * QUEUE];
    uint32_t cq_doorbell[2];
    uint32_t qp_doorbell[2];
    uint8_t queues[QUEUE * (RECEIVE_BYTES + BLOCK_BYTES)];
    uint8_t pooled[QUEUE * POOLED_BYTES];
    uint32_t pool_doorbell[1];
    struct mlx5dv_devx_umem *umem;
    struct mlx5dv_devx_obj *key_object;
    struct mlx5dv_devx_obj *cq_object;
    struct mlx5dv_devx_obj *qp_object;
    uint32_t key_number;
    uint32_t key;
    uint32_t cq;
    uint32_t qp;
    /* The pool that the queue pair takes receives from, or 0. */
    uint32_t pool;
    uint16_t sent;
    uint16_t received;
    uint32_t seen;
};

static uint8_t in[4096];
static uint8_t out[256];

static void
begin(enum card_command command) {
    memset(in, 0, sizeof(in));
    card_set_bits(in, CARD_IN_OPCODE, 16, (uint64_t)command);
}

static struct mlx5dv_devx_obj *
create(struct program *program) {
    return mlx5dv_devx_obj_create(program->context, in, sizeof(in), out, sizeof(out));
}

static uint64_t
offset_of(const struct program *program, const void *place) {
    return (uint64_t)((const uint8_t *)place - program->data);
}

static void
create_key(struct program *program, bool writable) {
    begin(CARD_CREATE_MKEY);
    card_set_bits(in, CARD_MKEY_MODE_LOW, 2, 1);
    card_set_bits(in, CARD_MKEY_LOCAL_WRITE, 1, writable);
    card_set_bits(in, CARD_MKEY_REMOTE_READ, 1, 1);
    card_set_bits(in, CARD_MKEY_REMOTE_WRITE, 1, 1);
    card_set_bits(in, CARD_MKEY_ATOMIC, 1, 1);
    card_set_bits(in, CARD_MKEY_VARIANT, 8, 0x5a);
    card_set_bits(in, CARD_MKEY_START, 64, (uintptr_t)program->data);
    card_set_bits(in, CARD_MKEY_LENGTH, 64, AREA_BYTES);
    card_set_bits(in, CARD_MKEY_UMEM, 32, program->umem->umem_id);
    program->key_object = create(program);
    CHECK(program->key_object != NULL);
    program->key_number = (uint32_t)card_bits(out, CARD_OUT_NUMBER, 24);
    program->key = program->key_number << 8 | 0x5a;
}

static void
create_cq(struct program *program) {
    begin(CARD_CREATE_CQ);
    card_set_bits(in, CARD_CQ_LOG_ENTRIES, 5, 5);
    card_set_bits(in, CARD_CQ_UMEM, 32, program->umem->umem_id);
    card_set_bits(in, CARD_CQ_UMEM_OFFSET, 64, offset_of(program, program->entries));
    card_set_bits(in, CARD_CQ_DOORBELL_UMEM, 32, program->umem->umem_id);
    card_set_bits(in, CARD_CQ_DOORBELL_OFFSET, 64, offset_of(program, program->cq_doorbell));
    memset(program->entries, 0xff, sizeof(program->entries));
    program->cq_object = create(program);
    CHECK(program->cq_object != NULL);
    program->cq = (uint32_t)card_bits(out, CARD_OUT_NUMBER, 24);
}

static void
create_qp(struct program *program) {
    begin(CARD_CREATE_QP);
    card_set_bits(in, CARD_QP_LOG_RECEIVES, 4, 4);
    card_set_bits(in, CARD_QP_RECEIVE_STRIDE, 3, 2);
    card_set_bits(in, CARD_QP_LOG_SENDS, 4, 4);
    card_set_bits(in, CARD_QP_USER_INDEX, 24, 77);
    card_set_bits(in, CARD_QP_SEND_CQ, 24, program->cq);
    card_set_bits(in, CARD_QP_RECEIVE_CQ, 24, program->cq);
    card_set_bits(in, CARD_QP_UMEM, 32, program->umem->umem_id);
    card_set_bits(in, CARD_QP_UMEM_OFFSET, 64, offset_of(program, program->queues));
    card_set_bits(in, CARD_QP_DOORBELL_UMEM, 32, program->umem->umem_id);
    card_set_bits(in, CARD_QP_DOORBELL_OFFSET, 64, offset_of(program, program->qp_doorbell));
    if (program->pool != 0) {
        card_set_bits(in, CARD_QP_RECEIVE_TYPE, 3, CARD_RECEIVES_OF_POOL);
        card_set_bits(in, CARD_QP_RECEIVE_POOL, 24, program->pool);
    }
    program->qp_object = create(program);
    CHECK(program->qp_object != NULL);
    program->qp = (uint32_t)card_bits(out, CARD_OUT_NUMBER, 24);
}

/* How many times queue pairs retry to send to one without a receive; 7 for no limit. */
static uint8_t receiver_retries = 7;

static void
move(struct program *program, enum card_command command, uint32_t remote) {
    begin(command);
    card_set_bits(in, CARD_MOVE_REMOTE_QP, 24, remote);
    card_set_bits(in, CARD_MOVE_RNR_RETRY, 3, receiver_retries);
    if (command == CARD_RST_TO_INIT_QP) {
        card_set_bits(in, CARD_MOVE_REMOTE_READ, 3, 7);
    }
    CHECK(mlx5dv_devx_obj_modify(program->qp_object, in, sizeof(in), out, sizeof(out)) == 0);
}

static enum card_qp_state
state(const struct program *program) {
    begin(CARD_QUERY_QP);
    CHECK(mlx5dv_devx_obj_query(program->qp_object, in, sizeof(in), out, sizeof(out)) == 0);
    return (enum card_qp_state)card_bits(out, CARD_QUERY_QP_STATE, 4);
}

static void
connect_to(struct program *program, uint32_t remote) {
    move(program, CARD_RST_TO_INIT_QP, 0);
    move(program, CARD_INIT_TO_RTR_QP, remote);
    move(program, CARD_RTR_TO_RTS_QP, 0);
    CHECK(state(program) == CARD_QP_READY_TO_SEND);
}

static struct program *
open_program(void) {
    int count = 0;
    struct program *program = aligned_alloc(4096, (sizeof(*program) + 4095) / 4096 * 4096);
    CHECK(program != NULL);
    memset(program, 0, sizeof(*program));
    struct ibv_device **list = ibv_get_device_list(&count);
    CHECK(list != NULL && count == 2);
    program->context = ibv_open_device(list[0]);
    CHECK(program->context != NULL);
    ibv_free_device_list(list);
    struct mlx5dv_devx_umem_in all = {
        .addr = program->data,
        .size = sizeof(*program) - offsetof(struct program, data),
        .access = IBV_ACCESS_LOCAL_WRITE,
    };
    program->umem = mlx5dv_devx_umem_reg_ex(program->context, &all);
    CHECK(program->umem != NULL);
    create_key(program, true);
    create_cq(program);
    create_qp(program);
    return program;
}

static void
close_program(struct program *program) {
    CHECK(mlx5dv_devx_obj_destroy(program->qp_object) == 0);
    CHECK(mlx5dv_devx_obj_destroy(program->cq_object) == 0);
    if (program->key_object != NULL) {
        CHECK(mlx5dv_devx_obj_destroy(program->key_object) == 0);
    }
    CHECK(mlx5dv_devx_umem_dereg(program->umem) == 0);
    CHECK(ibv_close_device(program->context) == 0);
    free(program);
}

/* The next block of the send queue, with its first segment. */
static uint8_t *
next_send(struct program *program, uint32_t opcode, uint32_t parts) {
    uint8_t *block = program->queues + QUEUE * RECEIVE_BYTES + program->sent % QUEUE * BLOCK_BYTES;
    memset(block, 0, BLOCK_BYTES);
    mlx5dv_set_ctrl_seg((struct mlx5_wqe_ctrl_seg *)block, program->sent, (uint8_t)opcode, 0, program->qp,
                        MLX5_WQE_CTRL_CQ_UPDATE, (uint8_t)parts, 0, htobe32(4711));
    return block;
}

/* Replaces the queue pair by one that takes its receives from a pool. Returns the pool. */
static struct mlx5dv_devx_obj *
use_pool(struct program *program, int type) {
    begin(CARD_CREATE_RECEIVE_POOL);
    card_set_bits(in, CARD_POOL_TYPE, 4, (uint64_t)type);
    card_set_bits(in, CARD_POOL_LOG_STRIDE, 4, 6);
    card_set_bits(in, CARD_POOL_LOG_RECEIVES, 5, 4);
    card_set_bits(in, CARD_POOL_DOORBELL_UMEM, 32, program->umem->umem_id);
    card_set_bits(in, CARD_POOL_DOORBELL_OFFSET, 64, offset_of(program, program->pool_doorbell));
    card_set_bits(in, CARD_POOL_UMEM, 32, program->umem->umem_id);
    card_set_bits(in, CARD_POOL_UMEM_OFFSET, 64, offset_of(program, program->pooled));
    struct mlx5dv_devx_obj *pool = create(program);
    CHECK(pool != NULL);
    program->pool = (uint32_t)card_bits(out, CARD_OUT_NUMBER, 24);
    CHECK(mlx5dv_devx_obj_destroy(program->qp_object) == 0);
    create_qp(program);
    return pool;
}

static void
set_part(void *part, uint32_t bytes, uint32_t key, uint64_t address) {
    mlx5dv_set_data_seg(part, bytes, key, address);
}

static uint64_t
at(const struct program *program, uint32_t offset) {
    return (uintptr_t)program->data + offset;
}

static void
ring(struct program *program) {
    program->sent++;
    __atomic_store_n(&program->qp_doorbell[MLX5_SND_DBR], htobe32(program->sent), __ATOMIC_RELEASE);
}

static void
post_copy(struct program *program, uint32_t source_key, uint64_t source, uint64_t target, uint32_t bytes) {
    uint8_t *block = next_send(program, CARD_OPCODE_MMO, 4);
    set_part(block + CARD_MMO_SOURCE_BYTE, bytes, source_key, source);
    set_part(block + CARD_MMO_TARGET_BYTE, bytes, program->key, target);
    ring(program);
}

static void
post_send(struct program *program, uint32_t opcode, uint32_t offset, uint32_t bytes) {
    uint8_t *block = next_send(program, opcode, 2);
    set_part(block + 16, bytes, program->key, at(program, offset));
    ring(program);
}

static void
post_remote(struct program *program, uint32_t opcode, uint64_t remote, uint32_t remote_key, uint32_t offset,
            uint32_t bytes) {
    uint8_t *block = next_send(program, opcode, 3);
    struct mlx5_wqe_raddr_seg *there = (struct mlx5_wqe_raddr_seg *)(block + 16);
    there->raddr = htobe64(remote);
    there->rkey = htobe32(remote_key);
    set_part(block + 32, bytes, program->key, at(program, offset));
    ring(program);
}

static void
post_addition(struct program *program, uint64_t remote, uint32_t remote_key, uint64_t added, uint32_t offset) {
    uint8_t *block = next_send(program, MLX5_OPCODE_ATOMIC_FA, 4);
    struct mlx5_wqe_raddr_seg *there = (struct mlx5_wqe_raddr_seg *)(block + 16);
    there->raddr = htobe64(remote);
    there->rkey = htobe32(remote_key);
    ((struct mlx5_wqe_atomic_seg *)(block + 32))->swap_add = htobe64(added);
    set_part(block + 48, 8, program->key, at(program, offset));
    ring(program);
}

static void
post_receive(struct program *program, uint32_t offset, uint32_t bytes) {
    uint8_t *parts = program->queues + program->received % QUEUE * RECEIVE_BYTES;
    set_part(parts, bytes, program->key, at(program, offset));
    set_part(parts + 16, 0, 0x100, 0);
    program->received++;
    __atomic_store_n(&program->qp_doorbell[MLX5_RCV_DBR], htobe32(program->received), __ATOMIC_RELEASE);
}

/* Posts the receive at a place of the pool, after which the one at another place is next. */
static void
post_to_pool(struct program *program, uint16_t place, uint16_t next, uint32_t link_bytes, uint32_t offset, uint32_t bytes) {
    uint8_t *receive = program->pooled + place * POOLED_BYTES;
    memset(receive, 0, POOLED_BYTES);
    if (link_bytes > 0) {
        ((struct mlx5_wqe_srq_next_seg *)receive)->next_wqe_index = htobe16(next);
    }
    set_part(receive + link_bytes, bytes, program->key, at(program, offset));
    set_part(receive + link_bytes + 16, 0, 0x100, 0);
    program->received++;
    __atomic_store_n(&program->pool_doorbell[0], htobe32(program->received), __ATOMIC_RELEASE);
}

static bool
is_there(const struct program *program, uint8_t *last) {
    const struct mlx5_cqe64 *entry = &program->entries[program->seen % (2 * QUEUE)];
    *last = __atomic_load_n(&entry->op_own, __ATOMIC_ACQUIRE);
    const bool round = (program->seen & 2 * QUEUE) != 0;
    return *last >> 4 != 0xf && (*last & 1) == round;
}

/* Waits for a completion, and returns its kind. */
static int
complete(struct program *program, struct mlx5_cqe64 *completion) {
    uint8_t last;
    const time_t end = time(NULL) + PATIENCE_S;
    while (!is_there(program, &last)) {
        CHECK(time(NULL) < end);
        usleep(20);
    }
    *completion = program->entries[program->seen % (2 * QUEUE)];
    program->seen++;
    __atomic_store_n(&program->cq_doorbell[0], htobe32(program->seen), __ATOMIC_RELEASE);
    return last >> 4;
}

static void
succeeds(struct program *program, int kind, uint32_t bytes) {
    struct mlx5_cqe64 completion;
    CHECK(complete(program, &completion) == kind);
    CHECK(be32toh(completion.byte_cnt) == bytes);
    CHECK((be32toh(completion.sop_drop_qpn) & 0xffffff) == program->qp);
    CHECK(be32toh(completion.srqn_uidx) == 77);
}

static void
fails(struct program *program, int kind, int syndrome) {
    struct mlx5_cqe64 completion;
    CHECK(complete(program, &completion) == kind);
    CHECK(((const struct mlx5_err_cqe *)&completion)->syndrome == syndrome);
}

static void
fill(struct program *program, uint32_t offset, uint32_t bytes, int seed) {
    for (uint32_t i = 0; i < bytes; i++) {
        program->data[offset + i] = (uint8_t)(seed + (int)i);
    }
}

static bool
has(const struct program *program, uint32_t offset, uint32_t bytes, int seed) {
    for (uint32_t i = 0; i < bytes; i++) {
        if (program->data[offset + i] != (uint8_t)(seed + (int)i)) {
            return false;
        }
    }
    return true;
}

static void
copies(void) {
    struct program *program = open_program();
    connect_to(program, program->qp);
    fill(program, 0, 1000, 1);
    for (int i = 0; i < 100; i++) {
        memset(program->data + 2000, 0, 1000);
        post_copy(program, program->key, at(program, 0), at(program, 2000), 1000);
        succeeds(program, MLX5_CQE_REQ, 1000);
        CHECK(has(program, 2000, 1000, 1));
    }
    close_program(program);
}

static void
refuses_what_is_not_in_a_key_and_flushes_the_rest(void) {
    struct program *program = open_program();
    connect_to(program, program->qp);
    post_copy(program, program->key, at(program, AREA_BYTES - 10), at(program, 0), 11);
    fails(program, MLX5_CQE_REQ_ERR, MLX5_CQE_SYNDROME_LOCAL_PROT_ERR);
    CHECK(state(program) == CARD_QP_ERROR);
    post_copy(program, program->key, at(program, 0), at(program, 100), 10);
    fails(program, MLX5_CQE_REQ_ERR, MLX5_CQE_SYNDROME_WR_FLUSH_ERR);
    post_receive(program, 0, 10);
    fails(program, MLX5_CQE_RESP_ERR, MLX5_CQE_SYNDROME_WR_FLUSH_ERR);
    close_program(program);
}

static void
refuses_to_write_where_a_key_does_not_permit_it(void) {
    struct program *program = open_program();
    connect_to(program, program->qp);
    CHECK(mlx5dv_devx_obj_destroy(program->key_object) == 0);
    create_key(program, false);
    post_copy(program, program->key, at(program, 0), at(program, 100), 10);
    fails(program, MLX5_CQE_REQ_ERR, MLX5_CQE_SYNDROME_LOCAL_PROT_ERR);
    close_program(program);
}

static void
fails_the_request_that_shall(void) {
    struct program *program = open_program();
    connect_to(program, program->qp);
    fake_card_fail(2, 0x22, 0x99);
    post_copy(program, program->key, at(program, 0), at(program, 100), 10);
    succeeds(program, MLX5_CQE_REQ, 10);
    post_copy(program, program->key, at(program, 0), at(program, 100), 10);
    fails(program, MLX5_CQE_REQ_ERR, 0x22);
    close_program(program);
}

static void
executes_nothing_while_held_and_no_more_than_its_budget(void) {
    struct program *program = open_program();
    uint8_t last;
    connect_to(program, program->qp);
    fake_card_hold(1);
    const long before = fake_card_executed();
    for (int i = 0; i < 3; i++) {
        post_copy(program, program->key, at(program, 0), at(program, 100), 10);
    }
    CHECK(!is_there(program, &last) && fake_card_executed() == before);
    fake_card_budget(2);
    fake_card_hold(0);
    succeeds(program, MLX5_CQE_REQ, 10);
    succeeds(program, MLX5_CQE_REQ, 10);
    CHECK(fake_card_executed() == before + 2);
    fake_card_budget(-1);
    succeeds(program, MLX5_CQE_REQ, 10);
    close_program(program);
}

/* A program that resets the queue pair afterwards finds a completion of each request. */
static void
flushes_requests_before_a_move_to_the_error_state_returns(void) {
    struct program *program = open_program();
    uint8_t last;
    connect_to(program, program->qp);
    fake_card_hold(1);
    for (int i = 0; i < 3; i++) {
        post_copy(program, program->key, at(program, 0), at(program, 100), 10);
    }
    move(program, CARD_ANY_TO_ERR_QP, 0);
    move(program, CARD_ANY_TO_RST_QP, 0);
    for (int i = 0; i < 3; i++) {
        CHECK(is_there(program, &last));
        fails(program, MLX5_CQE_REQ_ERR, MLX5_CQE_SYNDROME_WR_FLUSH_ERR);
    }
    CHECK(!is_there(program, &last));
    fake_card_hold(0);
    close_program(program);
}

static void
raises_an_event_for_completions_that_were_not_seen(void) {
    struct program *program = open_program();
    uint16_t events[] = {0};
    connect_to(program, program->qp);
    struct mlx5dv_devx_event_channel *channel = mlx5dv_devx_create_event_channel(
        program->context, MLX5DV_DEVX_CREATE_EVENT_CHANNEL_FLAGS_OMIT_EV_DATA);
    CHECK(channel != NULL);
    CHECK(mlx5dv_devx_subscribe_devx_event(channel, program->cq_object, sizeof(events), events, COOKIE) == 0);
    struct pollfd ready = {.fd = channel->fd, .events = POLLIN};

    /* No event was requested. */
    post_copy(program, program->key, at(program, 0), at(program, 100), 10);
    succeeds(program, MLX5_CQE_REQ, 10);
    CHECK(poll(&ready, 1, 0) == 0);

    __atomic_store_n(&program->cq_doorbell[1], htobe32(program->seen), __ATOMIC_RELEASE);
    post_copy(program, program->key, at(program, 0), at(program, 100), 10);
    CHECK(poll(&ready, 1, PATIENCE_S * 1000) == 1);
    union {
        struct mlx5dv_devx_async_event_hdr header;
        uint8_t room[64];
    } event;
    CHECK(mlx5dv_devx_get_event(channel, &event.header, sizeof(event)) > 0);
    CHECK(event.header.cookie == COOKIE);
    CHECK(mlx5dv_devx_get_event(channel, &event.header, sizeof(event)) < 0 && errno == EAGAIN);
    succeeds(program, MLX5_CQE_REQ, 10);

    /* The event of a destroyed queue is withdrawn. */
    __atomic_store_n(&program->cq_doorbell[1], htobe32(program->seen), __ATOMIC_RELEASE);
    post_copy(program, program->key, at(program, 0), at(program, 100), 10);
    CHECK(poll(&ready, 1, PATIENCE_S * 1000) == 1);
    close_program(program);
    CHECK(poll(&ready, 1, 0) == 0);
    CHECK(mlx5dv_devx_get_event(channel, &event.header, sizeof(event)) < 0 && errno == EAGAIN);
    mlx5dv_devx_destroy_event_channel(channel);
}

static void
connects_two_queue_pairs(void) {
    struct program *one = open_program();
    struct program *other = open_program();
    struct mlx5_cqe64 completion;
    uint64_t value = 40;
    connect_to(one, other->qp);
    connect_to(other, one->qp);

    fill(one, 0, 100, 3);
    post_receive(other, 500, 100);
    post_send(one, MLX5_OPCODE_SEND, 0, 100);
    succeeds(one, MLX5_CQE_REQ, 100);
    succeeds(other, MLX5_CQE_RESP_SEND, 100);
    CHECK(has(other, 500, 100, 3));

    /* Waits for a receive. */
    post_send(one, MLX5_OPCODE_SEND_IMM, 0, 50);
    post_receive(other, 700, 100);
    succeeds(one, MLX5_CQE_REQ, 50);
    CHECK(complete(other, &completion) == MLX5_CQE_RESP_SEND_IMM);
    CHECK(be32toh(completion.imm_inval_pkey) == 4711 && be32toh(completion.byte_cnt) == 50);

    post_remote(one, MLX5_OPCODE_RDMA_WRITE, at(other, 1000), other->key, 0, 100);
    succeeds(one, MLX5_CQE_REQ, 100);
    CHECK(has(other, 1000, 100, 3));
    post_remote(one, MLX5_OPCODE_RDMA_READ, at(other, 1000), other->key, 2000, 100);
    succeeds(one, MLX5_CQE_REQ, 100);
    CHECK(has(one, 2000, 100, 3));

    memcpy(other->data + 3000, &value, sizeof(value));
    post_addition(one, at(other, 3000), other->key, 2, 4000);
    succeeds(one, MLX5_CQE_REQ, 8);
    memcpy(&value, one->data + 4000, sizeof(value));
    CHECK(value == 40);
    memcpy(&value, other->data + 3000, sizeof(value));
    CHECK(value == 42);

    /* A request that the other side refuses breaks both sides. */
    post_receive(other, 0, 100);
    post_remote(one, MLX5_OPCODE_RDMA_WRITE, at(other, AREA_BYTES), other->key, 0, 1);
    fails(one, MLX5_CQE_REQ_ERR, MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR);
    fails(other, MLX5_CQE_RESP_ERR, MLX5_CQE_SYNDROME_WR_FLUSH_ERR);
    CHECK(state(one) == CARD_QP_ERROR && state(other) == CARD_QP_ERROR);
    close_program(one);
    close_program(other);
}

static void
refuses_a_message_that_is_longer_than_its_receive(void) {
    struct program *one = open_program();
    struct program *other = open_program();
    connect_to(one, other->qp);
    connect_to(other, one->qp);
    post_receive(other, 500, 10);
    post_send(one, MLX5_OPCODE_SEND, 0, 11);
    fails(one, MLX5_CQE_REQ_ERR, MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR);
    fails(other, MLX5_CQE_RESP_ERR, MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR);
    close_program(one);
    close_program(other);
}

/* Receives a message of 100 bytes from a pool, and returns the counter of the completion. */
static uint16_t
receive_from_pool(struct program *one, struct program *other, uint32_t offset) {
    struct mlx5_cqe64 completion;
    post_send(one, MLX5_OPCODE_SEND, 0, 100);
    succeeds(one, MLX5_CQE_REQ, 100);
    CHECK(complete(other, &completion) == MLX5_CQE_RESP_SEND);
    CHECK(be32toh(completion.byte_cnt) == 100 && has(other, offset, 100, 3));
    return be16toh(completion.wqe_counter);
}

static void
receives_from_a_pool_of(int type) {
    struct program *one = open_program();
    struct program *other = open_program();
    uint8_t last;
    struct mlx5dv_devx_obj *pool = use_pool(other, type);
    const bool linked = type == CARD_POOL_TYPE_LINKED;
    const uint32_t link_bytes = linked ? LINK_BYTES : 0;
    connect_to(one, other->qp);
    connect_to(other, one->qp);
    fill(one, 0, 100, 3);
    /* The links let the receive at place 5 follow that at place 0. */
    post_to_pool(other, 0, 5, link_bytes, 500, 100);
    post_to_pool(other, linked ? 5 : 1, 1, link_bytes, 700, 100);
    CHECK(receive_from_pool(one, other, 500) == 0);
    CHECK(receive_from_pool(one, other, 700) == (linked ? 5 : 1));
    /* The message waits for a receive. */
    fake_card_hold(1);
    post_send(one, MLX5_OPCODE_SEND, 0, 100);
    fake_card_hold(0);
    post_to_pool(other, linked ? 1 : 2, 2, link_bytes, 900, 100);
    succeeds(one, MLX5_CQE_REQ, 100);
    succeeds(other, MLX5_CQE_RESP_SEND, 100);
    /* A failing queue pair leaves the receives to the others. */
    post_to_pool(other, linked ? 2 : 3, 3, link_bytes, 1100, 100);
    move(other, CARD_ANY_TO_ERR_QP, 0);
    fake_card_hold(1);
    CHECK(!is_there(other, &last));
    fake_card_hold(0);
    CHECK(mlx5dv_devx_obj_destroy(other->qp_object) == 0);
    create_qp(other);
    connect_to(other, one->qp);
    move(one, CARD_ANY_TO_RST_QP, 0);
    one->sent = 0;
    one->qp_doorbell[MLX5_SND_DBR] = 0;
    connect_to(one, other->qp);
    CHECK(receive_from_pool(one, other, 1100) == (linked ? 2 : 3));
    close_program(one);
    close_program(other);
    CHECK(mlx5dv_devx_obj_destroy(pool) == 0);
}

static void
retries_for_a_receive_as_often_as_it_is_set(void) {
    receiver_retries = 1;
    struct program *program = open_program();
    connect_to(program, program->qp);
    receiver_retries = 7;
    post_send(program, MLX5_OPCODE_SEND, 0, 100);
    fails(program, MLX5_CQE_REQ_ERR, MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR);
    close_program(program);
}

static void
receives_from_pools(void) {
    receives_from_a_pool_of(CARD_POOL_TYPE_LINKED);
    receives_from_a_pool_of(CARD_POOL_TYPE_LINKED + 1);
}

static void
ignores_the_doorbell_of_an_earlier_queue_pair(void) {
    struct program *program = open_program();
    connect_to(program, program->qp);
    post_copy(program, program->key, at(program, 0), at(program, 100), 10);
    succeeds(program, MLX5_CQE_REQ, 10);
    CHECK(mlx5dv_devx_obj_destroy(program->qp_object) == 0);
    const long before = fake_card_executed();
    create_qp(program);
    program->sent = 0;
    connect_to(program, program->qp);
    post_copy(program, program->key, at(program, 0), at(program, 200), 10);
    succeeds(program, MLX5_CQE_REQ, 10);
    CHECK(fake_card_executed() == before + 1);
    close_program(program);
}

/* Creates a key without entries. Returns its number. */
static struct mlx5dv_devx_obj *
create_empty_key(struct program *program, uint32_t *key) {
    begin(CARD_CREATE_MKEY);
    card_set_bits(in, CARD_MKEY_MODE_LOW, 2, CARD_MKEY_MODE_KLM);
    card_set_bits(in, CARD_MKEY_LOCAL_WRITE, 1, 1);
    card_set_bits(in, CARD_MKEY_TRANSLATIONS, 32, 4);
    struct mlx5dv_devx_obj *object = create(program);
    CHECK(object != NULL);
    *key = (uint32_t)card_bits(out, CARD_OUT_NUMBER, 24) << 8;
    return object;
}

static void
set_entry(uint8_t *entry, uint32_t bytes, uint32_t key, uint64_t address) {
    memset(entry, 0, CARD_KLM_BYTES);
    card_set_bits(entry, CARD_KLM_LENGTH, 32, bytes);
    card_set_bits(entry, CARD_KLM_KEY, 32, key);
    card_set_bits(entry, CARD_KLM_ADDRESS, 64, address);
}

/* Posts a request that sets the entries of a key, which are in the request or in the memory of a key, and its length. */
static void
post_change(struct program *program, uint32_t key, const uint8_t *entries, uint16_t count, uint32_t entries_key,
            uint64_t length) {
    uint8_t request[3 * BLOCK_BYTES] = {0};
    const bool inlined = entries_key == 0;
    const size_t tail = inlined ? (size_t)count * CARD_KLM_BYTES : sizeof(struct mlx5_wqe_data_seg);
    const size_t size = CARD_CHANGE_ENTRIES_BYTE + tail;
    struct mlx5_wqe_umr_ctrl_seg *selection = (struct mlx5_wqe_umr_ctrl_seg *)(request + CARD_CHANGE_SELECTION_BYTE);
    mlx5dv_set_ctrl_seg((struct mlx5_wqe_ctrl_seg *)request, program->sent, MLX5_OPCODE_UMR, 0, program->qp,
                        MLX5_WQE_CTRL_CQ_UPDATE, (uint8_t)(size / 16), 0, htobe32(key));
    selection->flags = inlined ? MLX5_WQE_UMR_CTRL_FLAG_INLINE : 0;
    selection->klm_octowords = htobe16(count);
    selection->mkey_mask = htobe64(MLX5_WQE_UMR_CTRL_MKEY_MASK_LEN | MLX5_WQE_UMR_CTRL_MKEY_MASK_START_ADDR);
    card_set_bits(request + CARD_CHANGE_PROPERTIES_BYTE, CARD_MKEY_LENGTH - CARD_MKEY_PROPERTIES, 64, length);
    if (inlined) {
        memcpy(request + CARD_CHANGE_ENTRIES_BYTE, entries, tail);
    } else {
        set_part(request + CARD_CHANGE_ENTRIES_BYTE, (uint32_t)count * CARD_KLM_BYTES, entries_key, (uintptr_t)entries);
    }
    uint8_t *queue = program->queues + QUEUE * RECEIVE_BYTES;
    const size_t blocks = (size + BLOCK_BYTES - 1) / BLOCK_BYTES;
    for (size_t i = 0; i < blocks; i++) {
        memcpy(queue + (program->sent + i) % QUEUE * BLOCK_BYTES, request + i * BLOCK_BYTES, BLOCK_BYTES);
    }
    program->sent = (uint16_t)(program->sent + blocks - 1);
    ring(program);
}

static void
copies_by_lists(void) {
    struct program *program = open_program();
    uint32_t list;
    connect_to(program, program->qp);
    struct mlx5dv_devx_obj *object = create_empty_key(program, &list);
    fill(program, 0, 300, 1);
    for (int i = 0; i < 10; i++) {
        /* Two sources, and behind them two destinations. */
        const bool inlined = i % 2 == 0;
        uint8_t *entries = program->data + 8192;
        set_entry(entries, 100, program->key, at(program, 0));
        set_entry(entries + CARD_KLM_BYTES, 200, program->key, at(program, 100));
        set_entry(entries + 2 * CARD_KLM_BYTES, 250, program->key, at(program, 2000));
        set_entry(entries + 3 * CARD_KLM_BYTES, 50, program->key, at(program, 4000));
        memset(program->data + 2000, 0, 3000);
        post_change(program, list, entries, 4, inlined ? 0 : program->key, 600);
        succeeds(program, MLX5_CQE_REQ, 0);
        uint8_t *block = next_send(program, CARD_OPCODE_MMO, 4);
        set_part(block + CARD_MMO_SOURCE_BYTE, 300, list, 0);
        set_part(block + CARD_MMO_TARGET_BYTE, 300, list, 300);
        ring(program);
        succeeds(program, MLX5_CQE_REQ, 300);
        CHECK(has(program, 2000, 250, 1) && has(program, 4000, 50, 251));
        CHECK(program->data[2250] == 0 && program->data[4050] == 0);
    }
    post_change(program, list, program->data + AREA_BYTES - 10, 4, program->key, 600);
    fails(program, MLX5_CQE_REQ_ERR, MLX5_CQE_SYNDROME_LOCAL_PROT_ERR);
    close_program(program);
    CHECK(mlx5dv_devx_obj_destroy(object) == 0);
}

static void
changes_only_keys_that_exist(void) {
    struct program *program = open_program();
    connect_to(program, program->qp);
    post_change(program, 0xabcdef00, program->data, 4, program->key, 600);
    fails(program, MLX5_CQE_REQ_ERR, MLX5_CQE_SYNDROME_MW_BIND_ERR);
    close_program(program);
}

static void
registers_regions(void) {
    struct program *program = open_program();
    struct ibv_pd *pd = ibv_alloc_pd(program->context);
    CHECK(pd != NULL);
    connect_to(program, program->qp);

    /* Requests address this region from 0 on. */
    struct ibv_mr *source = ibv_reg_mr_iova2(pd, program->data, 1000, 0, 0);
    CHECK(source != NULL && source->context == program->context && source->pd == pd);
    CHECK(source->addr == program->data && source->length == 1000);
    fill(program, 0, 1000, 5);
    post_copy(program, source->lkey, 100, at(program, 2000), 900);
    succeeds(program, MLX5_CQE_REQ, 900);
    CHECK(has(program, 2000, 900, 105));

    /* A file, from the middle of a page on. */
    const int file = memfd_create("dmabuf", MFD_CLOEXEC);
    CHECK(file >= 0 && ftruncate(file, 8192) == 0);
    CHECK(pwrite(file, program->data, 1000, 5000) == 1000);
    struct ibv_mr *of_file = ibv_reg_dmabuf_mr(pd, 5000, 1000, 5000, file, IBV_ACCESS_LOCAL_WRITE);
    CHECK(of_file != NULL);
    post_copy(program, of_file->lkey, 5000, at(program, 4000), 1000);
    succeeds(program, MLX5_CQE_REQ, 1000);
    CHECK(has(program, 4000, 1000, 5));
    CHECK(ibv_dereg_mr(of_file) == 0);
    close(file);
    CHECK(ibv_reg_dmabuf_mr(pd, 0, 1000, 0, file, 0) == NULL && errno == EBADF);

    /* No right to write. */
    uint8_t *block = next_send(program, CARD_OPCODE_MMO, 4);
    set_part(block + CARD_MMO_SOURCE_BYTE, 10, program->key, at(program, 0));
    set_part(block + CARD_MMO_TARGET_BYTE, 10, source->lkey, 0);
    ring(program);
    fails(program, MLX5_CQE_REQ_ERR, MLX5_CQE_SYNDROME_LOCAL_PROT_ERR);
    CHECK(ibv_dereg_mr(source) == 0);
    CHECK(ibv_dealloc_pd(pd) == 0);
    close_program(program);
}

/* Returns the entry of the first function's GID table, and checks it against the card's command. */
static union ibv_gid
gid_at(struct ibv_context *context, uint8_t index, uint8_t version) {
    union ibv_gid gid;
    CHECK(ibv_query_gid(context, 1, index, &gid) == 0);
    begin(CARD_QUERY_ROCE_ADDRESS);
    card_set_bits(in, CARD_ROCE_INDEX, 16, index);
    CHECK(mlx5dv_devx_general_cmd(context, in, sizeof(in), out, sizeof(out)) == 0);
    CHECK(memcmp(out + CARD_ROCE_ADDRESS_BYTE, gid.raw, sizeof(gid.raw)) == 0);
    CHECK(card_bits(out, CARD_ROCE_VERSION, 8) == version);
    return gid;
}

static void
has_each_address_for_both_versions_of_roce(void) {
    static const uint8_t none[16];
    struct program *program = open_program();
    for (uint8_t index = 0; index < 6; index += 2) {
        const union ibv_gid first = gid_at(program->context, index, CARD_ROCE_V1);
        const union ibv_gid second = gid_at(program->context, (uint8_t)(index + 1), CARD_ROCE_V2);
        CHECK(memcmp(first.raw, second.raw, sizeof(first.raw)) == 0 && memcmp(first.raw, none, sizeof(none)) != 0);
        CHECK(card_bits(out, CARD_ROCE_L3_TYPE, 4) == (index == 2 ? CARD_ROCE_L3_IPV4 : CARD_ROCE_L3_IPV6));
        CHECK(card_bits(out, CARD_ROCE_MAC_HIGH, 16) == 0xb83f);
        CHECK(card_bits(out, CARD_ROCE_MAC_LOW, 32) == 0xd2010000);
    }
    const union ibv_gid last = gid_at(program->context, 6, 0);
    CHECK(memcmp(last.raw, none, sizeof(none)) == 0);
    close_program(program);
}

static void
resolves_the_addresses_of_ports(void) {
    static const uint8_t first_mac[] = {0xb8, 0x3f, 0xd2, 0x01, 0x00, 0x00};
    struct program *program = open_program();
    struct ibv_pd *pd = ibv_alloc_pd(program->context);
    CHECK(pd != NULL);
    struct ibv_ah_attr attributes = {.is_global = 1, .port_num = 1, .sl = 3, .grh = {.sgid_index = 3, .hop_limit = 64}};
    for (int index = 0; index < 6; index++) {
        CHECK(ibv_query_gid(program->context, 1, index, &attributes.grh.dgid) == 0);
        struct ibv_ah *handle = ibv_create_ah(pd, &attributes);
        CHECK(handle != NULL && handle->pd == pd && handle->context == program->context);
        struct mlx5dv_ah answer = {0};
        struct mlx5dv_obj objects = {.ah = {.in = handle, .out = &answer}};
        CHECK(mlx5dv_init_obj(&objects, MLX5DV_OBJ_AH) == 0);
        CHECK(memcmp(answer.av->rmac, first_mac, sizeof(first_mac)) == 0);
        CHECK(memcmp(answer.av->rgid, attributes.grh.dgid.raw, 16) == 0);
        CHECK(answer.av->hop_limit == 64 && answer.av->stat_rate_sl == 3);
        CHECK(ibv_destroy_ah(handle) == 0);
    }
    attributes.grh.dgid.raw[14] = 77;
    CHECK(ibv_create_ah(pd, &attributes) == NULL && errno == ENETUNREACH);
    attributes.is_global = 0;
    CHECK(ibv_create_ah(pd, &attributes) == NULL && errno == EINVAL);
    CHECK(ibv_dealloc_pd(pd) == 0);
    close_program(program);
}

static void
opens_devices_with_attributes(void) {
    struct ibv_device **list = ibv_get_device_list(NULL);
    CHECK(list != NULL);
    struct mlx5dv_context_attr attributes = {.flags = MLX5DV_CONTEXT_FLAGS_DEVX};
    struct ibv_context *context = mlx5dv_open_device(list[0], &attributes);
    CHECK(context != NULL);
    ibv_free_device_list(list);
    struct mlx5dv_context answer = {.comp_mask = UINT64_MAX};
    CHECK(mlx5dv_query_device(context, &answer) == 0);
    CHECK(answer.version == 0 && answer.comp_mask == 0 && (answer.flags & MLX5DV_CONTEXT_FLAGS_CQE_V1) != 0);
    CHECK(ibv_close_device(context) == 0);
}

/* The other process, and the lines with which it answers. */
struct peer {
    pid_t process;
    FILE *questions;
    FILE *answers;
};

static void
ask(struct peer *peer, const char *question, unsigned long answers[3]) {
    char line[200];
    fprintf(peer->questions, "%s\n", question);
    fflush(peer->questions);
    CHECK(fgets(line, sizeof(line), peer->answers) != NULL);
    CHECK(sscanf(line, "%lx %lx %lx", &answers[0], &answers[1], &answers[2]) == 3);
}

static struct peer
start_peer(void) {
    int to[2];
    int from[2];
    CHECK(pipe(to) == 0 && pipe(from) == 0);
    char *const arguments[] = {"fake_card_test", "peer", NULL};
    posix_spawn_file_actions_t actions;
    pid_t process;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, to[1]);
    posix_spawn_file_actions_addclose(&actions, from[0]);
    CHECK(posix_spawn(&process, "/proc/self/exe", &actions, NULL, arguments, environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    return (struct peer){.process = process, .questions = fdopen(to[1], "w"), .answers = fdopen(from[0], "r")};
}

static void
end_peer(struct peer *peer, int signal) {
    int status;
    fclose(peer->questions);
    if (signal != 0) {
        kill(peer->process, signal);
    }
    CHECK(waitpid(peer->process, &status, 0) == peer->process);
    CHECK(signal != 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    fclose(peer->answers);
}

static void
answer(uint64_t first, uint64_t second, uint64_t third) {
    printf("%lx %lx %lx\n", (unsigned long)first, (unsigned long)second, (unsigned long)third);
    fflush(stdout);
}

static void
export(struct program *program) {
    begin(CARD_ALLOW_OTHER_VHCA_ACCESS);
    card_set_bits(in, CARD_ALLOW_NUMBER, 32, program->key_number);
    memcpy(in + CARD_ALLOW_ACCESS_KEY_BYTE, access_key, sizeof(access_key));
    CHECK(mlx5dv_devx_general_cmd(program->context, in, sizeof(in), out, sizeof(out)) == 0);
    begin(CARD_QUERY_HCA_CAP);
    CHECK(mlx5dv_devx_general_cmd(program->context, in, sizeof(in), out, sizeof(out)) == 0);
    answer(card_bits(out, 128 + 48, 16), program->key_number, at(program, 0));
}

static int
be_the_peer(void) {
    char line[200];
    struct program *program = open_program();
    while (fgets(line, sizeof(line), stdin) != NULL) {
        unsigned long number;
        if (sscanf(line, "connect %lx", &number) == 1) {
            connect_to(program, (uint32_t)number);
            answer(program->qp, program->key, at(program, 0));
        } else if (sscanf(line, "receive %lx", &number) == 1) {
            post_receive(program, 500, (uint32_t)number);
            answer(0, 0, 0);
        } else if (strcmp(line, "take\n") == 0) {
            struct mlx5_cqe64 completion;
            const int kind = complete(program, &completion);
            answer((uint64_t)kind, be32toh(completion.byte_cnt), has(program, 500, 100, 3));
        } else if (sscanf(line, "has %lx", &number) == 1) {
            /* A write of the other side has no completion; this waits until the card is idle. */
            fake_card_hold(0);
            answer(has(program, (uint32_t)number, 100, 3), 0, 0);
        } else if (strcmp(line, "number\n") == 0) {
            answer(program->qp, 0, 0);
        } else if (strcmp(line, "export\n") == 0) {
            fill(program, 0, 1000, 9);
            export(program);
        } else if (strcmp(line, "withdraw\n") == 0) {
            CHECK(mlx5dv_devx_obj_destroy(program->key_object) == 0);
            program->key_object = NULL;
            answer(0, 0, 0);
        }
    }
    close_program(program);
    return 0;
}

static void
connects_two_processes(void) {
    struct peer peer = start_peer();
    struct program *program = open_program();
    unsigned long number[3];
    unsigned long said[3];
    char question[100];
    ask(&peer, "number", number);
    snprintf(question, sizeof(question), "connect %x", program->qp);
    ask(&peer, question, said);
    connect_to(program, (uint32_t)number[0]);
    const uint32_t remote_key = (uint32_t)said[1];
    const uint64_t remote = said[2];

    fill(program, 0, 100, 3);
    for (int i = 0; i < 20; i++) {
        /* Every other message arrives before its receive is posted. */
        if (i % 2 == 0) {
            ask(&peer, "receive 64", said);
        }
        post_send(program, MLX5_OPCODE_SEND, 0, 100);
        if (i % 2 != 0) {
            ask(&peer, "receive 64", said);
        }
        succeeds(program, MLX5_CQE_REQ, 100);
        ask(&peer, "take", said);
        CHECK(said[0] == MLX5_CQE_RESP_SEND && said[1] == 100 && said[2] == 1);
    }
    post_remote(program, MLX5_OPCODE_RDMA_WRITE, remote + 1000, remote_key, 0, 100);
    succeeds(program, MLX5_CQE_REQ, 100);
    ask(&peer, "has 3e8", said);
    CHECK(said[0] == 1);
    post_remote(program, MLX5_OPCODE_RDMA_READ, remote + 1000, remote_key, 2000, 100);
    succeeds(program, MLX5_CQE_REQ, 100);
    CHECK(has(program, 2000, 100, 3));
    post_addition(program, remote + 4096, remote_key, 5, 3000);
    succeeds(program, MLX5_CQE_REQ, 8);
    post_addition(program, remote + 4096, remote_key, 5, 3000);
    succeeds(program, MLX5_CQE_REQ, 8);
    CHECK(program->data[3000] == 5);

    end_peer(&peer, SIGKILL);
    post_remote(program, MLX5_OPCODE_RDMA_READ, remote, remote_key, 2000, 100);
    fails(program, MLX5_CQE_REQ_ERR, MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR);
    close_program(program);
}

static struct mlx5dv_devx_obj *
create_alias(struct program *program, const unsigned long export[3], const uint8_t *key) {
    begin(CARD_CREATE_GENERAL_OBJECT);
    card_set_bits(in, CARD_IN_OPERATION, 16, CARD_GENERAL_ALIAS);
    card_set_bits(in, CARD_ALIAS_VHCA, 16, export[0]);
    card_set_bits(in, CARD_ALIAS_NUMBER, 32, export[1]);
    memcpy(in + CARD_ALIAS_ACCESS_KEY_BYTE, key, CARD_ACCESS_KEY_BYTES);
    return create(program);
}

static void
copies_from_another_process(void) {
    struct peer peer = start_peer();
    struct program *program = open_program();
    unsigned long exported[3];
    unsigned long said[3];
    connect_to(program, program->qp);
    ask(&peer, "export", exported);

    static const uint8_t other_key[CARD_ACCESS_KEY_BYTES] = "another one";
    CHECK(create_alias(program, exported, other_key) == NULL && errno == EREMOTEIO);
    CHECK(card_bits(out, 0, 8) == CARD_STATUS_BAD_PARAMETER);
    struct mlx5dv_devx_obj *alias = create_alias(program, exported, access_key);
    CHECK(alias != NULL);
    const uint32_t key = (uint32_t)card_bits(out, CARD_OUT_GENERAL_NUMBER, 32) << 8;

    post_copy(program, key, exported[2], at(program, 0), 1000);
    succeeds(program, MLX5_CQE_REQ, 1000);
    CHECK(has(program, 0, 1000, 9));
    ask(&peer, "withdraw", said);
    post_copy(program, key, exported[2], at(program, 0), 1000);
    fails(program, MLX5_CQE_REQ_ERR, MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR);
    CHECK(create_alias(program, exported, access_key) == NULL);
    CHECK(card_bits(out, 0, 8) == CARD_STATUS_BAD_RESOURCE);
    CHECK(mlx5dv_devx_obj_destroy(alias) == 0);
    end_peer(&peer, 0);
    close_program(program);
}

static void
goes_on_in_the_child_of_a_fork(void) {
    struct program *program = open_program();
    connect_to(program, program->qp);
    const pid_t child = fork();
    CHECK(child >= 0);
    fill(program, 0, 100, child == 0 ? 1 : 2);
    post_copy(program, program->key, at(program, 0), at(program, 2000), 100);
    succeeds(program, MLX5_CQE_REQ, 100);
    CHECK(has(program, 2000, 100, child == 0 ? 1 : 2));
    post_remote(program, MLX5_OPCODE_RDMA_WRITE, at(program, 3000), program->key, 0, 100);
    succeeds(program, MLX5_CQE_REQ, 100);
    CHECK(has(program, 3000, 100, child == 0 ? 1 : 2));
    if (child == 0) {
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close_program(program);
}

/* Sockets in such a folder would have names that are cut off, in another folder. */
static void
refuses_a_folder_with_a_long_path(void) {
    char folder[100] = "/";
    memset(folder + 1, 'x', sizeof(folder) - 2);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        setenv("FAKE_CARD_DIR", folder, 1);
        open_program();
        _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

static void
remove_folder(const char *folder) {
    char command[200];
    snprintf(command, sizeof(command), "rm -rf '%s'", folder);
    CHECK(system(command) == 0);
}

int
main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "peer") == 0) {
        return be_the_peer();
    }
    /* Separate from other processes with the card, and with a shorter time limit. */
    char folder[] = "/tmp/fake-card-test-XXXXXX";
    CHECK(mkdtemp(folder) != NULL);
    setenv("FAKE_CARD_DIR", folder, 1);
    setenv("FAKE_CARD_RETRY_MS", "100", 1);
    setenv("FAKE_CARD_LOG_LEVEL", "-1", 0);
    signal(SIGPIPE, SIG_IGN);
    refuses_a_folder_with_a_long_path();
    copies();
    refuses_what_is_not_in_a_key_and_flushes_the_rest();
    refuses_to_write_where_a_key_does_not_permit_it();
    fails_the_request_that_shall();
    executes_nothing_while_held_and_no_more_than_its_budget();
    flushes_requests_before_a_move_to_the_error_state_returns();
    raises_an_event_for_completions_that_were_not_seen();
    connects_two_queue_pairs();
    refuses_a_message_that_is_longer_than_its_receive();
    retries_for_a_receive_as_often_as_it_is_set();
    receives_from_pools();
    ignores_the_doorbell_of_an_earlier_queue_pair();
    copies_by_lists();
    changes_only_keys_that_exist();
    registers_regions();
    has_each_address_for_both_versions_of_roce();
    resolves_the_addresses_of_ports();
    opens_devices_with_attributes();
    connects_two_processes();
    copies_from_another_process();
    if (FORKS_HAVE_THREADS) {
        goes_on_in_the_child_of_a_fork();
    }
    remove_folder(folder);
    puts("The fake card copies, connects, fails and notifies.");
    return 0;
}
