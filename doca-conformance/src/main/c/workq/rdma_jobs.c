/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define THEME "rdma jobs"

struct side {
    struct doca_rdma *rdma;
    struct doca_ctx *ctx;
    struct doca_workq *workq;
    const void *details;
    size_t details_size;
};

static struct side near_side;
static struct side far_side;
static struct doca_mmap *remote_map;

static const char *
state_of(const struct side *side) {
    static const char *const names[] = {"RESET", "INIT", "CONNECTED", "ERROR"};
    enum doca_rdma_state state = DOCA_RDMA_STATE_RESET;
    REQUIRE(doca_rdma_get_state(side->rdma, &state));
    return names[state];
}

static void
configure_side(struct side *side) {
    map_memory();
    if (doca_rdma_job_get_supported(devinfo(), DOCA_RDMA_JOB_SEND) != DOCA_SUCCESS) {
        not_available("the device has no RDMA");
    }
    REQUIRE(doca_rdma_create(&side->rdma));
    side->ctx = doca_rdma_as_ctx(side->rdma);
    REQUIRE(doca_ctx_dev_add(side->ctx, dev));
    REQUIRE(doca_rdma_set_permissions(side->rdma, DOCA_ACCESS_LOCAL_READ_WRITE | DOCA_ACCESS_RDMA_READ
                                                          | DOCA_ACCESS_RDMA_WRITE | DOCA_ACCESS_RDMA_ATOMIC));
    side->workq = create_workq(16);
}

static void
start_side(struct side *side) {
    configure_side(side);
    REQUIRE(doca_ctx_start(side->ctx));
    REQUIRE(doca_rdma_export(side->rdma, &side->details, &side->details_size));
    REQUIRE(doca_ctx_workq_add(side->ctx, side->workq));
}

static void
connect_sides(void) {
    const void *export;
    size_t size;
    start_side(&near_side);
    start_side(&far_side);
    REQUIRE(doca_rdma_connect(near_side.rdma, far_side.details, far_side.details_size));
    REQUIRE(doca_rdma_connect(far_side.rdma, near_side.details, near_side.details_size));
    REQUIRE(doca_mmap_export_rdma(map, dev, &export, &size));
    REQUIRE(doca_mmap_create_from_export(NULL, export, size, dev, &remote_map));
}

static struct doca_job
job_of(const struct side *side, int type) {
    return (struct doca_job){.type = type, .ctx = side->ctx, .user_data = {.u64 = 7}};
}

/* Members that the event does not set stay 77. */
static void
answer_result(const struct side *side) {
    struct doca_rdma_result result = {.result = 77, .opcode = 77, .length = 77, .immediate_data = 77};
    struct doca_event event = {.result = {.ptr = &result}};
    const doca_error_t code = retrieve(side->workq, &event);
    if (code == DOCA_ERROR_AGAIN) {
        answer("no event");
        return;
    }
    answer("%#x %s: %d %d %u %u", (unsigned)event.type, code_name(code), (int)result.result, (int)result.opcode,
           result.length, result.immediate_data);
}

static bool
has_result(const struct side *side) {
    struct doca_rdma_result result;
    struct doca_event event = {.result = {.ptr = &result}};
    for (int i = 0; i < 1000; i++) {
        if (doca_workq_progress_retrieve(side->workq, &event, 0) != DOCA_ERROR_AGAIN) {
            return true;
        }
    }
    return false;
}

static doca_error_t
receive(struct doca_buf *dst) {
    const struct doca_rdma_job_recv job = {.base = job_of(&far_side, DOCA_RDMA_JOB_RECV), .dst_buff = dst};
    return doca_workq_submit(far_side.workq, &job.base);
}

static doca_error_t
send_message(int type, const struct doca_buf *src) {
    const struct doca_rdma_job_send job = {
        .base = job_of(&near_side, type), .src_buff = src, .immediate_data = 0x1234};
    return doca_workq_submit(near_side.workq, &job.base);
}

static doca_error_t
read_or_write(int type, struct doca_buf *dst, const struct doca_buf *src) {
    const struct doca_rdma_job_read_write job = {
        .base = job_of(&near_side, type), .dst_buff = dst, .src_buff = src, .immediate_data = 0x1234};
    return doca_workq_submit(near_side.workq, &job.base);
}

