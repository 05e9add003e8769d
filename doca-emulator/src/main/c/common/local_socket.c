/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "fork.h"
#include "local_socket.h"
#include "process.h"
#include "sdk_log.h"
#include "settings.h"

#define FOLDER_MODE S_IRWXU
/* Distinguishes the emulator's sockets from other files of the folder, which are not removed. */
#define NAME_PREFIX "doca-emulator-"
#define MAX_LOCK_TIME_NS (5 * NS_PER_S)
#define LOCK_RETRY_NS 1000000

/* SOCK_SEQPACKET keeps message boundaries and reports a closed socket. */
#define SOCKET_TYPE (SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC)

static doca_error_t
check_folder(int folder, const char *path) {
    struct stat status;
    if (fstat(folder, &status) != 0) {
        return SDK_REFUSE_SYSTEM_ERROR(errno, "Folder %s", path);
    }
    if (status.st_uid != geteuid() || (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        return SDK_REFUSE(DOCA_ERROR_NOT_PERMITTED,
                          "Folder %s: is of user %u with permissions %o, must be of user %u alone", path,
                          status.st_uid, status.st_mode & 07777, geteuid());
    }
    return DOCA_SUCCESS;
}

/* Opens the folder, and creates it if it does not exist. */
static doca_error_t
open_folder(int *folder) {
    const char *path = emulator_settings()->runtime_dir;
    if (path == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    if (mkdir(path, FOLDER_MODE) != 0 && errno != EEXIST) {
        return SDK_REFUSE_SYSTEM_ERROR(errno, "Folder %s", path);
    }
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return SDK_REFUSE_SYSTEM_ERROR(errno, "Folder %s", path);
    }
    const doca_error_t result = check_folder(fd, path);
    if (result != DOCA_SUCCESS) {
        close(fd);
        return result;
    }
    *folder = fd;
    return DOCA_SUCCESS;
}

/* Locks the folder until unlock_folder(): processes create and remove names one at a time. */
static bool
lock_folder(int folder) {
    const struct timespec pause = {.tv_nsec = LOCK_RETRY_NS};
    const uint64_t end = clock_now() + MAX_LOCK_TIME_NS;
    while (flock(folder, LOCK_EX | LOCK_NB) != 0) {
        if (clock_now() > end) {
            SDK_LOG_ERR("Folder %s: is locked by another process", emulator_settings()->runtime_dir);
            return false;
        }
        nanosleep(&pause, NULL);
    }
    return true;
}

/* Closing the folder would not unlock it while a child, forked by another thread meanwhile, has a copy of the descriptor. */
static void
unlock_folder(int folder) {
    flock(folder, LOCK_UN);
}

static void
make_file_name(const char *name, char file_name[LOCAL_SOCKET_NAME_SIZE]) {
    snprintf(file_name, LOCAL_SOCKET_NAME_SIZE, NAME_PREFIX "%s", name);
}

/* A path relative to the open folder fits into the structure, however deep the folder is. */
static struct sockaddr_un
make_path(int folder, const char *name) {
    struct sockaddr_un path = {.sun_family = AF_UNIX};
    snprintf(path.sun_path, sizeof(path.sun_path), "/proc/self/fd/%d/%s", folder, name);
    return path;
}

/* A file of another kind refuses connections like a stale socket. */
static bool
is_socket(int folder, const char *name) {
    struct stat status;
    return fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISSOCK(status.st_mode);
}

/*
 * Returns whether this is the socket of a process that has ended. It tries to connect a socket of the wrong type, which
 * no listener accepts, so a live listener does not notice the attempt.
 */
static bool
is_stale(int folder, const char *name) {
    const int fd = is_socket(folder, name) ? socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0) : -1;
    if (fd < 0) {
        return false;
    }
    const struct sockaddr_un path = make_path(folder, name);
    const bool stale = connect(fd, (const struct sockaddr *)&path, sizeof(path)) != 0 && errno == ECONNREFUSED;
    close(fd);
    return stale;
}

