/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a process that ends, and whose pid another one has, in the middle of an access. */
#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "check.h"
#include "common/peer_memory.h"

#define VALUE UINT64_C(0x1122334455667788)

struct child {
    pid_t pid;
    /* The child ends when this is closed. */
    int end;
    struct peer_place place;
};

static uint64_t word;
static struct child exporter;
static struct child impostor;
static bool is_armed;

/* Returns the exit status of a child that waits: whether its memory has changed. */
static int
await_end_of_file(int end) {
    char byte;
    (void)!read(end, &byte, 1);
    return word != 0;
}

static void
start_exporter(void) {
    static const struct shared_block_use use = {.task = "test", .thing = "a test"};
    int places[2];
    int ends[2];
    CHECK_EQUAL(0, pipe(places));
    CHECK_EQUAL(0, pipe(ends));
    exporter.pid = fork();
    if (exporter.pid == 0) {
        struct peer_place place;
        close(ends[1]);
        check_begin_child();
        CHECK_SUCCESS(beacon_create(&use, &place));
        CHECK_EQUAL(sizeof(place), write(places[1], &place, sizeof(place)));
        _exit(await_end_of_file(ends[0]));
    }
    CHECK_EQUAL(sizeof(exporter.place), read(places[0], &exporter.place, sizeof(exporter.place)));
    exporter.end = ends[1];
    close(ends[0]);
    close(places[0]);
    close(places[1]);
}

static int
end_child(const struct child *child) {
    int status = -1;
    close(child->end);
    CHECK_EQUAL(child->pid, waitpid(child->pid, &status, 0));
    return status;
}

/* Kills the exporter and starts another process with its pid. */
static void
replace_exporter(void) {
    int ends[2];
    pid_t pid = exporter.pid;
    struct clone_args arguments = {.exit_signal = SIGCHLD, .set_tid = (uintptr_t)&pid, .set_tid_size = 1};
    kill(exporter.pid, SIGKILL);
    end_child(&exporter);
    CHECK_EQUAL(0, pipe(ends));
    impostor.pid = (pid_t)syscall(SYS_clone3, &arguments, sizeof(arguments));
    if (impostor.pid == 0) {
        close(ends[1]);
        syscall(SYS_exit_group, await_end_of_file(ends[0]));
    }
    impostor.end = ends[1];
    close(ends[0]);
}

static void
replace_exporter_once(void) {
    if (is_armed) {
        is_armed = false;
        replace_exporter();
    }
}

/*
 * In place of the functions of libc: the exporter is replaced after the first read, by which the library recognises it.
 */
ssize_t pread(int fd, void *bytes, size_t len, off_t offset) __attribute__((visibility("default")));
ssize_t process_vm_readv(pid_t pid, const struct iovec *local, unsigned long num_local, const struct iovec *remote,
                         unsigned long num_remote, unsigned long flags) __attribute__((visibility("default")));

ssize_t
pread(int fd, void *bytes, size_t len, off_t offset) {
    const ssize_t result = syscall(SYS_pread64, fd, bytes, len, offset);
    replace_exporter_once();
    return result;
}

ssize_t
process_vm_readv(pid_t pid, const struct iovec *local, unsigned long num_local, const struct iovec *remote,
                 unsigned long num_remote, unsigned long flags) {
    const ssize_t result = syscall(SYS_process_vm_readv, pid, local, num_local, remote, num_remote, flags);
    replace_exporter_once();
    return result;
}

static void
a_process_is_written_to(void) {
    const uint64_t value = VALUE;
    uint64_t read_back = 0;
    start_exporter();
    CHECK_SUCCESS(peer_write(&exporter.place, &word, &value, sizeof(value)));
    CHECK_SUCCESS(peer_read(&exporter.place, &read_back, &word, sizeof(word)));
    CHECK_EQUAL(VALUE, read_back);
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, peer_write(&exporter.place, NULL, &value, sizeof(value)));
    CHECK_EQUAL(1, WEXITSTATUS(end_child(&exporter)));
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, peer_write(&exporter.place, &word, &value, sizeof(value)));
}

static void
a_stranger_with_the_pid_is_not_written_to(void) {
    const uint64_t value = VALUE;
    start_exporter();
    is_armed = true;
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, peer_write(&exporter.place, &word, &value, sizeof(value)));
    if (impostor.pid < 0) {
        fprintf(stderr, "this user may not choose the pid of a process\n");
        return;
    }
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, peer_write(&exporter.place, &word, &value, sizeof(value)));
    CHECK_EQUAL(0, end_child(&impostor));
}

/* As if the memory at the place of the beacon belonged to another program by now. */
static void
a_process_with_another_beacon_is_not_accessed(void) {
    static const size_t changed[] = {0, BEACON_SIZE - 1};
    const uint64_t value = VALUE;
    uint64_t read_back = 0;
    start_exporter();
    for (size_t i = 0; i < sizeof(changed) / sizeof(changed[0]); i++) {
        struct peer_place place = exporter.place;
        place.nonce[changed[i]] ^= 1;
        CHECK_ERROR(DOCA_ERROR_IO_FAILED, peer_write(&place, &word, &value, sizeof(value)));
        CHECK_ERROR(DOCA_ERROR_IO_FAILED, peer_read(&place, &read_back, &word, sizeof(word)));
    }
    CHECK_EQUAL(0, WEXITSTATUS(end_child(&exporter)));
}

int
main(void) {
    a_process_is_written_to();
    a_process_with_another_beacon_is_not_accessed();
    a_stranger_with_the_pid_is_not_written_to();
    return check_result();
}
