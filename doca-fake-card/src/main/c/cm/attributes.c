/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "id.h"

/* The attributes that a program gives the queue pair of a connection. */

/* 4.096 us * 2^14 */
#define TIMEOUT 14

static enum ibv_mtu
active_mtu(struct ibv_context *verbs) {
    struct ibv_port_attr port;
    return ibv_query_port(verbs, 1, &port) == 0 ? port.active_mtu : IBV_MTU_1024;
}

static int
describe_initial(const struct cm_id *id, struct ibv_qp_attr *attributes, int *mask) {
    attributes->port_num = id->public.port_num;
    attributes->pkey_index = 0;
    attributes->qp_access_flags = IBV_ACCESS_REMOTE_WRITE;
    if (id->responder_resources > 0) {
        attributes->qp_access_flags |= IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
    }
    *mask |= IBV_QP_PORT | IBV_QP_PKEY_INDEX | IBV_QP_ACCESS_FLAGS;
    return 0;
}

static int
describe_receiving(const struct cm_id *id, struct ibv_qp_attr *attributes, int *mask) {
    if (id->state < CM_ACCEPTED || id->remote_qp == 0) {
        return EINVAL;
    }
    attributes->ah_attr.is_global = 1;
    attributes->ah_attr.port_num = id->public.port_num;
    attributes->ah_attr.grh.dgid = id->path.dgid;
    attributes->ah_attr.grh.sgid_index = id->gid_index;
    attributes->ah_attr.grh.hop_limit = id->path.hop_limit;
    attributes->path_mtu = active_mtu(id->public.verbs);
    attributes->dest_qp_num = id->remote_qp;
    attributes->rq_psn = 0;
    attributes->max_dest_rd_atomic = id->responder_resources;
    attributes->min_rnr_timer = 0;
    *mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
             IBV_QP_MIN_RNR_TIMER;
    return 0;
}

static int
describe_sending(const struct cm_id *id, struct ibv_qp_attr *attributes, int *mask) {
    if (id->state < CM_ACCEPTED) {
        return EINVAL;
    }
    attributes->sq_psn = 0;
    attributes->timeout = TIMEOUT;
    attributes->retry_cnt = id->retry_count;
    attributes->rnr_retry = id->rnr_retry_count;
    attributes->max_rd_atomic = id->initiator_depth;
    *mask |= IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
    return 0;
}

int
rdma_init_qp_attr(struct rdma_cm_id *public, struct ibv_qp_attr *attributes, int *mask) {
    const struct cm_id *id = cm_id_of(public);
    int error = EINVAL;
    *mask = IBV_QP_STATE;
    cm_lock();
    switch (attributes->qp_state) {
    case IBV_QPS_INIT:
        error = describe_initial(id, attributes, mask);
        break;
    case IBV_QPS_RTR:
        error = describe_receiving(id, attributes, mask);
        break;
    case IBV_QPS_RTS:
        error = describe_sending(id, attributes, mask);
        break;
    default:
        break;
    }
    cm_unlock();
    return error == 0 ? 0 : cm_fail(error);
}
