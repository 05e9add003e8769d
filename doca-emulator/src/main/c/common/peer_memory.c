/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <unistd.h>

#include "peer_memory.h"
#include "sdk_log.h"

#ifndef PR_SET_PTRACER
#define PR_SET_PTRACER 0x59616d61
#define PR_SET_PTRACER_ANY ((unsigned long)-1)
#endif

/*
 * The beacon
 */

static size_t
page_size(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

doca_error_t
beacon_create(const struct shared_block_use *use, struct peer_place *place) {
    if (getrandom(place->nonce, sizeof(place->nonce), 0) != (ssize_t)sizeof(place->nonce)) {
        return SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to %s: no random bytes", use->task);
    }
    place->process = process_self();
    if (place->process == 0) {
        return SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to %s: /proc cannot be read", use->task);
    }
    uint8_t *beacon = mmap(NULL, page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (beacon == MAP_FAILED) {
        return SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to %s: no page of memory", use->task);
    }
    if (madvise(beacon, page_size(), MADV_WIPEONFORK) != 0) {
        const doca_error_t result = SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to %s: a page cannot be kept from children", use->task);
        munmap(beacon, page_size());
        return result;
    }
    memcpy(beacon, place->nonce, sizeof(place->nonce));
    place->beacon = (uintptr_t)beacon;
    /*
     * The Yama security module lets only parents access a process unless the process allows others. The call fails on
     * systems without Yama, where it is not needed.
     */
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    return DOCA_SUCCESS;
}

void
beacon_destroy(const struct peer_place *place) {
    munmap((void *)(uintptr_t)place->beacon, page_size());
}

bool
peer_is_there(const struct peer_place *place, int *error) {
    uint8_t beacon[BEACON_SIZE];
    const struct iovec local = {.iov_base = beacon, .iov_len = sizeof(beacon)};
    const struct iovec remote = {.iov_base = (void *)(uintptr_t)place->beacon, .iov_len = sizeof(beacon)};
    const ssize_t len = process_vm_readv(process_pid(place->process), &local, 1, &remote, 1, 0);
    *error = len < 0 ? errno : 0;
    return len == (ssize_t)sizeof(beacon) && memcmp(beacon, place->nonce, sizeof(beacon)) == 0;
}

/* ESRCH is also the error of a process whose first thread alone has ended. */
bool
peer_has_ended(const struct peer_place *place) {
    int error;
    return process_has_ended(place->process) || (!peer_is_there(place, &error) && (error == 0 || error == EFAULT));
}

bool
peer_is_gone(int error) {
    return error == 0 || error == EFAULT || error == ESRCH;
}

const char *
peer_describe_error(int error, char text[PEER_ERROR_SIZE]) {
    switch (error) {
    case 0:
    case EFAULT:
        return "is another program by now";
    case ESRCH:
        return "has ended";
    case EPERM:
        return "does not let this one access its memory: it is not dumpable, or the Yama security module wants it to "
               "call PR_SET_PTRACER, or a seccomp filter forbids it";
    case ENOSYS:
        return "cannot be accessed: process_vm_readv is missing here, as in gVisor and below some seccomp filters";
    default:
        snprintf(text, PEER_ERROR_SIZE, "cannot be accessed: %s", strerror(error));
        return text;
    }
}

/*
 * Access
 */

static doca_error_t
fail_process(const struct peer_place *place, int error) {
    char text[PEER_ERROR_SIZE];
    return SDK_REFUSE(DOCA_ERROR_IO_FAILED, "The exporting process %d %s", (int)process_pid(place->process),
                      peer_describe_error(error, text));
}

static doca_error_t
fail_range(const struct peer_place *place, const void *addr, size_t len) {
    return SDK_REFUSE(DOCA_ERROR_IO_FAILED,
                      "The exporting process %d has no memory at %p for these %zu bytes any more, or this process has "
                      "none for its side of the copy",
                      (int)process_pid(place->process), addr, len);
}

/* Copies at least some bytes. The same call reads the beacon, so no other process can take its place in between. */
static doca_error_t
read_some(const struct peer_place *place, void *dst, const void *src, size_t len, size_t *copied) {
    uint8_t beacon[BEACON_SIZE];
    const struct iovec local[] = {{.iov_base = beacon, .iov_len = sizeof(beacon)}, {.iov_base = dst, .iov_len = len}};
    const struct iovec remote[] = {
            {.iov_base = (void *)(uintptr_t)place->beacon, .iov_len = sizeof(beacon)},
            {.iov_base = (void *)src, .iov_len = len},
    };
    const ssize_t total = process_vm_readv(process_pid(place->process), local, 2, remote, 2, 0);
    if (total < (ssize_t)sizeof(beacon)) {
        return fail_process(place, total < 0 ? errno : 0);
    }
    if (memcmp(beacon, place->nonce, sizeof(beacon)) != 0) {
        return fail_process(place, 0);
    }
    if (total == (ssize_t)sizeof(beacon)) {
        return fail_range(place, src, len);
    }
    *copied += (size_t)total - sizeof(beacon);
    return DOCA_SUCCESS;
}

/*
 * The descriptor refers to the memory of the process that had the pid when it was opened, and never to that of a process
 * that has reused the pid. So the beacon is read, and the bytes are written, in the same memory.
 */
static doca_error_t
open_memory(const struct peer_place *place, int *memory) {
    uint8_t beacon[BEACON_SIZE];
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/mem", (int)process_pid(place->process));
    *memory = open(path, O_RDWR | O_CLOEXEC);
    if (*memory < 0) {
        return fail_process(place, errno == ENOENT ? ESRCH : errno == EACCES ? EPERM : errno);
    }
    const ssize_t len = pread(*memory, beacon, sizeof(beacon), (off_t)place->beacon);
    if (len != (ssize_t)sizeof(beacon) || memcmp(beacon, place->nonce, sizeof(beacon)) != 0) {
        close(*memory);
        return fail_process(place, len == 0 ? ESRCH : 0);
    }
    return DOCA_SUCCESS;
}

/* Writes at least some bytes. Like a device, it also writes to memory that the process has made read-only. */
static doca_error_t
write_some(const struct peer_place *place, int memory, void *dst, const void *src, size_t len, size_t *copied) {
    const ssize_t total = pwrite(memory, src, len, (off_t)(uintptr_t)dst);
    if (total == 0) {
        return fail_process(place, ESRCH);
    }
    if (total < 0) {
        return errno == EIO || errno == EFAULT ? fail_range(place, dst, len) : fail_process(place, errno);
    }
    *copied += (size_t)total;
    return DOCA_SUCCESS;
}

doca_error_t
peer_read(const struct peer_place *place, void *dst, const void *src, size_t len) {
    doca_error_t result = DOCA_SUCCESS;
    for (size_t copied = 0; result == DOCA_SUCCESS && copied < len;) {
        result = read_some(place, (uint8_t *)dst + copied, (const uint8_t *)src + copied, len - copied, &copied);
    }
    return result;
}

doca_error_t
peer_write(const struct peer_place *place, void *dst, const void *src, size_t len) {
    int memory;
    doca_error_t result = len == 0 ? DOCA_SUCCESS : open_memory(place, &memory);
    if (len == 0 || result != DOCA_SUCCESS) {
        return result;
    }
    for (size_t copied = 0; result == DOCA_SUCCESS && copied < len;) {
        result = write_some(place, memory, (uint8_t *)dst + copied, (const uint8_t *)src + copied, len - copied, &copied);
    }
    close(memory);
    return result;
}
