/* SPDX-License-Identifier: Apache-2.0 */
#include "old_sdk.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "release_1_4.h"
#include "release_1_5.h"

struct old_sdk old;

/* The functions that a library lacks. */
struct lacking {
    char names[1024];
    int count;
};

static void *
find(void *library, const char *name, struct lacking *lacking) {
    void *address = release_1_4_find(library, name);
    if (address == NULL) {
        const size_t length = strlen(lacking->names);
        snprintf(lacking->names + length, sizeof(lacking->names) - length, "%s%s", length == 0 ? "" : ", ", name);
        lacking->count++;
    }
    return address;
}

/* ISO C has no conversion from an object pointer to a function pointer. */
#define FIND(result, name, parameters) \
    address = find(handle, #name, &lacking); \
    memcpy(&old.name, &address, sizeof(address));

static char *
missing(const struct lacking *lacking) {
    char *text = NULL;
    if (lacking->count > 0 && asprintf(&text, "lacks %d functions of its generation: %s", lacking->count, lacking->names) < 0) {
        return strdup("lacks functions of its generation");
    }
    return text;
}

#define OPTIONAL(list, part) \
    do { \
        struct lacking lacking = {.count = 0}; \
        list(FIND) \
        old.part = lacking.count == 0; \
    } while (0)

#define CHECK(result, name, parameters) \
    if (old.name == NULL) { \
        (void)find(handle, #name, &lacking); \
    }

static char *
bind_common(void *handle) {
    struct lacking lacking = {.count = 0};
    void *address;
    OLD_COMMON_FUNCTIONS(FIND)
    lacking = (struct lacking){.count = 0};
    /* The missing functions of release 1.5 are implemented with those that it has. */
    if (release_1_5_is(handle) && !release_1_5_bind(handle)) {
        return strdup("lacks functions of release 1.5 for memory maps and PCI addresses");
    }
    OLD_COMMON_FUNCTIONS(CHECK)
    OPTIONAL(OLD_LOG_FUNCTIONS, has_log);
    OPTIONAL(OLD_BUFPOOL_FUNCTIONS, has_bufpool);
    OPTIONAL(OLD_SYNC_EVENT_FUNCTIONS, has_sync_event);
    OPTIONAL(OLD_RDMA_BRIDGE_FUNCTIONS, has_bridge);
    OPTIONAL(OLD_VERSION_FUNCTIONS, has_version);
    return missing(&lacking);
}

static char *
bind_dma(void *handle) {
    struct lacking lacking = {.count = 0};
    void *address;
    OLD_DMA_FUNCTIONS(FIND)
    return missing(&lacking);
}

static char *
bind_rdma(void *handle) {
    struct lacking lacking = {.count = 0};
    void *address;
    OLD_RDMA_FUNCTIONS(FIND)
    return missing(&lacking);
}

/* Loads the library without mixing its symbols with those of this one: both have functions of the same names. */
__attribute__((visibility("default"))) char *
docajava_old_sdk_open(const char *library, const char *path) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        char *text = NULL;
        return asprintf(&text, "was refused by the loader: %s", dlerror()) < 0 ? strdup("was refused by the loader") : text;
    }
    if (!release_1_4_bind(library, handle)) {
        return strdup("lacks functions of release 1.4");
    }
    if (strcmp(library, "common") == 0) {
        return bind_common(handle);
    }
    return strcmp(library, "dma") == 0 ? bind_dma(handle) : bind_rdma(handle);
}
