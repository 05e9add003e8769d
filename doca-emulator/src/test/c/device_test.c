/* SPDX-License-Identifier: Apache-2.0 */
/* Devices and representors of the default topology. */
#include <doca_dev.h>

#include "check.h"

struct expected_device {
    const char *ibdev_name;
    const char *iface_name;
    const char *pci_addr;
    enum doca_pci_func_type type;
};

static struct doca_devinfo **
list_devices(uint32_t *num_devices) {
    struct doca_devinfo **list;
    REQUIRE_SUCCESS(doca_devinfo_create_list(&list, num_devices));
    return list;
}

static void
check_devices(const struct expected_device *expected, uint32_t num_expected) {
    uint32_t num_devices;
    struct doca_devinfo **list = list_devices(&num_devices);
    CHECK_EQUAL(num_expected, num_devices);
    CHECK_POINTER(NULL, list[num_devices]);
    for (uint32_t i = 0; i < num_expected; i++) {
        char ibdev_name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
        char iface_name[DOCA_DEVINFO_IFACE_NAME_SIZE];
        char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
        enum doca_pci_func_type type;
        CHECK_SUCCESS(doca_devinfo_get_ibdev_name(list[i], ibdev_name, sizeof(ibdev_name)));
        CHECK_SUCCESS(doca_devinfo_get_iface_name(list[i], iface_name, sizeof(iface_name)));
        CHECK_SUCCESS(doca_devinfo_get_pci_addr_str(list[i], pci_addr));
        CHECK_SUCCESS(doca_devinfo_get_pci_func_type(list[i], &type));
        CHECK_STRING(expected[i].ibdev_name, ibdev_name);
        CHECK_STRING(expected[i].iface_name, iface_name);
        CHECK_STRING(expected[i].pci_addr, pci_addr);
        CHECK_EQUAL(expected[i].type, type);
    }
    CHECK_SUCCESS(doca_devinfo_destroy_list(list));
}

static void
a_dpu_has_ports_and_sub_functions(void) {
    static const struct expected_device expected[] = {
        {"mlx5_0", "p0", "0000:03:00.0", DOCA_PCI_FUNC_TYPE_PF},
        {"mlx5_1", "p1", "0000:03:00.1", DOCA_PCI_FUNC_TYPE_PF},
        {"mlx5_2", "enp3s0f0s0", "0000:03:00.0", DOCA_PCI_FUNC_TYPE_SF},
        {"mlx5_3", "enp3s0f1s0", "0000:03:00.1", DOCA_PCI_FUNC_TYPE_SF},
    };
    check_devices(expected, 4);
}

static void
a_host_has_physical_and_virtual_functions(void) {
    static const struct expected_device expected[] = {
        {"mlx5_0", "ens1f0np0", "0000:0b:00.0", DOCA_PCI_FUNC_TYPE_PF},
        {"mlx5_1", "ens1f1np1", "0000:0b:00.1", DOCA_PCI_FUNC_TYPE_PF},
        {"mlx5_2", "ens1f0v0", "0000:0b:00.2", DOCA_PCI_FUNC_TYPE_VF},
        {"mlx5_3", "ens1f0v1", "0000:0b:00.3", DOCA_PCI_FUNC_TYPE_VF},
        {"mlx5_4", "ens1f1v0", "0000:0b:00.4", DOCA_PCI_FUNC_TYPE_VF},
    };
    check_devices(expected, 5);
}

static void
on_a_host(void) {
    a_host_has_physical_and_virtual_functions();
}

static void
list_arguments_are_checked(void) {
    struct doca_devinfo **list;
    uint32_t num_devices;
    list = list_devices(&num_devices);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_devinfo_destroy_list(list + 1));
    CHECK_SUCCESS(doca_devinfo_destroy_list(list));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_devinfo_destroy_list(list));
}

