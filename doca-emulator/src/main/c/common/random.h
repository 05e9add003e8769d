/* SPDX-License-Identifier: Apache-2.0 */
/* Pseudorandom numbers, the same in each run. */
#ifndef DOCA_EMULATOR_RANDOM_H_
#define DOCA_EMULATOR_RANDOM_H_

#include <stdint.h>

/* Returns a number below the limit, from the upper bits of a linear congruential generator. */
static inline uint32_t
random_below(uint64_t *state, uint32_t limit) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 32) % limit);
}

#endif /* DOCA_EMULATOR_RANDOM_H_ */
