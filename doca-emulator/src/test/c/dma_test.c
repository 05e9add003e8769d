/* SPDX-License-Identifier: Apache-2.0 */
/* Memory copies: copied data, errors, and the order of completions. */
#include <dirent.h>
#include <sched.h>
#include <time.h>

#include "dma_fixture.h"

#define TARGET 8192

static struct doca_dma *dma;

/* Makes a list of the bufs, up to NULL. */
static struct doca_buf *
chain(struct doca_buf *const bufs[]) {
    for (size_t i = 1; bufs[i] != NULL; i++) {
        REQUIRE_SUCCESS(doca_buf_chain_list(bufs[0], bufs[i]));
    }
    return bufs[0];
}

/* Runs one task to its completion and frees it. */
static void
copy(const struct doca_buf *src, struct doca_buf *dst) {
    forget_events();
    struct doca_dma_task_memcpy *task = alloc_task(dma, 1, src, dst);
    CHECK_SUCCESS(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)));
    progress_to_event(1);
    check_task_event(0, EVENT_COMPLETED, 1, DOCA_SUCCESS);
    free_task(task);
    check_nothing_logged();
}

/*
 * Capabilities and configuration
 */

static void
missing_arguments_are_refused(void) {
    struct doca_dma_task_memcpy *task;
    struct doca_buf *dst = take_target(TARGET, 64);
    dma = create_dma(1, 0);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "Invalid input: ordered_completions is NULL",
                  doca_dma_get_ordered_completions(dma, NULL));
    CHECK_SUCCESS(doca_ctx_start(doca_dma_as_ctx(dma)));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "Invalid input: task is NULL",
                  doca_dma_task_memcpy_alloc_init(dma, dst, dst, numbered(0), NULL));

    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "Invalid input: ",
                  doca_dma_task_memcpy_alloc_init(dma, dst, NULL, numbered(0), &task));

    /* The source may be set later, but not after the submission; a destination cannot be changed. */
    task = alloc_task(dma, 0, NULL, dst);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "Invalid input: ", submit_task(task));
    doca_dma_task_memcpy_set_dst(task, NULL);
    check_logged("Invalid input: ");
    CHECK_POINTER(dst, doca_dma_task_memcpy_get_dst(task));
    free_task(task);
    end_dma(dma);
    give_back(dst);
}

static void
a_stale_or_foreign_handle_is_refused(void) {
    struct doca_dma *stale;
    CHECK_SUCCESS(doca_dma_create(dev, &stale));
    CHECK_SUCCESS(doca_dma_destroy(stale));
    struct doca_dma *const handles[] = {NULL, stale, (struct doca_dma *)memory_map};
    for (size_t i = 0; i < 3; i++) {
        struct doca_dma_task_memcpy *task;
        uint8_t ordered;
        CHECK_ERROR(handles[i] == NULL ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE, doca_dma_destroy(handles[i]));
        CHECK_POINTER(NULL, doca_dma_as_ctx(handles[i]));
        CHECK_ERROR(DOCA_ERROR_INVALID_VALUE,
                    doca_dma_task_memcpy_set_conf(handles[i], record_completed, record_failed, 1));
        CHECK_ERROR(DOCA_ERROR_INVALID_VALUE,
                    doca_dma_task_memcpy_alloc_init(handles[i], NULL, NULL, numbered(0), &task));
        CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_dma_set_ordered_completions(handles[i], 1));
        CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "Invalid input: ",
                      doca_dma_get_ordered_completions(handles[i], &ordered));
    }
}

static void
there_is_no_gpu(void) {
    struct doca_gpu_dma *gpu_dma;
    dma = create_dma(1, 0);
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_dma_get_gpu_handle(dma, &gpu_dma));
    end_dma(dma);
}

/* Copied data */