static void
properties_that_nobody_set_are_sensible(void) {
    uint32_t num_devices;
    struct doca_devinfo **list = list_devices(&num_devices);
    struct doca_devinfo *port = list[1];
    struct doca_devinfo *sub_function = list[2];

    uint8_t mac_addr[DOCA_DEVINFO_MAC_ADDR_SIZE];
    uint8_t other_mac_addr[DOCA_DEVINFO_MAC_ADDR_SIZE];
    uint8_t ipv6_addr[DOCA_DEVINFO_IPV6_ADDR_SIZE];
    CHECK_SUCCESS(doca_devinfo_get_mac_addr(port, mac_addr, sizeof(mac_addr)));
    CHECK_SUCCESS(doca_devinfo_get_mac_addr(sub_function, other_mac_addr, sizeof(other_mac_addr)));
    CHECK_EQUAL(0x02, mac_addr[0]);
    CHECK(memcmp(mac_addr, other_mac_addr, sizeof(mac_addr)) != 0);
    CHECK_SUCCESS(doca_devinfo_get_ipv6_addr(port, ipv6_addr, sizeof(ipv6_addr)));
    CHECK(memcmp(ipv6_addr, (uint8_t[8]){0xfe, 0x80}, 8) == 0);
    CHECK_EQUAL(mac_addr[5], ipv6_addr[15]);

    uint16_t number16;
    uint32_t number32;
    uint64_t number64;
    uint8_t flag;
    CHECK_SUCCESS(doca_devinfo_get_active_rate(port, &number64));
    CHECK_EQUAL(200000000000, number64);
    CHECK_SUCCESS(doca_devinfo_get_vhca_id(port, &number16));
    CHECK_EQUAL(1, number16);
    CHECK_SUCCESS(doca_devinfo_get_uplink_ib_port(port, &number16));
    CHECK_EQUAL(2, number16);
    CHECK_SUCCESS(doca_devinfo_get_iface_index(port, &number32));
    CHECK_EQUAL(3, number32);
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_devinfo_get_sf_index(port, &number32));
    CHECK_SUCCESS(doca_devinfo_get_sf_index(sub_function, &number32));
    CHECK_EQUAL(0, number32);
    flag = 1;
    CHECK_SUCCESS(doca_devinfo_cap_is_hotplug_manager_supported(port, &flag));
    CHECK_EQUAL(0, flag);
    flag = 1;
    CHECK_SUCCESS(doca_devinfo_cap_is_accelerate_resource_reclaim_supported(port, &flag));
    CHECK_EQUAL(0, flag);
    flag = 1;
    CHECK_SUCCESS(doca_devinfo_cap_is_notification_moderation_supported(port, &flag));
    CHECK_EQUAL(0, flag);
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_devinfo_get_data_direct_pci_dev(port, pci_addr));
    CHECK_SUCCESS(doca_devinfo_destroy_list(list));
}

static void
a_stale_device_is_refused(void) {
    uint32_t num_devices;
    struct doca_devinfo **list = list_devices(&num_devices);
    struct doca_dev *dev;
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    REQUIRE_SUCCESS(doca_dev_open(list[0], &dev));
    struct doca_devinfo *listed = list[0];
    struct doca_devinfo *opened = doca_dev_as_devinfo(dev);
    CHECK_SUCCESS(doca_devinfo_destroy_list(list));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_pci_addr_str(listed, pci_addr));
    CHECK_SUCCESS(doca_dev_close(dev));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_devinfo_get_pci_addr_str(opened, pci_addr));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_dev_close(dev));
    CHECK_POINTER(NULL, doca_dev_as_devinfo(dev));
    CHECK_POINTER(NULL, doca_dev_as_devinfo(NULL));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_dev_accelerate_resource_reclaim(NULL));
}

static struct doca_dev *
open_by_index(uint32_t index) {
    uint32_t num_devices;
    struct doca_devinfo **list = list_devices(&num_devices);
    struct doca_dev *dev;
    REQUIRE_SUCCESS(doca_dev_open(list[index], &dev));
    CHECK_SUCCESS(doca_devinfo_destroy_list(list));
    return dev;
}

