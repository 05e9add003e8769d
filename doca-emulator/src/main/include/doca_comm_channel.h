/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comm channels: endpoints that exchange messages between a host and its DPU.
 */
#ifndef DOCA_COMM_CHANNEL_H_
#define DOCA_COMM_CHANNEL_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_compat.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_types.h>

API_HEADER(comm_channel, 2.2, 3.0)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_comm_channel_addr_t;
struct doca_comm_channel_ep_t;
struct doca_dev;
struct doca_dev_rep;
struct doca_devinfo;

enum doca_comm_channel_msg_flags {
    DOCA_CC_MSG_FLAG_NONE = 0,
};

typedef doca_event_handle_t doca_event_channel_t;

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_connect(
        struct doca_comm_channel_ep_t *local_ep, const char *name, struct doca_comm_channel_addr_t **peer_addr);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_create(struct doca_comm_channel_ep_t **ep);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_destroy(struct doca_comm_channel_ep_t *local_ep);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_disconnect(
        struct doca_comm_channel_ep_t *local_ep, struct doca_comm_channel_addr_t *peer_addr);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_event_handle_arm_recv(struct doca_comm_channel_ep_t *local_ep);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_event_handle_arm_send(struct doca_comm_channel_ep_t *local_ep);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_get_device(struct doca_comm_channel_ep_t *ep, struct doca_dev **device);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_get_device_rep(struct doca_comm_channel_ep_t *ep, struct doca_dev_rep **device_rep);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_get_event_channel(
        struct doca_comm_channel_ep_t *local_ep, doca_event_channel_t *send_event_channel,
        doca_event_channel_t *recv_event_channel);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_get_max_msg_size(struct doca_comm_channel_ep_t *ep, uint16_t *max_msg_size);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_get_peer_addr_list(
        const struct doca_comm_channel_ep_t *local_ep, struct doca_comm_channel_addr_t ***peer_addr_array,
        uint32_t *peer_addr_array_len);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_get_pending_connections(
        const struct doca_comm_channel_ep_t *local_ep, uint32_t *pending_connections);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_get_recv_queue_size(struct doca_comm_channel_ep_t *ep, uint16_t *recv_queue_size);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_get_send_queue_size(struct doca_comm_channel_ep_t *ep, uint16_t *send_queue_size);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_get_service_event_channel(
        struct doca_comm_channel_ep_t *local_ep, doca_event_channel_t *service_event_channel);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_listen(struct doca_comm_channel_ep_t *local_ep, const char *name);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_recvfrom(
        struct doca_comm_channel_ep_t *local_ep, void *msg, size_t *len, int flags,
        struct doca_comm_channel_addr_t **peer_addr);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_sendto(
        struct doca_comm_channel_ep_t *local_ep, const void *msg, size_t len, int flags,
        struct doca_comm_channel_addr_t *peer_addr);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_set_device(struct doca_comm_channel_ep_t *ep, struct doca_dev *device);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_set_device_rep(struct doca_comm_channel_ep_t *ep, struct doca_dev_rep *device_rep);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_set_max_msg_size(struct doca_comm_channel_ep_t *ep, uint16_t max_msg_size);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_set_recv_queue_size(struct doca_comm_channel_ep_t *ep, uint16_t recv_queue_size);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_set_send_queue_size(struct doca_comm_channel_ep_t *ep, uint16_t send_queue_size);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_ep_update_service_state_info(struct doca_comm_channel_ep_t *local_ep);

__DOCA_EXPERIMENTAL API_LIKE(doca_comch_cap_get_max_msg_size)
doca_error_t doca_comm_channel_get_max_message_size(struct doca_devinfo *devinfo, uint32_t *max_message_size);

__DOCA_EXPERIMENTAL API_LIKE(doca_comch_cap_get_max_recv_queue_size)
doca_error_t doca_comm_channel_get_max_recv_queue_size(struct doca_devinfo *devinfo, uint32_t *max_recv_queue_size);

__DOCA_EXPERIMENTAL API_LIKE(doca_comch_cap_get_max_send_tasks)
doca_error_t doca_comm_channel_get_max_send_queue_size(struct doca_devinfo *devinfo, uint32_t *max_send_queue_size);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_get_max_service_name_len(uint32_t *max_service_name_len);

__DOCA_EXPERIMENTAL API_LIKE(doca_comch_cap_get_max_clients)
doca_error_t doca_comm_channel_get_service_max_num_connections(
        struct doca_devinfo *devinfo, uint32_t *max_num_connections);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_peer_addr_get_recv_bytes(
        const struct doca_comm_channel_addr_t *peer_addr, uint64_t *recv_bytes);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_peer_addr_get_recv_messages(
        const struct doca_comm_channel_addr_t *peer_addr, uint64_t *recv_messages);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_peer_addr_get_send_bytes(
        const struct doca_comm_channel_addr_t *peer_addr, uint64_t *send_bytes);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_peer_addr_get_send_in_flight_messages(
        const struct doca_comm_channel_addr_t *peer_addr, uint64_t *send_in_flight_messages);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_peer_addr_get_send_messages(
        const struct doca_comm_channel_addr_t *peer_addr, uint64_t *send_messages);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_peer_addr_get_user_data(struct doca_comm_channel_addr_t *peer_addr, uint64_t *user_data);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_peer_addr_set_user_data(
        struct doca_comm_channel_addr_t *peer_addr, uint64_t user_context);

__DOCA_EXPERIMENTAL
doca_error_t doca_comm_channel_peer_addr_update_info(struct doca_comm_channel_addr_t *peer_addr);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_COMM_CHANNEL_H_ */
