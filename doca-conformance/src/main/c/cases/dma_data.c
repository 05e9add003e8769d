/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define THEME "dma data"

static void
copy(struct doca_dma *dma, uint64_t number, struct doca_buf *src, struct doca_buf *dst) {
    REQUIRE(submit_copy(copy_task(dma, number, src, dst)));
    progress_to(num_completions + 1);
}

RULE(dma_copies, "A copy moves the source's data to the destination and extends the destination's data accordingly.",
     .source = OBSERVED_3_0, .answer = "done 1, copied yes, data lengths 100 and 100") {
    struct doca_buf *src = source(0, 100);
    struct doca_buf *dst = target(4096, 200);
    copy(start_dma(1), 1, src, dst);
    answer_notes();
    answer("copied %s", is_copied(0, 4096, 100) ? "yes" : "no");
    answer("data lengths %zu and %zu", data_len(src), data_len(dst));
}

RULE(dma_appends, "A copy is written behind the data that the destination already has.", .source = OBSERVED_2_5,
     .answer = "done 1, done 2, yes, 200") {
    struct doca_dma *dma = start_dma(2);
    struct doca_buf *dst = target(4096, 300);
    copy(dma, 1, source(0, 100), dst);
    copy(dma, 2, source(500, 100), dst);
    answer_notes();
    answer_flag(is_copied(0, 4096, 100) && is_copied(500, 4196, 100));
    answer_number((long long)data_len(dst));
}

RULE(dma_data_segment, "Only the source's data segment is copied, not the whole buffer.", .source = OBSERVED_2_5,
     .answer = "done 1, yes, 50") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *src = source(0, 200);
    struct doca_buf *dst = target(4096, 200);
    REQUIRE(doca_buf_set_data(src, memory + 100, 50));
    copy(dma, 1, src, dst);
    answer_notes();
    answer_flag(is_copied(100, 4096, 50) && !is_copied(150, 4146, 50));
    answer_number((long long)data_len(dst));
}

RULE(dma_target_data_offset,
     "A copy is written behind the destination's data, wherever in the buffer that data begins.",
     .source = OBSERVED_2_5, .answer = "done 1, yes, 70") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *dst = target(4096, 200);
    REQUIRE(doca_buf_set_data(dst, memory + 4096 + 30, 20));
    copy(dma, 1, source(0, 50), dst);
    answer_notes();
    answer_flag(is_copied(0, 4096 + 50, 50));
    answer_number((long long)data_len(dst));
}

RULE(dma_reset_data_len, "After a reset of its data length a destination is filled from its start again.",
     .source = OBSERVED_2_5, .answer = "done 1, done 2, yes, 100") {
    struct doca_dma *dma = start_dma(2);
    struct doca_buf *dst = target(4096, 300);
    copy(dma, 1, source(0, 100), dst);
    REQUIRE(doca_buf_reset_data_len(dst));
    copy(dma, 2, source(500, 100), dst);
    answer_notes();
    answer_flag(is_copied(500, 4096, 100));
    answer_number((long long)data_len(dst));
}

RULE(dma_source_list, "The data of a source list is copied as one piece, in the order of the list.",
     .source = OBSERVED_2_5, .answer = "done 1, yes, 300") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *dst = target(8192, 300);
    copy(dma, 1, source_list(3, 0, 100, 1000), dst);
    answer_notes();
    answer_flag(is_copied(0, 8192, 100) && is_copied(1000, 8292, 100) && is_copied(2000, 8392, 100));
    answer_number((long long)data_len(dst));
}

RULE(dma_longest_source_list, "A list of 64 elements is copied.", .source = OBSERVED_2_5, .answer = "done 1, 1024") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *dst = target(65536, 1024);
    copy(dma, 1, source_list(64, 0, 16, 64), dst);
    answer_notes();
    answer_number((long long)data_len(dst));
}