static void
a_task_in_flight_does_not_change(void) {
    struct doca_buf *src = take_source(0, 64);
    struct doca_buf *dst = take_target(TARGET, 64);
    struct doca_buf *other_src = take_source(1000, 32);
    struct doca_mmap *other_map = start_mmap(memory, sizeof(memory), dev);
    struct doca_buf *other_dst = space_of(other_map, memory + TARGET + 1000, 64);
    dma = start_dma(1, 0);
    fill_memory();
    struct doca_dma_task_memcpy *task = alloc_task(dma, 1, src, dst);
    CHECK_SUCCESS(submit_task(task));
    doca_dma_task_memcpy_set_src(task, other_src);
    check_logged("Failed to change: is in flight");
    doca_dma_task_memcpy_set_dst(task, other_dst);
    check_logged("Failed to change: is in flight");
    CHECK_POINTER(src, doca_dma_task_memcpy_get_src(task));
    CHECK_POINTER(dst, doca_dma_task_memcpy_get_dst(task));
    progress_to_event(1);
    CHECK_EQUAL(64, data_len_of(dst));
    CHECK_EQUAL(0, data_len_of(other_dst));
    free_task(task);
    end_dma(dma);
    GIVE_BACK(src, dst, other_src, other_dst);
    CHECK_SUCCESS(doca_mmap_destroy(other_map));
}

/* Submits a copy whose buffers are returned to the inventory while it is in flight. Returns its destination. */
static struct doca_buf *
submit_and_return_buffers(struct doca_buf_inventory *own, struct doca_dma_task_memcpy **task) {
    struct doca_buf *own_src;
    struct doca_buf *own_dst;
    fill_memory();
    REQUIRE_SUCCESS(doca_buf_inventory_buf_get_by_data(own, memory_map, memory, 64, &own_src));
    REQUIRE_SUCCESS(doca_buf_inventory_buf_get_by_addr(own, memory_map, memory + TARGET, 64, &own_dst));
    *task = alloc_task(dma, 1, own_src, own_dst);
    CHECK_SUCCESS(submit_task(*task));
    GIVE_BACK(own_src, own_dst);
    return own_dst;
}

static void
check_copy_of_returned_buffers(struct doca_dma_task_memcpy *task) {
    progress_to_event(1);
    check_task_event(0, EVENT_COMPLETED, 1, DOCA_SUCCESS);
    CHECK(memcmp(memory + TARGET, memory, 64) == 0);
    free_task(task);
    check_nothing_logged();
}

static void
an_inventory_may_be_destroyed_while_its_buffers_are_copied(void) {
    struct doca_dma_task_memcpy *task;
    struct doca_buf_inventory *own = start_inventory(2);
    dma = start_dma(1, 0);
    (void)submit_and_return_buffers(own, &task);
    CHECK_SUCCESS(doca_buf_inventory_destroy(own));
    check_copy_of_returned_buffers(task);
    end_dma(dma);
}

static void
a_returned_buffer_does_not_grow_if_it_is_taken_again(void) {
    struct doca_dma_task_memcpy *task;
    struct doca_buf *again;
    struct doca_buf_inventory *own = start_inventory(2);
    dma = start_dma(1, 0);
    const struct doca_buf *returned = submit_and_return_buffers(own, &task);
    REQUIRE_SUCCESS(doca_buf_inventory_buf_get_by_addr(own, memory_map, memory + TARGET + 64, 64, &again));
    CHECK_POINTER(returned, again);
    check_copy_of_returned_buffers(task);
    CHECK_EQUAL(0, data_len_of(again));
    end_dma(dma);
    give_back(again);
    CHECK_SUCCESS(doca_buf_inventory_destroy(own));
}

/* Refusals */

/*
 * Checks that the task is accepted, fails, and then fails the context. With misuse, which the library accepts,
 * try_submit refuses the task.
 */
static void
check_failure(const struct doca_buf *src, struct doca_buf *dst, bool is_misuse, const char *reason) {
    uint8_t *before = malloc(MEMORY_SIZE);
    memcpy(before, memory, MEMORY_SIZE);
    dma = start_dma(1, 0);
    struct doca_dma_task_memcpy *task = alloc_task(dma, 1, src, dst);
    const size_t dst_len = data_len_of(dst);

    if (is_misuse) {
        CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_task_try_submit(doca_dma_task_memcpy_as_task(task)));
        check_logged(reason);
        CHECK_EQUAL(0, num_events);
        CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of(dma));
        CHECK_SUCCESS(submit_task(task));
    } else {
        CHECK_SUCCESS(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)));
    }
    progress_to_event(2);
    check_task_event(0, EVENT_FAILED, 1, DOCA_ERROR_IO_FAILED);
    check_state_event(1, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
    check_logged(reason);
    CHECK_EQUAL(dst_len, data_len_of(dst));
    CHECK(memcmp(before, memory, MEMORY_SIZE) == 0);
    free_task(task);
    end_dma(dma);
    free(before);
}

