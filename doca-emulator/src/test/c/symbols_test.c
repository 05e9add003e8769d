/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks that its library exports every function of the table, with the version node of its stability, and none of those that this
 * release lacks again, which have a seventh column. The first argument is the table. The second one is the number of functions, which no
 * longer changes for older releases, or "any". The third one is the version in the sonames.
 */
#include <dlfcn.h>
#include <stdbool.h>

#include "check.h"

static const char *soname_version;

static void *
load(const char *library) {
    char soname[64];
    snprintf(soname, sizeof(soname), "libdoca_%s.so.%s", library, soname_version);
    void *handle = dlopen(soname, RTLD_NOW);
    if (handle == NULL) {
        CHECK_FAILED("%s", dlerror());
    }
    return handle;
}

static void
check_function(const char *library, const char *function, const char *stability) {
    const char *node = strcmp(stability, "stable") == 0 ? "DOCA_2" : "EXPERIMENTAL";
    void *handle = load(library);
    if (handle == NULL) {
        return;
    }
    if (dlvsym(handle, function, node) == NULL) {
        CHECK_FAILED("libdoca_%s.so.%s lacks %s@%s", library, soname_version, function, node);
    }
    dlclose(handle);
}

static void
check_removed(const char *library, const char *function) {
    void *handle = load(library);
    if (handle != NULL && dlsym(handle, function) != NULL) {
        CHECK_FAILED("libdoca_%s.so.%s has %s, which this release lacks", library, soname_version, function);
    }
    if (handle != NULL) {
        dlclose(handle);
    }
}

/* Returns whether a line of the table has a seventh column. */
static bool
is_removed(const char *line) {
    int num_tabs = 0;
    for (const char *c = line; *c != '\0'; c++) {
        num_tabs += *c == '\t' ? 1 : 0;
    }
    return num_tabs == 6;
}

int
main(int argc, char **argv) {
    FILE *table = argc == 4 ? fopen(argv[1], "r") : NULL;
    if (table == NULL) {
        fprintf(stderr, "usage: symbols_test <symbols.tsv> <number> <version>\n");
        return EXIT_FAILURE;
    }
    soname_version = argv[3];
    char line[512];
    int num_functions = 0;
    while (fgets(line, sizeof(line), table) != NULL) {
        char library[32];
        char function[256];
        char third[256];
        char stability[32];
        if (line[0] != '#') {
            CHECK_EQUAL(4, sscanf(line, "%31s %255s %255s %31s", library, function, third, stability));
            if (is_removed(line)) {
                check_removed(library, function);
            } else {
                check_function(library, function, stability);
            }
            num_functions++;
        }
    }
    fclose(table);
    CHECK(num_functions > 0);
    if (strcmp(argv[2], "any") != 0) {
        CHECK_EQUAL(atoi(argv[2]), num_functions);
    }
    return check_result();
}
