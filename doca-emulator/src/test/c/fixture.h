/* SPDX-License-Identifier: Apache-2.0 */
/* The common fixture of many tests. A missing prerequisite ends the program. */
#ifndef DOCA_EMULATOR_FIXTURE_H_
#define DOCA_EMULATOR_FIXTURE_H_

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_dev.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <sched.h>
#include <time.h>

#include "check.h"

/* Declared as in programs. */
doca_error_t doca_emulator_set_faults(const char *text);

#define MAX_IDLE_ROUNDS 100
#define NS_PER_MS UINT64_C(1000000)

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
progress_or_rest(struct doca_pe *pe) {
    static _Thread_local unsigned idle_rounds;
    if (doca_pe_progress(pe) != 0) {
        idle_rounds = 0;
    } else if (++idle_rounds < MAX_IDLE_ROUNDS) {
        sched_yield();
    } else {
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
}

/* Opens the device of that name. */
static inline struct doca_dev *
open_device(const char *ibdev_name) {
    struct doca_devinfo **list;
    uint32_t num_devices;
    struct doca_dev *dev = NULL;
    REQUIRE_SUCCESS(doca_devinfo_create_list(&list, &num_devices));
    for (uint32_t i = 0; i < num_devices && dev == NULL; i++) {
        char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
        REQUIRE_SUCCESS(doca_devinfo_get_ibdev_name(list[i], name, sizeof(name)));
        if (strcmp(name, ibdev_name) == 0) {
            REQUIRE_SUCCESS(doca_dev_open(list[i], &dev));
        }
    }
    REQUIRE_SUCCESS(doca_devinfo_destroy_list(list));
    if (dev == NULL) {
        fprintf(stderr, "no device %s\n", ibdev_name);
        exit(EXIT_FAILURE);
    }
    return dev;
}

/* Creates a started map of the range, for one device or, with NULL, for none. */
static inline struct doca_mmap *
start_mmap(void *addr, size_t len, struct doca_dev *dev) {
    struct doca_mmap *mmap;
    REQUIRE_SUCCESS(doca_mmap_create(&mmap));
    if (dev != NULL) {
        REQUIRE_SUCCESS(doca_mmap_add_dev(mmap, dev));
    }
    REQUIRE_SUCCESS(doca_mmap_set_memrange(mmap, addr, len));
    REQUIRE_SUCCESS(doca_mmap_start(mmap));
    return mmap;
}

static inline struct doca_buf_inventory *
start_inventory(size_t num_elements) {
    struct doca_buf_inventory *inventory;
    REQUIRE_SUCCESS(doca_buf_inventory_create(num_elements, &inventory));
    REQUIRE_SUCCESS(doca_buf_inventory_start(inventory));
    return inventory;
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

/* Runs checks in their own process with this topology. */
static inline void
check_with_topology(const char *text, void (*checks)(void)) {
    char path[] = "/tmp/doca-topology-XXXXXX";
    const int fd = mkstemp(path);
    CHECK_EQUAL(strlen(text), write(fd, text, strlen(text)));
    close(fd);
    check_with_environment("DOCA_EMULATOR_TOPOLOGY", path, checks);
    unlink(path);
}

/* User data. */
static inline union doca_data
numbered(uint64_t number) {
    return (union doca_data){.u64 = number};
}

#endif /* DOCA_EMULATOR_FIXTURE_H_ */
