/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The properties of local devices.
 */
#include <string.h>

#include "device_info.h"
#include "devinfo.h"

doca_error_t
devinfo_get_vuid(const struct doca_devinfo *devinfo, char *vuid, uint32_t size) {
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    return COPY_PROPERTY(function, function->vuid, vuid, size);
}

doca_error_t
doca_devinfo_get_pci_addr_str(const struct doca_devinfo *devinfo, char *pci_addr_str) {
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    return COPY_PROPERTY(function, function->pci_addr, pci_addr_str, DOCA_DEVINFO_PCI_ADDR_SIZE);
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
doca_devinfo_get_ibdev_name(const struct doca_devinfo *devinfo, char *ibdev_name, uint32_t size) {
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    return COPY_PROPERTY(function, function->ibdev_name, ibdev_name, size);
}

doca_error_t
doca_devinfo_get_iface_name(const struct doca_devinfo *devinfo, char *iface_name, uint32_t size) {
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    return COPY_PROPERTY(function, function->iface_name, iface_name, size);
}

doca_error_t
doca_devinfo_get_ipv4_addr(const struct doca_devinfo *devinfo, uint8_t *ipv4_addr, uint32_t size) {
    static const uint8_t unset[DOCA_DEVINFO_IPV4_ADDR_SIZE];
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    const doca_error_t result = COPY_PROPERTY(function, function->ipv4_addr, ipv4_addr, size);
    if (result == DOCA_SUCCESS && memcmp(function->ipv4_addr, unset, sizeof(unset)) == 0) {
        return DOCA_ERROR_NOT_FOUND;
    }
    return result;
}

doca_error_t
doca_devinfo_get_ipv6_addr(const struct doca_devinfo *devinfo, uint8_t *ipv6_addr, uint32_t size) {
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    return COPY_PROPERTY(function, function->ipv6_addr, ipv6_addr, size);
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
    return COPY_PROPERTY(function, function->mac_addr, mac_addr, size);
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
    return STORE_PROPERTY(function, function->lid, lid);
}

doca_error_t
doca_devinfo_get_active_rate(const struct doca_devinfo *devinfo, uint64_t *active_rate) {
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    return STORE_PROPERTY(function, function->active_rate, active_rate);
}

doca_error_t
doca_devinfo_get_vhca_id(const struct doca_devinfo *devinfo, uint16_t *vhca_id) {
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    return STORE_PROPERTY(function, function->vhca_id, vhca_id);
}

doca_error_t
doca_devinfo_get_pci_func_type(const struct doca_devinfo *devinfo, enum doca_pci_func_type *pci_func_type) {
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    return STORE_PROPERTY(function, function->type, pci_func_type);
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
    return STORE_PROPERTY(function, function->sf_index, sf_index);
}

doca_error_t
doca_devinfo_get_iface_index(const struct doca_devinfo *devinfo, uint32_t *iface_index) {
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    return STORE_PROPERTY(function, function->iface_index, iface_index);
}

doca_error_t
doca_devinfo_get_uplink_ib_port(const struct doca_devinfo *devinfo, uint16_t *ib_port) {
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    return STORE_PROPERTY(function, function->ib_port, ib_port);
}

/* Capabilities that this emulator does not have are reported as 0, as by a device without them. */

doca_error_t
doca_devinfo_cap_is_hotplug_manager_supported(const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager) {
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    return STORE_PROPERTY(function, 0, is_hotplug_manager);
}

doca_error_t
doca_devinfo_cap_is_accelerate_resource_reclaim_supported(
        const struct doca_devinfo *devinfo, uint8_t *is_accelerate_resource_reclaim) {
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    return STORE_PROPERTY(function, 0, is_accelerate_resource_reclaim);
}

doca_error_t
doca_devinfo_cap_is_notification_moderation_supported(
        const struct doca_devinfo *devinfo, uint8_t *is_notification_moderation_supported) {
    const struct topology_function *function = devinfo_function(devinfo, __func__);
    return STORE_PROPERTY(function, 0, is_notification_moderation_supported);
}
