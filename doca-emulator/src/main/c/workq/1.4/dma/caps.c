/* SPDX-License-Identifier: Apache-2.0 */
#include <core_dma.h>
#include <doca_dma.h>

#include "common/sdk_log.h"

doca_error_t
doca_dma_devinfo_caps_get(struct doca_devinfo *devinfo, uint32_t *caps) {
    if (caps == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: caps is NULL");
    }
    const doca_error_t result = core_dma_cap_task_memcpy_is_supported(devinfo);
    if (result != DOCA_SUCCESS && result != DOCA_ERROR_NOT_SUPPORTED) {
        return result;
    }
    *caps = result == DOCA_SUCCESS ? DOCA_DMA_CAP_HW_OFFLOAD : DOCA_DMA_CAP_NONE;
    return DOCA_SUCCESS;
}
