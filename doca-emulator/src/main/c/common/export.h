/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of this process that others may access. They copy from and to it without help of this process, like a device.
 */
#ifndef DOCA_EMULATOR_EXPORT_H_
#define DOCA_EMULATOR_EXPORT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "process.h"
#include "share.h"
#include "topology.h"

struct export;

/*
 * Lets processes of the same user access the range until export_destroy(). Returns NO_MEMORY or DRIVER, with a record
 * in the log, if the operating system refuses.
 */
doca_error_t export_create(enum share_kind kind, const void *addr, size_t len, uint32_t permissions,
                           const struct topology_function *function, struct export **export);

/* Returns the information for importers, valid until export_destroy(). */
const struct share_descriptor *export_descriptor(const struct export *export);

/* Returns whether this is a forked copy: the export belongs to the parent. */
bool export_is_inherited(const struct export *export);

/* Ends the access: none begins any more, and those in progress continue. Does not change the export of a parent. */
void export_end(struct export *export);

/* Returns whether export_end() was called for it in this process. */
bool export_has_ended(const struct export *export);

/*
 * Waits for the accesses in progress of an ended export. Returns 0 once there are none, or a process that still accesses
 * the memory at the deadline, in terms of clock_now(). Returns 0 at once in a forked child, which does not own the memory.
 */
process_id export_drain(struct export *export, uint64_t deadline);

/* Frees an export for which export_drain() has returned 0; in a forked child, only the child's copy. */
void export_destroy(struct export *export);

#endif /* DOCA_EMULATOR_EXPORT_H_ */
