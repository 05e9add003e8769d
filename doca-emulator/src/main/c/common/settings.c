/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults.h"
#include "settings.h"

static struct emulator_settings settings;
static char problem[512];

/* The index of the value among the two that are allowed. */
static int
read_choice(const char *name, const char *first, const char *second, int default_choice) {
    const char *value = getenv(name);
    if (value == NULL || value[0] == '\0') {
        return default_choice;
    }
    if (strcmp(value, first) == 0) {
        return 0;
    }
    if (strcmp(value, second) == 0) {
        return 1;
    }
    snprintf(problem, sizeof(problem), "%s=%s: expected %s or %s", name, value, first, second);
    settings.problem = problem;
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
    settings.is_current_release_given = value != NULL && strcmp(value, "3.0") == 0;
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

/* 0 by default. */
static uint64_t
read_number(const char *name) {
    const char *value = getenv(name);
    char *end;
    if (value == NULL || value[0] == '\0') {
        return 0;
    }
    const uint64_t number = strtoull(value, &end, 10);
    if (*end != '\0' || value[0] == '-') {
        snprintf(problem, sizeof(problem), "%s=%s: expected a number", name, value);
        settings.problem = problem;
    }
    return number;
}

/* Later calls of setenv() may move the environment, so this is a copy. */
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
    settings.role = read_choice("DOCA_EMULATOR_ROLE", "dpu", "host", 0) == 0 ? EMULATOR_ROLE_DPU : EMULATOR_ROLE_HOST;
    settings.engine = read_choice("DOCA_EMULATOR_ENGINE", "inline", "threaded", 0) == 0 ? EMULATOR_ENGINE_INLINE
                                                                                       : EMULATOR_ENGINE_THREADED;
    settings.release = read_release();
    settings.strict = read_choice("DOCA_EMULATOR_STRICT", "0", "1", 1) == 1;
    settings.seed = read_number("DOCA_EMULATOR_SEED");

    char reason[256];
    if (!faults_replace(getenv("DOCA_EMULATOR_FAULTS"), reason, sizeof(reason))) {
        snprintf(problem, sizeof(problem), "DOCA_EMULATOR_FAULTS: %s", reason);
        settings.problem = problem;
    }

    const char *topology_path = getenv("DOCA_EMULATOR_TOPOLOGY");
    if (topology_path != NULL && topology_path[0] != '\0') {
        /* A later setenv() may move the environment. */
        settings.topology_path = strdup(topology_path);
    }
    settings.runtime_dir = read_runtime_dir();
}

const struct emulator_settings *
emulator_settings(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_environment);
    return &settings;
}
