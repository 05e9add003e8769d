/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two RDMA contexts of one connection in one process, and all of their jobs.
 */
#include <doca_rdma.h>

#include "fixture.h"
#include "rdma_users.h"

#define PERMISSIONS \
    (DOCA_ACCESS_LOCAL_READ_WRITE | DOCA_ACCESS_RDMA_READ | DOCA_ACCESS_RDMA_WRITE | DOCA_ACCESS_RDMA_ATOMIC)
#define DEPTH 16

struct side {
    struct doca_rdma *rdma;
    struct doca_ctx *ctx;
    struct doca_workq *workq;
    const void *details;
    size_t details_size;
};

static struct side near_side;
static struct side far_side;

static void
check_state(enum doca_rdma_state expected, const struct side *side) {
    enum doca_rdma_state state = DOCA_RDMA_STATE_RESET;
    CHECK_SUCCESS(doca_rdma_get_state(side->rdma, &state));
    CHECK_EQUAL(expected, state);
}

static void
create_side(struct side *side) {
    REQUIRE_SUCCESS(doca_rdma_create(&side->rdma));
    side->ctx = doca_rdma_as_ctx(side->rdma);
    REQUIRE_SUCCESS(doca_ctx_dev_add(side->ctx, dev));
    REQUIRE_SUCCESS(doca_rdma_set_permissions(side->rdma, PERMISSIONS));
    REQUIRE_SUCCESS(doca_workq_create(DEPTH, &side->workq));
}

static void
start_side(struct side *side) {
    REQUIRE_SUCCESS(doca_ctx_start(side->ctx));
    REQUIRE_SUCCESS(doca_rdma_export(side->rdma, &side->details, &side->details_size));
    REQUIRE_SUCCESS(doca_ctx_workq_add(side->ctx, side->workq));
}

static void
connect_sides(void) {
    start_side(&near_side);
    start_side(&far_side);
    REQUIRE_SUCCESS(doca_rdma_connect(near_side.rdma, far_side.details, far_side.details_size));
    REQUIRE_SUCCESS(doca_rdma_connect(far_side.rdma, near_side.details, near_side.details_size));
}

static void
stop_side(struct side *side) {
    CHECK_SUCCESS(doca_ctx_workq_rm(side->ctx, side->workq));
    CHECK_SUCCESS(doca_ctx_stop(side->ctx));
    check_state(DOCA_RDMA_STATE_RESET, side);
}

static void
destroy_side(struct side *side) {
    CHECK_SUCCESS(doca_ctx_dev_rm(side->ctx, dev));
    CHECK_SUCCESS(doca_rdma_destroy(side->rdma));
    CHECK_SUCCESS(doca_workq_destroy(side->workq));
}

static struct doca_job
base_of(const struct side *side, int type) {
    return (struct doca_job){.type = type, .ctx = side->ctx, .user_data = {.u64 = (uint64_t)type}};
}

/* Retrieves an event of that type and returns its result. Members that it does not set stay 77. */
static struct doca_rdma_result
retrieve_result(const struct side *side, int type, doca_error_t expected) {
    struct doca_rdma_result result = {.result = 77, .opcode = 77, .length = 77, .immediate_data = 77};
    struct doca_event event = {.result = {.ptr = &result}};
    CHECK_ERROR(expected, retrieve(side->workq, &event));
    CHECK_EQUAL(type, event.type);
    CHECK_EQUAL(type, event.user_data.u64);
    CHECK_POINTER(&result, event.result.ptr);
    return result;
}

static void
check_result_of(const struct side *side, int type, uint32_t length) {
    const struct doca_rdma_result result = retrieve_result(side, type, DOCA_SUCCESS);
    CHECK_EQUAL(DOCA_SUCCESS, result.result);
    CHECK_EQUAL(length, result.length);
    CHECK_EQUAL(77, result.opcode);
    CHECK_EQUAL(77, result.immediate_data);
}

static void
check_received(enum doca_rdma_opcode_t opcode, uint32_t length, doca_be32_t immediate) {
    const struct doca_rdma_result result = retrieve_result(&far_side, DOCA_RDMA_JOB_RECV, DOCA_SUCCESS);
    CHECK_EQUAL(DOCA_SUCCESS, result.result);
    CHECK_EQUAL(opcode, result.opcode);
    CHECK_EQUAL(length, result.length);
    CHECK_EQUAL(immediate, result.immediate_data);
}

static void
check_messages(void) {
    struct doca_buf *src = take(0, 100, 100);
    struct doca_buf *dst = take(4096, 1000, 10);
    struct doca_rdma_job_recv receive = {.base = base_of(&far_side, DOCA_RDMA_JOB_RECV), .dst_buff = dst};
    struct doca_rdma_job_send send = {
        .base = base_of(&near_side, DOCA_RDMA_JOB_SEND), .src_buff = src, .immediate_data = 0x1234};
    struct doca_event event = {0};
    memset(memory, 0x21, 100);
    CHECK_SUCCESS(doca_workq_submit(far_side.workq, &receive.base));
    CHECK_SUCCESS(doca_workq_submit(near_side.workq, &send.base));
    check_result_of(&near_side, DOCA_RDMA_JOB_SEND, 100);
    check_received(DOCA_RDMA_OPCODE_RECV_SEND, 100, 77);
    CHECK_EQUAL(110, data_len(dst));
    CHECK_EQUAL(0, memcmp(memory, memory + 4106, 100));

    send.base = base_of(&near_side, DOCA_RDMA_JOB_SEND_IMM);
    CHECK_SUCCESS(doca_workq_submit(near_side.workq, &send.base));
    CHECK_ERROR(DOCA_ERROR_AGAIN, doca_workq_progress_retrieve(near_side.workq, &event, 0));
    CHECK_SUCCESS(doca_workq_submit(far_side.workq, &receive.base));
    check_result_of(&near_side, DOCA_RDMA_JOB_SEND_IMM, 100);
    check_received(DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM, 100, 0x1234);
    give_back(src);
    give_back(dst);
}

/* As if both peers were suspended in the middle of an operation. Only the first stop waits for 5 s. */
static void
check_suspended_peers(void) {
    CHECK_SUCCESS(doca_ctx_workq_rm(near_side.ctx, near_side.workq));
    CHECK_EQUAL(0, change_users(1));
    for (int i = 0; i < 100; i++) {
        CHECK_ERROR(DOCA_ERROR_IN_USE, doca_ctx_stop(near_side.ctx));
        CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_ctx_start(near_side.ctx));
    }
    CHECK_EQUAL(0, change_users(-1));
    doca_error_t result;
    do {
        result = doca_ctx_stop(near_side.ctx);
    } while (result == DOCA_ERROR_IN_USE);
    CHECK_SUCCESS(result);
    check_state(DOCA_RDMA_STATE_RESET, &near_side);
    stop_side(&far_side);
    connect_sides();
}

int
main(void) {
    set_up(PERMISSIONS);
    create_side(&near_side);
    create_side(&far_side);
    connect_sides();
    check_suspended_peers();
    check_messages();
    stop_side(&near_side);
    stop_side(&far_side);
    destroy_side(&near_side);
    destroy_side(&far_side);
    tear_down();
    return check_result();
}
