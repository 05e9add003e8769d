/* SPDX-License-Identifier: Apache-2.0 */
/* Endless copies during which the host or DPU process stops or is killed. */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "../../main/c/common/share.h"
#include "remote.h"

#define STREAM_SIZE ((size_t)1024 * 1024)
#define NUM_ENDS 10
/* Enough copies that one is in progress whenever this program checks. */
#define NUM_COPIES 16
/* The first byte of each copy differs. */
#define UNTOUCHED 0xff

static uint8_t stream_memory[STREAM_SIZE];

/* Copies of megabytes, one after the other, in a direction. */
struct stream {
    struct doca_mmap *local_map;
    struct doca_buf *src;
    struct doca_buf *dst;
    struct doca_dma_task_memcpy *task;
};

static struct stream
start_stream(const struct remote *remote, uint64_t offset, bool writes) {
    struct stream stream = {.local_map = start_mmap(stream_memory, STREAM_SIZE, dev)};
    if (writes) {
        REQUIRE_SUCCESS(doca_buf_inventory_buf_get_by_data(inventory, stream.local_map, stream_memory, STREAM_SIZE,
                                                           &stream.src));
        stream.dst = remote_target(remote, offset, STREAM_SIZE);
    } else {
        REQUIRE_SUCCESS(doca_buf_inventory_buf_get_by_addr(inventory, stream.local_map, stream_memory, STREAM_SIZE,
                                                           &stream.dst));
        stream.src = remote_source(remote, offset, STREAM_SIZE);
    }
    dma = start_dma(1, 0);
    stream.task = alloc_task(dma, 1, stream.src, stream.dst);
    return stream;
}

static doca_error_t
copy_again(struct stream *stream) {
    forget_events();
    CHECK_SUCCESS(doca_buf_reset_data_len(stream->dst));
    CHECK_SUCCESS(submit_task(stream->task));
    while (!has_ended()) {
        progress_or_rest(pe);
    }
    return events[0].status;
}

static void
end_stream(struct stream *stream) {
    free_task(stream->task);
    end_dma(dma);
    GIVE_BACK(stream->src, stream->dst);
    CHECK_SUCCESS(doca_mmap_destroy(stream->local_map));
}

struct kill_order {
    sem_t now;
    pid_t victim;
};

static void *
kill_when_ordered(void *argument) {
    struct kill_order *order = argument;
    sem_wait(&order->now);
    kill(order->victim, SIGKILL);
    return NULL;
}

/* Another thread kills the host at varying positions in a copy. */
static void
stream_until_the_host_is_killed(struct remote *remote, bool writes) {
    struct kill_order order = {.victim = remote->host.pid};
    pthread_t killer;
    struct stream stream = start_stream(remote, 0, writes);
    sem_init(&order.now, 0, 0);
    CHECK_EQUAL(0, pthread_create(&killer, NULL, kill_when_ordered, &order));
    CHECK_SUCCESS(copy_again(&stream));
    sem_post(&order.now);
    doca_error_t result;
    do {
        result = copy_again(&stream);
    } while (result == DOCA_SUCCESS);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, result);
    check_state_event(1, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
    pthread_join(killer, NULL);
    sem_destroy(&order.now);
    end_stream(&stream);
}

static void
a_host_that_is_killed_fails_copies_and_another_one_serves(void) {
    for (int round = 0; round < 12; round++) {
        struct remote remote = start_remote(STREAM_SIZE, READ_WRITE);
        stream_until_the_host_is_killed(&remote, round % 2 == 0);
        check_cause("has ended");
        CHECK_SUCCESS(doca_mmap_destroy(remote.mmap));
        CHECK_EQUAL(SIGKILL, join_peer(&remote.host));
    }
    struct remote remote = start_remote(STREAM_SIZE, READ_WRITE);
    check_round_trip(&remote, 0, PAGE);
    end_remote(&remote);
}

/* Another DPU process: it receives an export, and writes a byte once it is ready */

enum dpu_job {
    DPU_READS,
    DPU_WRITES,
    /* Imports until an import is refused. */
    DPU_IMPORTS,
};

struct dpu_request {
    enum dpu_job job;
    uint64_t offset;
    struct host_reply exported;
};

static struct peer
start_dpu(enum dpu_job job, uint64_t offset, const struct host_reply *exported) {
    struct peer dpu = start_peer("dpu", "dpu");
    const struct dpu_request request = {.job = job, .offset = offset, .exported = *exported};
    char at_work;
    write_fully(dpu.requests, &request, sizeof(request));
    CHECK(read_fully(dpu.replies, &at_work, 1));
    return dpu;
}

