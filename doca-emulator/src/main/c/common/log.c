/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log of the application and the log of the libraries: two lists of back ends, each back end with its own limits. A
 * back end exists until the process ends, because there is no call to destroy one.
 */
#include <errno.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#include <doca_log.h>

#include "fork.h"
#include "object.h"
#include "sdk_log.h"
#include "settings.h"
#include "source_log.h"

#define MAX_NUM_BACKENDS 64
/* Longer records are truncated. */
#define MAX_RECORD_SIZE 4096
#define DEFERRED_SIZE (2 * MAX_RECORD_SIZE)

struct doca_log_backend {
    struct object object;
    struct doca_log_backend *next;
    /* The range of levels of this back end, regardless of its limits. */
    uint32_t most_severe;
    uint32_t most_verbose;
    /* A record is written if its level lies between both. */
    uint32_t upper_limit;
    uint32_t lower_limit;
    bool upper_limit_strict;
    bool lower_limit_strict;

    void (*write)(struct doca_log_backend *backend, uint32_t level, const char *record, size_t len);
    pthread_mutex_t lock;
    FILE *file;
    int fd;
    char *buf;
    size_t capacity;
    log_flush_callback handler;
    char *syslog_name;
};

/* Back ends of one kind: those of the application or those of the SDK. */
struct log_channel {
    uint32_t upper_limit;
    uint32_t lower_limit;
    uint32_t num_backends;
    struct doca_log_backend *first;
};

static struct object_class backend_class = OBJECT_CLASS("log backend", struct doca_log_backend);

static struct log_channel app_channel = {.upper_limit = DOCA_LOG_LEVEL_CRIT, .lower_limit = DOCA_LOG_LEVEL_INFO};
static struct log_channel sdk_channel = {.upper_limit = DOCA_LOG_LEVEL_CRIT, .lower_limit = DOCA_LOG_LEVEL_INFO};

/* Guards the channels' limits and lists against concurrent writers; records are written without it. */
static pthread_mutex_t channels_lock = PTHREAD_MUTEX_INITIALIZER;

static pthread_mutex_t sources_lock = PTHREAD_MUTEX_INITIALIZER;
static char **sources;
static int num_sources;

/*
 * Held while libc takes its own locks, which would stay locked in a child that is forked meanwhile. There are two,
 * because records must not wait for a slow syslog().
 */
static pthread_mutex_t time_zone_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t syslog_lock = PTHREAD_MUTEX_INITIALIZER;

/* A handler that calls the libraries must not be called again for records that they log during this call. */
static _Thread_local bool in_handler;

GUARD_IN_FORKS(sources, &sources_lock, NULL)
GUARD_IN_FORKS(time_zone, &time_zone_lock, NULL)
GUARD_IN_FORKS(syslog, &syslog_lock, NULL)

static bool
is_level(uint32_t level) {
    return level >= DOCA_LOG_LEVEL_DISABLE && level <= DOCA_LOG_LEVEL_TRACE && level % 10 == 0;
}

static const char *
get_level_tag(uint32_t level) {
    switch (level) {
    case DOCA_LOG_LEVEL_CRIT:
        return "CRT";
    case DOCA_LOG_LEVEL_ERROR:
        return "ERR";
    case DOCA_LOG_LEVEL_WARNING:
        return "WRN";
    case DOCA_LOG_LEVEL_INFO:
        return "INF";
    case DOCA_LOG_LEVEL_DEBUG:
        return "DBG";
    default:
        return "TRC";
    }
}

static int
get_syslog_priority(uint32_t level) {
    switch (level) {
    case DOCA_LOG_LEVEL_CRIT:
        return LOG_CRIT;
    case DOCA_LOG_LEVEL_ERROR:
        return LOG_ERR;
    case DOCA_LOG_LEVEL_WARNING:
        return LOG_WARNING;
    case DOCA_LOG_LEVEL_INFO:
        return LOG_INFO;
    default:
        return LOG_DEBUG;
    }
}

static void
write_to_file(struct doca_log_backend *backend, uint32_t level, const char *record, size_t len) {
    (void)level;
    fwrite(record, 1, len, backend->file);
    fflush(backend->file);
}

