/* SPDX-License-Identifier: Apache-2.0 */
#include "peer.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "answer.h"
#include "run.h"
#include "sdk.h"

static int peer_socket = PEER_SOCKET;
static pid_t peer_pid;

static _Noreturn void
become_peer(const struct rule *rule, int socket, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(0);
    }
    dup2(socket, PEER_SOCKET);
    if (rule->peer_is_host) {
        setenv("DOCA_EMULATOR_ROLE", "host", 1);
    } else {
        unsetenv("DOCA_EMULATOR_ROLE");
    }
    const char *folder = sdk_folder();
    if (folder == NULL) {
        execl("/proc/self/exe", "conformance", "--peer", rule->name, (char *)NULL);
    } else {
        execl("/proc/self/exe", "conformance", "--sdk", folder, "--peer", rule->name, (char *)NULL);
    }
    _exit(127);
}

void
start_peer(const struct rule *rule) {
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
        not_available("no socket for a second process");
    }
    const pid_t parent = getpid();
    peer_pid = fork();
    if (peer_pid == 0) {
        become_peer(rule, sockets[1], parent);
    }
    close(sockets[1]);
    peer_socket = sockets[0];
}

_Noreturn void
run_peer(const struct rule *rule) {
    alarm(case_time_limit);
    rule->peer();
    /* Keeps the library's resources until the case has ended. */
    char byte;
    while (recv(peer_socket, &byte, sizeof(byte), 0) > 0) {
    }
    _exit(0);
}

void
send_to_peer(const void *message, size_t length) {
    if (send(peer_socket, message, length, MSG_NOSIGNAL) != (ssize_t)length) {
        answer("the second process has ended");
        answer_of_case->kind = ANSWER_BROKEN;
        _exit(1);
    }
}

size_t
receive_from_peer(void *message, size_t size) {
    const ssize_t length = recv(peer_socket, message, size, 0);
    if (length <= 0) {
        answer("the second process has ended");
        answer_of_case->kind = ANSWER_BROKEN;
        _exit(1);
    }
    return (size_t)length;
}

void
signal_peer(void) {
    send_to_peer("", 1);
}

void
await_peer(void) {
    char byte;
    (void)receive_from_peer(&byte, sizeof(byte));
}

void
kill_peer(void) {
    kill(peer_pid, SIGKILL);
    waitpid(peer_pid, NULL, 0);
}
