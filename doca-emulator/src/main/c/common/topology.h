/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of the emulated BlueField: devices of the DPU, and devices of the host. The DPU has representors of the latter and
 * of its own sub-functions. Read once from the built-in text or a file, and constant from then on.
 */
#ifndef DOCA_EMULATOR_TOPOLOGY_H_
#define DOCA_EMULATOR_TOPOLOGY_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_dev.h>

#include "device.h"
#include "settings.h"

struct topology_function {
    /* The line of its section in the file. */
    int line;
    /* The properties that the file sets, one bit each. */
    uint32_t given;
    enum emulator_role side;
    char ibdev_name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    char iface_name[DOCA_DEVINFO_IFACE_NAME_SIZE];
    /* With domain, in lower case. */
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    char vuid[DOCA_DEVINFO_VUID_SIZE];
    enum doca_pci_func_type type;
    uint32_t pf_index;
    uint32_t vf_index;
    uint32_t sf_index;
    /* The physical function of the same side and pf_index; a physical function refers to itself. */
    const struct topology_function *physical;
    /* For a physical function. */
    uint32_t num_vfs;
    /* The number of its interface, and of its representor's interface on the DPU. */
    uint32_t iface_index;
    uint32_t rep_iface_index;
    uint16_t vhca_id;
    uint16_t ib_port;
    bool ethernet;
    uint16_t lid;
    uint64_t active_rate;
    uint8_t mac_addr[DOCA_DEVINFO_MAC_ADDR_SIZE];
    uint8_t ipv4_addr[DOCA_DEVINFO_IPV4_ADDR_SIZE];
    uint8_t ipv6_addr[DOCA_DEVINFO_IPV6_ADDR_SIZE];
    struct device_gids gids;
    struct dma_capabilities dma;
    struct rdma_capabilities rdma;

    /* For a function of the host, or a sub-function of the DPU: the device of the DPU that has its representor, or NULL. */
    const struct topology_function *behind;
    char behind_name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    char rep_iface_name[DOCA_DEVINFO_IFACE_NAME_SIZE];
    bool hotplug;
};

struct topology {
    size_t num_functions;
    struct topology_function functions[];
};

/* If the topology cannot be read, each call returns BAD_CONFIG and logs the reason. */
doca_error_t topology_get(const struct topology **topology);

/* Reads the topology of these settings, unless it was read before. Returns BAD_CONFIG as above. */
doca_error_t topology_read(struct emulator_settings *settings);

/*
 * Writes a PCI address with its domain and in lower case. Returns false if the text is neither "bb:dd.f" nor
 * "dddd:bb:dd.f".
 */
bool topology_normalize_pci_addr(const char *text, char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE]);

#endif /* DOCA_EMULATOR_TOPOLOGY_H_ */
