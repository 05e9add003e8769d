/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Injected faults. A text from the environment or from the program sets all faults at once: it replaces the previous
 * ones and restarts the counts. The text is a list, separated by commas without blanks, of
 *
 *   fail-task=N:ERROR           the N-th task from now fails with that error, such as IO_FAILED; may be repeated
 *   delay=TIME                  no task completes before that time after its submission; in ns, or with us, ms, s
 *   reorder=WINDOW[:SEED]       collects that many completions and reports them in another order
 *   registrations=N             that many memory maps can be started or imported; stopping or destroying one
 *                               allows another
 *   kill-exporter=N             the N-th task from now on memory of another process kills that process half-way
 *   fail-call=FUNCTION:N:ERROR  the N-th call from now of that DOCA function fails with that error and does nothing;
 *                               "any" counts the calls of all functions
 *   fail-system=RESOURCE:N      the N-th request from now of the libraries for a resource of the system fails:
 *                               memory, descriptor, thread, or any
 *
 * Tasks are counted when they are submitted, in the order of their submission, and their faults are decided then.
 */
#ifndef DOCA_EMULATOR_FAULTS_H_
#define DOCA_EMULATOR_FAULTS_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "shared.h"

extern atomic_bool faults_set EMULATOR_SHARED(faults_set);

/* Returns whether any faults are set. Without faults, this is the only cost. */
static inline bool
faults_are_set(void) {
    return atomic_load_explicit(&faults_set, memory_order_relaxed);
}

/*
 * Replaces all faults; NULL or an empty text removes them. An invalid text returns INVALID_VALUE, logs the reason and
 * changes nothing. May be called from any thread. C programs call it as doca_emulator_set_faults().
 */
doca_error_t emulator_set_faults(const char *text) EMULATOR_SHARED(set_faults);

/* The same for the environment. Returns false and the reason for an invalid text. */
bool faults_replace(const char *text, char *reason, size_t reason_size);

/* Faults of one task. */
struct task_faults {
    /* The error of the task; SUCCESS if it does not fail. */
    doca_error_t error;
    /* The faults_generation() in which it was submitted. */
    uint64_t generation;
    /* The earliest time of its completion, in terms of clock_now(), as long as these faults are in force. */
    uint64_t due;
    /* Kills the exporter after half of the copy. */
    bool kills_exporter;
};

/* Counts a submitted task and returns its faults. */
struct task_faults faults_of_next_task(bool imported) EMULATOR_SHARED(faults_of_next_task);

/* Transient errors of a device: a task that fails with one does not stop its context. */
bool faults_are_transient(doca_error_t error) EMULATOR_SHARED(faults_are_transient);

/*
 * Calls
 */

/* Returns whether calls of DOCA functions are to be counted; also before the environment was read. */
extern atomic_bool faults_calls_set EMULATOR_SHARED(faults_calls_set);

static inline bool
faults_count_calls(void) {
    return atomic_load_explicit(&faults_calls_set, memory_order_relaxed);
}

/* Counts a call of the program. Returns the error with which it fails, or SUCCESS. */
doca_error_t faults_of_next_call(const char *function) EMULATOR_SHARED(faults_of_next_call);

enum system_resource {
    SYSTEM_NOTHING = 0,
    SYSTEM_MEMORY = 1,
    SYSTEM_DESCRIPTOR = 2,
    SYSTEM_THREAD = 4,
    SYSTEM_ANY = 7,
};

/* Returns whether requests for resources of the system are to be counted. */
extern atomic_bool faults_system_calls_set EMULATOR_SHARED(faults_system_calls_set);

static inline bool
faults_count_system_calls(void) {
    return atomic_load_explicit(&faults_system_calls_set, memory_order_relaxed);
}

/* Counts a request. Returns the errno with which it fails, or 0. */
int faults_of_next_system_call(enum system_resource resource, const char *function)
        EMULATOR_SHARED(faults_of_next_system_call);

/*
 * Returns the function that failed by fail-call or fail-system since the faults were set; NULL if none did. May be
 * called from any thread. C programs call it as doca_emulator_failed_call().
 */
const char *emulator_failed_call(void) EMULATOR_SHARED(failed_call);

/* The window in which completions are reordered; 1 keeps their order. */
struct report_order {
    uint64_t generation;
    uint32_t window;
    uint64_t seed;
};

struct report_order faults_report_order(void) EMULATOR_SHARED(faults_report_order);

/* Returns a number that changes whenever the faults are replaced. */
uint64_t faults_generation(void) EMULATOR_SHARED(faults_generation);

/* Takes one of the remaining registrations. Returns false if there is none. */
bool faults_take_registration(void);
void faults_return_registration(void);

#endif /* DOCA_EMULATOR_FAULTS_H_ */
