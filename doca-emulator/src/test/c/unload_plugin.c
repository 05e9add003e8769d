/* SPDX-License-Identifier: Apache-2.0 */
/* The plugin of unload_test. It leaves a running context whose engine has work. */
#include "rdma_fixture.h"

int run(void);

static struct side a;
static struct side b;

/* The sends wait for receives that are never posted, so that the threads keep polling. */
__attribute__((visibility("default"))) int
run(void) {
    open_fixture();
    a = create_side();
    b = create_side();
    CHECK_SUCCESS(doca_rdma_set_rnr_retry_count(a.rdma, 7));
    start_side(&a);
    start_side(&b);
    connect_sides(&a, &b);
    for (uint64_t number = 0; number < 4; number++) {
        CHECK_SUCCESS(doca_task_submit(make_send(&a, 0, NULL, number)));
    }
    CHECK_SUCCESS(doca_pe_request_notification(pe));
    return check_result();
}
