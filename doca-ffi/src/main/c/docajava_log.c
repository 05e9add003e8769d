/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The handler of the SDK's log. It runs on any thread that logs, inside of the SDK, and never calls into Java: a stack
 * that overflows, a heap that is full or an exiting JVM inside of such a call would end or hang the process. Each record
 * goes to a ring, which a thread of Java reads, and an error goes to the memory of its thread as well, where Java takes
 * it as a reason when the call has failed.
 *
 * The state is static, as the SDK's handler has no user data, and needs no initialisation. No lock is held, so a fork or
 * a cancelled thread leaves none behind; a child process has copies of its own, which nobody reads.
 *
 * RecordRing.java mirrors the layouts of `struct docajava_log_entry` and `struct docajava_log_errors`.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

#ifndef DOCAJAVA_LOG_SLOTS
#define DOCAJAVA_LOG_SLOTS 1024
#endif

enum {
    NAME_SIZE = 16, /* of a thread's name, as Linux has it */
    TEXT_SIZE = 8192, /* of one record, its terminator included; the rest is cut off */
    ERRORS = 8, /* kept for each thread: the first ones are the nearest to the cause */
    ERROR_SIZE = 1024, /* of each of them, its terminator included */
};

/* As DOCA numbers its levels; the ring begins with a limit of 0, which lets nothing in. */
enum {
    LEVEL_UNKNOWN = 0,
    LEVEL_DISABLE = 10,
    LEVEL_ERROR = 30,
};

/* Flags of a thread. */
enum {
    EXPECTED = 1, /* The calls ask a question: their failures are answers. Records get the flag as well. */
    OMITTED = 2, /* The records do not go to the ring: the reader must not produce its own input. */
};

/* A record as the reader gets it. */
struct docajava_log_entry {
    uint64_t position; /* how many records the reader has got, this one included */
    uint64_t dropped; /* how many found the ring full; if not 0, this is all that the entry says */
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
     * Twice the number of rounds that the slot has been through, and one more while a record is in it. Who finds it
     * even owns the other fields by advancing `tail`; who finds it odd owns them as the reader. Stored after them by
     * release (or stronger), loaded before them by acquire (or stronger).
     */
    _Atomic uint64_t turn;
    char *text; /* of malloc; the reader frees it */
    uint32_t level;
    uint32_t flags;
    uint32_t thread;
    uint32_t length;
    char name[NAME_SIZE];
};

static struct {
    _Atomic uint64_t tail; /* Records that have a slot so far. Relaxed: `turn` publishes them. */
    _Atomic uint64_t dropped; /* Records without a slot since the reader asked. Sequentially consistent, as `sleeps`. */
    _Atomic uint32_t limit; /* The most verbose level that goes to the ring. Relaxed: a number by itself. */
    /*
     * 1 while the reader sleeps or is about to, and the futex that it sleeps at. Sequentially consistent, as are
     * `turn` and `dropped`, which a thread that logs stores before it loads this, and the reader loads after it has
     * stored this: either the reader sees the record, or the thread sees that the reader sleeps.
     */
    _Atomic uint32_t sleeps;
    uint64_t head; /* Records that were read. Only the reader uses it. */
    uint64_t none_dropped; /* `head` when the reader last found that none was dropped. Only the reader uses it. */
    struct slot slots[DOCAJAVA_LOG_SLOTS];
} ring;

/* How many threads have errors. Relaxed: a thread looks for its own contribution only. */
static _Atomic uint64_t threads_with_errors;

/* Of the thread itself. */
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

/* `[HH:MM:SS:uuuuuu][pid][DOCA][LVL]` and what follows; older releases lack some of the brackets. */
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
add_error(const char *text, size_t length) {
    struct docajava_log_errors *errors = &own.errors;
    if (errors->count == ERRORS) {
        return;
    }
    if (errors->count == 0) {
        atomic_fetch_add_explicit(&threads_with_errors, 1, memory_order_relaxed);
    }
    const size_t kept = length < ERROR_SIZE - 1 ? length : ERROR_SIZE - 1;
    char *to = errors->texts[errors->count++];
    memcpy(to, text, kept);
    to[kept] = '\0';
}

/* Takes the slot at the tail; NULL if the ring is full. `turn` then is what publishes the slot. */
static struct slot *
take_slot(uint64_t *turn) {
    uint64_t tail = atomic_load_explicit(&ring.tail, memory_order_relaxed);
    for (;;) {
        struct slot *slot = &ring.slots[tail % DOCAJAVA_LOG_SLOTS];
        const uint64_t expected = tail / DOCAJAVA_LOG_SLOTS * 2;
        const uint64_t found = atomic_load_explicit(&slot->turn, memory_order_acquire);
        if (found < expected) {
            return NULL;
        }
        if (found > expected) {
            tail = atomic_load_explicit(&ring.tail, memory_order_relaxed);
        } else if (atomic_compare_exchange_weak_explicit(
                           &ring.tail, &tail, tail + 1, memory_order_relaxed, memory_order_relaxed)) {
            *turn = expected + 1;
            return slot;
        }
    }
}

