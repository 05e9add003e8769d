/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include "pinning.h"
#include "settings.h"

/* Since Linux 5.14, and in headers of that age. */
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

/*
 * Up to this size a check makes the pages resident, which takes less time than reading the list of all mappings. The pages of
 * larger ranges, which may be mostly virtual, do not become resident.
 */
#define MAX_POPULATED_SIZE ((size_t)4 << 20)

/* The pages that contain a range. The end may be 0, behind the last page of all. */
struct pages {
    uintptr_t start;
    uintptr_t end;
};

/* The kernel's, whatever a preloaded library makes of sysconf(). */
static size_t
page_size(void) {
    return (size_t)getauxval(AT_PAGESZ);
}

static struct pages
pages_of(const void *addr, size_t len) {
    const uintptr_t mask = ~(uintptr_t)(page_size() - 1);
    const uintptr_t start = (uintptr_t)addr;
    return (struct pages){.start = start & mask, .end = ((start + len - 1) & mask) + page_size()};
}

/* Returns true if all pages are accessible. False is no answer: the kernel may not know the request. */
static bool
populate(struct pages pages, bool writable) {
    const size_t size = pages.end - pages.start;
    int result;
    if (size > MAX_POPULATED_SIZE) {
        return false;
    }
    do {
        result = madvise((void *)pages.start, size, writable ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
    } while (result != 0 && (errno == EAGAIN || errno == EINTR));
    return result == 0;
}

/* Returns whether a page of a readable mapping has memory. Also returns true where a system call filter prevents an answer. */
static bool
has_memory(uintptr_t page) {
    char byte;
    const struct iovec local = {.iov_base = &byte, .iov_len = 1};
    const struct iovec remote = {.iov_base = (void *)page, .iov_len = 1};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1 || errno != EFAULT;
}

/* Finds the first page of a mapped file, between two pages, that is behind its end; there is memory up to that page. */
static uintptr_t
find_end_of_file(uintptr_t first, uintptr_t last) {
    while (first < last) {
        const uintptr_t middle = first + ((last - first) / 2 & ~(uintptr_t)(page_size() - 1));
        if (has_memory(middle)) {
            first = middle + page_size();
        } else {
            last = middle;
        }
    }
    return first;
}

/*
 * Checks the part of the pages in one line of the list of mappings. Returns the end of that part, or the start of the pages
 * with a reason.
 */
static uintptr_t
check_mapping(const char *line, struct pages pages, bool writable, char *reason, size_t reason_size) {
    uintptr_t start;
    uintptr_t end;
    char protection[5];
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &start, &end, protection) != 3 || end - 1 < pages.start) {
        return pages.start;
    }
    if (start > pages.start) {
        snprintf(reason, reason_size, "no memory is mapped at %p", (void *)pages.start);
        return pages.start;
    }
    if (protection[0] != 'r' || (writable && protection[1] != 'w')) {
        snprintf(reason, reason_size, "the memory at %p has the protection %.3s, and %s access needs %s",
                 (void *)pages.start, protection, writable ? "read and write" : "read", writable ? "rw-" : "r--");
        return pages.start;
    }
    const uintptr_t checked = end - 1 < pages.end - 1 ? end : pages.end;
    if (!has_memory(checked - page_size())) {
        snprintf(reason, reason_size,
                 "the memory at %p, with the protection %.3s, is behind the end of the mapped file or of a device",
                 (void *)find_end_of_file(pages.start, checked - page_size()), protection);
        return pages.start;
    }
    return checked;
}

static bool
check_mappings(struct pages pages, bool writable, char *reason, size_t reason_size) {
    char line[256];
    bool is_at_start = true;
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps == NULL) {
        return true;
    }
    reason[0] = '\0';
    while (pages.start != pages.end && reason[0] == '\0' && fgets(line, sizeof(line), maps) != NULL) {
        if (is_at_start) {
            pages.start = check_mapping(line, pages, writable, reason, reason_size);
        }
        /* The names of files may be long. */
        is_at_start = strchr(line, '\n') != NULL;
    }
    fclose(maps);
    if (pages.start != pages.end && reason[0] == '\0') {
        snprintf(reason, reason_size, "no memory is mapped at %p", (void *)pages.start);
    }
    return reason[0] == '\0';
}

bool
pinning_check(const void *addr, size_t len, bool writable, char *reason, size_t reason_size) {
    const struct pages pages = pages_of(addr, len);
    return populate(pages, writable) || check_mappings(pages, writable, reason, reason_size);
}

/*
 * Locked memory
 */

/* In bytes. Relaxed: it guards no other data. */
static uint64_t locked;

static uint64_t
size_of(const void *addr, size_t len) {
    const struct pages pages = pages_of(addr, len);
    return pages.end - pages.start;
}

bool
pinning_lock(const void *addr, size_t len, char *reason, size_t reason_size) {
    const uint64_t size = size_of(addr, len);
    struct rlimit limit = {.rlim_cur = RLIM_INFINITY};
    const uint64_t sum = __atomic_add_fetch(&locked, size, __ATOMIC_RELAXED);
    if (emulator_settings()->limits_locked_memory) {
        (void)getrlimit(RLIMIT_MEMLOCK, &limit);
    }
    if (limit.rlim_cur == RLIM_INFINITY || sum <= limit.rlim_cur) {
        return true;
    }
    pinning_unlock(addr, len);
    snprintf(reason, reason_size,
             "%" PRIu64 " bytes and the %" PRIu64 " that are registered exceed RLIMIT_MEMLOCK, which is %" PRIu64, size,
             sum - size, (uint64_t)limit.rlim_cur);
    return false;
}

void
pinning_unlock(const void *addr, size_t len) {
    __atomic_sub_fetch(&locked, size_of(addr, len), __ATOMIC_RELAXED);
}
