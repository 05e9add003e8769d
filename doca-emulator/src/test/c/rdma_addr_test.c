/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of connections, and the GIDs of devices. */
#include <arpa/inet.h>

#include <doca_rdma.h>

#include "fixture.h"
#include "sdk_errors.h"

#define TABLE_SIZE 255

static void
check_address(enum doca_rdma_addr_type type, const char *text, uint16_t port) {
    struct doca_rdma_addr *addr;
    enum doca_rdma_addr_type actual_type;
    const char *actual_text;
    uint16_t actual_port;
    REQUIRE_SUCCESS(doca_rdma_addr_create(type, text, port, &addr));
    CHECK_SUCCESS(doca_rdma_addr_get_params(addr, &actual_type, &actual_text, &actual_port));
    CHECK_EQUAL(type, actual_type);
    CHECK_STRING(text, actual_text);
    CHECK_EQUAL(port, actual_port);
    CHECK_SUCCESS(doca_rdma_addr_destroy(addr));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_addr_destroy(addr));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_addr_get_params(addr, &actual_type, &actual_text, &actual_port));
}

static void
an_address_is_as_it_was_given(void) {
    check_address(DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.7", 1);
    check_address(DOCA_RDMA_ADDR_TYPE_IPv4, "localhost", 13579);
    check_address(DOCA_RDMA_ADDR_TYPE_IPv6, "2001:db8::7", 65535);
    check_address(DOCA_RDMA_ADDR_TYPE_IPv6, "fe80::d0:caff:fe00:1%p0", 13579);
    check_address(DOCA_RDMA_ADDR_TYPE_IPv6, "localhost", 13579);
    check_address(DOCA_RDMA_ADDR_TYPE_GID, "fe80:0000:0000:0000:00d0:caff:fe00:0001", 13579);
    check_address(DOCA_RDMA_ADDR_TYPE_GID, "::ffff:192.0.2.7", 13579);
}

static void
check_refused(enum doca_rdma_addr_type type, const char *text, const char *reason) {
    struct doca_rdma_addr *addr;
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_addr_create(type, text, 13579, &addr));
    check_logged(reason);
}

static void
an_invalid_address_is_refused(void) {
    char long_text[200];
    struct doca_rdma_addr *addr;
    memset(long_text, '1', sizeof(long_text));
    long_text[sizeof(long_text) - 1] = '\0';
    check_refused(DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.256", "\"192.0.2.256\" is no IPv4 address");
    check_refused(DOCA_RDMA_ADDR_TYPE_IPv4, "::1", "\"::1\" is no IPv4 address");
    check_refused(DOCA_RDMA_ADDR_TYPE_IPv4, "", "\"\" is no IPv4 address");
    check_refused(DOCA_RDMA_ADDR_TYPE_IPv4, long_text, "111\" is no IPv4 address");
    check_refused(DOCA_RDMA_ADDR_TYPE_IPv6, "192.0.2.7", "\"192.0.2.7\" is no IPv6 address");
    check_refused(DOCA_RDMA_ADDR_TYPE_IPv6, "%p0", "\"%p0\" is no IPv6 address");
    check_refused(DOCA_RDMA_ADDR_TYPE_IPv6, long_text, "111\" is no IPv6 address");
    check_refused(DOCA_RDMA_ADDR_TYPE_GID, "localhost", "\"localhost\" is no GID");
    check_refused(DOCA_RDMA_ADDR_TYPE_GID, "fe80::1%p0", "\"fe80::1%p0\" is no GID");
    check_refused((enum doca_rdma_addr_type)3, "::1", "3 is no type of address");
    check_refused(DOCA_RDMA_ADDR_TYPE_GID, NULL, "address is NULL");
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "port 0",
                  doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", 0, &addr));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "addr is NULL",
                  doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", 1, NULL));
}

static void
params_need_a_place(void) {
    struct doca_rdma_addr *addr;
    enum doca_rdma_addr_type type;
    const char *text;
    uint16_t port;
    REQUIRE_SUCCESS(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", 1, &addr));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "addr_type is NULL", doca_rdma_addr_get_params(addr, NULL, &text, &port));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "address is NULL", doca_rdma_addr_get_params(addr, &type, NULL, &port));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "port is NULL", doca_rdma_addr_get_params(addr, &type, &text, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_addr_get_params(NULL, &type, &text, &port));
    CHECK_SUCCESS(doca_rdma_addr_destroy(addr));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "", doca_rdma_addr_destroy(NULL));
}

/*
 * GIDs
 */