/* Submits a job that fails on the near side, because the destination is mapped read-only. */
static doca_error_t
fail(void) {
    struct doca_mmap *mmap = start_map(memory + 65536, 4096, DOCA_ACCESS_LOCAL_READ_ONLY);
    return read_or_write(DOCA_RDMA_JOB_READ, take(mmap, memory + 65536, 64, 0), take(remote_map, memory, 64, 64));
}

RULE(rdma_before_device, "The properties of an RDMA context need its device; its state does not.",
     .source = OBSERVED_2_2, .answer = "BAD_STATE, BAD_STATE, BAD_STATE, BAD_STATE, RESET") {
    uint32_t value;
    struct side side;
    open_device();
    REQUIRE(doca_rdma_create(&side.rdma));
    CODE(doca_rdma_get_send_queue_size(side.rdma, &value));
    CODE(doca_rdma_set_send_queue_size(side.rdma, 16));
    CODE(doca_rdma_get_permissions(side.rdma, &value));
    CODE(doca_rdma_set_permissions(side.rdma, DOCA_ACCESS_LOCAL_READ_WRITE));
    answer("%s", state_of(&side));
}

RULE(rdma_defaults, "An RDMA context has these defaults.", .source = OBSERVED_2_2,
     .answer = "queues 128 and 128, chain 3, permissions 0, GID 0, SL 0, GRH 1, MTU 2, transport 0") {
    struct doca_rdma *rdma;
    uint32_t send = 0;
    uint32_t recv = 0;
    uint32_t chain = 0;
    uint32_t permissions = 7;
    uint32_t gid = 7;
    uint32_t sl = 7;
    bool grh = false;
    enum doca_mtu_size mtu;
    enum doca_rdma_transport_type transport;
    open_device();
    REQUIRE(doca_rdma_create(&rdma));
    REQUIRE(doca_ctx_dev_add(doca_rdma_as_ctx(rdma), dev));
    REQUIRE(doca_rdma_get_send_queue_size(rdma, &send));
    REQUIRE(doca_rdma_get_recv_queue_size(rdma, &recv));
    REQUIRE(doca_rdma_get_recv_buf_chain_len(rdma, &chain));
    REQUIRE(doca_rdma_get_permissions(rdma, &permissions));
    REQUIRE(doca_rdma_get_gid_index(rdma, &gid));
    REQUIRE(doca_rdma_get_sl(rdma, &sl));
    REQUIRE(doca_rdma_get_grh_enabled(rdma, &grh));
    REQUIRE(doca_rdma_get_mtu(rdma, &mtu));
    REQUIRE(doca_rdma_get_transport_type(rdma, &transport));
    answer("queues %u and %u, chain %u, permissions %u, GID %u, SL %u, GRH %d, MTU %d, transport %d", send, recv,
           chain, permissions, gid, sl, (int)grh, (int)mtu, (int)transport);
}

RULE(rdma_sizes, "The sizes of queues are powers of two.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, 128, SUCCESS, SUCCESS, 64") {
    uint32_t value = 0;
    configure_side(&near_side);
    CODE(doca_rdma_set_send_queue_size(near_side.rdma, 100));
    REQUIRE(doca_rdma_get_send_queue_size(near_side.rdma, &value));
    answer_number(value);
    CODE(doca_rdma_set_send_queue_size(near_side.rdma, 0));
    CODE(doca_rdma_set_recv_queue_size(near_side.rdma, 33));
    REQUIRE(doca_rdma_get_recv_queue_size(near_side.rdma, &value));
    answer_number(value);
}

RULE(rdma_lists, "Each kind of job has its own list limit.", .source = OBSERVED_2_2,
     .answer = "31, 63, 63, 62, 62, 62, 1, 1") {
    open_device();
    for (int type = DOCA_RDMA_JOB_RECV; type <= DOCA_RDMA_JOB_ATOMIC_FETCH_ADD; type++) {
        uint32_t value = 0;
        REQUIRE(doca_rdma_get_max_buf_chain_len(devinfo(), (enum doca_rdma_job_types)type, DOCA_RDMA_TRANSPORT_RC,
                                                &value));
        answer_number(value);
    }
}