static void
check_misuse(const struct doca_buf *src, struct doca_buf *dst, const char *reason) {
    check_failure(src, dst, true, reason);
}

static void
check_fault(const struct doca_buf *src, struct doca_buf *dst, const char *reason) {
    check_failure(src, dst, false, reason);
}

/* The room is that of all elements. */
static void
too_little_room_is_a_fault(void) {
    struct doca_buf *src = take_source(0, 64);
    struct doca_buf *second = take_target(TARGET + 100, 32);
    struct doca_buf *dst = chain((struct doca_buf *[]){take_target(TARGET, 33), second, NULL});
    CHECK_SUCCESS(doca_buf_set_data_len(dst, 2));
    check_misuse(src, dst, "the destination has too little room after its data");
    CHECK_SUCCESS(doca_buf_set_data_len(dst, 1));
    dma = start_dma(1, 0);
    copy(src, dst);
    CHECK_EQUAL(33, data_len_of(dst));
    CHECK_EQUAL(32, data_len_of(second));
    end_dma(dma);
    check_misuse(src, dst, "the destination has too little room after its data");
    give_back(dst);
    dst = take_target(TARGET, 63);
    check_misuse(src, dst, "the destination has too little room after its data");
    GIVE_BACK(src, dst);
}

/* With release 2.5 a destination is one range. */
static void
too_little_room_is_a_fault_in_release_2_5(void) {
    struct doca_buf *src = take_source(0, 64);
    struct doca_buf *dst = chain((struct doca_buf *[]){take_target(TARGET, 33), take_target(TARGET + 64, 32), NULL});
    check_misuse(src, dst, "its elements must lie one behind the other");
    give_back(dst);
    struct doca_buf *second = take_target(TARGET + 33, 32);
    dst = chain((struct doca_buf *[]){take_target(TARGET, 33), second, NULL});
    CHECK_SUCCESS(doca_buf_set_data_len(dst, 2));
    check_misuse(src, dst, "the destination has too little room after its data");
    CHECK_SUCCESS(doca_buf_reset_data_len(dst));
    dma = start_dma(1, 0);
    copy(src, dst);
    CHECK_EQUAL(64, data_len_of(dst));
    CHECK_EQUAL(0, data_len_of(second));
    end_dma(dma);
    CHECK_SUCCESS(doca_buf_reset_data_len(dst));
    /* The copy would overwrite the data of a later element. */
    CHECK_SUCCESS(doca_buf_set_data_len(second, 1));
    check_misuse(src, dst, "its elements must lie one behind the other");
    give_back(dst);
    dst = take_target(TARGET, 63);
    check_misuse(src, dst, "the destination has too little room after its data");
    GIVE_BACK(src, dst);
}

static void
an_overlap_is_a_fault(void) {
    struct doca_buf *src = take_source(0, 64);
    struct doca_buf *const overlapping[] = {take_target(0, 64), take_target(63, 64), take_target(64, 64)};
    struct doca_buf *list = chain((struct doca_buf *[]){take_source(1000, 10), take_source(100, 10), NULL});
    struct doca_buf *inside = take_target(105, 50);
    struct doca_buf *behind = take_source(200, 64);
    struct doca_buf *before = take_target(136, 64);
    struct doca_buf *one_more = take_target(137, 64);
    check_misuse(src, overlapping[0], "source and destination overlap");
    check_misuse(src, overlapping[1], "source and destination overlap");
    check_misuse(list, inside, "source and destination overlap");
    check_misuse(behind, one_more, "source and destination overlap");
    dma = start_dma(1, 0);
    copy(src, overlapping[2]);
    copy(behind, before);
    end_dma(dma);
    GIVE_BACK(src, list, inside, behind, before, one_more);
    for (size_t i = 0; i < 3; i++) {
        give_back(overlapping[i]);
    }
}

