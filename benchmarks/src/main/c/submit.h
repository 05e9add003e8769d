/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_SUBMIT_H
#define BENCH_SUBMIT_H

#include <doca_error.h>
#include <doca_pe.h>
#include <stdint.h>

/* doca_task_submit_ex(), or doca_task_submit() for releases without it, which flush each task. Set at the start. */
extern doca_error_t (*submit_with_flags)(struct doca_task *task, uint32_t flags);

#endif
