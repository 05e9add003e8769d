/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_MEMORY_H
#define CARD_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* The memory that a program has registered under a number, from an offset on; NULL if there is none. With the lock held. */
void *card_memory_at(uint32_t umem, uint64_t offset);

#endif
