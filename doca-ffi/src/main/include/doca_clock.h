/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the clocks of a device and of its host, alone or two of them together.
 */
#ifndef DOCA_CLOCK_H_
#define DOCA_CLOCK_H_

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_types.h>

API_HEADER(common, 3.2)

#ifdef __cplusplus
extern "C" {
#endif

struct doca_clock;
struct doca_dev;
struct doca_devinfo;

/* Types of clocks. Only the counter of the processor has no seconds and nanoseconds. */
#define DOCA_CLOCK_NIC_FREE_RUNNING 0x1
#define DOCA_CLOCK_NIC_REAL_TIME 0x2
#define DOCA_CLOCK_NIC_DPA_TIMER 0x100
#define DOCA_CLOCK_HOST_COUNTER_CYCLES 0x10000
#define DOCA_CLOCK_HOST_REAL_TIME 0x20000
#define DOCA_CLOCK_HOST_MONOTONIC 0x40000
#define DOCA_CLOCK_HOST_MONOTONIC_RAW 0x80000

union doca_clock_timespec_t {
    struct timespec ts;
    uint64_t counter;
};

DOCA_EXPERIMENTAL
doca_error_t doca_clock_cap_nic_dpa_timer_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_clock_cap_nic_free_running_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_clock_cap_nic_real_time_is_supported(const struct doca_devinfo *devinfo);

DOCA_EXPERIMENTAL
doca_error_t doca_clock_create(const struct doca_dev *dev, struct doca_clock **clock);

DOCA_EXPERIMENTAL
doca_error_t doca_clock_destroy(struct doca_clock *clock);

DOCA_EXPERIMENTAL
doca_error_t doca_clock_get_crosstimestamp(
        const struct doca_clock *clock, uint64_t primary_clock_type, uint64_t nic_clock_type,
        union doca_clock_timespec_t *primary_clock_ts, union doca_clock_timespec_t *nic_clock_ts,
        uint64_t *error_margin_nsecs);

DOCA_EXPERIMENTAL
doca_error_t doca_clock_get_timestamp(
        const struct doca_clock *clock, uint64_t clock_type, union doca_clock_timespec_t *clock_ts);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CLOCK_H_ */
