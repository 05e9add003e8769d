/* SPDX-License-Identifier: Apache-2.0 */
#include "rdma.h"

#define THEME "rdma configuration"

static struct doca_rdma *
create_rdma(void) {
    if (doca_rdma_cap_task_send_is_supported(devinfo()) != DOCA_SUCCESS) {
        not_available("the device has no RDMA");
    }
    struct doca_rdma *rdma;
    REQUIRE(doca_rdma_create(dev, &rdma));
    return rdma;
}

RULE(rdma_create_arguments, "An RDMA context needs a device and a result pointer.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    struct doca_rdma *rdma;
    CODE(doca_rdma_create(NULL, &rdma));
    open_device();
    CODE(doca_rdma_create(dev, NULL));
}

RULE(rdma_default_queues, "A send queue has 128 entries unless set.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, 128") {
    uint32_t size = 0;
    CODE(doca_rdma_get_send_queue_size(create_rdma(), &size));
    answer_number(size);
}

RULE(rdma_default_list, "A source list has one element unless set.", .source = OBSERVED_2_5, .answer = "SUCCESS, 1") {
    uint32_t len = 0;
    CODE(doca_rdma_get_max_send_buf_list_len(create_rdma(), &len));
    answer_number(len);
}

RULE(rdma_default_permissions, "A context has no permissions unless set.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, 0") {
    uint32_t permissions = 9;
    CODE(doca_rdma_get_permissions(create_rdma(), &permissions));
    answer_number(permissions);
}

RULE(rdma_default_route, "GRH is enabled and the GID index is 0 unless set.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, 1, SUCCESS, 0") {
    struct doca_rdma *rdma = create_rdma();
    uint8_t enabled = 9;
    uint32_t index = 9;
    CODE(doca_rdma_get_grh_enabled(rdma, &enabled));
    answer_number(enabled);
    CODE(doca_rdma_get_gid_index(rdma, &index));
    answer_number(index);
}

RULE(rdma_default_transport, "The transport is RC unless set.", .source = OBSERVED_2_5, .answer = "SUCCESS, 0") {
    enum doca_rdma_transport_type type = 9;
    CODE(doca_rdma_get_transport_type(create_rdma(), &type));
    answer_number(type);
}

RULE(rdma_transport, "The transport can be set to RC, not to an unknown one, and to DC only with 3.0.",
     .source = OBSERVED_3_0, .answer = "SUCCESS, SUCCESS, INVALID_VALUE", .answer_2_5 = "SUCCESS, NOT_SUPPORTED, INVALID_VALUE") {
    struct doca_rdma *rdma = create_rdma();
    CODE(doca_rdma_set_transport_type(rdma, DOCA_RDMA_TRANSPORT_TYPE_RC));
    CODE(doca_rdma_set_transport_type(rdma, DOCA_RDMA_TRANSPORT_TYPE_DC));
    CODE(doca_rdma_set_transport_type(rdma, (enum doca_rdma_transport_type)2));
}

RULE(rdma_send_queue_rounded, "The size of a send queue is rounded up to a power of two.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, 128") {
    struct doca_rdma *rdma = create_rdma();
    uint32_t size = 0;
    CODE(doca_rdma_set_send_queue_size(rdma, 100));
    REQUIRE(doca_rdma_get_send_queue_size(rdma, &size));
    answer_number(size);
}

RULE(rdma_send_queue_limit, "A size above the capability is not supported.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, NOT_SUPPORTED") {
    struct doca_rdma *rdma = create_rdma();
    uint32_t max = 0;
    REQUIRE(doca_rdma_cap_get_max_send_queue_size(devinfo(), &max));
    CODE(doca_rdma_set_send_queue_size(rdma, max));
    CODE(doca_rdma_set_send_queue_size(rdma, max + 1));
}

RULE(rdma_send_queue_zero, "A send queue of size 0 is accepted.", .source = OBSERVED_2_5, .answer = "SUCCESS") {
    CODE(doca_rdma_set_send_queue_size(create_rdma(), 0));
}

RULE(rdma_list_limit, "A source list may be as long as the capability, and not longer.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, NOT_SUPPORTED") {
    struct doca_rdma *rdma = create_rdma();
    uint32_t max = 0;
    REQUIRE(doca_rdma_cap_get_max_send_buf_list_len(devinfo(), &max));
    CODE(doca_rdma_set_max_send_buf_list_len(rdma, max));
    CODE(doca_rdma_set_max_send_buf_list_len(rdma, max + 1));
}

