/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations whose cost must not grow with the number of contexts or connections. The test compares the shortest time
 * of many calls, which other processes do not affect; a cost that grew with the number would exceed the limit by far.
 */
#include "quiet_dma.h"

#include "../../main/c/common/clock.h"

#define NUM_IDLE_CONTEXTS 1000
#define NUM_CONNECTIONS 20000
#define NUM_MESSAGES 32
#define NUM_ROUNDS 20
#define LIMIT 20

static struct doca_dma *
start_dma(void) {
    struct doca_dma *dma = create_dma();
    REQUIRE_SUCCESS(doca_ctx_start(doca_dma_as_ctx(dma)));
    return dma;
}

static void
end_dma(struct doca_dma *dma) {
    CHECK_SUCCESS(doca_ctx_stop(doca_dma_as_ctx(dma)));
    CHECK_SUCCESS(doca_dma_destroy(dma));
}

/* The time of 100 calls that find nothing. */
static uint64_t
time_of_progress(void) {
    uint64_t shortest = UINT64_MAX;
    for (int round = 0; round < NUM_ROUNDS; round++) {
        const uint64_t start = clock_now();
        for (int i = 0; i < 100; i++) {
            CHECK_EQUAL(0, doca_pe_progress(pe));
        }
        const uint64_t time = clock_now() - start;
        shortest = time < shortest ? time : shortest;
    }
    return shortest;
}

static void
progress_does_not_visit_idle_contexts(void) {
    static struct doca_dma *dmas[NUM_IDLE_CONTEXTS];
    dmas[0] = start_dma();
    const uint64_t time_of_one = time_of_progress();
    for (int i = 1; i < NUM_IDLE_CONTEXTS; i++) {
        dmas[i] = start_dma();
    }
    const uint64_t time_of_all = time_of_progress();
    if (time_of_all > LIMIT * time_of_one) {
        CHECK_FAILED("progress takes %llu ns with one context and %llu ns with %d",
                     (unsigned long long)time_of_one / 100, (unsigned long long)time_of_all / 100, NUM_IDLE_CONTEXTS);
    }
    for (int i = 0; i < NUM_IDLE_CONTEXTS; i++) {
        end_dma(dmas[i]);
    }
}

static struct side
start_with_connections(uint16_t max_num_connections) {
    struct side side = create_side();
    REQUIRE_SUCCESS(doca_rdma_set_max_num_connections(side.rdma, max_num_connections));
    start_side(&side);
    return side;
}

static uint64_t
shortest_time_of_events(size_t num) {
    uint64_t shortest = UINT64_MAX;
    const size_t end = num_events + num;
    while (num_events < end) {
        const uint64_t start = clock_now();
        progress_until(num_events + 1);
        const uint64_t time = clock_now() - start;
        shortest = time < shortest ? time : shortest;
    }
    return shortest;
}

/* To report one of several messages by the newest of so many connections, which has been disconnected meanwhile. */
static uint64_t
time_of_message(uint16_t num_connections) {
    struct side receiver = start_with_connections(num_connections);
    for (uint16_t i = 1; i < num_connections; i++) {
        export_connection(&receiver, 0);
    }
    struct doca_pe *receiver_pe = pe;
    REQUIRE_SUCCESS(doca_pe_create(&pe));
    struct side sender = start_with_connections(1);
    connect_sides(&receiver, &sender);
    for (uint64_t i = 0; i < NUM_MESSAGES; i++) {
        REQUIRE_SUCCESS(doca_task_submit(make_receive(&receiver, NULL, i)));
        REQUIRE_SUCCESS(doca_task_submit(make_send(&sender, 0, NULL, NUM_MESSAGES + i)));
    }
    progress_until(NUM_MESSAGES);
    destroy_side(&sender);
    CHECK_SUCCESS(doca_pe_destroy(pe));
    pe = receiver_pe;
    CHECK_SUCCESS(doca_rdma_connection_disconnect(receiver.connections[0]));
    const uint64_t time = shortest_time_of_events(NUM_MESSAGES);
    for (uint64_t i = 0; i < NUM_MESSAGES; i++) {
        check_event(i, DOCA_SUCCESS);
    }
    destroy_side(&receiver);
    return time;
}

static void
a_message_does_not_look_for_its_connection_among_all(void) {
    const uint64_t time_with_one = time_of_message(1);
    const uint64_t time_with_all = time_of_message(NUM_CONNECTIONS);
    if (time_with_all > LIMIT * time_with_one) {
        CHECK_FAILED("a message takes %llu ns with one connection and %llu ns with %d",
                     (unsigned long long)time_with_one, (unsigned long long)time_with_all, NUM_CONNECTIONS);
    }
}

int
main(void) {
    open_fixture();
    progress_does_not_visit_idle_contexts();
    a_message_does_not_look_for_its_connection_among_all();
    close_fixture();
    return check_result();
}