/* Copies until a copy fails. */
static void
run_dpu_stream(const struct dpu_request *request) {
    struct remote remote = {.exported = request->exported, .mmap = import(&request->exported)};
    struct stream stream = start_stream(&remote, request->offset, request->job == DPU_WRITES);
    memset(stream_memory, 0x5a, STREAM_SIZE);
    CHECK_SUCCESS(copy_again(&stream));
    write_fully(STDOUT_FILENO, "", 1);
    doca_error_t result;
    do {
        result = copy_again(&stream);
    } while (result == DOCA_SUCCESS);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, result);
    end_stream(&stream);
    CHECK_SUCCESS(doca_mmap_destroy(remote.mmap));
}

/* Makes the maximum number of imports, which exist until the process is killed. */
static void
run_dpu_imports(const struct dpu_request *request) {
    struct doca_mmap *imported;
    doca_error_t result;
    size_t num_imports = 0;
    do {
        result = doca_mmap_create_from_export(NULL, request->exported.descriptor, request->exported.descriptor_size,
                                              dev, &imported);
        num_imports += result == DOCA_SUCCESS;
    } while (result == DOCA_SUCCESS);
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, result);
    CHECK_EQUAL(128, num_imports);
    write_fully(STDOUT_FILENO, check_failures == 0 ? "y" : "n", 1);
    pause();
}

static int
run_dpu(void) {
    struct dpu_request request;
    set_up();
    if (!read_fully(STDIN_FILENO, &request, sizeof(request))) {
        return EXIT_FAILURE;
    }
    if (request.job == DPU_IMPORTS) {
        run_dpu_imports(&request);
    } else {
        run_dpu_stream(&request);
    }
    tear_down();
    return check_result();
}

static void
two_dpu_processes_work_on_one_export(void) {
    struct remote remote = start_remote(STREAM_SIZE + MEMORY_SIZE, READ_WRITE);
    struct peer dpu = start_dpu(DPU_WRITES, 0, &remote.exported);
    for (int i = 0; i < 8; i++) {
        CHECK_SUCCESS(copy(remote_source(&remote, STREAM_SIZE, PAGE), take_target(0, PAGE)));
        CHECK_EQUAL(pattern_at(STREAM_SIZE), memory[0]);
    }
    check_nothing_logged();
    CHECK_EQUAL(0x5a, peek_host(&remote.host, 0));
    CHECK_EQUAL(0x5a, peek_host(&remote.host, STREAM_SIZE - 1));
    CHECK_SUCCESS(doca_mmap_destroy(remote.mmap));
    end_host(&remote.host);
    end_peer(&dpu);
}

/* The other process may be in the middle of a copy when the host stops the map. */
static void
nobody_writes_after_the_host_has_stopped(void) {
    for (int round = 0; round < 6; round++) {
        struct host_reply exported;
        struct peer host = start_host(STREAM_SIZE, READ_WRITE, &exported);
        struct peer dpu = start_dpu(DPU_WRITES, 0, &exported);
        /* The byte that a copy writes last. */
        const uint64_t offset = STREAM_SIZE - 1;
        const struct host_request stop = {.action = HOST_STOP_AND_POKE, .offset = offset, .value = 1};
        CHECK_SUCCESS(ask_host(&host, stop).result);
        end_peer(&dpu);
        CHECK_EQUAL(1, peek_host(&host, offset));
        end_host(&host);
    }
}

/* The block shared by two processes, changed to produce states that otherwise depend on timing */

static struct share_block *
map_block(pid_t host, const struct host_reply *exported) {
    struct share_descriptor descriptor;
    char path[64];
    memcpy(&descriptor, exported->descriptor, sizeof(descriptor));
    snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)host, descriptor.fd);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    void *block = mmap(NULL, sizeof(struct share_block), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (block == MAP_FAILED) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    return block;
}

/* Pins a slot, like a thread of an importer that begins to copy. */
static void
pin_first_slot(struct share_block *block) {
    CHECK(atomic_load(&block->slots[0].importer) != 0);
    atomic_fetch_add(&block->slots[0].num_pins, 1);
}

