/* SPDX-License-Identifier: Apache-2.0 */
#include "rdma.h"

#include <stdio.h>
#include <unistd.h>

#define THEME "rdma operations"

static const struct doca_rdma_task_receive *
as_receive(const struct doca_task *task) {
    return (const struct doca_rdma_task_receive *)task;
}

/* Progresses until the near side has the state. */
static void
await_state(enum doca_ctx_states state) {
    progress_to_state(near_side.ctx, state);
}

/* Answers the result of the only task, and the state of its context once that stops. */
static void
answer_result_and_stop(void) {
    answer_results(1);
    await_state(DOCA_CTX_STATE_STOPPING);
    answer("%s", state_of(near_side.ctx));
}

RULE(rdma_send, "A send fills the oldest posted receive, behind the data of its buffer.", .source = OBSERVED_2_5,
     .answer = "1 done, 2 done, yes, 80, length 80, opcode 0") {
    connect_sides();
    struct doca_buf *dst = target(65536, 100);
    struct doca_task *receive = receive_task(&far_side, 1, dst);
    submit(receive);
    submit(send_task(&near_side, 2, source(0, 80)));
    answer_results(2);
    answer_flag(is_copied(0, 65536, 80));
    answer_number((long long)data_len(dst));
    answer("length %u", received_len(receive));
    answer("opcode %d", doca_rdma_task_receive_get_result_opcode(as_receive(receive)));
}

RULE(rdma_send_appends, "A receive writes behind the data that its buffer already has.", .source = OBSERVED_2_5,
     .answer = "1 done, 2 done, yes, 90") {
    connect_sides();
    struct doca_buf *dst = target(65536, 100);
    REQUIRE(doca_buf_set_data(dst, memory + 65536, 10));
    submit(receive_task(&far_side, 1, dst));
    submit(send_task(&near_side, 2, source(0, 80)));
    answer_results(2);
    answer_flag(is_copied(0, 65546, 80));
    answer_number((long long)data_len(dst));
}

RULE(rdma_send_imm, "A send with an immediate passes its 32 bits to the receive unchanged.", .source = OBSERVED_3_0,
     .answer = "1 done, 2 done, opcode 1, abcd") {
    connect_sides();
    struct doca_task *receive = receive_task(&far_side, 1, target(65536, 100));
    submit(receive);
    submit(send_imm_task(&near_side, 2, source(0, 80), 0xabcd));
    answer_results(2);
    answer("opcode %d", doca_rdma_task_receive_get_result_opcode(as_receive(receive)));
    answer("%x", doca_rdma_task_receive_get_result_immediate_data(as_receive(receive)));
}

RULE(rdma_send_nothing, "A send without a buffer, and one without data, move nothing and succeed.",
     .source = OBSERVED_2_5, .answer = "1 done, 2 done, 3 done, 4 done, lengths 0 and 0") {
    connect_sides();
    struct doca_task *receives[] = {receive_task(&far_side, 1, NULL), receive_task(&far_side, 2, target(65536, 64))};
    submit(receives[0]);
    submit(receives[1]);
    submit(send_task(&near_side, 3, NULL));
    submit(send_task(&near_side, 4, target(0, 64)));
    answer_results(4);
    answer("lengths %u and %u", received_len(receives[0]), received_len(receives[1]));
}

/* Connects the sides; the near one sends and reads lists of two buffers. */
static void
connect_sides_for_lists(void) {
    create_sides();
    REQUIRE(doca_rdma_set_max_send_buf_list_len(near_side.rdma, 2));
    start_sides();
    REQUIRE(connect_side(&near_side, far_side.details, far_side.details_size));
    REQUIRE(connect_side(&far_side, near_side.details, near_side.details_size));
    progress_to_state(near_side.ctx, DOCA_CTX_STATE_RUNNING);
    progress_to_state(far_side.ctx, DOCA_CTX_STATE_RUNNING);
}

RULE(rdma_send_list, "A source list is sent as one message.", .source = OBSERVED_2_5,
     .answer = "1 done, 2 done, 100, yes") {
    connect_sides_for_lists();
    struct doca_buf *dst = target(65536, 100);
    submit(receive_task(&far_side, 1, dst));
    submit(send_task(&near_side, 2, source_list(2, 0, 50, 1000)));
    answer_results(2);
    answer_number((long long)data_len(dst));
    answer_flag(is_copied(0, 65536, 50) && is_copied(1000, 65586, 50));
}

