/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "process.h"
#include "sdk_log.h"

/* In clock ticks, of which 100 make a second: enough for centuries. A pid has 22 bits. */
#define START_BITS 40
#define START_MASK ((UINT64_C(1) << START_BITS) - 1)

#define MAX_TIME_TO_DIE_MS 10000

struct process_status {
    char state;
    long num_threads;
    unsigned long long start;
    unsigned long memory_size;
};

/* Reads the beginning of a file of /proc as text. Returns 0 or errno. */
static int
read_proc(pid_t pid, const char *name, char *text, size_t size) {
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return errno;
    }
    const ssize_t len = read(fd, text, size - 1);
    const int error = len < 0 ? errno : 0;
    close(fd);
    text[len < 0 ? 0 : len] = '\0';
    return error;
}

static int
read_status(pid_t pid, struct process_status *status) {
    char text[1024];
    const int error = read_proc(pid, "stat", text, sizeof(text));
    if (error != 0) {
        return error;
    }
    /* The second field is the name of the program in parentheses, with any characters in it. */
    const char *name_end = strrchr(text, ')');
    if (name_end == NULL ||
        sscanf(name_end + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld %*d %llu %lu",
               &status->state, &status->num_threads, &status->start, &status->memory_size) != 4) {
        return EINVAL;
    }
    return 0;
}

static process_id
make_id(pid_t pid, unsigned long long start) {
    return (uint64_t)pid << START_BITS | (start & START_MASK);
}

process_id
process_self(void) {
    struct process_status status;
    const pid_t pid = getpid();
    const int error = read_status(pid, &status);
    if (error != 0) {
        errno = error;
        return 0;
    }
    return make_id(pid, status.start);
}

pid_t
process_pid(process_id process) {
    return (pid_t)(process >> START_BITS);
}

/*
 * Needs no descriptor. A process that has ended has no memory, even before it is waited for. But its first thread may end
 * before the others. The number of links of this folder is 2 plus the number of threads.
 */
static bool
has_no_memory_and_threads(pid_t pid) {
    char byte;
    char path[64];
    struct stat status;
    const struct iovec local = {.iov_base = &byte, .iov_len = 1};
    const struct iovec remote = {.iov_base = NULL, .iov_len = 1};
    if (process_vm_readv(pid, &local, 1, &remote, 1, 0) >= 0 || errno != ESRCH) {
        return false;
    }
    snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
    if (stat(path, &status) != 0) {
        return errno == ENOENT || errno == ESRCH;
    }
    return status.st_nlink <= 2 + 1;
}

bool
process_has_ended(process_id process) {
    struct process_status status;
    const int error = read_status(process_pid(process), &status);
    if (error != 0) {
        return error == ENOENT || error == ESRCH || has_no_memory_and_threads(process_pid(process));
    }
    /* The first thread may end before the others, and is a zombie until they have ended too. */
    return make_id(process_pid(process), status.start) != process ||
           ((status.state == 'Z' || status.state == 'X') && status.num_threads <= 1);
}

bool
process_has_memory(pid_t pid) {
    struct process_status status;
    return read_status(pid, &status) == 0 && status.memory_size > 0;
}

void
process_kill(process_id process) {
    /* Uses a descriptor, which refers to the same process even when its pid is reused. */
    const int fd = (int)syscall(SYS_pidfd_open, process_pid(process), 0);
    struct pollfd end = {.fd = fd, .events = POLLIN};
    if (fd < 0) {
        if (errno != ESRCH) {
            SDK_LOG_ERR("Process %d cannot be killed: %s", (int)process_pid(process), strerror(errno));
        }
        return;
    }
    if (!process_has_ended(process) && syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0) == 0) {
        (void)poll(&end, 1, MAX_TIME_TO_DIE_MS);
    }
    close(fd);
}

int
process_get_user(pid_t pid, uid_t *user) {
    char text[4096];
    unsigned int effective;
    const int error = read_proc(pid, "status", text, sizeof(text));
    if (error != 0) {
        return error;
    }
    const char *line = strstr(text, "\nUid:");
    if (line == NULL || sscanf(line, "\nUid: %*u %u", &effective) != 1) {
        return EINVAL;
    }
    *user = effective;
    return 0;
}

atomic_uint process_generations;

void
process_count_fork(void) {
    atomic_fetch_add_explicit(&process_generations, 1, memory_order_relaxed);
}
