/* SPDX-License-Identifier: Apache-2.0 */
/* Messages and peers of endpoints, and the capabilities of devices. */
#include <stdlib.h>
#include <string.h>

#include "common/property.h"
#include "common/sdk_log.h"
#include "comm_channel/endpoint.h"

/*
 * Messages
 */

static doca_error_t
make_task(struct doca_comm_channel_ep_t *ep, struct doca_comm_channel_addr_t *peer, const void *msg, size_t len,
          struct core_comch_task_send **task) {
    return ep->server != NULL
                   ? core_comch_server_task_send_alloc_init(ep->server, peer->connection, msg, (uint32_t)len, task)
                   : core_comch_client_task_send_alloc_init(ep->client, peer->connection, msg, (uint32_t)len, task);
}

/* Returns AGAIN if the own queue or the queue of the peer is full. */
static doca_error_t
send_message(struct doca_comm_channel_addr_t *peer, const void *msg, size_t len) {
    struct core_comch_task_send *task;
    doca_error_t result = make_task(peer->ep, peer, msg, len, &task);
    if (result != DOCA_SUCCESS) {
        return result == DOCA_ERROR_NO_MEMORY ? DOCA_ERROR_AGAIN : result;
    }
    struct core_task *base = core_comch_task_send_as_task(task);
    core_task_set_user_data(base, (union doca_data){.ptr = peer});
    result = core_task_submit(base);
    if (result != DOCA_SUCCESS) {
        core_task_free(base);
        return result == DOCA_ERROR_NOT_CONNECTED ? DOCA_ERROR_CONNECTION_RESET : result;
    }
    peer->ep->num_sending++;
    peer->current.send_messages++;
    peer->current.send_bytes += len;
    peer->current.send_in_flight++;
    return DOCA_SUCCESS;
}

doca_error_t
doca_comm_channel_ep_sendto(struct doca_comm_channel_ep_t *local_ep, const void *msg, size_t len, int flags,
                            struct doca_comm_channel_addr_t *peer_addr) {
    (void)flags;
    if (!IS_LIVE(cc_ep_class, local_ep)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!cc_ep_is_active(local_ep) || !IS_LIVE(cc_addr_class, peer_addr) || peer_addr->ep != local_ep) {
        return DOCA_ERROR_NOT_CONNECTED;
    }
    if (msg == NULL || len == 0 || len > local_ep->max_msg_size) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE,
                          "Comm channel endpoint %p: Invalid input: message %p of %zu bytes, limit %u", local_ep, msg,
                          len, local_ep->max_msg_size);
    }
    cc_ep_progress(local_ep);
    if (peer_addr->is_lost) {
        return DOCA_ERROR_CONNECTION_RESET;
    }
    return peer_addr->connection == NULL ? DOCA_ERROR_NOT_CONNECTED : send_message(peer_addr, msg, len);
}

/* A message that is too long for the program's memory stays in the queue. */
static doca_error_t
take_message(struct doca_comm_channel_ep_t *ep, void *msg, size_t *len, struct doca_comm_channel_addr_t **peer_addr) {
    struct message *message = STAILQ_FIRST(&ep->messages);
    if (message->len > *len) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE,
                          "Comm channel endpoint %p: Invalid input: %zu bytes for a message of %zu", ep, *len,
                          message->len);
    }
    memcpy(msg, message->bytes, message->len);
    *len = message->len;
    *peer_addr = message->sender;
    STAILQ_REMOVE_HEAD(&ep->messages, link);
    ep->num_messages--;
    free(message);
    return DOCA_SUCCESS;
}

doca_error_t
doca_comm_channel_ep_recvfrom(struct doca_comm_channel_ep_t *local_ep, void *msg, size_t *len, int flags,
                              struct doca_comm_channel_addr_t **peer_addr) {
    (void)flags;
    if (!IS_LIVE(cc_ep_class, local_ep) || msg == NULL || len == NULL || peer_addr == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!cc_ep_is_active(local_ep)) {
        return DOCA_ERROR_NOT_CONNECTED;
    }
    cc_ep_progress(local_ep);
    if (!STAILQ_EMPTY(&local_ep->messages)) {
        return take_message(local_ep, msg, len, peer_addr);
    }
    return local_ep->client != NULL && TAILQ_FIRST(&local_ep->peers)->is_lost ? DOCA_ERROR_CONNECTION_RESET
                                                                              : DOCA_ERROR_AGAIN;
}

/*
 * Peers
 */

doca_error_t
doca_comm_channel_peer_addr_set_user_data(struct doca_comm_channel_addr_t *peer_addr, uint64_t user_context) {
    if (!IS_LIVE(cc_addr_class, peer_addr)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    peer_addr->user_data = user_context;
    return DOCA_SUCCESS;
}

doca_error_t
doca_comm_channel_peer_addr_get_user_data(struct doca_comm_channel_addr_t *peer_addr, uint64_t *user_data) {
    return GET_PROPERTY(cc_addr_class, peer_addr, peer_addr->user_data, user_data);
}

doca_error_t
doca_comm_channel_peer_addr_update_info(struct doca_comm_channel_addr_t *peer_addr) {
    if (!IS_LIVE(cc_addr_class, peer_addr)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (cc_ep_is_active(peer_addr->ep)) {
        cc_ep_progress(peer_addr->ep);
    }
    peer_addr->shown = peer_addr->current;
    if (peer_addr->is_lost) {
        return DOCA_ERROR_CONNECTION_ABORTED;
    }
    return peer_addr->connection == NULL ? DOCA_ERROR_CONNECTION_INPROGRESS : DOCA_SUCCESS;
}

#define STATISTIC(name, member) \
    doca_error_t doca_comm_channel_peer_addr_get_##name(const struct doca_comm_channel_addr_t *peer_addr, \
                                                        uint64_t *name) { \
        return GET_PROPERTY(cc_addr_class, peer_addr, peer_addr->shown.member, name); \
    }

STATISTIC(send_messages, send_messages)
STATISTIC(send_bytes, send_bytes)
STATISTIC(recv_messages, recv_messages)
STATISTIC(recv_bytes, recv_bytes)
STATISTIC(send_in_flight_messages, send_in_flight)

/*
 * Capabilities
 */

doca_error_t
doca_comm_channel_get_max_service_name_len(uint32_t *max_service_name_len) {
    if (max_service_name_len == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    *max_service_name_len = CC_MAX_NAME_LEN;
    return DOCA_SUCCESS;
}
