/* SPDX-License-Identifier: Apache-2.0 */
#include "route.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "event.h"
#include "id.h"
#include "lookup.h"
#include "service.h"

#define DEFAULT_PARTITION 0xffff
#define HOP_LIMIT 64

void
cm_set_address(struct sockaddr_storage *storage, const struct sockaddr *address) {
    memcpy(storage, address, cm_address_size(address));
}

void
cm_set_id_port(struct cm_id *id, const struct cm_port *port) {
    id->public.verbs = port->verbs;
    id->public.port_num = 1;
    id->gid_index = port->gid_index;
    id->public.route.addr.addr.ibaddr.sgid = port->gid;
    id->public.route.addr.addr.ibaddr.pkey = htobe16(DEFAULT_PARTITION);
}

void
cm_set_path(struct cm_id *id, const union ibv_gid *destination) {
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
    cm_set_address(&id->public.route.addr.src_storage, address);
    cm_set_port(&id->public.route.addr.src_addr, number);
    if (!any) {
        cm_set_id_port(id, &port);
    }
    return 0;
}

int
rdma_bind_addr(struct rdma_cm_id *public, struct sockaddr *address) {
    cm_lock();
    const int error = bind_id(cm_id_of(public), address);
    cm_unlock();
    return error == 0 ? 0 : cm_fail(error);
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
    const int error = start_listening(cm_id_of(public));
    cm_unlock();
    return error == 0 ? 0 : cm_fail(error);
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
    cm_set_address(&id->public.route.addr.dst_storage, destination);
    const int unreachable = cm_find_port(destination, &remote);
    if (unreachable != 0) {
        cm_raise(id, NULL, RDMA_CM_EVENT_ADDR_ERROR, -unreachable, NULL);
        return 0;
    }
    if (id->socket < 0) {
        /* Connections within a machine have the same address at both ends. */
        struct sockaddr_storage own;
        cm_set_address(&own, source == NULL ? destination : source);
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
    cm_set_id_port(id, &port);
    id->public.route.addr.addr.ibaddr.dgid = remote.gid;
    id->state = CM_RESOLVED;
    cm_raise(id, NULL, RDMA_CM_EVENT_ADDR_RESOLVED, 0, NULL);
    return 0;
}

int
rdma_resolve_addr(struct rdma_cm_id *public, struct sockaddr *source, struct sockaddr *destination, int timeout_ms) {
    (void)timeout_ms;
    cm_lock();
    const int error = resolve(cm_id_of(public), source, destination);
    cm_unlock();
    return error == 0 ? 0 : cm_fail(error);
}

int
rdma_resolve_route(struct rdma_cm_id *public, int timeout_ms) {
    (void)timeout_ms;
    struct cm_id *id = cm_id_of(public);
    cm_lock();
    const bool possible = id->state == CM_RESOLVED;
    if (possible) {
        const union ibv_gid destination = public->route.addr.addr.ibaddr.dgid;
        cm_set_path(id, &destination);
        cm_raise(id, NULL, RDMA_CM_EVENT_ROUTE_RESOLVED, 0, NULL);
    }
    cm_unlock();
    return possible ? 0 : cm_fail(EINVAL);
}
