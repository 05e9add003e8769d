/* SPDX-License-Identifier: Apache-2.0 */
/* The common fixture of many tests. A missing prerequisite ends the program. */
#ifndef DOCA_EMULATOR_FIXTURE_H_
#define DOCA_EMULATOR_FIXTURE_H_

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <time.h>

#include "check.h"

/* Declared as in programs. */
doca_error_t doca_emulator_set_faults(const char *text);

#define MAX_IDLE_ROUNDS 100
#define NS_PER_MS UINT64_C(1000000)
/* In which a sleeping program must be woken. */
#define WAKE_TIME_MS 30000

static struct doca_buf_inventory *inventory;

/* Returns the time since any fixed point. */
static inline uint64_t
now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 * NS_PER_MS + (uint64_t)time.tv_nsec;
}

/*
 * Progresses once. A thread that waits for other processes sleeps between the rounds after a while, as these need the
 * processor to go on.
 */
static inline void
progress_or_rest(struct doca_pe *engine) {
    static _Thread_local unsigned idle_rounds;
    if (doca_pe_progress(engine) != 0) {
        idle_rounds = 0;
    } else if (++idle_rounds < MAX_IDLE_ROUNDS) {
        sched_yield();
    } else {
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
}

/* Returns whether the engine signals an event in time, if that was requested. */
static inline bool
is_notified(struct doca_pe *engine, int timeout_ms) {
    doca_notification_handle_t handle = doca_event_invalid_handle;
    CHECK_SUCCESS(doca_pe_get_notification_handle(engine, &handle));
    return poll(&(struct pollfd){.fd = handle, .events = POLLIN}, 1, timeout_ms) == 1;
}

/* Sleeps until the engine signals an event. */
static inline void
sleep_once(struct doca_pe *engine) {
    REQUIRE_SUCCESS(doca_pe_request_notification(engine));
    if (!is_notified(engine, WAKE_TIME_MS)) {
        CHECK_FAILED("no notification");
        exit(EXIT_FAILURE);
    }
    REQUIRE_SUCCESS(doca_pe_clear_notification(engine, 0));
}

static inline enum doca_ctx_states
state_of_ctx(const struct doca_ctx *ctx) {
    enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;
    CHECK_SUCCESS(doca_ctx_get_state(ctx, &state));
    return state;
}

/* Stops the context, or waits until it has stopped. */
static inline void
stop_and_wait(struct doca_ctx *ctx, struct doca_pe *engine) {
    const doca_error_t result = doca_ctx_stop(ctx);
    CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS);
    while (state_of_ctx(ctx) != DOCA_CTX_STATE_IDLE) {
        progress_or_rest(engine);
    }
}

/* Opens the device of that name. */
static inline struct doca_dev *
open_device(const char *ibdev_name) {
    struct doca_devinfo **list;
    uint32_t num_devices;
    struct doca_dev *device = NULL;
    REQUIRE_SUCCESS(doca_devinfo_create_list(&list, &num_devices));
    for (uint32_t i = 0; i < num_devices && device == NULL; i++) {
        char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
        REQUIRE_SUCCESS(doca_devinfo_get_ibdev_name(list[i], name, sizeof(name)));
        if (strcmp(name, ibdev_name) == 0) {
            REQUIRE_SUCCESS(doca_dev_open(list[i], &device));
        }
    }
    REQUIRE_SUCCESS(doca_devinfo_destroy_list(list));
    if (device == NULL) {
        fprintf(stderr, "no device %s\n", ibdev_name);
        exit(EXIT_FAILURE);
    }
    return device;
}

/* Creates a map of the range, for one device or, with NULL, for none. */
static inline struct doca_mmap *
create_mmap(void *addr, size_t len, struct doca_dev *device) {
    struct doca_mmap *mmap;
    REQUIRE_SUCCESS(doca_mmap_create(&mmap));
    if (device != NULL) {
        REQUIRE_SUCCESS(doca_mmap_add_dev(mmap, device));
    }
    REQUIRE_SUCCESS(doca_mmap_set_memrange(mmap, addr, len));
    return mmap;
}

/* The same, started. */
static inline struct doca_mmap *
start_mmap(void *addr, size_t len, struct doca_dev *device) {
    struct doca_mmap *mmap = create_mmap(addr, len, device);
    REQUIRE_SUCCESS(doca_mmap_start(mmap));
    return mmap;
}

static inline struct doca_mmap *
start_permitted(void *addr, size_t len, struct doca_dev *device, uint32_t permissions) {
    struct doca_mmap *mmap = create_mmap(addr, len, device);
    REQUIRE_SUCCESS(doca_mmap_set_permissions(mmap, permissions));
    REQUIRE_SUCCESS(doca_mmap_start(mmap));
    return mmap;
}

static inline struct doca_buf_inventory *
start_inventory(size_t num_elements) {
    struct doca_buf_inventory *created;
    REQUIRE_SUCCESS(doca_buf_inventory_create(num_elements, &created));
    REQUIRE_SUCCESS(doca_buf_inventory_start(created));
    return created;
}

/* Take a buffer of the range from the inventory, full of data or empty. */
static inline struct doca_buf *
data_of(struct doca_mmap *mmap, void *addr, size_t len) {
    struct doca_buf *buf;
    REQUIRE_SUCCESS(doca_buf_inventory_buf_get_by_data(inventory, mmap, addr, len, &buf));
    return buf;
}

static inline struct doca_buf *
space_of(struct doca_mmap *mmap, void *addr, size_t len) {
    struct doca_buf *buf;
    REQUIRE_SUCCESS(doca_buf_inventory_buf_get_by_addr(inventory, mmap, addr, len, &buf));
    return buf;
}

static inline void
give_back(struct doca_buf *buf) {
    CHECK_SUCCESS(doca_buf_dec_refcount(buf, NULL));
}

static inline void
give_back_all(struct doca_buf *const bufs[], size_t count) {
    for (size_t i = 0; i < count; i++) {
        give_back(bufs[i]);
    }
}

#define GIVE_BACK(...) \
    give_back_all((struct doca_buf *[]){__VA_ARGS__}, sizeof((struct doca_buf *[]){__VA_ARGS__}) / sizeof(void *))

static inline size_t
data_len_of(const struct doca_buf *buf) {
    size_t len = 0;
    CHECK_SUCCESS(doca_buf_get_data_len(buf, &len));
    return len;
}

/* User data. */
static inline union doca_data
numbered(uint64_t number) {
    return (union doca_data){.u64 = number};
}

#endif /* DOCA_EMULATOR_FIXTURE_H_ */
