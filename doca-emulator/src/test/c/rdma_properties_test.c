/* SPDX-License-Identifier: Apache-2.0 */
/* The properties of RDMA contexts, the capabilities of devices, and errors. */
#include <doca_types.h>

#include "rdma_fixture.h"

static struct doca_rdma *rdma;

/* The setter accepts the limits and nothing beyond, and the getter returns the accepted value. */
#define CHECK_NUMBER(type, name, default_value, min, max, too_large, refusal) \
    do { \
        type value = 0; \
        CHECK_SUCCESS(doca_rdma_get_##name(rdma, &value)); \
        CHECK_EQUAL((default_value), value); \
        CHECK_SUCCESS(doca_rdma_set_##name(rdma, (type)(max))); \
        CHECK_SUCCESS(doca_rdma_get_##name(rdma, &value)); \
        CHECK_EQUAL((max), value); \
        CHECK_SUCCESS(doca_rdma_set_##name(rdma, (type)(min))); \
        CHECK_SUCCESS(doca_rdma_get_##name(rdma, &value)); \
        CHECK_EQUAL((min), value); \
        check_nothing_logged(); \
        if ((long long)(too_large) > (long long)(max)) { \
            CHECK_ERROR((refusal), doca_rdma_set_##name(rdma, (type)(too_large))); \
            check_logged((refusal) == DOCA_ERROR_NOT_SUPPORTED ? "is more than the device has" : "Invalid input: "); \
        } \
        if ((long long)(min) > 0) { \
            CHECK_REFUSED((refusal), "must not be 0", doca_rdma_set_##name(rdma, 0)); \
        } \
        CHECK_SUCCESS(doca_rdma_get_##name(rdma, &value)); \
        CHECK_EQUAL((min), value); \
        CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_get_##name(rdma, NULL)); \
        CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_get_##name(NULL, &value)); \
        CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_set_##name(NULL, (type)(min))); \
        last_error[0] = '\0'; \
    } while (0)

#define doca_rdma_get_dst_buf_list_len doca_rdma_task_receive_get_dst_buf_list_len
#define doca_rdma_set_dst_buf_list_len doca_rdma_task_receive_set_dst_buf_list_len

/* Properties that the device limits accept 0, and return NOT_SUPPORTED above the limit. */
static void
properties_have_defaults_and_limits(void) {
    const doca_error_t limited = DOCA_ERROR_NOT_SUPPORTED;
    const doca_error_t invalid = DOCA_ERROR_INVALID_VALUE;
    REQUIRE_SUCCESS(doca_rdma_create(dev, &rdma));
    CHECK_NUMBER(uint32_t, send_queue_size, 128, 0, 32768, 32769, limited);
    CHECK_NUMBER(uint32_t, max_send_buf_list_len, 1, 0, 30, 31, limited);
    CHECK_NUMBER(uint32_t, dst_buf_list_len, 3, 0, 31, 32, limited);
    CHECK_NUMBER(uint32_t, sl, 0, 0, 15, 16, limited);
    CHECK_NUMBER(uint32_t, gid_index, 0, 0, 254, 255, invalid);
    CHECK_NUMBER(uint16_t, max_num_connections, 1, 1, UINT16_MAX, 0, limited);
    CHECK_NUMBER(uint16_t, connection_request_timeout, 5000, 0, UINT16_MAX, 0, invalid);
    CHECK_NUMBER(uint8_t, rnr_retry_count, 6, 0, UINT8_MAX, 0, invalid);
    CHECK_SUCCESS(doca_rdma_destroy(rdma));
}

static void
check_infiniband(void) {
    keep_errors();
    open_fixture();
    REQUIRE_SUCCESS(doca_rdma_create(dev, &rdma));
    CHECK_SUCCESS(doca_rdma_set_grh_enabled(rdma, 0));
    CHECK_SUCCESS(doca_rdma_set_mtu(rdma, DOCA_MTU_SIZE_4K_BYTES));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_rdma_set_mtu(rdma, DOCA_MTU_SIZE_RAW_ETHERNET));
    CHECK_SUCCESS(doca_rdma_destroy(rdma));
    close_fixture();
}

static void
check_receive_queue_of_2_5(void) {
    uint32_t size;
    keep_errors();
    open_fixture();
    REQUIRE_SUCCESS(doca_rdma_create(dev, &rdma));
    CHECK_NUMBER(uint32_t, recv_queue_size, 128, 0, 32768, 32769, DOCA_ERROR_NOT_SUPPORTED);
    CHECK_SUCCESS(doca_rdma_set_recv_queue_size(rdma, 5));
    CHECK_SUCCESS(doca_rdma_get_recv_queue_size(rdma, &size));
    CHECK_EQUAL(8, size);
    CHECK_SUCCESS(doca_rdma_destroy(rdma));
    close_fixture();
}

#define CHECK_CONFIGURATION(kind) \
    do { \
        CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, CONFIGURE(NULL, kind, 1)); \
        CHECK_SUCCESS(CONFIGURE(rdma, kind, 0)); \
        CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, CONFIGURE(rdma, kind, (1 << 20) + 1)); \
        check_logged("1048577 " #kind " tasks"); \
        CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_task_##kind##_set_conf( \
                rdma, NULL, (doca_rdma_task_##kind##_completion_cb_t)on_failure, 1)); \
        check_logged("successful_task_completion_cb is NULL"); \
        CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_task_##kind##_set_conf( \
                rdma, (doca_rdma_task_##kind##_completion_cb_t)on_success, NULL, 1)); \
        check_logged("error_task_completion_cb is NULL"); \
        CHECK_SUCCESS(CONFIGURE(rdma, kind, 65537)); \
        CHECK_SUCCESS(CONFIGURE(rdma, kind, 1)); \
    } while (0)

static void
tasks_are_configured(void) {
    struct doca_rdma_task_receive *task;
    struct doca_rdma_task_receive *second;
    struct doca_rdma_task_send *send;
    REQUIRE_SUCCESS(doca_rdma_create(dev, &rdma));
    struct doca_ctx *ctx = doca_rdma_as_ctx(rdma);
    CHECK_CONFIGURATION(receive);
    CHECK_SUCCESS(CONFIGURE(rdma, send, 0));
    CHECK_CONFIGURATION(send_imm);
    CHECK_CONFIGURATION(read);
    CHECK_CONFIGURATION(write);
    CHECK_CONFIGURATION(write_imm);
    CHECK_CONFIGURATION(atomic_cmp_swp);
    CHECK_CONFIGURATION(atomic_fetch_add);
    REQUIRE_SUCCESS(doca_pe_connect_ctx(pe, ctx));
    CHECK_REFUSED(DOCA_ERROR_BAD_STATE, "is idle and not running",
                  doca_rdma_task_receive_allocate_init(rdma, NULL, numbered(0), &task));
    REQUIRE_SUCCESS(doca_ctx_start(ctx));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_task_receive_allocate_init(NULL, NULL, numbered(0), &task));
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "task is NULL",
                  doca_rdma_task_receive_allocate_init(rdma, NULL, numbered(0), NULL));
    CHECK_SUCCESS(doca_rdma_task_receive_allocate_init(rdma, NULL, numbered(0), &task));
    CHECK_REFUSED(DOCA_ERROR_NO_MEMORY, "all 1 are allocated",
                  doca_rdma_task_receive_allocate_init(rdma, NULL, numbered(0), &second));
    /* Configured for zero tasks. */
    CHECK_REFUSED(DOCA_ERROR_NO_MEMORY, "all 0 are allocated",
                  doca_rdma_task_send_allocate_init(rdma, NULL, NULL, numbered(0), &send));
    doca_task_free(doca_rdma_task_receive_as_task(task));
    CHECK_SUCCESS(doca_ctx_stop(ctx));
    CHECK_SUCCESS(doca_rdma_destroy(rdma));
}

/* Each accessor returns the value that was set, and at first that of the allocation. */
static void
tasks_keep_what_they_are_given(void) {
    struct side side = create_running_side();
    struct doca_rdma_connection *other;
    const void *details;
    size_t size;
    export_connection(&side, 0);
    REQUIRE_SUCCESS(doca_rdma_export(side.rdma, &details, &size, &other));
    struct doca_rdma_connection *connection = side.connections[0];
    struct doca_buf *x = target(0, 8);
    struct doca_buf *y = target(8, 8);

    struct doca_task *task = make_receive(&side, x, 1);
    struct doca_rdma_task_receive *receive = (struct doca_rdma_task_receive *)task;
    CHECK_FIELD(doca_rdma_task_receive, dst_buf, receive, x, y);
    CHECK_POINTER(task, doca_rdma_task_receive_as_task(receive));
    CHECK_EQUAL(1, doca_task_get_user_data(task).u64);
    CHECK_POINTER(side.ctx, doca_task_get_ctx(task));
    doca_task_free(task);

    task = make_send_imm(&side, 0, x, 5, 2);
    struct doca_rdma_task_send_imm *send = (struct doca_rdma_task_send_imm *)task;
    CHECK_FIELD(doca_rdma_task_send_imm, rdma_connection, send, connection, other);
    CHECK_FIELD(doca_rdma_task_send_imm, immediate_data, send, 5, 6);
    CHECK_FIELD(doca_rdma_task_send_imm, src_buf, send, x, y);
    doca_task_free(task);

    task = make_read(&side, 0, x, y, 3);
    struct doca_rdma_task_read *read = (struct doca_rdma_task_read *)task;
    CHECK_FIELD(doca_rdma_task_read, src_buf, read, x, y);
    CHECK_FIELD(doca_rdma_task_read, dst_buf, read, y, x);
    doca_task_free(task);

    task = make_cmp_swp(&side, 0, x, y, 7, 8, 4);
    struct doca_rdma_task_atomic_cmp_swp *swap = (struct doca_rdma_task_atomic_cmp_swp *)task;
    CHECK_FIELD(doca_rdma_task_atomic_cmp_swp, cmp_data, swap, 7, 9);
    CHECK_FIELD(doca_rdma_task_atomic_cmp_swp, swap_data, swap, 8, 10);
    CHECK_POINTER(x, doca_rdma_task_atomic_cmp_swp_get_dst_buf(swap));
    CHECK_FIELD(doca_rdma_task_atomic_cmp_swp, result_buf, swap, y, x);
    doca_task_free(task);

    task = make_fetch_add(&side, 0, x, y, 11, 5);
    struct doca_rdma_task_atomic_fetch_add *add = (struct doca_rdma_task_atomic_fetch_add *)task;
    CHECK_FIELD(doca_rdma_task_atomic_fetch_add, add_data, add, 11, 12);
    doca_task_free(task);

    check_nothing_logged();
    CHECK_POINTER(NULL, doca_rdma_task_read_get_src_buf(NULL));
    CHECK_POINTER(NULL, doca_rdma_task_send_as_task(NULL));
    CHECK_EQUAL(0, doca_rdma_task_read_get_result_len(NULL));
    doca_rdma_task_send_set_src_buf(NULL, x);
    check_logged("is no task");
    GIVE_BACK(x, y);
    destroy_side(&side);
}

/*
 * Capabilities
 */

static void
devices_can_do_all_tasks(void) {
    const struct doca_devinfo *devinfo = doca_dev_as_devinfo(dev);
    uint32_t value = 0;
    CHECK_SUCCESS(doca_rdma_cap_task_remote_net_sync_event_get_is_supported(devinfo));
    CHECK_SUCCESS(doca_rdma_cap_task_remote_net_sync_event_notify_add_is_supported(devinfo));
    CHECK_SUCCESS(doca_rdma_cap_task_remote_net_sync_event_notify_set_is_supported(devinfo));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED,
                doca_rdma_cap_transport_type_is_supported(devinfo, DOCA_RDMA_TRANSPORT_TYPE_DC));
    CHECK_SUCCESS(doca_rdma_cap_get_max_message_size(devinfo, &value));
    CHECK_EQUAL(1 << 30, value);
    CHECK_SUCCESS(doca_rdma_cap_get_max_send_queue_size(devinfo, &value));
    CHECK_EQUAL(32768, value);
    CHECK_SUCCESS(doca_rdma_cap_get_max_recv_queue_size(devinfo, &value));
    CHECK_EQUAL(32768, value);
    CHECK_SUCCESS(doca_rdma_cap_get_max_send_buf_list_len(devinfo, &value));
    CHECK_EQUAL(30, value);
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_rdma_cap_task_receive_get_max_dst_buf_list_len(
                                                  devinfo, DOCA_RDMA_TRANSPORT_TYPE_DC, &value));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_cap_get_max_message_size(devinfo, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_cap_get_max_message_size(NULL, &value));
}

static void
creation_checks_its_arguments(void) {
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_destroy(NULL));
    CHECK_POINTER(NULL, doca_rdma_as_ctx(NULL));
    REQUIRE_SUCCESS(doca_rdma_create(dev, &rdma));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_dev_close(dev));
    CHECK_SUCCESS(doca_rdma_destroy(rdma));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_rdma_destroy(rdma));
    last_error[0] = '\0';
}

static void
check_without_rdma(void) {
    uint32_t value;
    keep_errors();
    open_fixture();
    const struct doca_devinfo *devinfo = doca_dev_as_devinfo(dev);
    struct doca_mmap *mmap = start_permitted(memory, 64, dev, DOCA_ACCESS_FLAG_RDMA_READ);
    const void *descriptor;
    size_t size;
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_rdma_cap_task_send_is_supported(devinfo));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_rdma_cap_get_max_message_size(devinfo, &value));
    CHECK_REFUSED(DOCA_ERROR_NOT_SUPPORTED, "has no RDMA", doca_mmap_export_rdma(mmap, dev, &descriptor, &size));
    REQUIRE_SUCCESS(doca_rdma_create(dev, &rdma));
    REQUIRE_SUCCESS(doca_pe_connect_ctx(pe, doca_rdma_as_ctx(rdma)));
    CHECK_REFUSED(DOCA_ERROR_NOT_SUPPORTED, "the device has no RDMA", doca_ctx_start(doca_rdma_as_ctx(rdma)));
    CHECK_SUCCESS(doca_rdma_destroy(rdma));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    close_fixture();
}