static void
ports_of_a_dpu_have_representors(void) {
    static const struct {
        uint32_t device;
        const char *iface_name;
        const char *pci_addr;
        const char *vuid;
        enum doca_pci_func_type type;
        uint32_t pf_index;
        uint32_t vf_index;
        uint32_t total_vfs;
    } expected[] = {
        {0, "pf0hpf", "0000:0b:00.0", "EMULATED0001MLNXS0D0F0", DOCA_PCI_FUNC_TYPE_PF, 0, 0, 2},
        {0, "pf0vf0", "0000:0b:00.2", "EMULATED0001MLNXS0D0F0VF1", DOCA_PCI_FUNC_TYPE_VF, 0, 0, 2},
        {0, "pf0vf1", "0000:0b:00.3", "EMULATED0001MLNXS0D0F0VF2", DOCA_PCI_FUNC_TYPE_VF, 0, 1, 2},
        {0, "en3f0pf0sf0", "0000:03:00.0", "EMULATED0001MLNXECD0F0SF0", DOCA_PCI_FUNC_TYPE_SF, 0, 0, 0},
        {1, "pf1hpf", "0000:0b:00.1", "EMULATED0001MLNXS0D0F1", DOCA_PCI_FUNC_TYPE_PF, 1, 0, 1},
        {1, "pf1vf0", "0000:0b:00.4", "EMULATED0001MLNXS0D0F1VF1", DOCA_PCI_FUNC_TYPE_VF, 1, 0, 1},
        {1, "en3f1pf1sf0", "0000:03:00.1", "EMULATED0001MLNXECD0F1SF0", DOCA_PCI_FUNC_TYPE_SF, 1, 0, 0},
    };
    static const uint32_t expected_counts[] = {4, 3};
    size_t next = 0;
    for (uint32_t device = 0; device < 2; device++) {
        struct doca_dev *dev = open_by_index(device);
        struct doca_devinfo_rep **list;
        uint32_t num_reps;
        REQUIRE_SUCCESS(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &num_reps));
        /* The list outlives the device. */
        CHECK_SUCCESS(doca_dev_close(dev));
        CHECK_EQUAL(expected_counts[device], num_reps);
        CHECK_POINTER(NULL, list[num_reps]);
        for (uint32_t i = 0; i < num_reps; i++, next++) {
            char iface_name[DOCA_DEVINFO_IFACE_NAME_SIZE];
            char pci_addr[DOCA_DEVINFO_REP_PCI_ADDR_SIZE];
            char vuid[DOCA_DEVINFO_REP_VUID_SIZE];
            char pf_vuid[DOCA_DEVINFO_REP_VUID_SIZE];
            enum doca_pci_func_type type;
            uint32_t index;
            uint32_t total_vfs;
            CHECK_EQUAL(expected[next].device, device);
            CHECK_SUCCESS(doca_devinfo_rep_get_iface_name(list[i], iface_name, sizeof(iface_name)));
            CHECK_STRING(expected[next].iface_name, iface_name);
            CHECK_SUCCESS(doca_devinfo_rep_get_pci_addr_str(list[i], pci_addr));
            CHECK_STRING(expected[next].pci_addr, pci_addr);
            CHECK_SUCCESS(doca_devinfo_rep_get_vuid(list[i], vuid, sizeof(vuid)));
            CHECK_STRING(expected[next].vuid, vuid);
            CHECK_SUCCESS(doca_devinfo_rep_get_pf_vuid(list[i], pf_vuid, sizeof(pf_vuid)));
            CHECK(strncmp(vuid, pf_vuid, strlen(pf_vuid)) == 0);
            CHECK_SUCCESS(doca_devinfo_rep_get_pci_func_type(list[i], &type));
            CHECK_EQUAL(expected[next].type, type);
            CHECK_SUCCESS(doca_devinfo_rep_get_pf_index(list[i], &index));
            CHECK_EQUAL(expected[next].pf_index, index);
            if (type == DOCA_PCI_FUNC_TYPE_VF) {
                CHECK_SUCCESS(doca_devinfo_rep_get_vf_index(list[i], &index));
                CHECK_EQUAL(expected[next].vf_index, index);
            } else {
                CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_devinfo_rep_get_vf_index(list[i], &index));
            }
            if (type == DOCA_PCI_FUNC_TYPE_SF) {
                CHECK_SUCCESS(doca_devinfo_rep_get_sf_index(list[i], &index));
                CHECK_EQUAL(0, index);
            } else {
                CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_devinfo_rep_get_sf_index(list[i], &index));
            }
            CHECK_SUCCESS(doca_devinfo_rep_get_total_vfs(list[i], &total_vfs));
            CHECK_EQUAL(expected[next].total_vfs, total_vfs);
        }
        CHECK_SUCCESS(doca_devinfo_rep_destroy_list(list));
        CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_devinfo_rep_destroy_list(list));
    }
}

