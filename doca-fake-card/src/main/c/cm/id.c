/* SPDX-License-Identifier: Apache-2.0 */
#include "id.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "event.h"
#include "log.h"
#include "lookup.h"
#include "service.h"
#include "settings.h"

/* The reasons of rejections, as InfiniBand numbers them: nobody has the port; the program's decision. */
enum {
    NO_LISTENER = 8,
    REFUSED = 28,
};

#define DEFAULT_PARTITION 0xffff
#define HOP_LIMIT 64
/* 4.096 us * 2^14 */
#define TIMEOUT 14

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cm_id *ids;

void
cm_lock(void) {
    pthread_mutex_lock(&lock);
}

void
cm_unlock(void) {
    pthread_mutex_unlock(&lock);
}

void
cm_wait(pthread_cond_t *condition) {
    pthread_cond_wait(condition, &lock);
}

struct cm_id *
cm_first_id(void) {
    return ids;
}

static struct cm_id *
id_of(struct rdma_cm_id *public) {
    return (struct cm_id *)public;
}

static int
fail(int error) {
    errno = error;
    return -1;
}

static struct cm_id *
new_id(struct rdma_event_channel *channel, void *context, enum rdma_port_space space) {
    struct cm_id *id = calloc(1, sizeof(*id));
    if (id == NULL) {
        return NULL;
    }
    id->public.channel = channel;
    id->public.context = context;
    id->public.ps = space;
    id->public.qp_type = IBV_QPT_RC;
    id->socket = -1;
    id->next = ids;
    ids = id;
    return id;
}

static void
close_socket(struct cm_id *id) {
    if (id->socket >= 0) {
        close(id->socket);
        id->socket = -1;
    }
}

static void
end(struct cm_id *id) {
    close_socket(id);
    id->state = CM_ENDED;
}

/* Ends the connection of an id and raises the event that says so. */
static void
end_with(struct cm_id *id, enum rdma_cm_event_type kind, int status, const struct cm_message *message) {
    end(id);
    cm_raise(id, NULL, kind, status, message);
}

static void
remove_id(struct cm_id *id) {
    struct cm_id **link = &ids;
    while (*link != id) {
        link = &(*link)->next;
    }
    *link = id->next;
}

static bool
send_kind(struct cm_id *id, enum cm_message_kind kind) {
    const struct cm_message message = {.kind = kind};
    return cm_send(id->socket, &message);
}

/* Tells the other side that an id will not go on. */
static void
leave(struct cm_id *id) {
    if (id->socket < 0) {
        return;
    }
    if (id->state == CM_REQUESTED) {
        send_kind(id, CM_REJECT);
    } else if (id->state == CM_CONNECTED) {
        send_kind(id, CM_DISCONNECT);
    }
    end(id);
}

static void
forget(struct cm_id *id) {
    close_socket(id);
    remove_id(id);
    free(id);
}

static void
abandon(struct cm_id *requester) {
    leave(requester);
    forget(requester);
}

int
rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **public, void *context,
               enum rdma_port_space space) {
    if (channel == NULL || space != RDMA_PS_TCP) {
        return fail(EINVAL);
    }
    cm_lock();
    const int error = cm_start_service();
    struct cm_id *id = error == 0 ? new_id(channel, context, space) : NULL;
    cm_unlock();
    if (id == NULL) {
        return fail(error == 0 ? ENOMEM : error);
    }
    *public = &id->public;
    return 0;
}

/* Abandons the connections to a listener whose requests did not arrive yet, and lets the others go on without it. */
static void
leave_requesters(const struct cm_id *listener) {
    struct cm_id **link = &ids;
    while (*link != NULL) {
        struct cm_id *id = *link;
        if (id->listener == listener && id->state == CM_GREETED) {
            *link = id->next;
            close_socket(id);
            free(id);
            continue;
        }
        if (id->listener == listener) {
            id->listener = NULL;
        }
        link = &id->next;
    }
}

int
rdma_destroy_id(struct rdma_cm_id *public) {
    struct cm_id *id = id_of(public);
    cm_lock();
    cm_withdraw(id, abandon);
    leave_requesters(id);
    leave(id);
    bool keeps = false;
    if (!card_settings()->forgiving) {
        cm_wait_for_acknowledgements(id);
    } else {
        keeps = cm_has_unacknowledged(id);
    }
    remove_id(id);
    cm_unlock();
    /* The program may still use the id in an event that it did not acknowledge. */
    if (!keeps) {
        free(id);
    }
    return 0;
}

