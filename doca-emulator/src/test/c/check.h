/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checks of the tests. A failed check reports its place, the expected and the actual value and the callers, and
 * the program continues, so that one run shows every failure; check_result() is the exit code. A program that exceeds
 * its time limit reports where it waits.
 */
#ifndef DOCA_EMULATOR_CHECK_H_
#define DOCA_EMULATOR_CHECK_H_

#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <doca_error.h>

/* The limit of a program with all its processes on a loaded machine. CTest kills it a minute later, without a report. */
#define CHECK_TIME_LIMIT_S 240
/* Limits the stacks, because one cause may fail many checks, and each stack takes time. */
#define MAX_NUM_STACKS 5

/*
 * The runtimes of gcc's sanitizers may leave their locks held in a forked child: with the thread sanitizer it cannot
 * start threads, and with either one a thread may wait for the memory allocator without end.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CHILDREN_CAN_START_THREADS 0
#else
#define CHILDREN_CAN_START_THREADS 1
#endif

static int check_failures;
static time_t check_start;

/*
 * Prints the functions of the callers, found by addr2line if that is installed. Can be called from a signal handler.
 */
static inline void
check_print_callers(void) {
    /* NULL in a plugin, which has no such symbol. */
    extern const char __executable_start[] __attribute__((weak));
    enum { MAX_DEPTH = 20, NUM_OPTIONS = 4 };
    void *callers[MAX_DEPTH];
    char addresses[MAX_DEPTH][24];
    char program[32];
    char *arguments[NUM_OPTIONS + MAX_DEPTH + 1] = {"addr2line", "-spfe", program, "-i"};
    const int depth = backtrace(callers, MAX_DEPTH);
    snprintf(program, sizeof(program), "/proc/%d/exe", (int)getpid());
    for (int i = 0; i < depth; i++) {
        /* The call precedes the return address. */
        snprintf(addresses[i], sizeof(addresses[i]), "%#tx", (const char *)callers[i] - __executable_start - 1);
        arguments[NUM_OPTIONS + i] = addresses[i];
    }
    /* Not fork(), which takes locks of the libraries that may be held here. */
    const pid_t child = vfork();
    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execvp(arguments[0], arguments);
        _exit(EXIT_FAILURE);
    }
    waitpid(child, NULL, 0);
}

static inline void
check_failed(void) {
    if (__atomic_add_fetch(&check_failures, 1, __ATOMIC_RELAXED) <= MAX_NUM_STACKS) {
        check_print_callers();
    }
}

#define CHECK_FAILED(...) \
    do { \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__); \
        fprintf(stderr, __VA_ARGS__); \
        fputc('\n', stderr); \
        check_failed(); \
    } while (0)

static inline void
check_end_late(int signal_number) {
    static const char message[] = "the time limit was reached while the program waited here:\n";
    (void)signal_number;
    (void)!write(STDERR_FILENO, message, sizeof(message) - 1);
    check_print_callers();
    if (getpid() == getpgrp()) {
        /* With its children: whoever reads the output of the test would wait for one that hangs. */
        kill(0, SIGKILL);
    }
    _exit(EXIT_FAILURE);
}

/* Must be called in a forked child: resets its failures, and sets a time limit a little before its parent's. */
static inline void
check_begin_child(void) {
    const time_t left = CHECK_TIME_LIMIT_S - 1 - (time(NULL) - check_start);
    check_failures = 0;
    alarm(left > 1 ? (unsigned int)left : 1);
}

__attribute__((constructor)) static void
check_begin(void) {
    void *unused;
    struct sigaction before;
    sigaction(SIGALRM, NULL, &before);
    if (before.sa_handler != SIG_DFL) {
        /* This is a plugin of a test. */
        return;
    }
    /* Its first call loads a library. */
    backtrace(&unused, 1);
    check_start = time(NULL);
    /* Of this program and its children, see check_end_late(). */
    setpgid(0, 0);
    signal(SIGALRM, check_end_late);
    alarm(CHECK_TIME_LIMIT_S);
}

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            CHECK_FAILED("expected %s", #condition); \
        } \
    } while (0)

/* The call returns this doca_error_t. */
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

/* Compares whole numbers of any type up to 64 bits. */
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

/* The object has the first value, and after it was set the second one. */
#define CHECK_FIELD(kind, name, object, first, second) \
    do { \
        CHECK((first) == kind##_get_##name(object)); \
        kind##_set_##name(object, second); \
        CHECK((second) == kind##_get_##name(object)); \
    } while (0)

/* For calls that the test cannot continue without. */
#define REQUIRE_SUCCESS(call) \
    do { \
        const doca_error_t check_required = (call); \
        if (check_required != DOCA_SUCCESS) { \
            CHECK_FAILED("%s: %s", #call, doca_error_get_name(check_required)); \
            exit(EXIT_FAILURE); \
        } \
    } while (0)

/*
 * Runs checks in their own process with one environment variable, because the emulator reads its environment only once.
 * Must be called before the emulator is used.
 */
static inline void
check_with_environment(const char *name, const char *value, void (*checks)(void)) {
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        check_begin_child();
        setenv(name, value, 1);
        checks();
        exit(check_failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        CHECK_FAILED("with %s=%s: status %d", name, value, status);
    }
}

/* Runs checks in their own process with this topology. Must be called before the emulator is used. */
static inline void
check_with_topology(const char *text, void (*checks)(void)) {
    char path[] = "/tmp/doca-topology-XXXXXX";
    const int fd = mkstemp(path);
    CHECK_EQUAL(strlen(text), write(fd, text, strlen(text)));
    close(fd);
    check_with_environment("DOCA_EMULATOR_TOPOLOGY", path, checks);
    unlink(path);
}

/* Runs checks in processes of their own, with each engine. */
static inline void
check_with_engines(void (*checks)(void)) {
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", checks);
    check_with_environment("DOCA_EMULATOR_ENGINE", "threaded", checks);
}

static inline int
check_result(void) {
    return check_failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Runs the checks in a forked child, which must exit by itself without a failed check. */
static inline void
check_in_child(void (*checks)(void *argument), void *argument) {
    int status = -1;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        check_begin_child();
        checks(argument);
        _exit(check_result());
    }
    CHECK_EQUAL(child, waitpid(child, &status, 0));
    CHECK_EQUAL(0, status);
}

#endif /* DOCA_EMULATOR_CHECK_H_ */