RULE(rdma_default_receive_list, "A receive list has three elements unless set.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, 3") {
    uint32_t len = 0;
    CODE(doca_rdma_task_receive_get_dst_buf_list_len(create_rdma(), &len));
    answer_number(len);
}

RULE(rdma_receive_list_limit, "A receive list longer than the capability is refused by 2.5 only.",
     .source = OBSERVED_3_0, .answer = "31, SUCCESS, SUCCESS", .answer_2_5 = "31, SUCCESS, NOT_SUPPORTED") {
    struct doca_rdma *rdma = create_rdma();
    uint32_t max = 0;
    REQUIRE(doca_rdma_cap_task_receive_get_max_dst_buf_list_len(devinfo(), DOCA_RDMA_TRANSPORT_TYPE_RC, &max));
    answer_number(max);
    CODE(doca_rdma_task_receive_set_dst_buf_list_len(rdma, max));
    CODE(doca_rdma_task_receive_set_dst_buf_list_len(rdma, max + 1));
}

RULE(rdma_receive_list_rounded, "2.5 rounds the length of receive lists up to one less than a power of two.",
     .source = OBSERVED_3_0, .answer = "SUCCESS, 4", .answer_2_5 = "SUCCESS, 7") {
    struct doca_rdma *rdma = create_rdma();
    uint32_t len = 0;
    CODE(doca_rdma_task_receive_set_dst_buf_list_len(rdma, 4));
    REQUIRE(doca_rdma_task_receive_get_dst_buf_list_len(rdma, &len));
    answer_number(len);
}

RULE(rdma_receive_list_started, "3.0 rounds the length of receive lists up to a power of two at the start.",
     .source = OBSERVED_3_0, .answer = "4, 8, 0", .answer_2_5 = "3, 7, 0") {
    create_sides();
    const uint32_t lens[] = {3, 5, 0};
    for (size_t i = 0; i < 3; i++) {
        uint32_t len = 9;
        REQUIRE(doca_rdma_task_receive_set_dst_buf_list_len(near_side.rdma, lens[i]));
        start_side(&near_side);
        REQUIRE(doca_rdma_task_receive_get_dst_buf_list_len(near_side.rdma, &len));
        answer_number(len);
        (void)doca_ctx_stop(near_side.ctx);
        progress_to_state(near_side.ctx, DOCA_CTX_STATE_IDLE);
    }
}

RULE(rdma_send_queue_of_lists,
     "An entry of a send queue has units of 64 bytes, 48 bytes and 16 for each buffer of the longest list: 3.0 starts no "
     "context with too many units.", .source = OBSERVED_3_0, .since = 209,
     .answer = "SUCCESS, INVALID_VALUE, SUCCESS, BAD_CONFIG, INVALID_VALUE") {
    static const struct {
        uint32_t entries;
        uint32_t buffers;
    } queues[] = {{32768, 1}, {32768, 2}, {16384, 5}, {16384, 6}, {16384, 10}};
    uint32_t max = 0;
    create_sides();
    REQUIRE(doca_rdma_cap_get_max_send_queue_size(devinfo(), &max));
    if (max != 32768) {
        not_available("send queues have up to %u entries", max);
    }
    for (size_t i = 0; i < sizeof(queues) / sizeof(queues[0]); i++) {
        REQUIRE(doca_rdma_set_send_queue_size(near_side.rdma, queues[i].entries));
        REQUIRE(doca_rdma_set_max_send_buf_list_len(near_side.rdma, queues[i].buffers));
        CODE(doca_ctx_start(near_side.ctx));
        (void)doca_ctx_stop(near_side.ctx);
        progress_to_state(near_side.ctx, DOCA_CTX_STATE_IDLE);
    }
}

RULE(rdma_gid_index_limit, "A GID index beyond the table is refused.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, INVALID_VALUE") {
    struct doca_rdma *rdma = create_rdma();
    uint32_t size = 0;
    REQUIRE(doca_rdma_cap_get_gid_table_size(devinfo(), &size));
    CODE(doca_rdma_set_gid_index(rdma, size - 1));
    CODE(doca_rdma_set_gid_index(rdma, size));
}

RULE(rdma_grh_on_ethernet, "On Ethernet GRH cannot be disabled.", .source = OBSERVED_2_5, .answer = "NOT_SUPPORTED") {
    struct doca_rdma *rdma = create_rdma();
    uint16_t lid;
    if (doca_devinfo_get_lid(devinfo(), &lid) == DOCA_SUCCESS) {
        not_available("the device is InfiniBand");
    }
    CODE(doca_rdma_set_grh_enabled(rdma, 0));
}

