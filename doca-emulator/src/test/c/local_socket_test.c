/* SPDX-License-Identifier: Apache-2.0 */
/* The other user behind a socket, and folders that other users can access. */
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "check.h"
#include "common/local_socket.h"

#define NOBODY 65534
#define NAME "test"

static char folder[] = "/tmp/doca-socket-XXXXXX";

static void
become(uid_t user) {
    CHECK_EQUAL(0, seteuid(0));
    CHECK_EQUAL(0, seteuid(user));
}

static void
give_folder_to(uid_t user) {
    CHECK_EQUAL(0, seteuid(0));
    CHECK_EQUAL(0, chown(folder, user, (gid_t)-1));
}

/* Connects without the checks of the library. */
static int
connect_directly(const struct local_socket *listener) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s", folder, listener->name);
    CHECK_EQUAL(0, connect(fd, (const struct sockaddr *)&address, sizeof(address)));
    return fd;
}

static bool
accepts(const struct local_socket *listener) {
    const int fd = local_socket_accept(listener);
    if (fd >= 0) {
        local_socket_disconnect(fd);
    }
    return fd >= 0;
}

static void
a_process_of_the_user_is_accepted(void) {
    struct local_socket listener;
    CHECK_SUCCESS(local_socket_listen(NAME, &listener));
    CHECK(!accepts(&listener));
    const int fd = local_socket_connect(NAME);
    CHECK(fd >= 0);
    CHECK(accepts(&listener));
    local_socket_disconnect(fd);
    local_socket_close(&listener, false);
    CHECK(local_socket_connect(NAME) < 0);
}

/* Root can open the folder of any user. */
static void
root_is_not_accepted_by_another_user(void) {
    struct local_socket listener;
    give_folder_to(NOBODY);
    become(NOBODY);
    CHECK_SUCCESS(local_socket_listen(NAME, &listener));
    become(0);
    const int of_root = connect_directly(&listener);
    become(NOBODY);
    CHECK(!accepts(&listener));
    const int own = connect_directly(&listener);
    CHECK(accepts(&listener));
    close(own);
    close(of_root);
    local_socket_close(&listener, false);
    give_folder_to(0);
}

/* The folder has had another owner. */
static void
a_listener_of_another_user_is_left_alone(void) {
    char path[256];
    struct local_socket listener;
    CHECK_SUCCESS(local_socket_listen(NAME, &listener));
    snprintf(path, sizeof(path), "%s/%s", folder, listener.name);
    CHECK_EQUAL(0, chmod(path, 0777));
    give_folder_to(NOBODY);
    become(NOBODY);
    CHECK(local_socket_connect(NAME) < 0);
    give_folder_to(0);
    const int own = local_socket_connect(NAME);
    CHECK(own >= 0);
    local_socket_disconnect(own);
    local_socket_close(&listener, false);
}

static void
a_folder_of_another_user_is_refused(void) {
    struct local_socket listener;
    give_folder_to(NOBODY);
    CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, local_socket_listen(NAME, &listener));
    CHECK(local_socket_connect(NAME) < 0);
    give_folder_to(0);
}

static void
a_folder_that_others_can_access_is_refused(void) {
    struct local_socket listener;
    for (mode_t bit = 1; bit <= S_IRGRP; bit <<= 1) {
        CHECK_EQUAL(0, chmod(folder, S_IRWXU | bit));
        CHECK_ERROR(DOCA_ERROR_NOT_PERMITTED, local_socket_listen(NAME, &listener));
    }
    CHECK_EQUAL(0, chmod(folder, S_IRWXU));
    CHECK_SUCCESS(local_socket_listen(NAME, &listener));
    local_socket_close(&listener, false);
}

int
main(void) {
    CHECK(mkdtemp(folder) != NULL);
    setenv("DOCA_EMULATOR_RUNTIME_DIR", folder, 1);
    a_process_of_the_user_is_accepted();
    a_folder_that_others_can_access_is_refused();
    if (geteuid() == 0) {
        a_folder_of_another_user_is_refused();
        root_is_not_accepted_by_another_user();
        a_listener_of_another_user_is_left_alone();
    } else {
        fprintf(stderr, "skipped, since this is not root: sockets and folders of other users\n");
    }
    rmdir(folder);
    return check_result();
}
