/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include <core_ctx.h>

#include "common/property.h"
#include "common/sdk_log.h"
#include "comm_channel/endpoint.h"

#define DEFAULT_MSG_SIZE 1500
#define MIN_MSG_SIZE 256
#define MAX_MSG_SIZE 4080
#define DEFAULT_QUEUE_SIZE 128
#define MIN_QUEUE_SIZE 16
#define MAX_QUEUE_SIZE 8192
/* The largest number of events that one call handles. */
#define MAX_NUM_EVENTS 1024

struct object_class cc_ep_class = OBJECT_CLASS("comm channel endpoint", struct doca_comm_channel_ep_t);
struct object_class cc_addr_class = OBJECT_CLASS("comm channel peer", struct doca_comm_channel_addr_t);

static struct doca_comm_channel_ep_t *
ep_of_ctx(union doca_data ctx_user_data) {
    return ctx_user_data.ptr;
}

static struct doca_comm_channel_addr_t *
peer_of(const struct core_comch_connection *connection) {
    return core_comch_connection_get_user_data(connection).ptr;
}

/*
 * Peers
 */

/* Creates a peer without a connection. Returns NULL without memory. */
static struct doca_comm_channel_addr_t *
add_peer(struct doca_comm_channel_ep_t *ep) {
    struct doca_comm_channel_addr_t *peer = object_create(&cc_addr_class);
    if (peer != NULL) {
        peer->ep = ep;
        TAILQ_INSERT_TAIL(&ep->peers, peer, link);
    }
    return peer;
}

static void
attach_peer(struct doca_comm_channel_addr_t *peer, struct core_comch_connection *connection) {
    peer->connection = connection;
    (void)core_comch_connection_set_user_data(connection, (union doca_data){.ptr = peer});
}

static void
lose_peer(struct doca_comm_channel_addr_t *peer) {
    peer->connection = NULL;
    peer->is_lost = true;
}

void
cc_ep_forget_peer(struct doca_comm_channel_addr_t *peer) {
    struct doca_comm_channel_ep_t *ep = peer->ep;
    struct message *message = STAILQ_FIRST(&ep->messages);
    while (message != NULL) {
        struct message *next = STAILQ_NEXT(message, link);
        if (message->sender == peer) {
            STAILQ_REMOVE(&ep->messages, message, message, link);
            ep->num_messages--;
            free(message);
        }
        message = next;
    }
    TAILQ_REMOVE(&ep->peers, peer, link);
    object_destroy(&cc_addr_class, peer);
}

/* Callbacks of the core */

static void
add_message(struct core_comch_event_msg_recv *event, uint8_t *bytes, uint32_t len,
            struct core_comch_connection *connection) {
    struct doca_comm_channel_addr_t *peer = peer_of(connection);
    (void)event;
    struct message *message = peer == NULL ? NULL : malloc(sizeof(*message) + len);
    if (message == NULL) {
        SDK_LOG_ERR("Comm channel: a message of %u bytes is lost, as there is no %s", len,
                    peer == NULL ? "peer" : "memory");
        return;
    }
    message->sender = peer;
    message->len = len;
    memcpy(message->bytes, bytes, len);
    STAILQ_INSERT_TAIL(&peer->ep->messages, message, link);
    peer->ep->num_messages++;
    peer->current.recv_messages++;
    peer->current.recv_bytes += len;
    event_channel_notify(&peer->ep->received);
}

static struct doca_comm_channel_ep_t *
ep_of_connection(const struct core_comch_connection *connection) {
    union doca_data user_data = {0};
    (void)core_ctx_get_user_data(core_comch_server_as_ctx(core_comch_server_get_server_ctx(connection)), &user_data);
    return ep_of_ctx(user_data);
}

static void
note_connection(struct core_comch_event_connection_status_changed *event, struct core_comch_connection *connection,
                uint8_t success) {
    (void)event;
    struct doca_comm_channel_ep_t *ep = ep_of_connection(connection);
    struct doca_comm_channel_addr_t *peer = success ? add_peer(ep) : NULL;
    if (peer != NULL) {
        attach_peer(peer, connection);
    }
    event_channel_notify(&ep->service);
}

static void
note_disconnection(struct core_comch_event_connection_status_changed *event, struct core_comch_connection *connection,
                   uint8_t success) {
    (void)event;
    (void)success;
    event_channel_notify(&ep_of_connection(connection)->service);
    if (peer_of(connection) != NULL) {
        lose_peer(peer_of(connection));
    }
}