static void
check_access_fault(struct doca_dev *device, uint32_t permissions, bool may_read, bool may_write) {
    struct doca_mmap *map = start_permitted(memory + 4096, 64, device, permissions);
    struct doca_buf *src = take_source(0, 64);
    struct doca_buf *dst = take_target(TARGET, 64);
    struct doca_buf *mapped_src = data_of(map, memory + 4096, 64);
    struct doca_buf *mapped_dst = space_of(map, memory + 4096, 64);
    if (may_read) {
        dma = start_dma(1, 0);
        copy(mapped_src, dst);
        end_dma(dma);
    } else {
        check_fault(mapped_src, dst, "the mmap of the source does not let this device read");
    }
    CHECK_SUCCESS(doca_buf_reset_data_len(dst));
    if (may_write) {
        dma = start_dma(1, 0);
        copy(src, mapped_dst);
        end_dma(dma);
    } else {
        check_fault(src, mapped_dst, "the mmap of the destination does not let this device write");
    }
    GIVE_BACK(mapped_src, mapped_dst, src, dst);
    CHECK_SUCCESS(doca_mmap_destroy(map));
}

static void
missing_permissions_are_a_fault(void) {
    check_access_fault(dev, DOCA_ACCESS_FLAG_PCI_READ_ONLY, true, false);
    check_access_fault(dev, DOCA_ACCESS_FLAG_RDMA_READ, true, false);
    check_access_fault(NULL, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, false, false);
    struct doca_dev *other = open_device("mlx5_1");
    check_access_fault(other, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, false, false);
    CHECK_SUCCESS(doca_dev_close(other));
}

static void
a_released_buffer_is_refused(void) {
    struct doca_buf *src = take_source(0, 64);
    struct doca_buf *dst = take_target(TARGET, 64);
    dma = start_dma(1, 0);
    struct doca_dma_task_memcpy *task = alloc_task(dma, 1, src, dst);
    give_back(src);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "was destroyed before", submit_task(task));
    src = take_source(0, 64);
    doca_dma_task_memcpy_set_src(task, src);
    give_back(dst);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "was destroyed before", submit_task(task));
    free_task(task);
    end_dma(dma);
    give_back(src);
}

/*
 * Order
 */

#define NUM_TASKS 64

/* Stores the bytes of the tasks' numbers in the order of completion, in one context after the other. */
static void
record_orders(uint8_t *orders) {
    set_up();
    struct doca_buf *src = take_source(0, 8);
    struct doca_buf *list[65] = {NULL};
    for (size_t i = 0; i < 64; i++) {
        list[i] = take_source(i * 8, 8);
    }
    struct doca_buf *many = chain(list);
    struct doca_buf *dst = take_target(8192, 4096);
    for (int round = 0; round < 2; round++) {
        dma = start_dma(NUM_TASKS, 0);
        on_event = free_finished_task;
        for (uint64_t i = 0; i < NUM_TASKS; i++) {
            CHECK_SUCCESS(doca_buf_reset_data_len(dst));
            CHECK_SUCCESS(submit_task(alloc_task(dma, i, i % 2 == 0 ? src : many, dst)));
        }
        progress_to_event(NUM_TASKS);
        bool seen[NUM_TASKS] = {false};
        uint64_t latest[8] = {0};
        for (size_t i = 0; i < NUM_TASKS; i++) {
            const uint64_t id = events[i].task_id;
            CHECK(!seen[id]);
            seen[id] = true;
            /* Tasks of one of the eight queues keep their order. */
            CHECK(id < 8 || latest[id % 8] + 8 == id);
            latest[id % 8] = id;
            orders[(size_t)round * NUM_TASKS + i] = (uint8_t)id;
        }
        end_dma(dma);
    }
    GIVE_BACK(src, many, dst);
    tear_down();
}

static int order_pipe[2];

static void
send_orders(void) {
    uint8_t orders[2 * NUM_TASKS];
    record_orders(orders);
    CHECK_EQUAL(sizeof(orders), write(order_pipe[1], orders, sizeof(orders)));
}

static void
receive_orders(const char *seed, uint8_t orders[2 * NUM_TASKS]) {
    CHECK_EQUAL(0, pipe(order_pipe));
    setenv("DOCA_EMULATOR_SEED", seed, 1);
    check_with_environment("DOCA_EMULATOR_RELEASE", "2.5", send_orders);
    unsetenv("DOCA_EMULATOR_SEED");
    CHECK_EQUAL(2 * NUM_TASKS, read(order_pipe[0], orders, 2 * NUM_TASKS));
    close(order_pipe[0]);
    close(order_pipe[1]);
}

static void
release_2_5_completes_in_an_order_that_the_seed_decides(void) {
    uint8_t first[2 * NUM_TASKS];
    uint8_t again[2 * NUM_TASKS];
    uint8_t other[2 * NUM_TASKS];
    receive_orders("1", first);
    receive_orders("1", again);
    receive_orders("2", other);
    CHECK(memcmp(first, again, sizeof(first)) == 0);
    CHECK(memcmp(first, other, sizeof(first)) != 0);
}