RULE(dma_target_list,
     "A destination list is filled element by element. With 2.5 it is written from its first element on, past that "
     "element's end.", .source = OBSERVED_3_0,
     .answer = "done 1, data lengths 100 and 50, behind the first no, in the second yes",
     .answer_2_5 = "done 1, data lengths 150 and 0, behind the first yes, in the second no") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *first = target(4096, 100);
    struct doca_buf *second = target(8192, 100);
    REQUIRE(doca_buf_chain_list(first, second));
    copy(dma, 1, source(0, 150), first);
    answer_notes();
    answer("data lengths %zu and %zu", data_len(first), data_len(second));
    answer("behind the first %s", is_copied(100, 4196, 50) ? "yes" : "no");
    answer("in the second %s", is_copied(100, 8192, 50) ? "yes" : "no");
}

/* Takes a list of two destinations of 100 bytes, with that much data in each. */
static struct doca_buf *
two_targets(size_t first_len, size_t second_len) {
    struct doca_buf *first = target(4096, 100);
    struct doca_buf *second = target(8192, 100);
    REQUIRE(doca_buf_set_data(first, memory + 4096, first_len));
    REQUIRE(doca_buf_set_data(second, memory + 8192, second_len));
    REQUIRE(doca_buf_chain_list(first, second));
    return first;
}

static void
answer_list_lengths(const struct doca_buf *list) {
    for (const struct doca_buf *buf = list; buf != NULL;) {
        struct doca_buf *next;
        answer("%zu", data_len(buf));
        REQUIRE(doca_buf_get_next_in_list((struct doca_buf *)buf, &next));
        buf = next;
    }
}

RULE(dma_target_list_with_data, "Each element of a destination list is filled behind its data.",
     .source = OBSERVED_3_0, .since = 209, .answer = "done 1, 100, 100, yes, yes") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *list = two_targets(30, 20);
    copy(dma, 1, source(0, 150), list);
    answer_notes();
    answer_list_lengths(list);
    answer_flag(is_copied(0, 4126, 70));
    answer_flag(is_copied(70, 8212, 80));
}

RULE(dma_target_list_full_element, "A full element of a destination list is skipped.", .source = OBSERVED_3_0,
     .since = 209, .answer = "done 1, 100, 50, yes") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *list = two_targets(100, 0);
    copy(dma, 1, source(0, 50), list);
    answer_notes();
    answer_list_lengths(list);
    answer_flag(is_copied(0, 8192, 50));
}

RULE(dma_lists, "A source list is copied to a destination list.", .source = OBSERVED_3_0, .since = 209,
     .answer = "done 1, 100, 80, yes, yes") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *list = two_targets(0, 0);
    copy(dma, 1, source_list(3, 0, 60, 60), list);
    answer_notes();
    answer_list_lengths(list);
    answer_flag(is_copied(0, 4096, 100));
    answer_flag(is_copied(100, 8192, 80));
}

RULE(dma_longest_lists, "Source and destination may both be lists of 64 elements.", .source = OBSERVED_3_0,
     .since = 209, .answer = "done 1, yes") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *head = target(65536, 16);
    for (size_t i = 1; i < 64; i++) {
        REQUIRE(doca_buf_chain_list(head, target(65536 + i * 32, 16)));
    }
    copy(dma, 1, source_list(64, 0, 16, 16), head);
    answer_notes();
    bool copied = true;
    for (size_t i = 0; i < 64; i++) {
        copied = copied && is_copied(i * 16, 65536 + i * 32, 16);
    }
    answer_flag(copied);
}

RULE(dma_aimed_by_data,
     "Buffers over a whole map can be aimed by their data segments, anew for each submission while others are in flight.",
     .source = OBSERVED_3_0, .answer = "32 done, 32 copies") {
    struct doca_dma *dma = start_dma(32);
    struct doca_buf *src = source(0, MEMORY_SIZE);
    struct doca_buf *dst = target(0, MEMORY_SIZE);
    for (uint64_t number = 0; number < 32; number++) {
        REQUIRE(doca_buf_set_data(src, memory + number * 64, 64));
        REQUIRE(doca_buf_set_data(dst, memory + 65536 + number * 128, 0));
        REQUIRE(submit_copy(copy_task(dma, number, src, dst)));
    }
    progress_to(32);
    answer("%zu done", num_completions);
    unsigned copies = 0;
    for (size_t number = 0; number < 32; number++) {
        copies += is_copied(number * 64, 65536 + number * 128, 64);
    }
    answer("%u copies", copies);
}

