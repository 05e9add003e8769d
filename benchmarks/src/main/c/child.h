/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that run a program beside this one, with pipes to their standard input and from their standard output. */
#ifndef BENCH_CHILD_H_
#define BENCH_CHILD_H_

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

struct child {
    /* 0 without a process. */
    pid_t pid;
    /* The process ends at the end of its standard input. */
    FILE *input;
    FILE *output;
};

/* Writes the path of a program in the folder of this one. */
void child_find(const char *name, char path[PATH_MAX]);

/* Starts the program that the first argument names. The last argument is NULL. */
struct child child_start(char *const arguments[]);

/* Returns its next line without the line end, or the reason why there is none. */
void child_read_line(struct child *child, char *line, size_t size);

/* Closes its input, and waits for its end, whose exit code must be 0. */
void child_end(struct child *child);

#endif /* BENCH_CHILD_H_ */