/* Checks the first entries of the table; all others must be empty. */
static void
check_gids(struct doca_dev *dev, const char *const *expected, uint32_t num_expected) {
    static const struct doca_rdma_gid none;
    struct doca_rdma_gid gids[TABLE_SIZE];
    memset(gids, 0xee, sizeof(gids));
    REQUIRE_SUCCESS(doca_rdma_cap_get_gid(doca_dev_as_devinfo(dev), 0, TABLE_SIZE, gids));
    for (uint32_t i = 0; i < TABLE_SIZE; i++) {
        char text[INET6_ADDRSTRLEN];
        inet_ntop(AF_INET6, gids[i].raw, text, sizeof(text));
        if (i < num_expected) {
            CHECK_STRING(expected[i], text);
        } else if (memcmp(&gids[i], &none, sizeof(none)) != 0) {
            CHECK_FAILED("GID %u is %s", i, text);
        }
    }
}

static void
a_port_has_a_gid_of_its_own(void) {
    static const char *const expected[] = {"fe80::d0:caff:fe00:1", "fe80::d0:caff:fe00:1"};
    struct doca_dev *dev = open_device("mlx5_1");
    uint8_t ipv6[DOCA_DEVINFO_IPV6_ADDR_SIZE];
    struct doca_rdma_gid gid;
    uint32_t size;
    check_gids(dev, expected, 2);
    CHECK_SUCCESS(doca_devinfo_get_ipv6_addr(doca_dev_as_devinfo(dev), ipv6, sizeof(ipv6)));
    CHECK_SUCCESS(doca_rdma_cap_get_gid(doca_dev_as_devinfo(dev), 1, 1, &gid));
    CHECK(memcmp(ipv6, gid.raw, sizeof(ipv6)) == 0);
    CHECK_SUCCESS(doca_rdma_cap_get_gid_table_size(doca_dev_as_devinfo(dev), &size));
    CHECK_EQUAL(TABLE_SIZE, size);
    CHECK_SUCCESS(doca_dev_close(dev));
}

static void
entries_outside_the_table_are_refused(void) {
    struct doca_dev *dev = open_device("mlx5_0");
    const struct doca_devinfo *devinfo = doca_dev_as_devinfo(dev);
    struct doca_rdma_gid gids[2];
    uint32_t size;
    CHECK_SUCCESS(doca_rdma_cap_get_gid(devinfo, TABLE_SIZE - 2, 2, gids));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "2 entries from index 254, the table has 255",
                  doca_rdma_cap_get_gid(devinfo, TABLE_SIZE - 1, 2, gids));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_cap_get_gid(devinfo, TABLE_SIZE, 1, gids));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_cap_get_gid(devinfo, UINT32_MAX, 2, gids));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_cap_get_gid(devinfo, 0, UINT32_MAX, gids));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_cap_get_gid(devinfo, 0, 0, gids));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "gid_array is NULL", doca_rdma_cap_get_gid(devinfo, 0, 1, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_cap_get_gid(NULL, 0, 1, gids));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_cap_get_gid_table_size(NULL, &size));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "gid_table_size is NULL", doca_rdma_cap_get_gid_table_size(devinfo, NULL));
    CHECK_SUCCESS(doca_dev_close(dev));
}

/* Each GID has an entry for RoCE v1 and one for v2. InfiniBand has no versions, and only GIDs of ports. */
static void
addresses_of_the_interface_are_gids(void) {
    static const char *const of_ethernet[] = {"fe80::e42:a1ff:feff:1", "fe80::e42:a1ff:feff:1", "::ffff:192.0.2.7",
                                              "::ffff:192.0.2.7",      "2001:db8::7",           "2001:db8::7"};
    static const char *const of_infiniband[] = {"fe80::e42:a1ff:feff:2"};
    struct doca_dev *ethernet = open_device("mlx5_0");
    struct doca_dev *infiniband = open_device("mlx5_1");
    check_gids(ethernet, of_ethernet, 6);
    check_gids(infiniband, of_infiniband, 1);
    CHECK_SUCCESS(doca_dev_close(ethernet));
    CHECK_SUCCESS(doca_dev_close(infiniband));
}

static void
run(void) {
    keep_errors();
    an_address_is_as_it_was_given();
    last_error[0] = '\0';
    an_invalid_address_is_refused();
    params_need_a_place();
    a_port_has_a_gid_of_its_own();
    entries_outside_the_table_are_refused();
}

int
main(void) {
    static const char topology[] = "[dpu mlx5_0]\npci = 03:00.0\nmac = 0c:42:a1:ff:00:01\nipv4 = 192.0.2.7\n"
                                   "ipv6 = 2001:db8::7\n"
                                   "[dpu mlx5_1]\npci = 03:00.1\npf = 1\nlink = infiniband\nmac = 0c:42:a1:ff:00:02\n"
                                   "ipv4 = 192.0.2.8\n";
    check_with_topology(topology, addresses_of_the_interface_are_gids);
    run();
    return check_result();
}
