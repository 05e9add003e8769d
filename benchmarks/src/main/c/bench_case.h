/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_CASE_H_
#define BENCH_CASE_H_

#include <stddef.h>
#include <stdint.h>

/* A loop that can be measured. */
struct bench_case {
    const char *name;
    /* Prepares everything that is not measured. */
    void *(*open)(size_t size, uint32_t depth);
    /* Returns the number of operations, which grows with the rounds. */
    uint64_t (*run)(void *state, uint64_t rounds);
    /* Completes the operations that a run left in flight, and returns their number. NULL if runs leave none. */
    uint64_t (*settle)(void *state);
    void (*close)(void *state);
};

/* The cases of the program, with NULL at the end: in cases.c, and in workq.c for release 2.2. */
extern const struct bench_case *const bench_cases[];

/* dma.c */
extern const struct bench_case case_dma;
extern const struct bench_case case_dma_single;
extern const struct bench_case case_drain;
/* remote.c */
extern const struct bench_case case_pull;
extern const struct bench_case case_push;
/* buffers.c */
extern const struct bench_case case_buf;
extern const struct bench_case case_buf_reuse;
/* tasks.c */
extern const struct bench_case case_task;
/* exports.c */
extern const struct bench_case case_export;
extern const struct bench_case case_import;
/* opening.c */
extern const struct bench_case case_device_open;
/* rdma.c */
extern const struct bench_case case_rdma_write;
extern const struct bench_case case_rdma_read;
extern const struct bench_case case_rdma_send;

#endif /* BENCH_CASE_H_ */