RULE(rdma_receive_list, "A message fills a list of buffers one after the other, and extends the data of each.",
     .source = OBSERVED_3_0, .answer = "1 done, 2 done, 60, 200, 40, yes") {
    connect_sides();
    struct doca_buf *parts[] = {target(65536, 60), target(66000, 200), target(67000, 200)};
    REQUIRE(doca_buf_chain_list(parts[0], parts[1]));
    REQUIRE(doca_buf_chain_list(parts[0], parts[2]));
    submit(receive_task(&far_side, 1, parts[0]));
    submit(send_task(&near_side, 2, source(0, 300)));
    answer_results(2);
    for (size_t i = 0; i < 3; i++) {
        answer_number((long long)data_len(parts[i]));
    }
    answer_flag(is_copied(0, 65536, 60) && is_copied(60, 66000, 200) && is_copied(260, 67000, 40));
}

RULE(rdma_capture_source, "The source's data segment is read at the submission.", .source = OBSERVED_3_0,
     .answer = "1 done, 2 done, 100") {
    connect_sides();
    struct doca_buf *src = source(0, 100);
    struct doca_buf *dst = target(65536, 1000);
    submit(send_task(&near_side, 2, src));
    REQUIRE(doca_buf_set_data(src, memory + 50, 7));
    submit(receive_task(&far_side, 1, dst));
    answer_results(2);
    answer_number((long long)data_len(dst));
}

RULE(rdma_receive_order, "Messages go to the receives in the order of their posting.", .source = OBSERVED_3_0,
     .answer = "1 done, 2 done, 3 done, 4 done, yes, yes") {
    connect_sides();
    submit(receive_task(&far_side, 1, target(65536, 64)));
    submit(receive_task(&far_side, 2, target(66560, 64)));
    submit(send_task(&near_side, 3, source(0, 64)));
    submit(send_task(&near_side, 4, source(128, 64)));
    answer_results(4);
    answer_flag(is_copied(0, 65536, 64));
    answer_flag(is_copied(128, 66560, 64));
}

RULE(rdma_send_waits, "A send waits until there is a receive for it.", .source = OBSERVED_2_5,
     .answer = "0, 1 done, 2 done") {
    connect_sides();
    submit(send_task(&near_side, 2, source(0, 64)));
    progress_for(5);
    answer("%zu", num_completions);
    submit(receive_task(&far_side, 1, target(65536, 64)));
    answer_results(2);
}

RULE(rdma_receive_too_small, "A message that is longer than the receive's buffer fails on both sides.",
     .source = OBSERVED_3_0, .answer = "1 IO_FAILED, 2 IO_FAILED") {
    connect_sides();
    submit(receive_task(&far_side, 1, target(65536, 50)));
    submit(send_task(&near_side, 2, source(0, 80)));
    answer_results(2);
}

RULE(rdma_write, "A write goes behind the remote buffer's data and extends it.", .source = OBSERVED_2_5,
     .answer = "1 done, yes, 80") {
    connect_sides();
    struct doca_buf *dst = remote_target(65536, 200);
    submit(write_task(&near_side, 1, source(0, 80), dst));
    answer_results(1);
    answer_flag(is_copied(0, 65536, 80));
    answer_number((long long)data_len(dst));
}

RULE(rdma_write_appends, "The next write to the same remote buffer goes behind the first.", .source = OBSERVED_2_5,
     .answer = "1 done, 2 done, yes, 120") {
    connect_sides();
    struct doca_buf *dst = remote_target(65536, 200);
    submit(write_task(&near_side, 1, source(0, 80), dst));
    progress_to(1);
    submit(write_task(&near_side, 2, source(500, 40), dst));
    answer_results(2);
    answer_flag(is_copied(500, 65616, 40));
    answer_number((long long)data_len(dst));
}

RULE(rdma_write_nothing, "A write without source, and one without data, move nothing and succeed.",
     .source = OBSERVED_2_5, .answer = "1 done, 2 done, 0") {
    connect_sides();
    struct doca_buf *dst = remote_target(65536, 200);
    submit(write_task(&near_side, 1, target(0, 80), dst));
    submit(write_task(&near_side, 2, NULL, dst));
    answer_results(2);
    answer_number((long long)data_len(dst));
}

RULE(rdma_write_past_buffer,
     "A write beyond the remote buffer is executed and fails with UNEXPECTED; the context keeps running.",
     .source = OBSERVED_2_5, .answer = "1 UNEXPECTED, written yes, RUNNING and RUNNING") {
    connect_sides();
    submit(write_task(&near_side, 1, source(0, 80), remote_target(65536, 40)));
    answer_results(1);
    answer("written %s", is_copied(0, 65536, 80) ? "yes" : "no");
    answer_states();
}

