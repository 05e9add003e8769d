/* SPDX-License-Identifier: Apache-2.0 */
/* The shared blocks that a process accepts: those of its user, that no other user can open and no process can resize. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "check.h"
#include "common/shared_block.h"

#define SIZE ((size_t)4096)
#define NOBODY 65534

static const struct shared_block_use use = {.task = "test", .thing = "a test"};

static struct shared_block_place
place_of(int fd) {
    return (struct shared_block_place){.pid = getpid(), .user = geteuid(), .fd = fd, .size = SIZE};
}

static doca_error_t
open_at(struct shared_block_place place) {
    void *memory;
    const doca_error_t result = shared_block_open(&use, &place, &memory);
    if (result == DOCA_SUCCESS) {
        shared_block_close(memory, place.size);
    }
    return result;
}

static doca_error_t
open_block(int fd) {
    return open_at(place_of(fd));
}

static int
create_file(int seals) {
    const int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    CHECK_EQUAL(0, fchmod(fd, S_IRUSR | S_IWUSR));
    CHECK_EQUAL(0, ftruncate(fd, SIZE));
    CHECK_EQUAL(0, fcntl(fd, F_ADD_SEALS, seals));
    return fd;
}

static void
a_block_is_private_and_sealed(void) {
    struct stat status;
    void *memory;
    int fd;
    CHECK_SUCCESS(shared_block_create(&use, SIZE, &fd, &memory));
    CHECK_EQUAL(0, fstat(fd, &status));
    CHECK_EQUAL(S_IFREG | S_IRUSR | S_IWUSR, status.st_mode);
    CHECK_EQUAL(SIZE, status.st_size);
    const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    CHECK_EQUAL(seals, fcntl(fd, F_GET_SEALS) & seals);
    CHECK_EQUAL(0, ((const char *)memory)[SIZE - 1]);
    CHECK_SUCCESS(open_block(fd));
    shared_block_destroy(fd, memory, SIZE);
}

static void
no_other_user_may_open_it(void) {
    const int fd = create_file(F_SEAL_SHRINK | F_SEAL_GROW);
    CHECK_SUCCESS(open_block(fd));
    for (mode_t bit = 1; bit <= S_IRGRP; bit <<= 1) {
        CHECK_EQUAL(0, fchmod(fd, S_IRUSR | S_IWUSR | bit));
        CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, open_block(fd));
    }
    CHECK_EQUAL(0, fchmod(fd, S_IRUSR | S_IWUSR));
    CHECK_SUCCESS(open_block(fd));
    if (geteuid() == 0) {
        CHECK_EQUAL(0, fchown(fd, NOBODY, (gid_t)-1));
        CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, open_block(fd));
    } else {
        fprintf(stderr, "skipped, since this is not root: the file of another user\n");
    }
    close(fd);
}

static void
no_process_may_resize_it(void) {
    static const struct {
        int seals;
        doca_error_t expected;
    } cases[] = {
            {0, DOCA_ERROR_INVALID_VALUE},
            {F_SEAL_SHRINK, DOCA_ERROR_INVALID_VALUE},
            {F_SEAL_GROW, DOCA_ERROR_INVALID_VALUE},
            {F_SEAL_GROW | F_SEAL_SEAL, DOCA_ERROR_INVALID_VALUE},
            {F_SEAL_SHRINK | F_SEAL_SEAL, DOCA_ERROR_INVALID_VALUE},
            {F_SEAL_SHRINK | F_SEAL_GROW, DOCA_SUCCESS},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const int fd = create_file(cases[i].seals);
        CHECK_ERROR(cases[i].expected, open_block(fd));
        close(fd);
    }
}

static void
it_has_exactly_its_size(void) {
    const int fd = create_file(F_SEAL_SHRINK | F_SEAL_GROW);
    struct shared_block_place place = place_of(fd);
    place.size = SIZE - 1;
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, open_at(place));
    place.size = SIZE + 1;
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, open_at(place));
    close(fd);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, open_block(fd));
}

static void
it_is_of_the_user_that_its_descriptor_names(void) {
    const int fd = create_file(F_SEAL_SHRINK | F_SEAL_GROW);
    struct shared_block_place place = place_of(fd);
    place.user++;
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, open_at(place));
    close(fd);
}

static void
it_is_a_file(void) {
    int ends[2];
    CHECK_EQUAL(0, pipe(ends));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, open_block(ends[0]));
    close(ends[0]);
    close(ends[1]);
    const int folder = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, open_block(folder));
    close(folder);
}

int
main(void) {
    a_block_is_private_and_sealed();
    no_other_user_may_open_it();
    no_process_may_resize_it();
    it_has_exactly_its_size();
    it_is_of_the_user_that_its_descriptor_names();
    it_is_a_file();
    return check_result();
}
