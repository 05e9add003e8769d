/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "log.h"
#include "network.h"
#include "peer.h"
#include "settings.h"

#define PATH_BYTES 256

struct card_published_export {
    struct card_published_export *next;
    struct card_export *export;
    char path[PATH_BYTES];
};

/* Guarded by card_lock(). The slot belongs to this process as long as the file of its lock is open. */
static struct {
    bool taken;
    uint32_t slot;
    int lock_file;
    int socket;
} self = {.lock_file = -1, .socket = -1};

static void
path_of(char *path, size_t size, const char *kind, unsigned int number) {
    snprintf(path, size, "%s/%s-%u", card_settings()->directory, kind, number);
}

static _Noreturn void
give_up(const char *what) {
    fprintf(stderr, "fake card: %s in %s: %s\n", what, card_settings()->directory, strerror(errno));
    exit(1);
}

/* Locks the file of a slot, which this process has until it closes the file; -1 if another process has it. */
static int
lock_slot(uint32_t slot) {
    char path[PATH_BYTES];
    path_of(path, sizeof(path), "slot", slot);
    const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) {
        give_up("no slot can be taken");
    }
    if (flock(file, LOCK_EX | LOCK_NB) == 0) {
        return file;
    }
    close(file);
    return -1;
}

uint32_t
card_slot(void) {
    if (self.taken) {
        return self.slot;
    }
    if (mkdir(card_settings()->directory, 0700) != 0 && errno != EEXIST) {
        give_up("no folder can be made");
    }
    for (uint32_t slot = 0; slot < CARD_SLOTS; slot++) {
        self.lock_file = lock_slot(slot);
        if (self.lock_file >= 0) {
            self.slot = slot;
            self.taken = true;
            /* Others copy from and to the memory of this process, which some systems permit only to parents. */
            prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
            return slot;
        }
    }
    errno = EMFILE;
    give_up("all slots are taken");
}

uint32_t
card_vhca(int function) {
    return card_slot() * CARD_FUNCTIONS + (uint32_t)function;
}

bool
card_peer_lives(uint32_t slot) {
    if (self.taken && slot == self.slot) {
        return true;
    }
    const int file = lock_slot(slot);
    if (file >= 0) {
        close(file);
    }
    return file < 0;
}

void
card_forget_peers(void) {
    if (self.lock_file >= 0) {
        close(self.lock_file);
    }
    if (self.socket >= 0) {
        close(self.socket);
    }
    self.taken = false;
    self.lock_file = -1;
    self.socket = -1;
}

/* A second export of a key replaces the file; users of the older one keep that. */
static void
path_of_export(char path[PATH_BYTES], uint32_t vhca, uint32_t number) {
    snprintf(path, PATH_BYTES, "%s/key-%u-%u", card_settings()->directory, vhca, number);
}

static struct card_export *
map_export(const char *path, int flags, int protection) {
    const int file = open(path, flags | O_CLOEXEC, 0600);
    if (file < 0) {
        return NULL;
    }
    struct card_export *export = MAP_FAILED;
    struct stat status;
    if (((flags & O_CREAT) != 0 && ftruncate(file, sizeof(*export)) != 0) || fstat(file, &status) != 0) {
        close(file);
        return NULL;
    }
    if ((size_t)status.st_size == sizeof(*export)) {
        export = mmap(NULL, sizeof(*export), protection, MAP_SHARED, file, 0);
    } else {
        errno = ENOENT;
    }
    close(file);
    return export == MAP_FAILED ? NULL : export;
}

int
card_publish_export(struct card_export_list *list, uint32_t vhca, uint32_t number, const struct card_export *export) {
    struct card_published_export *published = calloc(1, sizeof(*published));
    if (published == NULL) {
        return ENOMEM;
    }
    char unfinished[PATH_BYTES];
    path_of(unfinished, sizeof(unfinished), "unfinished", self.slot);
    path_of_export(published->path, vhca, number);
    unlink(unfinished);
    published->export = map_export(unfinished, O_RDWR | O_CREAT | O_EXCL, PROT_READ | PROT_WRITE);
    if (published->export == NULL) {
        const int error = errno;
        free(published);
        return error;
    }
    memcpy((char *)published->export + sizeof(export->alive), (const char *)export + sizeof(export->alive),
           sizeof(*export) - sizeof(export->alive));
    atomic_store(&published->export->alive, 1);
    if (rename(unfinished, published->path) != 0) {
        const int error = errno;
        munmap(published->export, sizeof(*published->export));
        free(published);
        return error;
    }
    published->next = list->first;
    list->first = published;
    card_log(CARD_LOG_COMMANDS, "key %08x is exported as %s", export->key, published->path);
    return 0;
}

void
card_withdraw_exports(struct card_export_list *list) {
    while (list->first != NULL) {
        struct card_published_export *published = list->first;
        list->first = published->next;
        atomic_store(&published->export->alive, 0);
        munmap(published->export, sizeof(*published->export));
        unlink(published->path);
        free(published);
    }
}

const struct card_export *
card_acquire_export(uint32_t vhca, uint32_t number, const uint8_t *access_key) {
    char path[PATH_BYTES];
    path_of_export(path, vhca, number);
    struct card_export *export = map_export(path, O_RDONLY, PROT_READ);
    if (export == NULL) {
        errno = ENOENT;
        return NULL;
    }
    if (memcmp(export->access_key, access_key, sizeof(export->access_key)) != 0) {
        munmap(export, sizeof(*export));
        errno = EACCES;
        return NULL;
    }
    return export;
}

void
card_release_export(const struct card_export *export) {
    if (export != NULL) {
        munmap((void *)export, sizeof(*export));
    }
}

static struct sockaddr_un
address_of(uint32_t slot) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    path_of(address.sun_path, sizeof(address.sun_path), "socket", slot);
    return address;
}

void
card_open_socket(void) {
    if (self.socket >= 0) {
        return;
    }
    const struct sockaddr_un address = address_of(card_slot());
    /* Removes the socket of a process that had the slot before. */
    unlink(address.sun_path);
    self.socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (self.socket < 0 || bind(self.socket, (const struct sockaddr *)&address, sizeof(address)) != 0) {
        give_up("no socket can be opened");
    }
}

int
card_send(uint32_t slot, const void *message, size_t size) {
    const struct sockaddr_un address = address_of(slot);
    card_open_socket();
    if (sendto(self.socket, message, size, 0, (const struct sockaddr *)&address, sizeof(address)) >= 0) {
        return 0;
    }
    return errno == EAGAIN || errno == EINTR || errno == ENOBUFS ? EAGAIN : ENOENT;
}

size_t
card_receive(void *message, size_t size) {
    if (self.socket < 0) {
        return 0;
    }
    const ssize_t received = recv(self.socket, message, size, 0);
    return received < 0 ? 0 : (size_t)received;
}
