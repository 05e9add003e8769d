/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program of release 2.5: what the headers of later releases, from which the rules of doca-conformance are compiled, declare
 * otherwise or no longer. It calls only the SDK, and also runs on the real libraries.
 */
#include <sched.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <doca_rdma.h>
#include <doca_sync_event.h>
#include <doca_version.h>

#include "../check.h"

#define PERMISSIONS \
    (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | \
     DOCA_ACCESS_FLAG_RDMA_ATOMIC)
#define MEMORY_SIZE 4096

struct side {
    struct doca_rdma *rdma;
    struct doca_ctx *ctx;
    const void *details;
    size_t details_size;
};

static _Alignas(4096) uint8_t memory[MEMORY_SIZE];
static struct doca_dev *dev;
static struct doca_pe *pe;
static struct doca_mmap *mmap;
static struct doca_buf_inventory *inventory;

static int num_succeeded;
static int num_failed;

static void
on_success(struct doca_rdma_task_remote_net_sync_event_get *task, union doca_data task_data, union doca_data ctx_data) {
    (void)task;
    (void)task_data;
    (void)ctx_data;
    num_succeeded++;
}

static void
on_failure(struct doca_rdma_task_remote_net_sync_event_get *task, union doca_data task_data, union doca_data ctx_data) {
    (void)task;
    (void)task_data;
    (void)ctx_data;
    num_failed++;
}

static struct side
create_side(void) {
    struct side side;
    bool grh = false;
    REQUIRE_SUCCESS(doca_rdma_create(dev, &side.rdma));
    side.ctx = doca_rdma_as_ctx(side.rdma);
    REQUIRE_SUCCESS(doca_pe_connect_ctx(pe, side.ctx));
    REQUIRE_SUCCESS(doca_rdma_set_permissions(side.rdma, PERMISSIONS));
    REQUIRE_SUCCESS(doca_rdma_set_grh_enabled(side.rdma, true));
    REQUIRE_SUCCESS(doca_rdma_get_grh_enabled(side.rdma, &grh));
    CHECK(grh);
    REQUIRE_SUCCESS(doca_rdma_task_remote_net_sync_event_get_set_conf(side.rdma, on_success, on_failure, 1));
    return side;
}

static void
start_side(struct side *side) {
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(side->ctx));
    REQUIRE_SUCCESS(doca_rdma_export(side->rdma, &side->details, &side->details_size));
}

static enum doca_ctx_states
state_of(const struct side *side) {
    enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;
    REQUIRE_SUCCESS(doca_ctx_get_state(side->ctx, &state));
    return state;
}

static void
connect_sides(struct side *near, struct side *far) {
    start_side(near);
    start_side(far);
    REQUIRE_SUCCESS(doca_rdma_connect(near->rdma, far->details, far->details_size));
    REQUIRE_SUCCESS(doca_rdma_connect(far->rdma, near->details, near->details_size));
    while (state_of(near) != DOCA_CTX_STATE_RUNNING || state_of(far) != DOCA_CTX_STATE_RUNNING) {
        (void)doca_pe_progress(pe);
    }
}

static void
stop_side(struct side *side) {
    doca_error_t result = doca_ctx_stop(side->ctx);
    CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS);
    while (state_of(side) != DOCA_CTX_STATE_IDLE) {
        (void)doca_pe_progress(pe);
    }
}

/* Progresses until the task in flight has succeeded. */
static void
await(void) {
    while (num_succeeded + num_failed == 0) {
        if (doca_pe_progress(pe) == 0) {
            sched_yield();
        }
    }
    CHECK_EQUAL(0, num_failed);
    num_succeeded = 0;
    num_failed = 0;
}

