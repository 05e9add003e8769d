/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#define THEME "dma configuration"

static void
ignore_copy(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data) {
    (void)task;
    (void)task_data;
    (void)ctx_data;
}

/* Returns the number of tasks that a running context allocates, up to the limit. */
static unsigned
count_tasks(struct doca_dma *dma, unsigned limit) {
    struct doca_buf *src = source(0, 64);
    struct doca_buf *dst = target(4096, 64);
    struct doca_dma_task_memcpy *task;
    unsigned count = 0;
    while (count < limit && doca_dma_task_memcpy_alloc_init(dma, src, dst, data_of(0), &task) == DOCA_SUCCESS) {
        count++;
    }
    return count;
}

RULE(dma_create_without_device, "A DMA context needs a device.", .source = OBSERVED_2_5, .answer = "INVALID_VALUE") {
    struct doca_dma *dma;
    CODE(doca_dma_create(NULL, &dma));
}

RULE(dma_create_without_result, "Creating a DMA context needs a result pointer.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE") {
    open_device();
    CODE(doca_dma_create(dev, NULL));
}

RULE(dma_destroy_null, "Destroying NULL does nothing.", .source = OBSERVED_2_5, .answer = "SUCCESS") {
    CODE(doca_dma_destroy(NULL));
}

RULE(dma_new_context, "A new context is idle and has no tasks in flight.", .source = OBSERVED_2_5,
     .answer = "IDLE, 0") {
    open_device();
    struct doca_dma *dma;
    REQUIRE(doca_dma_create(dev, &dma));
    answer("%s", state_of(ctx_of(dma)));
    answer_number((long long)inflight(ctx_of(dma)));
}

RULE(dma_max_buf_size, "The largest copy is a power of two, of 1 MiB or more.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, yes") {
    uint64_t size = 0;
    CODE(doca_dma_cap_task_memcpy_get_max_buf_size(devinfo(), &size));
    answer_flag(size >= (uint64_t)1 << 20 && (size & (size - 1)) == 0);
}

RULE(dma_max_buf_size_arguments, "The largest copy needs a device and a result pointer.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    uint64_t size;
    CODE(doca_dma_cap_task_memcpy_get_max_buf_size(NULL, &size));
    CODE(doca_dma_cap_task_memcpy_get_max_buf_size(devinfo(), NULL));
}

RULE(dma_max_list_len, "A source list may have 64 elements.", .source = OBSERVED_3_0, .answer = "64") {
    uint32_t len = 0;
    REQUIRE(doca_dma_cap_task_memcpy_get_max_buf_list_len(devinfo(), &len));
    answer_number(len);
}

RULE(dma_max_list_len_arguments, "The largest list needs a device and a result pointer.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    uint32_t len;
    CODE(doca_dma_cap_task_memcpy_get_max_buf_list_len(NULL, &len));
    CODE(doca_dma_cap_task_memcpy_get_max_buf_list_len(devinfo(), NULL));
}

RULE(dma_is_supported_null, "The query whether DMA is supported needs a device.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE") {
    CODE(doca_dma_cap_task_memcpy_is_supported(NULL));
}

RULE(dma_max_tasks, "A context may have 65536 tasks.", .source = OBSERVED_2_5, .answer = "SUCCESS, 65536") {
    open_device();
    struct doca_dma *dma;
    REQUIRE(doca_dma_create(dev, &dma));
    uint32_t max = 0;
    CODE(doca_dma_cap_get_max_num_tasks(dma, &max));
    answer_number(max);
}

RULE(dma_max_tasks_arguments, "The number of tasks needs a context and a result pointer.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    open_device();
    struct doca_dma *dma;
    uint32_t max;
    REQUIRE(doca_dma_create(dev, &dma));
    CODE(doca_dma_cap_get_max_num_tasks(NULL, &max));
    CODE(doca_dma_cap_get_max_num_tasks(dma, NULL));
}

RULE(dma_conf_callbacks, "Both callbacks are required.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    struct doca_dma *dma = configure_dma(4);
    CODE(doca_dma_task_memcpy_set_conf(dma, NULL, ignore_copy, 4));
    CODE(doca_dma_task_memcpy_set_conf(dma, ignore_copy, NULL, 4));
}

RULE(dma_conf_null, "Configuring tasks needs a context.", .source = OBSERVED_2_5, .answer = "INVALID_VALUE") {
    CODE(doca_dma_task_memcpy_set_conf(NULL, ignore_copy, ignore_copy, 4));
}

