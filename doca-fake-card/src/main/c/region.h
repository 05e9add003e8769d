/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_REGION_H
#define CARD_REGION_H

#include <infiniband/verbs.h>

/*
 * Memory regions: memory that is registered together with a key. The access rights are some of IBV_ACCESS_...; requests
 * address the region from the address on that its creator chose.
 */

struct ibv_mr *fake_card_reg_mr(struct ibv_pd *pd, void *memory, size_t length, uint64_t start, unsigned int access);

/* Registers a part of the memory of a file, which has to be mappable. */
struct ibv_mr *fake_card_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t start, int file,
                                       unsigned int access);

int fake_card_dereg_mr(struct ibv_mr *mr);

#endif
