/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of devices, and remote devices, which later releases call representors. */
#include <core_dev.h>
#include <doca_dev.h>

#include "common/devinfo.h"
#include "common/sdk_log.h"
#include "workq/1.x/common/pci_addr.h"

static struct doca_devinfo_rep *
as_rep(const struct doca_devinfo_remote *devinfo_remote) {
    return (struct doca_devinfo_rep *)devinfo_remote;
}

static doca_error_t
get_pci_addr(const struct doca_devinfo *devinfo, uint8_t *value, uint32_t size) {
    char text[CORE_DEVINFO_PCI_ADDR_SIZE];
    if (value == NULL || size < sizeof(struct doca_pci_bdf)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: value %p of %u bytes, must have %zu", value, size,
                          sizeof(struct doca_pci_bdf));
    }
    const doca_error_t result = core_devinfo_get_pci_addr_str(devinfo, text);
    return result == DOCA_SUCCESS ? pci_addr_parse(text, (struct doca_pci_bdf *)value) : result;
}

doca_error_t
doca_devinfo_property_get(const struct doca_devinfo *devinfo, enum doca_devinfo_property property, uint8_t *value,
                          uint32_t size) {
    switch (property) {
    case DOCA_DEVINFO_PROPERTY_VUID:
        return devinfo_get_vuid(devinfo, (char *)value, size);
    case DOCA_DEVINFO_PROPERTY_PCI_ADDR:
        return get_pci_addr(devinfo, value, size);
    case DOCA_DEVINFO_PROPERTY_IPV4_ADDR:
        return core_devinfo_get_ipv4_addr(devinfo, value, size);
    case DOCA_DEVINFO_PROPERTY_IPV6_ADDR:
        return core_devinfo_get_ipv6_addr(devinfo, value, size);
    case DOCA_DEVINFO_PROPERTY_IFACE_NAME:
        return core_devinfo_get_iface_name(devinfo, (char *)value, size);
    case DOCA_DEVINFO_PROPERTY_IBDEV_NAME:
        return core_devinfo_get_ibdev_name(devinfo, (char *)value, size);
    default:
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: property %d", (int)property);
    }
}

doca_error_t
doca_dev_as_devinfo(struct doca_dev *dev, struct doca_devinfo **devinfo) {
    if (devinfo == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: devinfo is NULL");
    }
    struct doca_devinfo *found = core_dev_as_devinfo(dev);
    if (found == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    *devinfo = found;
    return DOCA_SUCCESS;
}

/*
 * Remote devices
 */

doca_error_t
doca_devinfo_remote_list_create(struct doca_dev *dev, enum doca_dev_remote_filter filter,
                                struct doca_devinfo_remote ***dev_list_remote, uint32_t *nb_devs_remote) {
    if (filter != DOCA_DEV_REMOTE_FILTER_ALL && filter != DOCA_DEV_REMOTE_FILTER_NET) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Device %p: Invalid input: filter %#x", dev, (unsigned int)filter);
    }
    return core_devinfo_rep_create_list(dev, (int)filter, (struct doca_devinfo_rep ***)dev_list_remote, nb_devs_remote);
}

doca_error_t
doca_devinfo_remote_list_destroy(struct doca_devinfo_remote **dev_list_remote) {
    return core_devinfo_rep_destroy_list((struct doca_devinfo_rep **)dev_list_remote);
}

doca_error_t
doca_devinfo_remote_property_get(const struct doca_devinfo_remote *devinfo_remote,
                                 enum doca_devinfo_remote_property property, uint8_t *value, uint32_t size) {
    if (property != DOCA_DEVINFO_REMOTE_PROPERTY_VUID) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: property %d", (int)property);
    }
    return core_devinfo_rep_get_vuid(as_rep(devinfo_remote), (char *)value, size);
}

doca_error_t
doca_dev_remote_open(struct doca_devinfo_remote *devinfo_remote, struct doca_dev_remote **dev_remote) {
    return core_dev_rep_open(as_rep(devinfo_remote), (struct doca_dev_rep **)dev_remote);
}

doca_error_t
doca_dev_remote_close(struct doca_dev_remote *dev_remote) {
    return core_dev_rep_close((struct doca_dev_rep *)dev_remote);
}

doca_error_t
doca_dev_remote_as_devinfo(struct doca_dev_remote *dev_remote, struct doca_devinfo_remote **devinfo_remote) {
    if (devinfo_remote == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: devinfo_remote is NULL");
    }
    struct doca_devinfo_rep *found = core_dev_rep_as_devinfo((struct doca_dev_rep *)dev_remote);
    if (found == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    *devinfo_remote = (struct doca_devinfo_remote *)found;
    return DOCA_SUCCESS;
}
