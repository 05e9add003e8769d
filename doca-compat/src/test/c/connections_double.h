/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DOCA_COMPAT_CONNECTIONS_DOUBLE_H_
#define DOCA_COMPAT_CONNECTIONS_DOUBLE_H_

#include <stdbool.h>
#include <stddef.h>

#include <doca_ctx.h>
#include <doca_error.h>
#include <doca_pe.h>

typedef void (*task_double_callback)(void *task, union doca_data task_user_data, union doca_data ctx_user_data);

struct context_double {
    enum doca_ctx_states state;
    bool connected;
    union doca_data user_data;
    doca_ctx_state_changed_callback_t state_changed;
};

struct connections_double {
    /* Set by the test: the result of submissions, and the number of tasks in flight that leaves no room for more; 0 for none. */
    doca_error_t submit_result;
    size_t capacity;
    /* The contexts in the order of their creation. */
    struct context_double contexts[2];
    size_t num_contexts;
    /* For the test: the context that was created last, the last state of any, and the last call of each kind. */
    struct doca_ctx *ctx;
    enum doca_ctx_states state;
    union doca_data user_data;
    int num_allocated;
    int num_submitted;
    struct doca_task *last_task;
    struct doca_task *node_task;
    const struct doca_buf *src_buf;
    struct doca_buf *dst_buf;
};

char *docajava_old_sdk_open(const char *name, const char *path);

/* Completes the oldest task in flight: with success, or with IO_FAILED. */
void connections_double_end(bool success);

/* Makes the context that was created last stop by itself: it is STOPPING, and refuses further tasks. */
void connections_double_break(void);

#endif /* DOCA_COMPAT_CONNECTIONS_DOUBLE_H_ */
