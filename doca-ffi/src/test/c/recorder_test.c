/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the completion recorder for the sanitizers: growth, making room, the limit, many contexts. */
#include "../../main/c/docajava_completions.c"

#include <stdio.h>

#define EXPECT(condition) \
    if (!(condition)) { \
        fprintf(stderr, "line %d: %s is not so\n", __LINE__, #condition); \
        return 1; \
    }

static uint8_t
progress_once(void *engine) {
    int *left = engine;
    return *left > 0 ? (*left)--, 1 : 0;
}

/* Takes all records at a time, as Java does. */
static int
take_expecting(struct docajava_queue *queue, uint64_t first, uint64_t count) {
    EXPECT(queue->count == count);
    for (uint64_t i = 0; i < count; i++) {
        EXPECT(queue->records[i].user_data == first + i);
    }
    queue->count = 0;
    queue->round_ended = 0;
    return 0;
}

int
main(void) {
    struct docajava_queue *queue = docajava_queue_create(4, 16);
    EXPECT(queue != NULL);
    struct docajava_context *context = docajava_context_create(queue, 7, 0);
    EXPECT(context != NULL);
    uint64_t data = (uint64_t)(uintptr_t)context;

    /* Grows while none is taken. */
    for (uint64_t i = 0; i < 10; i++) {
        docajava_task_succeeded(queue, i, data);
    }
    EXPECT(queue->count == 10 && queue->capacity == 16 && queue->records[9].context == 7);
    EXPECT(take_expecting(queue, 0, 10) == 0);

    /* Has room again for as many as were taken. */
    for (uint64_t i = 10; i < 26; i++) {
        docajava_task_failed(queue, i, data);
    }
    EXPECT(queue->capacity == 16 && queue->count == 16 && queue->lost == 0);

    /* Has a limit, and counts the records lost at it. */
    docajava_event_3(queue, 26, data);
    docajava_plain_event_0(queue, data);
    docajava_state_changed(data, queue, 1, 2);
    EXPECT(queue->lost == 3 && queue->count == 16);
    EXPECT(docajava_append_placeholder(queue) == 0 && queue->lost == 3);
    EXPECT(take_expecting(queue, 10, 16) == 0);

    /* Keeps a place for an event that Java has recorded. */
    EXPECT(docajava_append_placeholder(queue) == 1);
    EXPECT(queue->records[0].kind == KIND_PLACEHOLDER && queue->count == 1);
    queue->count = 0;

    /* Of a series it records the failures and the end. */
    struct docajava_series series = {.left = 4, .user_data = 77};
    uint64_t of_series = (uint64_t)(uintptr_t)&series | OF_SERIES;
    docajava_task_succeeded(queue, of_series, data);
    docajava_task_failed(queue, of_series, data);
    docajava_task_succeeded(queue, of_series, data);
    EXPECT(queue->count == 1 && queue->records[0].kind == KIND_TASK_FAILED && queue->records[0].user_data == 77);
    docajava_task_failed(queue, of_series, data);
    EXPECT(series.left == 0 && queue->count == 3);
    EXPECT(queue->records[1].kind == KIND_TASK_FAILED && queue->records[2].kind == KIND_TASK_SUCCEEDED);
    EXPECT(queue->records[2].user_data == 77 && queue->records[2].context == 7);
    queue->count = 0;

    /* Reserving raises the limit. */
    EXPECT(docajava_queue_reserve(queue, 100) != 0 && queue->capacity == 100 && queue->limit == 100);
    EXPECT(docajava_queue_reserve(queue, 50) != 0 && queue->capacity == 100);

    int left = 9;
    docajava_task_failed(queue, 0, data);
    EXPECT(docajava_progress(progress_once, &left, 3, queue) == 3 && left == 6);
    EXPECT(take_expecting(queue, 0, 1) == 0);

    /* Does not progress between the record of a context that ends rounds and the end of its handling. */
    struct docajava_context *ending = docajava_context_create(queue, 8, 1);
    EXPECT(ending != NULL);
    uint64_t of_ending = (uint64_t)(uintptr_t)ending;
    docajava_task_succeeded(queue, 0, of_ending);
    EXPECT(docajava_progress(progress_once, &left, 2, queue) == 2 && left == 4);
    docajava_task_failed(queue, 1, of_ending);
    EXPECT(docajava_progress(progress_once, &left, 2, queue) == 0 && left == 4);
    EXPECT(take_expecting(queue, 0, 2) == 0);
    docajava_state_changed(of_ending, queue, 1, 2);
    EXPECT(docajava_progress(progress_once, &left, 2, queue) == 0 && left == 4);
    EXPECT(take_expecting(queue, 0, 1) == 0);
    EXPECT(docajava_progress(progress_once, &left, 9, queue) == 4 && left == 0);
    docajava_context_destroy(ending);

    docajava_context_destroy(context);
    docajava_queue_destroy(queue);
    return 0;
}
