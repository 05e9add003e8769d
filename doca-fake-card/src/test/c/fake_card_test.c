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
    struct mlx5dv_devx_umem *umem;
    struct mlx5dv_devx_obj *key_object;
    struct mlx5dv_devx_obj *cq_object;
    struct mlx5dv_devx_obj *qp_object;
    uint32_t key_number;
    uint32_t key;
    uint32_t cq;
    uint32_t qp;
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
    program->qp_object = create(program);
    CHECK(program->qp_object != NULL);
    program->qp = (uint32_t)card_bits(out, CARD_OUT_NUMBER, 24);
}

static void
move(struct program *program, enum card_command command, uint32_t remote) {
    begin(command);
    card_set_bits(in, CARD_MOVE_REMOTE_QP, 24, remote);
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
    raises_an_event_for_completions_that_were_not_seen();
    connects_two_queue_pairs();
    refuses_a_message_that_is_longer_than_its_receive();
    connects_two_processes();
    copies_from_another_process();
    if (FORKS_HAVE_THREADS) {
        goes_on_in_the_child_of_a_fork();
    }
    remove_folder(folder);
    puts("The fake card copies, connects, fails and notifies.");
    return 0;
}
