/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs the handler of the SDK's log for the sanitizers: levels, limits, the errors of threads, the order of the
 * records of each of many threads, and a ring that is too small for them.
 */
#define DOCAJAVA_LOG_SLOTS 8
#include "../../main/c/docajava_log.c"

#include <pthread.h>
#include <stdio.h>

#define EXPECT(condition) \
    if (!(condition)) { \
        fprintf(stderr, "line %d: %s is not so\n", __LINE__, #condition); \
        exit(1); \
    }

enum { THREADS = 4, RECORDS = 5000 };

static struct docajava_log_ring *ring;

static void
record(const char *text) {
    char copy[2 * TEXT_SIZE];
    snprintf(copy, sizeof(copy), "%s", text);
    docajava_log_record(copy);
}

static void
expect_next(uint32_t level, const char *text) {
    EXPECT(docajava_log_next(ring, 60000) == 1);
    EXPECT(ring->entry.dropped == 0 && ring->entry.level == level);
    EXPECT(strcmp(ring->entry.text, text) == 0 && ring->entry.length == strlen(text));
}

/* Only the first call returns at once. */
static struct docajava_log_ring *
open_ring(void) {
    struct docajava_log_ring *opened = docajava_log_open();
    EXPECT(opened != NULL && docajava_log_next(opened, 60000) == 0);
    return opened;
}

static void
test_levels(void) {
    record("[DOCA][CRT] nobody has asked");
    docajava_log_set_limit(ring, 70);
    record("[12:34:56:123456][4711][DOCA][CRT][file.c:42][function] text\n");
    expect_next(20, "[12:34:56:123456][4711][DOCA][CRT][file.c:42][function] text\n");
    EXPECT(ring->entry.thread == (uint32_t)syscall(SYS_gettid) && ring->entry.flags == 0);
    EXPECT(strcmp(ring->entry.name, "log_test") == 0);
    const char *lines[] = {"[1][DOCA][ERR] x", "[DOCA][WRN] x", "[DOCA][INF][S:1]: x", "[DOCA][DBG]", "[DOCA][TRC]"};
    for (uint32_t i = 0; i < 5; i++) {
        record(lines[i]);
        expect_next(30 + 10 * i, lines[i]);
    }
    const char *unknown[] = {"", "x", "[", "[DOCA]", "[DOCA][", "[DOCA][XYZ] x", "[1][2][3][4][DOCA][ERR] x", "[1][2"};
    for (uint32_t i = 0; i < 8; i++) {
        record(unknown[i]);
        expect_next(LEVEL_UNKNOWN, unknown[i]);
    }
    docajava_log_set_limit(ring, 40);
    record("[DOCA][INF] beyond the limit");
    record("[DOCA][WRN] at the limit");
    expect_next(40, "[DOCA][WRN] at the limit");
    docajava_log_set_limit(ring, LEVEL_DISABLE);
    record("[DOCA][CRT] x");
    record("of no level");
    EXPECT(ring->tail == 15);
    docajava_log_set_limit(ring, 70);
}

static void
test_flags_and_errno(void) {
    EXPECT(docajava_log_set_flag(EXPECTED, 1) == 0);
    record("x");
    expect_next(LEVEL_UNKNOWN, "x");
    EXPECT(ring->entry.flags == EXPECTED);
    EXPECT(docajava_log_set_flag(OMITTED, 1) == 0);
    record("not for the ring");
    EXPECT(docajava_log_set_flag(OMITTED, 0) == 1 && docajava_log_set_flag(EXPECTED, 0) == 1);
    errno = ENOENT;
    record("y");
    EXPECT(errno == ENOENT);
    expect_next(LEVEL_UNKNOWN, "y");
}

static void
test_long_text(void) {
    char text[2 * TEXT_SIZE];
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    memcpy(text, "[DOCA][ERR]", 11);
    docajava_log_forget();
    docajava_log_record(text);
    EXPECT(docajava_log_next(ring, 60000) == 1);
    EXPECT(ring->entry.length == TEXT_SIZE - 1 && strlen(ring->entry.text) == ring->entry.length);
    struct docajava_log_errors errors;
    docajava_log_take(&errors);
    EXPECT(errors.count == 1 && strlen(errors.texts[0]) == ERROR_SIZE - 1);
}

/* Keeps errors when it ends; returns the number of threads with errors, and of its own. */
static void *
log_twice(void *argument) {
    (void)argument;
    record("[DOCA][ERR] x");
    record("[DOCA][ERR] x");
    return (void *)(intptr_t)(100 * atomic_load(&threads_with_errors) + docajava_log_count());
}

static void
test_errors(void) {
    struct docajava_log_errors errors;
    const _Atomic uint64_t *threads = docajava_log_threads_with_errors();
    docajava_log_forget();
    docajava_log_set_limit(ring, LEVEL_DISABLE);
    EXPECT(*threads == 0);
    for (int i = 0; i < ERRORS + 2; i++) {
        char text[64];
        snprintf(text, sizeof(text), "[DOCA][ERR] %d", i);
        docajava_log_record(text);
        record("[DOCA][WRN] no reason");
    }
    EXPECT(*threads == 1);
    docajava_log_take(&errors);
    EXPECT(errors.count == ERRORS && strcmp(errors.texts[0], "[DOCA][ERR] 0") == 0);
    EXPECT(strcmp(errors.texts[7], "[DOCA][ERR] 7") == 0 && *threads == 0);
    record("[DOCA][CRT] x");
    docajava_log_forget();
    docajava_log_forget();
    docajava_log_take(&errors);
    EXPECT(errors.count == 0 && *threads == 0);
    pthread_t thread;
    void *counts = NULL;
    EXPECT(pthread_create(&thread, NULL, log_twice, NULL) == 0);
    EXPECT(pthread_join(thread, &counts) == 0);
    EXPECT((intptr_t)counts == 102 && docajava_log_count() == 0 && *threads == 0);
    docajava_log_set_limit(ring, 70);
}

static void
test_dropped(void) {
    for (int i = 0; i < DOCAJAVA_LOG_SLOTS + 3; i++) {
        char text[16];
        snprintf(text, sizeof(text), "%d", i);
        docajava_log_record(text);
    }
    for (int i = 0; i < DOCAJAVA_LOG_SLOTS; i++) {
        EXPECT(docajava_log_next(ring, 60000) == 1);
        EXPECT(ring->entry.dropped == 0 && atoi(ring->entry.text) == i);
    }
    EXPECT(docajava_log_next(ring, 60000) == 1);
    EXPECT(ring->entry.dropped == 3);
    record("y");
    expect_next(LEVEL_UNKNOWN, "y");
}

/* Logs numbers in their order, and its own errors, which no other thread has. */
static void *
log_numbers(void *argument) {
    const int thread = (int)(intptr_t)argument;
    for (int i = 0; i < RECORDS; i++) {
        char text[64];
        snprintf(text, sizeof(text), "[DOCA][ERR] %d %d", thread, i);
        docajava_log_record(text);
        struct docajava_log_errors errors;
        docajava_log_take(&errors);
        EXPECT(errors.count == 1 && strcmp(errors.texts[0], text) == 0);
    }
    return NULL;
}

/* Each record is either read, in the order of its thread, or counted. */
static void
test_threads(void) {
    pthread_t threads[THREADS];
    int last[THREADS];
    uint64_t seen = 0;
    const uint64_t before = ring->tail;
    for (int i = 0; i < THREADS; i++) {
        last[i] = -1;
        EXPECT(pthread_create(&threads[i], NULL, log_numbers, (void *)(intptr_t)i) == 0);
    }
    while (seen < THREADS * RECORDS) {
        EXPECT(docajava_log_next(ring, 60000) == 1);
        seen += ring->entry.dropped;
        if (ring->entry.dropped == 0) {
            int thread = -1;
            int number = -1;
            EXPECT(sscanf(ring->entry.text, "[DOCA][ERR] %d %d", &thread, &number) == 2);
            EXPECT(thread >= 0 && thread < THREADS && number > last[thread]);
            last[thread] = number;
            seen++;
        }
    }
    EXPECT(seen == THREADS * RECORDS && ring->head == ring->tail);
    EXPECT(ring->tail > before);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
}

/* Each open ring gets each record once; a closed one gets nothing, and is reused without its former records. */
static void
test_two_rings(void) {
    struct docajava_log_ring *first = ring;
    struct docajava_log_ring *second = open_ring();
    EXPECT(second != first);
    EXPECT(docajava_log_set_limit(second, 30) == 70);
    record("[DOCA][ERR] for both");
    record("[DOCA][INF] for one");
    expect_next(30, "[DOCA][ERR] for both");
    expect_next(50, "[DOCA][INF] for one");
    ring = second;
    expect_next(30, "[DOCA][ERR] for both");
    EXPECT(docajava_log_next(second, 0) == 0);
    record("[DOCA][ERR] left");
    docajava_log_end(second);
    docajava_log_close(second);
    record("[DOCA][ERR] for one");
    EXPECT(open_ring() == second);
    EXPECT(docajava_log_next(second, 0) == 0);
    ring = first;
    EXPECT(docajava_log_set_limit(first, 40) == 40);
    expect_next(30, "[DOCA][ERR] left");
    expect_next(30, "[DOCA][ERR] for one");
    EXPECT(docajava_log_next(first, 0) == 0);
    docajava_log_close(second);
}

/* The reader of a ring: reads until it ends. */
static void *
read_all(void *argument) {
    intptr_t records = 0;
    int result;
    while ((result = docajava_log_next(argument, 60000)) > 0) {
        records++;
    }
    return (void *)(result < 0 ? records : -1);
}

/* Records logged before the end are read; the end wakes the reader. */
static void
test_end(void) {
    for (int round = 0; round < 200; round++) {
        pthread_t reader;
        void *records = NULL;
        struct docajava_log_ring *other = open_ring();
        EXPECT(docajava_log_set_limit(other, 30) == 40);
        EXPECT(pthread_create(&reader, NULL, read_all, other) == 0);
        for (int i = 0; i < round % 4; i++) {
            record("[DOCA][ERR] x");
            expect_next(30, "[DOCA][ERR] x");
        }
        docajava_log_end(other);
        EXPECT(pthread_join(reader, &records) == 0);
        EXPECT((intptr_t)records == round % 4);
        docajava_log_close(other);
    }
}

/* The wait ends when the reader requests the next record. */
static void
test_waiting(void) {
    EXPECT(docajava_log_next(ring, 0) == 0);
    EXPECT(docajava_log_await(ring, 0) == 1);
    record("[DOCA][ERR] x");
    EXPECT(docajava_log_await(ring, 1) == 0);
    expect_next(30, "[DOCA][ERR] x");
    EXPECT(docajava_log_await(ring, 0) == 0);
    EXPECT(docajava_log_next(ring, 0) == 0);
    EXPECT(docajava_log_await(ring, 0) == 1);
    pthread_t reader;
    EXPECT(pthread_create(&reader, NULL, read_all, ring) == 0);
    for (int i = 0; i < 200; i++) {
        record("[DOCA][ERR] x");
        EXPECT(docajava_log_await(ring, 60000) == 1);
    }
    docajava_log_end(ring);
    EXPECT(pthread_join(reader, NULL) == 0);
}

static int created;

static int
create_backend(char *buffer, size_t size, void (*handler)(char *), void **backend) {
    EXPECT(size == BACKEND_SIZE && handler == docajava_log_record);
    buffer[size - 1] = '\0';
    *backend = &created;
    return created++ == 0 ? 21 : 0;
}

/* One for each SDK; after a refusal the next call tries again. */
static void
test_backend(void) {
    void *backend = NULL;
    EXPECT(docajava_log_backend(create_backend, &backend) == 21 && backend == NULL);
    EXPECT(docajava_log_backend(create_backend, &backend) == 0 && backend == &created);
    backend = NULL;
    EXPECT(docajava_log_backend(create_backend, &backend) == 0 && backend == &created && created == 2);
}

int
main(void) {
    prctl(PR_SET_NAME, "log_test", 0, 0, 0);
    ring = open_ring();
    test_levels();
    test_flags_and_errno();
    test_long_text();
    test_errors();
    test_dropped();
    test_threads();
    test_two_rings();
    test_end();
    test_waiting();
    test_backend();
    return 0;
}
