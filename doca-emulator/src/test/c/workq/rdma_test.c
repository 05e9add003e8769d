/* SPDX-License-Identifier: Apache-2.0 */
/* Two connected RDMA contexts in one process. One of them stops while its peers are suspended during an access. */
#include <doca_rdma.h>

#include "fixture.h"
#include "rdma_users.h"

#define PERMISSIONS \
    (DOCA_ACCESS_LOCAL_READ_WRITE | DOCA_ACCESS_RDMA_READ | DOCA_ACCESS_RDMA_WRITE | DOCA_ACCESS_RDMA_ATOMIC)
#define DEPTH 16

struct side {
    struct doca_rdma *rdma;
    struct doca_ctx *ctx;
    struct doca_workq *workq;
    const void *details;
    size_t details_size;
};

static struct side near_side;
static struct side far_side;

static void
check_state(enum doca_rdma_state expected, const struct side *side) {
    enum doca_rdma_state state = DOCA_RDMA_STATE_RESET;
    CHECK_SUCCESS(doca_rdma_get_state(side->rdma, &state));
    CHECK_EQUAL(expected, state);
}

static void
create_side(struct side *side) {
    REQUIRE_SUCCESS(doca_rdma_create(&side->rdma));
    side->ctx = doca_rdma_as_ctx(side->rdma);
    REQUIRE_SUCCESS(doca_ctx_dev_add(side->ctx, dev));
    REQUIRE_SUCCESS(doca_rdma_set_permissions(side->rdma, PERMISSIONS));
    REQUIRE_SUCCESS(doca_workq_create(DEPTH, &side->workq));
}

static void
start_side(struct side *side) {
    REQUIRE_SUCCESS(doca_ctx_start(side->ctx));
    REQUIRE_SUCCESS(doca_rdma_export(side->rdma, &side->details, &side->details_size));
    REQUIRE_SUCCESS(doca_ctx_workq_add(side->ctx, side->workq));
}

static void
connect_sides(void) {
    start_side(&near_side);
    start_side(&far_side);
    REQUIRE_SUCCESS(doca_rdma_connect(near_side.rdma, far_side.details, far_side.details_size));
    REQUIRE_SUCCESS(doca_rdma_connect(far_side.rdma, near_side.details, near_side.details_size));
}

static void
stop_side(struct side *side) {
    CHECK_SUCCESS(doca_ctx_workq_rm(side->ctx, side->workq));
    CHECK_SUCCESS(doca_ctx_stop(side->ctx));
    check_state(DOCA_RDMA_STATE_RESET, side);
}

static void
destroy_side(struct side *side) {
    CHECK_SUCCESS(doca_ctx_dev_rm(side->ctx, dev));
    CHECK_SUCCESS(doca_rdma_destroy(side->rdma));
    CHECK_SUCCESS(doca_workq_destroy(side->workq));
}

/* As if both peers were suspended in the middle of an operation. Only the first stop waits for 5 s. */
static void
check_suspended_peers(void) {
    CHECK_SUCCESS(doca_ctx_workq_rm(near_side.ctx, near_side.workq));
    CHECK_EQUAL(0, change_users(1));
    for (int i = 0; i < 100; i++) {
        CHECK_ERROR(DOCA_ERROR_IN_USE, doca_ctx_stop(near_side.ctx));
        CHECK_ERROR(DOCA_ERROR_BAD_STATE, doca_ctx_start(near_side.ctx));
    }
    CHECK_EQUAL(0, change_users(-1));
    doca_error_t result;
    do {
        result = doca_ctx_stop(near_side.ctx);
    } while (result == DOCA_ERROR_IN_USE);
    CHECK_SUCCESS(result);
    check_state(DOCA_RDMA_STATE_RESET, &near_side);
    stop_side(&far_side);
    connect_sides();
}

int
main(void) {
    set_up(PERMISSIONS);
    create_side(&near_side);
    create_side(&far_side);
    connect_sides();
    check_suspended_peers();
    stop_side(&near_side);
    stop_side(&far_side);
    destroy_side(&near_side);
    destroy_side(&far_side);
    tear_down();
    return check_result();
}
