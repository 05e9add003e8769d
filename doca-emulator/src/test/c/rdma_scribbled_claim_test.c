/* SPDX-License-Identifier: Apache-2.0 */
/* False claims of peers that they access memory. A separate test, because it waits for seconds. */
#include <time.h>

#include "rdma_fixture.h"
#include "rdma_scribble.h"

#define NUM_RECEIVES 16
#define NUM_CONNECTIONS 4

/*
 * A reported receive is no longer in the ring, and a peer's claim that it completed again is ignored. Both sides wait for
 * a peer that claims to access the memory, for 5 s each.
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

/* A stop waits for the peers of all connections together, and so 5 s and not 20. */
static void
connections_do_not_wait_one_after_the_other(void) {
    struct side a = create_running_side();
    struct side b = create_running_side();
    for (size_t i = 0; i < NUM_CONNECTIONS; i++) {
        export_connection(&a, i);
        export_connection(&b, i);
    }
    for (size_t i = 0; i < NUM_CONNECTIONS; i++) {
        CHECK_SUCCESS(connect_to(&a, i, &b, i));
        CHECK_SUCCESS(connect_to(&b, i, &a, i));
    }
    (void)scribble_over_all(3);
    const time_t start = time(NULL);
    destroy_side(&a);
    CHECK(time(NULL) - start < 15);
    destroy_side(&b);
}

static void
run(void) {
    keep_errors();
    open_fixture();
    /* One byte is the state of a receive; 3 is the state of a completed one. */
    a_reported_receive_is_not_reported_again(0);
    a_reported_receive_is_not_reported_again(3);
    connections_do_not_wait_one_after_the_other();
    close_fixture();
}

int
main(void) {
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", run);
    return check_result();
}
