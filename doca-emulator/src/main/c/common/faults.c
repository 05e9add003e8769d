/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "faults.h"
#include "fork.h"
#include "number.h"
#include "pe_timer.h"
#include "sdk_log.h"
#include "settings.h"

#define MAX_NUM_FAILURES 64
#define MAX_WINDOW 4096
#define MAX_DELAY (UINT64_C(24) * 60 * 60 * NS_PER_S)
#define UNLIMITED UINT64_MAX
#define MAX_FUNCTION_LEN 95
#define ERROR_PREFIX "DOCA_ERROR_"
#define ANY "any"

struct failure {
    uint64_t task;
    doca_error_t error;
};

struct faults {
    struct failure failures[MAX_NUM_FAILURES];
    uint32_t num_failures;
    uint64_t delay;
    uint32_t window;
    uint64_t seed;
    /* The number of remaining registrations. */
    uint64_t num_registrations;
    /* The task on imported memory that triggers it, or 0. */
    uint64_t kill_exporter;
    /* The number of tasks submitted since these faults were set. */
    uint64_t num_tasks;
    uint64_t num_imported_tasks;
    /* The function that fails, or any, and the number of the failing call; 0 for none. */
    char call[MAX_FUNCTION_LEN + 1];
    uint64_t call_number;
    doca_error_t call_error;
    uint64_t num_calls;
    enum system_resource system_resource;
    uint64_t system_call_number;
    uint64_t num_system_calls;
};

static const struct faults no_faults = {.window = 1, .num_registrations = UNLIMITED};

atomic_bool faults_set;
/* The first call reads the environment. */
atomic_bool faults_calls_set = true;
atomic_bool faults_system_calls_set;
/* A constant. */
static const char *_Atomic failed_call;
static atomic_uint_fast64_t generation;

/* Guards the following. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct faults current = no_faults;

GUARD_IN_FORKS(faults, &lock, NULL)

/*
 * Reading
 */

struct reader {
    struct faults faults;
    char *reason;
    size_t reason_size;
};

static bool __attribute__((format(printf, 2, 3)))
fail(struct reader *reader, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->reason, reader->reason_size, format, arguments);
    va_end(arguments);
    return false;
}

/* Returns the error of this name, or IN_PROGRESS, which is never the result of a task. */
static doca_error_t
find_error(const char *name) {
    for (doca_error_t error = DOCA_ERROR_UNKNOWN; error <= DOCA_ERROR_DEVICE_FATAL_ERROR; error++) {
        if (error != DOCA_ERROR_IN_PROGRESS &&
            strcmp(doca_error_get_name(error) + strlen(ERROR_PREFIX), name) == 0) {
            return error;
        }
    }
    return DOCA_ERROR_IN_PROGRESS;
}

static bool
read_fail_task(struct reader *reader, const char *value) {
    struct faults *faults = &reader->faults;
    struct failure failure;
    const char *end = number_read(value, 10, 1, UINT64_MAX, &failure.task);
    if (end == NULL || *end != ':') {
        return fail(reader, "expected N:ERROR, with a number of 1 or more");
    }
    failure.error = find_error(end + 1);
    if (failure.error == DOCA_ERROR_IN_PROGRESS) {
        return fail(reader, "tasks cannot fail with \"%s\", but with IO_FAILED for example", end + 1);
    }
    for (uint32_t i = 0; i < faults->num_failures; i++) {
        if (faults->failures[i].task == failure.task) {
            return fail(reader, "task %llu fails already", (unsigned long long)failure.task);
        }
    }
    if (faults->num_failures == MAX_NUM_FAILURES) {
        return fail(reader, "more than %d tasks", MAX_NUM_FAILURES);
    }
    faults->failures[faults->num_failures++] = failure;
    return true;
}

/* Returns the number of nanoseconds of a unit, or 0 for an unknown one. */
static uint64_t
find_unit(const char *name) {
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {{"", 1}, {"ns", 1}, {"us", 1000}, {"ms", 1000 * 1000}, {"s", NS_PER_S}};
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (strcmp(units[i].name, name) == 0) {
            return units[i].ns;
        }
    }
    return 0;
}

static bool
read_delay(struct reader *reader, const char *value) {
    uint64_t number;
    const char *end = number_read(value, 10, 1, MAX_DELAY, &number);
    const uint64_t unit = end == NULL ? 0 : find_unit(end);
    if (unit == 0 || number > MAX_DELAY / unit) {
        return fail(reader, "expected a time such as 500us, with the unit ns, us, ms or s, of 1 ns to 24 hours");
    }
    reader->faults.delay = number * unit;
    return true;
}

