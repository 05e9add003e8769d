/* SPDX-License-Identifier: Apache-2.0 */
/* The headers of libdoca_common, as jextract reads them. */
#include <doca_buf.h>
#include <doca_buf_array.h>
#include <doca_buf_inventory.h>
#include <doca_buf_pool.h>
#include <doca_clock.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_graph.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_mmap_advise.h>
#include <doca_pe.h>
#include <doca_rdma_bridge.h>
#include <doca_sync_event.h>
#include <doca_types.h>
#include <doca_version.h>
