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
/* The imported memory on the near side. */
static struct doca_mmap *remote_map;

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
check_properties(void) {
    struct doca_rdma *rdma;
    struct doca_devinfo *devinfo = doca_dev_as_devinfo(dev);
    uint32_t value = 0;
    bool grh_enabled = false;
    enum doca_mtu_size mtu = DOCA_MTU_SIZE_RAW_ETHERNET;
    enum doca_rdma_transport_type transport = DOCA_RDMA_TRANSPORT_DC;
    enum doca_rdma_state state = DOCA_RDMA_STATE_ERROR;
    REQUIRE_SUCCESS(doca_rdma_create(&rdma));
    CHECK_SUCCESS(doca_rdma_get_state(rdma, &state));
    CHECK_EQUAL(DOCA_RDMA_STATE_RESET, state);
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_rdma_get_send_queue_size(rdma, &value));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_rdma_set_permissions(rdma, PERMISSIONS));
    CHECK_SUCCESS(doca_ctx_dev_add(doca_rdma_as_ctx(rdma), dev));
    CHECK_SUCCESS(doca_rdma_get_send_queue_size(rdma, &value));
    CHECK_EQUAL(128, value);
    CHECK_SUCCESS(doca_rdma_get_recv_queue_size(rdma, &value));
    CHECK_EQUAL(128, value);
    CHECK_SUCCESS(doca_rdma_get_recv_buf_chain_len(rdma, &value));
    CHECK_EQUAL(3, value);
    CHECK_SUCCESS(doca_rdma_get_permissions(rdma, &value));
    CHECK_EQUAL(0, value);
    CHECK_SUCCESS(doca_rdma_get_gid_index(rdma, &value));
    CHECK_EQUAL(0, value);
    CHECK_SUCCESS(doca_rdma_get_sl(rdma, &value));
    CHECK_EQUAL(0, value);
    CHECK_SUCCESS(doca_rdma_get_grh_enabled(rdma, &grh_enabled));
    CHECK(grh_enabled);
    CHECK_SUCCESS(doca_rdma_get_mtu(rdma, &mtu));
    CHECK_EQUAL(DOCA_MTU_SIZE_1K_BYTES, mtu);
    CHECK_SUCCESS(doca_rdma_get_transport_type(rdma, &transport));
    CHECK_EQUAL(DOCA_RDMA_TRANSPORT_RC, transport);
    CHECK_SUCCESS(doca_rdma_job_get_supported(devinfo, DOCA_RDMA_JOB_WRITE_IMM));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_rdma_get_transport_type_supported(devinfo, DOCA_RDMA_TRANSPORT_DC));
    CHECK_SUCCESS(
            doca_rdma_get_max_buf_chain_len(devinfo, DOCA_RDMA_JOB_READ, DOCA_RDMA_TRANSPORT_RC, &value));
    CHECK_EQUAL(62, value);
    CHECK_SUCCESS(doca_rdma_destroy(rdma));
}

static void
check_connecting(void) {
    const void *details;
    size_t details_size;
    check_state(DOCA_RDMA_STATE_RESET, &near_side);
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_rdma_export(near_side.rdma, &details, &details_size));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_rdma_connect(near_side.rdma, "peer", 4));
    start_side(&near_side);
    start_side(&far_side);
    check_state(DOCA_RDMA_STATE_INIT, &near_side);
    CHECK_SUCCESS(doca_rdma_export(near_side.rdma, &details, &details_size));
    CHECK_POINTER(near_side.details, details);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_connect(near_side.rdma, NULL, 4));
    CHECK_ERROR(DOCA_ERROR_CONNECTION_ABORTED, doca_rdma_connect(near_side.rdma, "peer", 4));
    check_state(DOCA_RDMA_STATE_INIT, &near_side);
    struct doca_rdma_job_recv receive = {.base = base_of(&near_side, DOCA_RDMA_JOB_RECV)};
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_workq_submit(near_side.workq, &receive.base));
    CHECK_SUCCESS(doca_rdma_connect(near_side.rdma, far_side.details, far_side.details_size));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_rdma_connect(near_side.rdma, far_side.details, far_side.details_size));
    check_state(DOCA_RDMA_STATE_CONNECTED, &near_side);
    CHECK_SUCCESS(doca_rdma_connect(far_side.rdma, near_side.details, near_side.details_size));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_rdma_destroy(near_side.rdma));
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

