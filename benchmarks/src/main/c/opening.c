/* SPDX-License-Identifier: Apache-2.0 */
/* device_open: an operation finds the device, opens it and closes it. Size and depth are not used. */
#include "bench_case.h"
#include "check.h"
#include "device.h"

static void *
open_nothing(size_t size, uint32_t depth) {
    (void)size;
    (void)depth;
    return NULL;
}

static uint64_t
run(void *state, uint64_t rounds) {
    (void)state;
    for (uint64_t round = 0; round < rounds; round++) {
        CHECK(doca_dev_close(device_open_chosen()));
    }
    return rounds;
}

static void
close_nothing(void *state) {
    (void)state;
}

const struct bench_case case_device_open = {
    .name = "device_open", .open = open_nothing, .run = run, .close = close_nothing};
