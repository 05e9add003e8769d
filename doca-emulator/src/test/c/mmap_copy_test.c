/* SPDX-License-Identifier: Apache-2.0 */
/* Copies from and to memory that other processes have exported. */
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "dma_fixture.h"
#include "peer.h"

#define PAGE ((size_t)4096)
#define READ_ONLY DOCA_ACCESS_FLAG_PCI_READ_ONLY
#define READ_WRITE DOCA_ACCESS_FLAG_PCI_READ_WRITE

/* A host's memory, imported. */
struct remote {
    struct peer host;
    struct host_reply exported;
    struct doca_mmap *mmap;
};

static struct doca_dma *dma;

static struct doca_mmap *
import(const struct host_reply *exported) {
    struct doca_mmap *imported = NULL;
    REQUIRE_SUCCESS(doca_mmap_create_from_export(NULL, exported->descriptor, exported->descriptor_size, dev,
                                                 &imported));
    return imported;
}

static struct remote
start_remote(uint64_t len, uint32_t permissions) {
    struct remote remote;
    remote.host = start_host(len, permissions, &remote.exported);
    remote.mmap = import(&remote.exported);
    return remote;
}

static void
end_remote(struct remote *remote) {
    CHECK_SUCCESS(doca_mmap_destroy(remote->mmap));
    CHECK_SUCCESS(ask_host_to(&remote->host, HOST_DESTROY).result);
    end_peer(&remote->host);
}

static struct doca_buf *
remote_source(const struct remote *remote, uint64_t offset, size_t len) {
    struct doca_buf *buf;
    uint8_t *addr = (uint8_t *)(uintptr_t)remote->exported.addr + offset;
    REQUIRE_SUCCESS(doca_buf_inventory_buf_get_by_data(inventory, remote->mmap, addr, len, &buf));
    return buf;
}

static struct doca_buf *
remote_target(const struct remote *remote, uint64_t offset, size_t len) {
    struct doca_buf *buf;
    uint8_t *addr = (uint8_t *)(uintptr_t)remote->exported.addr + offset;
    REQUIRE_SUCCESS(doca_buf_inventory_buf_get_by_addr(inventory, remote->mmap, addr, len, &buf));
    return buf;
}

static bool
has_ended(void) {
    return count_events(EVENT_COMPLETED) + count_events(EVENT_FAILED) > 0;
}

