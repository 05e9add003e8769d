/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clocks of a device and of its host. An emulated device has no oscillator: its clocks are those of the machine. It has no DPA.
 */
#include <doca_clock.h>

#include "clock.h"
#include "device.h"
#include "device_info.h"
#include "object.h"
#include "sdk_log.h"

struct doca_clock {
    struct object object;
    struct doca_dev *dev;
};

static struct object_class doca_clock_class = OBJECT_CLASS("clock", struct doca_clock);

static doca_error_t
check_supported(const struct doca_devinfo *devinfo, doca_error_t result, const char *caller) {
    return devinfo_function(devinfo, caller) == NULL ? DOCA_ERROR_INVALID_VALUE : result;
}

doca_error_t
doca_clock_cap_nic_dpa_timer_is_supported(const struct doca_devinfo *devinfo) {
    return check_supported(devinfo, DOCA_ERROR_NOT_SUPPORTED, __func__);
}

doca_error_t
doca_clock_cap_nic_free_running_is_supported(const struct doca_devinfo *devinfo) {
    return check_supported(devinfo, DOCA_SUCCESS, __func__);
}

doca_error_t
doca_clock_cap_nic_real_time_is_supported(const struct doca_devinfo *devinfo) {
    return check_supported(devinfo, DOCA_SUCCESS, __func__);
}

doca_error_t
doca_clock_create(const struct doca_dev *dev, struct doca_clock **clock) {
    if (!device_is_open(dev)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (clock == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Invalid input: clock is NULL");
    }
    struct doca_clock *created = object_create(&doca_clock_class);
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    created->dev = (struct doca_dev *)dev;
    device_hold(created->dev);
    *clock = created;
    return DOCA_SUCCESS;
}

doca_error_t
doca_clock_destroy(struct doca_clock *clock) {
    if (!IS_LIVE(doca_clock_class, clock)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    device_release(clock->dev);
    object_destroy(&doca_clock_class, clock);
    return DOCA_SUCCESS;
}

static uint64_t
read_counter(void) {
#ifdef __x86_64__
    return __builtin_ia32_rdtsc();
#else
    uint64_t counter;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(counter));
    return counter;
#endif
}

static bool
is_of_nic(uint64_t type) {
    return type == DOCA_CLOCK_NIC_FREE_RUNNING || type == DOCA_CLOCK_NIC_REAL_TIME;
}

/* Returns false if there is no such clock. */
static bool
read_clock(uint64_t type, union doca_clock_timespec_t *value) {
    switch (type) {
    case DOCA_CLOCK_HOST_COUNTER_CYCLES:
        value->counter = read_counter();
        return true;
    case DOCA_CLOCK_NIC_REAL_TIME:
    case DOCA_CLOCK_HOST_REAL_TIME:
        return clock_gettime(CLOCK_REALTIME, &value->ts) == 0;
    case DOCA_CLOCK_HOST_MONOTONIC:
        return clock_gettime(CLOCK_MONOTONIC, &value->ts) == 0;
    case DOCA_CLOCK_NIC_FREE_RUNNING:
    case DOCA_CLOCK_HOST_MONOTONIC_RAW:
        return clock_gettime(CLOCK_MONOTONIC_RAW, &value->ts) == 0;
    default:
        return false;
    }
}

static doca_error_t
refuse_type(const struct doca_clock *clock, uint64_t type) {
    return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Clock %p: there is no clock of type 0x%llx", (const void *)clock,
                      (unsigned long long)type);
}

doca_error_t
doca_clock_get_timestamp(
        const struct doca_clock *clock, uint64_t clock_type, union doca_clock_timespec_t *clock_ts) {
    if (!IS_LIVE(doca_clock_class, clock)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (clock_ts == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Clock %p: Invalid input: clock_ts is NULL", (const void *)clock);
    }
    return read_clock(clock_type, clock_ts) ? DOCA_SUCCESS : refuse_type(clock, clock_type);
}

/* The margin is the time in which both clocks were read. */
doca_error_t
doca_clock_get_crosstimestamp(
        const struct doca_clock *clock, uint64_t primary_clock_type, uint64_t nic_clock_type,
        union doca_clock_timespec_t *primary_clock_ts, union doca_clock_timespec_t *nic_clock_ts,
        uint64_t *error_margin_nsecs) {
    if (!IS_LIVE(doca_clock_class, clock)) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (primary_clock_ts == NULL || nic_clock_ts == NULL || error_margin_nsecs == NULL) {
        return SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "Clock %p: Invalid input: a result is NULL", (const void *)clock);
    }
    if (!is_of_nic(nic_clock_type)) {
        return refuse_type(clock, nic_clock_type);
    }
    const uint64_t start = clock_now();
    if (!read_clock(primary_clock_type, primary_clock_ts)) {
        return refuse_type(clock, primary_clock_type);
    }
    if (nic_clock_type == primary_clock_type) {
        *nic_clock_ts = *primary_clock_ts;
        *error_margin_nsecs = 0;
        return DOCA_SUCCESS;
    }
    if (!read_clock(nic_clock_type, nic_clock_ts)) {
        return refuse_type(clock, nic_clock_type);
    }
    *error_margin_nsecs = clock_now() - start;
    return DOCA_SUCCESS;
}
