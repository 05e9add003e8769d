/* SPDX-License-Identifier: Apache-2.0 */
/* DMA contexts of one task whose completion is ignored, for tests of something else. */
#ifndef DOCA_EMULATOR_QUIET_DMA_H_
#define DOCA_EMULATOR_QUIET_DMA_H_

#include <doca_dma.h>

#include "rdma_fixture.h"

static inline void
ignore_copy(struct doca_dma_task_memcpy *task, union doca_data task_user_data, union doca_data ctx_user_data) {
    (void)task;
    (void)task_user_data;
    (void)ctx_user_data;
}

/* Creates a context that is connected to the engine of the fixture. */
static inline struct doca_dma *
create_dma(void) {
    struct doca_dma *dma;
    REQUIRE_SUCCESS(doca_dma_create(dev, &dma));
    REQUIRE_SUCCESS(doca_dma_task_memcpy_set_conf(dma, ignore_copy, ignore_copy, 1));
    REQUIRE_SUCCESS(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    return dma;
}

#endif /* DOCA_EMULATOR_QUIET_DMA_H_ */
