/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "exporter_process.h"

/* A process with pipes to its standard input and from its standard output. */
struct child {
    pid_t pid;
    int input;
    int output;
};

static void
open_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) {
        fail("pipe: %s", strerror(errno));
    }
}

static struct child
spawn(char *const arguments[]) {
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
    child.input = input[1];
    child.output = output[0];
    return child;
}

/* Gives the exporter's first line in the buffer, without its end. */
static void
read_line(int fd, char *line, size_t size) {
    FILE *stream = fdopen(fd, "r");
    if (stream == NULL || fgets(line, (int)size, stream) == NULL) {
        snprintf(line, size, "the exporter has ended");
    }
    line[strcspn(line, "\n")] = '\0';
    if (stream != NULL) {
        fclose(stream);
    }
}

/* The exporter is in the folder of this program. */
static void
find_exporter(char path[PATH_MAX]) {
    static const char name[] = "doca_bench_exporter";
    const ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - sizeof(name));
    if (len < 0) {
        fail("/proc/self/exe: %s", strerror(errno));
    }
    path[len] = '\0';
    strcpy(strrchr(path, '/') + 1, name);
}

static struct exporter_process
start(size_t len, const char *access, struct export *export) {
    char program[PATH_MAX];
    char size[32];
    char access_word[] = {access[0], access[1], '\0'};
    char folder[] = "/tmp/doca-bench-XXXXXX";
    char file[sizeof(folder) + sizeof("/export")];
    char answer[512];

    find_exporter(program);
    snprintf(size, sizeof(size), "%zu", len);
    if (mkdtemp(folder) == NULL) {
        fail("%s: %s", folder, strerror(errno));
    }
    snprintf(file, sizeof(file), "%s/export", folder);
    struct child child = spawn((char *const[]){program, size, file, access_word, NULL});
    read_line(child.output, answer, sizeof(answer));
    const bool ready = strcmp(answer, "ready") == 0;
    if (ready) {
        export_file_read(file, export);
    }
    export_file_remove(file);
    rmdir(folder);
    if (!ready) {
        fail("%s: %s", program, answer);
    }
    return (struct exporter_process){.pid = child.pid, .input = child.input};
}

struct exporter_process
exporter_process_start(size_t len, const char *access, struct export *export) {
    const char *file = getenv("DOCA_BENCH_EXPORT");

    if (file == NULL) {
        return start(len, access, export);
    }
    export_file_read(file, export);
    if (export->len < len) {
        fail("%s exports %zu bytes, and %zu are needed", file, export->len, len);
    }
    return (struct exporter_process){0};
}

void
exporter_process_end(struct exporter_process *process) {
    int status;

    if (process->pid == 0) {
        return;
    }
    close(process->input);
    if (waitpid(process->pid, &status, 0) != process->pid || status != 0) {
        fail("the exporter ended with status %#x", status);
    }
}
