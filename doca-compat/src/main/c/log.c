/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors and the log. The old SDK has one log for the application and itself. It has no level that disables the log and
 * no level for traces.
 */
#include <doca_log.h>

#include "old_sdk.h"
#include "refuse.h"

#define MOST_SILENT 20
#define MOST_VERBOSE 60

static uint32_t
level_of(uint32_t level) {
    return level < MOST_SILENT ? MOST_SILENT : level > MOST_VERBOSE ? MOST_VERBOSE : level;
}

/* Release 1.4 writes to standard error. There the handler gets only the records of the translation. */
doca_error_t
doca_log_backend_create_with_buf_sdk(
        char *buf, size_t capacity, log_flush_callback handler, struct doca_log_backend **backend) {
    static struct old_logger_backend *none;
    doca_error_t result = DOCA_SUCCESS;
    if (old.has_log) {
        result = old.doca_log_create_buffer_backend(buf, capacity, handler, (struct old_logger_backend **)backend);
    } else {
        *backend = (struct doca_log_backend *)&none;
    }
    if (result == DOCA_SUCCESS) {
        refuse_to(handler);
    }
    return result;
}

doca_error_t
doca_log_backend_set_sdk_level(struct doca_log_backend *backend, uint32_t level) {
    return old.has_log ? old.doca_log_backend_level_set((struct old_logger_backend *)backend, level_of(level)) : DOCA_SUCCESS;
}

uint32_t
doca_log_level_get_global_sdk_limit(void) {
    return old.has_log ? old.doca_log_global_level_get() : 0;
}

doca_error_t
doca_log_level_set_global_sdk_limit(uint32_t level) {
    return old.has_log ? old.doca_log_global_level_set(level_of(level)) : DOCA_SUCCESS;
}
