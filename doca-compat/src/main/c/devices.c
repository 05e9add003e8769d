/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of devices, representors, the bridge to verbs and the version that are more than renamed functions of the old SDK. */
#include <doca_dev.h>
#include <doca_rdma_bridge.h>
#include <doca_version.h>

#include "old_sdk.h"
#include "refuse.h"

const char *
doca_version_runtime(void) {
    return old.has_version ? old.doca_version_runtime() : "unknown";
}

doca_error_t
doca_dev_close(struct doca_dev *dev) {
    return dev == NULL ? DOCA_SUCCESS : old.doca_dev_close(dev);
}

doca_error_t
doca_dev_rep_close(struct doca_dev_rep *dev) {
    return dev == NULL ? DOCA_SUCCESS : old.doca_dev_rep_close(dev);
}

static doca_error_t
check_bridge(void) {
    return old.has_bridge ? DOCA_SUCCESS
                          : REFUSE(DOCA_ERROR_NOT_SUPPORTED, "The installed release has no bridge to verbs");
}

doca_error_t
doca_rdma_bridge_get_dev_pd(const struct doca_dev *dev, struct ibv_pd **pd) {
    const doca_error_t result = check_bridge();
    return result == DOCA_SUCCESS ? old.doca_dev_get_pd(dev, pd) : result;
}

doca_error_t
doca_rdma_bridge_get_buf_mkey(const struct doca_buf *buf, struct doca_dev *dev, uint32_t *mkey) {
    const doca_error_t result = check_bridge();
    return result == DOCA_SUCCESS ? old.doca_buf_get_mkey(buf, dev, mkey) : result;
}