/* One copy with a context of its own, whose end is given; both buffers are given back. */
static doca_error_t
copy(struct doca_buf *src, struct doca_buf *dst) {
    dma = start_dma(1, 0);
    struct doca_dma_task_memcpy *task = alloc_task(dma, 1, src, dst);
    CHECK_SUCCESS(submit_task(task));
    while (!has_ended()) {
        if (doca_pe_progress(pe) == 0) {
            sched_yield();
        }
    }
    const doca_error_t result = events[num_events - 1].status;
    if (result == DOCA_SUCCESS) {
        CHECK_EQUAL(DOCA_CTX_STATE_RUNNING, state_of(dma));
    } else {
        /* The program learns first that the context has failed. */
        CHECK_EQUAL(2, num_events);
        check_state_event(0, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
        CHECK_EQUAL(DOCA_CTX_STATE_STOPPING, state_of(dma));
    }
    free_task(task);
    end_dma(dma);
    give_back(src);
    give_back(dst);
    return result;
}

static uint8_t
inverse_at(uint64_t offset) {
    return pattern_at(offset) ^ 0xff;
}

/* Both ways, and what was there comes and what comes is there. */
static void
check_round_trip(const struct remote *remote, uint64_t offset, size_t len) {
    fill_memory();
    CHECK_SUCCESS(copy(remote_source(remote, offset, len), take_target(0, len)));
    for (size_t i = 0; i < len; i++) {
        if (memory[i] != pattern_at(offset + i)) {
            CHECK_FAILED("byte %zu of %zu at %llu is %d", i, len, (unsigned long long)offset, memory[i]);
            break;
        }
    }
    for (size_t i = 0; i < len; i++) {
        memory[i] = inverse_at(offset + i);
    }
    CHECK_SUCCESS(copy(take_source(0, len), remote_target(remote, offset, len)));
    memset(memory, 0, len);
    CHECK_SUCCESS(copy(remote_source(remote, offset, len), take_target(0, len)));
    for (size_t i = 0; i < len; i++) {
        if (memory[i] != inverse_at(offset + i)) {
            CHECK_FAILED("byte %zu of %zu written at %llu is %d", i, len, (unsigned long long)offset, memory[i]);
            break;
        }
    }
    check_nothing_logged();
}

static void
memory_of_a_host_that_sits_in_read_is_read_and_written(void) {
    struct remote remote = start_remote(16 * PAGE, READ_WRITE);
    check_round_trip(&remote, 0, 1);
    check_round_trip(&remote, 100, 3 * PAGE);
    check_round_trip(&remote, 15 * PAGE + 1, PAGE - 1);
    CHECK_EQUAL(inverse_at(100), peek_host(&remote.host, 100));
    CHECK_EQUAL(inverse_at(99 + 3 * PAGE), peek_host(&remote.host, 99 + 3 * PAGE));
    CHECK_EQUAL(pattern_at(100 + 3 * PAGE), peek_host(&remote.host, 100 + 3 * PAGE));
    end_remote(&remote);
}


static void
memory_of_a_host_that_is_suspended_is_read_and_written(void) {
    struct remote remote = start_remote(2 * PAGE, READ_WRITE);
    int status;
    kill(remote.host.pid, SIGSTOP);
    CHECK_EQUAL(remote.host.pid, waitpid(remote.host.pid, &status, WUNTRACED));
    CHECK(WIFSTOPPED(status));
    check_round_trip(&remote, 10, PAGE);
    kill(remote.host.pid, SIGCONT);
    CHECK_EQUAL(inverse_at(10), peek_host(&remote.host, 10));
    end_remote(&remote);
}

/* No file of that size comes into being: the pages that nobody touches do not exist. */
static void
more_than_4_gib_are_reached_at_both_ends(void) {
    const uint64_t len = (UINT64_C(4) << 30) + 3 * PAGE;
    struct remote remote = start_remote(len, READ_WRITE);
    void *addr;
    size_t imported_len;
    CHECK_SUCCESS(doca_mmap_get_memrange(remote.mmap, &addr, &imported_len));
    CHECK_EQUAL(remote.exported.addr, (uintptr_t)addr);
    CHECK_EQUAL(len, imported_len);
    check_round_trip(&remote, 0, PAGE);
    check_round_trip(&remote, len - MEMORY_SIZE, MEMORY_SIZE);
    CHECK_EQUAL(inverse_at(len - 1), peek_host(&remote.host, len - 1));
    end_remote(&remote);
}

static void
an_export_for_reading_cannot_be_written(void) {
    struct remote remote = start_remote(PAGE, READ_ONLY);
    CHECK_SUCCESS(copy(remote_source(&remote, 0, 64), take_target(0, 64)));
    check_nothing_logged();
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(take_source(0, 64), remote_target(&remote, 0, 64)));
    check_logged("the mmap of the destination does not let this device write");
    CHECK_EQUAL(pattern_at(0), peek_host(&remote.host, 0));

    /* Those who ask first learn it first. */
    dma = start_dma(1, 0);
    struct doca_buf *src = take_source(0, 64);
    struct doca_buf *dst = remote_target(&remote, 0, 64);
    struct doca_dma_task_memcpy *task = alloc_task(dma, 1, src, dst);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_task_try_submit(doca_dma_task_memcpy_as_task(task)));
    check_logged("the mmap of the destination does not let this device write");
    free_task(task);
    end_dma(dma);
    give_back(src);
    give_back(dst);
    end_remote(&remote);
}

static void
an_imported_map_is_for_the_device_of_the_import(void) {
    struct remote remote = start_remote(PAGE, READ_WRITE);
    struct doca_dev *const first = dev;
    dev = open_device("mlx5_1");
    struct doca_mmap *const first_map = memory_map;
    memory_map = start_mmap(memory, MEMORY_SIZE, dev);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(remote_source(&remote, 0, 64), take_target(0, 64)));
    check_logged("the mmap of the source does not let this device read");
    CHECK_SUCCESS(doca_mmap_destroy(memory_map));
    CHECK_SUCCESS(doca_dev_close(dev));
    dev = first;
    memory_map = first_map;
    end_remote(&remote);
}

