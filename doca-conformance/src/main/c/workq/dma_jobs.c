/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <sys/mman.h>

#define THEME "dma jobs"

RULE(dma_limits, "A copy has at most 128 MiB, and 64 elements.", .source = OBSERVED_2_2, .answer = "134217728, 64") {
    uint64_t size = 0;
    uint32_t num_elements = 0;
    REQUIRE(doca_dma_get_max_buf_size(devinfo(), &size));
    REQUIRE(doca_dma_get_max_list_buf_num_elem(devinfo(), &num_elements));
    answer_number((long long)size);
    answer_number(num_elements);
}

RULE(dma_job, "A copy ends with an event of its type and extends the data of the destination.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, SUCCESS, type 0x10001, data 7, result 0, yes, lengths 100 and 100") {
    struct doca_workq *workq = create_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    struct doca_buf *src = source(0, 100);
    struct doca_buf *dst = target(65536, 200);
    struct doca_event event = {.result = {.u64 = 99}};
    CODE(submit_copy(workq, ctx, 7, src, dst));
    CODE(retrieve(workq, &event));
    answer("type %#x, data %llu, result %llu", (unsigned)event.type, (unsigned long long)event.user_data.u64,
           (unsigned long long)event.result.u64);
    answer_flag(is_copied(0, 65536, 100));
    answer("lengths %zu and %zu", data_len(src), data_len(dst));
}

RULE(dma_appends, "A copy is written behind the data of its destination.", .source = OBSERVED_2_2,
     .answer = "1 SUCCESS, yes, 120") {
    struct doca_workq *workq = create_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    struct doca_buf *dst = target(65536, 200);
    REQUIRE(doca_buf_set_data(dst, memory + 65536 + 10, 20));
    REQUIRE(submit_copy(workq, ctx, 1, source(0, 100), dst));
    answer_events(workq, 1);
    answer_flag(is_copied(0, 65536 + 30, 100));
    answer_number((long long)data_len(dst));
}

RULE(dma_any_type, "The type and the flags of a job of a DMA context are ignored.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, SUCCESS, type 0x10001, yes") {
    struct doca_workq *workq = create_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    struct doca_dma_job_memcpy job = copy_job(ctx, 1, source(64, 64), target(65536, 64));
    struct doca_event event = {0};
    job.base.type = 5;
    job.base.flags = 6;
    CODE(doca_workq_submit(workq, &job.base));
    CODE(retrieve(workq, &event));
    answer("type %#x", (unsigned)event.type);
    answer_flag(is_copied(64, 65536, 64));
}

RULE(dma_without_source, "A job without a source never ends.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, no, IN_USE") {
    struct doca_workq *workq = create_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    CODE(submit_copy(workq, ctx, 1, NULL, target(65536, 64)));
    answer_flag(has_event(workq));
    CODE(doca_ctx_workq_rm(ctx, workq));
}

RULE(dma_without_destination, "A job without a destination crashes the process.", .source = OBSERVED_2_2,
     .answer = "process died: Segmentation fault") {
    struct doca_workq *workq = create_workq(1);
    CODE(submit_copy(workq, attach_dma(workq), 1, source(0, 64), NULL));
}

RULE(dma_not_attached, "A job of a context that is not attached crashes the process.", .source = OBSERVED_2_2,
     .answer = "process died: Segmentation fault") {
    struct doca_workq *workq = create_workq(1);
    CODE(submit_block(workq, start_dma(), 1));
}

RULE(dma_not_started, "A job of a context that is not started crashes the process.", .source = OBSERVED_2_2,
     .answer = "process died: Segmentation fault") {
    struct doca_workq *workq = create_workq(1);
    CODE(submit_block(workq, doca_dma_as_ctx(configure_dma()), 1));
}

RULE(dma_map_without_device, "A buffer of a map without a device crashes the process.", .source = OBSERVED_2_2,
     .answer = "process died: Segmentation fault") {
    struct doca_workq *workq = create_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    struct doca_mmap *mmap;
    REQUIRE(doca_mmap_create(NULL, &mmap));
    REQUIRE(doca_mmap_set_memrange(mmap, memory, 4096));
    REQUIRE(doca_mmap_set_permissions(mmap, DOCA_ACCESS_LOCAL_READ_WRITE));
    REQUIRE(doca_mmap_start(mmap));
    CODE(submit_copy(workq, ctx, 1, take(mmap, memory, 64, 64), target(65536, 64)));
}

