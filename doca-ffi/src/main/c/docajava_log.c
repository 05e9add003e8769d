/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handler of the SDK's log. It runs on any thread that logs, inside the SDK, and never calls into Java: a stack
 * overflow, a full heap or an exiting JVM inside such a call would crash or hang the process. The handler adds each
 * record to every open ring, which a Java thread reads. It also keeps errors in memory of the logging thread; when the
 * call has failed, Java takes the reason from there. Each class loader that has doca-java has a ring; each SDK gets the
 * handler once.
 *
 * The state is static, because the SDK's handler has no user data, and needs no initialisation. The handler holds no
 * lock, so a fork or a cancelled thread leaves none locked; a child process has its own copies, which no thread reads.
 * Rings and back ends are never freed, because the handler may be using them; a closed ring is reused.
 *
 * RecordRing.java mirrors the layouts of `struct docajava_log_entry` and `struct docajava_log_errors`.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

#ifndef DOCAJAVA_LOG_SLOTS
#define DOCAJAVA_LOG_SLOTS 1024
#endif

enum {
    NAME_SIZE = 16, /* of a thread's name in Linux */
    TEXT_SIZE = 8192, /* of one record, including its terminator; the rest is truncated */
    ERRORS = 8, /* kept for each thread: the first ones are the closest to the cause */
    ERROR_SIZE = 1024, /* of each error, including its terminator */
    BACKEND_SIZE = 8192, /* of the buffer to which the SDK writes a record; longer records are truncated */
    NO_MEMORY = 7, /* DOCA_ERROR_NO_MEMORY */
};

/* Numbered as in DOCA; a closed ring has a limit of 0, which accepts no record. */
enum {
    LEVEL_UNKNOWN = 0,
    LEVEL_DISABLE = 10,
    LEVEL_ERROR = 30,
};

/* Flags of a thread. */
enum {
    EXPECTED = 1, /* The calls are queries, so their failures are expected. Records get the flag as well. */
    OMITTED = 2, /* The records do not go to the ring, because the reader must not produce its own input. */
};

/* A record for the reader. */
struct docajava_log_entry {
    uint64_t dropped; /* the number of records dropped because the ring was full; if not 0, the other fields are unused */
    uint32_t level;
    uint32_t flags;
    uint32_t thread; /* its number in Linux */
    uint32_t length; /* of the text, without terminator */
    char name[NAME_SIZE];
    char text[TEXT_SIZE];
};

/* The errors of one thread. */
struct docajava_log_errors {
    uint32_t count;
    char texts[ERRORS][ERROR_SIZE];
};

struct slot {
    /*
     * Twice the number of rounds of the slot, plus one while it holds a record. The thread that finds it even owns
     * the other fields by advancing `tail`; if it is odd, the reader owns them. Stored after them by release (or
     * stronger), loaded before them by acquire (or stronger).
     */
    _Atomic uint64_t turn;
    char *text; /* allocated by malloc; the reader frees it */
    uint32_t level;
    uint32_t flags;
    uint32_t thread;
    uint32_t length;
    char name[NAME_SIZE];
};

struct docajava_log_ring {
    struct docajava_log_ring *next; /* in the list of all rings; constant once the ring is in it */
    int in_use; /* Guarded by `registry`. */
    int ended; /* True if the reader must stop. Guarded by `registry`. */
    _Atomic uint64_t tail; /* The number of slots taken so far. Relaxed: `turn` publishes them. */
    _Atomic uint64_t dropped; /* Records dropped since the reader last looked. Sequentially consistent, as
                                 `sleeps`. */
    _Atomic uint32_t limit; /* The most verbose level that the ring accepts. Relaxed: an independent number. */
    /*
     * 1 while the reader sleeps or is about to, and the futex that it sleeps on. Sequentially consistent, as are
     * `turn` and `dropped`: a thread that logs stores them before it loads this, and the reader loads them after it
     * has stored this. So either the reader sees the record, or the thread sees that the reader sleeps.
     */
    _Atomic uint32_t sleeps;
    /*
     * The number of records that the reader has handled, modulo 32 bits, and the futex of threads that wait for it.
     * Sequentially consistent, as is `waiters`: either the reader sees the waiter, or the waiter sees the number.
     */
    _Atomic uint32_t handled;
    _Atomic uint32_t waiters; /* The number of threads that wait for `handled`. */
    int is_new; /* True until the reader's first call. Only the reader uses it once the ring is open. */
    uint64_t head; /* The number of records read. Only the reader uses it. */
    uint64_t none_dropped; /* `head` when the reader last found no dropped record. Only the reader uses it. */
    struct docajava_log_entry entry; /* The last record read. Only the reader uses it. */
    struct slot slots[DOCAJAVA_LOG_SLOTS];
};