static void
bytes_go_from_host_to_host(void) {
    const uint64_t len = 40 * PAGE;
    struct remote a = start_remote(len, READ_ONLY);
    struct remote b = start_remote(len, READ_WRITE);
    CHECK_SUCCESS(copy(remote_source(&a, 5, 33 * PAGE + 1), remote_target(&b, 0, len)));
    for (uint64_t i = 0; i < 33 * PAGE + 1; i += 511) {
        CHECK_EQUAL(peek_host(&a.host, 5 + i), peek_host(&b.host, i));
    }
    CHECK_EQUAL(peek_host(&a.host, 5 + 33 * PAGE), peek_host(&b.host, 33 * PAGE));
    check_nothing_logged();
    end_remote(&a);
    end_remote(&b);
}

static struct remote
start_remote_at(const void *addr) {
    struct remote remote;
    const struct host_request request = {
            .addr = (uintptr_t)addr, .len = 4 * PAGE, .permissions = READ_WRITE, .device = "mlx5_0"};
    remote.host = start_host_with("host", request, &remote.exported);
    CHECK_EQUAL((uintptr_t)addr, remote.exported.addr);
    remote.mmap = import(&remote.exported);
    return remote;
}

/* An address at which other processes of this program have nothing: far below what they have. */
static void *
find_free_address(void) {
    const size_t distance = (size_t)64 << 30;
    void *addr = mmap(NULL, distance, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(addr != MAP_FAILED);
    munmap(addr, distance);
    return addr;
}

static void
equal_addresses_overlap_in_one_process_only(void) {
    void *const addr = find_free_address();
    struct remote a = start_remote_at(addr);
    struct remote b = start_remote_at(addr);
    CHECK_SUCCESS(copy(remote_source(&a, 0, PAGE), remote_target(&b, 0, PAGE)));

    void *own = mmap(addr, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    CHECK_POINTER(addr, own);
    struct doca_mmap *own_map = start_mmap(own, 4 * PAGE, dev);
    struct doca_buf *own_target;
    REQUIRE_SUCCESS(doca_buf_inventory_buf_get_by_addr(inventory, own_map, own, PAGE, &own_target));
    CHECK_SUCCESS(copy(remote_source(&a, 0, PAGE), own_target));
    CHECK_EQUAL(pattern_at(1), ((uint8_t *)own)[1]);
    CHECK_SUCCESS(doca_mmap_destroy(own_map));
    munmap(own, 4 * PAGE);
    check_nothing_logged();

    struct remote again = a;
    again.mmap = import(&a.exported);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(remote_source(&a, 0, 64), remote_target(&again, 63, 64)));
    check_logged("source and destination overlap");
    CHECK_SUCCESS(copy(remote_source(&a, 0, 64), remote_target(&again, 64, 64)));
    CHECK_EQUAL(pattern_at(63), peek_host(&a.host, 127));
    CHECK_SUCCESS(doca_mmap_destroy(again.mmap));
    end_remote(&a);
    end_remote(&b);
}

static void
a_host_that_has_stopped_fails_copies(void) {
    struct remote remote = start_remote(PAGE, READ_WRITE);
    CHECK_SUCCESS(copy(remote_source(&remote, 0, 64), take_target(0, 64)));
    CHECK_SUCCESS(ask_host_to(&remote.host, HOST_STOP).result);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(remote_source(&remote, 0, 64), take_target(0, 64)));
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(take_source(0, 64), remote_target(&remote, 0, 64)));
    CHECK_EQUAL(pattern_at(0), peek_host(&remote.host, 0));

    /* A new export does not bring the old one back. */
    CHECK_SUCCESS(ask_host_to(&remote.host, HOST_START).result);
    struct remote renewed = {.host = remote.host, .exported = ask_host_to(&remote.host, HOST_EXPORT)};
    renewed.mmap = import(&renewed.exported);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(remote_source(&remote, 0, 64), take_target(0, 64)));
    CHECK_SUCCESS(copy(remote_source(&renewed, 0, 64), take_target(0, 64)));
    CHECK_SUCCESS(doca_mmap_destroy(remote.mmap));
    last_error[0] = '\0';
    end_remote(&renewed);
}