/* Handles the state of a client, whose only connection exists as long as the context runs. */
static void
note_state(union doca_data user_data, struct core_ctx *ctx, enum core_ctx_states previous, enum core_ctx_states next) {
    struct doca_comm_channel_ep_t *ep = ep_of_ctx(user_data);
    struct doca_comm_channel_addr_t *peer = TAILQ_FIRST(&ep->peers);
    struct core_comch_connection *connection;
    (void)ctx;
    (void)previous;
    if (ep->client == NULL || peer == NULL) {
        return;
    }
    if (next == CORE_CTX_STATE_RUNNING && core_comch_client_get_connection(ep->client, &connection) == DOCA_SUCCESS) {
        attach_peer(peer, connection);
    } else if (next == CORE_CTX_STATE_STOPPING || next == CORE_CTX_STATE_IDLE) {
        lose_peer(peer);
        event_channel_notify(&ep->received);
    }
}

/* Handles the end of a send. The user data of the task is its peer, which may be lost but still exists. */
static void
note_sent(struct core_comch_task_send *task, union doca_data task_user_data, union doca_data ctx_user_data) {
    struct doca_comm_channel_ep_t *ep = ep_of_ctx(ctx_user_data);
    struct doca_comm_channel_addr_t *peer;
    core_task_free(core_comch_task_send_as_task(task));
    ep->num_sending--;
    TAILQ_FOREACH(peer, &ep->peers, link) {
        if (peer == task_user_data.ptr) {
            peer->current.send_in_flight--;
        }
    }
    event_channel_notify(&ep->sent);
}

/* Clients may connect without end. */
void
cc_ep_progress(struct doca_comm_channel_ep_t *ep) {
    for (int i = 0; i < MAX_NUM_EVENTS && ep->num_messages < ep->recv_queue_size; i++) {
        if (core_pe_progress(ep->pe) == 0) {
            return;
        }
    }
}

/*
 * Life
 */

doca_error_t
doca_comm_channel_ep_create(struct doca_comm_channel_ep_t **ep) {
    if (ep == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: ep is NULL");
    }
    struct doca_comm_channel_ep_t *created = object_create(&cc_ep_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    created->max_msg_size = DEFAULT_MSG_SIZE;
    created->send_queue_size = DEFAULT_QUEUE_SIZE;
    created->recv_queue_size = DEFAULT_QUEUE_SIZE;
    created->sent = created->received = created->service = (struct event_channel){.handle = EVENT_HANDLE_CLOSED};
    TAILQ_INIT(&created->peers);
    STAILQ_INIT(&created->messages);
    *ep = created;
    return DOCA_SUCCESS;
}

/* Ends the server or client with all its connections. The program's peers are lost, but still exist. */
static void
deactivate(struct doca_comm_channel_ep_t *ep) {
    enum core_ctx_states state;
    if (ep->ctx != NULL && ep->pe != NULL) {
        (void)core_ctx_stop(ep->ctx);
        while (core_ctx_get_state(ep->ctx, &state) == DOCA_SUCCESS && state != CORE_CTX_STATE_IDLE) {
            (void)core_pe_progress(ep->pe);
        }
    }
    if (ep->server != NULL) {
        (void)core_comch_server_destroy(ep->server);
    }
    if (ep->client != NULL) {
        (void)core_comch_client_destroy(ep->client);
    }
    event_channel_close(&ep->sent);
    event_channel_close(&ep->received);
    event_channel_close(&ep->service);
    if (ep->pe != NULL) {
        (void)core_pe_destroy(ep->pe);
    }
    ep->server = NULL;
    ep->client = NULL;
    ep->ctx = NULL;
    ep->pe = NULL;
}

doca_error_t
doca_comm_channel_ep_destroy(struct doca_comm_channel_ep_t *local_ep) {
    if (!IS_LIVE(cc_ep_class, local_ep)) {
        return DOCA_ERROR_NOT_CONNECTED;
    }
    deactivate(local_ep);
    while (!TAILQ_EMPTY(&local_ep->peers)) {
        cc_ep_forget_peer(TAILQ_FIRST(&local_ep->peers));
    }
    free(local_ep->peer_list);
    object_destroy(&cc_ep_class, local_ep);
    return DOCA_SUCCESS;
}

/* Starts the context of the endpoint, with its own engine and event channels. */
static doca_error_t
start(struct doca_comm_channel_ep_t *ep) {
    doca_error_t result = core_ctx_set_user_data(ep->ctx, (union doca_data){.ptr = ep});
    result = result == DOCA_SUCCESS ? core_ctx_set_state_changed_cb(ep->ctx, note_state) : result;
    result = result == DOCA_SUCCESS ? core_pe_create(&ep->pe) : result;
    result = result == DOCA_SUCCESS ? core_pe_connect_ctx(ep->pe, ep->ctx) : result;
    result = result == DOCA_SUCCESS ? event_channel_open(&ep->sent, ep->pe) : result;
    result = result == DOCA_SUCCESS ? event_channel_open(&ep->received, ep->pe) : result;
    result = result == DOCA_SUCCESS ? event_channel_open(&ep->service, ep->pe) : result;
    return result == DOCA_SUCCESS ? core_ctx_start(ep->ctx) : result;
}

static doca_error_t
check_inactive(const struct doca_comm_channel_ep_t *ep, const char *name, const char *what) {
    if (!IS_LIVE(cc_ep_class, ep)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (name == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Comm channel endpoint %p: Invalid input: name is NULL", ep);
    }
    const size_t name_len = strnlen(name, CC_MAX_NAME_LEN);
    if (name_len == 0 || name_len == CC_MAX_NAME_LEN) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE,
                          "Comm channel endpoint %p: Invalid input: name of %zu bytes or more, must be 1 to %d", ep,
                          name_len, CC_MAX_NAME_LEN - 1);
    }
    if (cc_ep_is_active(ep)) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED, "Comm channel endpoint %p: Failed to %s: it does already", ep, what);
    }
    if (ep->dev == NULL) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Comm channel endpoint %p: Failed to %s: has no device", ep, what);
    }
    return DOCA_SUCCESS;
}

