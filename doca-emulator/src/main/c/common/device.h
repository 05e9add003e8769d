/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Open devices as the rest of the emulator sees them. What the functions of a device are and where they sit comes
 * from the topology.
 */
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

/* The first entries of the GID table of a device, in its order; the others are empty. */
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
    /* Packets have a global route header, which they can do without on InfiniBand only. */
    bool needs_grh;
    /* Of the port, which bounds that of connections. */
    enum doca_mtu_size active_mtu;
};

/* NULL when the handle is no live device info; the log says so then. */
const struct rdma_capabilities *devinfo_rdma_capabilities(const struct doca_devinfo *devinfo)
        EMULATOR_SHARED(devinfo_rdma_capabilities);
const struct device_gids *devinfo_gids(const struct doca_devinfo *devinfo) EMULATOR_SHARED(devinfo_gids);
const struct dma_capabilities *devinfo_dma_capabilities(const struct doca_devinfo *devinfo)
        EMULATOR_SHARED(devinfo_dma_capabilities);

/* Returns whether the handle is an open device; if not, the log says so. */
bool device_is_open(const struct doca_dev *dev) EMULATOR_SHARED(device_is_open);

/* From any thread. */
bool device_is_any_open(void);

/* The identifier of the function that the open device is, which its representor has too. */
const char *device_vuid(const struct doca_dev *dev) EMULATOR_SHARED(device_vuid);

/*
 * Objects that work on an open device hold it, so that doca_dev_close() can answer IN_USE.
 */
void device_hold(struct doca_dev *dev) EMULATOR_SHARED(device_hold);
void device_release(struct doca_dev *dev) EMULATOR_SHARED(device_release);

#endif /* DOCA_EMULATOR_DEVICE_H_ */
