/* SPDX-License-Identifier: Apache-2.0 */
/* False claims of peers that they access memory. */
#include "rdma_fixture.h"
#include "rdma_scribble.h"

#define NUM_RECEIVES 16

/*
 * A reported receive is no longer in the ring, and a peer's claim that it completed again is ignored. A stop does not wait
 * for peers that claim to access the memory without the secret of their slot.
 */
static void
a_reported_receive_is_not_reported_again(uint64_t seed) {
    struct side a = create_running_side();
    struct side b = create_running_side();
    connect_sides(&a, &b);
    struct doca_buf *dst[NUM_RECEIVES];
    for (uint64_t number = 0; number < NUM_RECEIVES; number++) {
        dst[number] = target(64 * number, 64);
        CHECK_SUCCESS(doca_task_submit(make_receive(&b, dst[number], number)));
    }
    for (uint64_t number = 0; number < NUM_RECEIVES / 2; number++) {
        CHECK_SUCCESS(doca_task_submit(make_send(&a, 0, NULL, 100 + number)));
    }
    progress_until(NUM_RECEIVES);
    (void)scribble_over_all(seed);
    CHECK_SUCCESS(doca_task_submit(make_send(&a, 0, NULL, 200)));
    CHECK_SUCCESS(doca_task_submit(make_write(&a, 0, NULL, NULL, 201)));
    for (int i = 0; i < 1000; i++) {
        (void)doca_pe_progress(pe);
    }
    forget_events();
    destroy_side(&a);
    destroy_side(&b);
    for (size_t i = 0; i < NUM_RECEIVES; i++) {
        CHECK(data_len_of(dst[i]) <= 64);
        give_back(dst[i]);
    }
}

static void
run(void) {
    keep_errors();
    open_fixture();
    /* One byte is the state of a receive; 3 is the state of a completed one. */
    a_reported_receive_is_not_reported_again(0);
    a_reported_receive_is_not_reported_again(3);
    close_fixture();
}

int
main(void) {
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", run);
    return check_result();
}
