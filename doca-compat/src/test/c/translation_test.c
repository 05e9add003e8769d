/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the translation on a double of an old SDK.
 *
 *   translation_test DOUBLE LACKING    the double, and a library that lacks most of its functions
 */
#include <assert.h>
#include <dlfcn.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_buf_pool.h>
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_graph.h>
#include <doca_pe.h>

#include "old_sdk_double.h"
#include "recorded_events.h"
/* The double has the functions of later releases. */
#include "release_1_5.c"

#define NUM_TASKS 8

static struct old_sdk_double *sdk;
static struct doca_dev *const device = (struct doca_dev *)8;
static const struct doca_buf *const source = (const struct doca_buf *)16;
static struct doca_buf *const target = (struct doca_buf *)24;

static void
succeeded(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data) {
    assert(ctx_data.u64 == 77);
    assert(doca_task_get_status(doca_dma_task_memcpy_as_task(task)) == DOCA_SUCCESS);
    note("+%lu ", task_data.u64);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static void
failed(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data) {
    (void)ctx_data;
    assert(doca_task_get_status(doca_dma_task_memcpy_as_task(task)) == DOCA_ERROR_IO_FAILED);
    note("-%lu ", task_data.u64);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

struct lab {
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_ctx *ctx;
};

static struct lab
open_lab(void) {
    struct lab lab;
    *sdk = (struct old_sdk_double){.places = 64, .failing = -1};
    assert(doca_pe_create(&lab.pe) == DOCA_SUCCESS);
    assert(doca_dma_create(device, &lab.dma) == DOCA_SUCCESS);
    lab.ctx = doca_dma_as_ctx(lab.dma);
    assert(doca_ctx_set_user_data(lab.ctx, (union doca_data){.u64 = 77}) == DOCA_SUCCESS);
    assert(doca_ctx_set_state_changed_cb(lab.ctx, state_changed) == DOCA_SUCCESS);
    assert(doca_dma_task_memcpy_set_conf(lab.dma, succeeded, failed, NUM_TASKS) == DOCA_SUCCESS);
    assert(doca_ctx_start(lab.ctx) == DOCA_ERROR_NOT_CONNECTED);
    assert(doca_pe_connect_ctx(lab.pe, lab.ctx) == DOCA_SUCCESS);
    assert(doca_ctx_start(lab.ctx) == DOCA_SUCCESS);
    events[0] = '\0';
    return lab;
}

static void
close_lab(struct lab *lab) {
    assert(doca_dma_destroy(lab->dma) == DOCA_SUCCESS);
    assert(doca_pe_destroy(lab->pe) == DOCA_SUCCESS);
    assert(sdk->num_workqs == 0 && sdk->num_started == 0);
}

static doca_error_t
submit(struct lab *lab, uint64_t number) {
    struct doca_dma_task_memcpy *task;
    const doca_error_t result =
            doca_dma_task_memcpy_alloc_init(lab->dma, source, target, (union doca_data){.u64 = number}, &task);
    return result == DOCA_SUCCESS ? doca_task_submit(doca_dma_task_memcpy_as_task(task)) : result;
}

static void
drain(struct lab *lab) {
    while (doca_pe_progress(lab->pe) != 0) {
    }
}

static void
test_jobs_become_tasks(void) {
    struct lab lab = open_lab();
    assert(sdk->depth == NUM_TASKS + 1 && sdk->num_workqs == 1);
    for (uint64_t i = 0; i < NUM_TASKS; i++) {
        assert(submit(&lab, i) == DOCA_SUCCESS);
    }
    assert(submit(&lab, 9) == DOCA_ERROR_NO_MEMORY);
    drain(&lab);
    assert_events("+0 +1 +2 +3 +4 +5 +6 +7 ");
    assert(doca_ctx_stop(lab.ctx) == DOCA_SUCCESS);
    assert_events("IDLE ");
    close_lab(&lab);
}

static void
test_what_finds_no_place_waits_in_order(void) {
    struct lab lab = open_lab();
    sdk->places = 2;
    for (uint64_t i = 0; i < 5; i++) {
        assert(submit(&lab, i) == DOCA_SUCCESS);
    }
    assert(sdk->num_submitted == 2);
    drain(&lab);
    assert_events("+0 +1 +2 +3 +4 ");
    assert(doca_ctx_stop(lab.ctx) == DOCA_SUCCESS);
    close_lab(&lab);
}

static void
test_the_first_failure_stops_the_context(void) {
    struct lab lab = open_lab();
    sdk->failing = 1;
    for (uint64_t i = 0; i < 4; i++) {
        assert(submit(&lab, i) == DOCA_SUCCESS);
    }
    drain(&lab);
    assert_events("+0 -1 STOPPING -2 -3 IDLE ");
    sdk->failing = -1;
    assert(doca_ctx_start(lab.ctx) == DOCA_SUCCESS);
    assert(submit(&lab, 4) == DOCA_SUCCESS);
    drain(&lab);
    assert_events("RUNNING +4 ");
    assert(doca_ctx_stop(lab.ctx) == DOCA_SUCCESS);
    close_lab(&lab);
}

static void
test_a_stop_drains_the_queue_and_fails_what_waits(void) {
    struct lab lab = open_lab();
    sdk->places = 2;
    sdk->held = true;
    for (uint64_t i = 0; i < 4; i++) {
        assert(submit(&lab, i) == DOCA_SUCCESS);
    }
    assert(doca_ctx_stop(lab.ctx) == DOCA_ERROR_IN_PROGRESS);
    assert(submit(&lab, 5) == DOCA_ERROR_BAD_STATE);
    drain(&lab);
    assert_events("STOPPING -2 -3 ");
    assert(doca_dma_destroy(lab.dma) == DOCA_ERROR_BAD_STATE);
    sdk->held = false;
    drain(&lab);
    assert_events("+0 +1 IDLE ");
    close_lab(&lab);
}

static bool
is_readable(struct lab *lab) {
    struct pollfd handle = {.events = POLLIN};
    assert(doca_pe_get_notification_handle(lab->pe, &handle.fd) == DOCA_SUCCESS);
    return poll(&handle, 1, 0) == 1;
}

static void
await_idle(struct lab *lab) {
    enum doca_ctx_states state;
    do {
        drain(lab);
        assert(doca_ctx_get_state(lab->ctx, &state) == DOCA_SUCCESS);
    } while (state != DOCA_CTX_STATE_IDLE);
}

/* Another process accesses memory through the context. */
static void
test_a_stop_that_the_sdk_refuses_is_tried_again(void) {
    struct lab lab = open_lab();
    enum doca_ctx_states state;
    sdk->stop_result = DOCA_ERROR_IN_USE;
    assert(doca_ctx_stop(lab.ctx) == DOCA_ERROR_IN_PROGRESS);
    drain(&lab);
    assert_events("STOPPING ");
    assert(doca_ctx_get_state(lab.ctx, &state) == DOCA_SUCCESS && state == DOCA_CTX_STATE_STOPPING);
    assert(doca_ctx_stop(lab.ctx) == DOCA_ERROR_IN_PROGRESS);
    assert(doca_ctx_start(lab.ctx) == DOCA_ERROR_BAD_STATE);
    assert(doca_dma_destroy(lab.dma) == DOCA_ERROR_BAD_STATE);
    assert(doca_pe_request_notification(lab.pe) == DOCA_SUCCESS && is_readable(&lab));
    sdk->stop_result = DOCA_SUCCESS;
    await_idle(&lab);
    assert_events("IDLE ");
    assert(sdk->num_started == 0 && sdk->num_workqs == 0);
    assert(doca_ctx_start(lab.ctx) == DOCA_SUCCESS);
    assert_events("RUNNING ");
    assert(doca_ctx_stop(lab.ctx) == DOCA_SUCCESS);
    close_lab(&lab);
}

/* The context fails and then stops by itself. */
static void
test_a_stop_after_a_failure_is_tried_again(void) {
    struct lab lab = open_lab();
    sdk->failing = 0;
    sdk->stop_result = DOCA_ERROR_IN_USE;
    assert(submit(&lab, 0) == DOCA_SUCCESS);
    drain(&lab);
    assert_events("-0 STOPPING ");
    sdk->failing = -1;
    sdk->stop_result = DOCA_SUCCESS;
    await_idle(&lab);
    assert_events("IDLE ");
    close_lab(&lab);
}

/* Its jobs are still in the queue, which works again later. */
static void
test_a_failure_of_the_queue_stops_the_context(void) {
    struct lab lab = open_lab();
    assert(submit(&lab, 0) == DOCA_SUCCESS);
    sdk->retrieve_result = DOCA_ERROR_DRIVER;
    drain(&lab);
    assert_events("STOPPING ");
    drain(&lab);
    assert_events("");
    sdk->retrieve_result = DOCA_SUCCESS;
    drain(&lab);
    assert_events("+0 IDLE ");
    close_lab(&lab);
}

static void
test_one_handle_tells_of_all_queues(void) {
    struct lab lab = open_lab();
    assert(submit(&lab, 0) == DOCA_SUCCESS);
    sdk->held = true;
    assert(doca_pe_request_notification(lab.pe) == DOCA_SUCCESS);
    assert(!is_readable(&lab));
    assert(doca_pe_progress(lab.pe) == 0);
    /* A context that stops with an empty queue also notifies the program. */
    assert(doca_ctx_stop(lab.ctx) == DOCA_ERROR_IN_PROGRESS);
    assert(doca_pe_clear_notification(lab.pe, 0) == DOCA_SUCCESS);
    sdk->held = false;
    assert_events("STOPPING ");
    assert(doca_pe_destroy(lab.pe) == DOCA_ERROR_IN_USE);
    struct doca_pe *other;
    assert(doca_pe_create(&other) == DOCA_SUCCESS);
    assert(doca_pe_connect_ctx(other, lab.ctx) == DOCA_ERROR_NOT_PERMITTED);
    assert(doca_pe_destroy(other) == DOCA_SUCCESS);
}

/* Its queue does not exist when the engine is armed. */
static void
test_a_context_that_starts_later_notifies_too(void) {
    struct lab lab = open_lab();
    assert(doca_ctx_stop(lab.ctx) == DOCA_SUCCESS);
    assert(doca_pe_request_notification(lab.pe) == DOCA_SUCCESS);
    assert(doca_ctx_start(lab.ctx) == DOCA_SUCCESS);
    assert(!is_readable(&lab));
    assert(submit(&lab, 0) == DOCA_SUCCESS);
    assert(is_readable(&lab));
    assert(doca_pe_clear_notification(lab.pe, 0) == DOCA_SUCCESS);
    assert(!is_readable(&lab));
    drain(&lab);
    assert_events("IDLE RUNNING +0 ");
    assert(doca_ctx_stop(lab.ctx) == DOCA_SUCCESS);
    close_lab(&lab);
}

/* The SDK would return SUCCESS, and not stop it. */
static void
test_a_pool_stops_when_all_bufs_are_free(void) {
    struct doca_buf_pool *pool;
    assert(doca_buf_pool_create(4, 64, (const struct doca_mmap *)8, &pool) == DOCA_SUCCESS);
    assert(doca_buf_pool_stop(pool) == DOCA_SUCCESS);
    assert(doca_buf_pool_start(pool) == DOCA_SUCCESS);
    sdk->num_free = 3;
    assert(doca_buf_pool_stop(pool) == DOCA_ERROR_IN_USE);
    sdk->num_free = 4;
    assert(doca_buf_pool_stop(pool) == DOCA_SUCCESS);
    struct doca_buf *buf;
    assert(doca_buf_pool_buf_alloc(pool, &buf) == DOCA_ERROR_BAD_STATE);
    assert(doca_buf_pool_destroy(pool) == DOCA_SUCCESS);
}

static void
test_a_start_that_fails_leaves_nothing(void) {
    struct lab lab = open_lab();
    assert(doca_ctx_stop(lab.ctx) == DOCA_SUCCESS);
    sdk->start_result = DOCA_ERROR_DRIVER;
    sdk->num_started = -1;
    assert(doca_ctx_start(lab.ctx) == DOCA_ERROR_DRIVER);
    enum doca_ctx_states state;
    assert(doca_ctx_get_state(lab.ctx, &state) == DOCA_SUCCESS && state == DOCA_CTX_STATE_IDLE);
    close_lab(&lab);
}

static void
test_what_would_end_the_process_is_refused(void) {
    struct lab lab = open_lab();
    struct doca_dma_task_memcpy *task;
    assert(doca_pe_progress(NULL) == 0);
    assert(doca_ctx_start(NULL) == DOCA_ERROR_INVALID_VALUE);
    assert(doca_task_submit(NULL) == DOCA_ERROR_INVALID_VALUE);
    assert(doca_dma_create(NULL, &lab.dma) == DOCA_ERROR_INVALID_VALUE);
    assert(doca_dma_task_memcpy_alloc_init(lab.dma, NULL, target, (union doca_data){0}, &task) == DOCA_SUCCESS);
    struct doca_task *base = doca_dma_task_memcpy_as_task(task);
    assert(doca_task_submit(base) == DOCA_ERROR_INVALID_VALUE);
    doca_dma_task_memcpy_set_src(task, source);
    doca_dma_task_memcpy_set_dst(task, NULL);
    assert(doca_task_submit(base) == DOCA_ERROR_INVALID_VALUE);
    doca_task_free(base);
    assert(doca_task_submit(base) == DOCA_ERROR_INVALID_VALUE);
    assert(sdk->num_submitted == 0);
    assert(doca_ctx_stop(lab.ctx) == DOCA_SUCCESS);
    close_lab(&lab);
}

static void
graph_ended(struct doca_graph_instance *instance, union doca_data instance_data, union doca_data graph_data) {
    (void)instance;
    (void)instance_data;
    (void)graph_data;
}

/* A graph with one node, which runs a copy. */
static struct doca_graph *
create_graph(const struct lab *lab, struct doca_graph_node **node) {
    struct doca_graph *graph;
    assert(doca_graph_create(lab->pe, &graph) == DOCA_SUCCESS);
    assert(doca_graph_set_conf(graph, graph_ended, graph_ended, 1) == DOCA_SUCCESS);
    assert(doca_graph_node_create_from_ctx(graph, lab->ctx, node) == DOCA_SUCCESS);
    return graph;
}

static void
test_a_graph_does_not_start_with_a_destroyed_one(void) {
    struct lab lab = open_lab();
    struct doca_graph_node *node;
    struct doca_graph *inner = create_graph(&lab, &node);
    struct doca_graph *outer = create_graph(&lab, &node);
    assert(doca_graph_node_create_from_graph(outer, inner, &node) == DOCA_SUCCESS);
    assert(doca_graph_start(inner) == DOCA_SUCCESS);
    assert(doca_graph_stop(inner) == DOCA_SUCCESS);
    assert(doca_graph_destroy(inner) == DOCA_SUCCESS);
    assert(doca_graph_start(outer) == DOCA_ERROR_NOT_PERMITTED);
    assert(doca_graph_destroy(inner) == DOCA_ERROR_INVALID_VALUE);
    assert(doca_graph_destroy(outer) == DOCA_SUCCESS);
    assert(doca_ctx_stop(lab.ctx) == DOCA_SUCCESS);
    close_lab(&lab);
}

/* Restarts the context with pools of another size. */
static void
restart_with_more_tasks(struct lab *lab) {
    assert(doca_ctx_stop(lab->ctx) == DOCA_SUCCESS);
    assert(doca_dma_task_memcpy_set_conf(lab->dma, succeeded, failed, 8 * NUM_TASKS) == DOCA_SUCCESS);
    assert(doca_ctx_start(lab->ctx) == DOCA_SUCCESS);
}

static void
test_an_instance_does_not_run_with_a_freed_task(void) {
    struct lab lab = open_lab();
    struct doca_graph_node *node;
    struct doca_graph *graph = create_graph(&lab, &node);
    struct doca_graph_instance *instance;
    struct doca_dma_task_memcpy *task;
    assert(doca_graph_start(graph) == DOCA_SUCCESS);
    assert(doca_graph_instance_create(graph, &instance) == DOCA_SUCCESS);
    assert(doca_dma_task_memcpy_alloc_init(lab.dma, source, target, (union doca_data){0}, &task) == DOCA_SUCCESS);
    assert(doca_graph_instance_set_ctx_node_data(instance, node, doca_dma_task_memcpy_as_task(task)) == DOCA_SUCCESS);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    restart_with_more_tasks(&lab);
    assert(doca_graph_instance_submit(instance) == DOCA_ERROR_INVALID_VALUE);
    assert(doca_task_submit(doca_dma_task_memcpy_as_task(task)) == DOCA_ERROR_INVALID_VALUE);
    assert(doca_graph_instance_destroy(instance) == DOCA_SUCCESS);
    assert(doca_graph_instance_submit(instance) == DOCA_ERROR_INVALID_VALUE);
    assert(doca_graph_stop(graph) == DOCA_SUCCESS);
    assert(doca_graph_destroy(graph) == DOCA_SUCCESS);
    assert(doca_ctx_stop(lab.ctx) == DOCA_SUCCESS);
    close_lab(&lab);
}

static void
test_what_cannot_be_used_says_why(const char *lacking) {
    char *text = docajava_old_sdk_open("dma", lacking);
    assert(text != NULL && strncmp(text, "lacks 5 functions of its generation: doca_dma_create, doca_dma_destroy", 70) == 0);
    free(text);
    text = docajava_old_sdk_open("common", "/not/there.so");
    assert(text != NULL && strncmp(text, "was refused by the loader: /not/there.so", 40) == 0);
    free(text);
}

/* Bus 3, device 0, function 1. */
static doca_error_t
get_address(const struct doca_devinfo *devinfo, uint16_t *address) {
    (void)devinfo;
    *address = 0x2003;
    return DOCA_SUCCESS;
}

static doca_error_t
get_rep_address(const struct doca_devinfo_rep *devinfo_rep, uint16_t *address) {
    (void)devinfo_rep;
    return get_address(NULL, address);
}

static void
check_address(const char *text, uint8_t expected) {
    uint8_t is_equal = 2;
    assert(is_pci_addr_equal(NULL, text, &is_equal) == DOCA_SUCCESS && is_equal == expected);
    is_equal = 2;
    assert(rep_is_pci_addr_equal(NULL, text, &is_equal) == DOCA_SUCCESS && is_equal == expected);
}

static void
test_a_pci_address_may_have_no_domain(void) {
    uint8_t is_equal;
    release.get_pci_addr = get_address;
    release.rep_get_pci_addr = get_rep_address;
    check_address("0000:03:00.1", 1);
    check_address("0001:03:00.1", 0);
    check_address("03:00.1", 1);
    check_address("03:00.0", 0);
    check_address("03:01.1", 0);
    check_address("00:03.1", 0);
    check_address("zz:00.1", 0);
    assert(is_pci_addr_equal(NULL, NULL, &is_equal) == DOCA_ERROR_INVALID_VALUE);
    assert(is_pci_addr_equal(NULL, "", &is_equal) == DOCA_ERROR_INVALID_VALUE);
    assert(is_pci_addr_equal(NULL, "3:00.1", &is_equal) == DOCA_ERROR_INVALID_VALUE);
    assert(is_pci_addr_equal(NULL, "03:00", &is_equal) == DOCA_ERROR_INVALID_VALUE);
    assert(is_pci_addr_equal(NULL, "03:00.1 ", &is_equal) == DOCA_ERROR_INVALID_VALUE);
}

static doca_error_t
create_map(const union doca_data *user_data, struct doca_mmap **mmap) {
    (void)user_data;
    *mmap = (struct doca_mmap *)32;
    return DOCA_SUCCESS;
}

static doca_error_t
destroy_map(struct doca_mmap *mmap) {
    (void)mmap;
    return DOCA_SUCCESS;
}

static doca_error_t
export_map(struct doca_mmap *mmap, const struct doca_dev *dev, void **export_desc, size_t *export_desc_len) {
    static int number;
    (void)mmap;
    (void)dev;
    *export_desc_len = asprintf((char **)export_desc, "%d", ++number);
    return DOCA_SUCCESS;
}

/* What the last map was asked for: s(tart), a(dd), r(emove), p(opulate). */
static char map_calls[16];

static doca_error_t
note_call(char call) {
    const size_t length = strlen(map_calls);
    assert(length + 1 < sizeof(map_calls));
    map_calls[length] = call;
    return DOCA_SUCCESS;
}

static doca_error_t
start_map(struct doca_mmap *mmap) {
    (void)mmap;
    return note_call('s');
}

static doca_error_t
add_to_map(struct doca_mmap *mmap, struct doca_dev *dev) {
    (void)mmap;
    assert(dev == device);
    return note_call('a');
}

static doca_error_t
remove_from_map(struct doca_mmap *mmap, struct doca_dev *dev) {
    (void)mmap;
    assert(dev == device);
    return note_call('r');
}

static doca_error_t
populate_map(
        struct doca_mmap *mmap, void *addr, size_t len, size_t pg_sz, doca_mmap_memrange_free_cb_t *free_cb, void *opaque) {
    (void)mmap;
    (void)pg_sz;
    (void)free_cb;
    (void)opaque;
    assert(addr == map_calls && len == sizeof(map_calls));
    return note_call('p');
}

/* Release 1.5 adds devices to started maps only. */
static void
test_devices_are_added_after_the_start(void) {
    struct doca_mmap *mmap;
    struct doca_dev *other = (struct doca_dev *)map_calls;
    release.mmap_create = create_map;
    release.mmap_destroy = destroy_map;
    release.mmap_start = start_map;
    release.mmap_dev_add = add_to_map;
    release.mmap_dev_rm = remove_from_map;
    release.mmap_populate = populate_map;
    assert(create(NULL, &mmap) == DOCA_SUCCESS);
    assert(set_memrange(mmap, map_calls, sizeof(map_calls)) == DOCA_SUCCESS);
    assert(dev_add(mmap, NULL) == DOCA_ERROR_INVALID_VALUE);
    assert(dev_add(mmap, device) == DOCA_SUCCESS);
    assert(dev_add(mmap, device) == DOCA_ERROR_NO_MEMORY);
    assert(dev_add(mmap, other) == DOCA_SUCCESS);
    assert(dev_rm(mmap, other) == DOCA_SUCCESS);
    assert(dev_rm(mmap, other) == DOCA_ERROR_NOT_FOUND);
    assert(strcmp(map_calls, "") == 0);
    assert(start(mmap) == DOCA_SUCCESS);
    assert(strcmp(map_calls, "sap") == 0);
    assert(start(mmap) == DOCA_SUCCESS);
    assert(dev_rm(mmap, device) == DOCA_SUCCESS);
    assert(dev_add(mmap, device) == DOCA_SUCCESS);
    assert(strcmp(map_calls, "sapsra") == 0);
    assert(destroy(mmap) == DOCA_SUCCESS);
}

/* Release 1.5 exports a map once. */
static void
test_the_descriptor_lives_as_long_as_its_map(void) {
    struct doca_mmap *mmap;
    const void *first;
    const void *second;
    size_t length;
    release.mmap_create = create_map;
    release.mmap_destroy = destroy_map;
    release.mmap_export = export_map;
    assert(create(NULL, &mmap) == DOCA_SUCCESS);
    assert(export_dpu(mmap, device, &first, &length) == DOCA_ERROR_NOT_PERMITTED);
    assert(set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_ONLY) == DOCA_SUCCESS);
    assert(export_dpu(mmap, device, &first, &length) == DOCA_SUCCESS);
    assert(export_dpu(mmap, device, &second, &length) == DOCA_SUCCESS);
    assert(strcmp(first, "1") == 0 && second == first && length == 1);
    assert(destroy(mmap) == DOCA_SUCCESS);
}

int
main(int count, char **arguments) {
    assert(count == 3);
    test_what_cannot_be_used_says_why(arguments[2]);
    test_a_pci_address_may_have_no_domain();
    test_devices_are_added_after_the_start();
    test_the_descriptor_lives_as_long_as_its_map();
    assert(docajava_old_sdk_open("common", arguments[1]) == NULL);
    assert(docajava_old_sdk_open("dma", arguments[1]) == NULL);
    sdk = dlsym(dlopen(arguments[1], RTLD_NOW), "old_sdk_double");
    test_jobs_become_tasks();
    test_what_finds_no_place_waits_in_order();
    test_the_first_failure_stops_the_context();
    test_a_stop_drains_the_queue_and_fails_what_waits();
    test_a_stop_that_the_sdk_refuses_is_tried_again();
    test_a_stop_after_a_failure_is_tried_again();
    test_a_start_that_fails_leaves_nothing();
    test_what_would_end_the_process_is_refused();
    test_a_failure_of_the_queue_stops_the_context();
    test_a_graph_does_not_start_with_a_destroyed_one();
    test_an_instance_does_not_run_with_a_freed_task();
    test_a_context_that_starts_later_notifies_too();
    test_a_pool_stops_when_all_bufs_are_free();
    test_one_handle_tells_of_all_queues();
    puts("translation_test: passed");
    return 0;
}
