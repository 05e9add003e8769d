/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests are written with. A failed check says where, what was expected and what came, and the program goes
 * on, so that one run shows every failure; check_result() is the exit code.
 */
#ifndef DOCA_EMULATOR_CHECK_H_
#define DOCA_EMULATOR_CHECK_H_

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doca_error.h>

static int check_failures;

#define CHECK_FAILED(...) \
    do { \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__); \
        fprintf(stderr, __VA_ARGS__); \
        fputc('\n', stderr); \
        __atomic_add_fetch(&check_failures, 1, __ATOMIC_RELAXED); \
    } while (0)

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            CHECK_FAILED("expected %s", #condition); \
        } \
    } while (0)

/* The call gives this very doca_error_t. */
#define CHECK_ERROR(expected, call) \
    do { \
        const doca_error_t check_expected = (expected); \
        const doca_error_t check_actual = (call); \
        if (check_actual != check_expected) { \
            CHECK_FAILED("%s: expected %s, got %s", #call, doca_error_get_name(check_expected), \
                         doca_error_get_name(check_actual)); \
        } \
    } while (0)

#define CHECK_SUCCESS(call) CHECK_ERROR(DOCA_SUCCESS, call)

/* Whole numbers of any type up to 64 bits. */
#define CHECK_EQUAL(expected, actual) \
    do { \
        const long long check_expected = (long long)(expected); \
        const long long check_actual = (long long)(actual); \
        if (check_actual != check_expected) { \
            CHECK_FAILED("%s: expected %lld, got %lld", #actual, check_expected, check_actual); \
        } \
    } while (0)

#define CHECK_POINTER(expected, actual) \
    do { \
        const void *check_expected = (expected); \
        const void *check_actual = (actual); \
        if (check_actual != check_expected) { \
            CHECK_FAILED("%s: expected %p, got %p", #actual, check_expected, check_actual); \
        } \
    } while (0)

#define CHECK_STRING(expected, actual) \
    do { \
        const char *check_expected = (expected); \
        const char *check_actual = (actual); \
        if (check_actual == NULL || strcmp(check_actual, check_expected) != 0) { \
            CHECK_FAILED("%s: expected \"%s\", got \"%s\"", #actual, check_expected, \
                         check_actual == NULL ? "(null)" : check_actual); \
        } \
    } while (0)

/* For what the rest of a test cannot do without. */
#define REQUIRE_SUCCESS(call) \
    do { \
        const doca_error_t check_required = (call); \
        if (check_required != DOCA_SUCCESS) { \
            CHECK_FAILED("%s: %s", #call, doca_error_get_name(check_required)); \
            exit(EXIT_FAILURE); \
        } \
    } while (0)

/*
 * Runs checks in a process of its own, with one variable of the environment set: the emulator reads its environment
 * once. Call it before anything of the emulator is used.
 */
static inline void
check_with_environment(const char *name, const char *value, void (*checks)(void)) {
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        setenv(name, value, 1);
        checks();
        exit(check_failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        CHECK_FAILED("with %s=%s: status %d", name, value, status);
    }
}

static inline int
check_result(void) {
    return check_failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif /* DOCA_EMULATOR_CHECK_H_ */
