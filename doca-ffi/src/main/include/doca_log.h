/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Log back ends, levels and sources, for the application's own records and for those of the SDK.
 */
#ifndef DOCA_LOG_H_
#define DOCA_LOG_H_

/* Not all are used here, but programs for the SDK rely on this header to include them. */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_error.h>
#include <doca_compat.h>

API_HEADER(common, 2.5)

#ifdef __cplusplus
extern "C" {
#endif

#define DOCA_LOGGER_NAME_SIZE 256

struct doca_log_backend;
struct doca_logger;

enum doca_log_level {
    DOCA_LOG_LEVEL_DISABLE = 10,
    DOCA_LOG_LEVEL_CRIT = 20,
    DOCA_LOG_LEVEL_ERROR = 30,
    DOCA_LOG_LEVEL_WARNING = 40,
    DOCA_LOG_LEVEL_INFO = 50,
    DOCA_LOG_LEVEL_DEBUG = 60,
    DOCA_LOG_LEVEL_TRACE = 70,
};

typedef void (*log_flush_callback)(char *);

DOCA_EXPERIMENTAL
doca_error_t doca_log(
        uint32_t level, int source, const char *fname, int line, const char *func, const char *format, ...)
        __attribute__((format(printf, 6, 7)));

DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_standard(void);

DOCA_EXPERIMENTAL API_SINCE(2.6) API_WAS(doca_log_backend_create_with_buffer)
doca_error_t doca_log_backend_create_with_buf(
        char *buf, size_t capacity, log_flush_callback handler, struct doca_log_backend **backend);

DOCA_EXPERIMENTAL API_SINCE(2.6) API_WAS(doca_log_backend_create_with_buffer_sdk)
doca_error_t doca_log_backend_create_with_buf_sdk(
        char *buf, size_t capacity, log_flush_callback handler, struct doca_log_backend **backend);

DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_fd(int fd, struct doca_log_backend **backend);

DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_fd_sdk(int fd, struct doca_log_backend **backend);

DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_file(FILE *fptr, struct doca_log_backend **backend);

DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_file_sdk(FILE *fptr, struct doca_log_backend **backend);

DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_syslog(const char *name, struct doca_log_backend **backend);

DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_syslog_sdk(const char *name, struct doca_log_backend **backend);

DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_lower_limit(struct doca_log_backend *backend, uint32_t level);

DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_lower_limit_strict(struct doca_log_backend *backend);

DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_upper_limit(struct doca_log_backend *backend, uint32_t upper_limit);

DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_upper_limit_strict(struct doca_log_backend *backend);

DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_sdk_level(struct doca_log_backend *backend, uint32_t level);

DOCA_EXPERIMENTAL
uint32_t doca_log_level_get_global_lower_limit(void);

DOCA_EXPERIMENTAL
uint32_t doca_log_level_get_global_sdk_limit(void);

DOCA_EXPERIMENTAL
uint32_t doca_log_level_get_global_upper_limit(void);

DOCA_EXPERIMENTAL
doca_error_t doca_log_level_set_global_lower_limit(uint32_t level);

DOCA_EXPERIMENTAL
doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level);

DOCA_EXPERIMENTAL
doca_error_t doca_log_level_set_global_upper_limit(uint32_t upper_limit);

DOCA_EXPERIMENTAL
doca_error_t doca_log_register_source(const char *source_name, int *source);

DOCA_EXPERIMENTAL
doca_error_t doca_log_unregister_source(int source);

DOCA_EXPERIMENTAL API_SINCE(3.3)
uint32_t doca_log_get_max_num_backends(void);

DOCA_EXPERIMENTAL API_SINCE(3.3)
uint32_t doca_log_get_max_num_backends_sdk(void);

DOCA_EXPERIMENTAL API_SINCE(3.4) API_UNSUPPORTED()
void *doca_log_process_msg(void *unused);

DOCA_EXPERIMENTAL API_SINCE(3.4) API_UNSUPPORTED()
doca_error_t doca_log_set_bg_sampling_period(uint32_t usec);

DOCA_EXPERIMENTAL API_SINCE(3.4) API_UNSUPPORTED()
doca_error_t doca_log_set_max_aggregated_size(uint32_t size);

DOCA_EXPERIMENTAL API_SINCE(3.4) API_UNSUPPORTED()
doca_error_t doca_log_set_max_unaggregated_level(uint32_t level);

DOCA_EXPERIMENTAL API_SINCE(3.3) API_UNSUPPORTED()
doca_error_t doca_logger_create_list(
        const struct doca_logger *logger, uint8_t depth, struct doca_logger ***logger_list, uint32_t *nb_loggers);

DOCA_EXPERIMENTAL API_SINCE(3.3) API_UNSUPPORTED()
doca_error_t doca_logger_destroy_list(struct doca_logger **logger_list);

DOCA_EXPERIMENTAL API_SINCE(3.3) API_UNSUPPORTED()
struct doca_logger *doca_logger_find_by_name(struct doca_logger **logger_list, const char *name);

DOCA_EXPERIMENTAL API_SINCE(3.3) API_UNSUPPORTED()
doca_error_t doca_logger_get_level(const struct doca_logger *logger, int *level);

DOCA_EXPERIMENTAL API_SINCE(3.3) API_UNSUPPORTED()
doca_error_t doca_logger_get_name(const struct doca_logger *logger, char name[256]);

DOCA_EXPERIMENTAL API_SINCE(3.3) API_UNSUPPORTED()
doca_error_t doca_logger_set_level(struct doca_logger *logger, int level, uint8_t propagate);

/*
 * Registers the name of the file's log source before main() and removes it afterwards. A file may have one source, which
 * the macros below use.
 */
#define DOCA_LOG_REGISTER(SOURCE) \
    static int log_source; \
    static void __attribute__((constructor(DOCA_LOG_REGISTER_PRIORITY), used)) doca_log_source_register(void) { \
        (void)doca_log_register_source(#SOURCE, &log_source); \
    } \
    static void __attribute__((destructor(DOCA_LOG_REGISTER_PRIORITY), used)) doca_log_source_unregister(void) { \
        (void)doca_log_unregister_source(log_source); \
    }

#define DOCA_LOG_REGISTER_PRIORITY 65535

#define DOCA_LOG(level, ...) doca_log((level), log_source, __FILE__, __LINE__, __func__, __VA_ARGS__)

#define DOCA_LOG_CRIT(...) DOCA_LOG(DOCA_LOG_LEVEL_CRIT, __VA_ARGS__)
#define DOCA_LOG_ERR(...) DOCA_LOG(DOCA_LOG_LEVEL_ERROR, __VA_ARGS__)
#define DOCA_LOG_WARN(...) DOCA_LOG(DOCA_LOG_LEVEL_WARNING, __VA_ARGS__)
#define DOCA_LOG_INFO(...) DOCA_LOG(DOCA_LOG_LEVEL_INFO, __VA_ARGS__)
#define DOCA_LOG_DBG(...) DOCA_LOG(DOCA_LOG_LEVEL_DEBUG, __VA_ARGS__)
#define DOCA_LOG_TRC(...) DOCA_LOG(DOCA_LOG_LEVEL_TRACE, __VA_ARGS__)

#ifdef __cplusplus
}
#endif

#endif /* DOCA_LOG_H_ */
