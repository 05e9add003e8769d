/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Log back ends, levels and sources.
 */
#ifndef DOCA_LOG_H_
#define DOCA_LOG_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <doca_compat.h>
#include <doca_error.h>

API_HEADER(common, 1.4)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_logger_backend;

#if API_BEFORE(1.5)
enum DOCA_LOG_LEVEL {
    DOCA_LOG_LEVEL_CRIT = 0,
    DOCA_LOG_LEVEL_ERROR = 1,
    DOCA_LOG_LEVEL_WARNING = 2,
    DOCA_LOG_LEVEL_INFO = 3,
    DOCA_LOG_LEVEL_DEBUG = 4,
};
#else
enum doca_log_level {
    DOCA_LOG_LEVEL_CRIT = 20,
    DOCA_LOG_LEVEL_ERROR = 30,
    DOCA_LOG_LEVEL_WARNING = 40,
    DOCA_LOG_LEVEL_INFO = 50,
    DOCA_LOG_LEVEL_DEBUG = 60,
};
#endif

typedef void (*log_flush_callback)(char *);

__DOCA_EXPERIMENTAL
doca_error_t doca_log(uint32_t level, int source, int line, const char *format, ...)
        __attribute__((format(printf, 4, 5)));

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_log_backend_set_level_lower_limit) API_COMPAT()
doca_error_t doca_log_backend_level_set(struct doca_logger_backend *logger, uint32_t level);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_log_backend_set_level_lower_limit_strict)
doca_error_t doca_log_backend_set_lower_level_immutable(struct doca_logger_backend *logger);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_log_backend_set_level_upper_limit_strict)
doca_error_t doca_log_backend_set_upper_level_immutable(struct doca_logger_backend *logger);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_log_backend_set_level_upper_limit)
doca_error_t doca_log_backend_set_upper_level_limit(struct doca_logger_backend *logger, uint32_t upper_level_limit);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_log_backend_create_with_buf) API_COMPAT()
doca_error_t doca_log_create_buffer_backend(
        char *buffer, size_t capacity, log_flush_callback handler, struct doca_logger_backend **backend);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_log_backend_create_with_fd)
doca_error_t doca_log_create_fd_backend(int fd, struct doca_logger_backend **backend);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_log_backend_create_with_file)
doca_error_t doca_log_create_file_backend(FILE *fptr, struct doca_logger_backend **backend);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_log_backend_create_standard)
doca_error_t doca_log_create_standard_backend(void);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_log_backend_create_with_syslog)
doca_error_t doca_log_create_syslog_backend(const char *name, struct doca_logger_backend **backend);

__DOCA_EXPERIMENTAL API_SINCE(1.5)
doca_error_t doca_log_developer(uint32_t level, int source, int line, const char *format, ...)
        __attribute__((format(printf, 4, 5)));

__DOCA_EXPERIMENTAL API_SINCE(1.5)
uint16_t doca_log_get_bucket_time(void);

__DOCA_EXPERIMENTAL API_SINCE(1.5)
uint16_t doca_log_get_quantity(void);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_log_level_get_global_lower_limit) API_COMPAT()
uint32_t doca_log_global_level_get(void);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_LIKE(doca_log_level_set_global_lower_limit) API_COMPAT()
doca_error_t doca_log_global_level_set(uint32_t level);

__DOCA_EXPERIMENTAL API_SINCE(2.2) API_LIKE(doca_log_level_set_global_upper_limit)
doca_error_t doca_log_global_set_upper_level_limit(uint32_t upper_level_limit);

__DOCA_EXPERIMENTAL API_SINCE(1.5)
doca_error_t doca_log_rate_bucket_register(int source, int *bucket);

__DOCA_EXPERIMENTAL API_SINCE(1.5)
doca_error_t doca_log_rate_limit(uint32_t level, int source, int line, int bucket, const char *format, ...)
        __attribute__((format(printf, 5, 6)));

__DOCA_EXPERIMENTAL API_SINCE(1.5)
void doca_log_set_bucket_time(uint16_t bucket_time);

__DOCA_EXPERIMENTAL API_SINCE(1.5)
void doca_log_set_quantity(uint16_t quantity);

