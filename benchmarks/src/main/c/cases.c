/* SPDX-License-Identifier: Apache-2.0 */
#include "bench_case.h"

const struct bench_case *const bench_cases[] = {
    &case_dma,        &case_dma_single, &case_drain,     &case_pull,   &case_push,        &case_buf,
    &case_buf_reuse,  &case_task,       &case_export,    &case_import, &case_device_open, &case_rdma_write,
    &case_rdma_read,  &case_rdma_send,  NULL,
};
