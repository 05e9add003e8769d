/* SPDX-License-Identifier: Apache-2.0 */
/* RDMA contexts with one progress engine, memory that all of them use, and the events of their callbacks. */
#ifndef DOCA_EMULATOR_RDMA_FIXTURE_H_
#define DOCA_EMULATOR_RDMA_FIXTURE_H_

#include <doca_rdma.h>

#include "fixture.h"
#include "sdk_errors.h"
#include "task_events.h"

#define MEMORY_SIZE ((size_t)1 << 16)
#define MAX_CONNECTIONS 8
#define NUM_TASKS 64
#define ALL_PERMISSIONS \
    (DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | \
     DOCA_ACCESS_FLAG_RDMA_ATOMIC)

/* One context. */
struct side {
    struct doca_rdma *rdma;
    struct doca_ctx *ctx;
    struct doca_rdma_connection *connections[MAX_CONNECTIONS];
    uint8_t details[MAX_CONNECTIONS][1024];
    size_t details_size[MAX_CONNECTIONS];
};

static struct doca_dev *dev;
static struct doca_pe *pe;
static _Alignas(64) uint8_t memory[MEMORY_SIZE];
static struct doca_mmap *local_mmap;

#define CONFIGURE(rdma, kind, num_tasks) \
    doca_rdma_task_##kind##_set_conf((rdma), (doca_rdma_task_##kind##_completion_cb_t)on_success, \
                                     (doca_rdma_task_##kind##_completion_cb_t)on_failure, (num_tasks))

static inline void
configure_tasks(struct doca_rdma *rdma, uint32_t num_tasks) {
    REQUIRE_SUCCESS(CONFIGURE(rdma, receive, num_tasks));
    REQUIRE_SUCCESS(CONFIGURE(rdma, send, num_tasks));
    REQUIRE_SUCCESS(CONFIGURE(rdma, send_imm, num_tasks));
    REQUIRE_SUCCESS(CONFIGURE(rdma, read, num_tasks));
    REQUIRE_SUCCESS(CONFIGURE(rdma, write, num_tasks));
    REQUIRE_SUCCESS(CONFIGURE(rdma, write_imm, num_tasks));
    REQUIRE_SUCCESS(CONFIGURE(rdma, atomic_cmp_swp, num_tasks));
    REQUIRE_SUCCESS(CONFIGURE(rdma, atomic_fetch_add, num_tasks));
}

/* Creates an idle context with all permissions, for all tasks and lists of four buffers. */
static inline struct side
create_side(void) {
    struct side side = {0};
    REQUIRE_SUCCESS(doca_rdma_create(dev, &side.rdma));
    side.ctx = doca_rdma_as_ctx(side.rdma);
    configure_tasks(side.rdma, NUM_TASKS);
    REQUIRE_SUCCESS(doca_rdma_set_permissions(side.rdma, ALL_PERMISSIONS));
    REQUIRE_SUCCESS(doca_rdma_set_max_num_connections(side.rdma, MAX_CONNECTIONS));
    REQUIRE_SUCCESS(doca_rdma_set_max_send_buf_list_len(side.rdma, 4));
    REQUIRE_SUCCESS(doca_rdma_task_receive_set_dst_buf_list_len(side.rdma, 4));
    REQUIRE_SUCCESS(doca_pe_connect_ctx(pe, side.ctx));
    return side;
}

static inline void
start_side(struct side *side) {
    REQUIRE_SUCCESS(doca_ctx_start(side->ctx));
}

static inline struct side
create_running_side(void) {
    struct side side = create_side();
    start_side(&side);
    return side;
}

static inline void
export_connection(struct side *side, size_t index) {
    const void *details;
    REQUIRE_SUCCESS(doca_rdma_export(side->rdma, &details, &side->details_size[index], &side->connections[index]));
    CHECK(side->details_size[index] < sizeof(side->details[index]));
    memcpy(side->details[index], details, side->details_size[index]);
}

/* Connects one side to the other, and not vice versa. */
static inline doca_error_t
connect_to(struct side *side, size_t index, const struct side *peer, size_t peer_index) {
    return doca_rdma_connect(side->rdma, peer->details[peer_index], peer->details_size[peer_index],
                             side->connections[index]);
}

static inline void
connect_sides(struct side *a, struct side *b) {
    export_connection(a, 0);
    export_connection(b, 0);
    REQUIRE_SUCCESS(connect_to(a, 0, b, 0));
    REQUIRE_SUCCESS(connect_to(b, 0, a, 0));
}

static inline enum doca_ctx_states
state_of(const struct side *side) {
    return state_of_ctx(side->ctx);
}

/* Progresses until count tasks have completed in total. */
static inline void
progress_until(size_t count) {
    while (num_events < count) {
        progress_or_rest(pe);
    }
}

static inline void
progress_all(void) {
    while (doca_pe_progress(pe) != 0) {
    }
}

static inline void
stop_side(struct side *side) {
    doca_error_t result = doca_ctx_stop(side->ctx);
    CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS);
    while (state_of(side) != DOCA_CTX_STATE_IDLE) {
        forget_events();
        progress_or_rest(pe);
    }
    forget_events();
}