/* A second get into the same buffer has no room after the data of the first one. It succeeds and reads nothing. */
static void
check_event(const struct side *near) {
    struct doca_sync_event *event;
    struct doca_sync_event_remote_net *remote;
    const uint8_t *export;
    size_t size;
    const uint64_t *value = (const uint64_t *)(memory + 320);
    struct doca_rdma_task_remote_net_sync_event_get *get;
    struct doca_buf *target;
    REQUIRE_SUCCESS(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory + 320, 8, &target));
    REQUIRE_SUCCESS(doca_sync_event_create(&event));
    REQUIRE_SUCCESS(doca_sync_event_add_subscriber_location_cpu(event, dev));
    REQUIRE_SUCCESS(doca_sync_event_add_publisher_location_remote_net(event));
    REQUIRE_SUCCESS(doca_sync_event_start(event));
    REQUIRE_SUCCESS(doca_sync_event_export_to_remote_net(event, &export, &size));
    REQUIRE_SUCCESS(doca_sync_event_remote_net_create_from_export(dev, export, size, &remote));

    REQUIRE_SUCCESS(doca_rdma_task_remote_net_sync_event_get_allocate_init(near->rdma, remote, target,
                                                                           (union doca_data){.u64 = 1}, &get));
    struct doca_task *task = doca_rdma_task_remote_net_sync_event_get_as_task(get);
    CHECK_SUCCESS(doca_sync_event_update_set(event, 7));
    CHECK_SUCCESS(doca_task_submit(task));
    await();
    CHECK_EQUAL(7, *value);
    CHECK_SUCCESS(doca_sync_event_update_set(event, 8));
    CHECK_SUCCESS(doca_task_submit(task));
    await();
    CHECK_EQUAL(7, *value);
    CHECK_SUCCESS(doca_buf_reset_data_len(target));
    CHECK_SUCCESS(doca_task_submit(task));
    await();
    CHECK_EQUAL(8, *value);

    doca_task_free(task);
    CHECK_SUCCESS(doca_buf_dec_refcount(target, NULL));
    CHECK_SUCCESS(doca_sync_event_remote_net_destroy(remote));
    CHECK_SUCCESS(doca_sync_event_stop(event));
    CHECK_SUCCESS(doca_sync_event_destroy(event));
}

static void
open_device(void) {
    struct doca_devinfo **list;
    uint32_t count;
    REQUIRE_SUCCESS(doca_devinfo_create_list(&list, &count));
    for (uint32_t i = 0; i < count && dev == NULL; i++) {
        if (doca_rdma_cap_task_send_is_supported(list[i]) == DOCA_SUCCESS) {
            REQUIRE_SUCCESS(doca_dev_open(list[i], &dev));
        }
    }
    REQUIRE_SUCCESS(doca_devinfo_destroy_list(list));
}

static void
open_memory(void) {
    REQUIRE_SUCCESS(doca_mmap_create(&mmap));
    REQUIRE_SUCCESS(doca_mmap_add_dev(mmap, dev));
    REQUIRE_SUCCESS(doca_mmap_set_permissions(mmap, PERMISSIONS));
    REQUIRE_SUCCESS(doca_mmap_set_memrange(mmap, memory, MEMORY_SIZE));
    REQUIRE_SUCCESS(doca_mmap_start(mmap));
    REQUIRE_SUCCESS(doca_buf_inventory_create(16, &inventory));
    REQUIRE_SUCCESS(doca_buf_inventory_start(inventory));
}

int
main(void) {
    CHECK(strcmp(doca_version_runtime(), DOCA_VER_STRING) == 0);
    open_device();
    open_memory();
    REQUIRE_SUCCESS(doca_pe_create(&pe));
    struct side near = create_side();
    struct side far = create_side();
    for (int run = 0; run < 2; run++) {
        connect_sides(&near, &far);
        check_event(&near);
        stop_side(&near);
        stop_side(&far);
    }
    CHECK_SUCCESS(doca_rdma_destroy(near.rdma));
    CHECK_SUCCESS(doca_rdma_destroy(far.rdma));
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_SUCCESS(doca_pe_destroy(pe));
    CHECK_SUCCESS(doca_dev_close(dev));
    return check_result();
}