static void
check_stop_during_a_copy(size_t number) {
    struct remote remote = start_remote(PAGE, READ_WRITE);
    struct share_block *block = map_block(remote.host.pid, &remote.exported);
    struct share_slot *slot = &block->slots[number];
    /* The import of this process has the first slot. */
    atomic_store(&slot->importer, atomic_load(&block->slots[0].importer));
    CHECK(atomic_load(&slot->importer) != 0);
    atomic_fetch_add(&slot->num_pins, 1);
    send_to_host(&remote.host, (struct host_request){.action = HOST_STOP});
    while (atomic_load(&block->is_live) != 0) {
        sched_yield();
    }
    struct pollfd reply = {.fd = remote.host.replies, .events = POLLIN};
    CHECK_EQUAL(0, poll(&reply, 1, 100));
    atomic_fetch_sub(&slot->num_pins, 1);
    CHECK_SUCCESS(receive_from_host(&remote.host).result);
    munmap(block, sizeof(*block));
    end_remote(&remote);
}

static void
a_host_stops_when_the_last_copy_is_through(void) {
    check_stop_during_a_copy(0);
    check_stop_during_a_copy(SHARE_NUM_SLOTS - 1);
}

/* The process is killed during a copy; it may still be a zombie when the host stops. */
static void
check_stop_after_kill(bool zombie) {
    struct host_reply exported;
    struct peer host = start_host(STREAM_SIZE, READ_WRITE, &exported);
    struct peer dpu = start_dpu(DPU_READS, 0, &exported);
    struct share_block *block = map_block(host.pid, &exported);
    pin_first_slot(block);
    if (zombie) {
        kill(dpu.pid, SIGKILL);
    } else {
        kill_peer(&dpu);
    }
    struct timespec before;
    struct timespec after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    CHECK_SUCCESS(request_host(&host, HOST_STOP).result);
    clock_gettime(CLOCK_MONOTONIC, &after);
    /* The host waits for a process that lives for 5 s. */
    const double waited_s = (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) / 1e9;
    if (waited_s >= 5) {
        CHECK_FAILED("the host has waited %.1f s for a process that was killed", waited_s);
    }
    if (zombie) {
        CHECK_EQUAL(SIGKILL, join_peer(&dpu));
    }
    munmap(block, sizeof(*block));
    end_host(&host);
}

static void
a_dpu_process_that_is_killed_does_not_keep_a_host_from_stopping(void) {
    check_stop_after_kill(false);
    check_stop_after_kill(true);
}

/* This process exports, and another one is suspended in the middle of a copy. */
struct suspension {
    struct host_state self;
    struct host_reply exported;
    struct peer dpu;
    struct share_block *block;
    struct resources before;
};

static struct suspension
suspend_during_a_copy(void) {
    struct suspension suspension = {.before = count_resources()};
    const struct host_request request = {.len = PAGE, .permissions = READ_WRITE, .device = "mlx5_0"};
    host_create(&suspension.self, &request);
    REQUIRE_SUCCESS(host_export(&suspension.self, &suspension.exported));
    suspension.dpu = start_dpu(DPU_IMPORTS, 0, &suspension.exported);
    suspension.block = map_block(getpid(), &suspension.exported);
    suspend(&suspension.dpu);
    pin_first_slot(suspension.block);
    return suspension;
}

static void
check_refusal(const struct suspension *suspension, const char *what) {
    char refusal[100];
    snprintf(refusal, sizeof(refusal), "Failed to %s: process %d is still accessing exported memory 5 s after", what,
             (int)suspension->dpu.pid);
    check_logged(refusal);
    CHECK_EQUAL(0, atomic_load(&suspension->block->is_live));
}

/* A map whose stop was refused is a started map without exports. */
static void
check_started_map(struct suspension *suspension) {
    uint8_t exported = 9;
    struct host_reply again = {0};
    struct doca_mmap *imported;
    CHECK_SUCCESS(doca_mmap_get_exported(suspension->self.mmap, &exported));
    CHECK_EQUAL(0, exported);
    CHECK_ERROR(DOCA_ERROR_DRIVER,
                doca_mmap_create_from_export(NULL, suspension->exported.descriptor,
                                             suspension->exported.descriptor_size, dev, &imported));
    check_logged("has stopped the exported mmap");
    CHECK_SUCCESS(host_export(&suspension->self, &again));
    CHECK(memcmp(suspension->exported.descriptor, again.descriptor, again.descriptor_size) != 0);
    CHECK_SUCCESS(doca_mmap_get_exported(suspension->self.mmap, &exported));
    CHECK_EQUAL(1, exported);
    struct remote remote = {.exported = again, .mmap = import(&again)};
    CHECK_SUCCESS(copy(remote_source(&remote, 0, 64), take_target(0, 64)));
    CHECK_EQUAL(pattern_at(63), memory[63]);
    CHECK_SUCCESS(doca_mmap_destroy(remote.mmap));
    struct doca_buf *src = data_of(suspension->self.mmap, suspension->self.memory, 64);
    CHECK_SUCCESS(copy(src, take_target(64, 64)));
}