static void
write_to_fd(struct doca_log_backend *backend, uint32_t level, const char *record, size_t len) {
    (void)level;
    while (len > 0) {
        const ssize_t written = write(backend->fd, record, len);
        if (written == 0 || (written < 0 && errno != EINTR)) {
            /* No back end can report this error. */
            return;
        }
        if (written > 0) {
            record += written;
            len -= (size_t)written;
        }
    }
}

static void
write_to_buf(struct doca_log_backend *backend, uint32_t level, const char *record, size_t len) {
    (void)level;
    const size_t max_len = backend->capacity - 1;
    const size_t kept = len < max_len ? len : max_len;
    memcpy(backend->buf, record, kept);
    if (kept < len && kept > 0) {
        backend->buf[kept - 1] = '\n';
    }
    backend->buf[kept] = '\0';
    in_handler = true;
    backend->handler(backend->buf);
    in_handler = false;
}

static void
write_to_syslog(struct doca_log_backend *backend, uint32_t level, const char *record, size_t len) {
    pthread_mutex_lock(&syslog_lock);
    syslog(LOG_USER | get_syslog_priority(level), "%s: %.*s", backend->syslog_name, (int)len, record);
    pthread_mutex_unlock(&syslog_lock);
}

static bool
wants(const struct doca_log_backend *backend, uint32_t level) {
    return level >= backend->most_severe && level <= backend->most_verbose &&
           level >= __atomic_load_n(&backend->upper_limit, __ATOMIC_RELAXED) &&
           level <= __atomic_load_n(&backend->lower_limit, __ATOMIC_RELAXED);
}

/* Releases with work queues have one kind of back end for all records. Their records have no process and function. */
static bool
has_one_channel(void) {
    return emulator_release_is_at_most(EMULATOR_RELEASE_2_2);
}

/* Writes the head of a record: the time, the level and the place. Returns its length as if there were no limit. */
static int
format_head(char *record, size_t size, uint32_t level, const char *file, int line, const char *function) {
    struct timespec now;
    struct tm tm;
    clock_gettime(CLOCK_REALTIME, &now);
    pthread_mutex_lock(&time_zone_lock);
    localtime_r(&now.tv_sec, &tm);
    pthread_mutex_unlock(&time_zone_lock);
    const char *slash = strrchr(file, '/');
    const char *place = slash == NULL ? file : slash + 1;
    const long us = now.tv_nsec / 1000;
    return has_one_channel()
                   ? snprintf(record, size, "[%02d:%02d:%02d:%06ld][DOCA][%s][%s:%d]: ", tm.tm_hour, tm.tm_min, tm.tm_sec,
                              us, get_level_tag(level), place, line)
                   : snprintf(record, size, "[%02d:%02d:%02d:%06ld][%d][DOCA][%s][%s:%d][%s] ", tm.tm_hour, tm.tm_min,
                              tm.tm_sec, us, getpid(), get_level_tag(level), place, line, function);
}

/* Formats a whole record into MAX_RECORD_SIZE bytes and returns its length. The record always ends with a newline. */
static size_t
format_record(char *record, uint32_t level, const char *file, int line, const char *function, const char *format,
              va_list arguments) {
    const size_t max_len = MAX_RECORD_SIZE - 2;
    int len = format_head(record, max_len + 1, level, file, line, function);
    size_t used = len < 0 ? 0 : (size_t)len > max_len ? max_len : (size_t)len;
    len = vsnprintf(record + used, max_len + 1 - used, format, arguments);
    used += len < 0 ? 0 : (size_t)len > max_len - used ? max_len - used : (size_t)len;
    record[used] = '\n';
    record[used + 1] = '\0';
    return used + 1;
}

/* Returns whether the back end takes records of the level from this thread now. */
static bool
accepts(const struct doca_log_backend *backend, uint32_t level) {
    return wants(backend, level) && !(in_handler && backend->handler != NULL);
}

