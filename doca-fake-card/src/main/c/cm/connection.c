/* SPDX-License-Identifier: Apache-2.0 */
#include "connection.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "event.h"
#include "id.h"
#include "log.h"
#include "lookup.h"
#include "route.h"
#include "service.h"

/* The reasons of rejections, as InfiniBand numbers them: nobody has the port; the program's decision. */
enum {
    NO_LISTENER = 8,
    REFUSED = 28,
};

/* Ends the connection of an id and raises the event that says so. */
static void
end_with(struct cm_id *id, enum rdma_cm_event_type kind, int status, const struct cm_message *message) {
    cm_end(id);
    cm_raise(id, NULL, kind, status, message);
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
    const int error = request(cm_id_of(public), parameters);
    cm_unlock();
    return error == 0 ? 0 : cm_fail(error);
}

void
cm_take_connection(struct cm_id *listener) {
    const int accepted = accept4(listener->socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (accepted < 0) {
        return;
    }
    struct cm_id *id = cm_new_id(listener->public.channel, listener->public.context, listener->public.ps);
    if (id == NULL) {
        close(accepted);
        return;
    }
    id->socket = accepted;
    id->state = CM_GREETED;
    id->listener = listener;
    if (cm_serve(id) != 0) {
        cm_forget(id);
    }
}

/* Hands the request of a client to the program. */
static void
take_request(struct cm_id *id, const struct cm_message *message) {
    struct cm_id *listener = id->listener;
    struct cm_port port;
    cm_set_address(&id->public.route.addr.src_storage, (const struct sockaddr *)&message->source);
    cm_set_address(&id->public.route.addr.dst_storage, (const struct sockaddr *)&message->source);
    cm_set_port(&id->public.route.addr.src_addr, cm_port_of(&listener->public.route.addr.src_addr));
    if (cm_find_port((const struct sockaddr *)&message->source, &port) != 0) {
        cm_end(id);
        return;
    }
    cm_set_id_port(id, &port);
    cm_set_path(id, &port.gid);
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
        cm_forget(id);
        break;
    default:
        /* The program has the request, and learns of the end when it accepts. */
        cm_close_socket(id);
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
    struct cm_id *id = cm_id_of(public);
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
    return possible ? 0 : cm_fail(EINVAL);
}

int
rdma_reject(struct rdma_cm_id *public, const void *data, uint8_t length) {
    struct cm_id *id = cm_id_of(public);
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
        cm_end(id);
    }
    cm_unlock();
    return possible ? 0 : cm_fail(EINVAL);
}

int
rdma_establish(struct rdma_cm_id *public) {
    struct cm_id *id = cm_id_of(public);
    cm_lock();
    const bool possible = id->state == CM_ACCEPTED;
    if (possible) {
        id->state = CM_CONNECTED;
        /* The end of the other side is an event of its own. */
        cm_send_kind(id, CM_ESTABLISH);
    }
    cm_unlock();
    return possible ? 0 : cm_fail(EINVAL);
}

int
rdma_disconnect(struct rdma_cm_id *public) {
    struct cm_id *id = cm_id_of(public);
    card_log(CARD_LOG_COMMANDS, "connection %p of event channel %p is disconnected", (void *)id, (void *)public->channel);
    cm_lock();
    const bool possible = id->state >= CM_REQUESTING;
    if (id->state == CM_CONNECTED) {
        cm_send_kind(id, CM_DISCONNECT);
        end_with(id, RDMA_CM_EVENT_DISCONNECTED, 0, NULL);
    }
    cm_unlock();
    return possible ? 0 : cm_fail(EINVAL);
}