RULE(rdma_write_past_map, "A write beyond the remote map fails and stops the context.", .source = OBSERVED_2_5,
     .answer = "1 IO_FAILED, STOPPING") {
    connect_sides();
    struct doca_buf *dst = remote_target(MEMORY_SIZE - 200, 100);
    REQUIRE(doca_buf_set_data(dst, memory + MEMORY_SIZE - 140, 0));
    struct doca_buf *outside;
    const doca_error_t result = doca_buf_inventory_buf_get_by_args(
            inventory, remote_map, memory + MEMORY_SIZE - 40, 80, memory + MEMORY_SIZE - 40, 0, &outside);
    if (result != DOCA_SUCCESS) {
        not_available("buffers outside of their map are refused: %s", code_name(result));
    }
    submit(write_task(&near_side, 1, source(0, 80), outside));
    answer_result_and_stop();
}

RULE(rdma_write_imm, "A write with an immediate consumes a receive of the peer, which needs no buffer.",
     .source = OBSERVED_3_0, .answer = "1 done, 2 done, yes, opcode 2, abcd") {
    connect_sides();
    struct doca_task *receive = receive_task(&far_side, 1, NULL);
    submit(receive);
    submit(write_imm_task(&near_side, 2, source(0, 64), remote_target(65536, 64), 0xabcd));
    answer_results(2);
    answer_flag(is_copied(0, 65536, 64));
    answer("opcode %d", doca_rdma_task_receive_get_result_opcode(as_receive(receive)));
    answer("%x", doca_rdma_task_receive_get_result_immediate_data(as_receive(receive)));
}

RULE(rdma_read, "A read appends the remote buffer's data to the destination and extends its data.",
     .source = OBSERVED_2_5, .answer = "1 done, yes, 64, length 64") {
    connect_sides();
    struct doca_buf *dst = target(65536, 100);
    struct doca_task *task = read_task(&near_side, 1, remote_source(3000, 64), dst);
    submit(task);
    answer_results(1);
    answer_flag(is_copied(3000, 65536, 64));
    answer_number((long long)data_len(dst));
    answer("length %u", read_len(task));
}

RULE(rdma_read_clipped, "A read moves as much as fits into the destination.", .source = OBSERVED_2_5,
     .answer = "1 done, 100, length 100") {
    connect_sides();
    struct doca_buf *dst = target(65536, 100);
    struct doca_task *task = read_task(&near_side, 1, remote_source(3000, 300), dst);
    submit(task);
    answer_results(1);
    answer_number((long long)data_len(dst));
    answer("length %u", read_len(task));
}

RULE(rdma_read_list, "A read fills a list of buffers one after the other.", .source = OBSERVED_3_0,
     .answer = "1 done, 100, 50, length 150, yes") {
    connect_sides_for_lists();
    struct doca_buf *dst = target(65536, 100);
    struct doca_buf *second = target(66000, 100);
    REQUIRE(doca_buf_chain_list(dst, second));
    struct doca_task *task = read_task(&near_side, 1, remote_source(3000, 150), dst);
    submit(task);
    answer_results(1);
    answer_number((long long)data_len(dst));
    answer_number((long long)data_len(second));
    answer("length %u", read_len(task));
    answer_flag(is_copied(3000, 65536, 100) && is_copied(3100, 66000, 50));
}

RULE(rdma_read_nothing, "A read of a remote buffer without data moves nothing and succeeds.", .source = OBSERVED_2_5,
     .answer = "1 done, 0") {
    connect_sides();
    struct doca_buf *dst = target(65536, 100);
    submit(read_task(&near_side, 1, remote_target(3000, 64), dst));
    answer_results(1);
    answer_number((long long)data_len(dst));
}

static uint64_t
number_at(size_t offset) {
    uint64_t number;
    memcpy(&number, memory + offset, sizeof(number));
    return number;
}

static void
set_number(size_t offset, uint64_t number) {
    memcpy(memory + offset, &number, sizeof(number));
}

/* Answers the result of task 1, the remote value, and the value that the task has fetched. */
static void
answer_atomic(void) {
    answer_results(1);
    answer_number((long long)number_at(65536));
    answer_number((long long)number_at(80000));
}

RULE(rdma_fetch_add, "Fetch and add changes the remote value, and appends the previous value to the result.",
     .source = OBSERVED_2_5, .answer = "1 done, 1005, 1000") {
    connect_sides();
    set_number(65536, 1000);
    submit(add_task(&near_side, 1, remote_source(65536, 8), target(80000, 8), 5));
    answer_atomic();
}

RULE(rdma_compare_swap, "Compare and swap replaces a value that equals the expected one.", .source = OBSERVED_2_5,
     .answer = "1 done, 7, 1000") {
    connect_sides();
    set_number(65536, 1000);
    submit(swap_task(&near_side, 1, remote_source(65536, 8), target(80000, 8), 1000, 7));
    answer_atomic();
}

RULE(rdma_compare_swap_other, "Compare and swap does not change an unequal value, and returns it.",
     .source = OBSERVED_2_5, .answer = "1 done, 1000, 1000") {
    connect_sides();
    set_number(65536, 1000);
    submit(swap_task(&near_side, 1, remote_source(65536, 8), target(80000, 8), 999, 7));
    answer_atomic();
}

