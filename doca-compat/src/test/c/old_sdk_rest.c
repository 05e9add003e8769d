/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of an old SDK that no test checks. Each succeeds or returns NULL, and does nothing. */
#include "old_sdk.h"

/* They have other names in C, because later releases have declared some of them differently. */
#define REST(result, name, parameters) \
    __attribute__((weak)) result rest_of_##name parameters __asm__(#name); \
    result rest_of_##name parameters { \
        return (result)0; \
    }

OLD_COMMON_FUNCTIONS(REST)
OLD_BUFPOOL_FUNCTIONS(REST)
OLD_LOG_FUNCTIONS(REST)
OLD_SYNC_EVENT_FUNCTIONS(REST)
OLD_RDMA_BRIDGE_FUNCTIONS(REST)
OLD_DMA_FUNCTIONS(REST)
OLD_RDMA_FUNCTIONS(REST)
