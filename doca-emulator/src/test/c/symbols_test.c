/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks that the libraries export every function of their release, with the version node of its stability, and no function of another
 * release. The arguments are the table of the release, the table of all functions, the version in the sonames, and the number of functions
 * of a release that no longer changes.
 */
#include <dlfcn.h>

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
check_absent(const char *library, const char *function) {
    char soname[64];
    snprintf(soname, sizeof(soname), "libdoca_%s.so.%s", library, soname_version);
    void *handle = dlopen(soname, RTLD_NOW);
    if (handle != NULL) {
        if (dlsym(handle, function) != NULL) {
            CHECK_FAILED("%s has %s, which this release lacks", soname, function);
        }
        dlclose(handle);
    }
}

static FILE *
open_table(const char *path) {
    FILE *table = fopen(path, "r");
    if (table == NULL) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    return table;
}

int
main(int argc, char **argv) {
    static char own[1 << 17];
    char line[512];
    char library[32];
    char function[256];
    char stability[32];
    int num_functions = 0;
    if (argc < 4) {
        fprintf(stderr, "usage: symbols_test <functions.tsv> <symbols.tsv> <version> [<number>]\n");
        return EXIT_FAILURE;
    }
    soname_version = argv[3];
    FILE *table = open_table(argv[1]);
    const size_t length = fread(own, 1, sizeof(own), table);
    CHECK(length < sizeof(own));
    rewind(table);
    while (fgets(line, sizeof(line), table) != NULL) {
        CHECK_EQUAL(3, sscanf(line, "%31s %255s %*s %31s", library, function, stability));
        check_function(library, function, stability);
        num_functions++;
    }
    fclose(table);
    CHECK(num_functions > 0);
    if (argc > 4) {
        CHECK_EQUAL(atoi(argv[4]), num_functions);
    }
    table = open_table(argv[2]);
    while (fgets(line, sizeof(line), table) != NULL) {
        char column[260];
        if (line[0] != '#') {
            CHECK_EQUAL(2, sscanf(line, "%31s %255s", library, function));
            snprintf(column, sizeof(column), "\t%s\t", function);
            if (strstr(own, column) == NULL) {
                check_absent(library, function);
            }
        }
    }
    fclose(table);
    return check_result();
}
