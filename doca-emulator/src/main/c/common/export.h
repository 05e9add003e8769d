/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of this process that others may access: they copy from it and to it by themselves, as a device would, while
 * this process does nothing.
 */
#ifndef DOCA_EMULATOR_EXPORT_H_
#define DOCA_EMULATOR_EXPORT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "share.h"
#include "topology.h"

struct export;

/*
 * Lets processes of the same user access the range, from now until export_destroy(). NO_MEMORY or DRIVER, with a
 * record in the log, when the operating system does not let it.
 */
doca_error_t export_create(enum share_kind kind, const void *addr, size_t len, uint32_t permissions,
                           const struct topology_function *function, struct export **export);

/* What an importer needs to know; valid as long as the export. */
const struct share_descriptor *export_descriptor(const struct export *export);

/* Returns whether this is a copy that a fork has left: the export is the parent's. */
bool export_is_inherited(const struct export *export);

/*
 * Ends the access. When this returns no importer is reading or writing any more; it waits for those that are at it,
 * but not for ever. In a forked child only the child's copy goes, and nothing ends for the parent.
 */
void export_destroy(struct export *export);

#endif /* DOCA_EMULATOR_EXPORT_H_ */
