/* SPDX-License-Identifier: Apache-2.0 */
#include <doca_clock.h>

#include "fixture.h"

static int64_t
nanoseconds(const union doca_clock_timespec_t *value) {
    return (int64_t)value->ts.tv_sec * 1000000000 + value->ts.tv_nsec;
}

static void
the_device_has_two_clocks(void) {
    struct doca_devinfo **list;
    uint32_t num_devices;
    REQUIRE_SUCCESS(doca_devinfo_create_list(&list, &num_devices));
    CHECK_SUCCESS(doca_clock_cap_nic_free_running_is_supported(list[0]));
    CHECK_SUCCESS(doca_clock_cap_nic_real_time_is_supported(list[0]));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_clock_cap_nic_dpa_timer_is_supported(list[0]));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_clock_cap_nic_free_running_is_supported(NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_clock_cap_nic_real_time_is_supported(NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_clock_cap_nic_dpa_timer_is_supported(NULL));
    CHECK_SUCCESS(doca_devinfo_destroy_list(list));
}

/* Reads the clock of the type twice, and the same clock of the system between. */
static void
check_time(const struct doca_clock *clock, uint64_t type, clockid_t id) {
    union doca_clock_timespec_t first;
    union doca_clock_timespec_t between;
    union doca_clock_timespec_t last;
    REQUIRE_SUCCESS(doca_clock_get_timestamp(clock, type, &first));
    CHECK_EQUAL(0, clock_gettime(id, &between.ts));
    REQUIRE_SUCCESS(doca_clock_get_timestamp(clock, type, &last));
    CHECK(nanoseconds(&first) <= nanoseconds(&between) && nanoseconds(&between) <= nanoseconds(&last));
}

static void
each_clock_is_one_of_the_machine(const struct doca_clock *clock) {
    check_time(clock, DOCA_CLOCK_NIC_FREE_RUNNING, CLOCK_MONOTONIC_RAW);
    check_time(clock, DOCA_CLOCK_NIC_REAL_TIME, CLOCK_REALTIME);
    check_time(clock, DOCA_CLOCK_HOST_REAL_TIME, CLOCK_REALTIME);
    check_time(clock, DOCA_CLOCK_HOST_MONOTONIC, CLOCK_MONOTONIC);
    check_time(clock, DOCA_CLOCK_HOST_MONOTONIC_RAW, CLOCK_MONOTONIC_RAW);
    union doca_clock_timespec_t first;
    union doca_clock_timespec_t last;
    REQUIRE_SUCCESS(doca_clock_get_timestamp(clock, DOCA_CLOCK_HOST_COUNTER_CYCLES, &first));
    REQUIRE_SUCCESS(doca_clock_get_timestamp(clock, DOCA_CLOCK_HOST_COUNTER_CYCLES, &last));
    CHECK(first.counter <= last.counter);
}

static void
two_clocks_are_read_together(const struct doca_clock *clock) {
    union doca_clock_timespec_t host;
    union doca_clock_timespec_t nic;
    uint64_t margin;
    REQUIRE_SUCCESS(doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_HOST_MONOTONIC_RAW, DOCA_CLOCK_NIC_FREE_RUNNING, &host,
                                                  &nic, &margin));
    CHECK(nanoseconds(&host) <= nanoseconds(&nic));
    REQUIRE_SUCCESS(doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_NIC_REAL_TIME, DOCA_CLOCK_NIC_REAL_TIME, &host, &nic,
                                                  &margin));
    CHECK_EQUAL(nanoseconds(&host), nanoseconds(&nic));
    CHECK_EQUAL(0, margin);
}

static void
wrong_arguments_are_refused(struct doca_dev *dev, struct doca_clock *clock) {
    union doca_clock_timespec_t value;
    union doca_clock_timespec_t nic;
    uint64_t margin;
    struct doca_clock *other;
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_clock_create(NULL, &other));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_clock_create(dev, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_clock_get_timestamp(NULL, DOCA_CLOCK_NIC_REAL_TIME, &value));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_clock_get_timestamp(clock, DOCA_CLOCK_NIC_REAL_TIME, NULL));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_clock_get_timestamp(clock, DOCA_CLOCK_NIC_DPA_TIMER, &value));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED,
                doca_clock_get_timestamp(clock, DOCA_CLOCK_NIC_REAL_TIME | DOCA_CLOCK_HOST_REAL_TIME, &value));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE,
                doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_HOST_REAL_TIME, DOCA_CLOCK_NIC_REAL_TIME, &value, &nic, NULL));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_HOST_REAL_TIME,
                                                                        DOCA_CLOCK_HOST_REAL_TIME, &value, &nic, &margin));
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_NIC_DPA_TIMER,
                                                                        DOCA_CLOCK_NIC_REAL_TIME, &value, &nic, &margin));
}

static void
a_clock_holds_its_device(struct doca_dev *dev, struct doca_clock *clock) {
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_dev_close(dev));
    CHECK_SUCCESS(doca_clock_destroy(clock));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_clock_destroy(clock));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_clock_destroy(NULL));
    CHECK_SUCCESS(doca_dev_close(dev));
}

int
main(void) {
    struct doca_dev *dev = open_device("mlx5_0");
    struct doca_clock *clock;
    REQUIRE_SUCCESS(doca_clock_create(dev, &clock));
    the_device_has_two_clocks();
    each_clock_is_one_of_the_machine(clock);
    two_clocks_are_read_together(clock);
    wrong_arguments_are_refused(dev, clock);
    a_clock_holds_its_device(dev, clock);
    return check_result();
}
