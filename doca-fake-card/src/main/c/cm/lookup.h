/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CM_LOOKUP_H
#define CM_LOOKUP_H

#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

/* Finds the ports of the card by IP addresses. */

/* A port with an address. Constant. */
struct cm_port {
    struct ibv_context *verbs;
    uint8_t gid_index;
    union ibv_gid gid;
};

/* The size of an IPv4 or IPv6 address; 0 for another kind. */
socklen_t cm_address_size(const struct sockaddr *address);

uint16_t cm_port_of(const struct sockaddr *address);

void cm_set_port(struct sockaddr *address, uint16_t port);

/* Returns whether an address stands for all addresses of the machine. */
bool cm_is_any(const struct sockaddr *address);

/*
 * Finds the port of an address of this machine, where loopback addresses belong to the first function. Returns 0, or an errno:
 * ETIMEDOUT for another address of the network, ENODEV for an address to which the card has no route.
 */
int cm_find_port(const struct sockaddr *address, struct cm_port *port);

#endif
