/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#define TIME_LIMIT_NS 3000000000LL
/* Fewer than fit into the time limit while nothing else runs. */
#define MIN_ROUNDS 5000
/* A wait ends after this many rounds of progress with nothing in flight, as no event is likely to follow. */
#define IDLE_ROUNDS 500
#define NOTES_SIZE 1500

struct doca_pe *pe;
size_t num_completions;
void (*on_task)(struct doca_task *task, uint64_t number);
void (*on_state)(struct doca_ctx *ctx, enum doca_ctx_states next);

static char notes[NOTES_SIZE];

void
open_device(void) {
    if (dev != NULL) {
        return;
    }
    struct doca_devinfo **list;
    uint32_t num_devices = 0;
    REQUIRE(doca_devinfo_create_list(&list, &num_devices));
    for (uint32_t i = 0; i < num_devices && dev == NULL; i++) {
        if (doca_dma_cap_task_memcpy_is_supported(list[i]) == DOCA_SUCCESS) {
            REQUIRE(doca_dev_open(list[i], &dev));
        }
    }
    REQUIRE(doca_devinfo_destroy_list(list));
    if (dev == NULL) {
        not_available("no device copies by DMA");
    }
}

const struct doca_devinfo *
devinfo(void) {
    open_device();
    return doca_dev_as_devinfo(dev);
}

struct doca_mmap *
configure_map(void *addr, size_t len, uint32_t permissions) {
    open_device();
    struct doca_mmap *mmap;
    REQUIRE(doca_mmap_create(&mmap));
    REQUIRE(doca_mmap_add_dev(mmap, dev));
    REQUIRE(doca_mmap_set_memrange(mmap, addr, len));
    REQUIRE(doca_mmap_set_permissions(mmap, permissions));
    return mmap;
}

struct doca_buf_inventory *
start_inventory(size_t num_elements) {
    struct doca_buf_inventory *started;
    REQUIRE(doca_buf_inventory_create(num_elements, &started));
    REQUIRE(doca_buf_inventory_start(started));
    return started;
}

void
map_memory_for(uint32_t permissions) {
    if (map != NULL) {
        return;
    }
    map_filled_memory(permissions);
    inventory = start_inventory(512);
}

void
map_memory(void) {
    map_memory_for(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
}

struct doca_buf *
source_of(struct doca_mmap *mmap, void *addr, size_t len) {
    struct doca_buf *buf;
    REQUIRE(doca_buf_inventory_buf_get_by_args(inventory, mmap, addr, len, addr, len, &buf));
    return buf;
}

struct doca_buf *
target_of(struct doca_mmap *mmap, void *addr, size_t len) {
    struct doca_buf *buf;
    REQUIRE(doca_buf_inventory_buf_get_by_args(inventory, mmap, addr, len, addr, 0, &buf));
    return buf;
}

struct doca_buf *
source(size_t offset, size_t len) {
    map_memory();
    return source_of(map, memory + offset, len);
}

struct doca_buf *
target(size_t offset, size_t len) {
    map_memory();
    return target_of(map, memory + offset, len);
}

struct doca_buf *
source_list(size_t count, size_t offset, size_t len, size_t stride) {
    struct doca_buf *head = source(offset, len);
    for (size_t i = 1; i < count; i++) {
        REQUIRE(doca_buf_chain_list(head, source(offset + i * stride, len)));
    }
    return head;
}

void
create_engine(void) {
    if (pe == NULL) {
        REQUIRE(doca_pe_create(&pe));
    }
}

void
note(const char *format, ...) {
    size_t length = strlen(notes);
    if (length > 0) {
        length += (size_t)snprintf(notes + length, NOTES_SIZE - length, ", ");
    }
    if (length < NOTES_SIZE) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(notes + length, NOTES_SIZE - length, format, arguments);
        va_end(arguments);
    }
}

void
forget_notes(void) {
    notes[0] = '\0';
    num_completions = 0;
}

void
answer_notes(void) {
    answer("%s", notes[0] == '\0' ? "nothing" : notes);
    notes[0] = '\0';
}

static const char *
name_of_state(enum doca_ctx_states state) {
    static const char *const names[] = {"IDLE", "STARTING", "RUNNING", "STOPPING"};
    return (size_t)state < sizeof(names) / sizeof(names[0]) ? names[state] : "(unknown state)";
}

const char *
state_of(const struct doca_ctx *ctx) {
    enum doca_ctx_states state;
    REQUIRE(doca_ctx_get_state(ctx, &state));
    return name_of_state(state);
}

size_t
inflight(const struct doca_ctx *ctx) {
    size_t num_tasks;
    REQUIRE(doca_ctx_get_num_inflight_tasks(ctx, &num_tasks));
    return num_tasks;
}

void
note_task(struct doca_task *task, uint64_t number, bool done) {
    if (done) {
        note("done %llu", (unsigned long long)number);
    } else {
        note("failed %llu %s", (unsigned long long)number, code_name(doca_task_get_status(task)));
    }
    num_completions++;
    if (on_task != NULL) {
        on_task(task, number);
    }
}

void
note_state(const union doca_data user_data, struct doca_ctx *ctx, enum doca_ctx_states previous,
           enum doca_ctx_states next) {
    (void)user_data;
    (void)previous;
    note("to %s", name_of_state(next));
    if (on_state != NULL) {
        on_state(ctx, next);
    }
}

static void
note_done_copy(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data) {
    (void)ctx_data;
    note_task(as_task(task), task_data.u64, true);
}