static void
copy_list(size_t num_elements) {
    struct doca_workq *workq = create_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    const doca_error_t code = submit_copy(workq, ctx, 1, source_list(num_elements, 0, 64), target(65536, 8192));
    answer_code(code);
    if (code == DOCA_SUCCESS) {
        answer_events(workq, 1);
        answer_flag(is_copied(0, 65536, num_elements * 64));
    }
}

RULE(dma_list, "A source may be a list of 64 elements.", .source = OBSERVED_2_2, .answer = "SUCCESS, 1 SUCCESS, yes") {
    copy_list(64);
}

RULE(dma_list_too_long, "A source list with more than 64 elements is refused.", .source = OBSERVED_2_2,
     .answer = "INVALID_VALUE") {
    copy_list(65);
}

RULE(dma_list_of_targets, "A list as destination is written from its first element on, past that element's end.",
     .source = OBSERVED_2_2, .answer = "SUCCESS, 1 SUCCESS, yes, lengths 128 and 0") {
    struct doca_workq *workq = create_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    struct doca_buf *dst = target(65536, 64);
    struct doca_buf *second = target(65536 + 4096, 64);
    REQUIRE(doca_buf_list_chain(dst, second));
    CODE(submit_copy(workq, ctx, 1, source(0, 128), dst));
    answer_events(workq, 1);
    answer_flag(is_copied(0, 65536, 128));
    answer("lengths %zu and %zu", data_len(dst), data_len(second));
}

RULE(dma_too_small, "A copy continues past a destination that is too small.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, 1 SUCCESS, yes, 100") {
    struct doca_workq *workq = create_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    struct doca_buf *dst = target(65536, 64);
    CODE(submit_copy(workq, ctx, 1, source(0, 100), dst));
    answer_events(workq, 1);
    answer_flag(is_copied(0, 65536, 100));
    answer_number((long long)data_len(dst));
}

RULE(dma_no_data, "A source without data fails on the device.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, 1 IO_FAILED 1") {
    struct doca_workq *workq = create_workq(1);
    CODE(submit_failing(workq, attach_dma(workq), 1));
    answer_events(workq, 1);
}

RULE(dma_empty_element, "An empty element in a source fails on the device.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, 1 IO_FAILED 1") {
    struct doca_workq *workq = create_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    struct doca_buf *src = source(0, 64);
    REQUIRE(doca_buf_list_chain(src, target(64, 64)));
    CODE(submit_copy(workq, ctx, 1, src, target(65536, 128)));
    answer_events(workq, 1);
}

RULE(dma_read_only, "A copy to memory that is mapped read-only fails on the device.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, 1 IO_FAILED 1, no") {
    struct doca_workq *workq = create_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    struct doca_mmap *mmap = start_map(memory + 65536, 4096, DOCA_ACCESS_LOCAL_READ_ONLY);
    CODE(submit_copy(workq, ctx, 1, source(0, 64), take(mmap, memory + 65536, 64, 0)));
    answer_events(workq, 1);
    answer_flag(is_copied(0, 65536, 64));
}

RULE(dma_past_the_map, "A copy from memory past the map fails on the device.", .source = OBSERVED_2_2,
     .answer = "SUCCESS, SUCCESS, 1 IO_FAILED 1") {
    struct doca_workq *workq = create_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    struct doca_mmap *mmap = start_map(memory, 4096, DOCA_ACCESS_LOCAL_READ_WRITE);
    struct doca_buf *src = take(mmap, memory + 4096 - 64, 64, 64);
    CODE(doca_buf_set_data(src, memory + 4096 - 32, 64));
    CODE(submit_copy(workq, ctx, 1, src, target(65536, 64)));
    answer_events(workq, 1);
}

RULE(dma_largest, "A copy of more than 128 MiB is refused.", .source = OBSERVED_2_2, .answer = "INVALID_VALUE") {
    struct doca_workq *workq = create_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    const size_t size = ((size_t)128 << 20) + 1;
    uint8_t *large = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (large == MAP_FAILED) {
        not_available("no memory for a large copy");
    }
    struct doca_mmap *mapped = start_map(large, 2 * size, DOCA_ACCESS_LOCAL_READ_WRITE);
    CODE(submit_copy(workq, ctx, 1, take(mapped, large, size, size), take(mapped, large + size, size, 0)));
}

