/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of sockets of this test, in place of the one that all processes of the user share. */
#ifndef DOCA_EMULATOR_RUNTIME_DIR_H_
#define DOCA_EMULATOR_RUNTIME_DIR_H_

#include <dirent.h>

#include "check.h"

static char runtime_dir[] = "/tmp/docaXXXXXX";

/* Must be called before the emulator is used. */
static inline void
use_own_runtime_dir(void) {
    if (mkdtemp(runtime_dir) == NULL) {
        perror(runtime_dir);
        exit(EXIT_FAILURE);
    }
    setenv("DOCA_EMULATOR_RUNTIME_DIR", runtime_dir, 1);
}

/* Returns the number of sockets whose names begin with the prefix, and stores the first of the names. */
static inline size_t
find_socket(const char *prefix, char name[256]) {
    DIR *folder = opendir(runtime_dir);
    const struct dirent *entry;
    size_t num_names = 0;
    name[0] = '\0';
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] != '.' && strncmp(entry->d_name, prefix, strlen(prefix)) == 0) {
            if (num_names++ == 0) {
                snprintf(name, 256, "%s", entry->d_name);
            }
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return num_names;
}

static inline size_t
count_names(void) {
    char name[256];
    return find_socket("", name);
}

#endif /* DOCA_EMULATOR_RUNTIME_DIR_H_ */