/*
 * The key of the destination
 */

static void
check_copied_again(struct doca_dma_task_memcpy *task, const char *failure) {
    forget_events();
    CHECK_SUCCESS(submit_task(task));
    progress_to_event(failure == NULL ? 1 : 2);
    if (failure == NULL) {
        check_task_event(0, EVENT_COMPLETED, 1, DOCA_SUCCESS);
    } else {
        check_task_event(0, EVENT_FAILED, 1, DOCA_ERROR_IO_FAILED);
        check_state_event(1, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
        check_logged(failure);
    }
}

/* To the device, a restarted map is another one. */
static void
check_restarted_map(const char *failure) {
    struct doca_mmap *map = start_permitted(memory + 4096, 4096, dev, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    struct doca_buf *src = take_source(0, 64);
    struct doca_buf *dst = space_of(map, memory + 4096, 64);
    dma = start_dma(1, 0);
    struct doca_dma_task_memcpy *task = alloc_task(dma, 1, src, dst);
    give_back(dst);
    CHECK_SUCCESS(doca_mmap_stop(map));
    CHECK_SUCCESS(doca_mmap_start(map));
    dst = space_of(map, memory + 4096, 64);
    check_copied_again(task, failure);
    free_task(task);
    end_dma(dma);
    GIVE_BACK(src, dst);
    CHECK_SUCCESS(doca_mmap_destroy(map));
}

/* After a stop while copies run, each copy is complete or not begun, and unreported tasks fail. */
static void
a_stop_leaves_no_copy_half_made(void) {
    struct doca_buf *src = take_source(0, 64);
    struct doca_buf *dsts[NUM_TASKS];
    for (size_t i = 0; i < NUM_TASKS; i++) {
        dsts[i] = take_target(4096 + i * 64, 64);
    }
    for (size_t stop_after = 0; stop_after < NUM_TASKS; stop_after += 7) {
        dma = start_dma(NUM_TASKS, 0);
        on_event = free_finished_task;
        memset(memory, 0xab, 64);
        memset(memory + 4096, 0, NUM_TASKS * 64);
        for (uint64_t i = 0; i < NUM_TASKS; i++) {
            CHECK_SUCCESS(doca_buf_reset_data_len(dsts[i]));
            CHECK_SUCCESS(submit_task(alloc_task(dma, i, src, dsts[i])));
        }
        progress_to_event(stop_after);
        CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(doca_dma_as_ctx(dma)));
        progress_to_event(NUM_TASKS + 2);
        check_state_event(stop_after, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
        check_state_event(NUM_TASKS + 1, DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE);
        for (size_t i = 0; i < NUM_TASKS + 2; i++) {
            const struct event *event = &events[i];
            if (event->kind != EVENT_STATE) {
                const bool made = event->kind == EVENT_COMPLETED;
                const uint8_t *copied = memory + 4096 + event->task_id * 64;
                CHECK_ERROR(made ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED, event->status);
                CHECK_EQUAL(made ? 64 : 0, data_len_of(dsts[event->task_id]));
                CHECK(made ? copied[0] == 0xab : copied[0] == copied[63]);
            }
        }
        CHECK_EQUAL(stop_after, count_events(EVENT_COMPLETED));
        end_dma(dma);
    }
    give_back(src);
    for (size_t i = 0; i < NUM_TASKS; i++) {
        give_back(dsts[i]);
    }
}

/* A stop drops copies of its own context only, however many others wait for the same workers. */
static void
a_stop_leaves_other_contexts_alone(void) {
    struct doca_buf *src = take_source(0, 64);
    // Workers make several copies at the same time, so each has a target of its own.
    struct doca_buf *kept_dsts[NUM_TASKS];
    struct doca_buf *dsts[NUM_TASKS];
    for (size_t i = 0; i < NUM_TASKS; i++) {
        kept_dsts[i] = take_target(4096 + i * 64, 64);
        dsts[i] = take_target(8192 + i * 64, 64);
    }
    for (int round = 0; round < 20; round++) {
        struct doca_dma *kept = create_dma(NUM_TASKS, 1);
        dma = create_dma(NUM_TASKS, 2);
        CHECK_SUCCESS(doca_ctx_start(doca_dma_as_ctx(kept)));
        CHECK_SUCCESS(doca_ctx_start(doca_dma_as_ctx(dma)));
        forget_events();
        on_event = free_finished_task;
        for (uint64_t i = 0; i < NUM_TASKS; i++) {
            CHECK_SUCCESS(doca_buf_reset_data_len(kept_dsts[i]));
            CHECK_SUCCESS(submit_task(alloc_task(kept, i, src, kept_dsts[i])));
            CHECK_SUCCESS(doca_buf_reset_data_len(dsts[i]));
            CHECK_SUCCESS(submit_task(alloc_task(dma, i, src, dsts[i])));
        }
        CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_stop(doca_dma_as_ctx(dma)));
        progress_to_event(2 * NUM_TASKS + 2);
        size_t copied = 0;
        for (size_t i = 0; i < num_events; i++) {
            copied += events[i].kind == EVENT_COMPLETED && events[i].ctx_id == 1;
        }
        CHECK_EQUAL(NUM_TASKS, copied);
        CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of(kept));
        end_dma(kept);
        CHECK_SUCCESS(doca_dma_destroy(dma));
    }
    give_back(src);
    for (size_t i = 0; i < NUM_TASKS; i++) {
        give_back(kept_dsts[i]);
        give_back(dsts[i]);
    }
}

