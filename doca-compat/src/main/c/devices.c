/* SPDX-License-Identifier: Apache-2.0 */
/* Devices, representors and the bridge to verbs: renamed functions of the old SDK. */
#include <doca_dev.h>
#include <doca_rdma_bridge.h>

#include "old_sdk.h"
#include "refuse.h"

doca_error_t
doca_devinfo_create_list(struct doca_devinfo ***dev_list, uint32_t *nb_devs) {
    return old.doca_devinfo_list_create(dev_list, nb_devs);
}

doca_error_t
doca_devinfo_destroy_list(struct doca_devinfo **dev_list) {
    return old.doca_devinfo_list_destroy(dev_list);
}

doca_error_t
doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev) {
    return old.doca_dev_open(devinfo, dev);
}

doca_error_t
doca_dev_close(struct doca_dev *dev) {
    return dev == NULL ? DOCA_SUCCESS : old.doca_dev_close(dev);
}

struct doca_devinfo *
doca_dev_as_devinfo(const struct doca_dev *dev) {
    return old.doca_dev_as_devinfo(dev);
}

doca_error_t
doca_devinfo_is_equal_pci_addr(const struct doca_devinfo *devinfo, const char *pci_addr_str, uint8_t *is_equal) {
    return old.doca_devinfo_get_is_pci_addr_equal(devinfo, pci_addr_str, is_equal);
}

doca_error_t
doca_devinfo_get_pci_addr_str(const struct doca_devinfo *devinfo, char *pci_addr_str) {
    return old.doca_devinfo_get_pci_addr_str(devinfo, pci_addr_str);
}

doca_error_t
doca_devinfo_get_ipv4_addr(const struct doca_devinfo *devinfo, uint8_t *ipv4_addr, uint32_t size) {
    return old.doca_devinfo_get_ipv4_addr(devinfo, ipv4_addr, size);
}

doca_error_t
doca_devinfo_get_ipv6_addr(const struct doca_devinfo *devinfo, uint8_t *ipv6_addr, uint32_t size) {
    return old.doca_devinfo_get_ipv6_addr(devinfo, ipv6_addr, size);
}

doca_error_t
doca_devinfo_get_mac_addr(const struct doca_devinfo *devinfo, uint8_t *mac_addr, uint32_t size) {
    return old.doca_devinfo_get_mac_addr(devinfo, mac_addr, size);
}

doca_error_t
doca_devinfo_get_iface_name(const struct doca_devinfo *devinfo, char *iface_name, uint32_t size) {
    return old.doca_devinfo_get_iface_name(devinfo, iface_name, size);
}

doca_error_t
doca_devinfo_get_ibdev_name(const struct doca_devinfo *devinfo, char *ibdev_name, uint32_t size) {
    return old.doca_devinfo_get_ibdev_name(devinfo, ibdev_name, size);
}

doca_error_t
doca_devinfo_get_lid(const struct doca_devinfo *devinfo, uint16_t *lid) {
    return old.doca_devinfo_get_lid(devinfo, lid);
}

doca_error_t
doca_devinfo_cap_is_hotplug_manager_supported(const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager) {
    return old.doca_devinfo_get_is_hotplug_manager_supported(devinfo, is_hotplug_manager);
}

/*
 * Representors
 */

doca_error_t
doca_devinfo_rep_create_list(
        struct doca_dev *dev, int filter, struct doca_devinfo_rep ***dev_list_rep, uint32_t *nb_devs_rep) {
    return old.doca_devinfo_rep_list_create(dev, filter, dev_list_rep, nb_devs_rep);
}

doca_error_t
doca_devinfo_rep_destroy_list(struct doca_devinfo_rep **dev_list_rep) {
    return old.doca_devinfo_rep_list_destroy(dev_list_rep);
}

doca_error_t
doca_dev_rep_open(struct doca_devinfo_rep *devinfo, struct doca_dev_rep **dev_rep) {
    return old.doca_dev_rep_open(devinfo, dev_rep);
}

doca_error_t
doca_dev_rep_close(struct doca_dev_rep *dev) {
    return dev == NULL ? DOCA_SUCCESS : old.doca_dev_rep_close(dev);
}

struct doca_devinfo_rep *
doca_dev_rep_as_devinfo(struct doca_dev_rep *dev_rep) {
    return old.doca_dev_rep_as_devinfo(dev_rep);
}

doca_error_t
doca_devinfo_rep_is_equal_pci_addr(
        const struct doca_devinfo_rep *devinfo_rep, const char *pci_addr_str, uint8_t *is_equal) {
    return old.doca_devinfo_rep_get_is_pci_addr_equal(devinfo_rep, pci_addr_str, is_equal);
}

doca_error_t
doca_devinfo_rep_get_pci_addr_str(const struct doca_devinfo_rep *devinfo_rep, char *pci_addr_str) {
    return old.doca_devinfo_rep_get_pci_addr_str(devinfo_rep, pci_addr_str);
}

doca_error_t
doca_devinfo_rep_get_pci_func_type(
        const struct doca_devinfo_rep *devinfo_rep, enum doca_pci_func_type *pci_func_type) {
    return old.doca_devinfo_rep_get_pci_func_type(devinfo_rep, pci_func_type);
}

doca_error_t
doca_devinfo_rep_get_vuid(const struct doca_devinfo_rep *devinfo_rep, char *rep_vuid, uint32_t size) {
    return old.doca_devinfo_rep_get_vuid(devinfo_rep, rep_vuid, size);
}

doca_error_t
doca_devinfo_rep_cap_is_filter_all_supported(const struct doca_devinfo *devinfo, uint8_t *filter_all_supported) {
    return old.doca_devinfo_rep_get_is_list_all_supported(devinfo, filter_all_supported);
}

doca_error_t
doca_devinfo_rep_cap_is_filter_net_supported(const struct doca_devinfo *devinfo, uint8_t *filter_net_supported) {
    return old.doca_devinfo_rep_get_is_list_net_supported(devinfo, filter_net_supported);
}

doca_error_t
doca_devinfo_rep_cap_is_filter_emulated_supported(
        const struct doca_devinfo *devinfo, uint8_t *filter_emulated_supported) {
    return old.doca_devinfo_rep_get_is_list_emulated_supported(devinfo, filter_emulated_supported);
}

/*
 * Bridge
 */

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