RULE(rdma_atomic_unaligned, "An atomic operation on a value that is not aligned fails.", .source = OBSERVED_3_0,
     .answer = "1 IO_FAILED") {
    connect_sides();
    submit(add_task(&near_side, 1, remote_source(65540, 8), target(80000, 8), 5));
    answer_results(1);
}

RULE(rdma_atomic_short_target, "An atomic operation changes 8 bytes, even if the remote buffer has less data.",
     .source = OBSERVED_3_0, .answer = "1 done, 1005, 1000") {
    connect_sides();
    set_number(65536, 1000);
    set_number(80000, 7);
    submit(add_task(&near_side, 1, remote_source(65536, 4), target(80000, 8), 5));
    answer_atomic();
}

RULE(rdma_atomic_short_result, "An atomic operation writes 8 bytes, even if the result buffer has less room.",
     .source = OBSERVED_3_0, .answer = "1 done, 1005, 1000, 8") {
    connect_sides();
    set_number(65536, 1000);
    set_number(80000, 7);
    struct doca_buf *result = target(80000, 4);
    submit(add_task(&near_side, 1, remote_source(65536, 8), result, 5));
    answer_atomic();
    answer_number((long long)data_len(result));
}

RULE(rdma_atomic_full_result, "An atomic operation appends its result, even to a full buffer.", .source = OBSERVED_3_0,
     .answer = "1 done, 1010, 1000, 1005, 16") {
    connect_sides();
    set_number(65536, 1000);
    set_number(80008, 7);
    struct doca_buf *result = target(80000, 8);
    struct doca_task *task = add_task(&near_side, 1, remote_source(65536, 8), result, 5);
    submit(task);
    progress_to(1);
    submit(task);
    progress_to(2);
    answer_results(2);
    answer_number((long long)number_at(65536));
    answer_number((long long)number_at(80000));
    answer_number((long long)number_at(80008));
    answer_number((long long)data_len(result));
}

/* Makes a buffer whose last bytes, if not whole, lie behind its map; ends the case if such buffers are refused. */
static struct doca_buf *
outside(size_t inside, size_t len, size_t data_len) {
    struct doca_buf *buf;
    uint8_t *start = memory + MEMORY_SIZE - inside;
    const doca_error_t result = doca_buf_inventory_buf_get_by_args(inventory, map, start, len, start, data_len, &buf);
    if (result != DOCA_SUCCESS) {
        not_available("buffers outside of their map are refused: %s", code_name(result));
    }
    return buf;
}

RULE(rdma_atomic_result_outside, "An atomic operation whose result has no place is executed, and fails.",
     .source = OBSERVED_3_0, .answer = "1 IO_FAILED, 1005") {
    connect_sides();
    set_number(65536, 1000);
    submit(add_task(&near_side, 1, remote_source(65536, 8), outside(4, 8, 0), 5));
    answer_results(1);
    answer_number((long long)number_at(65536));
}

RULE(rdma_try_submit_room, "A try of a submission checks the room of destinations and results, and the 8 bytes of atomics.",
     .source = OBSERVED_3_0,
     .answer = "INVALID_VALUE, INVALID_VALUE, INVALID_VALUE, INVALID_VALUE, INVALID_VALUE, SUCCESS, SUCCESS, SUCCESS, "
               "1 done, 2 done, 3 done") {
    connect_sides();
    CODE(doca_task_try_submit(read_task(&near_side, 11, remote_source(3000, 100), target(70000, 50))));
    CODE(doca_task_try_submit(write_task(&near_side, 12, source(0, 80), remote_target(65536, 40))));
    CODE(doca_task_try_submit(add_task(&near_side, 13, remote_source(65536, 8), target(80000, 4), 5)));
    CODE(doca_task_try_submit(add_task(&near_side, 14, remote_source(65536, 4), target(80000, 8), 5)));
    CODE(doca_task_try_submit(add_task(&near_side, 15, remote_target(65536, 8), target(80000, 8), 5)));
    CODE(doca_task_try_submit(read_task(&near_side, 1, remote_source(3000, 50), target(70000, 50))));
    CODE(doca_task_try_submit(write_task(&near_side, 2, source(0, 40), remote_target(66000, 40))));
    CODE(doca_task_try_submit(add_task(&near_side, 3, remote_source(65536, 8), target(80000, 8), 5)));
    answer_results(3);
}

RULE(rdma_try_submit_unaligned, "A try of a submission does not check that an atomic operation is aligned.",
     .source = OBSERVED_3_0, .answer = "SUCCESS, 1 IO_FAILED") {
    connect_sides();
    CODE(doca_task_try_submit(add_task(&near_side, 1, remote_source(65540, 8), target(80000, 8), 5)));
    answer_results(1);
}

