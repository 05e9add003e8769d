/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_dma.h>

#include "common/not_supported.h"

/* doca_dma.h */
NOT_SUPPORTED(doca_dma_get_gpu_handle);
