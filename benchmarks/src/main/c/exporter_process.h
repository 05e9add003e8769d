/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_EXPORTER_PROCESS_H_
#define BENCH_EXPORTER_PROCESS_H_

#include "child.h"
#include "export_file.h"

/*
 * Gives an export of at least that many bytes, for access "ro" or "rw": of doca_bench_exporter, started beside this
 * program; or, without a process, of the one that runs already, on the host of a real DPU, for instance, and has written
 * the FILE that the environment variable DOCA_BENCH_EXPORT names.
 */
struct child exporter_process_start(size_t len, const char *access, struct export *export);

#endif /* BENCH_EXPORTER_PROCESS_H_ */