static void
set_address(struct sockaddr_storage *storage, const struct sockaddr *address) {
    memcpy(storage, address, cm_address_size(address));
}

/* Gives an id the port of an address of this machine. */
static void
set_port(struct cm_id *id, const struct cm_port *port) {
    id->public.verbs = port->verbs;
    id->public.port_num = 1;
    id->gid_index = port->gid_index;
    id->public.route.addr.addr.ibaddr.sgid = port->gid;
    id->public.route.addr.addr.ibaddr.pkey = htobe16(DEFAULT_PARTITION);
}

/* Describes the path to the other side, which is on this machine as well. */
static void
set_path(struct cm_id *id, const union ibv_gid *destination) {
    id->public.route.addr.addr.ibaddr.dgid = *destination;
    id->path = (struct ibv_sa_path_rec){
        .dgid = *destination,
        .sgid = id->public.route.addr.addr.ibaddr.sgid,
        .hop_limit = HOP_LIMIT,
        .reversible = 1,
        .numb_path = 1,
        .pkey = htobe16(DEFAULT_PARTITION),
    };
    id->public.route.path_rec = &id->path;
    id->public.route.num_paths = 1;
}

static int
bind_id(struct cm_id *id, const struct sockaddr *address) {
    struct cm_port port;
    if (id->state != CM_IDLE || id->socket >= 0 || cm_address_size(address) == 0) {
        return EINVAL;
    }
    const bool any = cm_is_any(address);
    if (!any && cm_find_port(address, &port) != 0) {
        return EADDRNOTAVAIL;
    }
    uint16_t number = cm_port_of(address);
    id->socket = cm_open_socket(&number);
    if (id->socket < 0) {
        return errno;
    }
    set_address(&id->public.route.addr.src_storage, address);
    cm_set_port(&id->public.route.addr.src_addr, number);
    if (!any) {
        set_port(id, &port);
    }
    return 0;
}

int
rdma_bind_addr(struct rdma_cm_id *public, struct sockaddr *address) {
    cm_lock();
    const int error = bind_id(id_of(public), address);
    cm_unlock();
    return error == 0 ? 0 : fail(error);
}

static int
start_listening(struct cm_id *id) {
    const struct sockaddr_in any = {.sin_family = AF_INET};
    if (id->state != CM_IDLE) {
        return EINVAL;
    }
    const int error = id->socket >= 0 ? 0 : bind_id(id, (const struct sockaddr *)&any);
    if (error != 0) {
        return error;
    }
    /* The thread takes each connection at once; the program gets any number of requests. */
    if (listen(id->socket, SOMAXCONN) != 0) {
        return errno;
    }
    id->state = CM_LISTENING;
    return cm_serve(id);
}

int
rdma_listen(struct rdma_cm_id *public, int backlog) {
    (void)backlog;
    cm_lock();
    const int error = start_listening(id_of(public));
    cm_unlock();
    return error == 0 ? 0 : fail(error);
}

__be16
rdma_get_src_port(struct rdma_cm_id *public) {
    return htons(cm_port_of(&public->route.addr.src_addr));
}

static int
resolve(struct cm_id *id, const struct sockaddr *source, const struct sockaddr *destination) {
    struct cm_port port;
    struct cm_port remote;
    if (id->state != CM_IDLE || cm_address_size(destination) == 0) {
        return EINVAL;
    }
    set_address(&id->public.route.addr.dst_storage, destination);
    const int unreachable = cm_find_port(destination, &remote);
    if (unreachable != 0) {
        cm_raise(id, NULL, RDMA_CM_EVENT_ADDR_ERROR, -unreachable, NULL);
        return 0;
    }
    if (id->socket < 0) {
        /* Connections within a machine have the same address at both ends. */
        struct sockaddr_storage own;
        set_address(&own, source == NULL ? destination : source);
        if (source == NULL) {
            cm_set_port((struct sockaddr *)&own, 0);
        }
        const int error = bind_id(id, (const struct sockaddr *)&own);
        if (error != 0) {
            return error;
        }
    }
    if (cm_find_port(&id->public.route.addr.src_addr, &port) != 0) {
        port = remote;
    }
    set_port(id, &port);
    id->public.route.addr.addr.ibaddr.dgid = remote.gid;
    id->state = CM_RESOLVED;
    cm_raise(id, NULL, RDMA_CM_EVENT_ADDR_RESOLVED, 0, NULL);
    return 0;
}

