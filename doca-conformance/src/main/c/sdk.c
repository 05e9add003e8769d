/* SPDX-License-Identifier: Apache-2.0 */
#include "sdk.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"

static const char *const library_names[] = {"common", "dma", "rdma", "comch", "comm_channel"};
#define NUM_LIBRARIES (sizeof(library_names) / sizeof(library_names[0]))

static void *libraries[NUM_LIBRARIES];
static const char *folder_of_libraries;
static const char *version = "unknown";
static int abi;

static void *
find_library(const char *name) {
    for (size_t i = 0; i < NUM_LIBRARIES; i++) {
        if (strcmp(library_names[i], name) == 0) {
            return libraries[i];
        }
    }
    return NULL;
}

void *
sdk_address(const char *library, const char *function) {
    void *handle = find_library(library);
    return handle == NULL ? NULL : dlsym(handle, function);
}

static int
parse_release(const char *text) {
    int major = 0;
    int minor = 0;
    return sscanf(text, "%d.%d", &major, &minor) == 2 ? major * 100 + minor : 0;
}

bool
load_sdk(const char *folder) {
    folder_of_libraries = folder;
    for (size_t i = 0; i < NUM_LIBRARIES; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof(path), "%s%slibdoca_%s.so.2", folder == NULL ? "" : folder, folder == NULL ? "" : "/",
                 library_names[i]);
        libraries[i] = dlopen(path, RTLD_LAZY | RTLD_GLOBAL);
        /* An older SDK may lack other libraries, but not this one. */
        if (libraries[i] == NULL && i == 0) {
            fprintf(stderr, "cannot load the DOCA libraries: %s\n", dlerror());
            return false;
        }
    }
    const char *(*get_version)(void);
    void *address = sdk_address("common", "doca_version_runtime");
    if (address != NULL) {
        memcpy(&get_version, &address, sizeof(address));
        version = get_version();
        abi = parse_release(version);
    }
    for (const struct sdk_function *function = sdk_functions; function->name != NULL; function++) {
        address = sdk_address(function->library, function->name);
        if (address != NULL && abi >= function->since) {
            memcpy(function->pointer, &address, sizeof(address));
        }
    }
    return true;
}

const char *
sdk_folder(void) {
    return folder_of_libraries;
}

const char *
sdk_version(void) {
    return version;
}

bool
sdk_has(const char *name) {
    for (const struct sdk_function *function = sdk_functions; function->name != NULL; function++) {
        if (strcmp(function->name, name) == 0) {
            return abi >= function->since && sdk_address(function->library, name) != NULL;
        }
    }
    return false;
}

bool
is_emulator(void) {
    return sdk_address("common", "doca_emulator_set_faults") != NULL;
}

bool
is_fake_card(void) {
    return getenv("FAKE_CARD_SYS") != NULL;
}

static bool
environment_is(const char *name, const char *value) {
    const char *actual = getenv(name);
    return actual != NULL && strcmp(actual, value) == 0;
}

bool
is_strict(void) {
    return is_emulator() && !environment_is("DOCA_EMULATOR_STRICT", "0");
}

bool
is_threaded(void) {
    return is_emulator() && environment_is("DOCA_EMULATOR_ENGINE", "threaded");
}

int
sdk_abi(void) {
    return abi;
}

int
sdk_release(void) {
    const char *followed = is_emulator() ? getenv("DOCA_EMULATOR_RELEASE") : NULL;
    return followed != NULL ? parse_release(followed) : abi;
}

_Noreturn void
sdk_missing(const char *function) {
    not_available("the library has no %s", function);
}