static void
note_failed_copy(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data) {
    (void)ctx_data;
    note_task(as_task(task), task_data.u64, false);
}

struct doca_ctx *
ctx_of(struct doca_dma *dma) {
    return doca_dma_as_ctx(dma);
}

struct doca_dma *
configure_dma(uint32_t num_tasks) {
    map_memory();
    create_engine();
    struct doca_dma *dma;
    REQUIRE(doca_dma_create(dev, &dma));
    REQUIRE(doca_dma_task_memcpy_set_conf(dma, note_done_copy, note_failed_copy, num_tasks));
    REQUIRE(doca_ctx_set_state_changed_cb(ctx_of(dma), note_state));
    REQUIRE(doca_ctx_set_user_data(ctx_of(dma), data_of(7)));
    REQUIRE(doca_pe_connect_ctx(pe, ctx_of(dma)));
    return dma;
}

struct doca_dma *
start_dma(uint32_t num_tasks) {
    struct doca_dma *dma = configure_dma(num_tasks);
    REQUIRE(doca_ctx_start(ctx_of(dma)));
    forget_notes();
    return dma;
}

struct doca_dma_task_memcpy *
copy_task(struct doca_dma *dma, uint64_t number, struct doca_buf *src, struct doca_buf *dst) {
    struct doca_dma_task_memcpy *task;
    REQUIRE(doca_dma_task_memcpy_alloc_init(dma, src, dst, data_of(number), &task));
    return task;
}

struct doca_task *
as_task(struct doca_dma_task_memcpy *task) {
    return doca_dma_task_memcpy_as_task(task);
}

doca_error_t
submit_copy(struct doca_dma_task_memcpy *task) {
    return doca_task_submit(as_task(task));
}

struct doca_dma_task_memcpy *
block_task(struct doca_dma *dma, uint64_t number) {
    return copy_task(dma, number, source(number * 64, 64), target((1000 + number) * 64, 64));
}

struct doca_dma_task_memcpy *
failing_task(struct doca_dma *dma, uint64_t number) {
    return copy_task(dma, number, target(number * 64, 64), target((1000 + number) * 64, 64));
}

static long long
now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void
progress_once(void) {
    if (doca_pe_progress(pe) == 0) {
        const struct timespec moment = {.tv_nsec = 20000};
        nanosleep(&moment, NULL);
    }
}

/* A wait. On a busy machine it goes on after the time limit until it has had its rounds, as the library's threads get as little time. */
struct wait {
    long long begin;
    unsigned num_rounds;
    /* The last rounds in a row with nothing in flight. */
    unsigned num_idle_rounds;
};

/* Counts a round. Returns true if the limit is exceeded. */
static bool
is_late(struct wait *wait) {
    wait->num_rounds++;
    return wait->num_rounds > MIN_ROUNDS && now() - wait->begin > TIME_LIMIT_NS;
}

/* Counts a round of a wait. Returns true if the wait ends: after the limit, or sooner with nothing in flight. */
static bool
is_wait_finished(struct wait *wait) {
    size_t num_tasks = 0;
    REQUIRE(doca_pe_get_num_inflight_tasks(pe, &num_tasks));
    wait->num_idle_rounds = num_tasks == 0 ? wait->num_idle_rounds + 1 : 0;
    return wait->num_idle_rounds >= IDLE_ROUNDS || is_late(wait);
}

bool
progress_to(size_t completions) {
    struct wait wait = {.begin = now()};
    while (num_completions < completions) {
        progress_once();
        if (num_completions < completions && is_wait_finished(&wait)) {
            note("%zu of %zu callbacks", num_completions, completions);
            return false;
        }
    }
    return true;
}

bool
progress_to_state(struct doca_ctx *ctx, enum doca_ctx_states state) {
    struct wait wait = {.begin = now()};
    enum doca_ctx_states current;
    for (;;) {
        REQUIRE(doca_ctx_get_state(ctx, &current));
        if (current == state) {
            return true;
        }
        /* A running context changes its state only by a task; contexts in other states change by themselves. */
        const bool is_waiting = current != DOCA_CTX_STATE_RUNNING && !is_late(&wait);
        if (!is_waiting && is_wait_finished(&wait)) {
            note("still %s", name_of_state(current));
            return false;
        }
        progress_once();
    }
}

bool
progress_until(bool (*condition)(void)) {
    struct wait wait = {.begin = now()};
    while (!condition()) {
        progress_once();
        if (is_late(&wait)) {
            note("still waiting");
            return false;
        }
    }
    return true;
}

unsigned
progress_for(unsigned milliseconds) {
    const long long end = now() + milliseconds * 1000000LL;
    unsigned count = 0;
    unsigned num_rounds = 0;
    do {
        const unsigned result = doca_pe_progress(pe);
        count += result;
        num_rounds++;
        if (result == 0) {
            pause_for(1);
        }
        /* On a busy machine a round takes longer, and so do the library's threads. */
    } while (now() < end || num_rounds < milliseconds);
    return count;
}

void
pause_for(unsigned milliseconds) {
    const struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
    nanosleep(&time, NULL);
}

int
notification_handle(void) {
    doca_notification_handle_t handle;
    REQUIRE(doca_pe_get_notification_handle(pe, &handle));
    return handle;
}

bool
is_signalled(int descriptor, unsigned milliseconds) {
    struct pollfd poll_descriptor = {.fd = descriptor, .events = POLLIN};
    return poll(&poll_descriptor, 1, (int)milliseconds) > 0;
}
