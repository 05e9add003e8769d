/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of memory that may become inaccessible: the program may unmap or protect registered memory, or shorten a file
 * that it has mapped. A device would still hold the pages; here the copy fails instead of ending the process.
 */
#ifndef DOCA_EMULATOR_GUARDED_H_
#define DOCA_EMULATOR_GUARDED_H_

#include <stddef.h>

#include <doca_error.h>

/*
 * Installs the handlers of SIGSEGV and SIGBUS, once for the process. They end a guarded copy, and pass any other signal to
 * the handler that the program had before, such as that of a JVM. If the program replaces them later, its handlers are
 * called for copies, too.
 */
void guarded_prepare(void);

/*
 * Copies like memmove(), after guarded_prepare(). Returns IO_FAILED if a part of a range cannot be accessed; some of the bytes
 * may have been copied then. May be called from any thread.
 */
doca_error_t guarded_copy(void *dst, const void *src, size_t len);

#endif /* DOCA_EMULATOR_GUARDED_H_ */
