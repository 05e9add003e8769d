/* SPDX-License-Identifier: Apache-2.0 */
/* A device and memory, for tests of older releases. */
#ifndef DOCA_EMULATOR_WORKQ_DEVICE_H_
#define DOCA_EMULATOR_WORKQ_DEVICE_H_

#include <poll.h>
#include <stdbool.h>

#include <doca_dev.h>

#include "../check.h"
#include "../descriptors.h"

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

#endif /* DOCA_EMULATOR_WORKQ_DEVICE_H_ */