static void
wake_reader(void) {
    if (atomic_load(&ring.sleeps) != 0 && atomic_exchange(&ring.sleeps, 0) != 0) {
        syscall(SYS_futex, &ring.sleeps, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    }
}

static void
add_to_ring(const char *text, size_t length, uint32_t level) {
    const size_t kept = length < TEXT_SIZE - 1 ? length : TEXT_SIZE - 1;
    char *copy = malloc(kept + 1);
    uint64_t turn;
    struct slot *slot = copy == NULL ? NULL : take_slot(&turn);
    if (slot == NULL) {
        free(copy);
        atomic_fetch_add(&ring.dropped, 1);
        wake_reader();
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
    wake_reader();
}

/* What the SDK calls with each record, one at a time for each back end, and what every thread of it may call. */
EXPORT void
docajava_log_record(char *text) {
    const int saved = errno;
    const size_t length = strlen(text);
    const uint32_t level = level_of(text);
    const uint32_t limit = atomic_load_explicit(&ring.limit, memory_order_relaxed);
    if (level != LEVEL_UNKNOWN && level <= LEVEL_ERROR) {
        add_error(text, length);
    }
    if (limit > LEVEL_DISABLE && level <= limit && (own.flags & OMITTED) == 0) {
        add_to_ring(text, length, level);
    }
    errno = saved;
}

/* Sets the most verbose level that goes to the ring; LEVEL_DISABLE for none. */
EXPORT void
docajava_log_set_limit(uint32_t level) {
    atomic_store_explicit(&ring.limit, level, memory_order_relaxed);
}

/* How many records have got a slot so far. */
EXPORT uint64_t
docajava_log_recorded(void) {
    return atomic_load_explicit(&ring.tail, memory_order_relaxed);
}

static int
has_record(const struct slot *slot) {
    return atomic_load(&slot->turn) == ring.head / DOCAJAVA_LOG_SLOTS * 2 + 1;
}

/* Dropped records are reported behind those that filled the ring, or when as many have been read since. */
static int
report_dropped(struct docajava_log_entry *entry, int empty) {
    entry->dropped = 0;
    if (atomic_load(&ring.dropped) == 0) {
        ring.none_dropped = ring.head;
    } else if (empty || ring.head - ring.none_dropped > DOCAJAVA_LOG_SLOTS) {
        entry->dropped = atomic_exchange(&ring.dropped, 0);
    }
    return entry->dropped != 0;
}

static void
move_to(struct docajava_log_entry *entry, struct slot *slot) {
    entry->level = slot->level;
    entry->flags = slot->flags;
    entry->thread = slot->thread;
    entry->length = slot->length;
    memcpy(entry->name, slot->name, sizeof(entry->name));
    memcpy(entry->text, slot->text, slot->length + 1);
    free(slot->text);
    const uint64_t turn = ring.head++ / DOCAJAVA_LOG_SLOTS * 2;
    atomic_store_explicit(&slot->turn, turn + 2, memory_order_release);
}

/* Gives the oldest record, or the number of those dropped, and waits until there is either. For one thread only. */
EXPORT void
docajava_log_next(struct docajava_log_entry *entry) {
    struct slot *slot = &ring.slots[ring.head % DOCAJAVA_LOG_SLOTS];
    for (;;) {
        const int empty = !has_record(slot);
        if (report_dropped(entry, empty)) {
            break;
        }
        if (!empty) {
            move_to(entry, slot);
            break;
        }
        atomic_store(&ring.sleeps, 1);
        if (has_record(slot) || atomic_load(&ring.dropped) != 0) {
            atomic_store(&ring.sleeps, 0);
        } else {
            syscall(SYS_futex, &ring.sleeps, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
        }
    }
    entry->position = ring.head;
}

/* Gives the calling thread a flag or takes it away, and returns whether it had it. */
EXPORT int
docajava_log_set_flag(uint32_t flag, int on) {
    const uint32_t before = own.flags;
    own.flags = on ? before | flag : before & ~flag;
    return (before & flag) != 0;
}

/* The number of threads that have errors, for Java to read by itself: while it is 0, no call is needed. */
EXPORT const void *
docajava_log_threads_with_errors(void) {
    return &threads_with_errors;
}

/* Forgets the errors of the calling thread. */
EXPORT void
docajava_log_forget(void) {
    if (own.errors.count != 0) {
        own.errors.count = 0;
        atomic_fetch_sub_explicit(&threads_with_errors, 1, memory_order_relaxed);
    }
}

/* Copies the errors of the calling thread, and forgets them. */
EXPORT void
docajava_log_take(struct docajava_log_errors *taken) {
    taken->count = own.errors.count;
    for (uint32_t i = 0; i < taken->count; i++) {
        strcpy(taken->texts[i], own.errors.texts[i]);
    }
    docajava_log_forget();
}
