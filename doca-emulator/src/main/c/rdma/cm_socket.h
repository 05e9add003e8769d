/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How processes of one user find each other by the addresses of their emulated devices: a listener has a Unix socket
 * in a private folder, named by its address and port. Nothing listens on a network.
 */
#ifndef DOCA_EMULATOR_CM_SOCKET_H_
#define DOCA_EMULATOR_CM_SOCKET_H_

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <doca_error.h>

#include "rdma/cm_addr.h"

#define CM_SOCKET_NAME_SIZE 64

/* A socket that listens under a name. */
struct cm_socket {
    int fd;
    char name[CM_SOCKET_NAME_SIZE];
};

/*
 * IN_USE when a living process listens at that address; NOT_PERMITTED when the folder is not this user's alone,
 * OPERATING_SYSTEM. The log says more, but for IN_USE.
 */
doca_error_t cm_socket_listen(const struct cm_address *address, struct cm_socket *socket);

/* Takes the name away as well, unless the socket is one that a fork has left. */
void cm_socket_close(struct cm_socket *socket, bool inherited);

/* The next one that has connected, and is of this user; negative when there is none. */
int cm_socket_accept(const struct cm_socket *socket);

/* Connects to the listener at the address, when it is of this user; negative, with a record in the log, otherwise. */
int cm_socket_connect(const struct cm_address *address);

/* A whole message, or nothing of it. */
bool cm_socket_send(int fd, const void *message, size_t size);

/* The size of the message; 0 when the other side has closed, or is gone; negative when there is nothing yet. */
ssize_t cm_socket_receive(int fd, void *message, size_t size);

#endif /* DOCA_EMULATOR_CM_SOCKET_H_ */
