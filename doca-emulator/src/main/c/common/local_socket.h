/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sockets by which processes of one user find each other: a listener has a Unix socket in a private folder, under a
 * name for its purpose. Nothing listens on a network.
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
    /* Identifies its file in the folder: another process may have the name by now. */
    dev_t device;
    ino_t inode;
};

/*
 * IN_USE if a living process listens by that name; NOT_PERMITTED if others than this user can access the folder;
 * OPERATING_SYSTEM. Logs the details, except for IN_USE. Removes sockets of killed processes from the folder.
 */
doca_error_t local_socket_listen(const char *name, struct local_socket *socket) EMULATOR_SHARED(local_socket_listen);

/* Removes the name as well, unless the socket is a forked copy or another process has the name. */
void local_socket_close(struct local_socket *socket, bool inherited) EMULATOR_SHARED(local_socket_close);

/*
 * The next connection from a process of this user; negative if there is none. A connection for which this process has
 * no descriptor left is closed, with an error in the log.
 */
int local_socket_accept(const struct local_socket *socket) EMULATOR_SHARED(local_socket_accept);

/*
 * Connects to the listener of that name, if it belongs to this user; negative otherwise, with an error in the log
 * unless there is no listener.
 */
int local_socket_connect(const char *name) EMULATOR_SHARED(local_socket_connect);

/*
 * Closes a socket that one of the two functions has opened. Forked children have no copy that would keep the
 * connection open.
 */
void local_socket_disconnect(int fd) EMULATOR_SHARED(local_socket_disconnect);

/* Sends a whole message, or nothing of it. */
bool local_socket_send(int fd, const void *message, size_t size) EMULATOR_SHARED(local_socket_send);

/* The size of the message; 0 if the other side has closed or exited; negative if there is no message yet. */
ssize_t local_socket_receive(int fd, void *message, size_t size) EMULATOR_SHARED(local_socket_receive);

#endif /* DOCA_EMULATOR_LOCAL_SOCKET_H_ */
