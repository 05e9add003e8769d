/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CARD_ADDRESS_H
#define CARD_ADDRESS_H

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>

/* Address handles: how requests reach a port, from which programs read the MAC address of the port. */

struct ibv_ah *fake_card_create_ah(struct ibv_pd *pd, const struct ibv_ah_attr *attributes);
int fake_card_destroy_ah(struct ibv_ah *handle);

/* The address vector of a handle, for as long as the handle is there. */
struct mlx5_wqe_av *card_address_vector(struct ibv_ah *handle);

#endif
