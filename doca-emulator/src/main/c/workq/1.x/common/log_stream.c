/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stream to which records are written in addition to the program's back ends: standard error by default.
 */
#include <pthread.h>
#include <stdio.h>

#include <core_log.h>
#include <doca_log.h>

static pthread_mutex_t stream_lock = PTHREAD_MUTEX_INITIALIZER;
/* Guarded by the lock. NULL means standard error. */
static FILE *stream;
static char buffer[4096];

static void
write_record(char *record) {
    pthread_mutex_lock(&stream_lock);
    FILE *target = stream == NULL ? stderr : stream;
    fputs(record, target);
    fflush(target);
    pthread_mutex_unlock(&stream_lock);
}

/*
 * Runs in a forked child. A thread of the parent may have been writing. Forks do not wait for it: it may take long, and
 * may hold locks that a fork takes.
 */
static void
forget_writer(void) {
    pthread_mutex_init(&stream_lock, NULL);
}

static void __attribute__((constructor))
create_backend(void) {
    struct doca_logger_backend *backend;
    (void)pthread_atfork(NULL, NULL, forget_writer);
    (void)core_log_backend_create_with_buf(buffer, sizeof(buffer), write_record, &backend);
}

doca_error_t
doca_log_stream_redirect(FILE *new_stream) {
    if (new_stream == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    pthread_mutex_lock(&stream_lock);
    stream = new_stream;
    pthread_mutex_unlock(&stream_lock);
    return DOCA_SUCCESS;
}