static bool
read_reorder(struct reader *reader, const char *value) {
    uint64_t window;
    const char *end = number_read(value, 10, 2, MAX_WINDOW, &window);
    if (end != NULL && *end == ':') {
        end = number_read(end + 1, 10, 0, UINT64_MAX, &reader->faults.seed);
    }
    if (end == NULL || *end != '\0') {
        return fail(reader, "expected WINDOW or WINDOW:SEED, with a window of 2 to %d", MAX_WINDOW);
    }
    reader->faults.window = (uint32_t)window;
    return true;
}

static bool
read_registrations(struct reader *reader, const char *value) {
    const char *end = number_read(value, 10, 0, UINT32_MAX, &reader->faults.num_registrations);
    return (end != NULL && *end == '\0') || fail(reader, "expected a number of 0 to %u", UINT32_MAX);
}

static bool
read_kill_exporter(struct reader *reader, const char *value) {
    const char *end = number_read(value, 10, 1, UINT64_MAX, &reader->faults.kill_exporter);
    return (end != NULL && *end == '\0') || fail(reader, "expected a number of 1 or more");
}

static bool
read_fail_call(struct reader *reader, const char *value) {
    struct faults *faults = &reader->faults;
    const size_t len = strcspn(value, ":");
    const bool named = strncmp(value, "doca_", strlen("doca_")) == 0 || (len == strlen(ANY) && strncmp(value, ANY, len) == 0);
    const char *end = named && len <= MAX_FUNCTION_LEN && value[len] == ':'
                              ? number_read(value + len + 1, 10, 1, UINT64_MAX, &faults->call_number)
                              : NULL;
    if (end == NULL || *end != ':') {
        return fail(reader, "expected FUNCTION:N:ERROR, with a function of DOCA or any, and a number of 1 or more");
    }
    faults->call_error = find_error(end + 1);
    if (faults->call_error == DOCA_ERROR_IN_PROGRESS) {
        return fail(reader, "calls cannot fail with \"%s\", but with NO_MEMORY for example", end + 1);
    }
    memcpy(faults->call, value, len);
    return true;
}

static const struct {
    const char *name;
    enum system_resource resource;
    int error;
} resources[] = {{"memory", SYSTEM_MEMORY, ENOMEM},
                 {"descriptor", SYSTEM_DESCRIPTOR, EMFILE},
                 {"thread", SYSTEM_THREAD, EAGAIN},
                 {ANY, SYSTEM_ANY, 0}};

#define NUM_RESOURCES (sizeof(resources) / sizeof(resources[0]))

static bool
read_fail_system(struct reader *reader, const char *value) {
    struct faults *faults = &reader->faults;
    const size_t len = strcspn(value, ":");
    for (size_t i = 0; i < NUM_RESOURCES; i++) {
        if (len == strlen(resources[i].name) && strncmp(value, resources[i].name, len) == 0) {
            faults->system_resource = resources[i].resource;
        }
    }
    const char *end = faults->system_resource != SYSTEM_NOTHING && value[len] == ':'
                              ? number_read(value + len + 1, 10, 1, UINT64_MAX, &faults->system_call_number)
                              : NULL;
    return (end != NULL && *end == '\0') ||
           fail(reader, "expected RESOURCE:N, with memory, descriptor, thread or any, and a number of 1 or more");
}

static const struct kind {
    const char *name;
    bool (*read)(struct reader *reader, const char *value);
    bool repeatable;
} kinds[] = {
    {"fail-task", read_fail_task, true},
    {"delay", read_delay, false},
    {"reorder", read_reorder, false},
    {"registrations", read_registrations, false},
    {"kill-exporter", read_kill_exporter, false},
    {"fail-call", read_fail_call, false},
    {"fail-system", read_fail_system, false},
};

#define NUM_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* Reads one item of the list; `given` has a bit for each kind that was seen before. */
static bool
read_item(struct reader *reader, char *item, uint32_t *given) {
    char *value = strchr(item, '=');
    if (value == NULL) {
        return fail(reader, "expected FAULT=VALUE");
    }
    *value = '\0';
    size_t i = 0;
    while (i < NUM_KINDS && strcmp(kinds[i].name, item) != 0) {
        i++;
    }
    *value = '=';
    if (i == NUM_KINDS) {
        return fail(reader, "there is no such fault");
    }
    if (!kinds[i].repeatable && (*given & (1U << i)) != 0) {
        return fail(reader, "is there twice");
    }
    *given |= 1U << i;
    return kinds[i].read(reader, value + 1);
}

static bool
read_list(struct reader *reader, char *list) {
    char why[160];
    struct reader inner = {.faults = no_faults, .reason = why, .reason_size = sizeof(why)};
    uint32_t given = 0;
    for (char *item = list; item != NULL;) {
        char *comma = strchr(item, ',');
        if (comma != NULL) {
            *comma = '\0';
        }
        if (!read_item(&inner, item, &given)) {
            return fail(reader, "%.64s: %s", item, why);
        }
        item = comma == NULL ? NULL : comma + 1;
    }
    reader->faults = inner.faults;
    return true;
}

/*
 * Setting
 */

