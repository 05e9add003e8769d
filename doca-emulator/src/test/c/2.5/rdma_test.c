/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program of release 2.5: two RDMA contexts of one connection in one process, and the tasks whose functions have other
 * parameters in later releases. It calls only the SDK, and also runs on the real libraries.
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
#define NUM_TASKS 4

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

/* The state changes of all contexts, as letters, and the completed tasks. */
static char states[64];
static int num_succeeded;
static int num_failed;

/* Callbacks of all kinds of tasks have the same form. */
static void
on_success(struct doca_rdma_task_send *task, union doca_data task_data, union doca_data ctx_data) {
    (void)task;
    (void)task_data;
    (void)ctx_data;
    num_succeeded++;
}

static void
on_failure(struct doca_rdma_task_send *task, union doca_data task_data, union doca_data ctx_data) {
    (void)task;
    (void)task_data;
    (void)ctx_data;
    num_failed++;
}

static void
on_state(const union doca_data data, struct doca_ctx *ctx, enum doca_ctx_states previous, enum doca_ctx_states next) {
    (void)data;
    (void)ctx;
    (void)previous;
    CHECK(strlen(states) + 1 < sizeof(states));
    states[strlen(states)] = "ISRE"[next];
}

#define CONFIGURE(kind) \
    REQUIRE_SUCCESS(doca_rdma_task_##kind##_set_conf(side.rdma, (doca_rdma_task_##kind##_completion_cb_t)on_success, \
                                                     (doca_rdma_task_##kind##_completion_cb_t)on_failure, NUM_TASKS))

static struct side
create_side(void) {
    struct side side;
    bool grh = false;
    REQUIRE_SUCCESS(doca_rdma_create(dev, &side.rdma));
    side.ctx = doca_rdma_as_ctx(side.rdma);
    REQUIRE_SUCCESS(doca_pe_connect_ctx(pe, side.ctx));
    REQUIRE_SUCCESS(doca_ctx_set_state_changed_cb(side.ctx, on_state));
    REQUIRE_SUCCESS(doca_rdma_set_permissions(side.rdma, PERMISSIONS));
    REQUIRE_SUCCESS(doca_rdma_set_grh_enabled(side.rdma, true));
    REQUIRE_SUCCESS(doca_rdma_get_grh_enabled(side.rdma, &grh));
    CHECK(grh);
    CONFIGURE(receive);
    CONFIGURE(send);
    CONFIGURE(send_imm);
    CONFIGURE(read);
    CONFIGURE(write);
    CONFIGURE(write_imm);
    CONFIGURE(atomic_cmp_swp);
    CONFIGURE(atomic_fetch_add);
    CONFIGURE(remote_net_sync_event_get);
    return side;
}

static void
start_side(struct side *side) {
    enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;
    CHECK_ERROR(DOCA_ERROR_IN_PROGRESS, doca_ctx_start(side->ctx));
    CHECK_SUCCESS(doca_ctx_get_state(side->ctx, &state));
    CHECK_EQUAL(DOCA_CTX_STATE_STARTING, state);
    REQUIRE_SUCCESS(doca_rdma_export(side->rdma, &side->details, &side->details_size));
}

static void
check_state(const struct side *side, enum doca_ctx_states expected) {
    enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;
    CHECK_SUCCESS(doca_ctx_get_state(side->ctx, &state));
    CHECK_EQUAL(expected, state);
}

static void
connect_sides(struct side *near, struct side *far) {
    memset(states, 0, sizeof(states));
    start_side(near);
    start_side(far);
    CHECK(strcmp(states, "SS") == 0);
    REQUIRE_SUCCESS(doca_rdma_connect(near->rdma, far->details, far->details_size));
    REQUIRE_SUCCESS(doca_rdma_connect(far->rdma, near->details, near->details_size));
    check_state(near, DOCA_CTX_STATE_STARTING);
    while (strcmp(states, "SSRR") != 0 && strlen(states) < 5) {
        (void)doca_pe_progress(pe);
    }
    CHECK(strcmp(states, "SSRR") == 0);
    check_state(near, DOCA_CTX_STATE_RUNNING);
    check_state(far, DOCA_CTX_STATE_RUNNING);
}

static void
stop_side(struct side *side) {
    doca_error_t result = doca_ctx_stop(side->ctx);
    CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS);
    enum doca_ctx_states state = DOCA_CTX_STATE_STOPPING;
    while (state != DOCA_CTX_STATE_IDLE) {
        (void)doca_pe_progress(pe);
        REQUIRE_SUCCESS(doca_ctx_get_state(side->ctx, &state));
    }
}

static struct doca_buf *
take_buf(struct doca_mmap *map, size_t offset, size_t length, size_t data_length) {
    struct doca_buf *buf;
    REQUIRE_SUCCESS(doca_buf_inventory_buf_get_by_args(inventory, map, memory + offset, length, memory + offset,
                                                       data_length, &buf));
    return buf;
}

static void
give_back(struct doca_buf *buf) {
    CHECK_SUCCESS(doca_buf_dec_refcount(buf, NULL));
}

/* Progresses until count more tasks have succeeded. */
static void
await(int count) {
    while (num_succeeded + num_failed < count) {
        if (doca_pe_progress(pe) == 0) {
            sched_yield();
        }
    }
    CHECK_EQUAL(count, num_succeeded);
    CHECK_EQUAL(0, num_failed);
    num_succeeded = 0;
    num_failed = 0;
}

#define ALLOCATE(kind, ...) \
    struct doca_rdma_task_##kind *kind; \
    REQUIRE_SUCCESS(doca_rdma_task_##kind##_allocate_init(__VA_ARGS__, (union doca_data){.u64 = 1}, &kind))
#define SUBMIT(kind) CHECK_SUCCESS(doca_task_submit(doca_rdma_task_##kind##_as_task(kind)))
#define FREE(kind) doca_task_free(doca_rdma_task_##kind##_as_task(kind))

/* Sends a message of 8 bytes from offset 0 to 512. */
static void
check_messages(const struct side *near, const struct side *far) {
    struct doca_buf *source = take_buf(mmap, 0, 8, 8);
    struct doca_buf *target = take_buf(mmap, 512, 64, 0);
    ALLOCATE(receive, far->rdma, target);
    ALLOCATE(send, near->rdma, source);
    memcpy(memory, "message", 8);
    SUBMIT(receive);
    SUBMIT(send);
    await(2);
    CHECK(memcmp(memory + 512, "message", 8) == 0);
    CHECK_EQUAL(8, doca_rdma_task_receive_get_result_length(receive));
    CHECK_EQUAL(DOCA_RDMA_OPCODE_RECV_SEND, doca_rdma_task_receive_get_result_opcode(receive));

    ALLOCATE(send_imm, near->rdma, source, (doca_be32_t)77);
    CHECK_SUCCESS(doca_buf_reset_data_len(target));
    SUBMIT(receive);
    SUBMIT(send_imm);
    await(2);
    CHECK_EQUAL(DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM, doca_rdma_task_receive_get_result_opcode(receive));
    CHECK_EQUAL(77, doca_rdma_task_receive_get_result_immediate_data(receive));
    FREE(send);
    FREE(send_imm);
    FREE(receive);
    give_back(source);
    give_back(target);
}

/* A second get into the same buffer has no room after the data of the first one. It succeeds and reads nothing. */
static void
check_event(const struct side *near) {
    struct doca_sync_event *event;
    struct doca_sync_event_remote_net *remote;
    const uint8_t *export;
    size_t size;
    const uint64_t *value = (const uint64_t *)(memory + 320);
    struct doca_buf *target = take_buf(mmap, 320, 8, 0);
    REQUIRE_SUCCESS(doca_sync_event_create(&event));
    REQUIRE_SUCCESS(doca_sync_event_add_subscriber_location_cpu(event, dev));
    REQUIRE_SUCCESS(doca_sync_event_add_publisher_location_remote_net(event));
    REQUIRE_SUCCESS(doca_sync_event_start(event));
    REQUIRE_SUCCESS(doca_sync_event_export_to_remote_net(event, &export, &size));
    REQUIRE_SUCCESS(doca_sync_event_remote_net_create_from_export(dev, export, size, &remote));

    ALLOCATE(remote_net_sync_event_get, near->rdma, remote, target);
    CHECK_SUCCESS(doca_sync_event_update_set(event, 7));
    SUBMIT(remote_net_sync_event_get);
    await(1);
    CHECK_EQUAL(7, *value);
    CHECK_SUCCESS(doca_sync_event_update_set(event, 8));
    SUBMIT(remote_net_sync_event_get);
    await(1);
    CHECK_EQUAL(7, *value);
    CHECK_SUCCESS(doca_buf_reset_data_len(target));
    SUBMIT(remote_net_sync_event_get);
    await(1);
    CHECK_EQUAL(8, *value);

    FREE(remote_net_sync_event_get);
    give_back(target);
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
        check_messages(&near, &far);
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
