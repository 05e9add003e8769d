/* SPDX-License-Identifier: Apache-2.0 */
/* Copies from and to memory that other processes have exported. */
#include "remote.h"

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
    suspend(&remote.host);
    check_round_trip(&remote, 10, PAGE);
    kill(remote.host.pid, SIGCONT);
    CHECK_EQUAL(inverse_at(10), peek_host(&remote.host, 10));
    end_remote(&remote);
}

/* Untouched pages are not allocated, so the memory is mostly virtual. */
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
an_imported_map_is_for_the_device_of_the_import(void) {
    struct remote remote = start_remote(PAGE, READ_WRITE);
    struct doca_dev *const first = dev;
    dev = open_device("mlx5_1");
    struct doca_mmap *const first_map = memory_map;
    memory_map = start_mmap(memory, MEMORY_SIZE, dev);
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "the mmap of the source does not let this device read",
                  copy(remote_source(&remote, 0, 64), take_target(0, 64)));
    CHECK_SUCCESS(doca_mmap_destroy(memory_map));
    CHECK_SUCCESS(doca_dev_close(dev));
    dev = first;
    memory_map = first_map;
    end_remote(&remote);
}

/* A map that is used by several threads does not count its buffers, so it can be destroyed before them. */
static void
a_destroyed_import_is_not_used(void) {
    struct remote remote = start_remote(PAGE, READ_WRITE);
    CHECK_SUCCESS(doca_mmap_enable_thread_safety(remote.mmap));
    struct doca_buf *src = remote_source(&remote, 0, 64);
    struct doca_mmap *other = import(&remote.exported);
    struct doca_buf *dst = space_of(other, (void *)(uintptr_t)remote.exported.addr, 64);
    CHECK_SUCCESS(doca_mmap_destroy(remote.mmap));
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "source", copy(src, dst));
    CHECK_SUCCESS(doca_mmap_destroy(other));
    end_host(&remote.host);
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

/* Returns an address that is unused in other processes of this program, far below their memory. */
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
    struct doca_buf *own_target = space_of(own_map, own, PAGE);
    CHECK_SUCCESS(copy(remote_source(&a, 0, PAGE), own_target));
    CHECK_EQUAL(pattern_at(1), ((uint8_t *)own)[1]);
    CHECK_SUCCESS(doca_mmap_destroy(own_map));
    munmap(own, 4 * PAGE);
    check_nothing_logged();

    struct remote again = a;
    again.mmap = import(&a.exported);
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "source and destination overlap",
                  copy(remote_source(&a, 0, 64), remote_target(&again, 63, 64)));
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
    CHECK_SUCCESS(request_host(&remote.host, HOST_STOP).result);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(remote_source(&remote, 0, 64), take_target(0, 64)));
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(take_source(0, 64), remote_target(&remote, 0, 64)));
    check_cause("has stopped its mmap");
    CHECK_EQUAL(pattern_at(0), peek_host(&remote.host, 0));

    /* A new export does not revive the old one. */
    CHECK_SUCCESS(request_host(&remote.host, HOST_START).result);
    struct remote renewed = {.host = remote.host, .exported = request_host(&remote.host, HOST_EXPORT)};
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
    request_host(&remote.host, HOST_UNMAP);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(remote_source(&remote, 0, 64), take_target(0, 64)));
    check_cause("has no memory at");
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(take_source(0, 64), remote_target(&remote, 0, 64)));
    check_cause("has no memory at");
    end_remote(&remote);
}

static void
a_forked_child_leaves_the_export_to_its_parent(void) {
    struct remote remote = start_remote(PAGE, READ_WRITE);
    const struct host_reply reply = request_host(&remote.host, HOST_FORK);
    CHECK_SUCCESS(reply.result);
    CHECK_EQUAL(remote.exported.descriptor_size, reply.descriptor_size);
    CHECK(memcmp(remote.exported.descriptor, reply.descriptor, reply.descriptor_size) == 0);
    check_round_trip(&remote, 0, 64);
    end_remote(&remote);
}

static void
use_import_of_parent(void *remote) {
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, copy(remote_source(remote, 0, 64), take_target(0, 64)));
    CHECK_SUCCESS(doca_mmap_destroy(((struct remote *)remote)->mmap));
}

static void
a_forked_child_cannot_use_what_its_parent_imported(void) {
    struct remote remote = start_remote(PAGE, READ_WRITE);
    check_in_child(use_import_of_parent, &remote);
    check_round_trip(&remote, 0, 64);
    end_remote(&remote);
}

static void
run_all(void) {
    set_up();
    memory_of_a_host_that_sits_in_read_is_read_and_written();
    memory_of_a_host_that_is_suspended_is_read_and_written();
    more_than_4_gib_are_reached_at_both_ends();
    an_imported_map_is_for_the_device_of_the_import();
    a_destroyed_import_is_not_used();
    equal_addresses_overlap_in_one_process_only();
    a_host_that_has_stopped_fails_copies();
    memory_that_the_host_has_unmapped_fails_copies();
    a_forked_child_leaves_the_export_to_its_parent();
    tear_down();
}

/* Not used with the threaded engine, because a child does not have its threads. */
static void
run_inline(void) {
    set_up();
    a_forked_child_cannot_use_what_its_parent_imported();
    tear_down();
}

int
main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "host") == 0) {
        return run_host();
    }
    check_with_environment("DOCA_EMULATOR_ENGINE", "threaded", run_all);
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", run_inline);
    run_all();
    return check_result();
}
