/* SPDX-License-Identifier: Apache-2.0 */
#include "rdma.h"

#define MAX_TASKS 32

struct side near_side;
struct side far_side;
struct doca_mmap *remote_map;
uint32_t rdma_permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE
                            | DOCA_ACCESS_FLAG_RDMA_ATOMIC;
uint32_t map_permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE
                           | DOCA_ACCESS_FLAG_RDMA_ATOMIC;
uint32_t num_rdma_tasks = 16;
uint32_t send_queue_size;

/* The result of each task, by its number; NULL until it has completed. */
static const char *results[MAX_TASKS];

bool
has_connections(void) {
    return sdk_has("doca_rdma_connection_get_id");
}

static void
note_result(struct doca_task *task, uint64_t number, bool done) {
    if (number < MAX_TASKS) {
        results[number] = done ? "done" : code_name(doca_task_get_status(task));
    }
    num_completions++;
    if (on_task != NULL) {
        on_task(task, number);
    }
}

/* The callbacks of a kind of task, and its configuration. */
#define TASK_KIND(kind) \
    static void kind##_done(struct doca_rdma_task_##kind *task, union doca_data task_data, union doca_data ctx_data) { \
        (void)ctx_data; \
        note_result(doca_rdma_task_##kind##_as_task(task), task_data.u64, true); \
    } \
    static void kind##_failed( \
            struct doca_rdma_task_##kind *task, union doca_data task_data, union doca_data ctx_data) { \
        (void)ctx_data; \
        note_result(doca_rdma_task_##kind##_as_task(task), task_data.u64, false); \
    } \
    static void configure_##kind(struct doca_rdma *rdma) { \
        REQUIRE(doca_rdma_task_##kind##_set_conf(rdma, kind##_done, kind##_failed, num_rdma_tasks)); \
    }

TASK_KIND(receive)
TASK_KIND(send)
TASK_KIND(send_imm)
TASK_KIND(write)
TASK_KIND(write_imm)
TASK_KIND(read)
TASK_KIND(atomic_fetch_add)
TASK_KIND(atomic_cmp_swp)

static void
create_side(struct side *side) {
    REQUIRE(doca_rdma_create(dev, &side->rdma));
    side->ctx = doca_rdma_as_ctx(side->rdma);
    REQUIRE(doca_rdma_set_permissions(side->rdma, rdma_permissions));
    if (send_queue_size != 0) {
        REQUIRE(doca_rdma_set_send_queue_size(side->rdma, send_queue_size));
    }
    configure_receive(side->rdma);
    configure_send(side->rdma);
    configure_send_imm(side->rdma);
    configure_write(side->rdma);
    configure_write_imm(side->rdma);
    configure_read(side->rdma);
    configure_atomic_fetch_add(side->rdma);
    configure_atomic_cmp_swp(side->rdma);
    REQUIRE(doca_ctx_set_state_changed_cb(side->ctx, note_state));
    REQUIRE(doca_pe_connect_ctx(pe, side->ctx));
}

void
create_sides(void) {
    if (doca_rdma_cap_task_send_is_supported(devinfo()) != DOCA_SUCCESS) {
        not_available("the device has no RDMA");
    }
    map_memory_for(map_permissions);
    create_engine();
    const void *bytes;
    size_t len;
    if (doca_mmap_export_rdma(map, dev, &bytes, &len) == DOCA_SUCCESS) {
        REQUIRE(doca_mmap_create_from_export(NULL, bytes, len, dev, &remote_map));
    }
    create_side(&near_side);
    create_side(&far_side);
}

void
start_side(struct side *side) {
    const doca_error_t result = doca_ctx_start(side->ctx);
    if (result != DOCA_ERROR_IN_PROGRESS) {
        require_success(result, "doca_ctx_start");
    }
}

/* A function of the older generation, with the type of the variable that stores it. */
#define OLDER(function, name) \
    do { \
        void *address = sdk_address("rdma", name); \
        if (address == NULL) { \
            sdk_missing(name); \
        } \
        memcpy(&(function), &address, sizeof(address)); \
    } while (0)

doca_error_t
export_side(struct side *side) {
    if (has_connections()) {
        return doca_rdma_export(side->rdma, &side->details, &side->details_size, &side->connection);
    }
    doca_error_t (*export_one)(const struct doca_rdma *, const void **, size_t *);
    OLDER(export_one, "doca_rdma_export");
    return export_one(side->rdma, &side->details, &side->details_size);
}