RULE(rdma_try_submit_outside, "A try of a submission does not check that a local buffer lies in its map.",
     .source = OBSERVED_3_0, .answer = "SUCCESS, 1 IO_FAILED, STOPPING") {
    connect_sides();
    CODE(doca_task_try_submit(write_task(&near_side, 1, outside(4, 50, 50), remote_target(65536, 50))));
    answer_result_and_stop();
}

RULE(rdma_receive_outside, "A receive whose buffer leaves its map takes what fits into the map.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, SUCCESS, 1 done, 3 done, then, 1 done, 2 IO_FAILED, 3 done, 4 IO_FAILED") {
    connect_sides();
    CODE(doca_task_submit(receive_task(&far_side, 1, outside(16, 100, 0))));
    CODE(doca_task_try_submit(receive_task(&far_side, 2, outside(16, 100, 0))));
    submit(send_task(&near_side, 3, source(0, 16)));
    answer_results(2);
    answer("then");
    submit(send_task(&near_side, 4, source(0, 50)));
    answer_results(4);
}

/* Connects the sides with lists of no buffer. */
static void
connect_sides_without_lists(void) {
    create_sides();
    REQUIRE(doca_rdma_set_max_send_buf_list_len(near_side.rdma, 0));
    REQUIRE(doca_rdma_task_receive_set_dst_buf_list_len(far_side.rdma, 0));
    start_sides();
    REQUIRE(connect_side(&near_side, far_side.details, far_side.details_size));
    REQUIRE(connect_side(&far_side, near_side.details, near_side.details_size));
    progress_to_state(near_side.ctx, DOCA_CTX_STATE_RUNNING);
    progress_to_state(far_side.ctx, DOCA_CTX_STATE_RUNNING);
}

RULE(rdma_try_submit_without_lists, "A try of a submission refuses any buffer if lists have none, except of atomics.",
     .source = OBSERVED_3_0, .since = 209,
     .answer = "INVALID_VALUE, INVALID_VALUE, INVALID_VALUE, INVALID_VALUE, SUCCESS, SUCCESS, SUCCESS, 1 done, 2 done, 3 done") {
    connect_sides_without_lists();
    CODE(doca_task_try_submit(receive_task(&far_side, 11, target(65536, 64))));
    CODE(doca_task_try_submit(send_task(&near_side, 12, source(0, 64))));
    CODE(doca_task_try_submit(write_task(&near_side, 13, source(0, 64), remote_target(65536, 64))));
    CODE(doca_task_try_submit(read_task(&near_side, 14, remote_source(0, 64), target(65536, 64))));
    CODE(doca_task_try_submit(receive_task(&far_side, 1, NULL)));
    CODE(doca_task_try_submit(send_task(&near_side, 2, NULL)));
    CODE(doca_task_try_submit(add_task(&near_side, 3, remote_source(65536, 8), target(80000, 8), 5)));
    answer_results(3);
}

RULE(rdma_try_submit_long_lists, "A try of a submission refuses longer lists than were configured.",
     .source = OBSERVED_3_0, .answer = "INVALID_VALUE, INVALID_VALUE, INVALID_VALUE, INVALID_VALUE") {
    connect_sides();
    CODE(doca_task_try_submit(send_task(&near_side, 1, source_list(2, 0, 50, 1000))));
    CODE(doca_task_try_submit(write_task(&near_side, 2, source_list(2, 0, 50, 1000), remote_target(65536, 100))));
    CODE(doca_task_try_submit(read_task(&near_side, 3, remote_source(65536, 50), source_list(2, 0, 50, 1000))));
    CODE(doca_task_try_submit(receive_task(&near_side, 4, source_list(5, 0, 50, 1000))));
}

RULE(rdma_submit_without_lists, "A submission accepts a buffer if lists have none. A receive then takes no bytes.",
     .source = OBSERVED_3_0, .since = 209, .answer = "1 done, 2 done, then, 1 done, 2 done, 3 IO_FAILED, 4 IO_FAILED") {
    connect_sides_without_lists();
    submit(receive_task(&far_side, 1, target(65536, 64)));
    submit(receive_task(&far_side, 3, target(65536, 64)));
    submit(send_task(&near_side, 2, target(0, 64)));
    answer_results(2);
    answer("then");
    submit(send_task(&near_side, 4, source(0, 64)));
    answer_results(4);
}