RULE(dma_target_too_small, "The library does not check that the data fits: the copy continues past the destination.",
     .source = OBSERVED_2_5, .answer = "done 1, yes, 100") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *dst = target(4096, 50);
    copy(dma, 1, source(0, 100), dst);
    answer_notes();
    answer_flag(is_copied(0, 4096, 100));
    answer_number((long long)data_len(dst));
}

RULE(dma_data_outside, "Data may lie outside of their buffers: they are copied all the same, within the map.",
     .source = OBSERVED_3_0, .answer = "SUCCESS, SUCCESS, done 1, yes") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *src = source(0, 64);
    struct doca_buf *dst = target(4096, 64);
    CODE(doca_buf_set_data(src, memory + 1024, 64));
    CODE(doca_buf_set_data(dst, memory + 8192, 0));
    REQUIRE(submit_copy(copy_task(dma, 1, src, dst)));
    progress_to(1);
    answer_notes();
    answer_flag(is_copied(1024, 8192, 64));
}

RULE(dma_target_full, "A copy to a full destination is written past its end.", .source = OBSERVED_2_5,
     .answer = "done 1, done 2, yes, 200") {
    struct doca_dma *dma = start_dma(2);
    struct doca_buf *dst = target(4096, 100);
    copy(dma, 1, source(0, 100), dst);
    copy(dma, 2, source(500, 100), dst);
    answer_notes();
    answer_flag(is_copied(500, 4196, 100));
    answer_number((long long)data_len(dst));
}

RULE(dma_overlap, "Source and destination may overlap; the resulting bytes are undefined.", .source = OBSERVED_2_5,
     .answer = "done 1, 100") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *dst = target(50, 100);
    copy(dma, 1, source(0, 100), dst);
    answer_notes();
    answer_number((long long)data_len(dst));
}

RULE(dma_empty_source, "A source without data fails the task.", .source = OBSERVED_3_0,
     .answer = "failed 1 IO_FAILED, to STOPPING, 0") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *dst = target(4096, 64);
    REQUIRE(submit_copy(copy_task(dma, 1, target(0, 64), dst)));
    progress_to(1);
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_STOPPING);
    answer_notes();
    answer_number((long long)data_len(dst));
}

RULE(dma_capture_source, "The source's data segment is read at the submission: a change in flight has no effect.",
     .source = OBSERVED_2_5, .answer = "done 1, yes, 64") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *src = source(0, 64);
    struct doca_buf *dst = target(4096, 64);
    REQUIRE(submit_copy(copy_task(dma, 1, src, dst)));
    REQUIRE(doca_buf_set_data(src, memory + 32, 10));
    progress_to(1);
    answer_notes();
    answer_flag(is_copied(0, 4096, 64));
    answer_number((long long)data_len(dst));
}

RULE(dma_capture_target,
     "The position in the destination is read at the submission, for each of several tasks in flight.", .source = OBSERVED_3_0,
     .answer = "2 done, yes, yes") {
    struct doca_dma *dma = start_dma(2);
    struct doca_buf *src = source(0, 128);
    struct doca_buf *dst = target(4096, 4096);
    REQUIRE(doca_buf_set_data(src, memory, 64));
    REQUIRE(submit_copy(copy_task(dma, 1, src, dst)));
    REQUIRE(doca_buf_set_data(src, memory + 64, 64));
    REQUIRE(doca_buf_set_data(dst, memory + 6144, 0));
    REQUIRE(submit_copy(copy_task(dma, 2, src, dst)));
    progress_to(2);
    answer("%zu done", num_completions);
    answer_flag(is_copied(0, 4096, 64));
    answer_flag(is_copied(64, 6144, 64));
}

