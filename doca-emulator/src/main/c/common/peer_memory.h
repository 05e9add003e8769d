/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of another process, or of this one as others see it. A process shows by a beacon that it is the one that
 * is meant: a page with random bytes, which neither a child nor another program in its place has.
 */
#ifndef DOCA_EMULATOR_PEER_MEMORY_H_
#define DOCA_EMULATOR_PEER_MEMORY_H_

#include <stdint.h>

#include "process.h"

#define BEACON_SIZE 16

/* There is no padding. */
struct peer_place {
    process_id process;
    /* Where the bytes are over there. */
    uint64_t beacon;
    uint8_t nonce[BEACON_SIZE];
};

#endif /* DOCA_EMULATOR_PEER_MEMORY_H_ */
