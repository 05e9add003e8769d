/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settings of the emulator, from the environment. They are read once, on first use, and are constant from then on
 * unless doca_emulator_configure() replaces them.
 */
#ifndef DOCA_EMULATOR_SETTINGS_H_
#define DOCA_EMULATOR_SETTINGS_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>

#include "shared.h"

struct topology;

enum emulator_role {
    EMULATOR_ROLE_DPU,
    EMULATOR_ROLE_HOST,
};

enum emulator_engine {
    /* Copies run in doca_pe_progress(), in the order of submission. */
    EMULATOR_ENGINE_INLINE,
    /* Copies run on worker threads; completions may be out of order. */
    EMULATOR_ENGINE_THREADED,
};

/* The supported releases whose behaviour differs, the oldest first. */
enum emulator_release {
    EMULATOR_RELEASE_1_4,
    EMULATOR_RELEASE_1_5,
    EMULATOR_RELEASE_2_2,
    EMULATOR_RELEASE_2_5,
    EMULATOR_RELEASE_3_0,
};

/* The releases that these libraries' ABI supports: up to two, the default first. */
struct emulator_abi {
    const char *names[2];
    enum emulator_release releases[2];
    /* Written to descriptors, so that libraries of other ABIs detect them: 0 for that of 3.0 and later. */
    uint16_t number;
};

/* The ABI of these libraries; abi.c defines it for each release. */
extern const struct emulator_abi emulator_abi EMULATOR_SHARED(abi);

/* Returns the version in a descriptor that another process reads: the version of the layout, and the ABI. */
static inline uint32_t
emulator_descriptor_version(uint32_t layout) {
    return (uint32_t)emulator_abi.number << 16 | layout;
}

/*
 * Returns the release of the libraries that made a descriptor of that version; NULL for this ABI or an unknown one.
 */
const char *emulator_other_release(uint32_t descriptor_version) EMULATOR_SHARED(other_release);

/* Returns whether an RDMA context has one connection and starts by establishing it, as in the ABI of release 2.5. */
static inline bool
emulator_has_one_connection(void) {
    return emulator_abi.number == 25;
}

/* Returns whether the ABI is that of a release with work queues instead of progress engines. */
static inline bool
emulator_has_work_queues(void) {
    return emulator_abi.releases[0] < EMULATOR_RELEASE_2_5;
}

struct emulator_settings {
    /* DOCA_EMULATOR_RELEASE=<name>: the emulated release, one of those in emulator_abi. */
    enum emulator_release release;
    /* True if the variable explicitly names the release of these libraries. */
    bool is_current_release_given;
    /* DOCA_EMULATOR_ROLE=host|dpu */
    enum emulator_role role;
    /* DOCA_EMULATOR_ENGINE=inline|threaded */
    enum emulator_engine engine;
    /* DOCA_EMULATOR_STRICT=0|1: report misuse that the real library accepts and that would corrupt data or hang. */
    bool strict;
    /* DOCA_EMULATOR_MEMLOCK=0|1: RLIMIT_MEMLOCK limits the registered memory. */
    bool limits_locked_memory;
    /*
     * DOCA_EMULATOR_SEED=<number>: seeds the order in which copies complete where release 2.5 defines none; 0 by
     * default.
     */
    uint64_t seed;
    /* DOCA_EMULATOR_TOPOLOGY=<file>, or NULL for the default topology. */
    const char *topology_path;
    /*
     * DOCA_EMULATOR_RUNTIME_DIR=<folder>: the folder in which processes find each other by address. By default
     * $XDG_RUNTIME_DIR/doca-emulator or, if there is no such folder, /tmp/doca-emulator-<user>. NULL if memory ran
     * out.
     */
    const char *runtime_dir;
    /* The error in the environment, or NULL. No device works then, so listing devices reports it. */
    const char *problem;
    /* Read on first use, NULL before. Accessed with acquire and release. */
    const struct topology *topology;
    /* The previous settings, or NULL. They and their topology keep their memory, as device infos refer to it. */
    const struct emulator_settings *previous;
};

const struct emulator_settings *emulator_settings(void) EMULATOR_SHARED(settings);

/* Returns the settings for storing the topology. */
struct emulator_settings *settings_current(void);

/*
 * Replaces the role, the topology and the kind of engine of this process; NULL restores the value of the environment.
 * Returns IN_USE while a device is open, INVALID_VALUE for an unknown value and BAD_CONFIG for an invalid topology; each
 * logs the reason and changes nothing. No other thread may call DOCA at the same time. C programs call it as
 * doca_emulator_configure().
 */
doca_error_t emulator_configure(const char *role, const char *topology_path, const char *engine)
        EMULATOR_SHARED(configure);

/* Returns whether the emulated release is this one or an earlier one. */
static inline bool
emulator_release_is_at_most(enum emulator_release release) {
    return emulator_settings()->release <= release;
}

#endif /* DOCA_EMULATOR_SETTINGS_H_ */
