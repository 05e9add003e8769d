/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_EXPORTER_PROCESS_H_
#define BENCH_EXPORTER_PROCESS_H_

#include <sys/types.h>

#include "export_file.h"

/*
 * A process that exports memory: doca_bench_exporter, started beside this program; or none, where the environment
 * variable DOCA_BENCH_EXPORT names the FILE of one that runs already, on the host of a real DPU, for instance.
 */
struct exporter_process {
    /* 0 without one. */
    pid_t pid;
    /* The end of its standard input ends it. */
    int input;
};

/* Gives an export of at least that many bytes, for access "ro" or "rw". */
struct exporter_process exporter_process_start(size_t len, const char *access, struct export *export);

void exporter_process_end(struct exporter_process *process);

#endif /* BENCH_EXPORTER_PROCESS_H_ */
