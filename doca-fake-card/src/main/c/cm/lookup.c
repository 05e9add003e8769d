/* SPDX-License-Identifier: Apache-2.0 */
#include "lookup.h"

#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_FUNCTIONS = 16,
    MAX_GIDS = 16,
    /* The length of the card's networks, in an address mapped to IPv6 and in IPv6. */
    IPV4_NETWORK_BYTES = 15,
    IPV6_NETWORK_BYTES = 8,
};

/* The opened functions, which stay open. Constant after their first use. */
static struct {
    struct ibv_context *contexts[MAX_FUNCTIONS];
    int count;
} functions;
static pthread_once_t functions_once = PTHREAD_ONCE_INIT;

static void
open_functions(void) {
    int count = 0;
    struct ibv_device **list = ibv_get_device_list(&count);
    for (int i = 0; list != NULL && i < count && i < MAX_FUNCTIONS; i++) {
        struct ibv_context *context = ibv_open_device(list[i]);
        if (context != NULL) {
            functions.contexts[functions.count++] = context;
        }
    }
    if (list != NULL) {
        ibv_free_device_list(list);
    }
}

socklen_t
cm_address_size(const struct sockaddr *address) {
    switch (address->sa_family) {
    case AF_INET:
        return sizeof(struct sockaddr_in);
    case AF_INET6:
        return sizeof(struct sockaddr_in6);
    default:
        return 0;
    }
}

uint16_t
cm_port_of(const struct sockaddr *address) {
    return ntohs(address->sa_family == AF_INET ? ((const struct sockaddr_in *)address)->sin_port
                                               : ((const struct sockaddr_in6 *)address)->sin6_port);
}

void
cm_set_port(struct sockaddr *address, uint16_t port) {
    if (address->sa_family == AF_INET) {
        ((struct sockaddr_in *)address)->sin_port = htons(port);
    } else {
        ((struct sockaddr_in6 *)address)->sin6_port = htons(port);
    }
}

bool
cm_is_any(const struct sockaddr *address) {
    if (address->sa_family == AF_INET) {
        return ((const struct sockaddr_in *)address)->sin_addr.s_addr == htonl(INADDR_ANY);
    }
    return IN6_IS_ADDR_UNSPECIFIED(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

static bool
is_loopback(const struct sockaddr *address) {
    if (address->sa_family == AF_INET) {
        return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    }
    return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

/* Stores the GID of an address: IPv4 is mapped into IPv6. */
static void
gid_of(const struct sockaddr *address, union ibv_gid *gid) {
    if (address->sa_family == AF_INET) {
        memset(gid, 0, sizeof(*gid));
        gid->raw[10] = 0xff;
        gid->raw[11] = 0xff;
        memcpy(gid->raw + 12, &((const struct sockaddr_in *)address)->sin_addr, 4);
    } else {
        memcpy(gid->raw, &((const struct sockaddr_in6 *)address)->sin6_addr, sizeof(gid->raw));
    }
}

static bool
is_ipv4(const union ibv_gid *gid) {
    return IN6_IS_ADDR_V4MAPPED((const struct in6_addr *)gid->raw);
}

/*
 * Finds the last entry of a function's GID table with an address, which is for the latest version of RoCE; NULL stands for the
 * first address of a family. Sets whether the address is another one in a network of the function.
 */
static bool
find_gid(struct ibv_context *context, const union ibv_gid *wanted, bool ipv4, struct cm_port *port, bool *is_near) {
    static const union ibv_gid none;
    union ibv_gid kept = none;
    bool found = false;
    for (int index = 0; index < MAX_GIDS; index++) {
        union ibv_gid gid;
        if (ibv_query_gid(context, 1, index, &gid) != 0 || memcmp(gid.raw, none.raw, sizeof(gid.raw)) == 0) {
            continue;
        }
        const size_t network_bytes = is_ipv4(&gid) ? IPV4_NETWORK_BYTES : IPV6_NETWORK_BYTES;
        const bool right = wanted == NULL
                               ? is_ipv4(&gid) == ipv4 && (!found || memcmp(gid.raw, kept.raw, sizeof(gid.raw)) == 0)
                               : memcmp(gid.raw, wanted->raw, sizeof(gid.raw)) == 0;
        if (right) {
            kept = gid;
            found = true;
            *port = (struct cm_port){.verbs = context, .gid_index = (uint8_t)index, .gid = gid};
        } else if (wanted != NULL && memcmp(gid.raw, wanted->raw, network_bytes) == 0) {
            *is_near = true;
        }
    }
    return found;
}

int
cm_find_port(const struct sockaddr *address, struct cm_port *port) {
    pthread_once(&functions_once, open_functions);
    const bool ipv4 = address->sa_family == AF_INET;
    bool is_near = false;
    if (is_loopback(address) || cm_is_any(address)) {
        return functions.count > 0 && find_gid(functions.contexts[0], NULL, ipv4, port, &is_near) ? 0 : ENODEV;
    }
    union ibv_gid wanted;
    gid_of(address, &wanted);
    for (int i = 0; i < functions.count; i++) {
        if (find_gid(functions.contexts[i], &wanted, ipv4, port, &is_near)) {
            return 0;
        }
    }
    return is_near ? ETIMEDOUT : ENODEV;
}

int
rdma_getaddrinfo(const char *node, const char *service, const struct rdma_addrinfo *hints, struct rdma_addrinfo **result) {
    const int flags = hints == NULL ? 0 : hints->ai_flags;
    const bool passive = (flags & RAI_PASSIVE) != 0;
    const bool has_family = hints != NULL && (flags & RAI_FAMILY) != 0;
    const struct addrinfo wanted = {
        .ai_family = has_family || (hints != NULL && hints->ai_family != 0) ? hints->ai_family : AF_UNSPEC,
        .ai_socktype = SOCK_STREAM,
        .ai_flags = (passive ? AI_PASSIVE : 0) | (flags & RAI_NUMERICHOST ? AI_NUMERICHOST : 0),
    };
    struct addrinfo *found;
    const int error = getaddrinfo(node, service, &wanted, &found);
    if (error != 0) {
        return error;
    }
    struct rdma_addrinfo *answer = calloc(1, sizeof(*answer));
    struct sockaddr *address = malloc(found->ai_addrlen);
    if (answer == NULL || address == NULL) {
        free(answer);
        free(address);
        freeaddrinfo(found);
        errno = ENOMEM;
        return EAI_MEMORY;
    }
    memcpy(address, found->ai_addr, found->ai_addrlen);
    answer->ai_flags = flags;
    answer->ai_family = found->ai_family;
    answer->ai_qp_type = IBV_QPT_RC;
    answer->ai_port_space = RDMA_PS_TCP;
    if (passive) {
        answer->ai_src_addr = address;
        answer->ai_src_len = found->ai_addrlen;
    } else {
        answer->ai_dst_addr = address;
        answer->ai_dst_len = found->ai_addrlen;
    }
    freeaddrinfo(found);
    *result = answer;
    return 0;
}

void
rdma_freeaddrinfo(struct rdma_addrinfo *answer) {
    if (answer != NULL) {
        free(answer->ai_src_addr);
        free(answer->ai_dst_addr);
        free(answer);
    }
}
