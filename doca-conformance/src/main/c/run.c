/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "peer.h"

unsigned case_time_limit = 30;

static void
run_in_this_process(const struct rule *rule) {
    /* The signal ends the process even if the library hangs. */
    signal(SIGALRM, SIG_DFL);
    alarm(case_time_limit);
    if (rule->host) {
        setenv("DOCA_EMULATOR_ROLE", "host", 1);
    }
    if (rule->peer != NULL) {
        start_peer(rule);
    }
    rule->check();
    answer_of_case->kind = ANSWER_COMPLETE;
    _exit(0);
}

void
run_case(const struct rule *rule, struct answer *result) {
    struct answer *shared =
            mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        perror("mmap");
        exit(2);
    }
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) {
        perror("fork");
        exit(2);
    }
    answer_of_case = shared;
    if (child == 0) {
        run_in_this_process(rule);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (shared->kind == ANSWER_UNFINISHED) {
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
            answer("no end within %u s", case_time_limit);
        } else if (WIFSIGNALED(status)) {
            answer("process died: %s", strsignal(WTERMSIG(status)));
        } else {
            answer("process exited with %d", WEXITSTATUS(status));
        }
    }
    *result = *shared;
    munmap(shared, sizeof(*shared));
}