doca_error_t
connect_side(struct side *side, const void *details, size_t size) {
    if (has_connections()) {
        return doca_rdma_connect(side->rdma, details, size, side->connection);
    }
    doca_error_t (*connect_one)(struct doca_rdma *, const void *, size_t);
    OLDER(connect_one, "doca_rdma_connect");
    return connect_one(side->rdma, details, size);
}

void
start_sides(void) {
    start_side(&near_side);
    start_side(&far_side);
    REQUIRE(export_side(&near_side));
    REQUIRE(export_side(&far_side));
}

void
connect_sides(void) {
    create_sides();
    start_sides();
    REQUIRE(connect_side(&near_side, far_side.details, far_side.details_size));
    REQUIRE(connect_side(&far_side, near_side.details, near_side.details_size));
    if (!progress_to_state(near_side.ctx, DOCA_CTX_STATE_RUNNING)
        || !progress_to_state(far_side.ctx, DOCA_CTX_STATE_RUNNING)) {
        not_available("the two contexts do not get connected");
    }
    forget_notes();
}

struct doca_buf *
remote_source(size_t offset, size_t len) {
    return source_of(remote_map, memory + offset, len);
}

struct doca_buf *
remote_target(size_t offset, size_t len) {
    return target_of(remote_map, memory + offset, len);
}

struct doca_task *
receive_task(struct side *side, uint64_t number, struct doca_buf *dst) {
    struct doca_rdma_task_receive *task;
    REQUIRE(doca_rdma_task_receive_allocate_init(side->rdma, dst, data_of(number), &task));
    return doca_rdma_task_receive_as_task(task);
}

struct doca_task *
send_task(struct side *side, uint64_t number, const struct doca_buf *src) {
    struct doca_rdma_task_send *task;
    if (has_connections()) {
        REQUIRE(doca_rdma_task_send_allocate_init(side->rdma, side->connection, src, data_of(number), &task));
    } else {
        doca_error_t (*allocate)(
                struct doca_rdma *, const struct doca_buf *, union doca_data, struct doca_rdma_task_send **);
        OLDER(allocate, "doca_rdma_task_send_allocate_init");
        REQUIRE(allocate(side->rdma, src, data_of(number), &task));
    }
    return doca_rdma_task_send_as_task(task);
}

struct doca_task *
send_imm_task(struct side *side, uint64_t number, const struct doca_buf *src, uint32_t immediate) {
    struct doca_rdma_task_send_imm *task;
    if (has_connections()) {
        REQUIRE(doca_rdma_task_send_imm_allocate_init(
                side->rdma, side->connection, src, immediate, data_of(number), &task));
    } else {
        doca_error_t (*allocate)(struct doca_rdma *, const struct doca_buf *, doca_be32_t, union doca_data,
                                 struct doca_rdma_task_send_imm **);
        OLDER(allocate, "doca_rdma_task_send_imm_allocate_init");
        REQUIRE(allocate(side->rdma, src, immediate, data_of(number), &task));
    }
    return doca_rdma_task_send_imm_as_task(task);
}

struct doca_task *
write_task(struct side *side, uint64_t number, const struct doca_buf *src, struct doca_buf *dst) {
    struct doca_rdma_task_write *task;
    if (has_connections()) {
        REQUIRE(doca_rdma_task_write_allocate_init(side->rdma, side->connection, src, dst, data_of(number), &task));
    } else {
        doca_error_t (*allocate)(struct doca_rdma *, const struct doca_buf *, struct doca_buf *, union doca_data,
                                 struct doca_rdma_task_write **);
        OLDER(allocate, "doca_rdma_task_write_allocate_init");
        REQUIRE(allocate(side->rdma, src, dst, data_of(number), &task));
    }
    return doca_rdma_task_write_as_task(task);
}

struct doca_task *
write_imm_task(struct side *side, uint64_t number, const struct doca_buf *src, struct doca_buf *dst,
               uint32_t immediate) {
    struct doca_rdma_task_write_imm *task;
    if (has_connections()) {
        REQUIRE(doca_rdma_task_write_imm_allocate_init(
                side->rdma, side->connection, src, dst, immediate, data_of(number), &task));
    } else {
        doca_error_t (*allocate)(struct doca_rdma *, const struct doca_buf *, struct doca_buf *, doca_be32_t,
                                 union doca_data, struct doca_rdma_task_write_imm **);
        OLDER(allocate, "doca_rdma_task_write_imm_allocate_init");
        REQUIRE(allocate(side->rdma, src, dst, immediate, data_of(number), &task));
    }
    return doca_rdma_task_write_imm_as_task(task);
}