static bool
is_accepted(const struct log_channel *channel, uint32_t level) {
    const struct doca_log_backend *backend = __atomic_load_n(&channel->first, __ATOMIC_ACQUIRE);
    while (backend != NULL && !accepts(backend, level)) {
        backend = backend->next;
    }
    return backend != NULL;
}

static void
write_record(const struct log_channel *channel, uint32_t level, const char *record, size_t len) {
    struct doca_log_backend *backend = __atomic_load_n(&channel->first, __ATOMIC_ACQUIRE);
    for (; backend != NULL; backend = backend->next) {
        if (accepts(backend, level)) {
            pthread_mutex_lock(&backend->lock);
            backend->write(backend, level, record, len);
            pthread_mutex_unlock(&backend->lock);
        }
    }
}

/* Precedes the bytes of a record, which ends with '\0'. */
struct deferred_record {
    const struct log_channel *channel;
    uint32_t level;
    uint32_t len;
};

/* The bytes of the structure and of a record of that length, up to the next structure. */
static uint32_t
deferred_size(uint32_t len) {
    const uint32_t alignment = alignof(struct deferred_record);
    return (uint32_t)sizeof(struct deferred_record) + (len + 1 + alignment - 1) / alignment * alignment;
}

/* What a thread defers, and why. It is small, because the stacks of all threads have room for it. */
static _Thread_local struct {
    /* Those that it has taken by emulator_lock(). */
    unsigned int num_locks;
    /* True in a section, unless the program runs in a callback of it. */
    bool in_section;
    /* From before the first lock. */
    int cancel_state;
    uint32_t size;
    /* DEFERRED_SIZE bytes, from the first deferred record to the end of the thread; NULL before, and while they are written. */
    char *records;
} deferred;

static pthread_key_t deferred_key;

/* Runs at the end of a thread. */
static void
free_records(void *unused) {
    (void)unused;
    free(deferred.records);
    deferred.records = NULL;
    deferred.size = 0;
}

static void __attribute__((constructor))
create_key(void) {
    (void)pthread_key_create(&deferred_key, free_records);
}

/* Returns false without memory. Faults do not make this request fail, as it would hide the record of another failure. */
static bool
has_room_for_records(void) {
    if (deferred.records == NULL) {
        deferred.records = aligned_alloc(alignof(struct deferred_record), DEFERRED_SIZE);
        if (deferred.records != NULL && pthread_setspecific(deferred_key, &deferred) != 0) {
            free_records(NULL);
        }
    }
    return deferred.records != NULL;
}

/* A handler may use the libraries, and so these variables, while the records are written. */
static void __attribute__((noinline))
write_all(void) {
    char *records = deferred.records;
    const uint32_t size = deferred.size;
    deferred.records = NULL;
    deferred.size = 0;
    for (uint32_t place = 0; place < size;) {
        const struct deferred_record *record = (const struct deferred_record *)(records + place);
        write_record(record->channel, record->level, (const char *)(record + 1), record->len);
        place += deferred_size(record->len);
    }
    if (deferred.records == NULL) {
        deferred.records = records;
    } else {
        free(records);
    }
}

static bool
has_records_to_write(void) {
    return __builtin_expect(deferred.size > 0, 0) && deferred.num_locks == 0;
}

static void
write_deferred(void) {
    if (has_records_to_write()) {
        write_all();
    }
}

void
emulator_lock(pthread_mutex_t *lock) {
    int cancel_state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    pthread_mutex_lock(lock);
    if (deferred.num_locks++ == 0) {
        deferred.cancel_state = cancel_state;
    }
}

void
emulator_unlock(pthread_mutex_t *lock) {
    const int cancel_state = deferred.cancel_state;
    pthread_mutex_unlock(lock);
    if (--deferred.num_locks > 0) {
        return;
    }
    if (!deferred.in_section) {
        write_deferred();
    }
    pthread_setcancelstate(cancel_state, NULL);
}

bool
emulator_defer_records(void) {
    const bool nested = deferred.in_section;
    if (nested) {
        write_deferred();
    }
    deferred.in_section = true;
    return nested;
}

void
emulator_write_records(bool nested) {
    if (has_records_to_write()) {
        deferred.in_section = false;
        write_all();
    }
    deferred.in_section = nested;
}

