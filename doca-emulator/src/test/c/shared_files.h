/* SPDX-License-Identifier: Apache-2.0 */
/* The files of this process that its peers can map. */
#ifndef DOCA_EMULATOR_SHARED_FILES_H_
#define DOCA_EMULATOR_SHARED_FILES_H_

#include <dirent.h>
#include <fcntl.h>

#include "check.h"

#define MAX_SHARED_FILES 256

/* Stores their descriptors, and returns their number. */
static inline size_t
find_shared_files(int fds[MAX_SHARED_FILES]) {
    DIR *folder = opendir("/proc/self/fd");
    struct dirent *entry;
    size_t num_files = 0;
    while (folder != NULL && num_files < MAX_SHARED_FILES && (entry = readdir(folder)) != NULL) {
        char target[256] = "";
        if (readlinkat(dirfd(folder), entry->d_name, target, sizeof(target) - 1) > 0 &&
            strncmp(target, "/memfd:doca-emulator", strlen("/memfd:doca-emulator")) == 0) {
            fds[num_files++] = atoi(entry->d_name);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    CHECK(num_files < MAX_SHARED_FILES);
    return num_files;
}

#endif /* DOCA_EMULATOR_SHARED_FILES_H_ */