/* An SDK's object that passes records to the handler. There is one for each SDK in this process, by its function. */
struct backend {
    struct backend *next;
    int (*create)(char *, size_t, void (*)(char *), void **);
    void *object;
    char buffer[BACKEND_SIZE];
};

/* The rings, the newest first. Stored by release under `registry`, loaded by acquire: that publishes a ring. */
static _Atomic(struct docajava_log_ring *) rings;

/* Guards `backends` and the assignment of rings. The handler never takes it. */
static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static struct backend *backends;

/*
 * The number of threads that have errors. Relaxed, because a thread only needs to see its own contribution. Threads of the
 * SDK never take their errors, and contribute until they end.
 */
static _Atomic uint64_t threads_with_errors;

/* Its destructor discards the errors of a thread that ends. Set under `once`, and constant afterwards. */
static pthread_key_t end_of_thread;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_end_of_thread;

/* The state of the thread itself. */
static _Thread_local struct {
    uint32_t flags;
    struct docajava_log_errors errors;
} own;

static uint32_t
level_of_tag(const char *tag) {
    static const struct {
        char tag[5];
        uint8_t level;
    } levels[] = {{"CRT]", 20}, {"ERR]", LEVEL_ERROR}, {"WRN]", 40}, {"INF]", 50}, {"DBG]", 60}, {"TRC]", 70}};
    for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++) {
        if (strncmp(tag, levels[i].tag, sizeof(levels->tag) - 1) == 0) {
            return levels[i].level;
        }
    }
    return LEVEL_UNKNOWN;
}

/* Parses `[HH:MM:SS:uuuuuu][pid][DOCA][LVL]` and the message; older releases lack some of the brackets. */
static uint32_t
level_of(const char *text) {
    static const char mark[] = "[DOCA][";
    for (int brackets = 0; brackets < 4 && text != NULL && *text == '['; brackets++) {
        if (strncmp(text, mark, sizeof(mark) - 1) == 0) {
            return level_of_tag(text + sizeof(mark) - 1);
        }
        text = strchr(text, ']');
        text = text == NULL ? NULL : text + 1;
    }
    return LEVEL_UNKNOWN;
}

static void
discard_errors(void) {
    if (own.errors.count != 0) {
        own.errors.count = 0;
        atomic_fetch_sub_explicit(&threads_with_errors, 1, memory_order_relaxed);
    }
}

static void
thread_ends(void *errors) {
    (void)errors;
    discard_errors();
}

static void
watch_threads(void) {
    has_end_of_thread = pthread_key_create(&end_of_thread, thread_ends) == 0;
}

static void
add_error(const char *text, size_t length) {
    struct docajava_log_errors *errors = &own.errors;
    if (errors->count == ERRORS) {
        return;
    }
    if (errors->count == 0) {
        atomic_fetch_add_explicit(&threads_with_errors, 1, memory_order_relaxed);
        pthread_once(&once, watch_threads);
        if (has_end_of_thread) {
            pthread_setspecific(end_of_thread, errors);
        }
    }
    const size_t kept = length < ERROR_SIZE - 1 ? length : ERROR_SIZE - 1;
    char *to = errors->texts[errors->count++];
    memcpy(to, text, kept);
    to[kept] = '\0';
}

