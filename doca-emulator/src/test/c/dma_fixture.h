/* SPDX-License-Identifier: Apache-2.0 */
/* A progress engine with DMA contexts, whose callbacks are recorded as events in their order. */
#ifndef DOCA_EMULATOR_DMA_FIXTURE_H_
#define DOCA_EMULATOR_DMA_FIXTURE_H_

#include <doca_dma.h>

#include "fixture.h"
#include "sdk_errors.h"

#define MEMORY_SIZE ((size_t)16 * 1024)
#define MAX_EVENTS 4096

enum event_kind {
    EVENT_STATE,
    EVENT_COMPLETED,
    EVENT_FAILED,
};

struct event {
    enum event_kind kind;
    struct doca_ctx *ctx;
    /* EVENT_STATE */
    enum doca_ctx_states previous;
    enum doca_ctx_states next;
    /* For the other kinds. */
    struct doca_dma_task_memcpy *task;
    uint64_t task_id;
    doca_error_t status;
    uint64_t ctx_id;
};

static _Alignas(64) uint8_t memory[MEMORY_SIZE];
static struct doca_dev *dev;
static struct doca_pe *pe;
static struct doca_mmap *memory_map;

static struct event events[MAX_EVENTS];
static size_t num_events;
/* Called in callbacks, after the event was recorded; or NULL. */
static void (*on_event)(const struct event *event);

static inline void
record_event(struct event event) {
    if (num_events < MAX_EVENTS) {
        events[num_events++] = event;
    } else {
        CHECK_FAILED("more than %d events", MAX_EVENTS);
    }
    if (on_event != NULL) {
        on_event(&event);
    }
}

static inline void
record_state(const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states previous,
             enum doca_ctx_states next) {
    record_event((struct event){.kind = EVENT_STATE, .ctx = ctx, .previous = previous, .next = next,
                                .ctx_id = user_data.u64});
}

static inline void
record_task(enum event_kind kind, struct doca_dma_task_memcpy *task, union doca_data task_user_data,
            union doca_data ctx_user_data) {
    struct doca_task *base = doca_dma_task_memcpy_as_task(task);
    record_event((struct event){.kind = kind, .ctx = doca_task_get_ctx(base), .task = task,
                                .task_id = task_user_data.u64, .status = doca_task_get_status(base),
                                .ctx_id = ctx_user_data.u64});
}

static inline void
record_completed(
        struct doca_dma_task_memcpy *task, union doca_data task_user_data, union doca_data ctx_user_data) {
    record_task(EVENT_COMPLETED, task, task_user_data, ctx_user_data);
}

static inline void
record_failed(struct doca_dma_task_memcpy *task, union doca_data task_user_data, union doca_data ctx_user_data) {
    record_task(EVENT_FAILED, task, task_user_data, ctx_user_data);
}

static inline void
forget_events(void) {
    num_events = 0;
    on_event = NULL;
}

static inline void
check_state_event(size_t index, enum doca_ctx_states previous, enum doca_ctx_states next) {
    if (index >= num_events || events[index].kind != EVENT_STATE) {
        CHECK_FAILED("event %zu of %zu is no change of state", index, num_events);
        return;
    }
    CHECK_EQUAL(previous, events[index].previous);
    CHECK_EQUAL(next, events[index].next);
}

static inline void
check_task_event(size_t index, enum event_kind kind, uint64_t task_id, doca_error_t status) {
    if (index >= num_events || events[index].kind != kind) {
        CHECK_FAILED("event %zu of %zu is of kind %d, not %d", index, num_events, events[index].kind, kind);
        return;
    }
    CHECK_EQUAL(task_id, events[index].task_id);
    CHECK_ERROR(status, events[index].status);
}

static inline size_t
count_events(enum event_kind kind) {
    size_t count = 0;
    for (size_t i = 0; i < num_events; i++) {
        count += events[i].kind == kind;
    }
    return count;
}

static inline bool
is_threaded(void) {
    const char *engine = getenv("DOCA_EMULATOR_ENGINE");
    return engine != NULL && strcmp(engine, "threaded") == 0;
}

