/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "fixture.h"

#define THEME "devices"

static struct doca_devinfo **
list_devices(void) {
    struct doca_devinfo **list;
    uint32_t num_devices;
    REQUIRE(doca_devinfo_create_list(&list, &num_devices));
    return list;
}

/* The PCI address of the device in its short form, "03:00.0". */
static const char *
short_address(void) {
    static char address[DOCA_DEVINFO_PCI_ADDR_SIZE];
    REQUIRE(doca_devinfo_get_pci_addr_str(devinfo(), address));
    return address + strlen("0000:");
}

static int
compare_address(const char *address) {
    uint8_t is_equal = 9;
    CODE(doca_devinfo_is_equal_pci_addr(devinfo(), address, &is_equal));
    return is_equal;
}

RULE(dev_list, "The list of devices has an entry for each device.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, yes, yes, SUCCESS") {
    struct doca_devinfo **list = NULL;
    uint32_t num_devices = 0;
    CODE(doca_devinfo_create_list(&list, &num_devices));
    answer_flag(num_devices >= 1);
    answer_flag(list != NULL && list[0] != NULL);
    CODE(doca_devinfo_destroy_list(list));
}

RULE(dev_list_arguments, "The list needs pointers for its results.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    struct doca_devinfo **list;
    uint32_t num_devices;
    CODE(doca_devinfo_create_list(NULL, &num_devices));
    CODE(doca_devinfo_create_list(&list, NULL));
}

RULE(dev_destroy_no_list, "Destroying a NULL list is refused.", .source = OBSERVED_2_5, .answer = "INVALID_VALUE") {
    CODE(doca_devinfo_destroy_list(NULL));
}

RULE(dev_open_arguments, "Opening needs a device and a result pointer.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    struct doca_dev *device;
    CODE(doca_dev_open(NULL, &device));
    CODE(doca_dev_open(list_devices()[0], NULL));
}

RULE(dev_open_twice, "Opening a device twice gives the same one.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, SUCCESS, yes") {
    struct doca_devinfo **list = list_devices();
    struct doca_dev *first;
    struct doca_dev *second;
    CODE(doca_dev_open(list[0], &first));
    CODE(doca_dev_open(list[0], &second));
    answer_flag(first == second);
}

RULE(dev_open_from_another_list, "Opening a device from another list gives the same one as well.",
     .source = OBSERVED_2_5, .answer = "yes") {
    struct doca_dev *first;
    struct doca_dev *second;
    REQUIRE(doca_dev_open(list_devices()[0], &first));
    REQUIRE(doca_dev_open(list_devices()[0], &second));
    answer_flag(first == second);
}

RULE(dev_close_each_open, "Each open needs a close; the device stays open until the last one.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, SUCCESS, SUCCESS") {
    struct doca_devinfo **list = list_devices();
    struct doca_dev *first;
    struct doca_dev *second;
    char address[DOCA_DEVINFO_PCI_ADDR_SIZE];
    REQUIRE(doca_dev_open(list[0], &first));
    REQUIRE(doca_dev_open(list[0], &second));
    CODE(doca_dev_close(second));
    CODE(doca_devinfo_get_pci_addr_str(doca_dev_as_devinfo(first), address));
    CODE(doca_dev_close(first));
}

RULE(dev_survives_list, "An open device survives its list.", .source = OBSERVED_2_5, .answer = "SUCCESS, SUCCESS") {
    struct doca_devinfo **list = list_devices();
    struct doca_dev *device;
    char address[DOCA_DEVINFO_PCI_ADDR_SIZE];
    REQUIRE(doca_dev_open(list[0], &device));
    CODE(doca_devinfo_destroy_list(list));
    CODE(doca_devinfo_get_pci_addr_str(doca_dev_as_devinfo(device), address));
}

RULE(dev_close_null, "Closing NULL succeeds.", .source = OBSERVED_3_0, .answer = "SUCCESS") {
    CODE(doca_dev_close(NULL));
}

RULE(dev_close_with_context, "A device with a context is closed, and the context remains.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, SUCCESS") {
    open_device();
    struct doca_dma *dma;
    REQUIRE(doca_dma_create(dev, &dma));
    CODE(doca_dev_close(dev));
    CODE(doca_dma_destroy(dma));
}

RULE(dev_pci_address_text, "The PCI address is written with its domain, in 12 characters.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, 12, :") {
    char address[DOCA_DEVINFO_PCI_ADDR_SIZE] = "";
    CODE(doca_devinfo_get_pci_addr_str(devinfo(), address));
    answer("%zu", strlen(address));
    answer("%c", address[4]);
}

RULE(dev_pci_address_equal, "A PCI address can be compared with and without its domain.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, 1, SUCCESS, 1") {
    char with_domain[32];
    snprintf(with_domain, sizeof(with_domain), "0000:%s", short_address());
    answer_number(compare_address(short_address()));
    answer_number(compare_address(with_domain));
}

RULE(dev_pci_address_other, "Comparing with another address succeeds and returns unequal.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, 0, SUCCESS, 0") {
    answer_number(compare_address("7e:1f.7"));
    answer_number(compare_address("zz:00.0"));
}

RULE(dev_pci_address_length, "A text that is not as long as a PCI address is refused.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE, INVALID_VALUE") {
    (void)compare_address("");
    (void)compare_address("3:00.0");
    (void)compare_address("0000:03:00.00");
}

RULE(dev_pci_address_null, "The comparison needs an address and a result pointer.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    uint8_t is_equal;
    CODE(doca_devinfo_is_equal_pci_addr(devinfo(), NULL, &is_equal));
    CODE(doca_devinfo_is_equal_pci_addr(devinfo(), "03:00.0", NULL));
}