struct doca_task *
read_task(struct side *side, uint64_t number, const struct doca_buf *src, struct doca_buf *dst) {
    struct doca_rdma_task_read *task;
    if (has_connections()) {
        REQUIRE(doca_rdma_task_read_allocate_init(side->rdma, side->connection, src, dst, data_of(number), &task));
    } else {
        doca_error_t (*allocate)(struct doca_rdma *, const struct doca_buf *, struct doca_buf *, union doca_data,
                                 struct doca_rdma_task_read **);
        OLDER(allocate, "doca_rdma_task_read_allocate_init");
        REQUIRE(allocate(side->rdma, src, dst, data_of(number), &task));
    }
    return doca_rdma_task_read_as_task(task);
}

struct doca_task *
add_task(struct side *side, uint64_t number, struct doca_buf *dst, struct doca_buf *result, uint64_t add) {
    struct doca_rdma_task_atomic_fetch_add *task;
    if (has_connections()) {
        REQUIRE(doca_rdma_task_atomic_fetch_add_allocate_init(
                side->rdma, side->connection, dst, result, add, data_of(number), &task));
    } else {
        doca_error_t (*allocate)(struct doca_rdma *, struct doca_buf *, struct doca_buf *, uint64_t, union doca_data,
                                 struct doca_rdma_task_atomic_fetch_add **);
        OLDER(allocate, "doca_rdma_task_atomic_fetch_add_allocate_init");
        REQUIRE(allocate(side->rdma, dst, result, add, data_of(number), &task));
    }
    return doca_rdma_task_atomic_fetch_add_as_task(task);
}

struct doca_task *
swap_task(struct side *side, uint64_t number, struct doca_buf *dst, struct doca_buf *result, uint64_t expected,
          uint64_t swap) {
    struct doca_rdma_task_atomic_cmp_swp *task;
    if (has_connections()) {
        REQUIRE(doca_rdma_task_atomic_cmp_swp_allocate_init(
                side->rdma, side->connection, dst, result, expected, swap, data_of(number), &task));
    } else {
        doca_error_t (*allocate)(struct doca_rdma *, struct doca_buf *, struct doca_buf *, uint64_t, uint64_t,
                                 union doca_data, struct doca_rdma_task_atomic_cmp_swp **);
        OLDER(allocate, "doca_rdma_task_atomic_cmp_swp_allocate_init");
        REQUIRE(allocate(side->rdma, dst, result, expected, swap, data_of(number), &task));
    }
    return doca_rdma_task_atomic_cmp_swp_as_task(task);
}

uint32_t
received_len(struct doca_task *task) {
    const struct doca_rdma_task_receive *receive = (const struct doca_rdma_task_receive *)task;
    if (sdk_has("doca_rdma_task_receive_get_result_len")) {
        return doca_rdma_task_receive_get_result_len(receive);
    }
    uint32_t (*get_length)(const struct doca_rdma_task_receive *);
    OLDER(get_length, "doca_rdma_task_receive_get_result_length");
    return get_length(receive);
}

uint32_t
read_len(struct doca_task *task) {
    const struct doca_rdma_task_read *read = (const struct doca_rdma_task_read *)task;
    if (sdk_has("doca_rdma_task_read_get_result_len")) {
        return doca_rdma_task_read_get_result_len(read);
    }
    uint32_t (*get_length)(const struct doca_rdma_task_read *);
    OLDER(get_length, "doca_rdma_task_read_get_result_length");
    return get_length(read);
}

void
submit(struct doca_task *task) {
    REQUIRE(doca_task_submit(task));
}

void
answer_results(size_t count) {
    if (!progress_to(count)) {
        forget_notes();
    }
    for (int number = 0; number < MAX_TASKS; number++) {
        if (results[number] != NULL) {
            answer("%d %s", number, results[number]);
        }
    }
}

void
answer_states(void) {
    answer("%s and %s", state_of(near_side.ctx), state_of(far_side.ctx));
}
