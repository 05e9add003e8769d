/* SPDX-License-Identifier: Apache-2.0 */
#include <endian.h>
#include <string.h>

#include "bits.h"
#include "interface.h"
#include "network.h"
#include "settings.h"

/* The addresses of the first function; the last byte of each is the function's. */
static const uint8_t first_mac[CARD_MAC_BYTES] = {0xb8, 0x3f, 0xd2, 0x01, 0x00, 0x00};
static const uint8_t first_gids[][16] = {
    {0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0xba, 0x3f, 0xd2, 0xff, 0xfe, 0x01, 0, 0},
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 168, 100, 2},
    {0xfd, 0x00, 0xba, 0x3f, 0xd2, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2},
};

enum {
    ADDRESSES = sizeof(first_gids) / sizeof(first_gids[0]),
    /* RoCE v1 and v2. */
    VERSIONS = 2,
};

void
card_mac(int function, uint8_t mac[CARD_MAC_BYTES]) {
    memcpy(mac, first_mac, CARD_MAC_BYTES);
    mac[CARD_MAC_BYTES - 1] = (uint8_t)(mac[CARD_MAC_BYTES - 1] + function);
}

void
card_gid(int function, int index, union ibv_gid *gid) {
    memset(gid, 0, sizeof(*gid));
    if (card_settings()->infiniband) {
        if (index == 0) {
            gid->global.subnet_prefix = htobe64(UINT64_C(0xfe80000000000000));
            gid->global.interface_id = htobe64(CARD_FIRST_GUID + (uint64_t)function);
        }
        return;
    }
    if (index >= 0 && index < VERSIONS * ADDRESSES) {
        memcpy(gid->raw, first_gids[index / VERSIONS], sizeof(gid->raw));
        gid->raw[15] = (uint8_t)(gid->raw[15] + function);
    }
}

static bool
is_ipv4(const union ibv_gid *gid) {
    return memcmp(gid->raw, first_gids[1], 12) == 0;
}

void
card_query_roce_address(int function, const void *in, void *out, size_t out_size) {
    const int index = (int)card_bits(in, CARD_ROCE_INDEX, 16);
    if (index >= VERSIONS * ADDRESSES || out_size * 8 < CARD_ROCE_VERSION + 8) {
        return;
    }
    union ibv_gid gid;
    uint8_t mac[CARD_MAC_BYTES];
    card_gid(function, index, &gid);
    card_mac(function, mac);
    memcpy((uint8_t *)out + CARD_ROCE_ADDRESS_BYTE, gid.raw, sizeof(gid.raw));
    card_set_bits(out, CARD_ROCE_MAC_HIGH, 16, card_bits(mac, 0, 16));
    card_set_bits(out, CARD_ROCE_MAC_LOW, 32, card_bits(mac, 16, 32));
    card_set_bits(out, CARD_ROCE_L3_TYPE, 4, is_ipv4(&gid) ? CARD_ROCE_L3_IPV4 : CARD_ROCE_L3_IPV6);
    card_set_bits(out, CARD_ROCE_VERSION, 8, index % VERSIONS == 0 ? CARD_ROCE_V1 : CARD_ROCE_V2);
}

/* Finds the MAC address that a link-local address of a network interface contains. */
static bool
is_link_local(const union ibv_gid *gid, uint8_t mac[CARD_MAC_BYTES]) {
    static const uint8_t prefix[] = {0xfe, 0x80, 0, 0, 0, 0, 0, 0};
    if (memcmp(gid->raw, prefix, sizeof(prefix)) != 0 || gid->raw[11] != 0xff || gid->raw[12] != 0xfe) {
        return false;
    }
    memcpy(mac, gid->raw + 8, 3);
    memcpy(mac + 3, gid->raw + 13, 3);
    mac[0] ^= 0x02;
    return true;
}

bool
card_resolve_gid(const union ibv_gid *gid, uint8_t mac[CARD_MAC_BYTES]) {
    for (int function = 0; function < CARD_FUNCTIONS; function++) {
        for (int index = 0; index < VERSIONS * ADDRESSES; index += VERSIONS) {
            union ibv_gid own;
            card_gid(function, index, &own);
            if (memcmp(own.raw, gid->raw, sizeof(own.raw)) == 0) {
                card_mac(function, mac);
                return true;
            }
        }
    }
    return is_link_local(gid, mac);
}
