/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_buf.h>
#include <doca_ctx.h>

#include "common/not_supported.h"

/* doca_buf.h */
NOT_SUPPORTED(doca_buf_refcount_add);

/* doca_ctx.h */
NOT_SUPPORTED(doca_ctx_set_datapath_on_gpu);
NOT_SUPPORTED(doca_workq_set_event_handle);