static void
publish(const struct faults *faults, bool set) {
    pthread_mutex_lock(&lock);
    current = *faults;
    atomic_fetch_add(&generation, 1);
    atomic_store(&faults_set, set);
    atomic_store(&failed_call, NULL);
    atomic_store(&faults_calls_set, faults->call_number != 0);
    atomic_store(&faults_system_calls_set, faults->system_call_number != 0);
    pthread_mutex_unlock(&lock);
    /* Waiters for the end of a delay check again. */
    pe_timer_fire_all();
}

bool
faults_replace(const char *text, char *reason, size_t reason_size) {
    struct reader reader = {.faults = no_faults, .reason = reason, .reason_size = reason_size};
    const bool set = text != NULL && text[0] != '\0';
    if (set) {
        /* The previous faults do not apply to requests during this call. */
        const bool counted = atomic_exchange(&faults_system_calls_set, false);
        char *list = strdup(text);
        const bool read = list != NULL ? read_list(&reader, list) : fail(&reader, "no memory");
        free(list);
        if (!read) {
            atomic_store(&faults_system_calls_set, counted);
            return false;
        }
    }
    publish(&reader.faults, set);
    return true;
}

bool
faults_are_transient(doca_error_t error) {
    return error == DOCA_ERROR_AGAIN || error == DOCA_ERROR_FULL || error == DOCA_ERROR_NO_MEMORY;
}

doca_error_t
emulator_set_faults(const char *text) {
    char reason[256];
    /* The environment is read first, and then replaced. */
    (void)emulator_settings();
    if (!faults_replace(text, reason, sizeof(reason))) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: faults: %s", reason);
    }
    SDK_LOG_INFO("Faults: %s", faults_are_set() ? text : "none");
    return DOCA_SUCCESS;
}

/*
 * For engines and maps
 */

static doca_error_t
find_failure(uint64_t task) {
    for (uint32_t i = 0; i < current.num_failures; i++) {
        if (current.failures[i].task == task) {
            return current.failures[i].error;
        }
    }
    return DOCA_SUCCESS;
}

struct task_faults
faults_of_next_task(bool imported) {
    struct task_faults faults = {.error = DOCA_SUCCESS};

    pthread_mutex_lock(&lock);
    current.num_tasks++;
    faults.error = find_failure(current.num_tasks);
    faults.generation = faults_generation();
    faults.due = current.delay == 0 ? 0 : clock_now() + current.delay;
    current.num_imported_tasks += imported;
    faults.kills_exporter = imported && current.num_imported_tasks == current.kill_exporter;
    pthread_mutex_unlock(&lock);
    return faults;
}

doca_error_t
faults_of_next_call(const char *function) {
    doca_error_t error = DOCA_SUCCESS;

    (void)emulator_settings();
    pthread_mutex_lock(&lock);
    if (current.call_number != 0 && (strcmp(current.call, ANY) == 0 || strcmp(current.call, function) == 0) &&
        ++current.num_calls == current.call_number) {
        error = current.call_error;
        atomic_store(&failed_call, function);
    }
    pthread_mutex_unlock(&lock);
    return error == DOCA_SUCCESS ? error : SDK_REFUSE(error, "The faults that are set let %s() fail", function);
}

/* Neither logs nor allocates, which would recurse into this function. */
int
faults_of_next_system_call(enum system_resource resource, const char *function) {
    bool failed = false;

    pthread_mutex_lock(&lock);
    if ((current.system_resource & resource) != 0 && ++current.num_system_calls == current.system_call_number) {
        failed = true;
        atomic_store(&failed_call, function);
    }
    pthread_mutex_unlock(&lock);
    for (size_t i = 0; failed && i < NUM_RESOURCES; i++) {
        if (resources[i].resource == resource) {
            return resources[i].error;
        }
    }
    return 0;
}

const char *
emulator_failed_call(void) {
    return atomic_load(&failed_call);
}

struct report_order
faults_report_order(void) {
    pthread_mutex_lock(&lock);
    const struct report_order order = {
        .generation = faults_generation(), .window = current.window, .seed = current.seed};
    pthread_mutex_unlock(&lock);
    return order;
}

uint64_t
faults_generation(void) {
    return atomic_load(&generation);
}

bool
faults_take_registration(void) {
    (void)emulator_settings();
    if (!faults_are_set()) {
        return true;
    }
    pthread_mutex_lock(&lock);
    const bool left = current.num_registrations > 0;
    if (left && current.num_registrations != UNLIMITED) {
        current.num_registrations--;
    }
    pthread_mutex_unlock(&lock);
    return left;
}

void
faults_return_registration(void) {
    if (!faults_are_set()) {
        return;
    }
    pthread_mutex_lock(&lock);
    if (current.num_registrations != UNLIMITED) {
        current.num_registrations++;
    }
    pthread_mutex_unlock(&lock);
}
