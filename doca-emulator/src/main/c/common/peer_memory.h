/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of another process, or of this one as others see it. A process identifies itself by a beacon: a page with
 * random bytes, which neither a child nor another program with the same pid has.
 */
#ifndef DOCA_EMULATOR_PEER_MEMORY_H_
#define DOCA_EMULATOR_PEER_MEMORY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "process.h"
#include "shared.h"
#include "shared_block.h"

#define BEACON_SIZE 16

/* There is no padding. */
struct peer_place {
    process_id process;
    /* The address of the bytes in the other process. */
    uint64_t beacon;
    uint8_t nonce[BEACON_SIZE];
};

/*
 * Creates a beacon in this process, and lets others access its memory. Returns NO_MEMORY or DRIVER, with a record in the
 * log, if the operating system refuses.
 */
doca_error_t beacon_create(const struct shared_block_use *use, struct peer_place *place)
        EMULATOR_SHARED(beacon_create);

/* Destroys the beacon of this process, or of the parent from which it was forked. */
void beacon_destroy(const struct peer_place *place) EMULATOR_SHARED(beacon_destroy);

/*
 * Returns whether the process exists and can be accessed. Otherwise stores the errno; 0 means that another program has
 * its pid.
 */
bool peer_is_there(const struct peer_place *place, int *error) EMULATOR_SHARED(peer_is_there);

/* Returns whether no thread of it runs any more: the process has certainly ended, or runs another program by now. */
bool peer_has_ended(const struct peer_place *place) EMULATOR_SHARED(peer_has_ended);

/* Returns whether this error of peer_is_there() means that the process has ended, and not only that access failed. */
bool peer_is_gone(int error) EMULATOR_SHARED(peer_is_gone);

/* Room for the longest text of peer_describe_error() that is not a constant. */
enum { PEER_ERROR_SIZE = 128 };

/* The error as the rest of a sentence about the process, with its verb: a constant, or written to the text. */
const char *peer_describe_error(int error, char text[PEER_ERROR_SIZE]) EMULATOR_SHARED(peer_describe_error);

/*
 * Copy from and to its memory, from any thread. Return IO_FAILED, with a record in the log, if the process or the memory
 * no longer exists; some of the bytes may have been copied then.
 */
doca_error_t peer_read(const struct peer_place *place, void *dst, const void *src, size_t len)
        EMULATOR_SHARED(peer_read);
doca_error_t peer_write(const struct peer_place *place, void *dst, const void *src, size_t len)
        EMULATOR_SHARED(peer_write);

#endif /* DOCA_EMULATOR_PEER_MEMORY_H_ */