static void
check_remote_memory(void) {
    struct doca_buf *near_buf = take(0, 64, 64);
    struct doca_buf *read = take(4096, 64, 0);
    struct doca_buf *remote_data = take_buf(remote_map, memory + 8192, 64, 64);
    struct doca_buf *remote_room = take_buf(remote_map, memory + 8192, 64, 0);
    struct doca_buf *remote_small = take_buf(remote_map, memory + 12288, 32, 0);
    struct doca_rdma_job_read_write write = {.base = base_of(&near_side, DOCA_RDMA_JOB_WRITE),
                                             .src_buff = near_buf,
                                             .dst_buff = remote_room,
                                             .immediate_data = 0x55};
    struct doca_rdma_job_read_write read_job = {
        .base = base_of(&near_side, DOCA_RDMA_JOB_READ), .src_buff = remote_data, .dst_buff = read};
    struct doca_rdma_job_recv receive = {.base = base_of(&far_side, DOCA_RDMA_JOB_RECV)};
    memset(memory, 0x33, 64);
    CHECK_SUCCESS(doca_workq_submit(near_side.workq, &write.base));
    check_result_of(&near_side, DOCA_RDMA_JOB_WRITE, 64);
    CHECK_EQUAL(0, memcmp(memory, memory + 8192, 64));
    CHECK_EQUAL(64, data_len(remote_room));

    CHECK_SUCCESS(doca_workq_submit(near_side.workq, &read_job.base));
    check_result_of(&near_side, DOCA_RDMA_JOB_READ, 64);
    CHECK_EQUAL(0, memcmp(memory, memory + 4096, 64));

    CHECK_SUCCESS(doca_buf_reset_data_len(remote_room));
    write.base = base_of(&near_side, DOCA_RDMA_JOB_WRITE_IMM);
    CHECK_SUCCESS(doca_workq_submit(far_side.workq, &receive.base));
    CHECK_SUCCESS(doca_workq_submit(near_side.workq, &write.base));
    check_result_of(&near_side, DOCA_RDMA_JOB_WRITE_IMM, 64);
    check_received(DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM, 64, 0x55);

    /* A write beyond the remote buffer is executed and ends with an error, and the context keeps working. */
    write.base = base_of(&near_side, DOCA_RDMA_JOB_WRITE);
    write.dst_buff = remote_small;
    CHECK_SUCCESS(doca_workq_submit(near_side.workq, &write.base));
    CHECK_EQUAL(DOCA_SUCCESS, retrieve_result(&near_side, DOCA_RDMA_JOB_WRITE, DOCA_ERROR_UNEXPECTED).result);
    check_state(DOCA_RDMA_STATE_CONNECTED, &near_side);
    give_back(near_buf);
    give_back(read);
    give_back(remote_data);
    give_back(remote_room);
    give_back(remote_small);
}

static void
check_atomics(void) {
    uint64_t *value = (uint64_t *)(memory + 8192);
    struct doca_buf *target = take_buf(remote_map, memory + 8192, 8, 8);
    struct doca_buf *before = take(4096, 64, 0);
    struct doca_rdma_job_atomic job = {.base = base_of(&near_side, DOCA_RDMA_JOB_ATOMIC_FETCH_ADD),
                                       .cmp_or_add_dest_buff = target,
                                       .result_buff = before,
                                       .swap_or_add_data = 5};
    *value = 37;
    CHECK_SUCCESS(doca_workq_submit(near_side.workq, &job.base));
    check_result_of(&near_side, DOCA_RDMA_JOB_ATOMIC_FETCH_ADD, 8);
    CHECK_EQUAL(42, *value);
    CHECK_EQUAL(37, *(uint64_t *)(memory + 4096));
    CHECK_EQUAL(8, data_len(before));
    job.base = base_of(&near_side, DOCA_RDMA_JOB_ATOMIC_CMP_SWP);
    job.cmp_data = 42;
    job.swap_or_add_data = 7;
    CHECK_SUCCESS(doca_workq_submit(near_side.workq, &job.base));
    check_result_of(&near_side, DOCA_RDMA_JOB_ATOMIC_CMP_SWP, 8);
    CHECK_EQUAL(7, *value);
    give_back(target);
    give_back(before);
}

