/* SPDX-License-Identifier: Apache-2.0 */
/* A device, memory, and descriptors, for tests of older releases. */
#ifndef DOCA_EMULATOR_WORKQ_DEVICE_H_
#define DOCA_EMULATOR_WORKQ_DEVICE_H_

#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <unistd.h>

#include <doca_dev.h>

#include "../check.h"

#define MEMORY_SIZE ((size_t)64 * 1024)

static _Alignas(64) uint8_t memory[MEMORY_SIZE] __attribute__((unused));
static struct doca_dev *dev;

static inline struct doca_dev *
open_device(uint32_t index) {
    struct doca_devinfo **list;
    uint32_t num_devices;
    struct doca_dev *opened;
    REQUIRE_SUCCESS(doca_devinfo_list_create(&list, &num_devices));
    REQUIRE_SUCCESS(doca_dev_open(list[index], &opened));
    REQUIRE_SUCCESS(doca_devinfo_list_destroy(list));
    return opened;
}

static inline bool
is_readable(int fd, int timeout_ms) {
    struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
    return poll(&poll_fd, 1, timeout_ms) == 1;
}

/* Returns the descriptor that the process would open next. */
static inline int
next_descriptor(void) {
    const int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
    CHECK(close(next) == 0);
    return next;
}

/* Limits the further descriptors that the process can open. Returns the previous limit. */
static inline struct rlimit
limit_descriptors(int num_left) {
    struct rlimit before = {0};
    CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
    const struct rlimit limit = {.rlim_cur = (rlim_t)(next_descriptor() + num_left), .rlim_max = before.rlim_max};
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    return before;
}

static inline void
restore_descriptors(const struct rlimit *before) {
    CHECK(setrlimit(RLIMIT_NOFILE, before) == 0);
}

#endif /* DOCA_EMULATOR_WORKQ_DEVICE_H_ */
