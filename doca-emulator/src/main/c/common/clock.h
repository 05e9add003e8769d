/* SPDX-License-Identifier: Apache-2.0 */
/* The monotonic clock of the emulator. */
#ifndef DOCA_EMULATOR_CLOCK_H_
#define DOCA_EMULATOR_CLOCK_H_

#include <stdint.h>
#include <time.h>

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)

/* Nanoseconds since an arbitrary time in the past. */
static inline uint64_t
clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

#endif /* DOCA_EMULATOR_CLOCK_H_ */