doca_error_t
emulator_write_refusal(doca_error_t error) {
    emulator_write_records(emulator_defer_records());
    return error;
}

struct sdk_section
emulator_begin_section(void) {
    struct sdk_section section;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &section.cancel_state);
    section.nested = emulator_defer_records();
    return section;
}

void
emulator_end_section(struct sdk_section section) {
    emulator_write_records(section.nested);
    pthread_setcancelstate(section.cancel_state, NULL);
}

/* Drops the records that are less severe. */
static void
make_room(uint32_t level) {
    uint32_t kept = 0;
    uint32_t place = 0;
    while (place < deferred.size) {
        const struct deferred_record *record = (const struct deferred_record *)(deferred.records + place);
        const uint32_t size = deferred_size(record->len);
        if (record->level <= level) {
            memmove(deferred.records + kept, record, size);
            kept += size;
        }
        place += size;
    }
    deferred.size = kept;
}

static void
defer(const struct log_channel *channel, uint32_t level, const char *text, size_t len) {
    const struct deferred_record record = {.channel = channel, .level = level, .len = (uint32_t)len};
    const uint32_t size = deferred_size(record.len);
    if (!has_room_for_records()) {
        return;
    }
    if (size > DEFERRED_SIZE - deferred.size) {
        make_room(level - 1);
    }
    if (size <= DEFERRED_SIZE - deferred.size) {
        memcpy(deferred.records + deferred.size, &record, sizeof(record));
        memcpy(deferred.records + deferred.size + sizeof(record), text, len + 1);
        deferred.size += size;
    }
}

/* Writes a record, or defers it. */
static void
emit(const struct log_channel *channel, bool is_deferred, uint32_t level, const char *file, int line, const char *function,
     const char *format, va_list arguments) {
    char record[MAX_RECORD_SIZE];
    int cancel_state;
    if (!is_accepted(channel, level)) {
        return;
    }
    /* A thread that is cancelled while it writes would keep the lock. */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    const size_t len = format_record(record, level, file, line, function, format, arguments);
    if (is_deferred) {
        defer(channel, level, record, len);
    } else {
        write_deferred();
        write_record(channel, level, record, len);
    }
    pthread_setcancelstate(cancel_state, NULL);
}

/* A record of the program, which may be in a callback. */
static void
emit_own(const struct log_channel *channel, uint32_t level, const char *file, int line, const char *function,
         const char *format, va_list arguments) {
    emit(channel, deferred.num_locks > 0, level, file, line, function, format, arguments);
}

void
emulator_sdk_log(uint32_t level, const char *file, int line, const char *function, const char *format, ...) {
    /* Releases with work queues add only essential records to those of the program. */
    const struct log_channel *channel = has_one_channel() ? &app_channel : &sdk_channel;
    if (__atomic_load_n(&channel->first, __ATOMIC_RELAXED) == NULL ||
        (has_one_channel() && level > DOCA_LOG_LEVEL_ERROR)) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    emit(channel, deferred.num_locks > 0 || deferred.in_section, level, file, line, function, format, arguments);
    va_end(arguments);
}

static bool
is_source(int source) {
    pthread_mutex_lock(&sources_lock);
    const bool known = source >= 0 && source < num_sources && sources[source] != NULL;
    pthread_mutex_unlock(&sources_lock);
    return known;
}