RULE(dma_same_target_in_flight,
     "Two tasks in flight to one destination write to the same place, and both extend its data.",
     .source = OBSERVED_2_5, .answer = "2 done, 128, nothing behind") {
    struct doca_dma *dma = start_dma(2);
    struct doca_buf *dst = target(4096, 4096);
    memset(memory + 4096, 0, 4096);
    REQUIRE(submit_copy(copy_task(dma, 1, source(0, 64), dst)));
    REQUIRE(submit_copy(copy_task(dma, 2, source(64, 64), dst)));
    progress_to(2);
    answer("%zu done", num_completions);
    answer_number((long long)data_len(dst));
    answer("%s", memory[4096 + 64] == 0 && memory[4096 + 70] == 0 ? "nothing behind" : "something behind");
}

RULE(dma_shared_source, "Several tasks in flight may have one source.", .source = OBSERVED_3_0, .answer = "2 done, yes") {
    struct doca_dma *dma = start_dma(2);
    struct doca_buf *src = source(0, 64);
    REQUIRE(submit_copy(copy_task(dma, 1, src, target(4096, 64))));
    REQUIRE(submit_copy(copy_task(dma, 2, src, target(8192, 64))));
    progress_to(2);
    answer("%zu done", num_completions);
    answer_flag(is_copied(0, 4096, 64) && is_copied(0, 8192, 64));
}

RULE(dma_target_key,
     "The destination's memory key is read at the submission. With 2.5 it is read when the buffer is set: a buffer of "
     "another map at the same address fails.", .source = OBSERVED_3_0, .answer = "same buffer, done 1, still RUNNING",
     .answer_2_5 = "same buffer, failed 1 IO_FAILED, to STOPPING") {
    static uint8_t other[4096] __attribute__((aligned(4096)));
    struct doca_dma *dma = start_dma(1);
    struct doca_mmap *other_map = start_map(other, sizeof(other), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    struct doca_buf *src = source(0, 64);
    struct doca_buf *dst = target(4096, 64);
    struct doca_dma_task_memcpy *task = copy_task(dma, 1, src, dst);
    REQUIRE(doca_buf_dec_refcount(dst, NULL));
    answer("%s", target_of(other_map, other, 64) == dst ? "same buffer" : "another buffer");
    REQUIRE(submit_copy(task));
    progress_to(1);
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_STOPPING);
    answer_notes();
}

