/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bridge between DOCA objects and the verbs API.
 */
#ifndef DOCA_RDMA_BRIDGE_H_
#define DOCA_RDMA_BRIDGE_H_

#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

API_HEADER(common, 2.2)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_buf;
struct doca_dev;
struct ibv_pd;

__DOCA_EXPERIMENTAL API_LIKE(doca_rdma_bridge_get_buf_mkey) API_COMPAT()
doca_error_t doca_buf_get_mkey(const struct doca_buf *buf, struct doca_dev *dev, uint32_t *mkey);

__DOCA_EXPERIMENTAL API_LIKE(doca_rdma_bridge_get_dev_pd) API_COMPAT()
doca_error_t doca_dev_get_pd(const struct doca_dev *dev, struct ibv_pd **pd);

__DOCA_EXPERIMENTAL API_LIKE(doca_rdma_bridge_open_dev_from_pd)
doca_error_t doca_dev_open_from_pd(struct ibv_pd *pd, struct doca_dev **dev);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_RDMA_BRIDGE_H_ */
