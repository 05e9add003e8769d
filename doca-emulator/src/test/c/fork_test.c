/* SPDX-License-Identifier: Apache-2.0 */
/* Children that are forked while another thread is inside the libraries, and may hold any lock of them. */
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_sync_event.h>

#include "fixture.h"
#include "forks.h"

/* Of each act, so that a fork often comes during one of them. */
#define NUM_REPETITIONS 20

static struct doca_dev *dev;

static void
ended(struct doca_dma_task_memcpy *task, union doca_data task_data, union doca_data ctx_data) {
    (void)task_data;
    (void)ctx_data;
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static void
open_and_close_devices(void) {
    for (int i = 0; i < NUM_REPETITIONS; i++) {
        CHECK_SUCCESS(doca_dev_close(open_device("mlx5_1")));
    }
}

static void
create_and_destroy_objects(void) {
    for (int i = 0; i < NUM_REPETITIONS; i++) {
        CHECK_SUCCESS(doca_buf_inventory_destroy(start_inventory(8)));
    }
}

/* Each has its word, which no other act has. */
static void
start_and_stop_events(void) {
    uint64_t word = 0;
    for (int i = 0; i < NUM_REPETITIONS; i++) {
        struct doca_sync_event *event;
        REQUIRE_SUCCESS(doca_sync_event_create(&event));
        CHECK_SUCCESS(doca_sync_event_add_publisher_location_cpu(event, dev));
        CHECK_SUCCESS(doca_sync_event_add_subscriber_location_cpu(event, dev));
        CHECK_SUCCESS(doca_sync_event_set_addr(event, &word));
        CHECK_SUCCESS(doca_sync_event_start(event));
        CHECK_SUCCESS(doca_sync_event_stop(event));
        CHECK_SUCCESS(doca_sync_event_destroy(event));
    }
}

static void
start_and_stop_contexts(void) {
    for (int i = 0; i < NUM_REPETITIONS; i++) {
        struct doca_pe *pe;
        struct doca_dma *dma;
        REQUIRE_SUCCESS(doca_pe_create(&pe));
        REQUIRE_SUCCESS(doca_dma_create(dev, &dma));
        CHECK_SUCCESS(doca_dma_task_memcpy_set_conf(dma, ended, ended, 8));
        CHECK_SUCCESS(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
        CHECK_SUCCESS(doca_ctx_start(doca_dma_as_ctx(dma)));
        CHECK_SUCCESS(doca_ctx_stop(doca_dma_as_ctx(dma)));
        CHECK_SUCCESS(doca_dma_destroy(dma));
        CHECK_SUCCESS(doca_pe_destroy(pe));
    }
}

static void
set_faults(void) {
    for (int i = 0; i < NUM_REPETITIONS; i++) {
        CHECK_SUCCESS(doca_emulator_set_faults("delay=1ms"));
        CHECK_SUCCESS(doca_emulator_set_faults(NULL));
    }
}

int
main(void) {
    dev = open_device("mlx5_0");
    check_children_can(open_and_close_devices);
    check_children_can(create_and_destroy_objects);
    check_children_can(start_and_stop_events);
    check_children_can(start_and_stop_contexts);
    check_children_can(set_faults);
    CHECK_SUCCESS(doca_dev_close(dev));
    return check_result();
}
