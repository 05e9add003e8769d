/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that processes of one user share: an anonymous file of one of them, which the others find under its
 * descriptor in /proc. Its content is untrusted, so everything is checked.
 */
#ifndef DOCA_EMULATOR_SHARED_BLOCK_H_
#define DOCA_EMULATOR_SHARED_BLOCK_H_

#include <stddef.h>
#include <sys/types.h>

#include <doca_error.h>

#include "shared.h"

/* The words in log records for the operation and the object. */
struct shared_block_use {
    /* As in "Failed to import memory". */
    const char *task;
    /* As in "the export has ended". */
    const char *thing;
};

/* The location of a block. */
struct shared_block_place {
    pid_t pid;
    uid_t user;
    int fd;
    size_t size;
};

/*
 * Returns mapped zeros in a file that only this user can open and no process can resize. Fails like
 * SDK_REFUSE_SYSTEM_ERROR() if the operating system refuses.
 */
doca_error_t shared_block_create(const struct shared_block_use *use, size_t size, int *fd, void **memory)
        EMULATOR_SHARED(shared_block_create);

void shared_block_destroy(int fd, void *memory, size_t size) EMULATOR_SHARED(shared_block_destroy);

/*
 * Maps the block of another process, or of this one. Returns INVALID_VALUE if there is none, NOT_PERMITTED if it belongs
 * to another user, DRIVER if the operating system refuses to open it; otherwise fails like SDK_REFUSE_SYSTEM_ERROR(). The
 * caller checks the content of the block.
 */
doca_error_t shared_block_open(const struct shared_block_use *use, const struct shared_block_place *place,
                               void **memory) EMULATOR_SHARED(shared_block_open);

void shared_block_close(void *memory, size_t size) EMULATOR_SHARED(shared_block_close);

#endif /* DOCA_EMULATOR_SHARED_BLOCK_H_ */