RULE(rdma_service_level, "A service level must be below 16.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, NOT_SUPPORTED") {
    struct doca_rdma *rdma = create_rdma();
    CODE(doca_rdma_set_sl(rdma, 3));
    CODE(doca_rdma_set_sl(rdma, 16));
}

RULE(rdma_permissions_set, "RDMA permissions are accepted, PCI permissions are not.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, INVALID_VALUE") {
    struct doca_rdma *rdma = create_rdma();
    CODE(doca_rdma_set_permissions(rdma, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ));
    CODE(doca_rdma_set_permissions(rdma, DOCA_ACCESS_FLAG_PCI_READ_ONLY));
}

RULE(rdma_permissions_relaxed, "3.0 accepts the permission of relaxed ordering, which its header does not declare.",
     .source = OBSERVED_3_0, .answer = "SUCCESS, INVALID_VALUE", .answer_2_5 = "INVALID_VALUE, INVALID_VALUE") {
    struct doca_rdma *rdma = create_rdma();
    CODE(doca_rdma_set_permissions(rdma, 1u << 6));
    CODE(doca_rdma_set_permissions(rdma, 1u << 7));
}

RULE(rdma_mtu, "An MTU of the port is accepted, raw Ethernet is not.", .source = OBSERVED_2_5,
     .answer = "SUCCESS, NOT_SUPPORTED") {
    struct doca_rdma *rdma = create_rdma();
    CODE(doca_rdma_set_mtu(rdma, DOCA_MTU_SIZE_256_BYTES));
    CODE(doca_rdma_set_mtu(rdma, DOCA_MTU_SIZE_RAW_ETHERNET));
}

RULE(rdma_getters_null, "Getters need a result pointer.", .source = OBSERVED_2_5,
     .answer = "INVALID_VALUE, INVALID_VALUE") {
    struct doca_rdma *rdma = create_rdma();
    CODE(doca_rdma_get_send_queue_size(rdma, NULL));
    CODE(doca_rdma_get_gid_index(rdma, NULL));
}

RULE(rdma_capabilities, "Messages may have at least 1 GiB, and the GID table has entries.", .source = OBSERVED_3_0,
     .answer = "yes, yes, yes") {
    uint32_t value = 0;
    (void)create_rdma();
    REQUIRE(doca_rdma_cap_get_max_message_size(devinfo(), &value));
    answer_flag(value >= 1u << 30);
    REQUIRE(doca_rdma_cap_get_gid_table_size(devinfo(), &value));
    answer_flag(value > 0);
    answer_flag(doca_rdma_cap_transport_type_is_supported(devinfo(), DOCA_RDMA_TRANSPORT_TYPE_RC) == DOCA_SUCCESS);
}

RULE(rdma_tasks_supported, "A device with RDMA executes all kinds of tasks.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, SUCCESS, SUCCESS, SUCCESS, SUCCESS, SUCCESS, SUCCESS, SUCCESS, INVALID_VALUE") {
    create_sides();
    CODE(doca_rdma_cap_task_receive_is_supported(devinfo()));
    CODE(doca_rdma_cap_task_send_is_supported(devinfo()));
    CODE(doca_rdma_cap_task_send_imm_is_supported(devinfo()));
    CODE(doca_rdma_cap_task_read_is_supported(devinfo()));
    CODE(doca_rdma_cap_task_write_is_supported(devinfo()));
    CODE(doca_rdma_cap_task_write_imm_is_supported(devinfo()));
    CODE(doca_rdma_cap_task_atomic_cmp_swp_is_supported(devinfo()));
    CODE(doca_rdma_cap_task_atomic_fetch_add_is_supported(devinfo()));
    CODE(doca_rdma_cap_task_send_is_supported(NULL));
}

RULE(rdma_transport_supported, "RC is supported, and an unknown transport is refused.", .source = OBSERVED_3_0,
     .answer = "SUCCESS, INVALID_VALUE") {
    create_sides();
    CODE(doca_rdma_cap_transport_type_is_supported(devinfo(), DOCA_RDMA_TRANSPORT_TYPE_RC));
    CODE(doca_rdma_cap_transport_type_is_supported(devinfo(), (enum doca_rdma_transport_type)2));
}

