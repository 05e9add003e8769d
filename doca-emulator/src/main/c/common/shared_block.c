/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process.h"
#include "sdk_log.h"
#include "shared_block.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U
#endif

#define REFUSE(use, error, format, ...) SDK_REFUSE(error, "Failed to %s: " format, (use)->task, __VA_ARGS__)

/*
 * Creation
 */

static int
create_file(void) {
    static const char name[] = "doca-emulator";
    const int fd = memfd_create(name, MFD_CLOEXEC | MFD_NOEXEC_SEAL);
    if (fd < 0 && errno == EINVAL) {
        /* A kernel before 6.3. */
        return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    }
    return fd;
}

/* Beyond the limit for files the system would end the process by SIGXFSZ. */
static int
resize(int fd, size_t size) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < size) {
        errno = EFBIG;
        return -1;
    }
    return ftruncate(fd, (off_t)size);
}

static doca_error_t
set_up_file(const struct shared_block_use *use, int fd, size_t size, void **memory) {
    if (fchmod(fd, S_IRUSR | S_IWUSR) != 0 || resize(fd, size) != 0 ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        return SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to %s: the control block cannot be set up", use->task);
    }
    *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return *memory == MAP_FAILED ? SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to %s: the control block cannot be mapped", use->task) : DOCA_SUCCESS;
}

doca_error_t
shared_block_create(const struct shared_block_use *use, size_t size, int *fd, void **memory) {
    const int created = create_file();
    if (created < 0) {
        return SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to %s: memfd_create", use->task);
    }
    const doca_error_t result = set_up_file(use, created, size, memory);
    if (result != DOCA_SUCCESS) {
        close(created);
        return result;
    }
    *fd = created;
    return DOCA_SUCCESS;
}

void
shared_block_destroy(int fd, void *memory, size_t size) {
    munmap(memory, size);
    close(fd);
}

/*
 * Opening
 */

static doca_error_t
refuse_ended(const struct shared_block_use *use, pid_t pid) {
    return REFUSE(use, DOCA_ERROR_INVALID_VALUE, "process %d, which %s is of, has ended", (int)pid, use->thing);
}

/* Checks the user, because root could open the block of any user but must not. */
static doca_error_t
check_user(const struct shared_block_use *use, const struct shared_block_place *place) {
    uid_t user;
    const int error = process_get_user(place->pid, &user);
    if (error == ENOENT || error == ESRCH) {
        return refuse_ended(use, place->pid);
    }
    if (error != 0) {
        return SDK_REFUSE_SYSTEM_ERROR(error, "Failed to %s: the user of process %d is not known", use->task,
                                       (int)place->pid);
    }
    if (user != geteuid() || place->user != geteuid()) {
        return REFUSE(use, DOCA_ERROR_NOT_PERMITTED,
                      "process %d, which %s is of, is of user %u, and this one of user %u", (int)place->pid,
                      use->thing, user != geteuid() ? user : place->user, geteuid());
    }
    return DOCA_SUCCESS;
}

/* Of a file not opened for reading yet, since it may be of any type. */
static doca_error_t
check_file(const struct shared_block_use *use, const struct shared_block_place *place, int location) {
    struct stat status;
    if (fstat(location, &status) != 0) {
        return SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to %s: the control block cannot be looked at", use->task);
    }
    if (!S_ISREG(status.st_mode) || (size_t)status.st_size != place->size) {
        return REFUSE(use, DOCA_ERROR_INVALID_VALUE, "%s has ended: file %d of process %d is no control block",
                      use->thing, place->fd, (int)place->pid);
    }
    if (status.st_uid != geteuid() || (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        return REFUSE(use, DOCA_ERROR_NOT_PERMITTED, "file %d of process %d is of user %u with permissions %o",
                      place->fd, (int)place->pid, status.st_uid, status.st_mode & 07777);
    }
    return DOCA_SUCCESS;
}

static doca_error_t
map_file(const struct shared_block_use *use, const struct shared_block_place *place, int location, void **memory) {
    static const int needed_seals = F_SEAL_SHRINK | F_SEAL_GROW;
    char path[64];
    snprintf(path, sizeof(path), "/proc/self/fd/%d", location);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        return SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to %s: the control block cannot be opened", use->task);
    }
    doca_error_t result = DOCA_SUCCESS;
    const int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0 || (seals & needed_seals) != needed_seals) {
        result = REFUSE(use, DOCA_ERROR_INVALID_VALUE, "%s has ended: its file is no control block now", use->thing);
    } else {
        *memory = mmap(NULL, place->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (*memory == MAP_FAILED) {
            result = SDK_REFUSE_SYSTEM_ERROR(errno, "Failed to %s: the control block cannot be mapped", use->task);
        }
    }
    close(fd);
    return result;
}

static doca_error_t
refuse_file(const struct shared_block_use *use, const struct shared_block_place *place, int error) {
    if (error == ENOENT || error == ESRCH) {
        return REFUSE(use, DOCA_ERROR_INVALID_VALUE, "%s has ended: process %d has no file %d", use->thing,
                      (int)place->pid, place->fd);
    }
    /* A process that is ending belongs to root. */
    if (!process_has_memory(place->pid)) {
        return refuse_ended(use, place->pid);
    }
    if (error == EACCES || error == EPERM) {
        return REFUSE(use, DOCA_ERROR_DRIVER,
                      "file %d of process %d cannot be opened: %s (a process that is not dumpable cannot share)",
                      place->fd, (int)place->pid, strerror(error));
    }
    return SDK_REFUSE_SYSTEM_ERROR(error, "Failed to %s: file %d of process %d cannot be opened", use->task, place->fd,
                                   (int)place->pid);
}

doca_error_t
shared_block_open(const struct shared_block_use *use, const struct shared_block_place *place, void **memory) {
    char path[64];
    doca_error_t result = check_user(use, place);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)place->pid, place->fd);
    const int location = open(path, O_PATH | O_CLOEXEC);
    if (location < 0) {
        return refuse_file(use, place, errno);
    }
    result = check_file(use, place, location);
    if (result == DOCA_SUCCESS) {
        result = map_file(use, place, location, memory);
    }
    close(location);
    return result;
}

void
shared_block_close(void *memory, size_t size) {
    munmap(memory, size);
}
