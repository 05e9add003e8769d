/* SPDX-License-Identifier: Apache-2.0 */
/* The state and the other properties of contexts. Also compiled by doca-compat. */
#include "ctx.h"
#include "sdk_log.h"

const char *
ctx_state_text(enum doca_ctx_states state) {
    switch (state) {
    case DOCA_CTX_STATE_IDLE:
        return "idle";
    case DOCA_CTX_STATE_STARTING:
        return "starting";
    case DOCA_CTX_STATE_RUNNING:
        return "running";
    case DOCA_CTX_STATE_STOPPING:
        return "stopping";
    }
    return "unknown";
}

const char *
ctx_state_name(const struct doca_ctx *ctx) {
    return ctx_state_text(ctx->state);
}

bool
ctx_report_unless_live(const struct doca_ctx *ctx, const char *function) {
    if (ctx_is_live(ctx)) {
        return true;
    }
    emulator_sdk_log(DOCA_LOG_LEVEL_ERROR, __FILE__, __LINE__, function,
                     "Invalid input: %p is no context, or was destroyed before", ctx);
    return false;
}

doca_error_t
ctx_check_idle(const struct doca_ctx *ctx, const char *what) {
    if (ctx->state != DOCA_CTX_STATE_IDLE) {
        return SDK_REFUSE(DOCA_ERROR_BAD_STATE, "%s %p: Failed to %s: is %s and not idle", ctx->ops->name, ctx, what,
                          ctx_state_name(ctx));
    }
    return DOCA_SUCCESS;
}

static doca_error_t
refuse_null(const struct doca_ctx *ctx, const char *argument) {
    return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "%s %p: Invalid input: %s is NULL", ctx->ops->name, ctx, argument);
}

doca_error_t
doca_ctx_get_state(const struct doca_ctx *ctx, enum doca_ctx_states *state) {
    if (!CTX_IS_LIVE(ctx)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (state == NULL) {
        return refuse_null(ctx, "state");
    }
    *state = ctx->state;
    return DOCA_SUCCESS;
}

doca_error_t
doca_ctx_get_num_inflight_tasks(const struct doca_ctx *ctx, size_t *num_inflight_tasks) {
    if (!CTX_IS_LIVE(ctx)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (num_inflight_tasks == NULL) {
        return refuse_null(ctx, "num_inflight_tasks");
    }
    *num_inflight_tasks = ctx->num_inflight;
    return DOCA_SUCCESS;
}

doca_error_t
doca_ctx_set_user_data(struct doca_ctx *ctx, union doca_data user_data) {
    if (!CTX_IS_LIVE(ctx)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    const doca_error_t result = ctx_check_idle(ctx, "set user data");
    if (result == DOCA_SUCCESS) {
        ctx->user_data = user_data;
    }
    return result;
}

doca_error_t
doca_ctx_get_user_data(const struct doca_ctx *ctx, union doca_data *user_data) {
    if (!CTX_IS_LIVE(ctx)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (user_data == NULL) {
        return refuse_null(ctx, "user_data");
    }
    *user_data = ctx->user_data;
    return DOCA_SUCCESS;
}

doca_error_t
doca_ctx_set_state_changed_cb(struct doca_ctx *ctx, doca_ctx_state_changed_callback_t cb) {
    if (!CTX_IS_LIVE(ctx)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (cb == NULL) {
        return refuse_null(ctx, "cb");
    }
    const doca_error_t result = ctx_check_idle(ctx, "set the callback for changes of state");
    if (result == DOCA_SUCCESS) {
        ctx->state_changed = cb;
    }
    return result;
}
