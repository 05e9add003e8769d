/* SPDX-License-Identifier: Apache-2.0 */
/* Programs may unload a plugin with the libraries while contexts are running. */
#include <dlfcn.h>
#include <time.h>

#include "check.h"

static void
load_and_unload(const char *path) {
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) {
        CHECK_FAILED("%s", dlerror());
        return;
    }
    int (*run)(void) = (int (*)(void))dlsym(plugin, "run");
    CHECK_EQUAL(EXIT_SUCCESS, run());
    CHECK_EQUAL(0, dlclose(plugin));
}

static const char *plugin_path;

/* Threads of the libraries poll again within a millisecond. */
static void
unload(void) {
    load_and_unload(plugin_path);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
}

int
main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: unload_test <plugin>\n");
        return EXIT_FAILURE;
    }
    plugin_path = argv[1];
    check_with_engines(unload);
    return check_result();
}
