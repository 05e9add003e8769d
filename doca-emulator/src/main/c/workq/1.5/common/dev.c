/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of devices and representors that differ from those of the core. */
#include <core_dev.h>
#include <doca_dev.h>

#include "common/sdk_log.h"
#include "workq/1.x/common/pci_addr.h"

doca_error_t
doca_devinfo_get_pci_addr(const struct doca_devinfo *devinfo, struct doca_pci_bdf *pci_addr) {
    char text[CORE_DEVINFO_PCI_ADDR_SIZE];
    const doca_error_t result = core_devinfo_get_pci_addr_str(devinfo, pci_addr == NULL ? NULL : text);
    return result == DOCA_SUCCESS ? pci_addr_parse(text, pci_addr) : result;
}

doca_error_t
doca_devinfo_rep_get_pci_addr(const struct doca_devinfo_rep *devinfo_rep, struct doca_pci_bdf *pci_addr) {
    char text[CORE_DEVINFO_REP_PCI_ADDR_SIZE];
    const doca_error_t result = core_devinfo_rep_get_pci_addr_str(devinfo_rep, pci_addr == NULL ? NULL : text);
    return result == DOCA_SUCCESS ? pci_addr_parse(text, pci_addr) : result;
}

/* The core has one filter for all kinds of emulated functions. */
doca_error_t
doca_devinfo_rep_list_create(struct doca_dev *dev, int filter, struct doca_devinfo_rep ***dev_list_rep,
                             uint32_t *nb_devs_rep) {
    switch (filter) {
    case DOCA_DEV_REP_FILTER_ALL:
    case DOCA_DEV_REP_FILTER_NET:
        break;
    case DOCA_DEV_REP_FILTER_VIRTIO_FS:
    case DOCA_DEV_REP_FILTER_VIRTIO_NET:
    case DOCA_DEV_REP_FILTER_VIRTIO_BLK:
    case DOCA_DEV_REP_FILTER_NVME:
        filter = CORE_DEVINFO_REP_FILTER_EMULATED;
        break;
    default:
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Device %p: Invalid input: filter %#x", dev, (unsigned int)filter);
    }
    return core_devinfo_rep_create_list(dev, filter, dev_list_rep, nb_devs_rep);
}

#define EMULATED_FILTER(kind) \
    doca_error_t doca_devinfo_rep_get_is_list_##kind##_supported(const struct doca_devinfo *devinfo, \
                                                                 uint8_t *kind##_supported) { \
        return core_devinfo_rep_cap_is_filter_emulated_supported(devinfo, kind##_supported); \
    }

EMULATED_FILTER(nvme)
EMULATED_FILTER(virtio_blk)
EMULATED_FILTER(virtio_fs)
EMULATED_FILTER(virtio_net)