int
rdma_resolve_addr(struct rdma_cm_id *public, struct sockaddr *source, struct sockaddr *destination, int timeout_ms) {
    (void)timeout_ms;
    cm_lock();
    const int error = resolve(id_of(public), source, destination);
    cm_unlock();
    return error == 0 ? 0 : fail(error);
}

int
rdma_resolve_route(struct rdma_cm_id *public, int timeout_ms) {
    (void)timeout_ms;
    struct cm_id *id = id_of(public);
    cm_lock();
    const bool possible = id->state == CM_RESOLVED;
    if (possible) {
        const union ibv_gid destination = public->route.addr.addr.ibaddr.dgid;
        set_path(id, &destination);
        cm_raise(id, NULL, RDMA_CM_EVENT_ROUTE_RESOLVED, 0, NULL);
    }
    cm_unlock();
    return possible ? 0 : fail(EINVAL);
}

/* The message with the parameters of this side, which the id keeps. */
static struct cm_message
message_of(struct cm_id *id, enum cm_message_kind kind, const struct rdma_conn_param *parameters) {
    struct cm_message message = {
        .kind = kind,
        .qp = parameters->qp_num,
        .responder_resources = parameters->responder_resources,
        .initiator_depth = parameters->initiator_depth,
        .retry_count = parameters->retry_count,
        .rnr_retry_count = parameters->rnr_retry_count,
        .data_length = parameters->private_data_len,
        .source = id->public.route.addr.src_storage,
    };
    if (parameters->private_data != NULL) {
        memcpy(message.data, parameters->private_data, parameters->private_data_len);
    }
    id->responder_resources = parameters->responder_resources;
    id->initiator_depth = parameters->initiator_depth;
    return message;
}

static int
request(struct cm_id *id, const struct rdma_conn_param *parameters) {
    if (id->state != CM_RESOLVED || id->public.route.num_paths == 0) {
        return EINVAL;
    }
    const struct cm_message message = message_of(id, CM_REQUEST, parameters);
    id->retry_count = parameters->retry_count;
    id->rnr_retry_count = parameters->rnr_retry_count;
    id->state = CM_REQUESTING;
    if (cm_connect_socket(id->socket, cm_port_of(&id->public.route.addr.dst_addr)) != 0) {
        card_log(CARD_LOG_COMMANDS, "nobody listens at port %u: %s", cm_port_of(&id->public.route.addr.dst_addr),
                 strerror(errno));
        end_with(id, RDMA_CM_EVENT_REJECTED, NO_LISTENER, NULL);
        return 0;
    }
    if (!cm_send(id->socket, &message)) {
        end_with(id, RDMA_CM_EVENT_UNREACHABLE, -ETIMEDOUT, NULL);
        return 0;
    }
    return cm_serve(id);
}

int
rdma_connect(struct rdma_cm_id *public, struct rdma_conn_param *parameters) {
    cm_lock();
    const int error = request(id_of(public), parameters);
    cm_unlock();
    return error == 0 ? 0 : fail(error);
}

