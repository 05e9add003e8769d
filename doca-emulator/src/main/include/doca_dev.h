/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices and representors.
 */
#ifndef DOCA_DEV_H_
#define DOCA_DEV_H_

#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

API_HEADER(common, 1.4)

#ifdef __cplusplus
extern "C" {
#endif

#define DOCA_DEVINFO_IBDEV_NAME_SIZE 64
#define DOCA_DEVINFO_IFACE_NAME_SIZE 256
#define DOCA_DEVINFO_IPV4_ADDR_SIZE 4
#define DOCA_DEVINFO_IPV6_ADDR_SIZE 16
#if !API_BEFORE(2.2)
#define DOCA_DEVINFO_MAC_ADDR_SIZE 6
#define DOCA_DEVINFO_PCI_ADDR_SIZE 13
#define DOCA_DEVINFO_PCI_BDF_SIZE 8
#define DOCA_DEVINFO_REP_PCI_ADDR_SIZE 13
#define DOCA_DEVINFO_REP_PCI_BDF_SIZE 8
#endif
#define DOCA_DEVINFO_REP_VUID_SIZE 128
#define DOCA_DEVINFO_VUID_SIZE 128

struct doca_dev;
struct doca_dev_remote;
struct doca_dev_rep;
struct doca_devinfo;
struct doca_devinfo_remote;
struct doca_devinfo_rep;

#if API_BEFORE(1.5)
enum doca_devinfo_property {
    DOCA_DEVINFO_PROPERTY_UNKNOWN = 0,
    DOCA_DEVINFO_PROPERTY_VUID = 1,
    DOCA_DEVINFO_PROPERTY_PCI_ADDR = 2,
    DOCA_DEVINFO_PROPERTY_IPV4_ADDR = 3,
    DOCA_DEVINFO_PROPERTY_IPV6_ADDR = 4,
    DOCA_DEVINFO_PROPERTY_IFACE_NAME = 5,
    DOCA_DEVINFO_PROPERTY_IBDEV_NAME = 6,
};

enum doca_devinfo_remote_property {
    DOCA_DEVINFO_REMOTE_PROPERTY_UNKNOWN = 0,
    DOCA_DEVINFO_REMOTE_PROPERTY_VUID = 1,
};

enum doca_dev_remote_filter {
    DOCA_DEV_REMOTE_FILTER_ALL = 0,
    DOCA_DEV_REMOTE_FILTER_NET = 2,
};
#else
enum doca_dev_rep_filter {
    DOCA_DEV_REP_FILTER_ALL = 0,
    DOCA_DEV_REP_FILTER_NET = 2,
    DOCA_DEV_REP_FILTER_VIRTIO_FS = 4, API_UNTIL(2.2)
    DOCA_DEV_REP_FILTER_VIRTIO_NET = 8, API_UNTIL(2.2)
    DOCA_DEV_REP_FILTER_VIRTIO_BLK = 16, API_UNTIL(2.2)
    DOCA_DEV_REP_FILTER_NVME = 32, API_UNTIL(2.2)
    DOCA_DEV_REP_FILTER_EMULATED = 4, API_SINCE(2.2)
};
#endif

__DOCA_EXPERIMENTAL API_UNTIL(1.5)
doca_error_t doca_dev_as_devinfo(struct doca_dev *dev, struct doca_devinfo **devinfo);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_dev_as_devinfo) API_COMPAT(doca_dev_as_devinfo)
struct doca_devinfo *doca_dev_as_devinfo(const struct doca_dev *dev);

__DOCA_EXPERIMENTAL API_LIKE(doca_dev_close) API_COMPAT()
doca_error_t doca_dev_close(struct doca_dev *dev);

__DOCA_EXPERIMENTAL API_LIKE(doca_dev_open) API_COMPAT(doca_dev_open)
doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev);

__DOCA_EXPERIMENTAL API_UNTIL(1.5)
doca_error_t doca_dev_remote_as_devinfo(struct doca_dev_remote *dev_remote, struct doca_devinfo_remote **devinfo_remote);

__DOCA_EXPERIMENTAL API_UNTIL(1.5)
doca_error_t doca_dev_remote_close(struct doca_dev_remote *dev_remote);