static inline void
destroy_side(struct side *side) {
    stop_side(side);
    CHECK_SUCCESS(doca_rdma_destroy(side->rdma));
}

static inline void
open_fixture(void) {
    dev = open_device("mlx5_0");
    REQUIRE_SUCCESS(doca_pe_create(&pe));
    inventory = start_inventory(256);
    local_mmap = start_mmap(memory, sizeof(memory), dev);
}

static inline void
close_fixture(void) {
    CHECK_SUCCESS(doca_mmap_destroy(local_mmap));
    CHECK_SUCCESS(doca_buf_inventory_destroy(inventory));
    CHECK_SUCCESS(doca_pe_destroy(pe));
    CHECK_SUCCESS(doca_dev_close(dev));
}

/*
 * Memory
 */

static inline struct doca_buf *
source(size_t offset, size_t len) {
    return data_of(local_mmap, memory + offset, len);
}

static inline struct doca_buf *
target(size_t offset, size_t len) {
    return space_of(local_mmap, memory + offset, len);
}

static inline void
fill(size_t offset, size_t len, uint8_t seed) {
    for (size_t i = 0; i < len; i++) {
        memory[offset + i] = (uint8_t)(seed + i * 3 + i / 256);
    }
}

static inline void
check_filled(const uint8_t *bytes, size_t len, uint8_t seed) {
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] != (uint8_t)(seed + i * 3 + i / 256)) {
            CHECK_FAILED("byte %zu of %zu is %u", i, len, bytes[i]);
            return;
        }
    }
}

/* A started map with these permissions, and its import by the device. */
struct shared {
    struct doca_mmap *exported;
    struct doca_mmap *imported;
};

static inline struct doca_mmap *
import_mmap(const void *descriptor, size_t size) {
    struct doca_mmap *imported;
    REQUIRE_SUCCESS(doca_mmap_create_from_export(NULL, descriptor, size, dev, &imported));
    return imported;
}

static inline struct shared
share(void *addr, size_t len, uint32_t permissions) {
    const void *descriptor;
    size_t size;
    struct shared shared = {.exported = start_permitted(addr, len, dev, permissions)};
    REQUIRE_SUCCESS(doca_mmap_export_rdma(shared.exported, dev, &descriptor, &size));
    shared.imported = import_mmap(descriptor, size);
    return shared;
}

static inline void
end_share(struct shared *shared) {
    CHECK_SUCCESS(doca_mmap_destroy(shared->imported));
    CHECK_SUCCESS(doca_mmap_destroy(shared->exported));
}

#define MAKE(kind, variable, ...) \
    struct doca_rdma_task_##kind *variable; \
    REQUIRE_SUCCESS(doca_rdma_task_##kind##_allocate_init(__VA_ARGS__, &variable)); \
    return doca_rdma_task_##kind##_as_task(variable)

static inline struct doca_task *
make_receive(const struct side *side, struct doca_buf *dst, uint64_t number) {
    MAKE(receive, task, side->rdma, dst, numbered(number));
}

static inline struct doca_task *
make_send(const struct side *side, size_t index, const struct doca_buf *src, uint64_t number) {
    MAKE(send, task, side->rdma, side->connections[index], src, numbered(number));
}

static inline struct doca_task *
make_send_imm(
        const struct side *side, size_t index, const struct doca_buf *src, doca_be32_t immediate, uint64_t number) {
    MAKE(send_imm, task, side->rdma, side->connections[index], src, immediate, numbered(number));
}

static inline struct doca_task *
make_read(const struct side *side, size_t index, const struct doca_buf *src, struct doca_buf *dst, uint64_t number) {
    MAKE(read, task, side->rdma, side->connections[index], src, dst, numbered(number));
}

static inline struct doca_task *
make_write(const struct side *side, size_t index, const struct doca_buf *src, struct doca_buf *dst, uint64_t number) {
    MAKE(write, task, side->rdma, side->connections[index], src, dst, numbered(number));
}

static inline struct doca_task *
make_write_imm(const struct side *side, size_t index, const struct doca_buf *src, struct doca_buf *dst,
               doca_be32_t immediate, uint64_t number) {
    MAKE(write_imm, task, side->rdma, side->connections[index], src, dst, immediate, numbered(number));
}

static inline struct doca_task *
make_cmp_swp(const struct side *side, size_t index, struct doca_buf *dst, struct doca_buf *result, uint64_t expected,
             uint64_t value, uint64_t number) {
    MAKE(atomic_cmp_swp, task, side->rdma, side->connections[index], dst, result, expected, value, numbered(number));
}

static inline struct doca_task *
make_fetch_add(const struct side *side, size_t index, struct doca_buf *dst, struct doca_buf *result, uint64_t value,
               uint64_t number) {
    MAKE(atomic_fetch_add, task, side->rdma, side->connections[index], dst, result, value, numbered(number));
}

#endif /* DOCA_EMULATOR_RDMA_FIXTURE_H_ */
