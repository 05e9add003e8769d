/* SPDX-License-Identifier: Apache-2.0 */
#include "sdk.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "refuse.h"

struct sdk sdk;

/* The first missing function, and the number of missing ones. */
struct lacking {
    const char *first;
    int count;
};

static void *
find(void *library, const char *name, const char *older_name, struct lacking *lacking) {
    void *address = dlsym(library, name);
    if (address == NULL && older_name != NULL) {
        address = dlsym(library, older_name);
    }
    if (address == NULL && lacking->count++ == 0) {
        lacking->first = name;
    }
    return address;
}

/* ISO C has no conversion from an object pointer to a function pointer. */
#define BIND(member, older_name) \
    address = find(library, #member, older_name, &lacking); \
    memcpy(&sdk.member, &address, sizeof(address));

#define FIND(result, name, parameters) BIND(name, NULL)
#define FIND_LENGTH(result, name, parameters) BIND(name, #name "gth")
#define FIND_TASK(name, parameters, ...) \
    BIND(doca_rdma_task_##name##_allocate_init, NULL) \
    BIND(doca_rdma_task_##name##_as_task, NULL) \
    BIND(doca_rdma_task_##name##_set_conf, NULL)
#define FIND_FIELD(name, field, type) BIND(doca_rdma_task_##name##_set_##field, NULL)

static char *
report(const struct lacking *lacking) {
    char *text = NULL;
    if (lacking->count > 0
        && asprintf(&text, "lacks %d functions of its release, the first of which is %s", lacking->count, lacking->first) < 0) {
        return strdup("lacks functions of its release");
    }
    return text;
}

static char *
bind_common(void *library) {
    struct lacking lacking = {.count = 0};
    void *address;
    SDK_COMMON_FUNCTIONS(FIND)
    address = find(library, "doca_log_backend_create_with_buf_sdk", "doca_log_backend_create_with_buffer_sdk", &lacking);
    memcpy(&sdk.create_log, &address, sizeof(address));
    return report(&lacking);
}

static char *
bind_rdma(void *library) {
    struct lacking lacking = {.count = 0};
    void *address;
    SDK_RDMA_FUNCTIONS(FIND)
    SDK_LENGTH_FUNCTIONS(FIND_LENGTH)
    SDK_TASKS(FIND_TASK)
    SDK_FIELDS(FIND_FIELD)
    return report(&lacking);
}

/* Only these two libraries have functions with a translation. */
__attribute__((visibility("default"))) char *
docajava_old_sdk_open(const char *name, const char *path) {
    const bool is_common = strcmp(name, "common") == 0;
    if (!is_common && strcmp(name, "rdma") != 0) {
        return NULL;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        char *text = NULL;
        return asprintf(&text, "was refused by the loader: %s", dlerror()) < 0 ? strdup("was refused by the loader") : text;
    }
    return is_common ? bind_common(library) : bind_rdma(library);
}

/* Logs errors of the translation like those of the SDK. */
doca_error_t
doca_log_backend_create_with_buf_sdk(
        char *buf, size_t capacity, log_flush_callback handler, struct doca_log_backend **backend) {
    const doca_error_t result = sdk.create_log(buf, capacity, handler, backend);
    if (result == DOCA_SUCCESS) {
        refuse_to(handler);
    }
    return result;
}