__DOCA_EXPERIMENTAL API_UNTIL(1.5)
doca_error_t doca_dev_remote_open(struct doca_devinfo_remote *devinfo_remote, struct doca_dev_remote **dev_remote);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_dev_rep_as_devinfo) API_COMPAT(doca_dev_rep_as_devinfo)
struct doca_devinfo_rep *doca_dev_rep_as_devinfo(struct doca_dev_rep *dev_rep);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_dev_rep_close) API_COMPAT()
doca_error_t doca_dev_rep_close(struct doca_dev_rep *dev);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_dev_rep_open) API_COMPAT(doca_dev_rep_open)
doca_error_t doca_dev_rep_open(struct doca_devinfo_rep *devinfo, struct doca_dev_rep **dev_rep);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_devinfo_get_ibdev_name) API_COMPAT(doca_devinfo_get_ibdev_name)
doca_error_t doca_devinfo_get_ibdev_name(const struct doca_devinfo *devinfo, char *ibdev_name, uint32_t size);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_devinfo_get_iface_name) API_COMPAT(doca_devinfo_get_iface_name)
doca_error_t doca_devinfo_get_iface_name(const struct doca_devinfo *devinfo, char *iface_name, uint32_t size);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_devinfo_get_ipv4_addr) API_COMPAT(doca_devinfo_get_ipv4_addr)
doca_error_t doca_devinfo_get_ipv4_addr(const struct doca_devinfo *devinfo, uint8_t *ipv4_addr, uint32_t size);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_devinfo_get_ipv6_addr) API_COMPAT(doca_devinfo_get_ipv6_addr)
doca_error_t doca_devinfo_get_ipv6_addr(const struct doca_devinfo *devinfo, uint8_t *ipv6_addr, uint32_t size);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_devinfo_cap_is_hotplug_manager_supported) API_COMPAT(doca_devinfo_cap_is_hotplug_manager_supported)
doca_error_t doca_devinfo_get_is_hotplug_manager_supported(
        const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2) API_LIKE(doca_mmap_cap_is_export_pci_supported)
doca_error_t doca_devinfo_get_is_mmap_export_supported(const struct doca_devinfo *devinfo, uint8_t *mmap_export);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2) API_LIKE(doca_mmap_cap_is_create_from_export_pci_supported)
doca_error_t doca_devinfo_get_is_mmap_from_export_supported(const struct doca_devinfo *devinfo, uint8_t *from_export);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2)
doca_error_t doca_devinfo_get_pci_addr(const struct doca_devinfo *devinfo, struct doca_pci_bdf *pci_addr);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_mmap_cap_is_export_pci_supported) API_COMPAT(doca_mmap_cap_is_export_pci_supported)
doca_error_t doca_devinfo_get_is_mmap_export_dpu_supported(const struct doca_devinfo *devinfo, uint8_t *mmap_export);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_mmap_cap_is_create_from_export_pci_supported) API_COMPAT(doca_mmap_cap_is_create_from_export_pci_supported)
doca_error_t doca_devinfo_get_is_mmap_from_export_dpu_supported(
        const struct doca_devinfo *devinfo, uint8_t *from_export);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_devinfo_is_equal_pci_addr) API_COMPAT(doca_devinfo_is_equal_pci_addr)
doca_error_t doca_devinfo_get_is_pci_addr_equal(
        const struct doca_devinfo *devinfo, const char *pci_addr_str, uint8_t *is_equal);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_devinfo_get_lid) API_COMPAT(doca_devinfo_get_lid)
doca_error_t doca_devinfo_get_lid(const struct doca_devinfo *devinfo, uint16_t *lid);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_devinfo_get_mac_addr) API_COMPAT(doca_devinfo_get_mac_addr)
doca_error_t doca_devinfo_get_mac_addr(const struct doca_devinfo *devinfo, uint8_t *mac_addr, uint32_t size);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_devinfo_get_pci_addr_str) API_COMPAT(doca_devinfo_get_pci_addr_str)
doca_error_t doca_devinfo_get_pci_addr_str(const struct doca_devinfo *devinfo, char *pci_addr_str);

__DOCA_EXPERIMENTAL API_LIKE(doca_devinfo_create_list) API_COMPAT(doca_devinfo_create_list)
doca_error_t doca_devinfo_list_create(struct doca_devinfo ***dev_list, uint32_t *nb_devs);

__DOCA_EXPERIMENTAL API_LIKE(doca_devinfo_destroy_list) API_COMPAT(doca_devinfo_destroy_list)
doca_error_t doca_devinfo_list_destroy(struct doca_devinfo **dev_list);

