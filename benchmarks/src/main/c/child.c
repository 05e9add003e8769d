/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "child.h"

static void
open_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) {
        fail("pipe: %s", strerror(errno));
    }
}

static FILE *
open_stream(int fd, const char *mode) {
    FILE *stream = fdopen(fd, mode);
    if (stream == NULL) {
        fail("fdopen: %s", strerror(errno));
    }
    return stream;
}

struct child
child_start(char *const arguments[]) {
    int input[2];
    int output[2];
    struct child child;
    posix_spawn_file_actions_t actions;

    open_pipe(input);
    open_pipe(output);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    const int error = posix_spawn(&child.pid, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(input[0]);
    close(output[1]);
    if (error != 0) {
        fail("%s: %s", arguments[0], strerror(error));
    }
    child.input = open_stream(input[1], "w");
    child.output = open_stream(output[0], "r");
    return child;
}

void
child_read_line(struct child *child, char *line, size_t size) {
    if (fgets(line, (int)size, child->output) == NULL) {
        snprintf(line, size, "process %d has ended", (int)child->pid);
    }
    line[strcspn(line, "\n")] = '\0';
}

void
child_find(const char *name, char path[PATH_MAX]) {
    const ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - 1 - strlen(name));
    if (len < 0) {
        fail("/proc/self/exe: %s", strerror(errno));
    }
    path[len] = '\0';
    strcpy(strrchr(path, '/') + 1, name);
}

void
child_end(struct child *child) {
    int status;

    if (child->pid == 0) {
        return;
    }
    fclose(child->input);
    if (waitpid(child->pid, &status, 0) != child->pid || status != 0) {
        fail("process %d ended with status %#x", (int)child->pid, status);
    }
    fclose(child->output);
}
