/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses for connection requests. IPv4 and IPv6 addresses are stored as GIDs, the former as IPv4-mapped addresses.
 */
#ifndef DOCA_EMULATOR_CM_ADDR_H_
#define DOCA_EMULATOR_CM_ADDR_H_

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_rdma.h>

#include "common/local_socket.h"
#include "common/object.h"

/* The content of a doca_rdma_addr that is sent to another process. */
struct cm_address {
    /* An enum doca_rdma_addr_type. */
    uint32_t type;
    uint16_t port;
    uint16_t reserved;
    uint8_t gid[DOCA_GID_BYTE_LENGTH];
};

struct doca_rdma_addr {
    struct object object;
    struct cm_address address;
    /* The text from the program. */
    char text[INET6_ADDRSTRLEN + 32];
    /* The number of connections that use it. The last one frees an address that the program has destroyed. */
    uint32_t num_users;
    bool is_destroyed;
    /* True if it belongs to the connection of a server. */
    bool is_of_request;
};

/* Returns whether it is valid; used for addresses from other processes. */
bool rdma_cm_address_is_valid(const struct cm_address *address);

/* Returns whether it is a loopback address: 127.0.0.0/8 and ::1. */
bool rdma_cm_address_is_loopback(const struct cm_address *address);

/* Writes the name of the socket of a listener at that address. */
void rdma_cm_address_make_name(const struct cm_address *address, char name[LOCAL_SOCKET_NAME_SIZE]);

/* Returns whether the program's address object is live; if not, logs that. */
bool rdma_cm_addr_is_live(const struct doca_rdma_addr *addr);

/* Creates an address object with the usual text of the address. Returns NULL without memory. */
struct doca_rdma_addr *rdma_cm_addr_create(const struct cm_address *address);

void rdma_cm_addr_destroy(struct doca_rdma_addr *addr);

#endif /* DOCA_EMULATOR_CM_ADDR_H_ */