RULE(rdma_gid_range, "GIDs beyond the table are refused.", .source = OBSERVED_2_5, .answer = "SUCCESS, INVALID_VALUE") {
    (void)create_rdma();
    uint32_t size = 0;
    struct doca_rdma_gid gids[2];
    REQUIRE(doca_rdma_cap_get_gid_table_size(devinfo(), &size));
    CODE(doca_rdma_cap_get_gid(devinfo(), 0, 2, gids));
    CODE(doca_rdma_cap_get_gid(devinfo(), size - 1, 2, gids));
}

RULE(rdma_start_without_engine, "An RDMA context without an engine cannot be started.", .source = OBSERVED_2_5,
     .answer = "NOT_CONNECTED") {
    CODE(doca_ctx_start(doca_rdma_as_ctx(create_rdma())));
}

RULE(rdma_set_when_running, "Properties must be set before the start.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE, BAD_STATE, BAD_STATE, BAD_STATE, BAD_STATE, BAD_STATE, BAD_STATE, BAD_STATE, BAD_STATE") {
    connect_sides();
    struct doca_rdma *rdma = near_side.rdma;
    CODE(doca_rdma_set_gid_index(rdma, 0));
    CODE(doca_rdma_set_permissions(rdma, 1));
    CODE(doca_rdma_set_send_queue_size(rdma, 1));
    CODE(doca_rdma_set_max_send_buf_list_len(rdma, 1));
    CODE(doca_rdma_task_receive_set_dst_buf_list_len(rdma, 1));
    CODE(doca_rdma_set_transport_type(rdma, DOCA_RDMA_TRANSPORT_TYPE_RC));
    CODE(doca_rdma_set_mtu(rdma, DOCA_MTU_SIZE_1K_BYTES));
    CODE(doca_rdma_set_grh_enabled(rdma, 1));
    CODE(doca_rdma_set_sl(rdma, 1));
}

RULE(rdma_set_invalid_when_running, "Whether properties may be set is checked before their values.",
     .source = OBSERVED_3_0, .answer = "BAD_STATE, BAD_STATE, BAD_STATE, BAD_STATE, BAD_STATE, BAD_STATE") {
    connect_sides();
    struct doca_rdma *rdma = near_side.rdma;
    CODE(doca_rdma_set_gid_index(rdma, 255));
    CODE(doca_rdma_set_send_queue_size(rdma, 70000));
    CODE(doca_rdma_set_max_send_buf_list_len(rdma, 9999));
    CODE(doca_rdma_task_receive_set_dst_buf_list_len(rdma, 9999));
    CODE(doca_rdma_set_mtu(rdma, (enum doca_mtu_size)7));
    CODE(doca_rdma_set_permissions(rdma, DOCA_ACCESS_FLAG_PCI_READ_ONLY));
}

RULE(rdma_export_idle, "Connection details can be exported only after the start.", .source = OBSERVED_2_5,
     .answer = "BAD_STATE") {
    create_sides();
    CODE(export_side(&near_side));
}

RULE(rdma_export_size, "Connection details have at most 1024 bytes.", .source = OBSERVED_3_0, .answer = "yes") {
    create_sides();
    start_side(&near_side);
    REQUIRE(export_side(&near_side));
    answer_flag(near_side.details_size > 0 && near_side.details_size <= 1024);
}

RULE(rdma_connect_garbage, "Data that is not connection details is refused.", .source = OBSERVED_2_5,
     .answer = "CONNECTION_ABORTED") {
    create_sides();
    start_side(&near_side);
    REQUIRE(export_side(&near_side));
    CODE(connect_side(&near_side, "garbage", 7));
}

RULE(rdma_connect_null, "Connecting needs details.", .source = OBSERVED_2_5, .answer = "INVALID_VALUE") {
    create_sides();
    start_side(&near_side);
    REQUIRE(export_side(&near_side));
    CODE(connect_side(&near_side, NULL, 0));
}

/* Starts and connects both sides, and answers how. */
static void
answer_connect(void) {
    start_sides();
    CODE(connect_side(&near_side, far_side.details, far_side.details_size));
    CODE(connect_side(&far_side, near_side.details, near_side.details_size));
}

RULE(rdma_connect_other_roce, "GIDs of different versions of RoCE cannot be connected.", .source = OBSERVED_3_0,
     .answer = "CONNECTION_ABORTED, CONNECTION_ABORTED") {
    uint16_t lid;
    create_sides();
    if (doca_devinfo_get_lid(devinfo(), &lid) == DOCA_SUCCESS) {
        not_available("the device is InfiniBand");
    }
    REQUIRE(doca_rdma_set_gid_index(near_side.rdma, 0));
    REQUIRE(doca_rdma_set_gid_index(far_side.rdma, 1));
    answer_connect();
}

