/* SPDX-License-Identifier: Apache-2.0 */
/* Sync events of one process: their configuration, their life cycle, and their calls. */
#include <errno.h>
#include <pthread.h>

#include "../../main/c/common/shared_lock.h"
#include "descriptors.h"
#include "page.h"
#include "sync_event_fixture.h"

static struct doca_dev *other_dev;

static struct doca_sync_event *
create(void) {
    struct doca_sync_event *event = NULL;
    REQUIRE_SUCCESS(doca_sync_event_create(&event));
    return event;
}

static struct doca_sync_event *
start(uint64_t *addr) {
    struct doca_sync_event *event = create_configured(addr);
    REQUIRE_SUCCESS(doca_sync_event_start(event));
    return event;
}

static void
end(struct doca_sync_event *event) {
    CHECK_SUCCESS(doca_sync_event_stop(event));
    CHECK_SUCCESS(doca_sync_event_destroy(event));
}

/*
 * Life
 */

static void
test_create(void) {
    struct doca_sync_event *event = create();
    CHECK_SUCCESS(doca_sync_event_destroy(event));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "was destroyed before", doca_sync_event_destroy(event));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "sync event is NULL", doca_sync_event_destroy(NULL));
}

static void
test_locations(void) {
    struct doca_sync_event *event = create();
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "sync event is NULL",
                  doca_sync_event_add_publisher_location_cpu(NULL, dev));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_sync_event_add_publisher_location_remote_pci(NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_sync_event_add_publisher_location_remote_net(NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_sync_event_add_subscriber_location_cpu(NULL, dev));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "sync event is NULL",
                  doca_sync_event_add_subscriber_location_remote_pci(NULL));
    CHECK_SUCCESS(doca_sync_event_add_publisher_location_cpu(event, dev));
    CHECK_SUCCESS(doca_sync_event_add_subscriber_location_cpu(event, other_dev));
    CHECK_SUCCESS(doca_sync_event_add_publisher_location_remote_pci(event));
    CHECK_REFUSED(DOCA_ERROR_NOT_PERMITTED, "cannot both be remote",
                  doca_sync_event_add_subscriber_location_remote_pci(event));
    /* The event uses the devices, and only the last one of each location. */
    CHECK_REFUSED(DOCA_ERROR_IN_USE, "", doca_dev_close(other_dev));
    CHECK_SUCCESS(doca_sync_event_add_subscriber_location_cpu(event, dev));
    CHECK_SUCCESS(doca_sync_event_add_publisher_location_cpu(event, other_dev));
    CHECK_REFUSED(DOCA_ERROR_IN_USE, "", doca_dev_close(other_dev));
    CHECK_SUCCESS(doca_sync_event_destroy(event));
}

static void
test_accelerators(void) {
    struct doca_sync_event *event = create();
    const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
    doca_dpa_dev_sync_event_t dpa_handle;
    doca_gpu_dev_sync_event_t *gpu_handle;
    CHECK_REFUSED(DOCA_ERROR_NOT_SUPPORTED, "the emulator has no DPA",
                  doca_sync_event_add_publisher_location_dpa(event, NULL));
    CHECK_REFUSED(DOCA_ERROR_NOT_SUPPORTED, "the emulator has no DPA",
                  doca_sync_event_add_subscriber_location_dpa(event, NULL));
    CHECK_REFUSED(DOCA_ERROR_NOT_SUPPORTED, "the emulator has no GPU",
                  doca_sync_event_add_publisher_location_gpu(event, NULL));
    CHECK_REFUSED(DOCA_ERROR_NOT_SUPPORTED, "the emulator has no GPU",
                  doca_sync_event_add_subscriber_location_gpu(event, NULL));
    CHECK_REFUSED(DOCA_ERROR_NOT_SUPPORTED, "the emulator has no DPA",
                  doca_sync_event_get_dpa_handle(event, NULL, &dpa_handle));
    CHECK_REFUSED(DOCA_ERROR_NOT_SUPPORTED, "the emulator has no GPU",
                  doca_sync_event_get_gpu_handle(event, NULL, &gpu_handle));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_sync_event_cap_is_export_to_dpa_supported(info));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_sync_event_cap_is_export_to_gpu_supported(info));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_sync_event_cap_remote_net_is_export_to_dpa_supported(info));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_sync_event_cap_remote_net_is_export_to_gpu_supported(info));
    CHECK_SUCCESS(doca_sync_event_destroy(event));
}

