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

/* Of a name with the prefix of its file, which has 14 characters. */
#define LOCAL_SOCKET_NAME_SIZE 64

/* A socket that listens under a name. */
struct local_socket {
    int fd;
    /* The name of its file in the folder. */
    char name[LOCAL_SOCKET_NAME_SIZE];
    /* Identify its file in the folder, because another process may use the name later. */
    dev_t device;
    ino_t inode;
};

/*
 * Listens under a name. Returns IN_USE if a living process uses that name; NOT_PERMITTED if other users can access the
 * folder; OPERATING_SYSTEM otherwise. Logs the details, except for IN_USE. Removes sockets of killed processes of the
 * emulator.
 */
doca_error_t local_socket_listen(const char *name, struct local_socket *socket) EMULATOR_SHARED(local_socket_listen);

/* Closes the socket. Removes its name, unless the socket is a forked copy or another process has the name. */
void local_socket_close(struct local_socket *socket, bool inherited) EMULATOR_SHARED(local_socket_close);

/*
 * Returns the next connection from a process of this user; negative if there is none. If this process has no free
 * descriptor, the connection is closed and an error is logged.
 */
int local_socket_accept(const struct local_socket *socket) EMULATOR_SHARED(local_socket_accept);

/*
 * Connects to the listener of that name, if it belongs to this user; negative otherwise, with an error in the log
 * unless there is no listener.
 */
int local_socket_connect(const char *name) EMULATOR_SHARED(local_socket_connect);

/* Returns whether this process has too few free file descriptors to connect. */
bool local_socket_lacks_descriptors(void) EMULATOR_SHARED(local_socket_lacks_descriptors);

/*
 * Closes a socket of one of the two functions above. Forked children have no copy that would keep the connection open.
 */
void local_socket_disconnect(int fd) EMULATOR_SHARED(local_socket_disconnect);

/* Sends a whole message or nothing. */
bool local_socket_send(int fd, const void *message, size_t size) EMULATOR_SHARED(local_socket_send);

/* Returns the size of the message; 0 if the other side has closed or exited; negative if there is no message yet. */
ssize_t local_socket_receive(int fd, void *message, size_t size) EMULATOR_SHARED(local_socket_receive);

#endif /* DOCA_EMULATOR_LOCAL_SOCKET_H_ */
