/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The completion recorder. DOCA's progress engine runs these callbacks, which only record events. When progress has
 * returned, Java reads many records at once, which costs a fraction of one call into Java per event.
 *
 * A queue belongs to one progress engine and is used by one thread at a time, so it has no lock. It grows when a
 * callback finds it full. Records are lost only if the queue is at its limit, which is far beyond the number of
 * operations in flight, or if memory runs out. `lost` counts these records, and Java reports them.
 *
 * NativeCompletionQueue.java mirrors the layouts of `struct record` and `struct docajava_queue`.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

enum {
    KIND_TASK_SUCCEEDED = 0,
    KIND_TASK_FAILED = 1,
    KIND_STATE_CHANGED = 2,
    KIND_PLACEHOLDER = 3,
    KIND_EVENT = 16, /* and the following values */
};

struct record {
    uint32_t kind;
    uint32_t context; /* its index among the queue's contexts */
    uint64_t user_data; /* the task's, or the connection's */
    void *object;
    uint32_t previous_state;
    uint32_t next_state;
};

/*
 * The records for Java, which reads all of them at once and sets `count` to 0. `round_ended` is 1 from the record that has
 * ended a round until Java has handled all records.
 */
struct docajava_queue {
    struct record *records;
    uint64_t capacity;
    uint64_t count;
    uint64_t lost;
    uint64_t limit; /* of the capacity */
    uint64_t round_ended;
};

/* The user data of a context points to this structure, through which its callbacks find their queue. */
struct docajava_context {
    struct docajava_queue *queue;
    uint32_t index;
    uint32_t ends_rounds; /* 1 if its failures and changes of state do */
};

static int
set_capacity(struct docajava_queue *queue, uint64_t capacity) {
    struct record *records = realloc(queue->records, capacity * sizeof(*records));
    if (records == NULL) {
        return 0;
    }
    queue->records = records;
    queue->capacity = capacity;
    return 1;
}

static int
has_room(struct docajava_queue *queue) {
    return queue->count < queue->capacity
           || (2 * queue->capacity <= queue->limit && set_capacity(queue, 2 * queue->capacity));
}

static void
append(uint64_t context_data, uint32_t kind, void *object, uint64_t user_data, uint32_t previous, uint32_t next) {
    const struct docajava_context *context = (const struct docajava_context *)(uintptr_t)context_data;
    struct docajava_queue *queue = context->queue;
    if (!has_room(queue)) {
        queue->lost++;
        return;
    }
    if (context->ends_rounds != 0 && (kind == KIND_TASK_FAILED || kind == KIND_STATE_CHANGED)) {
        queue->round_ended = 1;
    }
    queue->records[queue->count++] = (struct record){
        .kind = kind,
        .context = context->index,
        .user_data = user_data,
        .object = object,
        .previous_state = previous,
        .next_state = next,
    };
}

/*
 * A series of tasks that were submitted together and are awaited together. Each failure is recorded; one more record
 * is appended when the last task has ended. The user data of its tasks is the address of the series, marked by a bit
 * that is not set in the user data of other tasks.
 */
struct docajava_series {
    uint64_t left; /* the number in flight */
    uint64_t user_data; /* of the records */
};

#define OF_SERIES (UINT64_C(1) << 63)

static void
end_in_series(void *task, uint64_t task_data, uint64_t context_data) {
    struct docajava_series *series = (struct docajava_series *)(uintptr_t)(task_data & ~OF_SERIES);
    if (--series->left == 0) {
        append(context_data, KIND_TASK_SUCCEEDED, task, series->user_data, 0, 0);
    }
}

/* union doca_data is passed like a 64-bit integer by the calling conventions of both architectures. */

EXPORT void
docajava_task_succeeded(void *task, uint64_t task_data, uint64_t context_data) {
    if ((task_data & OF_SERIES) != 0) {
        end_in_series(task, task_data, context_data);
    } else {
        append(context_data, KIND_TASK_SUCCEEDED, task, task_data, 0, 0);
    }
}

EXPORT void
docajava_task_failed(void *task, uint64_t task_data, uint64_t context_data) {
    if ((task_data & OF_SERIES) != 0) {
        const struct docajava_series *series = (struct docajava_series *)(uintptr_t)(task_data & ~OF_SERIES);
        append(context_data, KIND_TASK_FAILED, task, series->user_data, 0, 0);
        end_in_series(task, task_data, context_data);
    } else {
        append(context_data, KIND_TASK_FAILED, task, task_data, 0, 0);
    }
}

EXPORT void
docajava_state_changed(uint64_t context_data, void *context, uint32_t previous, uint32_t next) {
    append(context_data, KIND_STATE_CHANGED, context, 0, previous, next);
}

/* Callbacks whose arguments do not identify the callback: one function each. */
#define EVENT(n) \
    EXPORT void docajava_event_##n(void *object, uint64_t user_data, uint64_t context_data) { \
        append(context_data, KIND_EVENT + n, object, user_data, 0, 0); \
    } \
    EXPORT void docajava_plain_event_##n(void *object, uint64_t context_data) { \
        append(context_data, KIND_EVENT + n, object, 0, 0, 0); \
    }
EVENT(0)
EVENT(1)
EVENT(2)
EVENT(3)
EVENT(4)
EVENT(5)
EVENT(6)
EVENT(7)

/* Appends a record for an event that Java received by an upcall; returns 0 if there is no room for it. */
EXPORT int
docajava_append_placeholder(struct docajava_queue *queue) {
    if (!has_room(queue)) {
        return 0;
    }
    queue->records[queue->count++] = (struct record){.kind = KIND_PLACEHOLDER};
    return 1;
}

/* Returns NULL if there is no memory. */
EXPORT struct docajava_queue *
docajava_queue_create(uint64_t capacity, uint64_t limit) {
    struct docajava_queue *queue = calloc(1, sizeof(*queue));
    if (queue != NULL && !set_capacity(queue, capacity)) {
        free(queue);
        return NULL;
    }
    if (queue != NULL) {
        queue->limit = limit;
    }
    return queue;
}

EXPORT void
docajava_queue_destroy(struct docajava_queue *queue) {
    free(queue->records);
    free(queue);
}

/* Makes room for the given number of records in total; returns 0 if there is no memory. */
EXPORT int
docajava_queue_reserve(struct docajava_queue *queue, uint64_t capacity) {
    if (capacity > queue->limit) {
        queue->limit = capacity;
    }
    return capacity <= queue->capacity || set_capacity(queue, capacity);
}

/* Returns NULL if there is no memory. */
EXPORT struct docajava_context *
docajava_context_create(struct docajava_queue *queue, uint32_t index, uint32_t ends_rounds) {
    struct docajava_context *context = calloc(1, sizeof(*context));
    if (context != NULL) {
        *context = (struct docajava_context){.queue = queue, .index = index, .ends_rounds = ends_rounds};
    }
    return context;
}

EXPORT void
docajava_context_destroy(struct docajava_context *context) {
    free(context);
}

/*
 * Calls doca_pe_progress until it finds nothing to do, at most max_calls times; returns the number of calls that did
 * something. Makes no call from a record that ends the round until Java has handled it.
 */
EXPORT int
docajava_progress(uint8_t (*progress)(void *), void *engine, int max_calls, const struct docajava_queue *queue) {
    int calls = 0;
    while (calls < max_calls && queue->round_ended == 0 && progress(engine) != 0) {
        calls++;
    }
    return calls;
}
