/* SPDX-License-Identifier: Apache-2.0 */
/* Open devices, for the rest of the emulator. The topology defines the functions. */
#ifndef DOCA_EMULATOR_DEVICE_H_
#define DOCA_EMULATOR_DEVICE_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_dev.h>
#include <doca_types.h>

#include "shared.h"

/* Capabilities of the DMA engine of a device. */
struct dma_capabilities {
    bool memcpy_supported;
    uint64_t max_buf_size;
    uint32_t max_buf_list_len;
    uint32_t max_num_tasks;
};

#define MAX_NUM_DEVICE_GIDS 8

/* The first entries of a device's GID table, in the device's order; the other entries are empty. */
struct device_gids {
    uint32_t num_gids;
    uint8_t raw[MAX_NUM_DEVICE_GIDS][DOCA_GID_BYTE_LENGTH];
};

/* Capabilities of the RDMA transport of a device. */
struct rdma_capabilities {
    bool supported;
    uint32_t max_message_size;
    uint32_t max_send_queue_size;
    uint32_t max_recv_queue_size;
    uint32_t max_send_buf_list_len;
    uint32_t max_recv_buf_list_len;
    /* Packets have a global route header, which is optional on InfiniBand only. */
    bool needs_grh;
    /* The MTU of the port, the upper limit for connections. */
    enum doca_mtu_size active_mtu;
};

/* The protocol of the packets of an entry of a GID table. Only contexts whose entries have one protocol can communicate. */
enum gid_type {
    GID_TYPE_EMPTY,
    GID_TYPE_INFINIBAND,
    GID_TYPE_ROCE_V1,
    GID_TYPE_ROCE_V2,
};

/* Returns the protocol of an entry of the open device's GID table. */
enum gid_type device_gid_type(const struct doca_dev *dev, uint32_t index) EMULATOR_SHARED(device_gid_type);

/* Returns NULL and logs if the handle is not a live device info. */
const struct rdma_capabilities *devinfo_rdma_capabilities(const struct doca_devinfo *devinfo)
        EMULATOR_SHARED(devinfo_rdma_capabilities);
const struct device_gids *devinfo_gids(const struct doca_devinfo *devinfo) EMULATOR_SHARED(devinfo_gids);
const struct dma_capabilities *devinfo_dma_capabilities(const struct doca_devinfo *devinfo)
        EMULATOR_SHARED(devinfo_dma_capabilities);

/* Returns whether the handle is an open device; if not, logs that. */
bool device_is_open(const struct doca_dev *dev) EMULATOR_SHARED(device_is_open);

/* May be called from any thread. */
bool device_is_any_open(void);

/* The identifier of the open device's function, which its representor shares. */
const char *device_vuid(const struct doca_dev *dev) EMULATOR_SHARED(device_vuid);

/* Objects that use an open device hold it, so that doca_dev_close() can return IN_USE. */
void device_hold(struct doca_dev *dev) EMULATOR_SHARED(device_hold);
void device_release(struct doca_dev *dev) EMULATOR_SHARED(device_release);

#endif /* DOCA_EMULATOR_DEVICE_H_ */
