/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bridge to verbs, which the emulator does not have: memory keys exist, but give no access to memory, and there
 * are no protection domains.
 */
#include <doca_rdma_bridge.h>

#include "buf.h"
#include "device.h"
#include "mmap_object.h"
#include "sdk_log.h"

#define NO_VERBS "the emulator has no verbs, and so no protection domains"

/* The key of the map, the same for all its buffers. */
static doca_error_t
get_mkey(const struct doca_mmap *mmap, const struct doca_dev *dev, uint32_t *mkey) {
    if (mkey == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Invalid input: mkey is NULL", mmap);
    }
    if (!mmap_is_started(mmap)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Mmap %p: Failed to get an mkey: is not started", mmap);
    }
    const struct mmap_device *device = mmap_find_device(mmap, dev);
    if (device == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Mmap %p: Failed to get an mkey: device %p was not added to it",
                          mmap, dev);
    }
    *mkey = device->mkey;
    return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_bridge_get_buf_mkey(const struct doca_buf *buf, struct doca_dev *dev, uint32_t *mkey) {
    return buf_is_live(buf) && device_is_open(dev) ? get_mkey(buf->mmap, dev, mkey) : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t
doca_mmap_get_mkey(const struct doca_mmap *mmap, const struct doca_dev *dev, uint32_t *mkey) {
    return IS_LIVE(mmap_class, mmap) && device_is_open(dev) ? get_mkey(mmap, dev, mkey) : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t
doca_rdma_bridge_get_dev_pd(const struct doca_dev *dev, struct ibv_pd **pd) {
    (void)pd;
    return device_is_open(dev)
                   ? SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Device %p: Failed to get a PD: " NO_VERBS, dev)
                   : DOCA_ERROR_INVALID_VALUE;
}

doca_error_t
doca_rdma_bridge_open_dev_from_pd(struct ibv_pd *pd, struct doca_dev **dev) {
    (void)pd;
    (void)dev;
    return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Failed to open a device by a PD: " NO_VERBS);
}

doca_error_t
doca_rdma_bridge_get_mmap_mkey_from_pd(const struct doca_mmap *mmap, struct ibv_pd *pd, uint32_t *mkey) {
    (void)pd;
    (void)mkey;
    return IS_LIVE(mmap_class, mmap)
                   ? SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Mmap %p: Failed to get an mkey by a PD: " NO_VERBS, mmap)
                   : DOCA_ERROR_INVALID_VALUE;
}
