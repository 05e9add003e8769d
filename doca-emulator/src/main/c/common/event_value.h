/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The 64-bit value of a sync event, shared by processes of one user. It is stored in an anonymous file that all of them
 * map, where updates are atomic instructions, or in memory of the program. All processes access memory of the program by
 * system calls, because it may be freed; a lock in the file makes these updates atomic.
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
 * Creates a value of this process: 0 or, with an address, the value in memory. Two calls with one address return the
 * same value. Returns NO_MEMORY or DRIVER, and logs it, if the operating system refuses.
 */
doca_error_t event_value_create(uint64_t *addr, struct event_value **value);

/* Fills in the information by which other processes find the value. */
void event_value_describe(const struct event_value *value, enum event_value_kind kind,
                          const struct topology_function *function, struct event_value_descriptor *descriptor);

/*
 * Finds the value of a descriptor, which may be of this process. Returns INVALID_VALUE if its event has been stopped or
 * its process has ended, NOT_PERMITTED if it belongs to another user, DRIVER if the operating system refuses the access,
 * NO_MEMORY without memory. Logs the details.
 */
doca_error_t event_value_open(const struct event_value_descriptor *descriptor, struct event_value **value);

/*
 * Releases a value of event_value_create() or event_value_open(). When the owner releases it, the value ends for
 * importers, who can still read the last value, and no process accesses the program's memory any more. If one accesses it
 * for seconds, because it is suspended, returns IN_USE, with a record in the log, and the value stays as it is. Values of
 * event_value_open() are always released.
 */
doca_error_t event_value_close(struct event_value *value);

/* The same without waiting. Returns whether the value was released. */
bool event_value_try_close(struct event_value *value);

/* Returns whether it was found by a descriptor. */
bool event_value_is_imported(const struct event_value *value) EMULATOR_SHARED(event_value_is_imported);

/* Returns the process that owns it. */
process_id event_value_owner(const struct event_value *value) EMULATOR_SHARED(event_value_owner);

/*
 * Returns SUCCESS while the value has not ended; afterwards IO_FAILED, with a record in the log. The end of a process is
 * noticed within a millisecond.
 */
doca_error_t event_value_check(struct event_value *value) EMULATOR_SHARED(event_value_check);

/*
 * Stores the value or, if it has ended, the last one. Returns IO_FAILED, with a record in the log, if the value is
 * unknown because its memory was freed or its process was killed; the result is then unchanged.
 */
doca_error_t event_value_load(struct event_value *value, uint64_t *result) EMULATOR_SHARED(event_value_load);

/*
 * Atomic with respect to all users of these functions. Return IO_FAILED if the value has ended or its memory was freed.
 */
doca_error_t event_value_store(struct event_value *value, uint64_t stored) EMULATOR_SHARED(event_value_store);
doca_error_t event_value_add(struct event_value *value, uint64_t added, uint64_t *fetched)
        EMULATOR_SHARED(event_value_add);

#endif /* DOCA_EMULATOR_EVENT_VALUE_H_ */
