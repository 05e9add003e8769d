/* SPDX-License-Identifier: Apache-2.0 */
/* Connections between contexts that use different entries of the GID table, and the reasons why contexts do not connect. */
#include "rdma_fixture.h"

static struct side
create_side_with_gid(uint32_t gid_index) {
    struct side side = create_side();
    REQUIRE_SUCCESS(doca_rdma_set_gid_index(side.rdma, gid_index));
    start_side(&side);
    return side;
}

/* Sends a message from a context with one index to a context with another one. Returns the status of the send. */
static doca_error_t
send_between(uint32_t gid_index, uint32_t peer_gid_index) {
    struct side a = create_side_with_gid(gid_index);
    struct side b = create_side_with_gid(peer_gid_index);
    connect_sides(&a, &b);
    REQUIRE_SUCCESS(doca_task_submit(make_receive(&b, NULL, 1)));
    REQUIRE_SUCCESS(doca_task_submit(make_send(&a, 0, NULL, 2)));
    while (find_event(2) == NULL) {
        progress_or_rest(pe);
    }
    const doca_error_t status = find_event(2)->status;
    destroy_side(&a);
    destroy_side(&b);
    return status;
}

/* Connects two sides, of which the first reports the result. */
static doca_error_t
connect_started(struct side *a, struct side *b) {
    export_connection(a, 0);
    export_connection(b, 0);
    const doca_error_t result = connect_to(a, 0, b, 0);
    destroy_side(a);
    destroy_side(b);
    return result;
}

static doca_error_t
connect_gids(uint32_t gid_index, uint32_t peer_gid_index) {
    struct side a = create_side_with_gid(gid_index);
    struct side b = create_side_with_gid(peer_gid_index);
    return connect_started(&a, &b);
}

static void
the_same_version_of_roce_is_needed(void) {
    CHECK_SUCCESS(send_between(1, 1));
    check_nothing_logged();
    CHECK_REFUSED(DOCA_ERROR_CONNECTION_ABORTED, "the GID index 0 of this context is of RoCE v1, that of the peer of RoCE v2",
                  connect_gids(0, 1));
    CHECK_REFUSED(DOCA_ERROR_CONNECTION_ABORTED, "the GID index 1 of this context is of RoCE v2, that of the peer of RoCE v1",
                  connect_gids(1, 0));
}

/* An empty entry counts as one of RoCE v1 on the own side. */
static void
an_entry_without_a_gid_reaches_nobody(void) {
    CHECK_SUCCESS(connect_gids(254, 0));
    check_nothing_logged();
    CHECK_REFUSED(DOCA_ERROR_CONNECTION_ABORTED, "that of the peer of no protocol, as that entry of its table is empty",
                  connect_gids(0, 254));
    CHECK_REFUSED(DOCA_ERROR_CONNECTION_ABORTED, "of RoCE v1, that of the peer of RoCE v2", connect_gids(254, 1));
}

static void
mtus_that_were_set_must_be_equal(void) {
    struct side a = create_side();
    struct side b = create_side();
    REQUIRE_SUCCESS(doca_rdma_set_mtu(a.rdma, DOCA_MTU_SIZE_512_BYTES));
    REQUIRE_SUCCESS(doca_rdma_set_mtu(b.rdma, DOCA_MTU_SIZE_1K_BYTES));
    start_side(&a);
    start_side(&b);
    CHECK_REFUSED(DOCA_ERROR_CONNECTION_ABORTED, "this context has set an MTU of 1024, and the peer 512",
                  connect_started(&b, &a));
}

/* The MTU of a side that has set none is 1024. */
static void
an_mtu_that_nobody_has_set_stays(void) {
    struct side a = create_side();
    struct side b = create_side();
    enum doca_mtu_size mtu = DOCA_MTU_SIZE_RAW_ETHERNET;
    start_side(&a);
    start_side(&b);
    connect_sides(&a, &b);
    CHECK_SUCCESS(doca_rdma_get_mtu(b.rdma, &mtu));
    CHECK_EQUAL(DOCA_MTU_SIZE_1K_BYTES, mtu);
    destroy_side(&a);
    destroy_side(&b);
}

static void
run_all(void) {
    keep_errors();
    open_fixture();
    the_same_version_of_roce_is_needed();
    an_entry_without_a_gid_reaches_nobody();
    mtus_that_were_set_must_be_equal();
    an_mtu_that_nobody_has_set_stays();
    close_fixture();
}

int
main(void) {
    check_with_engines(run_all);
    return check_result();
}