RULE(dma_conf_no_tasks, "A context may be configured for zero tasks, and then has none.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, SUCCESS, NO_MEMORY") {
    struct doca_dma *dma = configure_dma(4);
    CODE(doca_dma_task_memcpy_set_conf(dma, ignore_copy, ignore_copy, 0));
    CODE(doca_ctx_start(ctx_of(dma)));
    struct doca_dma_task_memcpy *task;
    CODE(doca_dma_task_memcpy_alloc_init(dma, source(0, 64), target(4096, 64), data_of(0), &task));
}

RULE(dma_conf_most_tasks, "A context may be configured for 65536 tasks, and for no more.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, INVALID_VALUE") {
    struct doca_dma *dma = configure_dma(4);
    CODE(doca_dma_task_memcpy_set_conf(dma, ignore_copy, ignore_copy, 65536));
    CODE(doca_dma_task_memcpy_set_conf(dma, ignore_copy, ignore_copy, 65537));
}

RULE(dma_conf_replaced, "A later configuration replaces an earlier one.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, 4") {
    struct doca_dma *dma = configure_dma(16);
    CODE(doca_dma_task_memcpy_set_conf(dma, ignore_copy, ignore_copy, 4));
    REQUIRE(doca_ctx_start(ctx_of(dma)));
    answer_number(count_tasks(dma, 100));
}

RULE(dma_pool_size, "A context has as many tasks as it was configured for; one more returns NO_MEMORY.",
     .source = OBSERVED_2_5, .answer = "8, NO_MEMORY") {
    struct doca_dma *dma = start_dma(8);
    answer_number(count_tasks(dma, 100));
    struct doca_dma_task_memcpy *task;
    CODE(doca_dma_task_memcpy_alloc_init(dma, source(0, 64), target(4096, 64), data_of(0), &task));
}

RULE(dma_pool_size_odd, "The number of tasks is not rounded up.", .source = OBSERVED_2_5, .answer = "5") {
    answer_number(count_tasks(start_dma(5), 100));
}

RULE(dma_freed_task_is_reused, "After a task is freed, another one can be allocated.", .source = OBSERVED_2_5,
     .answer = "NO_MEMORY, SUCCESS") {
    struct doca_dma *dma = start_dma(1);
    struct doca_dma_task_memcpy *first = block_task(dma, 1);
    struct doca_dma_task_memcpy *second;
    struct doca_buf *src = source(0, 64);
    struct doca_buf *dst = target(4096, 64);
    CODE(doca_dma_task_memcpy_alloc_init(dma, src, dst, data_of(2), &second));
    doca_task_free(as_task(first));
    CODE(doca_dma_task_memcpy_alloc_init(dma, src, dst, data_of(2), &second));
}

RULE(dma_start_without_conf, "A context can be started without configured tasks, and then has none.",
     .source = OBSERVED_2_5, .answer = "SUCCESS, NO_MEMORY") {
    map_memory();
    create_engine();
    struct doca_dma *dma;
    REQUIRE(doca_dma_create(dev, &dma));
    REQUIRE(doca_pe_connect_ctx(pe, ctx_of(dma)));
    CODE(doca_ctx_start(ctx_of(dma)));
    struct doca_dma_task_memcpy *task;
    CODE(doca_dma_task_memcpy_alloc_init(dma, source(0, 64), target(4096, 64), data_of(0), &task));
}

RULE(dma_conf_when_running, "Tasks must be configured before the start.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE") {
    struct doca_dma *dma = start_dma(4);
    CODE(doca_dma_task_memcpy_set_conf(dma, ignore_copy, ignore_copy, 8));
}

RULE(dma_conf_after_stop, "Tasks can be configured again after the context has stopped.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, SUCCESS, 2") {
    struct doca_dma *dma = start_dma(4);
    REQUIRE(doca_ctx_stop(ctx_of(dma)));
    CODE(doca_dma_task_memcpy_set_conf(dma, ignore_copy, ignore_copy, 2));
    CODE(doca_ctx_start(ctx_of(dma)));
    answer_number(count_tasks(dma, 100));
}

RULE(dma_destroy_running, "A running context cannot be destroyed.", .source = OBSERVED_3_0,
     .answer = "BAD_STATE") {
    CODE(doca_dma_destroy(start_dma(4)));
}

RULE(dma_destroy_stopping, "A stopping context cannot be destroyed.", .source = OBSERVED_3_0,
     .answer = "IN_PROGRESS, BAD_STATE") {
    struct doca_dma *dma = start_dma(4);
    block_task(dma, 1);
    CODE(doca_ctx_stop(ctx_of(dma)));
    CODE(doca_dma_destroy(dma));
}