/* Takes the slot at the tail. Returns NULL if the ring is full. Storing `turn` later publishes the slot. */
static struct slot *
take_slot(struct docajava_log_ring *ring, uint64_t *turn) {
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    for (;;) {
        struct slot *slot = &ring->slots[tail % DOCAJAVA_LOG_SLOTS];
        const uint64_t expected = tail / DOCAJAVA_LOG_SLOTS * 2;
        const uint64_t found = atomic_load_explicit(&slot->turn, memory_order_acquire);
        if (found < expected) {
            return NULL;
        }
        if (found > expected) {
            tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
        } else if (atomic_compare_exchange_weak_explicit(
                           &ring->tail, &tail, tail + 1, memory_order_relaxed, memory_order_relaxed)) {
            *turn = expected + 1;
            return slot;
        }
    }
}

static void
wake_reader(struct docajava_log_ring *ring) {
    if (atomic_load(&ring->sleeps) != 0 && atomic_exchange(&ring->sleeps, 0) != 0) {
        syscall(SYS_futex, &ring->sleeps, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
}

static void
add_to_ring(struct docajava_log_ring *ring, const char *text, size_t length, uint32_t level) {
    const size_t kept = length < TEXT_SIZE - 1 ? length : TEXT_SIZE - 1;
    char *copy = malloc(kept + 1);
    uint64_t turn;
    struct slot *slot = copy == NULL ? NULL : take_slot(ring, &turn);
    if (slot == NULL) {
        free(copy);
        atomic_fetch_add(&ring->dropped, 1);
        wake_reader(ring);
        return;
    }
    memcpy(copy, text, kept);
    copy[kept] = '\0';
    slot->text = copy;
    slot->level = level;
    slot->flags = own.flags;
    slot->thread = (uint32_t)syscall(SYS_gettid);
    slot->length = (uint32_t)kept;
    memset(slot->name, 0, sizeof(slot->name));
    prctl(PR_GET_NAME, slot->name, 0, 0, 0);
    atomic_store(&slot->turn, turn);
    wake_reader(ring);
}

/* The SDK calls this with each record, from any of its threads, one call at a time for each back end. */
EXPORT void
docajava_log_record(char *text) {
    const int saved = errno;
    const size_t length = strlen(text);
    const uint32_t level = level_of(text);
    if (level != LEVEL_UNKNOWN && level <= LEVEL_ERROR) {
        add_error(text, length);
    }
    if ((own.flags & OMITTED) == 0) {
        struct docajava_log_ring *ring = atomic_load_explicit(&rings, memory_order_acquire);
        for (; ring != NULL; ring = ring->next) {
            const uint32_t limit = atomic_load_explicit(&ring->limit, memory_order_relaxed);
            if (limit > LEVEL_DISABLE && level <= limit) {
                add_to_ring(ring, text, length, level);
            }
        }
    }
    errno = saved;
}

/*
 * Makes an SDK pass its records to the handler, unless it already does. `create` is the SDK's
 * doca_log_backend_create_with_buf_sdk, whose error is returned.
 */
EXPORT int
docajava_log_backend(int (*create)(char *, size_t, void (*)(char *), void **), void **object) {
    int error = 0;
    pthread_mutex_lock(&registry);
    struct backend *backend = backends;
    while (backend != NULL && backend->create != create) {
        backend = backend->next;
    }
    if (backend == NULL) {
        backend = calloc(1, sizeof(*backend));
        error = backend == NULL ? NO_MEMORY
                                : create(backend->buffer, BACKEND_SIZE, docajava_log_record, &backend->object);
        if (error != 0) {
            free(backend);
        } else {
            backend->create = create;
            backend->next = backends;
            backends = backend;
        }
    }
    if (error == 0) {
        *object = backend->object;
    }
    pthread_mutex_unlock(&registry);
    return error;
}

/* Sets the most verbose level that a ring accepts, LEVEL_DISABLE for none. Returns the most verbose one of all rings. */
EXPORT uint32_t
docajava_log_set_limit(struct docajava_log_ring *ring, uint32_t level) {
    uint32_t most = 0;
    atomic_store_explicit(&ring->limit, level, memory_order_relaxed);
    for (ring = atomic_load_explicit(&rings, memory_order_acquire); ring != NULL; ring = ring->next) {
        const uint32_t limit = atomic_load_explicit(&ring->limit, memory_order_relaxed);
        most = limit > most ? limit : most;
    }
    return most;
}

static int
has_record(const struct docajava_log_ring *ring) {
    return atomic_load(&ring->slots[ring->head % DOCAJAVA_LOG_SLOTS].turn) == ring->head / DOCAJAVA_LOG_SLOTS * 2 + 1;
}

/* Dropped records are reported after the records that filled the ring, or after as many further ones. */
static int
report_dropped(struct docajava_log_ring *ring, int empty) {
    struct docajava_log_entry *entry = &ring->entry;
    entry->dropped = 0;
    if (atomic_load(&ring->dropped) == 0) {
        ring->none_dropped = ring->head;
    } else if (empty || ring->head - ring->none_dropped > DOCAJAVA_LOG_SLOTS) {
        entry->dropped = atomic_exchange(&ring->dropped, 0);
    }
    return entry->dropped != 0;
}

static void
move_to_entry(struct docajava_log_ring *ring) {
    struct docajava_log_entry *entry = &ring->entry;
    struct slot *slot = &ring->slots[ring->head % DOCAJAVA_LOG_SLOTS];
    entry->level = slot->level;
    entry->flags = slot->flags;
    entry->thread = slot->thread;
    entry->length = slot->length;
    memcpy(entry->name, slot->name, sizeof(entry->name));
    memcpy(entry->text, slot->text, slot->length + 1);
    free(slot->text);
    const uint64_t turn = ring->head++ / DOCAJAVA_LOG_SLOTS * 2;
    atomic_store_explicit(&slot->turn, turn + 2, memory_order_release);
}

static struct timespec
after(int64_t milliseconds) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += milliseconds / 1000;
    time.tv_nsec += milliseconds % 1000 * 1000000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

/* Sleeps while a futex has a value. Returns 0 on timeout. */
static int
sleep_at(_Atomic uint32_t *futex, uint32_t value, const struct timespec *end) {
    return syscall(SYS_futex, futex, FUTEX_WAIT_BITSET_PRIVATE, value, end, NULL, FUTEX_BITSET_MATCH_ANY) == 0 ||
           errno != ETIMEDOUT;
}

/* Marks the last record read as handled. */
static void
publish_handled(struct docajava_log_ring *ring) {
    atomic_store(&ring->handled, (uint32_t)ring->head);
    if (atomic_load(&ring->waiters) != 0) {
        syscall(SYS_futex, &ring->handled, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
    }
}

static int
has_ended(struct docajava_log_ring *ring) {
    pthread_mutex_lock(&registry);
    const int ended = ring->ended;
    pthread_mutex_unlock(&registry);
    return ended;
}

/* Opens an empty ring. Returns NULL without memory. */
EXPORT struct docajava_log_ring *
docajava_log_open(void) {
    pthread_mutex_lock(&registry);
    struct docajava_log_ring *first = atomic_load_explicit(&rings, memory_order_relaxed);
    struct docajava_log_ring *ring = first;
    while (ring != NULL && ring->in_use) {
        ring = ring->next;
    }
    if (ring == NULL) {
        ring = calloc(1, sizeof(*ring));
        if (ring != NULL) {
            ring->next = first;
            atomic_store_explicit(&rings, ring, memory_order_release);
        }
    }
    if (ring != NULL) {
        ring->in_use = 1;
        ring->ended = 0;
        ring->is_new = 1;
        /* Records that threads added while the former reader closed it. */
        while (has_record(ring)) {
            move_to_entry(ring);
        }
        atomic_store(&ring->dropped, 0);
        publish_handled(ring);
    }
    pthread_mutex_unlock(&registry);
    return ring;
}

/* Closes a ring for further records. Its reader ends once it has read the remaining records. */
EXPORT void
docajava_log_end(struct docajava_log_ring *ring) {
    atomic_store_explicit(&ring->limit, 0, memory_order_relaxed);
    pthread_mutex_lock(&registry);
    ring->ended = 1;
    pthread_mutex_unlock(&registry);
    wake_reader(ring);
}

/* Called when the reader has ended, so the ring may be opened again. */
EXPORT void
docajava_log_close(struct docajava_log_ring *ring) {
    atomic_store_explicit(&ring->limit, 0, memory_order_relaxed);
    pthread_mutex_lock(&registry);
    ring->in_use = 0;
    pthread_mutex_unlock(&registry);
}

/* Returns the address of the last record read from a ring. */
EXPORT const struct docajava_log_entry *
docajava_log_entry(const struct docajava_log_ring *ring) {
    return &ring->entry;
}

/*
 * Waits for a record or for dropped records, and moves the oldest record, or the number of dropped ones, into the ring's
 * entry. Returns 1, 0 on timeout, or -1 if the ring has ended. Called by the one thread that reads; the previous record
 * then counts as handled. The first call returns 0 at once, which tells Java that its thread runs and has the memory that
 * it needs.
 */
EXPORT int
docajava_log_next(struct docajava_log_ring *ring, int64_t milliseconds) {
    publish_handled(ring);
    if (ring->is_new) {
        ring->is_new = 0;
        return 0;
    }
    const struct timespec end = after(milliseconds);
    for (int in_time = 1;;) {
        /* Loaded before the check for records, so that records that were added before the end are read. */
        const int ended = has_ended(ring);
        const int empty = !has_record(ring);
        if (report_dropped(ring, empty)) {
            return 1;
        }
        if (!empty) {
            move_to_entry(ring);
            return 1;
        }
        if (ended) {
            return -1;
        }
        if (!in_time) {
            return 0;
        }
        atomic_store(&ring->sleeps, 1);
        if (!has_record(ring) && atomic_load(&ring->dropped) == 0 && !has_ended(ring)) {
            in_time = sleep_at(&ring->sleeps, 1, &end);
        }
        atomic_store(&ring->sleeps, 0);
    }
}

/* Waits until the reader has handled all records that have a slot now. Returns 0 on timeout. */
EXPORT int
docajava_log_await(struct docajava_log_ring *ring, int64_t milliseconds) {
    const uint32_t last = (uint32_t)atomic_load_explicit(&ring->tail, memory_order_relaxed);
    const struct timespec end = after(milliseconds);
    int in_time = 1;
    uint32_t handled;
    atomic_fetch_add(&ring->waiters, 1);
    while ((int32_t)((handled = atomic_load(&ring->handled)) - last) < 0 && in_time) {
        in_time = sleep_at(&ring->handled, handled, &end);
    }
    atomic_fetch_sub(&ring->waiters, 1);
    return (int32_t)(handled - last) >= 0;
}

/* Sets or clears a flag of the calling thread, and returns whether it was set. */
EXPORT int
docajava_log_set_flag(uint32_t flag, int on) {
    const uint32_t before = own.flags;
    own.flags = on ? before | flag : before & ~flag;
    return (before & flag) != 0;
}

/* Returns the address of the number of threads with errors. While Java reads 0 there, it needs no call. */
EXPORT const void *
docajava_log_threads_with_errors(void) {
    return &threads_with_errors;
}

/* Returns the number of errors of the calling thread. */
EXPORT uint32_t
docajava_log_count(void) {
    return own.errors.count;
}

/* Discards the errors of the calling thread. */
EXPORT void
docajava_log_forget(void) {
    discard_errors();
}

/* Copies the errors of the calling thread, and discards them. */
EXPORT void
docajava_log_take(struct docajava_log_errors *taken) {
    taken->count = own.errors.count;
    for (uint32_t i = 0; i < taken->count; i++) {
        strcpy(taken->texts[i], own.errors.texts[i]);
    }
    docajava_log_forget();
}
