/* SPDX-License-Identifier: Apache-2.0 */
/* A progress engine to test completion queues: it runs the callbacks that the test has added, one per call. */
#include <stdint.h>
#include <stdlib.h>

#include <doca_ctx.h>
#include <doca_pe.h>

enum step_kind { TASK, STATE, PLAIN };

struct step {
    struct step *next;
    enum step_kind kind;
    void *callback;
    void *object;
    union doca_data data; /* of the task, then counting up */
    union doca_data context;
    int repeat;
    int previous_state;
    int next_state;
};

struct doca_pe {
    struct step *first;
    struct step **last;
};

typedef void (*plain_callback)(void *object, union doca_data context);

struct doca_pe *
fake_engine_create(void) {
    struct doca_pe *engine = calloc(1, sizeof(*engine));
    engine->last = &engine->first;
    return engine;
}

void
fake_engine_destroy(struct doca_pe *engine) {
    free(engine);
}

static struct step *
add(struct doca_pe *engine, enum step_kind kind, void *callback, void *object, uint64_t context) {
    struct step *step = calloc(1, sizeof(*step));
    step->kind = kind;
    step->callback = callback;
    step->object = object;
    step->context.u64 = context;
    step->repeat = 1;
    *engine->last = step;
    engine->last = &step->next;
    return step;
}

void
fake_engine_add_task(
        struct doca_pe *engine, void *callback, void *object, uint64_t data, uint64_t context, int repeat) {
    struct step *step = add(engine, TASK, callback, object, context);
    step->data.u64 = data;
    step->repeat = repeat;
}

void
fake_engine_add_state(
        struct doca_pe *engine, void *callback, void *object, uint64_t context, int previous_state, int next_state) {
    struct step *step = add(engine, STATE, callback, object, context);
    step->previous_state = previous_state;
    step->next_state = next_state;
}

void
fake_engine_add_plain(struct doca_pe *engine, void *callback, void *object, uint64_t context) {
    add(engine, PLAIN, callback, object, context);
}

uint8_t
fake_engine_progress(struct doca_pe *engine) {
    struct step *step = engine->first;
    if (step == NULL) {
        return 0;
    }
    engine->first = step->next;
    if (engine->first == NULL) {
        engine->last = &engine->first;
    }
    for (int i = 0; i < step->repeat; i++, step->data.u64++) {
        switch (step->kind) {
        case TASK:
            ((doca_task_completion_cb_t)step->callback)(step->object, step->data, step->context);
            break;
        case STATE:
            ((doca_ctx_state_changed_callback_t)step->callback)(
                    step->context, step->object, step->previous_state, step->next_state);
            break;
        case PLAIN:
            ((plain_callback)step->callback)(step->object, step->context);
            break;
        }
    }
    free(step);
    return 1;
}