RULE(rdma_states, "An RDMA context is RESET, INIT and CONNECTED in turn.", .source = OBSERVED_2_2,
     .answer = "RESET, BAD_STATE, BAD_STATE, INIT, SUCCESS, SUCCESS, SUCCESS, CONNECTED, BAD_STATE, BAD_STATE, "
               "SUCCESS, SUCCESS, RESET, SUCCESS, SUCCESS") {
    configure_side(&near_side);
    answer("%s", state_of(&near_side));
    CODE(doca_rdma_export(near_side.rdma, &near_side.details, &near_side.details_size));
    CODE(doca_rdma_connect(near_side.rdma, "peer", 4));
    REQUIRE(doca_ctx_start(near_side.ctx));
    answer("%s", state_of(&near_side));
    CODE(doca_rdma_export(near_side.rdma, &near_side.details, &near_side.details_size));
    CODE(doca_ctx_workq_add(near_side.ctx, near_side.workq));
    start_side(&far_side);
    CODE(doca_rdma_connect(near_side.rdma, far_side.details, far_side.details_size));
    answer("%s", state_of(&near_side));
    CODE(doca_rdma_connect(near_side.rdma, far_side.details, far_side.details_size));
    CODE(doca_rdma_destroy(near_side.rdma));
    CODE(doca_ctx_workq_rm(near_side.ctx, near_side.workq));
    CODE(doca_ctx_stop(near_side.ctx));
    answer("%s", state_of(&near_side));
    CODE(doca_ctx_dev_rm(near_side.ctx, dev));
    CODE(doca_rdma_destroy(near_side.rdma));
}

RULE(rdma_connect_garbage, "Data that is not connection details does not change a context.", .source = OBSERVED_2_2,
     .answer = "INVALID_VALUE, CONNECTION_ABORTED, INIT") {
    start_side(&near_side);
    CODE(doca_rdma_connect(near_side.rdma, NULL, 4));
    CODE(doca_rdma_connect(near_side.rdma, "peer", 4));
    answer("%s", state_of(&near_side));
}

RULE(rdma_one_queue, "An RDMA context has one queue.", .source = OBSERVED_2_2, .answer = "INITIALIZATION") {
    start_side(&near_side);
    CODE(doca_ctx_workq_add(near_side.ctx, create_workq(1)));
}

RULE(rdma_submit_unconnected, "A context that is not connected refuses jobs.", .source = OBSERVED_2_2,
     .answer = "BAD_STATE") {
    start_side(&far_side);
    CODE(receive(target(0, 64)));
}

RULE(rdma_send, "A message completes a send and a receive; the result of the receive has its length.",
     .source = OBSERVED_2_2,
     .answer = "SUCCESS, SUCCESS, 0xd0002 SUCCESS: 0 77 100 77, 0xd0001 SUCCESS: 0 0 100 77, 100, yes") {
    connect_sides();
    struct doca_buf *dst = target(65536, 200);
    CODE(receive(dst));
    CODE(send_message(DOCA_RDMA_JOB_SEND, source(0, 100)));
    answer_result(&near_side);
    answer_result(&far_side);
    answer_number((long long)data_len(dst));
    answer_flag(is_copied(0, 65536, 100));
}

RULE(rdma_send_imm, "The result of a receive has the immediate value.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, SUCCESS, 0xd0003 SUCCESS: 0 77 100 77, 0xd0001 SUCCESS: 0 1 100 4660") {
    connect_sides();
    CODE(receive(target(65536, 200)));
    CODE(send_message(DOCA_RDMA_JOB_SEND_IMM, source(0, 100)));
    answer_result(&near_side);
    answer_result(&far_side);
}

RULE(rdma_send_waits, "A send waits for a receive.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, no, SUCCESS, 0xd0002 SUCCESS: 0 77 100 77, 0xd0001 SUCCESS: 0 0 100 77") {
    connect_sides();
    CODE(send_message(DOCA_RDMA_JOB_SEND, source(0, 100)));
    answer_flag(has_result(&near_side));
    CODE(receive(target(65536, 200)));
    answer_result(&near_side);
    answer_result(&far_side);
}

