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
 * The descriptor as an importer may use it, when it is whole and makes sense: INVALID_VALUE otherwise. Who wrote it is
 * not known: nothing is taken for granted.
 */
doca_error_t import_read_descriptor(const void *bytes, size_t size, struct share_descriptor *descriptor);

/*
 * Finds the exporter of a descriptor that was read. INVALID_VALUE when the export has ended, NOT_PERMITTED when it is
 * of another user or, for PCI, not behind this DPU, DRIVER when the other process does not let its
 * memory be accessed, NO_MEMORY when there is none or too many others import it. The log says more.
 */
doca_error_t import_create(const struct share_descriptor *descriptor, struct import **import);

const struct share_terms *import_terms(const struct import *import);

/* The process whose memory it is. */
process_id import_exporter(const struct import *import);

/*
 * Copy from and to the memory of the exporter. From any thread. The range was checked to be in the exported one.
 * IO_FAILED when the exporter or its memory is gone; some of the bytes may have been copied then.
 */
doca_error_t import_read(struct import *import, void *dst, const void *src, size_t len);
doca_error_t import_write(struct import *import, void *dst, const void *src, size_t len);

/*
 * Returns whether two addresses, each in the memory of an import or, with NULL, of this process, can be of the same
 * memory.
 */
bool import_is_same_process(const struct import *a, const struct import *b);

void import_destroy(struct import *import);

#endif /* DOCA_EMULATOR_IMPORT_H_ */
