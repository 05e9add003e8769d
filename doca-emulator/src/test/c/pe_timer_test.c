/* SPDX-License-Identifier: Apache-2.0 */
/* The times at which an engine is notified without an event of a device. */
#include "common/pe_timer.h"
#include "fixture.h"

#define LATE (now_ns() + 3600 * 1000 * NS_PER_MS)
#define SOON (now_ns() + 10 * NS_PER_MS)

static struct doca_pe *
create_armed(void) {
    struct doca_pe *pe;
    REQUIRE_SUCCESS(doca_pe_create(&pe));
    REQUIRE_SUCCESS(doca_pe_request_notification(pe));
    return pe;
}

static void
the_earliest_time_counts(void) {
    for (int i = 0; i < PE_NUM_QUEUES; i++) {
        struct doca_pe *pe = create_armed();
        struct pe_queue *queue = &pe->queues[i];
        pe_timer_set(queue, LATE);
        pe_timer_set(queue, SOON);
        pe_timer_set(queue, LATE);
        CHECK(is_notified(pe, WAKE_TIME_MS));
        CHECK_SUCCESS(doca_pe_destroy(pe));
    }
}

static void
each_queue_has_its_time(void) {
    struct doca_pe *first = create_armed();
    struct doca_pe *second = create_armed();
    struct doca_pe *third = create_armed();
    pe_timer_set(&first->queues[0], LATE);
    pe_timer_set(&second->queues[0], SOON);
    pe_timer_set(&third->queues[0], LATE);
    CHECK(is_notified(second, WAKE_TIME_MS));
    CHECK(!is_notified(first, 0));
    CHECK(!is_notified(third, 0));
    CHECK_SUCCESS(doca_pe_destroy(first));
    CHECK_SUCCESS(doca_pe_destroy(second));
    CHECK_SUCCESS(doca_pe_destroy(third));
}

static void
a_time_counts_once(void) {
    struct doca_pe *pe = create_armed();
    pe_timer_set(&pe->queues[0], SOON);
    CHECK(is_notified(pe, WAKE_TIME_MS));
    CHECK_SUCCESS(doca_pe_clear_notification(pe, 0));
    CHECK(!is_notified(pe, 0));
    CHECK_SUCCESS(doca_pe_request_notification(pe));
    pe_timer_set(&pe->queues[0], SOON);
    CHECK(is_notified(pe, WAKE_TIME_MS));
    CHECK_SUCCESS(doca_pe_destroy(pe));
}

/* The memory of a destroyed engine remains, and is used for a later one. */
static void
a_destroyed_engine_has_no_time(void) {
    struct doca_pe *pe = create_armed();
    for (int i = 0; i < PE_NUM_QUEUES; i++) {
        pe_timer_set(&pe->queues[i], LATE);
    }
    CHECK_SUCCESS(doca_pe_destroy(pe));
    for (int i = 0; i < PE_NUM_QUEUES; i++) {
        CHECK(!pe->queues[i].has_timer);
    }
}

int
main(void) {
    the_earliest_time_counts();
    each_queue_has_its_time();
    a_time_counts_once();
    a_destroyed_engine_has_no_time();
    return check_result();
}
