/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "message.h"
#include "settings.h"

/* Linux gives programs the same ports by default. */
#define FIRST_FREE_PORT 32768
#define FREE_PORTS 28232

static _Atomic uint32_t tried_ports;

/* Stores the name of a port's socket, which only the network namespace of this process has. Returns its length. */
static socklen_t
name_of(uint16_t port, struct sockaddr_un *name) {
    const char *directory = card_settings()->directory;
    struct stat folder;
    if ((mkdir(directory, 0700) != 0 && errno != EEXIST) || stat(directory, &folder) != 0) {
        fprintf(stderr, "fake card: no folder can be made in %s: %s\n", directory, strerror(errno));
        exit(1);
    }
    memset(name, 0, sizeof(*name));
    name->sun_family = AF_UNIX;
    /* A first byte of 0 makes it a name without a file. */
    const int length = snprintf(name->sun_path + 1, sizeof(name->sun_path) - 1, "fake-card-%lx-%lx-%u",
                                (unsigned long)folder.st_dev, (unsigned long)folder.st_ino, (unsigned int)port);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static bool
bind_socket(int socket, uint16_t port) {
    struct sockaddr_un name;
    const socklen_t length = name_of(port, &name);
    return bind(socket, (const struct sockaddr *)&name, length) == 0;
}

static bool
bind_to_free_port(int socket, uint16_t *port) {
    for (int i = 0; i < FREE_PORTS; i++) {
        const uint32_t tried = atomic_fetch_add(&tried_ports, 1) + (uint32_t)getpid() * 97;
        *port = (uint16_t)(FIRST_FREE_PORT + tried % FREE_PORTS);
        if (bind_socket(socket, *port)) {
            return true;
        }
        if (errno != EADDRINUSE) {
            return false;
        }
    }
    return false;
}

int
cm_open_socket(uint16_t *port) {
    const int opened = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (opened < 0) {
        return -1;
    }
    if (*port == 0 ? bind_to_free_port(opened, port) : bind_socket(opened, *port)) {
        return opened;
    }
    const int error = errno;
    close(opened);
    errno = error;
    return -1;
}

int
cm_connect_socket(int socket, uint16_t port) {
    struct sockaddr_un name;
    const socklen_t length = name_of(port, &name);
    return connect(socket, (const struct sockaddr *)&name, length);
}

bool
cm_send(int socket, const struct cm_message *message) {
    return send(socket, message, sizeof(*message), MSG_NOSIGNAL) == sizeof(*message);
}

int
cm_receive(int socket, struct cm_message *message) {
    const ssize_t received = recv(socket, message, sizeof(*message), 0);
    if (received == sizeof(*message)) {
        return 1;
    }
    return received < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}
