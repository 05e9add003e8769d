/* SPDX-License-Identifier: Apache-2.0 */
/* Whether other processes have ended, also seen by a process that cannot open files. */
#include <pthread.h>
#include <stdbool.h>

#include "check.h"
#include "descriptors.h"

/* Internal functions of libdoca_common. */
uint64_t doca_emulator_process_self(void);
bool doca_emulator_process_has_ended(uint64_t process);

struct child {
    pid_t pid;
    uint64_t process;
};

static void *
sleep_forever(void *unused) {
    for (;;) {
        pause();
    }
    return unused;
}

static void
sleep_in_the_first_thread(void) {
    (void)sleep_forever(NULL);
}

static void
sleep_in_another_thread(void) {
    pthread_t thread;
    CHECK_EQUAL(0, pthread_create(&thread, NULL, sleep_forever, NULL));
    pthread_exit(NULL);
}

/* Starts a process that sleeps. */
static struct child
start_child(void (*sleep)(void)) {
    struct child child = {.pid = -1};
    int ids[2];
    CHECK_EQUAL(0, pipe(ids));
    child.pid = fork();
    if (child.pid == 0) {
        const uint64_t process = doca_emulator_process_self();
        check_begin_child();
        (void)!write(ids[1], &process, sizeof(process));
        sleep();
    }
    CHECK_EQUAL(sizeof(child.process), read(ids[0], &child.process, sizeof(child.process)));
    close(ids[0]);
    close(ids[1]);
    return child;
}

/* Waits until all threads have ended, also one that a sanitizer may have started, and does not release the pid. */
static void
await_end(pid_t pid) {
    siginfo_t info;
    CHECK_EQUAL(0, waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT));
}

/* Waits until the first thread has ended, so that /proc shows it as a zombie. */
static void
await_zombie(pid_t pid) {
    char state = '?';
    while (state != 'Z') {
        char path[64];
        snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
        FILE *file = fopen(path, "r");
        if (file == NULL || fscanf(file, "%*d %*s %c", &state) != 1) {
            CHECK_FAILED("process %d has no state", (int)pid);
            state = 'Z';
        }
        if (file != NULL) {
            fclose(file);
        }
        usleep(1000);
    }
}

/* Calls the function with and without free descriptors. */
static void
check_has_ended(bool expected, uint64_t process) {
    CHECK_EQUAL(expected, doca_emulator_process_has_ended(process));
    const struct rlimit limit = set_descriptor_limit(0);
    const bool has_ended = doca_emulator_process_has_ended(process);
    restore_descriptors(&limit);
    CHECK_EQUAL(expected, has_ended);
}

static void
a_process_ends_when_it_is_killed(void) {
    struct child child = start_child(sleep_in_the_first_thread);
    check_has_ended(false, child.process);
    kill(child.pid, SIGKILL);
    await_end(child.pid);
    check_has_ended(true, child.process);
    CHECK_EQUAL(child.pid, waitpid(child.pid, NULL, 0));
    check_has_ended(true, child.process);
}

static void
a_process_ends_with_its_last_thread(void) {
    struct child child = start_child(sleep_in_another_thread);
    await_zombie(child.pid);
    check_has_ended(false, child.process);
    kill(child.pid, SIGKILL);
    CHECK_EQUAL(child.pid, waitpid(child.pid, NULL, 0));
    check_has_ended(true, child.process);
}

/* The lower part of the number is the time of the start, which differs if another process has got the pid. */
static void
an_earlier_process_with_the_pid_has_ended(void) {
    const uint64_t self = doca_emulator_process_self();
    CHECK_EQUAL(true, doca_emulator_process_has_ended(self - 1));
    CHECK_EQUAL(true, doca_emulator_process_has_ended(self + 1));
}

int
main(void) {
    check_has_ended(false, doca_emulator_process_self());
    an_earlier_process_with_the_pid_has_ended();
    a_process_ends_when_it_is_killed();
    a_process_ends_with_its_last_thread();
    return check_result();
}
