/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The properties of local devices.
 */
#include <string.h>

#include "device_info.h"
#include "devinfo.h"

doca_error_t
devinfo_get_vuid(const struct doca_devinfo *devinfo, char *vuid, uint32_t size) {
    return COPY_PROPERTY(devinfo_class, devinfo, devinfo->info.function->vuid, vuid, size);
}

doca_error_t
doca_devinfo_get_pci_addr_str(const struct doca_devinfo *devinfo, char *pci_addr_str) {
    return COPY_PROPERTY(devinfo_class, devinfo, devinfo->info.function->pci_addr, pci_addr_str,
                         DOCA_DEVINFO_PCI_ADDR_SIZE);
}

doca_error_t
doca_devinfo_is_equal_pci_addr(const struct doca_devinfo *devinfo, const char *pci_addr_str, uint8_t *is_equal) {
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    if (function == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    return device_info_is_equal_pci_addr(function, pci_addr_str, is_equal, __func__);
}

doca_error_t
doca_devinfo_get_ipv4_addr(const struct doca_devinfo *devinfo, uint8_t *ipv4_addr, uint32_t size) {
    static const uint8_t unset[DOCA_DEVINFO_IPV4_ADDR_SIZE];
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    const doca_error_t result = COPY_PROPERTY(devinfo_class, devinfo, function->ipv4_addr, ipv4_addr, size);
    if (result == DOCA_SUCCESS && memcmp(function->ipv4_addr, unset, sizeof(unset)) == 0) {
        return DOCA_ERROR_NOT_FOUND;
    }
    return result;
}

doca_error_t
doca_devinfo_get_mac_addr(const struct doca_devinfo *devinfo, uint8_t *mac_addr, uint32_t size) {
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    if (function == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!function->ethernet) {
        return DOCA_ERROR_NOT_SUPPORTED;
    }
    return COPY_PROPERTY(devinfo_class, devinfo, function->mac_addr, mac_addr, size);
}

doca_error_t
doca_devinfo_get_lid(const struct doca_devinfo *devinfo, uint16_t *lid) {
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    if (function == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (function->ethernet) {
        return DOCA_ERROR_NOT_SUPPORTED;
    }
    return GET_PROPERTY(devinfo_class, devinfo, function->lid, lid);
}

doca_error_t
doca_devinfo_get_sf_index(const struct doca_devinfo *devinfo, uint32_t *sf_index) {
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    if (function == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (function->type != DOCA_PCI_FUNC_TYPE_SF) {
        return DOCA_ERROR_NOT_SUPPORTED;
    }
    return GET_PROPERTY(devinfo_class, devinfo, function->sf_index, sf_index);
}

#include <getters/devinfo.h>