/* Progresses until count events have been recorded. */
static inline void
progress_to_event(size_t wanted) {
    while (num_events < wanted) {
        progress_or_rest(pe);
    }
}

/* Progresses until nothing is in flight. */
static inline void
progress_all(void) {
    size_t num_inflight;
    do {
        while (doca_pe_progress(pe) != 0) {
        }
        sched_yield();
        REQUIRE_SUCCESS(doca_pe_get_num_inflight_tasks(pe, &num_inflight));
    } while (num_inflight > 0);
    while (doca_pe_progress(pe) != 0) {
    }
}

/* Creates a connected context whose callbacks are recorded. */
static inline struct doca_dma *
create_dma(uint32_t num_tasks, uint64_t ctx_id) {
    struct doca_dma *dma;
    REQUIRE_SUCCESS(doca_dma_create(dev, &dma));
    struct doca_ctx *ctx = doca_dma_as_ctx(dma);
    REQUIRE_SUCCESS(doca_dma_task_memcpy_set_conf(dma, record_completed, record_failed, num_tasks));
    REQUIRE_SUCCESS(doca_ctx_set_state_changed_cb(ctx, record_state));
    REQUIRE_SUCCESS(doca_ctx_set_user_data(ctx, numbered(ctx_id)));
    REQUIRE_SUCCESS(doca_pe_connect_ctx(pe, ctx));
    return dma;
}

/* The same, started, with its events discarded. */
static inline struct doca_dma *
start_dma(uint32_t num_tasks, uint64_t ctx_id) {
    struct doca_dma *dma = create_dma(num_tasks, ctx_id);
    REQUIRE_SUCCESS(doca_ctx_start(doca_dma_as_ctx(dma)));
    forget_events();
    return dma;
}

static inline enum doca_ctx_states
state_of(const struct doca_dma *dma) {
    return state_of_ctx((const struct doca_ctx *)dma);
}

/* Stops a context that is not idle and has no allocated task, and destroys it. */
static inline void
end_dma(struct doca_dma *dma) {
    on_event = NULL;
    stop_and_wait(doca_dma_as_ctx(dma), pe);
    CHECK_SUCCESS(doca_dma_destroy(dma));
    forget_events();
}

static inline struct doca_buf *
take_source(size_t offset, size_t len) {
    return data_of(memory_map, memory + offset, len);
}

static inline struct doca_buf *
take_target(size_t offset, size_t len) {
    return space_of(memory_map, memory + offset, len);
}

static inline struct doca_dma_task_memcpy *
alloc_task(struct doca_dma *dma, uint64_t task_id, const struct doca_buf *src, struct doca_buf *dst) {
    struct doca_dma_task_memcpy *task;
    REQUIRE_SUCCESS(doca_dma_task_memcpy_alloc_init(dma, src, dst, numbered(task_id), &task));
    return task;
}

static inline doca_error_t
submit_task(struct doca_dma_task_memcpy *task) {
    return doca_task_submit(doca_dma_task_memcpy_as_task(task));
}

static inline void
free_task(struct doca_dma_task_memcpy *task) {
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

/* Frees the task. Used as on_event. */
static inline void
free_finished_task(const struct event *event) {
    if (event->kind != EVENT_STATE) {
        free_task(event->task);
    }
}

/* Fills the memory with bytes that differ from their neighbours. */
static inline void
fill_memory(void) {
    for (size_t i = 0; i < MEMORY_SIZE; i++) {
        memory[i] = (uint8_t)(i * 7 + i / 251);
    }
}

static inline void
set_up(void) {
    keep_errors();
    dev = open_device("mlx5_0");
    memory_map = start_mmap(memory, MEMORY_SIZE, dev);
    inventory = start_inventory(1024);
    REQUIRE_SUCCESS(doca_pe_create(&pe));
    fill_memory();
}

/* Fails if a test has leaked an object. */
static inline void
tear_down(void) {
    CHECK_SUCCESS(doca_pe_destroy(pe));
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
    CHECK_SUCCESS(doca_mmap_destroy(memory_map));
    CHECK_SUCCESS(doca_dev_close(dev));
}

#endif /* DOCA_EMULATOR_DMA_FIXTURE_H_ */
