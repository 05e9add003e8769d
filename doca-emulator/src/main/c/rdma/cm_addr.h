/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Addresses that connections are asked for at. IPv4 and IPv6 addresses are GIDs as well, the former as IPv4-mapped
 * ones, so that inside there is one kind only.
 */
#ifndef DOCA_EMULATOR_CM_ADDR_H_
#define DOCA_EMULATOR_CM_ADDR_H_

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_rdma.h>

#include "common/local_socket.h"
#include "common/object.h"

/* The content of a doca_rdma_addr, in a form that can be sent to another process. */
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
    /* As the program gave it. */
    char text[INET6_ADDRSTRLEN + 32];
    /* The number of connections that have it. */
    uint32_t num_users;
};

/* Returns whether another process can have made it. */
bool rdma_cm_address_is_valid(const struct cm_address *address);

/* The address of the machine itself: 127.0.0.0/8 and ::1. */
bool rdma_cm_address_is_loopback(const struct cm_address *address);

/* Makes the name of the socket of a listener at that address. */
void rdma_cm_address_make_name(const struct cm_address *address, char name[LOCAL_SOCKET_NAME_SIZE]);

/* The address object that a program gave; false, with a record in the log, when it is no live one. */
bool rdma_cm_addr_is_live(const struct doca_rdma_addr *addr);

/* An address object with the usual text of the address, or NULL without memory. */
struct doca_rdma_addr *rdma_cm_addr_create(const struct cm_address *address);

void rdma_cm_addr_destroy(struct doca_rdma_addr *addr);

#endif /* DOCA_EMULATOR_CM_ADDR_H_ */