RULE(dma_job_captured, "A job may be changed after its submission has returned.", .source = OBSERVED_2_2,
     .answer = "1 SUCCESS, yes") {
    struct doca_workq *workq = create_workq(1);
    struct doca_ctx *ctx = attach_dma(workq);
    struct doca_buf *src = source(0, 64);
    struct doca_dma_job_memcpy job = copy_job(ctx, 1, src, target(65536, 64));
    REQUIRE(doca_workq_submit(workq, &job.base));
    memset(&job, 0, sizeof(job));
    REQUIRE(doca_buf_set_data(src, memory + 32, 1));
    answer_events(workq, 1);
    answer_flag(is_copied(0, 65536, 64));
}

RULE(dma_same_destination, "Two jobs in flight to one destination write to the same place, and both extend its data.",
     .source = OBSERVED_2_2, .answer = "1 SUCCESS, 2 SUCCESS, yes, yes, 150") {
    struct doca_workq *workq = create_workq(2);
    struct doca_ctx *ctx = attach_dma(workq);
    struct doca_buf *dst = target(65536, 200);
    REQUIRE(submit_copy(workq, ctx, 1, source(0, 100), dst));
    REQUIRE(submit_copy(workq, ctx, 2, source(200, 50), dst));
    answer_events(workq, 2);
    answer_flag(is_copied(200, 65536, 50));
    answer_flag(is_copied(50, 65536 + 50, 50));
    answer_number((long long)data_len(dst));
}

RULE(dma_failure, "A failed job fails the jobs behind it; the context then accepts no others on that queue.",
     .source = OBSERVED_2_2, .answer = "1 SUCCESS, 2 IO_FAILED 1, BAD_STATE, 3 IO_FAILED 1") {
    struct doca_workq *workq = create_workq(4);
    struct doca_ctx *ctx = attach_dma(workq);
    REQUIRE(submit_block(workq, ctx, 1));
    REQUIRE(submit_failing(workq, ctx, 2));
    REQUIRE(submit_block(workq, ctx, 3));
    answer_events(workq, 2);
    CODE(submit_block(workq, ctx, 4));
    answer_events(workq, 1);
}

RULE(dma_failure_of_another_queue, "A failed job does not affect the other queues of its context.",
     .source = OBSERVED_2_2, .answer = "1 IO_FAILED 1, SUCCESS, 2 SUCCESS, BAD_STATE") {
    struct doca_workq *workq = create_workq(2);
    struct doca_workq *other = create_workq(2);
    struct doca_ctx *ctx = attach_dma(workq);
    REQUIRE(doca_ctx_workq_add(ctx, other));
    REQUIRE(submit_failing(workq, ctx, 1));
    answer_events(workq, 1);
    CODE(submit_block(other, ctx, 2));
    answer_events(other, 1);
    CODE(submit_block(workq, ctx, 3));
}

RULE(dma_failure_of_another_context, "A failed job does not affect the other contexts of its queue.",
     .source = OBSERVED_2_2, .answer = "1 IO_FAILED 1, SUCCESS, 2 SUCCESS") {
    struct doca_workq *workq = create_workq(2);
    struct doca_ctx *ctx = attach_dma(workq);
    struct doca_ctx *other = attach_dma(workq);
    REQUIRE(submit_failing(workq, ctx, 1));
    answer_events(workq, 1);
    CODE(submit_block(workq, other, 2));
    answer_events(workq, 1);
}

RULE(dma_recovery, "A context recovers when it is detached and attached again.", .source = OBSERVED_2_2,
     .answer = "1 IO_FAILED 1, SUCCESS, SUCCESS, SUCCESS, 2 SUCCESS") {
    struct doca_workq *workq = create_workq(2);
    struct doca_ctx *ctx = attach_dma(workq);
    REQUIRE(submit_failing(workq, ctx, 1));
    answer_events(workq, 1);
    CODE(doca_ctx_workq_rm(ctx, workq));
    CODE(doca_ctx_workq_add(ctx, workq));
    CODE(submit_block(workq, ctx, 2));
    answer_events(workq, 1);
}

RULE(dma_submit_null, "A submission without a queue or without a job crashes the process.", .source = OBSERVED_2_2,
     .answer = "process died: Segmentation fault") {
    CODE(doca_workq_submit(create_workq(1), NULL));
}
