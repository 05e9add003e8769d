/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_ctx.h>

#include "common/not_supported.h"

/* doca_ctx.h */
NOT_SUPPORTED(doca_ctx_set_datapath_on_gpu);
NOT_SUPPORTED(doca_workq_set_event_handle);