RULE(rdma_local_keys, "The key of the local buffer is read at the submission.", .source = OBSERVED_2_5,
     .answer = "same buffer, 1 done, yes") {
    static uint8_t other[4096] __attribute__((aligned(4096)));
    memset(other, 0x5a, sizeof(other));
    connect_sides();
    struct doca_mmap *other_map = start_map(other, sizeof(other), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    struct doca_buf *dst = remote_target(65536, 64);
    struct doca_buf *src = source(0, 64);
    struct doca_task *task = write_task(&near_side, 1, src, dst);
    REQUIRE(doca_buf_dec_refcount(src, NULL));
    answer("%s", source_of(other_map, other, 64) == src ? "same buffer" : "another buffer");
    submit(task);
    answer_results(1);
    answer_flag(memcmp(memory + 65536, other, 64) == 0);
}

RULE(rdma_without_context_permission, "A write needs RDMA_WRITE of the peer's context.", .source = OBSERVED_3_0,
     .answer = "1 IO_FAILED, STOPPING") {
    rdma_permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ;
    connect_sides();
    submit(write_task(&near_side, 1, source(0, 64), remote_target(65536, 64)));
    answer_result_and_stop();
}

RULE(rdma_without_map_permission, "A write needs RDMA_WRITE of the peer's map.", .source = OBSERVED_3_0,
     .answer = "1 IO_FAILED, STOPPING") {
    map_permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ;
    connect_sides();
    submit(write_task(&near_side, 1, source(0, 64), remote_target(65536, 64)));
    answer_result_and_stop();
}

RULE(rdma_failure_of_others, "When a task fails the others of the context fail with BAD_STATE.", .source = OBSERVED_2_5,
     .answer = "1 IO_FAILED, 2 BAD_STATE, 3 BAD_STATE") {
    map_permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ;
    connect_sides();
    submit(receive_task(&near_side, 3, target(80000, 64)));
    submit(write_task(&near_side, 1, source(0, 64), remote_target(65536, 64)));
    submit(read_task(&near_side, 2, remote_source(3000, 64), target(90000, 64)));
    answer_results(3);
}

RULE(rdma_stop_with_receives, "A stop fails the posted receives with BAD_STATE.", .source = OBSERVED_2_5,
     .answer = "IN_PROGRESS, 1 BAD_STATE, 2 BAD_STATE, STOPPING") {
    connect_sides();
    submit(receive_task(&near_side, 1, target(65536, 64)));
    submit(receive_task(&near_side, 2, target(66560, 64)));
    CODE(doca_ctx_stop(near_side.ctx));
    answer_results(2);
    answer("%s", state_of(near_side.ctx));
}

/* The callbacks of each receive. */
static unsigned num_ends[5];

static void
free_receive(struct doca_task *task, uint64_t number) {
    if (number < 5) {
        num_ends[number]++;
        doca_task_free(task);
    }
}

/* Leaves a message for the far side, which the engine has not seen yet, and posts a second receive. */
static void
receive_unseen_message(void) {
    connect_sides();
    on_task = free_receive;
    submit(receive_task(&far_side, 1, target(65536, 64)));
    submit(receive_task(&far_side, 2, target(66560, 64)));
    submit(send_task(&near_side, 5, source(0, 64)));
    pause_for(50);
}

static void
answer_ends_of_receives(void) {
    progress_for(20);
    answer("%u and %u callbacks", num_ends[1], num_ends[2]);
    answer("%s", state_of(far_side.ctx));
}

RULE(rdma_stop_with_message,
     "If a message has arrived since the last progress, a stop completes its receive twice, and the context stays STOPPING.",
     .source = OBSERVED_3_0, .since = 209, .answer = "IN_PROGRESS, 2 and 1 callbacks, STOPPING") {
    receive_unseen_message();
    CODE(doca_ctx_stop(far_side.ctx));
    answer_ends_of_receives();
}

RULE(rdma_disconnect_and_stop_with_message,
     "If a message has arrived since the last progress, a stop after a disconnect completes each receive once.",
     .source = OBSERVED_3_0, .since = 209, .answer = "SUCCESS, IN_PROGRESS, 1 and 1 callbacks, IDLE") {
    receive_unseen_message();
    CODE(doca_rdma_connection_disconnect(far_side.connection));
    CODE(doca_ctx_stop(far_side.ctx));
    answer_ends_of_receives();
}

RULE(rdma_failure_with_message,
     "A context that stops by itself completes the receive of a message that has arrived since the last progress once.",
     .source = OBSERVED_3_0, .since = 209, .answer = "1 and 1 callbacks, IDLE") {
    connect_sides();
    struct doca_buf *outside = source(MEMORY_SIZE - 64, 64);
    if (doca_buf_set_data(outside, memory + MEMORY_SIZE - 32, 64) != DOCA_SUCCESS) {
        not_available("data outside of a buffer is refused");
    }
    on_task = free_receive;
    submit(receive_task(&far_side, 1, target(65536, 64)));
    submit(receive_task(&far_side, 2, target(66560, 64)));
    submit(write_task(&far_side, 3, outside, remote_target(67584, 64)));
    submit(send_task(&near_side, 5, source(0, 64)));
    pause_for(50);
    answer_ends_of_receives();
}

RULE(rdma_stop_and_restart, "A stopped context can be started again, and must then be connected again.",
     .source = OBSERVED_2_5, .answer = "SUCCESS, IDLE, SUCCESS") {
    connect_sides();
    CODE(doca_ctx_stop(near_side.ctx));
    progress_to_state(near_side.ctx, DOCA_CTX_STATE_IDLE);
    answer("%s", state_of(near_side.ctx));
    start_side(&near_side);
    CODE(export_side(&near_side));
}

RULE(rdma_submit_stopping, "A stopping context accepts no task.", .source = OBSERVED_2_5,
     .answer = "IN_PROGRESS, BAD_STATE") {
    connect_sides();
    struct doca_task *task = write_task(&near_side, 1, source(0, 64), remote_target(65536, 64));
    CODE(doca_ctx_stop(near_side.ctx));
    CODE(doca_task_submit(task));
}

RULE(rdma_destroy_running, "A running context cannot be destroyed.", .source = OBSERVED_3_0,
     .answer = "BAD_STATE") {
    connect_sides();
    CODE(doca_rdma_destroy(near_side.rdma));
}

RULE(rdma_send_queue_full, "Tasks that do not fit into the send queue are refused, even if the pool is larger.",
     .source = OBSERVED_3_0, .answer = "4 of 12 submitted, NO_MEMORY") {
    send_queue_size = 4;
    connect_sides();
    unsigned count = 0;
    doca_error_t result = DOCA_SUCCESS;
    while (count < 12 && result == DOCA_SUCCESS) {
        result = doca_task_submit(write_task(&near_side, count, source(0, 8), remote_target(65536 + count * 8, 8)));
        count += result == DOCA_SUCCESS;
    }
    answer("%u of 12 submitted", count);
    answer_code(result);
}

RULE(rdma_task_aimed_anew, "A task can be submitted again and again, with its buffers aimed anew each time.",
     .source = OBSERVED_3_0, .answer = "40 done, 40 copies") {
    connect_sides();
    struct doca_buf *local = source(0, MEMORY_SIZE);
    struct doca_buf *remote = remote_target(0, MEMORY_SIZE);
    struct doca_task *write = write_task(&near_side, 1, local, remote);
    struct doca_task *read = read_task(&near_side, 2, remote, local);
    unsigned copies = 0;
    for (size_t round = 0; round < 20; round++) {
        const size_t at = 65536 + round * 256;
        REQUIRE(doca_buf_set_data(local, memory + round * 64, 64));
        REQUIRE(doca_buf_set_data(remote, memory + at, 0));
        submit(write);
        progress_to(2 * round + 1);
        REQUIRE(doca_buf_set_data(remote, memory + round * 64 + 4096, 64));
        REQUIRE(doca_buf_set_data(local, memory + at + 128, 0));
        submit(read);
        progress_to(2 * round + 2);
        copies += is_copied(round * 64, at, 64);
        copies += is_copied(round * 64 + 4096, at + 128, 64);
    }
    answer("%zu done", num_completions);
    answer("%u copies", copies);
}

RULE(rdma_receive_past_data, "A receive takes whatever fits into its buffer, wherever its data segment lies.",
     .source = OBSERVED_3_0, .answer = "1 done, 2 done, 300, yes") {
    connect_sides();
    struct doca_buf *dst = target(0, MEMORY_SIZE);
    REQUIRE(doca_buf_set_data(dst, memory + 65536, 0));
    struct doca_task *receive = receive_task(&far_side, 1, dst);
    submit(receive);
    submit(send_task(&near_side, 2, source(0, 300)));
    answer_results(2);
    answer_number(received_len(receive));
    answer_flag(is_copied(0, 65536, 300));
}

RULE(rdma_data_outside, "The library does not check that the data lies in the local buffer and its map: the task fails.",
     .source = OBSERVED_3_0, .answer = "SUCCESS, SUCCESS, 1 IO_FAILED, STOPPING") {
    connect_sides();
    struct doca_buf *src = source(MEMORY_SIZE - 64, 64);
    CODE(doca_buf_set_data(src, memory + MEMORY_SIZE - 32, 64));
    CODE(doca_task_submit(write_task(&near_side, 1, src, remote_target(65536, 64))));
    answer_result_and_stop();
}

RULE(rdma_list_over_limit, "The library does not check the configured length of source lists.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, 1 done, yes") {
    connect_sides();
    uint32_t limit = 0;
    REQUIRE(doca_rdma_get_max_send_buf_list_len(near_side.rdma, &limit));
    if (limit >= 2) {
        not_available("the limit is %u", limit);
    }
    CODE(doca_task_submit(write_task(&near_side, 1, source_list(2, 0, 50, 1000), remote_target(65536, 100))));
    answer_results(1);
    answer_flag(is_copied(0, 65536, 50) && is_copied(1000, 65586, 50));
}

RULE(rdma_stop_with_idle_task, "A task that was never submitted delays a stop.", .source = OBSERVED_3_0,
     .answer = "IN_PROGRESS, STOPPING, IDLE") {
    connect_sides();
    struct doca_task *task = write_task(&near_side, 1, source(0, 64), remote_target(65536, 64));
    CODE(doca_ctx_stop(near_side.ctx));
    progress_for(5);
    answer("%s", state_of(near_side.ctx));
    doca_task_free(task);
    await_state(DOCA_CTX_STATE_IDLE);
    answer("%s", state_of(near_side.ctx));
}

RULE(rdma_map_stop_with_idle_task, "The map of a task's buffer can be stopped, and not destroyed.",
     .source = OBSERVED_3_0, .answer = "SUCCESS, NOT_PERMITTED") {
    connect_sides();
    static uint8_t other[4096] __attribute__((aligned(4096)));
    struct doca_mmap *other_map = start_map(other, sizeof(other), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    (void)write_task(&near_side, 1, source_of(other_map, other, 64), remote_target(65536, 64));
    CODE(doca_mmap_stop(other_map));
    CODE(doca_mmap_destroy(other_map));
}

static void
free_near_task(struct doca_task *task, uint64_t number) {
    (void)number;
    doca_task_free(task);
}

RULE(rdma_failure_of_freed_task, "A context whose only task fails and is freed in its callback becomes IDLE at once.",
     .source = OBSERVED_3_0, .answer = "to IDLE") {
    map_permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ;
    connect_sides();
    on_task = free_near_task;
    submit(write_task(&near_side, 1, source(0, 64), remote_target(65536, 64)));
    progress_to(1);
    progress_to_state(near_side.ctx, DOCA_CTX_STATE_IDLE);
    answer_notes();
}

RULE(rdma_failure_log, "The library logs nothing about failed tasks.", .source = OBSERVED_3_0, .since = 209,
     .answer = "1 IO_FAILED, nothing") {
    map_permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ;
    connect_sides();
    FILE *file = tmpfile();
    struct doca_log_backend *backend;
    REQUIRE(doca_log_backend_create_with_file_sdk(file, &backend));
    REQUIRE(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_WARNING));
    on_task = free_near_task;
    submit(write_task(&near_side, 1, source(0, 64), remote_target(65536, 64)));
    answer_results(1);
    await_state(DOCA_CTX_STATE_IDLE);
    fflush(file);
    answer("%s", lseek(fileno(file), 0, SEEK_END) > 0 ? "something" : "nothing");
}

RULE(rdma_inflight, "Posted receives and submitted tasks are in flight.", .source = OBSERVED_2_5, .answer = "2") {
    connect_sides();
    submit(receive_task(&near_side, 1, target(65536, 64)));
    submit(receive_task(&near_side, 2, target(66560, 64)));
    answer_number((long long)inflight(near_side.ctx));
}

RULE(rdma_unflushed_task_is_executed, "A task needs no flush: each submission rings the doorbell.",
     .source = OBSERVED_3_0, .since = 300, .answer = "1 done, yes") {
    connect_sides();
    REQUIRE(doca_task_submit_ex(
            write_task(&near_side, 1, source(0, 64), remote_target(65536, 64)), DOCA_TASK_SUBMIT_FLAG_NONE));
    answer_results(1);
    answer_flag(is_copied(0, 65536, 64));
}

RULE(rdma_flush, "Flushing a context without unflushed tasks does nothing.", .source = OBSERVED_3_0, .since = 300,
     .answer = "RUNNING and RUNNING, 1 done") {
    connect_sides();
    doca_ctx_flush_tasks(near_side.ctx);
    answer_states();
    submit(write_task(&near_side, 1, source(0, 64), remote_target(65536, 64)));
    answer_results(1);
}

RULE(rdma_task_buffers, "A task returns its buffers.", .source = OBSERVED_3_0, .answer = "yes, yes, yes") {
    connect_sides();
    struct doca_buf *local = source(0, 64);
    struct doca_buf *remote = remote_target(65536, 64);
    struct doca_rdma_task_write *write = (struct doca_rdma_task_write *)write_task(&near_side, 1, local, remote);
    answer_flag(doca_rdma_task_write_get_src_buf(write) == local);
    answer_flag(doca_rdma_task_write_get_dst_buf(write) == remote);
    struct doca_buf *dst = target(80000, 64);
    struct doca_task *receive = receive_task(&near_side, 2, dst);
    answer_flag(doca_rdma_task_receive_get_dst_buf(as_receive(receive)) == dst);
}
