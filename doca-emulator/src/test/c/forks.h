/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Children that are forked while another thread is inside the libraries, and may hold their locks. Not with the
 * sanitizers: that thread may be inside their memory allocators, whose locks stay held in the child without end.
 */
#ifndef DOCA_EMULATOR_FORKS_H_
#define DOCA_EMULATOR_FORKS_H_

#include <pthread.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* Without a fork handler one of the first ten children hangs. */
#define NUM_FORKS 50
/* Of a child that acts once. */
#define CHILD_TIME_LIMIT_S 20

struct actor {
    void (*act)(void);
    bool may_end;
};

static inline void *
act_until_the_end(void *started) {
    struct actor *actor = started;
    while (!__atomic_load_n(&actor->may_end, __ATOMIC_RELAXED)) {
        actor->act();
    }
    return NULL;
}

/* Returns the status of a forked child that acts once. */
static inline int
fork_and_act(void (*act)(void)) {
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        check_begin_child();
        alarm(CHILD_TIME_LIMIT_S);
        act();
        _exit(check_result());
    }
    CHECK_EQUAL(child, waitpid(child, &status, 0));
    return status;
}

/* Forks repeatedly while another thread acts. Each child acts once. With a sanitizer only this process acts, once. */
static inline void
check_children_can(void (*act)(void)) {
    if (!CHILDREN_CAN_START_THREADS) {
        act();
        return;
    }
    struct actor actor = {.act = act};
    pthread_t thread;
    int status = 0;
    fflush(NULL);
    CHECK_EQUAL(0, pthread_create(&thread, NULL, act_until_the_end, &actor));
    for (int i = 0; i < NUM_FORKS && status == 0; i++) {
        status = fork_and_act(act);
    }
    CHECK_EQUAL(0, status);
    __atomic_store_n(&actor.may_end, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
}

#endif /* DOCA_EMULATOR_FORKS_H_ */
