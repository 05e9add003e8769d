/* SPDX-License-Identifier: Apache-2.0 */
/* Connections between contexts that use different entries of the GID table. */
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

static void
the_same_version_of_roce_is_needed(void) {
    CHECK_SUCCESS(send_between(0, 0));
    CHECK_SUCCESS(send_between(1, 1));
    check_nothing_logged();
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, send_between(0, 1));
    check_logged("the GID index of this context is of RoCE v1, and that of the peer is of RoCE v2");
    CHECK_ERROR(DOCA_ERROR_IO_FAILED, send_between(1, 0));
    check_logged("the GID index of this context is of RoCE v2, and that of the peer is of RoCE v1");
}

static void
an_entry_without_a_gid_reaches_nobody(void) {
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "the device has no GID of the index of this context", send_between(254, 254));
    CHECK_REFUSED(DOCA_ERROR_IO_FAILED, "the peer's device has no GID of the index of its context", send_between(1, 2));
}

static void
run_all(void) {
    keep_errors();
    open_fixture();
    the_same_version_of_roce_is_needed();
    an_entry_without_a_gid_reaches_nobody();
    close_fixture();
}

int
main(void) {
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", run_all);
    check_with_environment("DOCA_EMULATOR_ENGINE", "threaded", run_all);
    return check_result();
}