static void
memory_that_the_host_has_unmapped_fails_copies(void) {
    struct remote remote = start_remote(PAGE, READ_WRITE);
    ask_host_to(&remote.host, HOST_UNMAP);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(remote_source(&remote, 0, 64), take_target(0, 64)));
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(take_source(0, 64), remote_target(&remote, 0, 64)));
    last_error[0] = '\0';
    end_remote(&remote);
}

static void
a_forked_child_leaves_the_export_to_its_parent(void) {
    struct remote remote = start_remote(PAGE, READ_WRITE);
    const struct host_reply reply = ask_host_to(&remote.host, HOST_FORK);
    CHECK_SUCCESS(reply.result);
    CHECK_EQUAL(remote.exported.descriptor_size, reply.descriptor_size);
    CHECK(memcmp(remote.exported.descriptor, reply.descriptor, reply.descriptor_size) == 0);
    check_round_trip(&remote, 0, 64);
    end_remote(&remote);
}

static void
a_forked_child_cannot_use_what_its_parent_imported(void) {
    struct remote remote = start_remote(PAGE, READ_WRITE);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(remote_source(&remote, 0, 64), take_target(0, 64)));
        CHECK_SUCCESS(doca_mmap_destroy(remote.mmap));
        _exit(check_result());
    }
    int status = -1;
    CHECK_EQUAL(child, waitpid(child, &status, 0));
    CHECK_EQUAL(0, status);
    check_round_trip(&remote, 0, 64);
    end_remote(&remote);
}

/*
 * Copies without end
 */

#define STREAM_SIZE ((size_t)1024 * 1024)

static uint8_t stream_memory[STREAM_SIZE];

/* Copies of a megabyte, one after the other, in a direction. */
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
        if (doca_pe_progress(pe) == 0) {
            sched_yield();
        }
    }
    return events[num_events - 1].status;
}

static void
end_stream(struct stream *stream) {
    free_task(stream->task);
    end_dma(dma);
    give_back(stream->src);
    give_back(stream->dst);
    CHECK_SUCCESS(doca_mmap_destroy(stream->local_map));
}

struct kill_order {
    sem_t now;
    pid_t victim;
};

static void *
kill_when_told(void *argument) {
    struct kill_order *order = argument;
    sem_wait(&order->now);
    kill(order->victim, SIGKILL);
    return NULL;
}

/* Another thread kills the host while this one copies; which byte is on its way then differs from time to time. */
static void
stream_until_the_host_is_killed(struct remote *remote, bool writes) {
    struct kill_order order = {.victim = remote->host.pid};
    pthread_t killer;
    struct stream stream = start_stream(remote, 0, writes);
    sem_init(&order.now, 0, 0);
    CHECK_EQUAL(0, pthread_create(&killer, NULL, kill_when_told, &order));
    CHECK_SUCCESS(copy_again(&stream));
    sem_post(&order.now);
    doca_error_t result;
    do {
        result = copy_again(&stream);
    } while (result == DOCA_SUCCESS);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, result);
    check_state_event(0, DOCA_CTX_STATE_RUNNING, DOCA_CTX_STATE_STOPPING);
    pthread_join(killer, NULL);
    sem_destroy(&order.now);
    end_stream(&stream);
}

static void
a_host_that_is_killed_fails_copies_and_another_one_serves(void) {
    for (int round = 0; round < 24; round++) {
        struct remote remote = start_remote(STREAM_SIZE, READ_WRITE);
        stream_until_the_host_is_killed(&remote, round % 2 == 0);
        last_error[0] = '\0';
        CHECK_SUCCESS(doca_mmap_destroy(remote.mmap));
        CHECK_EQUAL(SIGKILL, join_peer(&remote.host));
    }
    struct remote remote = start_remote(STREAM_SIZE, READ_WRITE);
    check_round_trip(&remote, 0, PAGE);
    end_remote(&remote);
}

/*
 * Another DPU process: it is told about an export, and writes a byte when it is at work
 */

