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

/*
 * Ends the access. Waits for accesses in progress, with a time limit; no importer reads or writes once this returns. In
 * a forked child it frees only the child's copy and does not change the parent's export.
 */
void export_destroy(struct export *export);

#endif /* DOCA_EMULATOR_EXPORT_H_ */
