/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_BITS_H
#define CARD_BITS_H

#include <stdint.h>

/*
 * Fields of the structures that software and the device exchange: big-endian, and numbered in bits from the start of their
 * structure, as interface descriptions of mlx5 number them.
 */

static inline uint64_t
card_bits(const void *structure, unsigned int offset, unsigned int width) {
    const uint8_t *bytes = structure;
    uint64_t value = 0;
    for (unsigned int bit = offset; bit < offset + width; bit++) {
        value = value << 1 | (bytes[bit / 8] >> (7 - bit % 8) & 1);
    }
    return value;
}

static inline void
card_set_bits(void *structure, unsigned int offset, unsigned int width, uint64_t value) {
    uint8_t *bytes = structure;
    for (unsigned int i = 0; i < width; i++) {
        const unsigned int bit = offset + i;
        const uint8_t mask = (uint8_t)(1u << (7 - bit % 8));
        if (value >> (width - 1 - i) & 1) {
            bytes[bit / 8] |= mask;
        } else {
            bytes[bit / 8] &= (uint8_t)~mask;
        }
    }
}

#endif