__DOCA_EXPERIMENTAL API_LIKE(doca_log_unregister_source)
doca_error_t doca_log_source_destroy(int source);

__DOCA_EXPERIMENTAL API_LIKE(doca_log_register_source)
doca_error_t doca_log_source_register(const char *source_name, int *source);

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_UNTIL(2.2)
doca_error_t doca_log_stream_redirect(FILE *stream);

/*
 * Registers the name of the file's log source before main() and removes it afterwards. A file may have one source, which
 * the macros below use.
 */
#define DOCA_LOG_REGISTER(SOURCE) \
    static int log_source; \
    static void __attribute__((constructor(DOCA_LOG_REGISTER_PRIORITY), used)) doca_log_source_create(void) { \
        (void)doca_log_source_register(#SOURCE, &log_source); \
    } \
    static void __attribute__((destructor(DOCA_LOG_REGISTER_PRIORITY), used)) doca_log_source_end(void) { \
        (void)doca_log_source_destroy(log_source); \
    }

#define DOCA_LOG_REGISTER_PRIORITY 65535

/* The level without its prefix: DOCA_LOG(INFO, ...). */
#define DOCA_LOG(level, ...) doca_log(DOCA_LOG_LEVEL_##level, log_source, __LINE__, __VA_ARGS__)

#define DOCA_LOG_CRIT(...) DOCA_LOG(CRIT, __VA_ARGS__)
#define DOCA_LOG_ERR(...) DOCA_LOG(ERROR, __VA_ARGS__)
#define DOCA_LOG_WARN(...) DOCA_LOG(WARNING, __VA_ARGS__)
#define DOCA_LOG_INFO(...) DOCA_LOG(INFO, __VA_ARGS__)
#define DOCA_LOG_DBG(...) DOCA_LOG(DEBUG, __VA_ARGS__)

#if !API_BEFORE(1.5)
/* Records for developers, compiled only with DOCA_LOGGING_ALLOW_DLOG. */
#ifdef DOCA_LOGGING_ALLOW_DLOG
#define DOCA_DLOG(level, ...) doca_log_developer(DOCA_LOG_LEVEL_##level, log_source, __LINE__, __VA_ARGS__)
#else
#define DOCA_DLOG(level, ...) \
    do { \
    } while (0)
#endif

#define DOCA_DLOG_CRIT(...) DOCA_DLOG(CRIT, __VA_ARGS__)
#define DOCA_DLOG_ERR(...) DOCA_DLOG(ERROR, __VA_ARGS__)
#define DOCA_DLOG_WARN(...) DOCA_DLOG(WARNING, __VA_ARGS__)
#define DOCA_DLOG_INFO(...) DOCA_DLOG(INFO, __VA_ARGS__)
#define DOCA_DLOG_DBG(...) DOCA_DLOG(DEBUG, __VA_ARGS__)

/* Writes a record at most as often as the bucket of the statement allows. */
#define DOCA_LOG_RATE_LIMIT(level, ...) \
    do { \
        static int log_bucket = -1; \
        if (log_bucket == -1) { \
            (void)doca_log_rate_bucket_register(log_source, &log_bucket); \
        } \
        (void)doca_log_rate_limit(DOCA_LOG_LEVEL_##level, log_source, __LINE__, log_bucket, __VA_ARGS__); \
    } while (0)

#define DOCA_LOG_RATE_LIMIT_CRIT(...) DOCA_LOG_RATE_LIMIT(CRIT, __VA_ARGS__)
#define DOCA_LOG_RATE_LIMIT_ERR(...) DOCA_LOG_RATE_LIMIT(ERROR, __VA_ARGS__)
#define DOCA_LOG_RATE_LIMIT_WARN(...) DOCA_LOG_RATE_LIMIT(WARNING, __VA_ARGS__)
#define DOCA_LOG_RATE_LIMIT_INFO(...) DOCA_LOG_RATE_LIMIT(INFO, __VA_ARGS__)
#define DOCA_LOG_RATE_LIMIT_DBG(...) DOCA_LOG_RATE_LIMIT(DEBUG, __VA_ARGS__)
#endif

#ifdef __cplusplus
}
#endif

#endif /* DOCA_LOG_H_ */
