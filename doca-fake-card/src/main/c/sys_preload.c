/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Preloaded into programs: presents the card in /sys, from the folder in FAKE_CARD_SYS. It replaces only the parts of
 * /sys where DOCA's libraries look for cards, and only in the calls that they make.
 */

static const char *const replaced[] = {
    "/sys/bus/pci",
    "/sys/class/infiniband",
    "/sys/class/net/",
    "/sys/devices",
};

/* The path to open in place of the given one; stored in the buffer if it differs. */
static const char *
place(const char *path, char buffer[PATH_MAX]) {
    const char *root = getenv("FAKE_CARD_SYS");
    if (root == NULL || path == NULL) {
        return path;
    }
    for (size_t i = 0; i < sizeof(replaced) / sizeof(replaced[0]); i++) {
        if (strncmp(path, replaced[i], strlen(replaced[i])) == 0) {
            return snprintf(buffer, PATH_MAX, "%s%s", root, path) < PATH_MAX ? buffer : path;
        }
    }
    return path;
}

/* The function of that name in the next library. */
static void
find_next(void *function, const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof(found));
}

FILE *
fopen(const char *path, const char *mode) {
    FILE *(*next)(const char *, const char *);
    char buffer[PATH_MAX];
    find_next(&next, "fopen");
    return next(place(path, buffer), mode);
}

FILE *
fopen64(const char *path, const char *mode) {
    FILE *(*next)(const char *, const char *);
    char buffer[PATH_MAX];
    find_next(&next, "fopen64");
    return next(place(path, buffer), mode);
}

int
access(const char *path, int mode) {
    int (*next)(const char *, int);
    char buffer[PATH_MAX];
    find_next(&next, "access");
    return next(place(path, buffer), mode);
}

DIR *
opendir(const char *path) {
    DIR *(*next)(const char *);
    char buffer[PATH_MAX];
    find_next(&next, "opendir");
    return next(place(path, buffer));
}

ssize_t
readlink(const char *path, char *target, size_t size) {
    ssize_t (*next)(const char *, char *, size_t);
    char buffer[PATH_MAX];
    find_next(&next, "readlink");
    return next(place(path, buffer), target, size);
}