RULE(rdma_write, "A write and a read complete only on the side that starts them.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, 0xd0005 SUCCESS: 0 77 64 77, yes, SUCCESS, 0xd0004 SUCCESS: 0 77 64 77, yes, no") {
    connect_sides();
    CODE(read_or_write(DOCA_RDMA_JOB_WRITE, take(remote_map, memory + 65536, 64, 0), source(0, 64)));
    answer_result(&near_side);
    answer_flag(is_copied(0, 65536, 64));
    CODE(read_or_write(DOCA_RDMA_JOB_READ, target(131072, 64), take(remote_map, memory + 64, 64, 64)));
    answer_result(&near_side);
    answer_flag(is_copied(64, 131072, 64));
    answer_flag(has_result(&far_side));
}

RULE(rdma_write_imm, "A write with an immediate value consumes a receive, which needs no buffer.",
     .source = OBSERVED_2_2, .answer = "SUCCESS, SUCCESS, 0xd0006 SUCCESS: 0 77 64 77, 0xd0001 SUCCESS: 0 2 64 4660") {
    connect_sides();
    CODE(receive(NULL));
    CODE(read_or_write(DOCA_RDMA_JOB_WRITE_IMM, take(remote_map, memory + 65536, 64, 0), source(0, 64)));
    answer_result(&near_side);
    answer_result(&far_side);
}

RULE(rdma_write_past_buffer, "A write past the remote buffer is executed and ends with UNEXPECTED.",
     .source = OBSERVED_2_2, .answer = "SUCCESS, 0xd0005 UNEXPECTED: 0 77 64 77, yes, CONNECTED") {
    connect_sides();
    CODE(read_or_write(DOCA_RDMA_JOB_WRITE, take(remote_map, memory + 65536, 32, 0), source(0, 64)));
    answer_result(&near_side);
    answer_flag(is_copied(0, 65536, 64));
    answer("%s", state_of(&near_side));
}

RULE(rdma_atomics, "Atomic jobs give the previous value.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, 0xd0008 SUCCESS: 0 77 8 77, 42, before 37, SUCCESS, 0xd0007 SUCCESS: 0 77 8 77, 7, "
               "before 42") {
    connect_sides();
    uint64_t *value = (uint64_t *)(memory + 65536);
    uint64_t *before = (uint64_t *)(memory + 131072);
    struct doca_rdma_job_atomic job = {.base = job_of(&near_side, DOCA_RDMA_JOB_ATOMIC_FETCH_ADD),
                                       .cmp_or_add_dest_buff = take(remote_map, value, 8, 8),
                                       .result_buff = target(131072, 8),
                                       .swap_or_add_data = 5};
    *value = 37;
    CODE(doca_workq_submit(near_side.workq, &job.base));
    answer_result(&near_side);
    answer("%llu, before %llu", (unsigned long long)*value, (unsigned long long)*before);
    job.base.type = DOCA_RDMA_JOB_ATOMIC_CMP_SWP;
    job.cmp_data = 42;
    job.swap_or_add_data = 7;
    REQUIRE(doca_buf_reset_data_len(job.result_buff));
    CODE(doca_workq_submit(near_side.workq, &job.base));
    answer_result(&near_side);
    answer("%llu, before %llu", (unsigned long long)*value, (unsigned long long)*before);
}

RULE(rdma_wrong_type, "A job of an unsupported type is refused.", .source = OBSERVED_2_2, .answer = "INVALID_VALUE") {
    connect_sides();
    CODE(send_message(DOCA_DMA_JOB_MEMCPY, source(0, 64)));
}

RULE(rdma_send_list, "A list is sent as one message.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, SUCCESS, 0xd0002 SUCCESS: 0 77 32 77, 0xd0001 SUCCESS: 0 0 32 77, yes, SUCCESS, SUCCESS, "
               "0xd0002 SUCCESS: 0 77 512 77, 0xd0001 SUCCESS: 0 0 512 77, yes, SUCCESS, SUCCESS, 0xd0002 "
               "SUCCESS: 0 77 992 77, 0xd0001 SUCCESS: 0 0 992 77, yes") {
    static const size_t counts[] = {2, 32, 62};
    connect_sides();
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        CODE(receive(target(65536, 4096)));
        CODE(send_message(DOCA_RDMA_JOB_SEND, source_list(counts[i], 0, 16)));
        answer_result(&near_side);
        answer_result(&far_side);
        answer_flag(is_copied(0, 65536, counts[i] * 16));
    }
}