RULE(dev_ibdev_name, "The name of the InfiniBand device fits its size.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, yes") {
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE] = "";
    CODE(doca_devinfo_get_ibdev_name(devinfo(), name, sizeof(name)));
    answer_flag(strlen(name) > 0);
}

RULE(dev_ibdev_name_size, "A buffer too small for that name is refused.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE") {
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    CODE(doca_devinfo_get_ibdev_name(devinfo(), name, 3));
}

RULE(dev_iface_name_size, "A buffer too small for the name of the interface is refused.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE") {
    char name[DOCA_DEVINFO_IFACE_NAME_SIZE];
    CODE(doca_devinfo_get_iface_name(devinfo(), name, 2));
}

RULE(dev_mac_address, "An Ethernet device has a MAC address of 6 bytes.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, INVALID_VALUE") {
    uint8_t address[DOCA_DEVINFO_MAC_ADDR_SIZE];
    CODE(doca_devinfo_get_mac_addr(devinfo(), address, sizeof(address)));
    CODE(doca_devinfo_get_mac_addr(devinfo(), address, sizeof(address) - 1));
}

RULE(dev_lid_of_ethernet, "An Ethernet device has no LID.", .source = OBSERVED_2_5, .answer = "NOT_SUPPORTED") {
    uint16_t lid;
    CODE(doca_devinfo_get_lid(devinfo(), &lid));
}

RULE(dev_ipv4_size, "A buffer too small for an IPv4 address is refused.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE") {
    uint8_t address[DOCA_DEVINFO_IPV4_ADDR_SIZE];
    CODE(doca_devinfo_get_ipv4_addr(devinfo(), address, 3));
}

RULE(dev_ipv6_address, "An Ethernet device has an IPv6 address, and a buffer too small for it is refused.",
     .source = OBSERVED_3_0, .answer = "SUCCESS, INVALID_VALUE") {
    uint8_t address[DOCA_DEVINFO_IPV6_ADDR_SIZE];
    CODE(doca_devinfo_get_ipv6_addr(devinfo(), address, sizeof(address)));
    CODE(doca_devinfo_get_ipv6_addr(devinfo(), address, sizeof(address) - 1));
}

RULE(dev_null_results, "The getters need a place for their result.", .source = OBSERVED_3_0,
     .answer = "INVALID_VALUE, INVALID_VALUE, INVALID_VALUE") {
    CODE(doca_devinfo_get_ibdev_name(devinfo(), NULL, DOCA_DEVINFO_IBDEV_NAME_SIZE));
    CODE(doca_devinfo_get_pci_addr_str(devinfo(), NULL));
    CODE(doca_devinfo_get_vhca_id(devinfo(), NULL));
}

RULE(dev_ipv4_unset, "A device without an IPv4 address returns NOT_FOUND.", .source = OBSERVED_2_5,
     .answer = "NOT_FOUND") {
    uint8_t address[DOCA_DEVINFO_IPV4_ADDR_SIZE];
    const doca_error_t result = doca_devinfo_get_ipv4_addr(devinfo(), address, sizeof(address));
    if (result == DOCA_SUCCESS && address[0] != 0) {
        not_available("the device has an IPv4 address");
    }
    answer_code(result);
}

RULE(dev_getters_null, "The getters need a device.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE, INVALID_VALUE") {
    char text[DOCA_DEVINFO_IFACE_NAME_SIZE];
    CODE(doca_devinfo_get_pci_addr_str(NULL, text));
    CODE(doca_devinfo_get_ibdev_name(NULL, text, DOCA_DEVINFO_IBDEV_NAME_SIZE));
    CODE(doca_devinfo_get_iface_name(NULL, text, sizeof(text)));
}

RULE(dev_representors_on_host, "On a host there are no representors.", .source = OBSERVED_2_5, .host = true,
     .answer = "NOT_SUPPORTED") {
    open_device();
    struct doca_devinfo_rep **list;
    uint32_t count;
    const doca_error_t result = doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &count);
    if (result == DOCA_SUCCESS && !is_emulator()) {
        not_available("this is a DPU");
    }
    answer_code(result);
}

RULE(dev_representors_survive_device, "A list of representors stays valid after the device is closed.",
     .source = HEADER, .answer = "SUCCESS, SUCCESS, SUCCESS") {
    open_device();
    struct doca_devinfo_rep **list;
    uint32_t count = 0;
    if (doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &count) != DOCA_SUCCESS || count == 0) {
        not_available("the device has no representors");
    }
    char address[DOCA_DEVINFO_REP_PCI_ADDR_SIZE];
    CODE(doca_dev_close(dev));
    CODE(doca_devinfo_rep_get_pci_addr_str(list[0], address));
    CODE(doca_devinfo_rep_destroy_list(list));
}

RULE(dev_as_devinfo, "An open device returns its information, the same as in the list.", .source = OBSERVED_2_5,
     .answer = "yes") {
    struct doca_devinfo **list = list_devices();
    struct doca_dev *device;
    char listed[DOCA_DEVINFO_PCI_ADDR_SIZE];
    char opened[DOCA_DEVINFO_PCI_ADDR_SIZE];
    REQUIRE(doca_dev_open(list[0], &device));
    REQUIRE(doca_devinfo_get_pci_addr_str(list[0], listed));
    REQUIRE(doca_devinfo_get_pci_addr_str(doca_dev_as_devinfo(device), opened));
    answer_flag(strcmp(listed, opened) == 0);
}