RULE(dma_alloc_idle, "Tasks cannot be allocated from an idle context.", .source = OBSERVED_2_5, .answer = "BAD_STATE") {
    struct doca_dma *dma = configure_dma(4);
    struct doca_dma_task_memcpy *task;
    CODE(doca_dma_task_memcpy_alloc_init(dma, source(0, 64), target(4096, 64), data_of(0), &task));
}

RULE(dma_alloc_stopping, "Tasks cannot be allocated from a stopping context.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE") {
    struct doca_dma *dma = start_dma(4);
    block_task(dma, 1);
    (void)doca_ctx_stop(ctx_of(dma));
    struct doca_dma_task_memcpy *task;
    CODE(doca_dma_task_memcpy_alloc_init(dma, source(0, 64), target(4096, 64), data_of(0), &task));
}

RULE(dma_alloc_without_source, "A task can be allocated without a source.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, none") {
    struct doca_dma *dma = start_dma(4);
    struct doca_dma_task_memcpy *task;
    CODE(doca_dma_task_memcpy_alloc_init(dma, NULL, target(4096, 64), data_of(0), &task));
    answer("%s", doca_dma_task_memcpy_get_src(task) == NULL ? "none" : "some");
}

RULE(dma_task_accessors, "A task returns its buffers, its data and its context.", .source = OBSERVED_2_5,
     .answer = "yes, yes, 5, yes, 6") {
    struct doca_dma *dma = start_dma(4);
    struct doca_buf *src = source(0, 64);
    struct doca_buf *dst = target(4096, 64);
    struct doca_dma_task_memcpy *task = copy_task(dma, 5, src, dst);
    answer_flag(doca_dma_task_memcpy_get_src(task) == src);
    answer_flag(doca_dma_task_memcpy_get_dst(task) == dst);
    answer_number((long long)doca_task_get_user_data(as_task(task)).u64);
    answer_flag(doca_task_get_ctx(as_task(task)) == ctx_of(dma));
    doca_task_set_user_data(as_task(task), data_of(6));
    answer_number((long long)doca_task_get_user_data(as_task(task)).u64);
}

RULE(dma_task_setters, "The buffers of a task can be replaced.", .source = OBSERVED_2_5,
     .answer = "yes, yes, done 1, yes") {
    struct doca_dma *dma = start_dma(4);
    struct doca_dma_task_memcpy *task = block_task(dma, 1);
    struct doca_buf *src = source(8192, 64);
    struct doca_buf *dst = target(16384, 64);
    doca_dma_task_memcpy_set_src(task, src);
    doca_dma_task_memcpy_set_dst(task, dst);
    answer_flag(doca_dma_task_memcpy_get_src(task) == src);
    answer_flag(doca_dma_task_memcpy_get_dst(task) == dst);
    REQUIRE(submit_copy(task));
    progress_to(1);
    answer_notes();
    answer_flag(is_copied(8192, 16384, 64));
}

RULE(dma_fresh_task_status, "A task that was never submitted has the status SUCCESS.", .source = OBSERVED_2_5,
     .answer = "SUCCESS") {
    CODE(doca_task_get_status(as_task(block_task(start_dma(4), 1))));
}

RULE(dma_freed_task_is_readable, "A freed task still has its status and buffers.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, yes") {
    struct doca_dma *dma = start_dma(4);
    struct doca_buf *src = source(0, 64);
    struct doca_dma_task_memcpy *task = copy_task(dma, 1, src, target(4096, 64));
    REQUIRE(submit_copy(task));
    progress_to(1);
    doca_task_free(as_task(task));
    CODE(doca_task_get_status(as_task(task)));
    answer_flag(doca_dma_task_memcpy_get_src(task) == src);
}

RULE(dma_ordered_completions_default, "Completions are not ordered by default.", .source = HEADER,
     .since = 302, .answer = "SUCCESS, 0") {
    struct doca_dma *dma = configure_dma(4);
    uint8_t ordered = 9;
    CODE(doca_dma_get_ordered_completions(dma, &ordered));
    answer_number(ordered);
}

RULE(dma_set_ordered_completions, "Ordered completions can be requested before and after the start.", .source = FIELD,
     .since = 302, .answer = "SUCCESS, SUCCESS") {
    struct doca_dma *dma = configure_dma(4);
    CODE(doca_dma_set_ordered_completions(dma, 1));
    REQUIRE(doca_ctx_start(ctx_of(dma)));
    CODE(doca_dma_set_ordered_completions(dma, 1));
}