/*
 * Threads
 */

static int
count_threads(void) {
    int count = 0;
    DIR *directory = opendir("/proc/self/task");
    for (const struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        count += entry->d_name[0] != '.';
    }
    closedir(directory);
    return count;
}

/* A joined thread stays listed until the kernel has removed it. */
static void
check_threads(int expected) {
    const time_t deadline = time(NULL) + 10;
    while (count_threads() != expected && time(NULL) < deadline) {
        sched_yield();
    }
    CHECK_EQUAL(expected, count_threads());
}

static void
threads_live_as_long_as_a_context_runs(void) {
    /* A sanitizer may have threads of its own. */
    const int before = count_threads();
    const int num_workers = is_threaded() ? 2 : 0;
    struct doca_dma *other = create_dma(1, 0);
    dma = create_dma(1, 0);
    check_threads(before);
    for (int round = 0; round < 2; round++) {
        CHECK_SUCCESS(doca_ctx_start(doca_dma_as_ctx(dma)));
        check_threads(before + num_workers);
        CHECK_SUCCESS(doca_ctx_start(doca_dma_as_ctx(other)));
        check_threads(before + num_workers);
        CHECK_SUCCESS(doca_ctx_stop(doca_dma_as_ctx(dma)));
        check_threads(before + num_workers);
        CHECK_SUCCESS(doca_ctx_stop(doca_dma_as_ctx(other)));
        check_threads(before);
    }
    end_dma(other);
    end_dma(dma);
}

static void
exit_while_copying(void) {
    set_up();
    struct doca_buf *src = take_source(0, 1024);
    dma = start_dma(4, 0);
    for (uint64_t i = 0; i < 4; i++) {
        CHECK_SUCCESS(submit_task(alloc_task(dma, i, src, take_target(4096 + i * 1024, 1024))));
    }
}

static void
run(void) {
    set_up();
    missing_arguments_are_refused();
    a_stale_or_foreign_handle_is_refused();
    there_is_no_gpu();
    a_task_in_flight_does_not_change();
    an_inventory_may_be_destroyed_while_its_buffers_are_copied();
    a_returned_buffer_does_not_grow_if_it_is_taken_again();
    too_little_room_is_a_fault();
    an_overlap_is_a_fault();
    missing_permissions_are_a_fault();
    a_released_buffer_is_refused();
    check_restarted_map(NULL);
    a_stop_leaves_no_copy_half_made();
    a_stop_leaves_other_contexts_alone();
    threads_live_as_long_as_a_context_runs();
    tear_down();
}

static void
run_2_5(void) {
    set_up();
    too_little_room_is_a_fault_in_release_2_5();
    check_restarted_map("the mmap that the destination had when it was set");
    tear_down();
}

int
main(void) {
    check_with_engines(run);
    check_with_engines(exit_while_copying);
    check_with_environment("DOCA_EMULATOR_RELEASE", "2.5", run_2_5);
    release_2_5_completes_in_an_order_that_the_seed_decides();
    return check_result();
}
