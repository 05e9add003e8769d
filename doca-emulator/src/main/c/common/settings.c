/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "faults.h"
#include "number.h"
#include "sdk_log.h"
#include "settings.h"
#include "topology.h"

#define ROLES "DOCA_EMULATOR_ROLE", "dpu", "host"
#define ENGINES "DOCA_EMULATOR_ENGINE", "inline", "threaded"

/* Written by read_environment(); constant from then on, except for the topology. */
static struct emulator_settings settings;
static char problem[512];
/* Acquire and release: it points to constant data, except for the topology. */
static struct emulator_settings *current = &settings;

/* Finds the index of the value among the two allowed ones. Returns false and the reason if it is neither of them. */
static bool
choose(int *choice, const char *value, const char *name, const char *first, const char *second, char *reason,
       size_t reason_size) {
    if (value == NULL || value[0] == '\0') {
        return true;
    }
    if (strcmp(value, first) != 0 && strcmp(value, second) != 0) {
        snprintf(reason, reason_size, "%s=%s: expected %s or %s", name, value, first, second);
        return false;
    }
    *choice = strcmp(value, first) == 0 ? 0 : 1;
    return true;
}

static int
read_choice(const char *name, const char *first, const char *second, int default_choice) {
    if (!choose(&default_choice, getenv(name), name, first, second, problem, sizeof(problem))) {
        settings.problem = problem;
    }
    return default_choice;
}

const char *
emulator_other_release(uint32_t descriptor_version) {
    const uint32_t number = descriptor_version >> 16;
    if (number == emulator_abi.number) {
        return NULL;
    }
    switch (number) {
    case 0:
        return "3.0";
    case 14:
        return "1.4";
    case 15:
        return "1.5";
    case 22:
        return "2.2";
    case 25:
        return "2.5";
    default:
        return NULL;
    }
}

static enum emulator_release
read_release(void) {
    const char *value = getenv("DOCA_EMULATOR_RELEASE");
    const char *other = emulator_abi.names[1];
    settings.is_current_release_given = value != NULL && strcmp(value, emulator_abi.names[0]) == 0;
    if (value == NULL || value[0] == '\0' || strcmp(value, emulator_abi.names[0]) == 0) {
        return emulator_abi.releases[0];
    }
    if (other != NULL && strcmp(value, other) == 0) {
        return emulator_abi.releases[1];
    }
    snprintf(problem, sizeof(problem), "DOCA_EMULATOR_RELEASE=%s: expected %s%s%s", value, other == NULL ? "" : other,
             other == NULL ? "" : " or ", emulator_abi.names[0]);
    settings.problem = problem;
    return emulator_abi.releases[0];
}

/* Reads a number, 0 by default. */
static uint64_t
read_number(const char *name) {
    const char *value = getenv(name);
    uint64_t number;
    if (value == NULL || value[0] == '\0') {
        return 0;
    }
    const char *end = number_read(value, 10, 0, UINT64_MAX, &number);
    if (end == NULL || *end != '\0') {
        snprintf(problem, sizeof(problem), "%s=%s: expected a number of 0 to %llu", name, value, (unsigned long long)UINT64_MAX);
        settings.problem = problem;
    }
    return number;
}

/* Returns a copy, because later calls of setenv() may move the environment. */
static const char *
read_runtime_dir(void) {
    const char *own = getenv("DOCA_EMULATOR_RUNTIME_DIR");
    const char *shared = getenv("XDG_RUNTIME_DIR");
    char *path = NULL;
    int len;
    if (own != NULL && own[0] != '\0') {
        return strdup(own);
    }
    if (shared != NULL && shared[0] == '/' && eaccess(shared, W_OK | X_OK) == 0) {
        len = asprintf(&path, "%s/doca-emulator", shared);
    } else {
        len = asprintf(&path, "/tmp/doca-emulator-%u", geteuid());
    }
    return len < 0 ? NULL : path;
}

static void
read_environment(void) {
    settings.role = (enum emulator_role)read_choice(ROLES, EMULATOR_ROLE_DPU);
    settings.engine = (enum emulator_engine)read_choice(ENGINES, EMULATOR_ENGINE_INLINE);
    settings.release = read_release();
    settings.strict = read_choice("DOCA_EMULATOR_STRICT", "0", "1", 1) == 1;
    settings.limits_locked_memory = read_choice("DOCA_EMULATOR_MEMLOCK", "0", "1", 0) == 1;
    settings.seed = read_number("DOCA_EMULATOR_SEED");

    char reason[256];
    if (!faults_replace(getenv("DOCA_EMULATOR_FAULTS"), reason, sizeof(reason))) {
        snprintf(problem, sizeof(problem), "DOCA_EMULATOR_FAULTS: %s", reason);
        settings.problem = problem;
    }

    const char *topology_path = getenv("DOCA_EMULATOR_TOPOLOGY");
    if (topology_path != NULL && topology_path[0] != '\0') {
        /* A copy, because a later setenv() may move the environment. */
        settings.topology_path = strdup(topology_path);
    }
    settings.runtime_dir = read_runtime_dir();
}

struct emulator_settings *
settings_current(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_environment);
    return __atomic_load_n(&current, __ATOMIC_ACQUIRE);
}

const struct emulator_settings *
emulator_settings(void) {
    return settings_current();
}

doca_error_t
emulator_configure(const char *role, const char *topology_path, const char *engine) {
    struct emulator_settings *previous = settings_current();
    char reason[512];
    int new_role = (int)settings.role;
    int new_engine = (int)settings.engine;
    if (device_is_any_open()) {
        return SDK_REFUSE(DOCA_ERROR_IN_USE, "Failed to configure the emulator: a device is open");
    }
    if (!choose(&new_role, role, ROLES, reason, sizeof(reason)) ||
        !choose(&new_engine, engine, ENGINES, reason, sizeof(reason))) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Failed to configure the emulator: %s", reason);
    }
    struct emulator_settings *configured = malloc(sizeof(*configured));
    char *path = topology_path == NULL ? NULL : strdup(topology_path);
    if (configured == NULL || (topology_path != NULL && path == NULL)) {
        free(configured);
        free(path);
        return DOCA_ERROR_NO_MEMORY;
    }
    *configured = settings;
    configured->role = (enum emulator_role)new_role;
    configured->engine = (enum emulator_engine)new_engine;
    configured->previous = previous;
    if (path != NULL) {
        configured->topology_path = path;
        configured->topology = NULL;
    }
    const doca_error_t result = topology_read(configured);
    if (result != DOCA_SUCCESS) {
        free(configured);
        free(path);
        return result;
    }
    __atomic_store_n(&current, configured, __ATOMIC_RELEASE);
    return DOCA_SUCCESS;
}