static doca_error_t
create_server(struct doca_comm_channel_ep_t *ep, const char *name) {
    doca_error_t result = core_comch_server_create(ep->dev, ep->dev_rep, name, &ep->server);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    ep->ctx = core_comch_server_as_ctx(ep->server);
    result = core_comch_server_set_max_msg_size(ep->server, ep->max_msg_size);
    result = result == DOCA_SUCCESS ? core_comch_server_set_recv_queue_size(ep->server, ep->recv_queue_size) : result;
    result = result == DOCA_SUCCESS ? core_comch_server_event_msg_recv_register(ep->server, add_message) : result;
    result = result == DOCA_SUCCESS ? core_comch_server_event_connection_status_changed_register(
                                              ep->server, note_connection, note_disconnection)
                                    : result;
    return result == DOCA_SUCCESS ? core_comch_server_task_send_set_conf(ep->server, note_sent, note_sent,
                                                                         ep->send_queue_size)
                                  : result;
}

doca_error_t
doca_comm_channel_ep_listen(struct doca_comm_channel_ep_t *local_ep, const char *name) {
    doca_error_t result = check_inactive(local_ep, name, "listen");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (local_ep->dev_rep == NULL) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Comm channel endpoint %p: Failed to listen: has no representor",
                          local_ep);
    }
    result = create_server(local_ep, name);
    result = result == DOCA_SUCCESS ? start(local_ep) : result;
    if (result != DOCA_SUCCESS) {
        deactivate(local_ep);
        return result;
    }
    event_channel_arm(&local_ep->service, local_ep->pe, false);
    return DOCA_SUCCESS;
}

static doca_error_t
create_client(struct doca_comm_channel_ep_t *ep, const char *name) {
    doca_error_t result = core_comch_client_create(ep->dev, name, &ep->client);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    ep->ctx = core_comch_client_as_ctx(ep->client);
    result = core_comch_client_set_max_msg_size(ep->client, ep->max_msg_size);
    result = result == DOCA_SUCCESS ? core_comch_client_set_recv_queue_size(ep->client, ep->recv_queue_size) : result;
    result = result == DOCA_SUCCESS ? core_comch_client_event_msg_recv_register(ep->client, add_message) : result;
    return result == DOCA_SUCCESS ? core_comch_client_task_send_set_conf(ep->client, note_sent, note_sent,
                                                                         ep->send_queue_size)
                                  : result;
}

