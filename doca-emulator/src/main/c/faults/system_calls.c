/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System functions that allocate memory, descriptors and threads. The linker redirects the calls of all libraries of the
 * emulator to the functions here (ld --wrap), which fail if the faults request it.
 */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "common/faults.h"

/* Returns whether the call fails, and then sets errno to the value of its kind. */
static bool
fails(enum system_resource resource, const char *function) {
    const int error = faults_count_system_calls() ? faults_of_next_system_call(resource, function) : 0;
    if (error == 0) {
        return false;
    }
    errno = error;
    return true;
}

#define WRAPPED(resource, type, failure, function, parameters, arguments)                                  \
    type __real_##function parameters;                                                                     \
    type __wrap_##function parameters;                                                                     \
    type __wrap_##function parameters {                                                                    \
        return fails(resource, #function) ? (failure) : __real_##function arguments;                       \
    }

WRAPPED(SYSTEM_MEMORY, void *, NULL, malloc, (size_t size), (size))
WRAPPED(SYSTEM_MEMORY, void *, NULL, calloc, (size_t number, size_t size), (number, size))
WRAPPED(SYSTEM_MEMORY, void *, NULL, realloc, (void *block, size_t size), (block, size))
WRAPPED(SYSTEM_MEMORY, char *, NULL, strdup, (const char *text), (text))
WRAPPED(SYSTEM_MEMORY, void *, MAP_FAILED, mmap,
        (void *addr, size_t len, int protection, int flags, int fd, off_t offset),
        (addr, len, protection, flags, fd, offset))
WRAPPED(SYSTEM_DESCRIPTOR, int, -1, eventfd, (unsigned int value, int flags), (value, flags))
WRAPPED(SYSTEM_DESCRIPTOR, int, -1, epoll_create1, (int flags), (flags))
WRAPPED(SYSTEM_DESCRIPTOR, int, -1, memfd_create, (const char *name, unsigned int flags), (name, flags))
WRAPPED(SYSTEM_DESCRIPTOR, int, -1, socket, (int domain, int type, int protocol), (domain, type, protocol))
WRAPPED(SYSTEM_DESCRIPTOR, int, -1, accept4,
        (int fd, struct sockaddr *addr, socklen_t *addr_len, int flags), (fd, addr, addr_len, flags))
/* The emulator creates no files by these functions, so there is no mode. */
WRAPPED(SYSTEM_DESCRIPTOR, int, -1, open, (const char *path, int flags), (path, flags))
WRAPPED(SYSTEM_DESCRIPTOR, int, -1, openat, (int folder, const char *path, int flags), (folder, path, flags))
WRAPPED(SYSTEM_DESCRIPTOR, FILE *, NULL, fopen, (const char *path, const char *mode), (path, mode))

/* Returns its error and does not change errno. */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);

int
__wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    const int error =
            faults_count_system_calls() ? faults_of_next_system_call(SYSTEM_THREAD, "pthread_create") : 0;
    return error != 0 ? error : __real_pthread_create(thread, attributes, run, argument);
}

int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

int
__wrap_asprintf(char **text, const char *format, ...) {
    if (fails(SYSTEM_MEMORY, "asprintf")) {
        return -1;
    }
    va_list arguments;
    va_start(arguments, format);
    const int len = vasprintf(text, format, arguments);
    va_end(arguments);
    return len;
}
