/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "exporter_process.h"

static struct child
start(size_t len, const char *access, struct export *export) {
    char program[PATH_MAX];
    char size[32];
    char access_word[] = {access[0], access[1], '\0'};
    char folder[] = "/tmp/doca-bench-XXXXXX";
    char file[sizeof(folder) + sizeof("/export")];
    char answer[512];

    child_find("doca_bench_exporter", program);
    snprintf(size, sizeof(size), "%zu", len);
    if (mkdtemp(folder) == NULL) {
        fail("%s: %s", folder, strerror(errno));
    }
    snprintf(file, sizeof(file), "%s/export", folder);
    struct child child = child_start((char *const[]){program, size, file, access_word, NULL});
    child_read_line(&child, answer, sizeof(answer));
    const bool ready = strcmp(answer, "ready") == 0;
    if (ready) {
        export_file_read(file, export);
    }
    export_file_remove(file);
    rmdir(folder);
    if (!ready) {
        fail("%s: %s", program, answer);
    }
    return child;
}

struct child
exporter_process_start(size_t len, const char *access, struct export *export) {
    const char *file = getenv("DOCA_BENCH_EXPORT");

    if (file == NULL) {
        return start(len, access, export);
    }
    export_file_read(file, export);
    if (export->len < len) {
        fail("%s exports %zu bytes, and %zu are needed", file, export->len, len);
    }
    return (struct child){0};
}
