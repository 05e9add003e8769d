/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_rdma.h>

#include "common/not_supported.h"

/* doca_rdma.h */
NOT_SUPPORTED(doca_rdma_bridge_accept);
NOT_SUPPORTED(doca_rdma_bridge_established);
NOT_SUPPORTED(doca_rdma_bridge_prepare_connection);
NOT_SUPPORTED(doca_rdma_dpa_completion_attach);
NOT_SUPPORTED(doca_rdma_get_dpa_handle);
NOT_SUPPORTED(doca_rdma_get_gpu_handle);
