/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_EXPORTER_PROCESS_H_
#define BENCH_EXPORTER_PROCESS_H_

#include "child.h"
#include "export_file.h"

/*
 * Returns an export of at least len bytes, for access "ro" or "rw". Starts doca_bench_exporter for it. If the environment
 * variable DOCA_BENCH_EXPORT names the FILE of a running exporter, for instance on the host of a real DPU, returns its
 * export and starts no process.
 */
struct child exporter_process_start(size_t len, const char *access, struct export *export);

#endif /* BENCH_EXPORTER_PROCESS_H_ */
