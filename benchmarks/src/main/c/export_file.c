/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "export_file.h"

static void
join(char joined[PATH_MAX], const char *path, const char *suffix) {
    if (snprintf(joined, PATH_MAX, "%s%s", path, suffix) >= PATH_MAX) {
        fail("%s%s: %s", path, suffix, strerror(ENAMETOOLONG));
    }
}

static FILE *
open_file(const char *path, const char *mode) {
    FILE *file = fopen(path, mode);
    if (file == NULL) {
        fail("%s: %s", path, strerror(errno));
    }
    return file;
}

static void
write_file(const char *path, const char *suffix, const void *content, size_t len) {
    char complete[PATH_MAX];
    char partial[PATH_MAX];

    join(complete, path, suffix);
    join(partial, complete, ".part");
    FILE *file = open_file(partial, "wb");
    const size_t written = fwrite(content, 1, len, file);
    if (fclose(file) != 0 || written != len || rename(partial, complete) != 0) {
        fail("%s: %s", complete, strerror(errno));
    }
}

void
export_file_write(const char *path, const struct export *export) {
    char info[64];

    umask(S_IRWXG | S_IRWXO);
    const int len = snprintf(info, sizeof(info), "%" PRIu64 "\n%zu", export->addr, export->len);
    write_file(path, ".desc", export->descriptor, export->descriptor_len);
    write_file(path, ".info", info, (size_t)len);
}

void
export_file_read(const char *path, struct export *export) {
    char name[PATH_MAX];

    join(name, path, ".desc");
    FILE *file = open_file(name, "rb");
    export->descriptor_len = fread(export->descriptor, 1, sizeof(export->descriptor), file);
    fclose(file);
    join(name, path, ".info");
    file = open_file(name, "r");
    const int num_read = fscanf(file, "%" SCNu64 "\n%zu", &export->addr, &export->len);
    fclose(file);
    if (num_read != 2) {
        fail("%s: expected an address and a length", name);
    }
}

void
export_file_remove(const char *path) {
    char name[PATH_MAX];

    join(name, path, ".desc");
    unlink(name);
    join(name, path, ".info");
    unlink(name);
}