/* Removes a stale socket of the emulator. Its names have a prefix and are not longer. */
static void
remove_if_stale(int folder, const struct dirent *entry) {
    char name[LOCAL_SOCKET_NAME_SIZE];
    const size_t len = strlen(entry->d_name);
    if (len >= sizeof(name) || strncmp(entry->d_name, NAME_PREFIX, strlen(NAME_PREFIX)) != 0) {
        return;
    }
    memcpy(name, entry->d_name, len + 1);
    if (is_stale(folder, name)) {
        unlinkat(folder, name, 0);
    }
}

/*
 * Removes the sockets of processes that were killed. This examines all sockets of the folder, so a process does it only
 * once.
 */
static void
sweep(int folder) {
    /* The generation of the process that did it, plus 1. */
    static atomic_uint swept_by;
    const unsigned int generation = process_generation() + 1;
    const int copy = atomic_exchange(&swept_by, generation) == generation ? -1 : openat(folder, ".", O_RDONLY | O_CLOEXEC);
    DIR *entries = copy < 0 ? NULL : fdopendir(copy);
    if (entries == NULL) {
        if (copy >= 0) {
            close(copy);
        }
        return;
    }
    const struct dirent *entry;
    while ((entry = readdir(entries)) != NULL) {
        remove_if_stale(folder, entry);
    }
    closedir(entries);
}

/* Returns 0 or errno. */
static int
bind_name(int fd, int folder, const char *name) {
    const struct sockaddr_un path = make_path(folder, name);
    if (bind(fd, (const struct sockaddr *)&path, sizeof(path)) == 0) {
        return 0;
    }
    const int error = errno;
    if (error != EADDRINUSE || !is_stale(folder, name)) {
        return error;
    }
    if (unlinkat(folder, name, 0) != 0 && errno != ENOENT) {
        return errno;
    }
    return bind(fd, (const struct sockaddr *)&path, sizeof(path)) == 0 ? 0 : errno;
}

/* Returns 0 or errno. */
static int
listen_by_name(struct local_socket *listener, int folder) {
    struct stat status;
    int error = bind_name(listener->fd, folder, listener->name);
    if (error != 0) {
        return error;
    }
    if (listen(listener->fd, SOMAXCONN) != 0 ||
        fstatat(folder, listener->name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        error = errno;
        unlinkat(folder, listener->name, 0);
        return error;
    }
    listener->device = status.st_dev;
    listener->inode = status.st_ino;
    return 0;
}

/*
 * Keeps one spare descriptor. A process at its descriptor limit cannot accept a connection, so its listening socket
 * would always stay readable. In that case the spare descriptor is closed, one connection is accepted and closed, and
 * the spare one is opened again.
 */
static struct {
    pthread_mutex_t lock;
    /* Negative if there is none. Under the lock. */
    int fd;
} spare = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .fd = -1,
};

GUARD_IN_FORKS(spare, &spare.lock, NULL)

/* Returns false, with errno, if there is none and none can be opened. */
static bool
keep_spare(void) {
    emulator_lock(&spare.lock);
    if (spare.fd < 0) {
        spare.fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    }
    const bool is_kept = spare.fd >= 0;
    const int error = errno;
    emulator_unlock(&spare.lock);
    errno = error;
    return is_kept;
}

static void
refuse_connection(const struct local_socket *socket) {
    emulator_lock(&spare.lock);
    if (spare.fd >= 0) {
        close(spare.fd);
    }
    const int fd = accept4(socket->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
        close(fd);
        SDK_LOG_ERR("Failed to accept a connection to %s: the process has too many open files", socket->name);
    }
    spare.fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    emulator_unlock(&spare.lock);
}

static doca_error_t
listen_in(int folder, struct local_socket *listener) {
    if (!keep_spare()) {
        return SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to listen: spare descriptor");
    }
    listener->fd = socket(AF_UNIX, SOCKET_TYPE, 0);
    if (listener->fd < 0) {
        return SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to listen: socket");
    }
    const int error = listen_by_name(listener, folder);
    if (error != 0) {
        close(listener->fd);
        /* The caller logs that the name is in use. */
        return error == EADDRINUSE ? emulator_system_error(error)
                                   : SDK_REFUSE_SYSTEM_ERROR(error, "Failed to listen as %s", listener->name);
    }
    fork_withhold(listener->fd);
    return DOCA_SUCCESS;
}

