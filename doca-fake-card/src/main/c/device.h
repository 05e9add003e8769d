/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_DEVICE_H
#define CARD_DEVICE_H

#include <infiniband/verbs.h>

/*
 * The functions of the card, as libibverbs presents them to programs. libmlx5.so.1 implements the card;
 * libibverbs.so.1 only forwards to it.
 */

/* The index of the card's function to which a context belongs, from 0. */
int card_function(struct ibv_context *context);

struct ibv_device **fake_card_get_device_list(int *count);
void fake_card_free_device_list(struct ibv_device **list);
struct ibv_context *fake_card_open_device(struct ibv_device *device);
int fake_card_close_device(struct ibv_context *context);
struct ibv_pd *fake_card_alloc_pd(struct ibv_context *context);
int fake_card_dealloc_pd(struct ibv_pd *pd);
int fake_card_query_device(struct ibv_context *context, struct ibv_device_attr *attributes);
/* Fills only the part of the attributes that all versions of programs have. */
int fake_card_query_port(struct ibv_context *context, struct ibv_port_attr *attributes);
int fake_card_query_gid(struct ibv_context *context, int index, union ibv_gid *gid);

#endif
