/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An SDK that logs: doca_pe_destroy on the calling thread, doca_pe_progress on a thread of its own,
 * doca_pe_connect_ctx on a worker that lives until the process exits, and the library itself at that time. The build
 * defines CREATE_NAME, the name of the function that takes a handler, and CREATE_RESULT, its result.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>

#include <doca_dev.h>
#include <doca_log.h>
#include <doca_pe.h>

struct doca_log_backend {
    char *buffer;
    size_t capacity;
    log_flush_callback handler;
    uint32_t level;
};

static struct doca_log_backend only;
static uint32_t global_limit = DOCA_LOG_LEVEL_INFO;

static void
record(const char *text) {
    if (only.level > DOCA_LOG_LEVEL_DISABLE) {
        snprintf(only.buffer, only.capacity, "[DOCA][ERR] %s at %u of %u\n", text, only.level, global_limit);
        only.handler(only.buffer);
    }
}

doca_error_t
CREATE_NAME(char *buffer, size_t capacity, log_flush_callback handler, struct doca_log_backend **backend) {
    if (CREATE_RESULT == DOCA_SUCCESS) {
        only = (struct doca_log_backend){buffer, capacity, handler, DOCA_LOG_LEVEL_INFO};
        *backend = &only;
    }
    return CREATE_RESULT;
}

doca_error_t
doca_log_backend_set_sdk_level(struct doca_log_backend *backend, uint32_t level) {
    backend->level = level;
    return DOCA_SUCCESS;
}

uint32_t
doca_log_level_get_global_sdk_limit(void) {
    return global_limit;
}

doca_error_t
doca_log_level_set_global_sdk_limit(uint32_t level) {
    global_limit = level;
    return DOCA_SUCCESS;
}

doca_error_t
doca_pe_destroy(struct doca_pe *pe) {
    (void)pe;
    record("from the calling thread");
    return DOCA_SUCCESS;
}

static sem_t may_log;

static void *
log_elsewhere(void *unused) {
    while (sem_wait(&may_log) != 0) {
    }
    record("from another thread");
    return unused;
}

uint8_t
doca_pe_progress(struct doca_pe *pe) {
    (void)pe;
    pthread_t thread;
    pthread_create(&thread, NULL, log_elsewhere, NULL);
    pthread_setname_np(thread, "elsewhere");
    sem_post(&may_log);
    pthread_join(thread, NULL);
    return 0;
}

static pthread_t worker;
static bool has_worker;
static sem_t has_logged;
static sem_t is_over;

static void *
log_and_wait(void *unused) {
    record("from the worker");
    sem_post(&has_logged);
    while (sem_wait(&is_over) != 0) {
    }
    return unused;
}

/* doca-java recognises a usable release by this function and the next. */
doca_error_t
doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx) {
    (void)pe;
    (void)ctx;
    has_worker = pthread_create(&worker, NULL, log_and_wait, NULL) == 0;
    while (sem_wait(&has_logged) != 0) {
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_devinfo_create_list(struct doca_devinfo ***devices, uint32_t *count) {
    (void)devices;
    (void)count;
    return DOCA_ERROR_NOT_FOUND;
}

__attribute__((destructor)) static void
end_worker(void) {
    record("at exit");
    if (has_worker) {
        sem_post(&is_over);
        pthread_join(worker, NULL);
    }
}