doca_error_t
local_socket_listen(const char *name, struct local_socket *socket) {
    int folder;
    doca_error_t result = open_folder(&folder);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    make_file_name(name, socket->name);
    if (lock_folder(folder)) {
        sweep(folder);
        result = listen_in(folder, socket);
        unlock_folder(folder);
    } else {
        result = DOCA_ERROR_TIME_OUT;
    }
    close(folder);
    return result;
}

/*
 * Returns whether the name still refers to this socket. It may have been removed, and another process may use it.
 */
static bool
has_name(const struct local_socket *socket, int folder) {
    struct stat status;
    return fstatat(folder, socket->name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_dev == socket->device &&
           status.st_ino == socket->inode;
}

void
local_socket_close(struct local_socket *socket, bool inherited) {
    int folder;
    if (!inherited && open_folder(&folder) == DOCA_SUCCESS) {
        if (lock_folder(folder)) {
            if (has_name(socket, folder)) {
                unlinkat(folder, socket->name, 0);
            }
            unlock_folder(folder);
        }
        close(folder);
    }
    local_socket_disconnect(socket->fd);
}

/* Returns whether the process at the other end belongs to this user. Root can open any user's folder. */
static bool
is_own(int fd) {
    struct ucred peer;
    socklen_t size = sizeof(peer);
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) {
        return false;
    }
    if (peer.uid != geteuid()) {
        SDK_LOG_ERR("Process %d is of user %u, and this one of user %u", (int)peer.pid, peer.uid, geteuid());
        return false;
    }
    return true;
}

int
local_socket_accept(const struct local_socket *socket) {
    /* Another thread may have taken the descriptor when a connection was refused. */
    (void)keep_spare();
    const int fd = accept4(socket->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE) {
            refuse_connection(socket);
        }
        return -1;
    }
    if (!is_own(fd)) {
        close(fd);
        return -1;
    }
    fork_withhold(fd);
    return fd;
}

bool
local_socket_lacks_descriptors(void) {
    /* As many as the folder and the socket. */
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) == 0) {
        close(fds[0]);
        close(fds[1]);
        return false;
    }
    return errno == EMFILE || errno == ENFILE;
}

void
local_socket_disconnect(int fd) {
    fork_release(fd);
    close(fd);
}

static int
connect_in(int folder, const char *name) {
    char file_name[LOCAL_SOCKET_NAME_SIZE];
    make_file_name(name, file_name);
    const struct sockaddr_un path = make_path(folder, file_name);
    const int fd = socket(AF_UNIX, SOCKET_TYPE, 0);
    if (fd < 0) {
        SDK_LOG_ERR("Failed to connect: socket: %s", strerror(errno));
        return -1;
    }
    if (connect(fd, (const struct sockaddr *)&path, sizeof(path)) != 0) {
        /* The caller logs that there is no such listener. */
        const bool is_missing = errno == ENOENT || errno == ECONNREFUSED;
        SDK_LOG(is_missing ? DOCA_LOG_LEVEL_DEBUG : DOCA_LOG_LEVEL_ERROR, "Failed to connect to socket %s: %s", name,
                strerror(errno));
        close(fd);
        return -1;
    }
    if (!is_own(fd)) {
        close(fd);
        return -1;
    }
    fork_withhold(fd);
    return fd;
}

int
local_socket_connect(const char *name) {
    int folder;
    if (open_folder(&folder) != DOCA_SUCCESS) {
        return -1;
    }
    const int fd = connect_in(folder, name);
    close(folder);
    return fd;
}

bool
local_socket_send(int fd, const void *message, size_t size) {
    return send(fd, message, size, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)size;
}

/* Closing with unread data resets the connection; data sent before can still be read then. */
ssize_t
local_socket_receive(int fd, void *message, size_t size) {
    ssize_t received = recv(fd, message, size, MSG_DONTWAIT);
    if (received < 0 && errno == ECONNRESET) {
        received = recv(fd, message, size, MSG_DONTWAIT);
    }
    if (received < 0 && errno != EAGAIN && errno != EINTR) {
        return 0;
    }
    return received;
}
