/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "bits.h"
#include "capabilities.h"
#include "interface.h"
#include "network.h"
#include "object.h"
#include "peer.h"
#include "settings.h"

/* The reply's capabilities follow its header. */
#define HEADER_BYTES 16

/* The queried group: all but the lowest bit of the operation, which selects the maximum or the current values. */
enum {
    GENERAL = 0x0,
    ATOMIC = 0x3,
    ROCE = 0x4,
    GENERAL_2 = 0x20,
};

/* A field of the capabilities, in bits from their start. */
struct field {
    unsigned int offset;
    unsigned int width;
    uint64_t value;
};

static void
set(void *capabilities, size_t size, const struct field *fields, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if ((size_t)fields[i].offset + fields[i].width <= 8 * size) {
            card_set_bits(capabilities, fields[i].offset, fields[i].width, fields[i].value);
        }
    }
}

#define SET(capabilities, size, fields) set(capabilities, size, fields, sizeof(fields) / sizeof((fields)[0]))

static void
set_general(int function, void *capabilities, size_t size) {
    const struct card_settings *settings = card_settings();
    card_lock();
    const uint32_t vhca = card_vhca(function);
    card_unlock();
    const struct field fields[] = {
        /* Further capabilities exist. */
        {.offset = 32, .width = 1, .value = 1},
        /* The number of the function. */
        {.offset = 48, .width = 16, .value = vhca},
        /* Log2 of the largest copy. */
        {.offset = 107, .width = 5, .value = (uint64_t)settings->log_dma_size},
        /* Log2 of the largest shared receive queue, of their number, and of the largest queue and number of queue pairs. */
        {.offset = 128, .width = 8, .value = 15},
        {.offset = 136, .width = 8, .value = 15},
        {.offset = 155, .width = 5, .value = 17},
        {.offset = 171, .width = 5, .value = 20},
        {.offset = 186, .width = 1, .value = 1},
        /* The same for completion queues. */
        {.offset = 200, .width = 8, .value = 22},
        {.offset = 219, .width = 5, .value = 24},
        /* Relaxed ordering of writes and reads, and log2 of the number of keys. */
        {.offset = 232, .width = 1, .value = 1},
        {.offset = 233, .width = 1, .value = 1},
        {.offset = 234, .width = 6, .value = 24},
        /* Log2 of concurrent reads and atomic operations, as responder and as requester. */
        {.offset = 330, .width = 6, .value = 4},
        {.offset = 346, .width = 6, .value = 4},
        /* Copies by send queues. */
        {.offset = 339, .width = 1, .value = settings->dma_by_sq},
        /* The code of 128 GIDs. */
        {.offset = 368, .width = 16, .value = 3},
        {.offset = 417, .width = 1, .value = 1},
        /* The function manages the switch. */
        {.offset = 423, .width = 1, .value = settings->eswitch},
        /* Ethernet, and one port. */
        {.offset = 438, .width = 2, .value = !settings->infiniband},
        {.offset = 440, .width = 8, .value = 1},
        /* Log2 of the longest message. */
        {.offset = 451, .width = 5, .value = 30},
        {.offset = 504, .width = 1, .value = 1},
        /* Completions of the form that rdma-core calls 1. */
        {.offset = 508, .width = 4, .value = 1},
        /* Dynamic connections, RoCE, atomic operations. */
        {.offset = 538, .width = 1, .value = 1},
        {.offset = 541, .width = 1, .value = 1},
        {.offset = 542, .width = 1, .value = 1},
        {.offset = 556, .width = 1, .value = 1},
        {.offset = 572, .width = 4, .value = 15},
        /* Doorbell pages of 4 KiB. */
        {.offset = 576, .width = 1, .value = 1},
        /* Bytes of the longest request of a send queue and of a receive queue. */
        {.offset = 656, .width = 16, .value = 1024},
        {.offset = 688, .width = 16, .value = 512},
        /* Log2 of the limits of other objects that programs query. */
        {.offset = 811, .width = 5, .value = 23},
        {.offset = 867, .width = 5, .value = 20},
        {.offset = 875, .width = 5, .value = 20},
        {.offset = 898, .width = 1, .value = 1},
        {.offset = 899, .width = 5, .value = 20},
        {.offset = 929, .width = 1, .value = 1},
        {.offset = 987, .width = 5, .value = 15},
        /* All kinds of general objects. */
        {.offset = 1024, .width = 64, .value = UINT64_MAX},
        /* Keys of other functions. */
        {.offset = 1458, .width = 1, .value = settings->crossing},
        /* Copies by queue pairs. */
        {.offset = 1864, .width = 1, .value = settings->dma_by_qp},
    };
    SET(capabilities, size, fields);
}

static void
set_general_2(void *capabilities, size_t size) {
    /* The objects that may have an alias in another function, and their possible users. */
    const struct field fields[] = {
        {.offset = 224, .width = 32, .value = UINT32_MAX},
        {.offset = 256, .width = 64, .value = UINT64_MAX},
        {.offset = 448, .width = 64, .value = UINT64_MAX},
    };
    SET(capabilities, size, fields);
}

static void
set_atomic(void *capabilities, size_t size) {
    /* All sizes and operations. */
    memset(capabilities, 0xff, size < 64 ? size : 64);
}

static void
set_roce(void *capabilities, size_t size) {
    const struct field fields[] = {
        {.offset = 4, .width = 3, .value = 7},
        /* L3 types, and the versions of RoCE. */
        {.offset = 140, .width = 4, .value = 3},
        {.offset = 152, .width = 8, .value = 7},
        /* The destination port of UDP, and the source ports from the last to the first. */
        {.offset = 176, .width = 16, .value = 4791},
        {.offset = 192, .width = 16, .value = 0xffff},
        {.offset = 208, .width = 16, .value = 0xc000},
        /* Addresses. */
        {.offset = 240, .width = 16, .value = 255},
    };
    SET(capabilities, size, fields);
}

void
card_query_capabilities(int function, const void *in, void *out, size_t out_size) {
    if (out_size <= HEADER_BYTES) {
        return;
    }
    void *capabilities = (char *)out + HEADER_BYTES;
    const size_t size = out_size - HEADER_BYTES;
    switch (card_bits(in, CARD_IN_OPERATION, 16) >> 1) {
    case GENERAL:
        set_general(function, capabilities, size);
        break;
    case GENERAL_2:
        set_general_2(capabilities, size);
        break;
    case ATOMIC:
        set_atomic(capabilities, size);
        break;
    case ROCE:
        set_roce(capabilities, size);
        break;
    default:
        break;
    }
}

void
card_query_vport(int function, void *out, size_t out_size) {
    uint8_t mac[CARD_MAC_BYTES];
    card_mac(function, mac);
    const struct field fields[] = {
        {.offset = CARD_VPORT_MAC_HIGH, .width = 16, .value = card_bits(mac, 0, 16)},
        {.offset = CARD_VPORT_MAC_LOW, .width = 32, .value = card_bits(mac, 16, 32)},
    };
    SET(out, out_size, fields);
}