enum dpu_job {
    DPU_READS,
    DPU_WRITES,
    /* Imports until it is refused. */
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

/* Copies until that fails. */
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

/* As many as there may be; they stay until the process is killed. */
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
    CHECK_SUCCESS(ask_host_to(&remote.host, HOST_DESTROY).result);
    end_peer(&dpu);
    end_peer(&remote.host);
}

/* The other process may be in the middle of a copy when the host stops the map. */
static void
nobody_writes_after_the_host_has_stopped(void) {
    for (int round = 0; round < 8; round++) {
        struct host_reply exported;
        struct peer host = start_host(STREAM_SIZE, READ_WRITE, &exported);
        struct peer dpu = start_dpu(DPU_WRITES, 0, &exported);
        const uint64_t offset = (uint64_t)round * (STREAM_SIZE - 1) / 7;
        send_to_host(&host, (struct host_request){.action = HOST_STOP});
        send_to_host(&host, (struct host_request){.action = HOST_POKE, .offset = offset, .value = 1});
        CHECK_SUCCESS(receive_from_host(&host).result);
        receive_from_host(&host);
        end_peer(&dpu);
        CHECK_EQUAL(1, peek_host(&host, offset));
        CHECK_SUCCESS(ask_host_to(&host, HOST_DESTROY).result);
        end_peer(&host);
    }
}

static double
now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* It is a zombie in every other round, which has not been waited for when the host stops. */
static void
a_dpu_process_that_is_killed_does_not_keep_a_host_from_stopping(void) {
    for (int round = 0; round < 12; round++) {
        struct host_reply exported;
        struct peer host = start_host(STREAM_SIZE, READ_WRITE, &exported);
        struct peer dpu = start_dpu(round % 4 < 2 ? DPU_WRITES : DPU_READS, 0, &exported);
        if (round % 2 == 0) {
            kill_peer(&dpu);
        } else {
            kill(dpu.pid, SIGKILL);
        }
        const double before = now();
        CHECK_SUCCESS(ask_host_to(&host, HOST_STOP).result);
        CHECK(now() - before < 2);
        if (round % 2 == 1) {
            CHECK_EQUAL(SIGKILL, join_peer(&dpu));
        }
        CHECK_SUCCESS(ask_host_to(&host, HOST_DESTROY).result);
        end_peer(&host);
    }
}

static void
imports_of_a_process_that_is_killed_make_room(void) {
    struct host_reply exported;
    struct doca_mmap *imported;
    struct peer host = start_host(PAGE, READ_WRITE, &exported);
    struct peer dpu = start_dpu(DPU_IMPORTS, 0, &exported);
    CHECK_ERROR(DOCA_ERROR_NO_MEMORY, doca_mmap_create_from_export(NULL, exported.descriptor, exported.descriptor_size,
                                                                   dev, &imported));
    check_logged("it is imported 128 times already");
    kill_peer(&dpu);
    struct remote remote = {.host = host, .exported = exported, .mmap = import(&exported)};
    check_round_trip(&remote, 0, 64);
    end_remote(&remote);
}

static void
run_all(void) {
    set_up();
    memory_of_a_host_that_sits_in_read_is_read_and_written();
    memory_of_a_host_that_is_suspended_is_read_and_written();
    more_than_4_gib_are_reached_at_both_ends();
    an_export_for_reading_cannot_be_written();
    an_imported_map_is_for_the_device_of_the_import();
    bytes_go_from_host_to_host();
    equal_addresses_overlap_in_one_process_only();
    a_host_that_has_stopped_fails_copies();
    memory_that_the_host_has_unmapped_fails_copies();
    a_forked_child_leaves_the_export_to_its_parent();
    a_host_that_is_killed_fails_copies_and_another_one_serves();
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
    check_with_environment("DOCA_EMULATOR_ENGINE", "threaded", run_all);
    run_all();
    set_up();
    a_forked_child_cannot_use_what_its_parent_imported();
    two_dpu_processes_work_on_one_export();
    nobody_writes_after_the_host_has_stopped();
    a_dpu_process_that_is_killed_does_not_keep_a_host_from_stopping();
    imports_of_a_process_that_is_killed_make_room();
    tear_down();
    return check_result();
}