RULE(dma_target_key_set_again,
     "Setting the destination again reads the key of the map that the buffer now belongs to.", .source = OBSERVED_2_5,
     .answer = "same buffer, done 1, yes") {
    static uint8_t other[4096] __attribute__((aligned(4096)));
    struct doca_dma *dma = start_dma(1);
    struct doca_mmap *other_map = start_map(other, sizeof(other), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    struct doca_buf *dst = target(4096, 64);
    struct doca_dma_task_memcpy *task = copy_task(dma, 1, source(0, 64), dst);
    REQUIRE(doca_buf_dec_refcount(dst, NULL));
    answer("%s", target_of(other_map, other, 64) == dst ? "same buffer" : "another buffer");
    doca_dma_task_memcpy_set_dst(task, dst);
    REQUIRE(submit_copy(task));
    progress_to(1);
    answer_notes();
    answer_flag(memcmp(memory, other, 64) == 0);
}

RULE(dma_source_key, "The source's memory key is read at the submission.", .source = OBSERVED_2_5,
     .answer = "same buffer, done 1, yes") {
    static uint8_t other[4096] __attribute__((aligned(4096)));
    memset(other, 0x5a, sizeof(other));
    struct doca_dma *dma = start_dma(1);
    struct doca_mmap *other_map = start_map(other, sizeof(other), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    struct doca_buf *dst = target(4096, 64);
    struct doca_buf *src = source(0, 64);
    struct doca_dma_task_memcpy *task = copy_task(dma, 1, src, dst);
    REQUIRE(doca_buf_dec_refcount(src, NULL));
    answer("%s", source_of(other_map, other, 64) == src ? "same buffer" : "another buffer");
    REQUIRE(submit_copy(task));
    progress_to(1);
    answer_notes();
    answer_flag(memcmp(memory + 4096, other, 64) == 0);
}

RULE(dma_read_only_target, "A copy to memory that is read-only fails.", .source = OBSERVED_2_5,
     .answer = "failed 1 IO_FAILED, to STOPPING, 0") {
    static uint8_t other[4096] __attribute__((aligned(4096)));
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *dst =
            target_of(start_map(other, sizeof(other), DOCA_ACCESS_FLAG_LOCAL_READ_ONLY), other, sizeof(other));
    REQUIRE(submit_copy(copy_task(dma, 1, source(0, 64), dst)));
    progress_to(1);
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_STOPPING);
    answer_notes();
    answer_number((long long)data_len(dst));
}

RULE(dma_read_only_source, "A source may be read-only.", .source = OBSERVED_2_5, .answer = "done 1") {
    static uint8_t other[4096] __attribute__((aligned(4096)));
    struct doca_dma *dma = start_dma(1);
    struct doca_mmap *read_only = start_map(other, sizeof(other), DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
    copy(dma, 1, source_of(read_only, other, 64), target(4096, 64));
    answer_notes();
}

RULE(dma_pci_map_is_writable, "The process's own DMA can write to a map that has only PCI_READ_WRITE.",
     .source = OBSERVED_2_5, .answer = "done 1, yes") {
    static uint8_t other[4096] __attribute__((aligned(4096)));
    struct doca_dma *dma = start_dma(1);
    struct doca_mmap *pci = start_map(other, sizeof(other), DOCA_ACCESS_FLAG_PCI_READ_WRITE);
    copy(dma, 1, source(0, 64), target_of(pci, other, 64));
    answer_notes();
    answer_flag(memcmp(memory, other, 64) == 0);
}

RULE(dma_past_the_map, "A source that reaches beyond its map fails.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, failed 1 IO_FAILED, to STOPPING") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *src = source(MEMORY_SIZE - 64, 64);
    CODE(doca_buf_set_data(src, memory + MEMORY_SIZE - 32, 64));
    REQUIRE(submit_copy(copy_task(dma, 1, src, target(4096, 64))));
    progress_to(1);
    progress_to_state(ctx_of(dma), DOCA_CTX_STATE_STOPPING);
    answer_notes();
}

RULE(dma_largest_copy, "A copy of the largest size succeeds.", .source = OBSERVED_2_5, .answer = "done 1, yes, yes") {
    struct doca_dma *dma = start_dma(1);
    uint64_t size;
    REQUIRE(doca_dma_cap_task_memcpy_get_max_buf_size(devinfo(), &size));
    if (size > (uint64_t)64 << 20) {
        size = (uint64_t)64 << 20;
    }
    uint8_t *from = aligned_alloc(4096, size);
    uint8_t *to = aligned_alloc(4096, size);
    memset(from, 0x77, size);
    struct doca_buf *src = source_of(start_map(from, size, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE), from, size);
    struct doca_buf *dst = target_of(start_map(to, size, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE), to, size);
    copy(dma, 1, src, dst);
    answer_notes();
    answer_flag(memcmp(from, to, size) == 0);
    answer_flag(data_len(dst) == size);
}

RULE(dma_one_byte, "A copy may have one byte, at any address.", .source = OBSERVED_2_5, .answer = "done 1, yes, 1") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *dst = target(4099, 1);
    copy(dma, 1, source(7, 1), dst);
    answer_notes();
    answer_flag(is_copied(7, 4099, 1));
    answer_number((long long)data_len(dst));
}

RULE(dma_reference_counts, "A task in flight does not take a reference to its buffers.", .source = OBSERVED_2_5,
     .answer = "1, 1") {
    struct doca_dma *dma = start_dma(1);
    struct doca_buf *src = source(0, 64);
    struct doca_buf *dst = target(4096, 64);
    REQUIRE(submit_copy(copy_task(dma, 1, src, dst)));
    uint16_t count = 9;
    REQUIRE(doca_buf_get_refcount(src, &count));
    answer_number(count);
    REQUIRE(doca_buf_get_refcount(dst, &count));
    answer_number(count);
}

RULE(dma_two_contexts_one_map, "Two contexts may use one map.", .source = OBSERVED_3_0, .answer = "2 done") {
    struct doca_dma *first = start_dma(1);
    struct doca_dma *second = start_dma(1);
    REQUIRE(submit_copy(block_task(first, 1)));
    REQUIRE(submit_copy(block_task(second, 2)));
    progress_to(2);
    answer("%zu done", num_completions);
}