doca_error_t
doca_log(uint32_t level, int source, const char *fname, int line, const char *func, const char *format, ...) {
    if (!is_level(level) || level == DOCA_LOG_LEVEL_DISABLE || fname == NULL || func == NULL || format == NULL ||
        !is_source(source)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    va_list arguments;
    va_start(arguments, format);
    emit_own(&app_channel, level, fname, line, func, format, arguments);
    va_end(arguments);
    return DOCA_SUCCESS;
}

/* Copies the name of a source, truncated if it is too long. Returns false if there is no such source. */
static bool
get_source_name(int source, char *name, size_t size) {
    pthread_mutex_lock(&sources_lock);
    const bool known = source >= 0 && source < num_sources && sources[source] != NULL;
    if (known) {
        snprintf(name, size, "%s", sources[source]);
    }
    pthread_mutex_unlock(&sources_lock);
    return known;
}

doca_error_t
source_log(uint32_t level, int source, int line, const char *format, va_list arguments) {
    char name[256];
    if (!is_level(level) || !get_source_name(source, name, sizeof(name))) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    emit_own(&app_channel, level, name, line, "", format, arguments);
    return DOCA_SUCCESS;
}

/*
 * Sources
 */

doca_error_t
doca_log_register_source(const char *source_name, int *source) {
    if (source_name == NULL || source == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    char *name = strdup(source_name);
    pthread_mutex_lock(&sources_lock);
    char **grown = name == NULL ? NULL : realloc(sources, (size_t)(num_sources + 1) * sizeof(*sources));
    if (grown != NULL) {
        sources = grown;
        sources[num_sources] = name;
        *source = num_sources++;
    }
    pthread_mutex_unlock(&sources_lock);
    if (grown == NULL) {
        free(name);
        return DOCA_ERROR_NO_MEMORY;
    }
    return DOCA_SUCCESS;
}

doca_error_t
doca_log_unregister_source(int source) {
    pthread_mutex_lock(&sources_lock);
    const bool known = source >= 0 && source < num_sources && sources[source] != NULL;
    if (known) {
        free(sources[source]);
        sources[source] = NULL;
    }
    pthread_mutex_unlock(&sources_lock);
    return known ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

/*
 * Creation of back ends
 */

static struct doca_log_backend *
new_backend(void (*write)(struct doca_log_backend *, uint32_t, const char *, size_t)) {
    struct doca_log_backend *backend = object_create(&backend_class);
    if (backend != NULL) {
        backend->most_severe = DOCA_LOG_LEVEL_CRIT;
        backend->most_verbose = DOCA_LOG_LEVEL_TRACE;
        backend->write = write;
        pthread_mutex_init(&backend->lock, NULL);
    }
    return backend;
}

/* Runs in a forked child. Threads of the parent may have been writing, or calling a function of the program. */
static void
forget_writers(void) {
    struct log_channel *channels[] = {&app_channel, &sdk_channel};
    for (size_t i = 0; i < sizeof(channels) / sizeof(channels[0]); i++) {
        struct doca_log_backend *backend;
        for (backend = channels[i]->first; backend != NULL; backend = backend->next) {
            pthread_mutex_init(&backend->lock, NULL);
        }
    }
}

GUARD_IN_FORKS(channels, &channels_lock, forget_writers)

/* Publishes a complete back end, which the channel then owns. */
static doca_error_t
add_backend(struct log_channel *channel, struct doca_log_backend *backend) {
    pthread_mutex_lock(&channels_lock);
    const bool full = channel->num_backends == MAX_NUM_BACKENDS;
    if (!full) {
        backend->upper_limit = channel->upper_limit;
        backend->lower_limit = channel->lower_limit;
        backend->next = channel->first;
        __atomic_store_n(&channel->first, backend, __ATOMIC_RELEASE);
        channel->num_backends++;
    }
    pthread_mutex_unlock(&channels_lock);
    if (full) {
        free(backend->syslog_name);
        object_destroy(&backend_class, backend);
        return DOCA_ERROR_FULL;
    }
    return DOCA_SUCCESS;
}

static doca_error_t
hand_out(struct log_channel *channel, struct doca_log_backend *backend, struct doca_log_backend **out) {
    const doca_error_t result = add_backend(channel, backend);
    if (result == DOCA_SUCCESS) {
        *out = backend;
    }
    return result;
}

static doca_error_t
create_with_file(struct log_channel *channel, FILE *fptr, struct doca_log_backend **out) {
    if (fptr == NULL || out == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    struct doca_log_backend *backend = new_backend(write_to_file);
    if (backend == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    backend->file = fptr;
    return hand_out(channel, backend, out);
}

static doca_error_t
create_with_fd(struct log_channel *channel, int fd, struct doca_log_backend **out) {
    if (fd < 0 || out == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    struct doca_log_backend *backend = new_backend(write_to_fd);
    if (backend == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    backend->fd = fd;
    return hand_out(channel, backend, out);
}

static doca_error_t
create_with_buf(struct log_channel *channel, char *buf, size_t capacity, log_flush_callback handler,
                struct doca_log_backend **out) {
    if (buf == NULL || capacity == 0 || handler == NULL || out == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    struct doca_log_backend *backend = new_backend(write_to_buf);
    if (backend == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    backend->buf = buf;
    backend->capacity = capacity;
    backend->handler = handler;
    return hand_out(channel, backend, out);
}

static doca_error_t
create_with_syslog(struct log_channel *channel, const char *name, struct doca_log_backend **out) {
    if (name == NULL || out == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    struct doca_log_backend *backend = new_backend(write_to_syslog);
    if (backend == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    backend->syslog_name = strdup(name);
    if (backend->syslog_name == NULL) {
        object_destroy(&backend_class, backend);
        return DOCA_ERROR_NO_MEMORY;
    }
    return hand_out(channel, backend, out);
}

doca_error_t
doca_log_backend_create_with_file(FILE *fptr, struct doca_log_backend **backend) {
    return create_with_file(&app_channel, fptr, backend);
}

doca_error_t
doca_log_backend_create_with_file_sdk(FILE *fptr, struct doca_log_backend **backend) {
    return create_with_file(&sdk_channel, fptr, backend);
}

doca_error_t
doca_log_backend_create_with_fd(int fd, struct doca_log_backend **backend) {
    return create_with_fd(&app_channel, fd, backend);
}

doca_error_t
doca_log_backend_create_with_fd_sdk(int fd, struct doca_log_backend **backend) {
    return create_with_fd(&sdk_channel, fd, backend);
}

doca_error_t
doca_log_backend_create_with_buf(
        char *buf, size_t capacity, log_flush_callback handler, struct doca_log_backend **backend) {
    return create_with_buf(&app_channel, buf, capacity, handler, backend);
}

doca_error_t
doca_log_backend_create_with_buf_sdk(
        char *buf, size_t capacity, log_flush_callback handler, struct doca_log_backend **backend) {
    return create_with_buf(&sdk_channel, buf, capacity, handler, backend);
}

doca_error_t
doca_log_backend_create_with_syslog(const char *name, struct doca_log_backend **backend) {
    return create_with_syslog(&app_channel, name, backend);
}

doca_error_t
doca_log_backend_create_with_syslog_sdk(const char *name, struct doca_log_backend **backend) {
    return create_with_syslog(&sdk_channel, name, backend);
}

static doca_error_t
create_for_levels(FILE *fptr, uint32_t most_severe, uint32_t most_verbose) {
    struct doca_log_backend *backend = new_backend(write_to_file);
    if (backend == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    backend->file = fptr;
    backend->most_severe = most_severe;
    backend->most_verbose = most_verbose;
    return add_backend(&app_channel, backend);
}

doca_error_t
doca_log_backend_create_standard(void) {
    const doca_error_t result = create_for_levels(stdout, DOCA_LOG_LEVEL_INFO, DOCA_LOG_LEVEL_TRACE);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    return create_for_levels(stderr, DOCA_LOG_LEVEL_CRIT, DOCA_LOG_LEVEL_WARNING);
}

uint32_t
doca_log_get_max_num_backends(void) {
    return MAX_NUM_BACKENDS;
}

uint32_t
doca_log_get_max_num_backends_sdk(void) {
    return MAX_NUM_BACKENDS;
}

/*
 * Limits. A strict limit can still be made stricter, but not relaxed.
 */

static bool
contains(const struct log_channel *channel, const struct doca_log_backend *backend) {
    const struct doca_log_backend *candidate = __atomic_load_n(&channel->first, __ATOMIC_ACQUIRE);
    while (candidate != NULL && candidate != backend) {
        candidate = candidate->next;
    }
    return candidate != NULL;
}

static bool
change_lower_limit(struct doca_log_backend *backend, uint32_t level) {
    if (backend->lower_limit_strict && level > backend->lower_limit) {
        return false;
    }
    __atomic_store_n(&backend->lower_limit, level, __ATOMIC_RELAXED);
    return true;
}

static bool
change_upper_limit(struct doca_log_backend *backend, uint32_t level) {
    if (backend->upper_limit_strict && level < backend->upper_limit) {
        return false;
    }
    __atomic_store_n(&backend->upper_limit, level, __ATOMIC_RELAXED);
    return true;
}

static doca_error_t
set_limit(const struct log_channel *channel, struct doca_log_backend *backend, uint32_t level,
          bool (*change)(struct doca_log_backend *, uint32_t)) {
    if (!is_level(level) || !IS_LIVE(backend_class, backend) || !contains(channel, backend)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    pthread_mutex_lock(&channels_lock);
    const bool changed = change(backend, level);
    pthread_mutex_unlock(&channels_lock);
    return changed ? DOCA_SUCCESS : DOCA_ERROR_NOT_PERMITTED;
}

static doca_error_t
make_strict(struct doca_log_backend *backend, bool *strict) {
    if (!IS_LIVE(backend_class, backend) || !contains(&app_channel, backend)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    pthread_mutex_lock(&channels_lock);
    *strict = true;
    pthread_mutex_unlock(&channels_lock);
    return DOCA_SUCCESS;
}

doca_error_t
doca_log_backend_set_level_lower_limit(struct doca_log_backend *backend, uint32_t level) {
    return set_limit(&app_channel, backend, level, change_lower_limit);
}

doca_error_t
doca_log_backend_set_level_upper_limit(struct doca_log_backend *backend, uint32_t upper_limit) {
    return set_limit(&app_channel, backend, upper_limit, change_upper_limit);
}

doca_error_t
doca_log_backend_set_sdk_level(struct doca_log_backend *backend, uint32_t level) {
    return set_limit(&sdk_channel, backend, level, change_lower_limit);
}

doca_error_t
doca_log_backend_set_level_lower_limit_strict(struct doca_log_backend *backend) {
    return make_strict(backend, backend == NULL ? NULL : &backend->lower_limit_strict);
}

doca_error_t
doca_log_backend_set_level_upper_limit_strict(struct doca_log_backend *backend) {
    return make_strict(backend, backend == NULL ? NULL : &backend->upper_limit_strict);
}

/* Sets the limit of all back ends of the channel; later back ends start with it. */
static doca_error_t
set_global_limit(struct log_channel *channel, uint32_t *limit, uint32_t level,
                 bool (*change)(struct doca_log_backend *, uint32_t)) {
    if (!is_level(level)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    pthread_mutex_lock(&channels_lock);
    *limit = level;
    for (struct doca_log_backend *backend = channel->first; backend != NULL; backend = backend->next) {
        change(backend, level);
    }
    pthread_mutex_unlock(&channels_lock);
    return DOCA_SUCCESS;
}

static uint32_t
get_global_limit(const uint32_t *limit) {
    pthread_mutex_lock(&channels_lock);
    const uint32_t level = *limit;
    pthread_mutex_unlock(&channels_lock);
    return level;
}

doca_error_t
doca_log_level_set_global_lower_limit(uint32_t level) {
    return set_global_limit(&app_channel, &app_channel.lower_limit, level, change_lower_limit);
}

doca_error_t
doca_log_level_set_global_upper_limit(uint32_t upper_limit) {
    return set_global_limit(&app_channel, &app_channel.upper_limit, upper_limit, change_upper_limit);
}

doca_error_t
doca_log_level_set_global_sdk_limit(uint32_t level) {
    return set_global_limit(&sdk_channel, &sdk_channel.lower_limit, level, change_lower_limit);
}

uint32_t
doca_log_level_get_global_lower_limit(void) {
    return get_global_limit(&app_channel.lower_limit);
}

uint32_t
doca_log_level_get_global_upper_limit(void) {
    return get_global_limit(&app_channel.upper_limit);
}

uint32_t
doca_log_level_get_global_sdk_limit(void) {
    return get_global_limit(&sdk_channel.lower_limit);
}
