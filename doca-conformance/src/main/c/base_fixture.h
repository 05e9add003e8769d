/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the fixtures of all releases: the memory, its map, and the device and inventory of a case. */
#ifndef CONFORMANCE_BASE_FIXTURE_H_
#define CONFORMANCE_BASE_FIXTURE_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "rule.h"
#include "sdk.h"
#include "sdk_functions.h"

/* Appends the result of a call to the answer. */
#define CODE(call) answer_code(call)

#define MEMORY_SIZE ((size_t)1 << 20)

extern uint8_t memory[MEMORY_SIZE];
extern struct doca_dev *dev;
extern struct doca_mmap *map;
extern struct doca_buf_inventory *inventory;

/* Opens the first device with DMA. */
void open_device(void);

/* Creates a map with the device and this range, not started. */
struct doca_mmap *configure_map(void *addr, size_t len, uint32_t permissions);

/* The same, started. */
struct doca_mmap *start_map(void *addr, size_t len, uint32_t permissions);

/* Fills the memory and maps it. */
void map_filled_memory(uint32_t permissions);

size_t data_len(const struct doca_buf *buf);

/*
 * Returns whether the two ranges are equal. All 64 byte blocks of the memory differ, so a copy to a wrong place is
 * detected.
 */
bool is_copied(size_t from, size_t to, size_t len);

#endif /* CONFORMANCE_BASE_FIXTURE_H_ */