static void
representor_lists_are_filtered(void) {
    struct doca_dev *dev = open_by_index(0);
    struct doca_devinfo_rep **list;
    uint32_t num_reps;
    uint8_t supported;
    struct doca_devinfo *devinfo = doca_dev_as_devinfo(dev);
    CHECK_SUCCESS(doca_devinfo_rep_cap_is_filter_all_supported(devinfo, &supported));
    CHECK_EQUAL(1, supported);
    CHECK_SUCCESS(doca_devinfo_rep_cap_is_filter_net_supported(devinfo, &supported));
    CHECK_EQUAL(1, supported);
    CHECK_SUCCESS(doca_devinfo_rep_cap_is_filter_emulated_supported(devinfo, &supported));
    CHECK_EQUAL(0, supported);

    CHECK_SUCCESS(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &num_reps));
    CHECK_EQUAL(4, num_reps);
    CHECK_SUCCESS(doca_devinfo_rep_destroy_list(list));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED,
                doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_EMULATED, &list, &num_reps));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_devinfo_rep_create_list(dev, 1, &list, &num_reps));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_devinfo_rep_create_list(dev, 0, NULL, &num_reps));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_devinfo_rep_create_list(dev, 0, &list, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_devinfo_rep_create_list(NULL, 0, &list, &num_reps));
    CHECK_SUCCESS(doca_dev_close(dev));

    struct doca_dev *sub_function = open_by_index(2);
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_devinfo_rep_create_list(sub_function, 0, &list, &num_reps));
    CHECK_SUCCESS(doca_dev_close(sub_function));
}

static void
a_representor_is_opened(void) {
    struct doca_dev *dev = open_by_index(0);
    struct doca_devinfo_rep **list;
    uint32_t num_reps;
    struct doca_dev_rep *dev_rep;
    REQUIRE_SUCCESS(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &num_reps));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_dev_rep_open(NULL, &dev_rep));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_dev_rep_open(list[1], NULL));
    REQUIRE_SUCCESS(doca_dev_rep_open(list[1], &dev_rep));
    struct doca_devinfo_rep *listed = list[1];
    CHECK_SUCCESS(doca_devinfo_rep_destroy_list(list));

    struct doca_devinfo_rep *opened = doca_dev_rep_as_devinfo(dev_rep);
    uint8_t flag = 0;
    uint16_t number16;
    uint32_t number32;
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_devinfo_rep_is_equal_pci_addr(listed, "0b:00.2", &flag));
    CHECK_SUCCESS(doca_devinfo_rep_is_equal_pci_addr(opened, "0b:00.2", &flag));
    CHECK_EQUAL(1, flag);
    CHECK_SUCCESS(doca_devinfo_rep_is_equal_pci_addr(opened, "0000:0B:00.3", &flag));
    CHECK_EQUAL(0, flag);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_devinfo_rep_is_equal_pci_addr(opened, "0b:00", &flag));
    flag = 1;
    CHECK_SUCCESS(doca_devinfo_rep_get_is_hotplug(opened, &flag));
    CHECK_EQUAL(0, flag);
    flag = 1;
    CHECK_SUCCESS(doca_devinfo_rep_get_is_uplink_representor(opened, &flag));
    CHECK_EQUAL(0, flag);
    CHECK_SUCCESS(doca_devinfo_rep_get_vhca_id(opened, &number16));
    CHECK_EQUAL(6, number16);
    CHECK_SUCCESS(doca_devinfo_rep_get_ib_port(opened, &number16));
    CHECK_EQUAL(1, number16);
    CHECK_SUCCESS(doca_devinfo_rep_get_host_index(opened, &number32));
    CHECK_EQUAL(0, number32);
    CHECK_SUCCESS(doca_devinfo_rep_get_iface_index(opened, &number32));
    CHECK_EQUAL(8, number32);
    char text[DOCA_DEVINFO_IFACE_NAME_SIZE];
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_devinfo_rep_get_vuid(opened, text, 127));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_devinfo_rep_get_data_direct_pci_dev(opened, text));

    CHECK_SUCCESS(doca_dev_rep_close(dev_rep));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_dev_rep_close(dev_rep));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_dev_rep_close(NULL));
    CHECK_POINTER(NULL, doca_dev_rep_as_devinfo(dev_rep));
    CHECK_SUCCESS(doca_dev_close(dev));
}

int
main(void) {
    check_with_environment("DOCA_EMULATOR_ROLE", "host", on_a_host);
    check_with_environment("DOCA_EMULATOR_ROLE", "dpu", a_dpu_has_ports_and_sub_functions);
    check_with_environment("DOCA_EMULATOR_ROLE", "", a_dpu_has_ports_and_sub_functions);

    a_dpu_has_ports_and_sub_functions();
    list_arguments_are_checked();
    properties_that_nobody_set_are_sensible();
    a_stale_device_is_refused();
    ports_of_a_dpu_have_representors();
    representor_lists_are_filtered();
    a_representor_is_opened();
    return check_result();
}