static void
destroy_exported(struct suspension *suspension) {
    munmap(suspension->block, sizeof(*suspension->block));
    CHECK_SUCCESS(host_destroy(&suspension->self));
    check_nothing_logged();
}

/* In a child the exports are those of the parent, so it does not wait for the suspended process. */
static void
destroy_inherited(void *argument) {
    CHECK_SUCCESS(doca_mmap_stop(((struct suspension *)argument)->self.mmap));
    CHECK_SUCCESS(doca_mmap_destroy(((struct suspension *)argument)->self.mmap));
}

static void
a_map_is_not_stopped_while_a_suspended_process_may_write_to_it(void) {
    struct suspension suspension = suspend_during_a_copy();
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_mmap_stop(suspension.self.mmap));
    check_refusal(&suspension, "stop");
    check_started_map(&suspension);
    check_in_child(destroy_inherited, &suspension);
    kill_peer(&suspension.dpu);
    CHECK_SUCCESS(doca_mmap_stop(suspension.self.mmap));
    destroy_exported(&suspension);
    CHECK_EQUAL(suspension.before.num_files, count_resources().num_files);
}

static void
a_map_is_not_destroyed_while_a_suspended_process_may_write_to_it(void) {
    struct suspension suspension = suspend_during_a_copy();
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_mmap_destroy(suspension.self.mmap));
    check_refusal(&suspension, "destroy");
    check_started_map(&suspension);
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_mmap_destroy(suspension.self.mmap));
    check_refusal(&suspension, "destroy");
    /* As if the copy had ended and the process were suspended again. */
    atomic_fetch_sub(&suspension.block->slots[0].num_pins, 1);
    destroy_exported(&suspension);
    kill_peer(&suspension.dpu);
    CHECK_EQUAL(suspension.before.num_files, count_resources().num_files);
}

/* The new program has other memory, even at the addresses of the host's control data. */
static void
a_process_that_only_has_the_pid_of_the_host_is_not_accessed(void) {
    struct remote remote = start_remote(PAGE, READ_WRITE);
    struct share_block *block = map_block(remote.host.pid, &remote.exported);
    const struct host_request other_memory = {.action = HOST_CREATE,
                                              .addr = block->header.beacon,
                                              .len = PAGE,
                                              .permissions = READ_WRITE,
                                              .device = "mlx5_0"};
    munmap(block, sizeof(*block));
    send_to_host(&remote.host, (struct host_request){.action = HOST_BECOME_ANOTHER_PROGRAM});
    CHECK_SUCCESS(ask_host(&remote.host, other_memory).result);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(remote_source(&remote, 0, 64), take_target(0, 64)));
    check_cause("is another program by now");
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(take_source(0, 64), remote_target(&remote, 0, 64)));
    check_cause("is another program by now");
    end_remote(&remote);
}

static void
imports_of_a_process_that_is_killed_make_room(void) {
    struct host_reply exported;
    struct doca_mmap *imported;
    struct peer host = start_host(PAGE, READ_WRITE, &exported);
    struct peer dpu = start_dpu(DPU_IMPORTS, 0, &exported);
    CHECK_REFUSED(DOCA_ERROR_NO_MEMORY, "it is imported 128 times already",
                  doca_mmap_create_from_export(NULL, exported.descriptor, exported.descriptor_size, dev, &imported));
    kill_peer(&dpu);
    struct remote remote = {.host = host, .exported = exported, .mmap = import(&exported)};
    check_round_trip(&remote, 0, 64);
    end_remote(&remote);
}

/*
 * A map that is thread-safe does not count its buffers, so it can be stopped and destroyed while a worker copies
 */

static uint8_t copies_memory[NUM_COPIES * STREAM_SIZE];

/* The thread sanitizer must not report this read while the worker writes. */
__attribute__((no_sanitize("thread"))) static bool
has_begun(void) {
    return *(volatile uint8_t *)copies_memory != UNTOUCHED;
}

