/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <doca_dev.h>

#include "rdma/cm_listener.h"

static bool
has_address(const struct cm_listener *listener, const uint8_t gid[DOCA_GID_BYTE_LENGTH]) {
    for (uint32_t i = 0; i < listener->num_sockets; i++) {
        if (memcmp(listener->addresses[i].gid, gid, DOCA_GID_BYTE_LENGTH) == 0) {
            return true;
        }
    }
    return false;
}

/* Listens at one more address. */
static doca_error_t
add_address(struct cm_listener *listener, const uint8_t gid[DOCA_GID_BYTE_LENGTH]) {
    struct cm_address *address = &listener->addresses[listener->num_sockets];
    char name[LOCAL_SOCKET_NAME_SIZE];
    if (has_address(listener, gid)) {
        return DOCA_SUCCESS;
    }
    address->port = listener->port;
    memcpy(address->gid, gid, DOCA_GID_BYTE_LENGTH);
    rdma_cm_address_make_name(address, name);
    const doca_error_t result = local_socket_listen(name, &listener->sockets[listener->num_sockets]);
    if (result == DOCA_SUCCESS) {
        listener->num_sockets++;
    }
    return result;
}

/* Also listens at the addresses of the interface, which the GID table lacks on InfiniBand. */
static doca_error_t
add_ip_addresses(struct cm_listener *listener, const struct doca_devinfo *devinfo) {
    uint8_t ipv4[DOCA_GID_BYTE_LENGTH] = {[10] = 0xff, [11] = 0xff};
    uint8_t ipv6[DOCA_DEVINFO_IPV6_ADDR_SIZE];
    doca_error_t result = doca_devinfo_get_ipv4_addr(devinfo, ipv4 + 12, DOCA_DEVINFO_IPV4_ADDR_SIZE);
    if (result == DOCA_SUCCESS) {
        result = add_address(listener, ipv4);
    }
    if (result == DOCA_SUCCESS || result == DOCA_ERROR_NOT_FOUND) {
        result = doca_devinfo_get_ipv6_addr(devinfo, ipv6, sizeof(ipv6));
    }
    return result == DOCA_SUCCESS ? add_address(listener, ipv6) : result;
}

static doca_error_t
add_device(struct cm_listener *listener, const struct doca_devinfo *devinfo) {
    const struct device_gids *gids = devinfo_gids(devinfo);
    doca_error_t result = DOCA_SUCCESS;
    for (uint32_t i = 0; i < gids->num_gids && result == DOCA_SUCCESS; i++) {
        result = add_address(listener, gids->raw[i]);
    }
    return result == DOCA_SUCCESS ? add_ip_addresses(listener, devinfo) : result;
}

doca_error_t
rdma_cm_listener_create(const struct doca_devinfo *devinfo, uint16_t port, struct cm_listener **listener) {
    static const uint8_t loopback[DOCA_GID_BYTE_LENGTH] = {[15] = 1};
    struct cm_listener *created = calloc(1, sizeof(*created));
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    created->port = port;
    doca_error_t result = add_device(created, devinfo);
    if (result == DOCA_SUCCESS) {
        result = add_address(created, loopback);
        /* Contexts of several devices may have the same port. */
        result = result == DOCA_ERROR_IN_USE ? DOCA_SUCCESS : result;
    }
    if (result != DOCA_SUCCESS) {
        rdma_cm_listener_destroy(created, false);
        return result;
    }
    *listener = created;
    return DOCA_SUCCESS;
}

void
rdma_cm_listener_destroy(struct cm_listener *listener, bool inherited) {
    for (uint32_t i = 0; i < listener->num_sockets; i++) {
        local_socket_close(&listener->sockets[i], inherited);
    }
    free(listener);
}
