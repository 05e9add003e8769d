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

/* What the DMA engine behind a device can do. */
struct dma_capabilities {
    bool memcpy_supported;
    uint64_t max_buf_size;
    uint32_t max_buf_list_len;
    uint32_t max_num_tasks;
};

const struct dma_capabilities *devinfo_dma_capabilities(const struct doca_devinfo *devinfo);

/*
 * Objects that work on an open device hold it, so that doca_dev_close() can answer IN_USE.
 */
void device_hold(struct doca_dev *dev);
void device_release(struct doca_dev *dev);

#endif /* DOCA_EMULATOR_DEVICE_H_ */