RULE(rdma_connect_other_mtu, "Contexts for which different MTUs were set cannot be connected.", .source = OBSERVED_3_0,
     .answer = "CONNECTION_ABORTED, CONNECTION_ABORTED") {
    create_sides();
    REQUIRE(doca_rdma_set_mtu(near_side.rdma, DOCA_MTU_SIZE_512_BYTES));
    REQUIRE(doca_rdma_set_mtu(far_side.rdma, DOCA_MTU_SIZE_1K_BYTES));
    answer_connect();
}

RULE(rdma_connect_adopts_mtu, "A context for which no MTU was set uses that of its peer.", .source = OBSERVED_3_0,
     .answer = "2, SUCCESS, SUCCESS, 1 and 1") {
    enum doca_mtu_size near = 9;
    enum doca_mtu_size far = 9;
    create_sides();
    REQUIRE(doca_rdma_set_mtu(near_side.rdma, DOCA_MTU_SIZE_512_BYTES));
    REQUIRE(doca_rdma_get_mtu(far_side.rdma, &far));
    answer_number(far);
    answer_connect();
    REQUIRE(doca_rdma_get_mtu(near_side.rdma, &near));
    REQUIRE(doca_rdma_get_mtu(far_side.rdma, &far));
    answer("%d and %d", near, far);
}

RULE(rdma_connect_again, "A connection that could not be connected can be connected to another peer.",
     .source = OBSERVED_3_0, .answer = "CONNECTION_ABORTED, SUCCESS") {
    create_sides();
    REQUIRE(doca_rdma_set_mtu(near_side.rdma, DOCA_MTU_SIZE_512_BYTES));
    REQUIRE(doca_rdma_set_mtu(far_side.rdma, DOCA_MTU_SIZE_1K_BYTES));
    start_sides();
    CODE(connect_side(&near_side, far_side.details, far_side.details_size));
    (void)doca_ctx_stop(far_side.ctx);
    progress_to_state(far_side.ctx, DOCA_CTX_STATE_IDLE);
    REQUIRE(doca_rdma_set_mtu(far_side.rdma, DOCA_MTU_SIZE_512_BYTES));
    start_side(&far_side);
    REQUIRE(export_side(&far_side));
    CODE(connect_side(&near_side, far_side.details, far_side.details_size));
}

RULE(rdma_connect_twice, "A context can be connected only once.", .source = OBSERVED_2_5, .answer = "BAD_STATE") {
    connect_sides();
    CODE(connect_side(&near_side, far_side.details, far_side.details_size));
}

RULE(rdma_start_one_connection, "A context with one connection is STARTING until it is connected.",
     .source = OBSERVED_2_5, .until = 206, .answer = "IN_PROGRESS, STARTING, to STARTING") {
    if (has_connections()) {
        not_available("connections are objects of their own");
    }
    create_sides();
    CODE(doca_ctx_start(near_side.ctx));
    answer("%s", state_of(near_side.ctx));
    answer_notes();
}

RULE(rdma_alloc_starting, "A context with one connection has no tasks until it is connected.", .source = OBSERVED_2_5,
     .until = 206, .answer = "BAD_STATE") {
    if (has_connections()) {
        not_available("connections are objects of their own");
    }
    create_sides();
    start_side(&near_side);
    struct doca_rdma_task_receive *task;
    CODE(doca_rdma_task_receive_allocate_init(near_side.rdma, target(65536, 64), data_of(1), &task));
}

RULE(rdma_stop_starting, "A context that is STARTING can be stopped, and is then IDLE.", .source = OBSERVED_2_5,
     .until = 206, .answer = "SUCCESS, IDLE") {
    if (has_connections()) {
        not_available("connections are objects of their own");
    }
    create_sides();
    start_side(&near_side);
    CODE(doca_ctx_stop(near_side.ctx));
    answer("%s", state_of(near_side.ctx));
}

RULE(rdma_running_after_connect,
     "A context with one connection becomes RUNNING in the next progress after connecting.", .source = OBSERVED_2_5,
     .until = 206, .answer = "STARTING, progress 1, RUNNING") {
    if (has_connections()) {
        not_available("connections are objects of their own");
    }
    create_sides();
    start_sides();
    REQUIRE(connect_side(&near_side, far_side.details, far_side.details_size));
    answer("%s", state_of(near_side.ctx));
    answer("progress %d", doca_pe_progress(pe));
    answer("%s", state_of(near_side.ctx));
}