static doca_error_t
start_client(struct doca_comm_channel_ep_t *ep, const struct doca_comm_channel_addr_t *peer) {
    const doca_error_t result = start(ep);
    if (result != DOCA_SUCCESS && result != DOCA_ERROR_IN_PROGRESS) {
        return result;
    }
    cc_ep_progress(ep);
    return peer->is_lost ? DOCA_ERROR_CONNECTION_ABORTED : DOCA_SUCCESS;
}

doca_error_t
doca_comm_channel_ep_connect(struct doca_comm_channel_ep_t *local_ep, const char *name,
                             struct doca_comm_channel_addr_t **peer_addr) {
    doca_error_t result = check_inactive(local_ep, name, "connect");
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (peer_addr == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Comm channel endpoint %p: Invalid input: peer_addr is NULL",
                          local_ep);
    }
    struct doca_comm_channel_addr_t *peer = add_peer(local_ep);
    if (peer == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    result = create_client(local_ep, name);
    result = result == DOCA_SUCCESS ? start_client(local_ep, peer) : result;
    if (result != DOCA_SUCCESS) {
        deactivate(local_ep);
        cc_ep_forget_peer(peer);
        return result;
    }
    *peer_addr = peer;
    return DOCA_SUCCESS;
}

/* A client without a peer may connect again. */
doca_error_t
doca_comm_channel_ep_disconnect(struct doca_comm_channel_ep_t *local_ep, struct doca_comm_channel_addr_t *peer_addr) {
    if (!IS_LIVE(cc_ep_class, local_ep)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!IS_LIVE(cc_addr_class, peer_addr) || peer_addr->ep != local_ep) {
        return DOCA_ERROR_NOT_CONNECTED;
    }
    if (local_ep->client != NULL) {
        deactivate(local_ep);
    } else if (peer_addr->connection != NULL) {
        (void)core_comch_connection_set_user_data(peer_addr->connection, (union doca_data){0});
        (void)core_comch_server_disconnect(local_ep->server, peer_addr->connection);
    }
    cc_ep_forget_peer(peer_addr);
    return DOCA_SUCCESS;
}

/*
 * Properties
 */

static doca_error_t
check_settable(const struct doca_comm_channel_ep_t *ep, bool is_valid, const char *what) {
    if (!IS_LIVE(cc_ep_class, ep)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!is_valid) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Comm channel endpoint %p: Invalid input: %s", ep, what);
    }
    if (cc_ep_is_active(ep)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Comm channel endpoint %p: Failed to set %s: is active", ep, what);
    }
    return DOCA_SUCCESS;
}

/* Returns a power of two, not below the smallest size. */
static uint16_t
round_queue_size(uint16_t size) {
    uint16_t rounded = MIN_QUEUE_SIZE;
    while (rounded < size) {
        rounded *= 2;
    }
    return rounded;
}

#define PROPERTY(name, type, value, is_valid) \
    doca_error_t doca_comm_channel_ep_get_##name(struct doca_comm_channel_ep_t *ep, type *name) { \
        return GET_PROPERTY(cc_ep_class, ep, ep->MEMBER_##name, name); \
    } \
    doca_error_t doca_comm_channel_ep_set_##name(struct doca_comm_channel_ep_t *ep, type name) { \
        const doca_error_t result = check_settable(ep, is_valid, #name); \
        if (result == DOCA_SUCCESS) { \
            ep->MEMBER_##name = (value); \
        } \
        return result; \
    }

#define MEMBER_device dev
#define MEMBER_device_rep dev_rep
#define MEMBER_max_msg_size max_msg_size
#define MEMBER_send_queue_size send_queue_size
#define MEMBER_recv_queue_size recv_queue_size

PROPERTY(device, struct doca_dev *, device, device != NULL)
PROPERTY(device_rep, struct doca_dev_rep *, device_rep, device_rep != NULL)
PROPERTY(max_msg_size, uint16_t, max_msg_size < MIN_MSG_SIZE ? MIN_MSG_SIZE : max_msg_size,
         max_msg_size > 0 && max_msg_size <= MAX_MSG_SIZE)
PROPERTY(send_queue_size, uint16_t, round_queue_size(send_queue_size),
         send_queue_size > 0 && send_queue_size <= MAX_QUEUE_SIZE)
PROPERTY(recv_queue_size, uint16_t, round_queue_size(recv_queue_size),
         recv_queue_size > 0 && recv_queue_size <= MAX_QUEUE_SIZE)

/*
 * Event channels
 */

