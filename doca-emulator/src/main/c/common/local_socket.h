/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sockets by which processes of one user find each other: a listener has a Unix socket in a private folder, by a name
 * that says what it is there for. Nothing listens on a network.
 */
#ifndef DOCA_EMULATOR_LOCAL_SOCKET_H_
#define DOCA_EMULATOR_LOCAL_SOCKET_H_

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <doca_error.h>

#include "shared.h"

#define LOCAL_SOCKET_NAME_SIZE 64

/* A socket that listens under a name. */
struct local_socket {
    int fd;
    char name[LOCAL_SOCKET_NAME_SIZE];
    /* Which file in the folder it is: another process may have the name by now. */
    dev_t device;
    ino_t inode;
};

/*
 * IN_USE when a living process listens by that name; NOT_PERMITTED when the folder is not this user's alone,
 * OPERATING_SYSTEM. The log says more, but for IN_USE. Removes what processes have left in the folder that were killed.
 */
doca_error_t local_socket_listen(const char *name, struct local_socket *socket) EMULATOR_SHARED(local_socket_listen);

/* Takes the name away as well, unless the socket is one that a fork has left, or another one has the name. */
void local_socket_close(struct local_socket *socket, bool inherited) EMULATOR_SHARED(local_socket_close);

/*
 * The next one that has connected, and is of this user; negative when there is none. One for which this process has no
 * descriptor left is disconnected, with an error in the log.
 */
int local_socket_accept(const struct local_socket *socket) EMULATOR_SHARED(local_socket_accept);

/* Connects to the listener of that name, when it is of this user; negative otherwise, with an error in the log unless
 * there is no listener. */
int local_socket_connect(const char *name) EMULATOR_SHARED(local_socket_connect);

/* Closes what one of the two has opened. Forked children have no copy of it that would keep the connection. */
void local_socket_disconnect(int fd) EMULATOR_SHARED(local_socket_disconnect);

/* A whole message, or nothing of it. */
bool local_socket_send(int fd, const void *message, size_t size) EMULATOR_SHARED(local_socket_send);

/* The size of the message; 0 when the other side has closed, or is gone; negative when there is nothing yet. */
ssize_t local_socket_receive(int fd, void *message, size_t size) EMULATOR_SHARED(local_socket_receive);

#endif /* DOCA_EMULATOR_LOCAL_SOCKET_H_ */
