/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The anonymous file of a value, which all processes that use the value map. Any of them may write arbitrary data to it.
 */
#ifndef DOCA_EMULATOR_EVENT_VALUE_BLOCK_H_
#define DOCA_EMULATOR_EVENT_VALUE_BLOCK_H_

#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>

#include "event_value_descriptor.h"
#include "peer_memory.h"
#include "shared_lock.h"

#define EVENT_BLOCK_MAGIC "DOCAEMUW"
#define EVENT_BLOCK_MAGIC_SIZE 8
#define EVENT_BLOCK_VERSION 3
#define EVENT_BLOCK_NUM_KINDS 2

/* Constant once the first descriptor has been returned. */
struct event_block_header {
    char magic[EVENT_BLOCK_MAGIC_SIZE];
    uint32_t version;
    uint32_t size;
    /* The location of the owner. */
    struct peer_place place;
    /* By kind. */
    uint8_t secrets[EVENT_BLOCK_NUM_KINDS][EVENT_VALUE_SECRET_SIZE];
    /* The address of the value in the memory of the owner, or 0 if it is in the block. */
    uint64_t addr;
};

struct event_block {
    struct event_block_header header;
    /* Nonzero until the owner ends the value. */
    alignas(64) _Atomic uint32_t is_live;
    /*
     * Nonzero if `value` holds the event's value: always without an address; with an address only if the value has
     * ended and was readable then.
     */
    _Atomic uint32_t has_value;
    alignas(64) _Atomic uint64_t value;
    /*
     * For a value at an address: the lock of all updates, and a count that is odd during an update, so that readers
     * without the lock can detect a torn read.
     */
    alignas(64) struct shared_lock lock;
    _Atomic uint64_t num_changes;
};

#endif /* DOCA_EMULATOR_EVENT_VALUE_BLOCK_H_ */