__DOCA_EXPERIMENTAL API_UNTIL(1.5)
doca_error_t doca_devinfo_property_get(
        const struct doca_devinfo *devinfo, enum doca_devinfo_property property, uint8_t *value, uint32_t size);

__DOCA_EXPERIMENTAL API_UNTIL(1.5)
doca_error_t doca_devinfo_remote_list_create(
        struct doca_dev *dev, enum doca_dev_remote_filter filter, struct doca_devinfo_remote ***dev_list_remote,
        uint32_t *nb_devs_remote);

__DOCA_EXPERIMENTAL API_UNTIL(1.5)
doca_error_t doca_devinfo_remote_list_destroy(struct doca_devinfo_remote **dev_list_remote);

__DOCA_EXPERIMENTAL API_UNTIL(1.5)
doca_error_t doca_devinfo_remote_property_get(
        const struct doca_devinfo_remote *devinfo_remote, enum doca_devinfo_remote_property property, uint8_t *value,
        uint32_t size);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_devinfo_rep_cap_is_filter_all_supported) API_COMPAT(doca_devinfo_rep_cap_is_filter_all_supported)
doca_error_t doca_devinfo_rep_get_is_list_all_supported(const struct doca_devinfo *devinfo, uint8_t *all_supported);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_devinfo_rep_cap_is_filter_emulated_supported) API_COMPAT(doca_devinfo_rep_cap_is_filter_emulated_supported)
doca_error_t doca_devinfo_rep_get_is_list_emulated_supported(
        const struct doca_devinfo *devinfo, uint8_t *emulated_supported);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_devinfo_rep_cap_is_filter_net_supported) API_COMPAT(doca_devinfo_rep_cap_is_filter_net_supported)
doca_error_t doca_devinfo_rep_get_is_list_net_supported(const struct doca_devinfo *devinfo, uint8_t *net_supported);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2)
doca_error_t doca_devinfo_rep_get_is_list_nvme_supported(const struct doca_devinfo *devinfo, uint8_t *nvme_supported);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2)
doca_error_t doca_devinfo_rep_get_is_list_virtio_blk_supported(
        const struct doca_devinfo *devinfo, uint8_t *virtio_blk_supported);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2)
doca_error_t doca_devinfo_rep_get_is_list_virtio_fs_supported(
        const struct doca_devinfo *devinfo, uint8_t *virtio_fs_supported);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2)
doca_error_t doca_devinfo_rep_get_is_list_virtio_net_supported(
        const struct doca_devinfo *devinfo, uint8_t *virtio_net_supported);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2)
doca_error_t doca_devinfo_rep_get_pci_addr(const struct doca_devinfo_rep *devinfo_rep, struct doca_pci_bdf *pci_addr);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_devinfo_rep_is_equal_pci_addr) API_COMPAT(doca_devinfo_rep_is_equal_pci_addr)
doca_error_t doca_devinfo_rep_get_is_pci_addr_equal(
        const struct doca_devinfo_rep *devinfo_rep, const char *pci_addr_str, uint8_t *is_equal);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_devinfo_rep_get_pci_addr_str) API_COMPAT(doca_devinfo_rep_get_pci_addr_str)
doca_error_t doca_devinfo_rep_get_pci_addr_str(const struct doca_devinfo_rep *devinfo_rep, char *pci_addr_str);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_devinfo_rep_get_pci_func_type) API_COMPAT(doca_devinfo_rep_get_pci_func_type)
doca_error_t doca_devinfo_rep_get_pci_func_type(
        const struct doca_devinfo_rep *devinfo_rep, enum doca_pci_func_type *pci_func_type);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_devinfo_rep_get_vuid) API_COMPAT(doca_devinfo_rep_get_vuid)
doca_error_t doca_devinfo_rep_get_vuid(const struct doca_devinfo_rep *devinfo_rep, char *rep_vuid, uint32_t size);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_devinfo_rep_create_list, 2.2) API_COMPAT(doca_devinfo_rep_create_list)
doca_error_t doca_devinfo_rep_list_create(
        struct doca_dev *dev, int filter, struct doca_devinfo_rep ***dev_list_rep, uint32_t *nb_devs_rep);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_devinfo_rep_destroy_list) API_COMPAT(doca_devinfo_rep_destroy_list)
doca_error_t doca_devinfo_rep_list_destroy(struct doca_devinfo_rep **dev_list_rep);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_DEV_H_ */