static void
check_limits(void) {
    struct doca_buf *list = take(0, 16, 16);
    struct doca_rdma_job_send send = {.base = base_of(&near_side, DOCA_RDMA_JOB_SEND), .src_buff = list};
    struct doca_workq *second;
    for (int i = 0; i < 63; i++) {
        CHECK_SUCCESS(doca_buf_list_chain(list, take(16, 16, 16)));
    }
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_workq_submit(near_side.workq, &send.base));
    send.base.type = DOCA_DMA_JOB_MEMCPY;
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_workq_submit(near_side.workq, &send.base));
    REQUIRE_SUCCESS(doca_workq_create(1, &second));
    CHECK_ERROR(DOCA_ERROR_INITIALIZATION, doca_ctx_workq_add(near_side.ctx, second));
    CHECK_SUCCESS(doca_workq_destroy(second));
    give_back(list);
}

/* After a failed job all others end too, and the context must be restarted. */
static void
check_recovery(void) {
    struct doca_mmap *read_only = start_mmap(memory + 32768, 4096, DOCA_ACCESS_LOCAL_READ_ONLY);
    struct doca_buf *src = take_buf(remote_map, memory, 64, 64);
    struct doca_buf *dst = take_buf(read_only, memory + 32768, 64, 0);
    struct doca_rdma_job_recv receive = {.base = base_of(&near_side, DOCA_RDMA_JOB_RECV)};
    struct doca_rdma_job_read_write read = {
        .base = base_of(&near_side, DOCA_RDMA_JOB_READ), .src_buff = src, .dst_buff = dst};
    CHECK_SUCCESS(doca_workq_submit(near_side.workq, &receive.base));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_ctx_workq_rm(near_side.ctx, near_side.workq));
    CHECK_SUCCESS(doca_workq_submit(near_side.workq, &read.base));
    CHECK_EQUAL(DOCA_ERROR_UNKNOWN, retrieve_result(&near_side, DOCA_RDMA_JOB_READ, DOCA_ERROR_IO_FAILED).result);
    check_state(DOCA_RDMA_STATE_ERROR, &near_side);
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_workq_submit(near_side.workq, &receive.base));
    CHECK_EQUAL(DOCA_ERROR_UNKNOWN, retrieve_result(&near_side, DOCA_RDMA_JOB_RECV, DOCA_ERROR_IO_FAILED).result);
    stop_side(&near_side);
    stop_side(&far_side);
    connect_sides();
    give_back(src);
    give_back(dst);
    CHECK_SUCCESS(doca_mmap_destroy(read_only));
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
    /* Strict mode would fail a write beyond the remote buffer. */
    setenv("DOCA_EMULATOR_STRICT", "0", 1);
    set_up(PERMISSIONS);
    const void *export;
    size_t export_size;
    REQUIRE_SUCCESS(doca_mmap_export_rdma(memory_map, dev, &export, &export_size));
    REQUIRE_SUCCESS(doca_mmap_create_from_export(NULL, export, export_size, dev, &remote_map));
    check_properties();
    create_side(&near_side);
    create_side(&far_side);
    check_connecting();
    check_messages();
    check_remote_memory();
    check_atomics();
    check_limits();
    check_recovery();
    check_messages();
    check_suspended_peers();
    check_messages();
    stop_side(&near_side);
    stop_side(&far_side);
    destroy_side(&near_side);
    destroy_side(&far_side);
    CHECK_SUCCESS(doca_mmap_destroy(remote_map));
    tear_down();
    return check_result();
}
