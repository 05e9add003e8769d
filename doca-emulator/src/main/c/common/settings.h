/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Settings of the emulator, from the environment. They are read once, on first use, and are constant from then on, unless
 * doca_emulator_configure() replaces them.
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

/* The releases whose behaviour differs, in the order of their dates. */
enum emulator_release {
    EMULATOR_RELEASE_1_5,
    EMULATOR_RELEASE_2_2,
    EMULATOR_RELEASE_2_5,
    EMULATOR_RELEASE_3_0,
};

/* The releases that the ABI of these libraries can be used with: up to two, the default first. */
struct emulator_abi {
    const char *names[2];
    enum emulator_release releases[2];
    /* Stands in descriptors, so that libraries of other ABIs know them: 0 for the current ABI. */
    uint16_t number;
};

/* Of these libraries: each ABI has a file that defines it. */
extern const struct emulator_abi emulator_abi EMULATOR_SHARED(abi);

/* The version that a descriptor gets, which another process reads: of its layout, and of the ABI. */
static inline uint32_t
emulator_descriptor_version(uint32_t layout) {
    return (uint32_t)emulator_abi.number << 16 | layout;
}

/* The release of the libraries that have made a descriptor of that version; NULL if they have this ABI, or an unknown one. */
const char *emulator_other_release(uint32_t descriptor_version) EMULATOR_SHARED(other_release);

/* Returns whether an RDMA context has one connection, with which its start ends: in the ABI of release 2.5. */
static inline bool
emulator_has_one_connection(void) {
    return emulator_abi.number == 25;
}

struct emulator_settings {
    /* DOCA_EMULATOR_RELEASE=<name>: the release whose behaviour is imitated, one of those in emulator_abi. */
    enum emulator_release release;
    /* The variable names the release of the current ABI, instead of being unset. */
    bool is_current_release_given;
    /* DOCA_EMULATOR_ROLE=host|dpu */
    enum emulator_role role;
    /* DOCA_EMULATOR_ENGINE=inline|threaded */
    enum emulator_engine engine;
    /* DOCA_EMULATOR_STRICT=0|1: report what the real library lets pass and would corrupt or hang on. */
    bool strict;
    /* DOCA_EMULATOR_SEED=<number>: of the order in which copies complete where release 2.5 has none; 0 by default. */
    uint64_t seed;
    /* DOCA_EMULATOR_TOPOLOGY=<file>, or NULL for the default topology. */
    const char *topology_path;
    /*
     * DOCA_EMULATOR_RUNTIME_DIR=<folder>: where processes find each other by address. By default
     * $XDG_RUNTIME_DIR/doca-emulator or, when there is no such folder, /tmp/doca-emulator-<user>. NULL without memory.
     */
    const char *runtime_dir;
    /* The error in the environment, or NULL. Without a device nothing works, so listing devices reports it. */
    const char *problem;
    /* Read on first use, NULL before. Acquire and release. */
    const struct topology *topology;
    /* The settings that these replace, or NULL. They and their topology keep their memory, as device infos refer to it. */
    const struct emulator_settings *previous;
};

const struct emulator_settings *emulator_settings(void) EMULATOR_SHARED(settings);

/* The same, for the topology to be stored. */
struct emulator_settings *emulator_current_settings(void);

/*
 * Replaces the role, the topology and the kind of engine of this process; those that are NULL become what the environment
 * says. IN_USE while a device is open, INVALID_VALUE for an unknown value and BAD_CONFIG for a topology with a
 * mistake, each with the reason in the SDK log and without a change. No other thread calls DOCA meanwhile. C programs call
 * it as doca_emulator_configure().
 */
doca_error_t emulator_configure(const char *role, const char *topology_path, const char *engine)
        EMULATOR_SHARED(configure);

/* True if the behaviour of that release or of an earlier one is imitated. */
static inline bool
emulator_release_is_at_most(enum emulator_release release) {
    return emulator_settings()->release <= release;
}

#endif /* DOCA_EMULATOR_SETTINGS_H_ */
