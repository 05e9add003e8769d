/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of another process of the same user, which that process has exported.
 */
#ifndef DOCA_EMULATOR_IMPORT_H_
#define DOCA_EMULATOR_IMPORT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "process.h"
#include "share.h"
#include "topology.h"

struct import;

/*
 * Reads a descriptor that is complete and consistent. Otherwise returns INVALID_VALUE. The source of the bytes is
 * untrusted, so everything is checked.
 */
doca_error_t import_read_descriptor(const void *bytes, size_t size, struct share_descriptor *descriptor);

/*
 * Finds the exporter of a descriptor. Returns INVALID_VALUE if the export has ended, NOT_PERMITTED if it belongs to
 * another user or, for PCI, not to a function behind this DPU, DRIVER if the operating system refuses the access,
 * NO_MEMORY without memory or with too many importers. Logs the details.
 */
doca_error_t import_create(const struct share_descriptor *descriptor, struct import **import);

const struct share_terms *import_terms(const struct import *import);

/* Returns the process that owns the memory. */
process_id import_exporter(const struct import *import);

/* Returns the device of the DPU that has the representor of the exporting function; NULL if there is none. */
const struct topology_function *import_port(const struct import *import);

/*
 * Copy from and to the memory of the exporter, from any thread. The caller has checked the range. Return IO_FAILED if
 * the exporter or its memory no longer exists; some of the bytes may have been copied then.
 */
doca_error_t import_read(struct import *import, void *dst, const void *src, size_t len);
doca_error_t import_write(struct import *import, void *dst, const void *src, size_t len);

/*
 * Returns whether two addresses, each in the memory of an import or, with NULL, of this process, can refer to the
 * same memory.
 */
bool import_is_same_process(const struct import *a, const struct import *b);

void import_destroy(struct import *import);

#endif /* DOCA_EMULATOR_IMPORT_H_ */
