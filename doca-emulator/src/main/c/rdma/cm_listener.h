/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A port on which a context listens: at the addresses of its device, and at the loopback addresses of its machine unless
 * another context already uses them.
 */
#ifndef DOCA_EMULATOR_CM_LISTENER_H_
#define DOCA_EMULATOR_CM_LISTENER_H_

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <doca_error.h>
#include <doca_rdma.h>

#include "common/device.h"
#include "rdma/cm_addr.h"
#include "common/local_socket.h"

/* The GIDs, an IPv4 and an IPv6 address, and the loopback address. */
#define CM_MAX_NUM_SOCKETS (MAX_NUM_DEVICE_GIDS + 3)

struct cm_link;

/* The user data of a socket in the epoll instance of a context: a listening socket, or the socket of a link. */
struct cm_source {
    struct cm_link *link;
    struct cm_listener *listener;
    uint32_t index;
};

struct cm_listener {
    TAILQ_ENTRY(cm_listener) entry;
    uint16_t port;
    uint32_t num_sockets;
    struct local_socket sockets[CM_MAX_NUM_SOCKETS];
    struct cm_address addresses[CM_MAX_NUM_SOCKETS];
    struct cm_source sources[CM_MAX_NUM_SOCKETS];
};

/* Like local_socket_listen(). Returns IN_USE if another context has the port at an address of the device. */
doca_error_t rdma_cm_listener_create(const struct doca_devinfo *devinfo, uint16_t port, struct cm_listener **listener);

void rdma_cm_listener_destroy(struct cm_listener *listener, bool inherited);

#endif /* DOCA_EMULATOR_CM_LISTENER_H_ */
