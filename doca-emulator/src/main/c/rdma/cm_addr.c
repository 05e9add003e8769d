/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "common/property.h"
#include "common/sdk_log.h"
#include "common/settings.h"
#include "rdma/cm_addr.h"

static struct object_class addr_class = OBJECT_CLASS("rdma address", struct doca_rdma_addr);

/* The first twelve bytes of an IPv4-mapped address. */
static const uint8_t ipv4_prefix[12] = {[10] = 0xff, [11] = 0xff};

static bool
is_ipv4(const uint8_t gid[DOCA_GID_BYTE_LENGTH]) {
    return memcmp(gid, ipv4_prefix, sizeof(ipv4_prefix)) == 0;
}

static const char *
type_name(enum doca_rdma_addr_type type) {
    switch (type) {
    case DOCA_RDMA_ADDR_TYPE_IPv4:
        return "IPv4 address";
    case DOCA_RDMA_ADDR_TYPE_IPv6:
        return "IPv6 address";
    case DOCA_RDMA_ADDR_TYPE_GID:
        return "GID";
    }
    return "address";
}

static bool
parse_ipv4(const char *text, uint8_t gid[DOCA_GID_BYTE_LENGTH]) {
    memcpy(gid, ipv4_prefix, sizeof(ipv4_prefix));
    return inet_pton(AF_INET, strcmp(text, "localhost") == 0 ? "127.0.0.1" : text, gid + sizeof(ipv4_prefix)) == 1;
}

/* Parses an address without the zone after a '%': no two devices have the same link-local address. */
static bool
parse_ipv6(const char *text, uint8_t gid[DOCA_GID_BYTE_LENGTH]) {
    char digits[INET6_ADDRSTRLEN];
    const size_t len = strcspn(text, "%");
    if (len >= sizeof(digits)) {
        return false;
    }
    memcpy(digits, text, len);
    digits[len] = '\0';
    return inet_pton(AF_INET6, strcmp(digits, "localhost") == 0 ? "::1" : digits, gid) == 1;
}

static bool
parse(enum doca_rdma_addr_type type, const char *text, uint8_t gid[DOCA_GID_BYTE_LENGTH]) {
    switch (type) {
    case DOCA_RDMA_ADDR_TYPE_IPv4:
        return parse_ipv4(text, gid);
    case DOCA_RDMA_ADDR_TYPE_IPv6:
        return parse_ipv6(text, gid);
    case DOCA_RDMA_ADDR_TYPE_GID:
        return inet_pton(AF_INET6, text, gid) == 1;
    }
    return false;
}

bool
rdma_cm_address_is_valid(const struct cm_address *address) {
    return address->port != 0 && address->type <= DOCA_RDMA_ADDR_TYPE_GID &&
           (address->type != DOCA_RDMA_ADDR_TYPE_IPv4 || is_ipv4(address->gid));
}

bool
rdma_cm_address_is_loopback(const struct cm_address *address) {
    return is_ipv4(address->gid) ? address->gid[sizeof(ipv4_prefix)] == 127
                                 : memcmp(address->gid, &in6addr_loopback, sizeof(in6addr_loopback)) == 0;
}

/* The host and the DPU are separate machines, each with its loopback interface. */
void
rdma_cm_address_make_name(const struct cm_address *address, char name[LOCAL_SOCKET_NAME_SIZE]) {
    if (rdma_cm_address_is_loopback(address)) {
        const bool on_host = emulator_settings()->role == EMULATOR_ROLE_HOST;
        snprintf(name, LOCAL_SOCKET_NAME_SIZE, "loopback-%s-%u", on_host ? "host" : "dpu", address->port);
        return;
    }
    size_t len = 0;
    for (size_t i = 0; i < sizeof(address->gid); i++) {
        len += (size_t)snprintf(name + len, LOCAL_SOCKET_NAME_SIZE - len, "%02x", address->gid[i]);
    }
    snprintf(name + len, LOCAL_SOCKET_NAME_SIZE - len, "-%u", address->port);
}

bool
rdma_cm_addr_is_live(const struct doca_rdma_addr *addr) {
    return IS_LIVE(addr_class, addr);
}

struct doca_rdma_addr *
rdma_cm_addr_create(const struct cm_address *address) {
    struct doca_rdma_addr *addr = object_create(&addr_class);
    if (addr == NULL) {
        return NULL;
    }
    addr->address = *address;
    if (address->type == DOCA_RDMA_ADDR_TYPE_IPv4) {
        inet_ntop(AF_INET, address->gid + sizeof(ipv4_prefix), addr->text, sizeof(addr->text));
    } else {
        inet_ntop(AF_INET6, address->gid, addr->text, sizeof(addr->text));
    }
    return addr;
}

void
rdma_cm_addr_destroy(struct doca_rdma_addr *addr) {
    object_destroy(&addr_class, addr);
}

/*
 * The API
 */

doca_error_t
doca_rdma_addr_create(
        enum doca_rdma_addr_type addr_type, const char *address, uint16_t port, struct doca_rdma_addr **addr) {
    struct cm_address parsed = {.type = addr_type, .port = port};
    if (address == NULL || addr == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: %s is NULL", address == NULL ? "address" : "addr");
    }
    if (addr_type > DOCA_RDMA_ADDR_TYPE_GID) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: %d is no type of address", (int)addr_type);
    }
    if (port == 0) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: port 0");
    }
    if (strlen(address) >= sizeof((*addr)->text) || !parse(addr_type, address, parsed.gid)) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: \"%.128s\" is no %s", address,
                          type_name(addr_type));
    }
    struct doca_rdma_addr *created = rdma_cm_addr_create(&parsed);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    strcpy(created->text, address);
    *addr = created;
    return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_addr_destroy(struct doca_rdma_addr *addr) {
    if (!rdma_cm_addr_is_live(addr)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (addr->is_of_request || addr->is_destroyed) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "RDMA address %p: Failed to destroy: %s", addr,
                          addr->is_destroyed ? "was destroyed before" : "it is of a connection request");
    }
    addr->is_destroyed = true;
    if (addr->num_users == 0) {
        rdma_cm_addr_destroy(addr);
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_rdma_addr_get_params(
        struct doca_rdma_addr *addr, enum doca_rdma_addr_type *addr_type, const char **address, uint16_t *port) {
    if (!rdma_cm_addr_is_live(addr)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (addr_type == NULL || address == NULL || port == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "RDMA address %p: Invalid input: %s is NULL", addr,
                          addr_type == NULL ? "addr_type" : address == NULL ? "address" : "port");
    }
    *addr_type = addr->address.type;
    *address = addr->text;
    *port = addr->address.port;
    return DOCA_SUCCESS;
}
