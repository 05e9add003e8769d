/* SPDX-License-Identifier: Apache-2.0 */
/* Messages wake a program that sleeps, while other threads start and stop contexts of the same process. */
#include <pthread.h>
#include <stdatomic.h>

#include "rdma_fixture.h"

#define MAX_ROUNDS 1000
/* Sanitizers and busy machines take longer for as many rounds. As long as each fuzz test if that is longer, as before a release. */
#define MAX_TIME_S 1

static atomic_bool finished;

/* The thread for wake-ups of the process starts and ends with each round, unless the others have contexts. */
static void *
start_and_stop(void *unused) {
    (void)unused;
    while (!atomic_load(&finished)) {
        struct doca_pe *own_pe;
        struct doca_rdma *rdma;
        REQUIRE_SUCCESS(doca_pe_create(&own_pe));
        REQUIRE_SUCCESS(doca_rdma_create(dev, &rdma));
        struct doca_ctx *ctx = doca_rdma_as_ctx(rdma);
        REQUIRE_SUCCESS(doca_pe_connect_ctx(own_pe, ctx));
        CHECK_SUCCESS(doca_ctx_start(ctx));
        CHECK_SUCCESS(doca_pe_request_notification(own_pe));
        CHECK_SUCCESS(doca_ctx_stop(ctx));
        CHECK_SUCCESS(doca_rdma_destroy(rdma));
        CHECK_SUCCESS(doca_pe_destroy(own_pe));
    }
    return NULL;
}

/* False when the receiver was not woken. */
static bool
wake_receiver(struct doca_pe *sender_pe, struct doca_pe *receiver_pe) {
    pe = receiver_pe;
    struct side receiver = create_running_side();
    pe = sender_pe;
    struct side sender = create_running_side();
    connect_sides(&sender, &receiver);
    CHECK_SUCCESS(doca_task_submit(make_receive(&receiver, NULL, 1)));
    while (doca_pe_progress(receiver_pe) != 0) {
    }
    CHECK_SUCCESS(doca_pe_request_notification(receiver_pe));
    CHECK_SUCCESS(doca_task_submit(make_send(&sender, 0, NULL, 2)));
    progress_until(1);
    const bool woken = is_notified(receiver_pe, WAKE_TIME_MS);
    CHECK_SUCCESS(doca_pe_clear_notification(receiver_pe, 0));
    pe = receiver_pe;
    progress_until(2);
    destroy_side(&receiver);
    pe = sender_pe;
    destroy_side(&sender);
    return woken;
}

static void
run_all(void) {
    pthread_t other;
    struct doca_pe *receiver_pe;
    keep_errors();
    open_fixture();
    struct doca_pe *sender_pe = pe;
    REQUIRE_SUCCESS(doca_pe_create(&receiver_pe));
    CHECK_EQUAL(0, pthread_create(&other, NULL, start_and_stop, NULL));
    const char *const fuzz_time = getenv("EMULATOR_FUZZ_SECONDS");
    const int max_time = fuzz_time != NULL && atoi(fuzz_time) > MAX_TIME_S ? atoi(fuzz_time) : MAX_TIME_S;
    const time_t start = time(NULL);
    for (int i = 0; i < MAX_ROUNDS && time(NULL) - start <= max_time; i++) {
        if (!wake_receiver(sender_pe, receiver_pe)) {
            CHECK_FAILED("not woken in round %d", i);
            break;
        }
    }
    atomic_store(&finished, true);
    pthread_join(other, NULL);
    pe = sender_pe;
    CHECK_SUCCESS(doca_pe_destroy(receiver_pe));
    check_nothing_logged();
    close_fixture();
}

/* The engine looks for itself while no thread can be started that wakes it. */
static void
run_without_thread(void) {
    struct doca_pe *receiver_pe;
    keep_errors();
    open_fixture();
    struct doca_pe *sender_pe = pe;
    REQUIRE_SUCCESS(doca_pe_create(&receiver_pe));
    CHECK(wake_receiver(sender_pe, receiver_pe));
    pe = sender_pe;
    CHECK_SUCCESS(doca_pe_destroy(receiver_pe));
    close_fixture();
}

int
main(void) {
    check_with_environment("DOCA_EMULATOR_ENGINE", "inline", run_all);
    check_with_environment("DOCA_EMULATOR_FAULTS", "fail-system=thread:1", run_without_thread);
    return check_result();
}