static void
test_capabilities(void) {
    const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
    CHECK_SUCCESS(doca_sync_event_cap_is_create_from_export_supported(info));
    CHECK_SUCCESS(doca_sync_event_cap_is_export_to_remote_pci_supported(info));
    CHECK_SUCCESS(doca_sync_event_cap_is_export_to_remote_net_supported(info));
    CHECK_SUCCESS(doca_sync_event_cap_remote_net_is_create_from_export_supported(info));
    CHECK_SUCCESS(doca_sync_event_cap_task_get_is_supported(info));
    CHECK_SUCCESS(doca_sync_event_cap_task_notify_add_is_supported(info));
    CHECK_SUCCESS(doca_sync_event_cap_task_notify_set_is_supported(info));
    CHECK_SUCCESS(doca_sync_event_cap_task_wait_eq_is_supported(info));
    CHECK_SUCCESS(doca_sync_event_cap_task_wait_neq_is_supported(info));
    check_nothing_logged();
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "is NULL", doca_sync_event_cap_is_export_to_remote_pci_supported(NULL));
}

static void
test_states(void) {
    uint64_t value;
    struct doca_sync_event *event = create_configured(NULL);
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "is not started for calls", doca_sync_event_get(event, &value));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_sync_event_update_set(event, 1));
    CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_sync_event_update_add(event, 1, &value));
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "is not started for calls", doca_sync_event_wait_eq(event, 0, ALL));
    CHECK_SUCCESS(doca_sync_event_start(event));
    CHECK_SUCCESS(doca_sync_event_stop(event));
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "Failed to add a location: has already been started",
                  doca_sync_event_add_publisher_location_remote_pci(event));
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "Failed to start: has already been started", doca_sync_event_start(event));
    CHECK_SUCCESS(doca_sync_event_destroy(event));
    check_nothing_logged();
}

static void
ignore_set(struct doca_sync_event_task_notify_set *task, union doca_data task_data, union doca_data ctx_data) {
    (void)task;
    (void)task_data;
    (void)ctx_data;
}

/* Connects a configured event with one task to an engine, as a context. */
static struct doca_ctx *
connect_ctx(struct doca_sync_event *event, struct doca_pe *pe) {
    struct doca_ctx *ctx = doca_sync_event_as_ctx(event);
    REQUIRE_SUCCESS(doca_sync_event_task_notify_set_set_conf(event, ignore_set, ignore_set, 1));
    REQUIRE_SUCCESS(doca_pe_connect_ctx(pe, ctx));
    return ctx;
}

/*
 * Memory
 */

/* Freed memory cannot be read; the event stays usable without it. */
static void
test_freed_memory(void) {
    uint64_t value = 3;
    uint64_t *page = map_page();
    struct doca_sync_event *event = start(page);
    struct doca_sync_event *second = start(page);
    CHECK_SUCCESS(doca_sync_event_update_set(event, 7));
    CHECK_EQUAL(7, *page);
    unmap_page(page);
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "has been freed", doca_sync_event_get(event, &value));
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "has been freed", doca_sync_event_update_set(event, 8));
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "has been freed", doca_sync_event_update_add(event, 1, &value));
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "has been freed", doca_sync_event_wait_eq(event, 7, ALL));
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "has been freed", doca_sync_event_wait_gt_yield(event, 1, ALL));
    CHECK_EQUAL(3, value);
    end(event);
    CHECK_SUCCESS(doca_sync_event_destroy(second));
    check_logged("has been freed");
}

#define FULL_ACCESS \
    (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | \
     DOCA_ACCESS_FLAG_RDMA_ATOMIC)

static void
test_no_files(void) {
    struct doca_sync_event *event = create_configured(NULL);
    const struct rlimit limit = set_descriptor_limit(0);
    const doca_error_t result = doca_sync_event_start(event);
    restore_descriptors(&limit);
    CHECK_REFUSED(DOCA_ERROR_OPERATING_SYSTEM, ": /proc cannot be read: Too many open files", result);
    CHECK_SUCCESS(doca_sync_event_start(event));
    end(event);
}

static void
test_lock_errors(void) {
    CHECK_STRING("its holder, which may be suspended, has not let go of it for 5 s",
                 shared_lock_describe_error(ETIMEDOUT));
    CHECK_STRING("State not recoverable", shared_lock_describe_error(ENOTRECOVERABLE));
}