/* Copies from one map to the other, until the program has seen the first byte. */
static void
begin_copies(struct doca_mmap *src_map, uint8_t *src_addr, struct doca_mmap *dst_map) {
    memset(copies_memory, UNTOUCHED, sizeof(copies_memory));
    dma = start_dma(NUM_COPIES, 0);
    for (uint64_t i = 0; i < NUM_COPIES; i++) {
        uint8_t *place = copies_memory + i * STREAM_SIZE;
        struct doca_buf *src = data_of(src_map, src_addr, STREAM_SIZE);
        struct doca_buf *dst = space_of(dst_map, place, STREAM_SIZE);
        CHECK_SUCCESS(submit_task(alloc_task(dma, i, src, dst)));
    }
    while (!has_begun()) {
        sched_yield();
    }
}

/* Checks that no copy is running any more, whatever their results are. */
static void
check_end_of_copies(void) {
    for (size_t i = 0; i < sizeof(copies_memory); i += PAGE) {
        copies_memory[i] = UNTOUCHED;
    }
    while (count_events(EVENT_COMPLETED) + count_events(EVENT_FAILED) < NUM_COPIES) {
        progress_or_rest(pe);
    }
    for (size_t i = 0; i < sizeof(copies_memory); i += PAGE) {
        if (copies_memory[i] != UNTOUCHED) {
            CHECK_FAILED("byte %zu was written after the end of its mmap", i);
            break;
        }
    }
    for (size_t i = 0; i < num_events; i++) {
        if (events[i].kind != EVENT_STATE) {
            give_back((struct doca_buf *)doca_dma_task_memcpy_get_src(events[i].task));
            give_back(doca_dma_task_memcpy_get_dst(events[i].task));
            free_task(events[i].task);
        }
    }
    end_dma(dma);
    last_error[0] = '\0';
}

static void
an_import_is_destroyed_during_a_copy(void) {
    struct remote remote = start_remote(STREAM_SIZE, READ_WRITE);
    struct doca_mmap *local_map = start_mmap(copies_memory, sizeof(copies_memory), dev);
    for (int i = 0; i < NUM_ENDS; i++) {
        struct doca_mmap *imported = import(&remote.exported);
        CHECK_SUCCESS(doca_mmap_enable_thread_safety(imported));
        begin_copies(imported, (uint8_t *)(uintptr_t)remote.exported.addr, local_map);
        CHECK_SUCCESS(doca_mmap_destroy(imported));
        check_end_of_copies();
    }
    CHECK_SUCCESS(doca_mmap_destroy(local_map));
    end_remote(&remote);
}

static void
a_map_is_stopped_during_a_copy(void) {
    static uint8_t source[STREAM_SIZE];
    struct doca_mmap *source_map = start_mmap(source, STREAM_SIZE, dev);
    struct doca_mmap *map = start_mmap(copies_memory, sizeof(copies_memory), dev);
    CHECK_SUCCESS(doca_mmap_stop(map));
    CHECK_SUCCESS(doca_mmap_enable_thread_safety(map));
    for (int i = 0; i < NUM_ENDS; i++) {
        CHECK_SUCCESS(doca_mmap_start(map));
        begin_copies(source_map, source, map);
        CHECK_SUCCESS(doca_mmap_stop(map));
        check_end_of_copies();
    }
    CHECK_SUCCESS(doca_mmap_destroy(map));
    CHECK_SUCCESS(doca_mmap_destroy(source_map));
}

static void
run_threaded(void) {
    set_up();
    a_host_that_is_killed_fails_copies_and_another_one_serves();
    an_import_is_destroyed_during_a_copy();
    a_map_is_stopped_during_a_copy();
    tear_down();
}

int
main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "host") == 0) {
        return run_host();
    }
    if (argc > 1 && strcmp(argv[1], "dpu") == 0) {
        return run_dpu();
    }
    check_with_environment("DOCA_EMULATOR_ENGINE", "threaded", run_threaded);
    set_up();
    a_host_that_is_killed_fails_copies_and_another_one_serves();
    two_dpu_processes_work_on_one_export();
    nobody_writes_after_the_host_has_stopped();
    a_host_stops_when_the_last_copy_is_through();
    a_dpu_process_that_is_killed_does_not_keep_a_host_from_stopping();
    a_map_is_not_stopped_while_a_suspended_process_may_write_to_it();
    a_map_is_not_destroyed_while_a_suspended_process_may_write_to_it();
    a_process_that_only_has_the_pid_of_the_host_is_not_accessed();
    imports_of_a_process_that_is_killed_make_room();
    tear_down();
    return check_result();
}
