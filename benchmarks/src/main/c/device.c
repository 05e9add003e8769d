/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>

#include <doca_dma.h>

#include "check.h"
#include "device.h"

static bool
is_wanted(const struct doca_devinfo *devinfo, const char *pci_addr) {
    uint8_t is_equal = 0;

    if (pci_addr == NULL) {
        return doca_dma_cap_task_memcpy_is_supported(devinfo) == DOCA_SUCCESS;
    }
    CHECK(doca_devinfo_is_equal_pci_addr(devinfo, pci_addr, &is_equal));
    return is_equal != 0;
}

struct doca_dev *
device_open(const char *pci_addr) {
    struct doca_devinfo **devices;
    uint32_t num_devices;
    struct doca_dev *dev = NULL;

    CHECK(doca_devinfo_create_list(&devices, &num_devices));
    for (uint32_t i = 0; i < num_devices && dev == NULL; i++) {
        if (is_wanted(devices[i], pci_addr)) {
            CHECK(doca_dev_open(devices[i], &dev));
        }
    }
    CHECK(doca_devinfo_destroy_list(devices));
    if (dev == NULL) {
        fail("no device %s", pci_addr == NULL ? "copies by DMA" : pci_addr);
    }
    return dev;
}

struct doca_dev *
device_open_chosen(void) {
    return device_open(getenv("DOCA_BENCH_PCI"));
}
