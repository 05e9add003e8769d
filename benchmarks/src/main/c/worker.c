/* SPDX-License-Identifier: Apache-2.0 */
/*
 * doca_bench_worker: runs the measurements requested on its standard input, a line at a time
 *
 *     CASE SIZE DEPTH NANOS
 *
 * and answers each with one line
 *
 *     OPERATIONS NANOS
 *
 * the number of operations, and the time that they took, which is close to the requested one. The first command with
 * a case, size and depth opens the case, which stays open until a command names another one. The answer to an invalid
 * command is "error TEXT". Any other failure has the same answer, and also ends the process with 1. The end of the input
 * ends it with 0.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_case.h"

#define MAX_SIZE (UINT64_C(1) << 30)
#define MAX_DEPTH 65536
#define MAX_NANOS UINT64_C(3600000000000)

/* Reading the clock costs some 25 ns, so it is read at intervals of this length. */
#define LOOK_NANOS 50000

struct command {
    const struct bench_case *bench;
    size_t size;
    uint32_t depth;
    uint64_t nanos;
};

/* The case that the last command left open; none at first. */
struct worker {
    struct command opened;
    void *state;
};

/*
 * Commands
 */

static const struct bench_case *
find_case(const char *name) {
    for (const struct bench_case *const *next = bench_cases; *next != NULL; next++) {
        if (strcmp((*next)->name, name) == 0) {
            return *next;
        }
    }
    return NULL;
}

/* Returns the next word as a number from 1 to the limit, or 0. */
static uint64_t
next_number(char **rest, uint64_t limit) {
    const char *word = strtok_r(NULL, " \n", rest);
    if (word == NULL || strspn(word, "0123456789") != strlen(word)) {
        return 0;
    }
    errno = 0;
    const unsigned long long number = strtoull(word, NULL, 10);
    return errno == 0 && number <= limit ? number : 0;
}

/* Returns the error in the line, or NULL. */
static const char *
parse(char *line, struct command *command) {
    char *rest;
    const char *name = strtok_r(line, " \n", &rest);

    if (name == NULL) {
        return "expected CASE SIZE DEPTH NANOS";
    }
    command->bench = find_case(name);
    command->size = next_number(&rest, MAX_SIZE);
    command->depth = (uint32_t)next_number(&rest, MAX_DEPTH);
    command->nanos = next_number(&rest, MAX_NANOS);
    if (command->bench == NULL) {
        return "unknown case";
    }
    if (command->size == 0) {
        return "SIZE must be 1 to 1073741824";
    }
    if (command->depth == 0) {
        return "DEPTH must be 1 to 65536";
    }
    if (command->nanos == 0) {
        return "NANOS must be 1 to 3600000000000";
    }
    return strtok_r(NULL, " \n", &rest) == NULL ? NULL : "more than CASE SIZE DEPTH NANOS";
}

/*
 * Measurement
 */

static uint64_t
now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

static void
measure(const struct bench_case *bench, void *state, uint64_t nanos) {
    const uint64_t start = now();
    uint64_t latest = start;
    uint64_t rounds = 1;
    uint64_t num_ops = 0;

    while (latest - start < nanos) {
        num_ops += bench->run(state, rounds);
        const uint64_t time = now();
        rounds *= time - latest < LOOK_NANOS ? 2 : 1;
        latest = time;
    }
    if (bench->settle != NULL) {
        num_ops += bench->settle(state);
        latest = now();
    }
    printf("%llu %llu\n", (unsigned long long)num_ops, (unsigned long long)(latest - start));
}

static void
close_case(struct worker *worker) {
    if (worker->opened.bench != NULL) {
        worker->opened.bench->close(worker->state);
        worker->opened.bench = NULL;
    }
}

static void
carry_out(struct worker *worker, const struct command *command) {
    if (command->bench != worker->opened.bench || command->size != worker->opened.size ||
        command->depth != worker->opened.depth) {
        close_case(worker);
        worker->state = command->bench->open(command->size, command->depth);
        worker->opened = *command;
    }
    measure(command->bench, worker->state, command->nanos);
}

int
main(void) {
    struct worker worker = {0};
    char *line = NULL;
    size_t capacity = 0;

    while (getline(&line, &capacity, stdin) > 0) {
        struct command command;
        const char *mistake = parse(line, &command);
        if (mistake == NULL) {
            carry_out(&worker, &command);
        } else {
            printf("error %s\n", mistake);
        }
        fflush(stdout);
    }
    free(line);
    close_case(&worker);
    return EXIT_SUCCESS;
}
