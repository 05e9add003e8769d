/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fields in numbers of 8 bits, and in numbers of 16 and 32 bits in network order. A mask has the bits of one field.
 */
#ifndef DOCA_BITFIELD_H_
#define DOCA_BITFIELD_H_

#include <arpa/inet.h>

#include <doca_types.h>

API_HEADER(common, 3.0)

/* The position of the lowest bit of a mask. */
#define DOCA_SHIFT(mask) (__builtin_ffsll(mask) - 1)

#define DOCA_HTOBE16(value) htons(value)
#define DOCA_HTOBE32(value) htonl(value)
#define DOCA_BETOH16(value) ntohs(value)
#define DOCA_BETOH32(value) ntohl(value)

/* Masks of the bits from `low` to `high`; those with a P write the mask to a pointer. */
#define DOCA_U8_GENMASK(high, low) ((uint8_t)(UINT8_MAX >> (7 - (high)) & UINT8_MAX << (low)))
#define DOCA_BE16_GENMASK(high, low) DOCA_HTOBE16((uint16_t)(UINT16_MAX >> (15 - (high)) & UINT16_MAX << (low)))
#define DOCA_BE32_GENMASK(high, low) DOCA_HTOBE32(UINT32_MAX >> (31 - (high)) & UINT32_MAX << (low))
#define DOCA_U8P_GENMASK(high, low, pointer) ((void)(*(uint8_t *)(pointer) = DOCA_U8_GENMASK(high, low)))
#define DOCA_BE16P_GENMASK(high, low, pointer) ((void)(*(doca_be16_t *)(pointer) = DOCA_BE16_GENMASK(high, low)))
#define DOCA_BE32P_GENMASK(high, low, pointer) ((void)(*(doca_be32_t *)(pointer) = DOCA_BE32_GENMASK(high, low)))

/* A field with a value; those with a P add it to a number that is zero there. */
#define DOCA_U8_SET(mask, value) ((value) << DOCA_SHIFT(mask) & (mask))
#define DOCA_BE16_SET(mask, value) (DOCA_HTOBE16((value) << DOCA_SHIFT(DOCA_BETOH16(mask))) & (mask))
#define DOCA_BE32_SET(mask, value) (DOCA_HTOBE32((value) << DOCA_SHIFT(DOCA_BETOH32(mask))) & (mask))
#define DOCA_U8P_SET(mask, value, pointer) ((void)(*(uint8_t *)(pointer) |= DOCA_U8_SET(mask, value)))
#define DOCA_BE16P_SET(mask, value, pointer) ((void)(*(doca_be16_t *)(pointer) |= DOCA_BE16_SET(mask, value)))
#define DOCA_BE32P_SET(mask, value, pointer) ((void)(*(doca_be32_t *)(pointer) |= DOCA_BE32_SET(mask, value)))

/* The value of a field. */
#define DOCA_U8_GET(mask, number) (((mask) & (number)) >> DOCA_SHIFT(mask))
#define DOCA_BE16_GET(mask, number) (DOCA_BETOH16((mask) & (number)) >> DOCA_SHIFT(DOCA_BETOH16(mask)))
#define DOCA_BE32_GET(mask, number) (DOCA_BETOH32((mask) & (number)) >> DOCA_SHIFT(DOCA_BETOH32(mask)))

#endif /* DOCA_BITFIELD_H_ */