/* A device with short messages. */
static void
check_short_messages(void) {
    uint32_t value = 0;
    keep_errors();
    open_fixture();
    CHECK_SUCCESS(doca_rdma_cap_get_max_message_size(doca_dev_as_devinfo(dev), &value));
    CHECK_EQUAL(100, value);
    struct side a = create_running_side();
    struct side b = create_running_side();
    connect_sides(&a, &b);
    struct doca_buf *allowed = source(0, 100);
    struct doca_buf *too_long = source(0, 101);
    struct doca_buf *dst = target(4096, 200);
    CHECK_SUCCESS(doca_task_submit(make_receive(&b, dst, 1)));
    CHECK_SUCCESS(doca_task_try_submit(make_send(&a, 0, allowed, 2)));
    progress_until(2);
    check_event(2, DOCA_SUCCESS);
    struct doca_task *task = make_send(&a, 0, too_long, 3);
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "longer than a message may be", doca_task_try_submit(task));
    doca_task_free(task);
    forget_events();
    GIVE_BACK(allowed, too_long, dst);
    destroy_side(&a);
    destroy_side(&b);
    close_fixture();
}

static void
run_all(void) {
    keep_errors();
    open_fixture();
    creation_checks_its_arguments();
    properties_have_defaults_and_limits();
    tasks_are_configured();
    tasks_keep_what_they_are_given();
    devices_can_do_all_tasks();
    close_fixture();
}

int
main(void) {
    check_with_topology("[dpu mlx5_0]\npci = 03:00.0\nrdma = no\n", check_without_rdma);
    check_with_topology("[dpu mlx5_0]\npci = 03:00.0\nrdma_max_message_size = 100\n", check_short_messages);
    check_with_topology("[dpu mlx5_0]\npci = 03:00.0\nlink = infiniband\n", check_infiniband);
    check_with_environment("DOCA_EMULATOR_RELEASE", "2.5", check_receive_queue_of_2_5);
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", run_all);
    return check_result();
}
