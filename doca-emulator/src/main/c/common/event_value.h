/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The 64-bit value of a sync event, which processes of one user share. It lies in an anonymous file that all of them
 * map, where updates are atomic instructions; or in memory that the program has given, which all of them reach by the
 * operating system, as it may be freed: there a lock in the file makes updates atomic.
 *
 * All functions here may be called from any thread.
 */
#ifndef DOCA_EMULATOR_EVENT_VALUE_H_
#define DOCA_EMULATOR_EVENT_VALUE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "event_value_descriptor.h"
#include "process.h"
#include "shared.h"
#include "topology.h"

struct event_value;

/*
 * A value of this process: 0, or with an address what is there. Two values with one address are one. NO_MEMORY or
 * DRIVER, with a record in the log, when the operating system does not let it.
 */
doca_error_t event_value_create(uint64_t *addr, struct event_value **value);

/* Says how others find the value. */
void event_value_describe(const struct event_value *value, enum event_value_kind kind,
                          const struct topology_function *function, struct event_value_descriptor *descriptor);

/*
 * Finds the value of a descriptor that was read, perhaps in this process. INVALID_VALUE when its event has been stopped
 * or its process has ended, NOT_PERMITTED when it is of another user, DRIVER when the operating system does not let it
 * be accessed, NO_MEMORY when there is none. The log says more.
 */
doca_error_t event_value_open(const struct event_value_descriptor *descriptor, struct event_value **value);

/*
 * Gives back what one of the two functions gave. For importers a value ends when its owner does this; what it was last
 * is kept for them. When this returns nobody accesses memory that the program has given.
 */
void event_value_close(struct event_value *value);

/* Returns whether it was found by a descriptor. */
bool event_value_is_imported(const struct event_value *value) EMULATOR_SHARED(event_value_is_imported);

/* The process that it is of. */
process_id event_value_owner(const struct event_value *value) EMULATOR_SHARED(event_value_owner);

/*
 * SUCCESS as long as the value has not ended, and IO_FAILED, with a record in the log, when it has. The end of a
 * process is noticed within a millisecond.
 */
doca_error_t event_value_check(struct event_value *value) EMULATOR_SHARED(event_value_check);

/*
 * What the value is or, when it has ended, was last. IO_FAILED, with a record in the log, when that is not known, as
 * its memory has been freed or is that of a process that was killed; the result stays as it is then.
 */
doca_error_t event_value_load(struct event_value *value, uint64_t *result) EMULATOR_SHARED(event_value_load);

/* Atomic for all who use these functions. IO_FAILED when the value has ended, or its memory has been freed. */
doca_error_t event_value_store(struct event_value *value, uint64_t stored) EMULATOR_SHARED(event_value_store);
doca_error_t event_value_add(struct event_value *value, uint64_t added, uint64_t *fetched)
        EMULATOR_SHARED(event_value_add);

#endif /* DOCA_EMULATOR_EVENT_VALUE_H_ */