void
cm_take_connection(struct cm_id *listener) {
    const int accepted = accept4(listener->socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (accepted < 0) {
        return;
    }
    struct cm_id *id = new_id(listener->public.channel, listener->public.context, listener->public.ps);
    if (id == NULL) {
        close(accepted);
        return;
    }
    id->socket = accepted;
    id->state = CM_GREETED;
    id->listener = listener;
    if (cm_serve(id) != 0) {
        forget(id);
    }
}

/* Hands the request of a client to the program. */
static void
take_request(struct cm_id *id, const struct cm_message *message) {
    struct cm_id *listener = id->listener;
    struct cm_port port;
    set_address(&id->public.route.addr.src_storage, (const struct sockaddr *)&message->source);
    set_address(&id->public.route.addr.dst_storage, (const struct sockaddr *)&message->source);
    cm_set_port(&id->public.route.addr.src_addr, cm_port_of(&listener->public.route.addr.src_addr));
    if (cm_find_port((const struct sockaddr *)&message->source, &port) != 0) {
        end(id);
        return;
    }
    set_port(id, &port);
    set_path(id, &port.gid);
    id->remote_qp = message->qp;
    id->retry_count = message->retry_count;
    id->rnr_retry_count = message->rnr_retry_count;
    id->state = CM_REQUESTED;
    /* The program reads its own limits: the other side's reads are those that it answers. */
    struct cm_message mirrored = *message;
    mirrored.responder_resources = message->initiator_depth;
    mirrored.initiator_depth = message->responder_resources;
    cm_raise(id, listener, RDMA_CM_EVENT_CONNECT_REQUEST, 0, &mirrored);
}

static void
take(struct cm_id *id, const struct cm_message *message) {
    switch (message->kind) {
    case CM_REQUEST:
        if (id->state == CM_GREETED && id->listener != NULL) {
            take_request(id, message);
        }
        break;
    case CM_ACCEPT:
        if (id->state == CM_REQUESTING) {
            id->remote_qp = message->qp;
            id->state = CM_ACCEPTED;
            cm_raise(id, NULL, RDMA_CM_EVENT_CONNECT_RESPONSE, 0, message);
        }
        break;
    case CM_ESTABLISH:
        if (id->state == CM_ACCEPTING) {
            id->state = CM_CONNECTED;
            cm_raise(id, NULL, RDMA_CM_EVENT_ESTABLISHED, 0, NULL);
        }
        break;
    case CM_REJECT:
        end_with(id, RDMA_CM_EVENT_REJECTED, REFUSED, message);
        break;
    case CM_DISCONNECT:
        if (id->state == CM_CONNECTED) {
            end_with(id, RDMA_CM_EVENT_DISCONNECTED, 0, NULL);
        }
        break;
    }
}

/* The other side has closed its socket without a word, as its process ended, or it destroyed its id. */
static void
take_end(struct cm_id *id) {
    switch (id->state) {
    case CM_REQUESTING:
    case CM_ACCEPTED:
    case CM_ACCEPTING:
        end_with(id, RDMA_CM_EVENT_UNREACHABLE, -ETIMEDOUT, NULL);
        break;
    case CM_CONNECTED:
        end_with(id, RDMA_CM_EVENT_DISCONNECTED, 0, NULL);
        break;
    case CM_GREETED:
        forget(id);
        break;
    default:
        /* The program has the request, and learns of the end when it accepts. */
        close_socket(id);
        break;
    }
}

void
cm_take_message(struct cm_id *id) {
    struct cm_message message;
    const int result = cm_receive(id->socket, &message);
    if (result > 0) {
        take(id, &message);
    } else if (result < 0) {
        take_end(id);
    }
}

int
rdma_accept(struct rdma_cm_id *public, struct rdma_conn_param *parameters) {
    struct cm_id *id = id_of(public);
    cm_lock();
    const bool possible = id->state == CM_REQUESTED;
    if (possible) {
        const struct cm_message message = message_of(id, CM_ACCEPT, parameters);
        id->state = CM_ACCEPTING;
        if (id->socket < 0 || !cm_send(id->socket, &message)) {
            end_with(id, RDMA_CM_EVENT_UNREACHABLE, -ETIMEDOUT, NULL);
        }
    }
    cm_unlock();
    return possible ? 0 : fail(EINVAL);
}

int
rdma_reject(struct rdma_cm_id *public, const void *data, uint8_t length) {
    struct cm_id *id = id_of(public);
    struct cm_message message = {.kind = CM_REJECT, .data_length = data == NULL ? 0 : length};
    if (data != NULL) {
        memcpy(message.data, data, length);
    }
    cm_lock();
    const bool possible = id->state == CM_REQUESTED;
    if (possible) {
        if (id->socket >= 0) {
            cm_send(id->socket, &message);
        }
        end(id);
    }
    cm_unlock();
    return possible ? 0 : fail(EINVAL);
}

int
rdma_establish(struct rdma_cm_id *public) {
    struct cm_id *id = id_of(public);
    cm_lock();
    const bool possible = id->state == CM_ACCEPTED;
    if (possible) {
        id->state = CM_CONNECTED;
        /* The end of the other side is an event of its own. */
        send_kind(id, CM_ESTABLISH);
    }
    cm_unlock();
    return possible ? 0 : fail(EINVAL);
}

int
rdma_disconnect(struct rdma_cm_id *public) {
    struct cm_id *id = id_of(public);
    cm_lock();
    const bool possible = id->state >= CM_REQUESTING;
    if (id->state == CM_CONNECTED) {
        send_kind(id, CM_DISCONNECT);
        end_with(id, RDMA_CM_EVENT_DISCONNECTED, 0, NULL);
    }
    cm_unlock();
    return possible ? 0 : fail(EINVAL);
}

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
    const struct cm_id *id = id_of(public);
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
    return error == 0 ? 0 : fail(error);
}
