/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_NETWORK_H
#define CARD_NETWORK_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The addresses of the card's functions. make-sys-tree writes the same ones, and sys_preload.c gives them to the
 * interfaces.
 */

enum {
    CARD_FUNCTIONS = 2,
    CARD_MAC_BYTES = 6,
};

#define CARD_FIRST_GUID UINT64_C(0xb83fd20300010000)

/* Stores the MAC address of a function. */
void card_mac(int function, uint8_t mac[CARD_MAC_BYTES]);

/*
 * Stores an entry of a function's GID table, which is zero where the table has no address. A RoCE port has each address two
 * times, for RoCE v1 and v2: link-local, IPv4, IPv6.
 */
void card_gid(int function, int index, union ibv_gid *gid);

/* Answers a CARD_QUERY_ROCE_ADDRESS command: an entry of a function's GID table, with its version of RoCE. */
void card_query_roce_address(int function, const void *in, void *out, size_t out_size);

/* Finds the MAC address of the port with a GID. Returns false if the network has none. */
bool card_resolve_gid(const union ibv_gid *gid, uint8_t mac[CARD_MAC_BYTES]);

#endif
