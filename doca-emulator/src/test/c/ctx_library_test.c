/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of contexts for libraries, tested by a library that delays its start and has no tasks. */
#include "../../main/c/common/ctx.h"

#include "check.h"

struct toy {
    struct doca_ctx ctx;
    doca_error_t start_result;
    bool is_ready;
    bool is_broken;
};

static struct object_class toy_class = OBJECT_CLASS("toy", struct toy);

static struct doca_pe *pe;
static struct toy *toy;

/* The calls as letters: operations in lower case, new states in upper case. */
static char history[32];

static void
note(char letter) {
    const size_t len = strlen(history);
    if (len + 1 < sizeof(history)) {
        history[len] = letter;
        history[len + 1] = '\0';
    }
}

static void
check_history(const char *expected) {
    CHECK_STRING(expected, history);
    history[0] = '\0';
}

static doca_error_t
start(struct doca_ctx *ctx) {
    note('a');
    return ((struct toy *)ctx)->start_result;
}

static void
stop(struct doca_ctx *ctx) {
    (void)ctx;
    note('o');
}

static void
release(struct doca_ctx *ctx) {
    (void)ctx;
    note('z');
}

static bool
progress(struct doca_ctx *ctx) {
    struct toy *self = (struct toy *)ctx;
    if (self->is_ready) {
        self->is_ready = false;
        ctx_running(ctx);
        return true;
    }
    if (self->is_broken) {
        self->is_broken = false;
        ctx_fail(ctx);
        return true;
    }
    return false;
}

static bool
has_work(struct doca_ctx *ctx) {
    const struct toy *self = (const struct toy *)ctx;
    return self->is_ready || self->is_broken;
}

static const struct ctx_ops toy_ops = {
    .name = "Toy",
    .start = start,
    .stop = stop,
    .release = release,
    .progress = progress,
    .has_work = has_work,
};

static void
note_state(const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states previous,
           enum doca_ctx_states next) {
    (void)user_data;
    (void)ctx;
    (void)previous;
    note("ISRT"[next]);
}

static void
create_toy(doca_error_t start_result) {
    toy = object_create(&toy_class);
    ctx_init(&toy->ctx, &toy_ops);
    toy->start_result = start_result;
    CHECK_SUCCESS(doca_ctx_set_state_changed_cb(&toy->ctx, note_state));
    CHECK_SUCCESS(doca_pe_connect_ctx(pe, &toy->ctx));
}

static void
destroy_toy(void) {
    CHECK_SUCCESS(ctx_fini(&toy->ctx));
    object_destroy(&toy_class, toy);
    check_history("");
}

static void
a_start_may_take_its_time(void) {
    create_toy(DOCA_ERROR_IN_PROGRESS);
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(&toy->ctx));
    check_history("aS");
    CHECK_EQUAL(0, doca_pe_progress(pe));
    toy->is_ready = true;
    CHECK_EQUAL(1, doca_pe_progress(pe));
    check_history("R");
    CHECK_SUCCESS(doca_ctx_stop(&toy->ctx));
    check_history("zI");
    destroy_toy();
}

static void
a_start_may_be_given_up(void) {
    create_toy(DOCA_ERROR_IN_PROGRESS);
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(&toy->ctx));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, ctx_fini(&toy->ctx));
    CHECK_SUCCESS(doca_ctx_stop(&toy->ctx));
    check_history("aSzI");
    destroy_toy();
}

static void
a_start_may_fail(void) {
    create_toy(DOCA_ERROR_DRIVER);
    CHECK_ERROR(DOCA_ERROR_DRIVER, doca_ctx_start(&toy->ctx));
    check_history("a");
    CHECK_EQUAL(DOCA_CTX_STATE_IDLE, toy->ctx.state);
    destroy_toy();
}

static void
a_library_may_stop_its_context(void) {
    create_toy(DOCA_SUCCESS);
    CHECK_SUCCESS(doca_ctx_start(&toy->ctx));
    check_history("aR");
    toy->is_broken = true;
    CHECK_EQUAL(1, doca_pe_progress(pe));
    check_history("oT");
    ctx_fail(&toy->ctx);
    check_history("");
    CHECK_EQUAL(1, doca_pe_progress(pe));
    check_history("zI");
    destroy_toy();
}

int
main(void) {
    REQUIRE_SUCCESS(doca_pe_create(&pe));
    a_start_may_take_its_time();
    a_start_may_be_given_up();
    a_start_may_fail();
    a_library_may_stop_its_context();
    CHECK_SUCCESS(doca_pe_destroy(pe));
    return check_result();
}