RULE(rdma_receive_list, "A message fills a list of buffers, up to the configured length.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, SUCCESS, 0xd0002 SUCCESS: 0 77 100 77, 0xd0001 SUCCESS: 0 0 100 77, yes") {
    connect_sides();
    struct doca_buf *dst = target(65536, 32);
    REQUIRE(doca_buf_list_chain(dst, target(65536 + 4096, 200)));
    CODE(receive(dst));
    CODE(send_message(DOCA_RDMA_JOB_SEND, source(0, 100)));
    answer_result(&near_side);
    answer_result(&far_side);
    answer_flag(is_copied(0, 65536, 32) && is_copied(32, 65536 + 4096, 68));
}

RULE(rdma_full, "A full send queue and a full receive queue refuse jobs.", .source = OBSERVED_2_2,
     .answer = "128 AGAIN") {
    connect_sides();
    doca_error_t code = DOCA_SUCCESS;
    struct doca_workq *workq = far_side.workq;
    REQUIRE(doca_ctx_workq_rm(far_side.ctx, workq));
    far_side.workq = create_workq(2000);
    REQUIRE(doca_ctx_workq_add(far_side.ctx, far_side.workq));
    struct doca_buf *dst = target(65536, 64);
    int accepted = -1;
    while (code == DOCA_SUCCESS && accepted < 2000) {
        accepted++;
        code = receive(dst);
    }
    answer("%d %s", accepted, code_name(code));
}

RULE(rdma_receive_blocks, "A context cannot be detached while a receive is posted.", .source = OBSERVED_2_2,
     .answer = "IN_USE, IN_USE") {
    connect_sides();
    REQUIRE(receive(target(65536, 64)));
    CODE(doca_ctx_workq_rm(far_side.ctx, far_side.workq));
    CODE(doca_ctx_stop(far_side.ctx));
}

RULE(rdma_failure, "A failed job makes the state ERROR and flushes the receives.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, 0xd0004 IO_FAILED: 1 77 77 77, ERROR, BAD_STATE, 0xd0001 IO_FAILED: 1 77 77 77") {
    connect_sides();
    const struct doca_rdma_job_recv job = {.base = job_of(&near_side, DOCA_RDMA_JOB_RECV),
                                           .dst_buff = target(131072, 64)};
    REQUIRE(doca_workq_submit(near_side.workq, &job.base));
    CODE(fail());
    answer_result(&near_side);
    answer("%s", state_of(&near_side));
    CODE(send_message(DOCA_RDMA_JOB_SEND, source(0, 64)));
    answer_result(&near_side);
}

RULE(rdma_recovery, "A context recovers by a restart and a new connection.", .source = OBSERVED_2_2,
     .answer = "0xd0004 IO_FAILED: 1 77 77 77, SUCCESS, SUCCESS, RESET, SUCCESS, SUCCESS, SUCCESS, SUCCESS, "
               "RESET, SUCCESS, SUCCESS, SUCCESS, SUCCESS, SUCCESS, SUCCESS, 0xd0002 SUCCESS: 0 77 64 77, 0xd0001 "
               "SUCCESS: 0 0 64 77") {
    connect_sides();
    REQUIRE(fail());
    answer_result(&near_side);
    struct side *const sides[] = {&near_side, &far_side};
    for (size_t i = 0; i < 2; i++) {
        CODE(doca_ctx_workq_rm(sides[i]->ctx, sides[i]->workq));
        CODE(doca_ctx_stop(sides[i]->ctx));
        answer("%s", state_of(sides[i]));
        CODE(doca_ctx_start(sides[i]->ctx));
        REQUIRE(doca_rdma_export(sides[i]->rdma, &sides[i]->details, &sides[i]->details_size));
        CODE(doca_ctx_workq_add(sides[i]->ctx, sides[i]->workq));
    }
    CODE(doca_rdma_connect(near_side.rdma, far_side.details, far_side.details_size));
    CODE(doca_rdma_connect(far_side.rdma, near_side.details, near_side.details_size));
    CODE(receive(target(65536, 64)));
    CODE(send_message(DOCA_RDMA_JOB_SEND, source(0, 64)));
    answer_result(&near_side);
    answer_result(&far_side);
}