static void
test_buffer(void) {
    static _Alignas(64) uint64_t words[8];
    uint64_t fetched;
    const uint8_t *data;
    size_t sz;
    inventory = start_inventory(4);
    struct doca_mmap *mmap = start_permitted(words, sizeof(words), dev, FULL_ACCESS);
    struct doca_buf *buf = data_of(mmap, &words[1], 8);
    struct doca_buf *odd = data_of(mmap, (uint8_t *)words + 20, 8);
    struct doca_buf *empty = space_of(mmap, &words[4], 8);
    struct doca_sync_event *event = create_configured(NULL);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_sync_event_set_doca_buf(event, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_sync_event_set_doca_buf(NULL, buf));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "is no address that is a multiple of 8",
                  doca_sync_event_set_doca_buf(event, odd));
    CHECK_REFUSED(DOCA_ERROR_NOT_PERMITTED, "has 0 bytes, not 8", doca_sync_event_set_doca_buf(event, empty));
    CHECK_SUCCESS(doca_buf_chain_list(odd, empty));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "is of a list", doca_sync_event_set_doca_buf(event, odd));
    CHECK_SUCCESS(doca_buf_dec_refcount(odd, NULL));
    CHECK_SUCCESS(doca_sync_event_add_publisher_location_remote_pci(event));
    CHECK_SUCCESS(doca_sync_event_set_doca_buf(event, buf));
    CHECK_SUCCESS(doca_sync_event_start(event));
    CHECK_SUCCESS(doca_sync_event_update_set(event, UINT64_MAX));
    CHECK_SUCCESS(doca_sync_event_update_add(event, 2, &fetched));
    CHECK_EQUAL(1, words[1]);
    CHECK_REFUSED(DOCA_ERROR_NOT_PERMITTED, "its buffer lacks the permission PCI_READ_WRITE",
                  doca_sync_event_export_to_remote_pci(event, dev, &data, &sz));
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "has already been started", doca_sync_event_set_doca_buf(event, buf));
    end(event);
    CHECK_SUCCESS(doca_buf_dec_refcount(buf, NULL));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
}

static void
test_buffer_needs_permissions(void) {
    static _Alignas(64) uint64_t words[8];
    inventory = start_inventory(1);
    struct doca_mmap *mmap = start_permitted(words, sizeof(words), dev, FULL_ACCESS & ~DOCA_ACCESS_FLAG_RDMA_ATOMIC);
    struct doca_buf *buf = data_of(mmap, words, 8);
    struct doca_sync_event *event = create_configured(NULL);
    CHECK_REFUSED(DOCA_ERROR_NOT_PERMITTED, "has the permissions 0x7, needs 0xf",
                  doca_sync_event_set_doca_buf(event, buf));
    CHECK_SUCCESS(doca_sync_event_destroy(event));
    CHECK_SUCCESS(doca_buf_dec_refcount(buf, NULL));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
}

/*
 * Waits
 */

static void
test_waits_that_never_hold(void) {
    struct doca_sync_event *event = start(NULL);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "with the mask 0xff the condition on 0x100 never holds",
                  doca_sync_event_wait_eq(event, 0x100, 0xff));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "never holds", doca_sync_event_wait_gt(event, ALL, ALL));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "never holds", doca_sync_event_wait_neq(event, 0, 0));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_sync_event_wait_eq(NULL, 0, ALL));
    end(event);
}

struct waiter {
    struct doca_sync_event *event;
    doca_error_t (*wait)(struct doca_sync_event *event, uint64_t value, uint64_t mask);
    uint64_t value;
    doca_error_t result;
};

static void *
run_waiter(void *argument) {
    struct waiter *waiter = argument;
    waiter->result = waiter->wait(waiter->event, waiter->value, ALL);
    return NULL;
}

/* A context stops when no call of another thread is in progress. */
static void
test_a_call_delays_the_stop_of_a_context(void) {
    struct waiter waiter = {.wait = doca_sync_event_wait_eq, .value = 7};
    pthread_t thread;
    struct doca_pe *pe;
    doca_error_t stopped = DOCA_SUCCESS;
    REQUIRE_SUCCESS(doca_pe_create(&pe));
    while (stopped == DOCA_SUCCESS) {
        waiter.event = create_configured(NULL);
        struct doca_ctx *ctx = connect_ctx(waiter.event, pe);
        CHECK_SUCCESS(doca_ctx_start(ctx));
        CHECK_EQUAL(0, pthread_create(&thread, NULL, run_waiter, &waiter));
        sched_yield();
        stopped = doca_ctx_stop(ctx);
        if (stopped == DOCA_SUCCESS) {
            /* The wait had not begun, and finds the event stopped. */
            pthread_join(thread, NULL);
            CHECK_ERROR(DOCA_ERROR_BAD_STATE, waiter.result);
            CHECK_SUCCESS(doca_sync_event_destroy(waiter.event));
        }
    }
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, stopped);
    CHECK_EQUAL(0, doca_pe_progress(pe));
    CHECK_SUCCESS(doca_sync_event_update_set(waiter.event, 7));
    pthread_join(thread, NULL);
    CHECK_SUCCESS(waiter.result);
    CHECK_EQUAL(1, doca_pe_progress(pe));
    CHECK_SUCCESS(doca_sync_event_destroy(waiter.event));
    CHECK_SUCCESS(doca_pe_destroy(pe));
    last_error[0] = '\0';
}