static doca_error_t
check_active(const struct doca_comm_channel_ep_t *ep) {
    if (!IS_LIVE(cc_ep_class, ep)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (!cc_ep_is_active(ep)) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "Comm channel endpoint %p: neither listens nor is connected", ep);
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_comm_channel_ep_get_event_channel(struct doca_comm_channel_ep_t *local_ep, doca_event_channel_t *send_event_channel,
                                       doca_event_channel_t *recv_event_channel) {
    const doca_error_t result = check_active(local_ep);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (send_event_channel == NULL && recv_event_channel == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE,
                          "Comm channel endpoint %p: Invalid input: both event channels are NULL", local_ep);
    }
    if (send_event_channel != NULL) {
        *send_event_channel = local_ep->sent.handle.epoll;
    }
    if (recv_event_channel != NULL) {
        *recv_event_channel = local_ep->received.handle.epoll;
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_comm_channel_ep_get_service_event_channel(struct doca_comm_channel_ep_t *local_ep,
                                               doca_event_channel_t *service_event_channel) {
    const doca_error_t result = check_active(local_ep);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (local_ep->server == NULL) {
        return DOCA_ERROR_NOT_SUPPORTED;
    }
    return GET_PROPERTY(cc_ep_class, local_ep, local_ep->service.handle.epoll, service_event_channel);
}

/* The program can send once a message has been sent, or if none is being sent. */
doca_error_t
doca_comm_channel_ep_event_handle_arm_send(struct doca_comm_channel_ep_t *local_ep) {
    const doca_error_t result = check_active(local_ep);
    if (result == DOCA_SUCCESS) {
        cc_ep_progress(local_ep);
        event_channel_arm(&local_ep->sent, local_ep->pe, local_ep->num_sending < local_ep->send_queue_size);
    }
    return result;
}

doca_error_t
doca_comm_channel_ep_event_handle_arm_recv(struct doca_comm_channel_ep_t *local_ep) {
    const doca_error_t result = check_active(local_ep);
    if (result == DOCA_SUCCESS) {
        cc_ep_progress(local_ep);
        event_channel_arm(&local_ep->received, local_ep->pe, local_ep->num_messages > 0);
    }
    return result;
}

/*
 * The service's state
 */

doca_error_t
doca_comm_channel_ep_update_service_state_info(struct doca_comm_channel_ep_t *local_ep) {
    struct doca_comm_channel_addr_t *peer;
    uint32_t num_peers = 0;
    const doca_error_t result = check_active(local_ep);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (local_ep->server == NULL) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Comm channel endpoint %p: is no service", local_ep);
    }
    cc_ep_progress(local_ep);
    TAILQ_FOREACH(peer, &local_ep->peers, link) {
        num_peers++;
    }
    struct doca_comm_channel_addr_t **list = calloc(num_peers + 1, sizeof(struct doca_comm_channel_addr_t *));
    if (list == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    free(local_ep->peer_list);
    local_ep->peer_list = list;
    local_ep->peer_list_len = 0;
    TAILQ_FOREACH(peer, &local_ep->peers, link) {
        if (!peer->is_lost) {
            list[local_ep->peer_list_len++] = peer;
        }
    }
    event_channel_arm(&local_ep->service, local_ep->pe, false);
    return DOCA_SUCCESS;
}

doca_error_t
doca_comm_channel_ep_get_peer_addr_list(const struct doca_comm_channel_ep_t *local_ep,
                                        struct doca_comm_channel_addr_t ***peer_addr_array,
                                        uint32_t *peer_addr_array_len) {
    const doca_error_t result = check_active(local_ep);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    if (peer_addr_array == NULL || peer_addr_array_len == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Comm channel endpoint %p: Invalid input: no place for the list",
                          local_ep);
    }
    if (local_ep->server == NULL) {
        return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Comm channel endpoint %p: is no service", local_ep);
    }
    *peer_addr_array = local_ep->peer_list;
    *peer_addr_array_len = local_ep->peer_list_len;
    return DOCA_SUCCESS;
}

/* A client becomes a peer when it has sent its greeting. */
doca_error_t
doca_comm_channel_ep_get_pending_connections(const struct doca_comm_channel_ep_t *local_ep,
                                             uint32_t *pending_connections) {
    const doca_error_t result = check_active(local_ep);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    return GET_PROPERTY(cc_ep_class, local_ep, 0, pending_connections);
}
