/* SPDX-License-Identifier: Apache-2.0 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "address.h"
#include "log.h"
#include "network.h"
#include "settings.h"

#define STATIC_RATE_SHIFT 4
#define GLOBAL_FLAG (1u << 30)
#define SOURCE_GID_SHIFT 20
#define FLOW_LABEL_MASK 0xfffffu

/* Constant. */
struct card_address {
    struct ibv_ah handle;
    struct mlx5_wqe_av vector;
};

static void
describe_route(struct mlx5_wqe_av *vector, const struct ibv_global_route *route) {
    memcpy(vector->rgid, route->dgid.raw, sizeof(vector->rgid));
    vector->grh_gid_fl =
        htobe32(GLOBAL_FLAG | (uint32_t)route->sgid_index << SOURCE_GID_SHIFT | (route->flow_label & FLOW_LABEL_MASK));
    vector->hop_limit = route->hop_limit;
    vector->tclass = route->traffic_class;
}

struct ibv_ah *
fake_card_create_ah(struct ibv_pd *pd, const struct ibv_ah_attr *attributes) {
    /* RoCE finds ports by their GIDs only. */
    if (attributes->port_num != 1 || (!card_settings()->infiniband && !attributes->is_global)) {
        errno = EINVAL;
        return NULL;
    }
    struct card_address *address = calloc(1, sizeof(*address));
    if (address == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    address->handle.context = pd->context;
    address->handle.pd = pd;
    address->vector.stat_rate_sl = (uint8_t)(attributes->static_rate << STATIC_RATE_SHIFT | (attributes->sl & 0xf));
    if (attributes->is_global) {
        describe_route(&address->vector, &attributes->grh);
    }
    if (card_settings()->infiniband) {
        address->vector.rlid = htobe16(attributes->dlid);
        address->vector.fl_mlid = attributes->src_path_bits & 0x7f;
    } else if (!card_resolve_gid(&attributes->grh.dgid, address->vector.rmac)) {
        card_log(CARD_LOG_COMMANDS, "no port has the GID %016lx%016lx",
                 (unsigned long)be64toh(attributes->grh.dgid.global.subnet_prefix),
                 (unsigned long)be64toh(attributes->grh.dgid.global.interface_id));
        free(address);
        errno = ENETUNREACH;
        return NULL;
    }
    return &address->handle;
}

int
fake_card_destroy_ah(struct ibv_ah *handle) {
    free(handle);
    return 0;
}

struct mlx5_wqe_av *
card_address_vector(struct ibv_ah *handle) {
    return &((struct card_address *)handle)->vector;
}