/* A wait returns neither before the value is set nor much later. During the wait the event cannot be stopped. */
static void
check_wait(struct waiter waiter, uint64_t value) {
    pthread_t thread;
    doca_error_t stopped = DOCA_SUCCESS;
    while (stopped == DOCA_SUCCESS) {
        waiter.event = start(NULL);
        CHECK_SUCCESS(doca_sync_event_update_set(waiter.event, 1));
        CHECK_EQUAL(0, pthread_create(&thread, NULL, run_waiter, &waiter));
        sched_yield();
        stopped = doca_sync_event_stop(waiter.event);
        if (stopped == DOCA_SUCCESS) {
            /* The wait had not begun, and finds the event stopped. */
            pthread_join(thread, NULL);
            CHECK_ERROR(DOCA_ERROR_BAD_STATE, waiter.result);
            CHECK_SUCCESS(doca_sync_event_destroy(waiter.event));
        }
    }
    CHECK_ERROR(DOCA_ERROR_IN_USE, stopped);
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_sync_event_destroy(waiter.event));
    CHECK_SUCCESS(doca_sync_event_update_set(waiter.event, value));
    pthread_join(thread, NULL);
    CHECK_SUCCESS(waiter.result);
    end(waiter.event);
    last_error[0] = '\0';
}

static void
test_waits(void) {
    check_wait((struct waiter){.wait = doca_sync_event_wait_eq, .value = 2}, 2);
    check_wait((struct waiter){.wait = doca_sync_event_wait_eq_yield, .value = 2}, 2);
    check_wait((struct waiter){.wait = doca_sync_event_wait_neq, .value = 1}, 0);
    check_wait((struct waiter){.wait = doca_sync_event_wait_neq_yield, .value = 1}, 0);
    check_wait((struct waiter){.wait = doca_sync_event_wait_gt, .value = 1}, 2);
    check_wait((struct waiter){.wait = doca_sync_event_wait_gt_yield, .value = 1}, UINT64_MAX);
}

/*
 * Threads
 */

#define NUM_THREADS 4
#define NUM_ADDS 5000

static void *
add_many(void *event) {
    uint64_t fetched;
    for (int i = 0; i < NUM_ADDS; i++) {
        CHECK_SUCCESS(doca_sync_event_update_add(event, 1, &fetched));
    }
    return NULL;
}

static void
check_sum(uint64_t *addr) {
    pthread_t threads[NUM_THREADS];
    struct doca_sync_event *event = start(addr);
    for (int i = 0; i < NUM_THREADS; i++) {
        CHECK_EQUAL(0, pthread_create(&threads[i], NULL, add_many, event));
    }
    CHECK_SUCCESS(doca_sync_event_wait_eq_yield(event, NUM_THREADS * NUM_ADDS, ALL));
    for (int i = 0; i < NUM_THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    CHECK_EQUAL(NUM_THREADS * NUM_ADDS, get(event));
    end(event);
}

static void
test_sums(void) {
    uint64_t word = 0;
    check_sum(NULL);
    check_sum(&word);
}

static void
test_null(void) {
    uint64_t value;
    struct doca_sync_event *event = start(NULL);
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_sync_event_get(NULL, &value));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_sync_event_update_add(NULL, 1, &value));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_sync_event_update_set(NULL, 1));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_sync_event_set_addr(NULL, &value));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_sync_event_start(NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_sync_event_stop(NULL));
    CHECK_POINTER(NULL, doca_sync_event_as_ctx(NULL));
    check_logged("sync event is NULL");
    CHECK_EQUAL(0, get(event));
    end(event);
}

int
main(void) {
    keep_errors();
    dev = open_device("mlx5_0");
    other_dev = open_device("mlx5_1");
    test_create();
    test_locations();
    test_accelerators();
    test_capabilities();
    test_states();
    test_a_call_delays_the_stop_of_a_context();
    test_freed_memory();
    test_no_files();
    test_lock_errors();
    test_buffer();
    test_buffer_needs_permissions();
    test_waits_that_never_hold();
    test_waits();
    test_sums();
    test_null();
    CHECK_SUCCESS(doca_dev_close(other_dev));
    CHECK_SUCCESS(doca_dev_close(dev));
    return check_result();
}
