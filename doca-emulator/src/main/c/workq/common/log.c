/* SPDX-License-Identifier: Apache-2.0 */
/* Log records of programs, and limits on the number of records within an interval. */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include <core_log.h>
#include <doca_log.h>

#include "common/fork.h"
#include "common/settings.h"
#include "common/source_log.h"

/* The number of records that one log statement of a program has written in the current interval. */
struct bucket {
    time_t since;
    uint32_t num_records;
};

static pthread_mutex_t buckets_lock = PTHREAD_MUTEX_INITIALIZER;
/* All are guarded by the lock. Buckets are never freed. */
static struct bucket *buckets;
static int num_buckets;
/* In seconds. */
static uint16_t bucket_time = 1;
static uint16_t bucket_quantity = 4;

GUARD_IN_FORKS(buckets, &buckets_lock, NULL)

/* Release 1.4 counts its levels from 0. */
static uint32_t
core_level(uint32_t level) {
    return emulator_release_is_at_most(EMULATOR_RELEASE_1_4) ? CORE_LOG_LEVEL_CRIT + 10 * level : level;
}

#define LOG_RECORD(level, source, line, format, result) \
    do { \
        va_list arguments; \
        va_start(arguments, format); \
        (result) = (format) == NULL ? DOCA_SUCCESS : source_log(core_level(level), (source), (line), (format), arguments); \
        va_end(arguments); \
    } while (0)

doca_error_t
doca_log(uint32_t level, int source, int line, const char *format, ...) {
    doca_error_t result;
    LOG_RECORD(level, source, line, format, result);
    return result;
}

doca_error_t
doca_log_developer(uint32_t level, int source, int line, const char *format, ...) {
    doca_error_t result;
    LOG_RECORD(level, source, line, format, result);
    return result;
}

/*
 * Limits
 */

static uint16_t
get(const uint16_t *value) {
    pthread_mutex_lock(&buckets_lock);
    const uint16_t current = *value;
    pthread_mutex_unlock(&buckets_lock);
    return current;
}

static void
set(uint16_t *value, uint16_t next) {
    pthread_mutex_lock(&buckets_lock);
    *value = next;
    pthread_mutex_unlock(&buckets_lock);
}

uint16_t
doca_log_get_bucket_time(void) {
    return get(&bucket_time);
}

void
doca_log_set_bucket_time(uint16_t time) {
    set(&bucket_time, time);
}

uint16_t
doca_log_get_quantity(void) {
    return get(&bucket_quantity);
}

void
doca_log_set_quantity(uint16_t quantity) {
    set(&bucket_quantity, quantity);
}

doca_error_t
doca_log_rate_bucket_register(int source, int *bucket) {
    (void)source;
    if (bucket == NULL) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    pthread_mutex_lock(&buckets_lock);
    struct bucket *grown = realloc(buckets, (size_t)(num_buckets + 1) * sizeof(*buckets));
    if (grown != NULL) {
        buckets = grown;
        buckets[num_buckets] = (struct bucket){0};
        *bucket = num_buckets++;
    }
    pthread_mutex_unlock(&buckets_lock);
    return grown == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;
}

/* Counts a record. Returns false if the bucket is full; it accepts one more than the quantity. */
static bool
has_room(struct bucket *bucket) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (bucket->num_records == 0 || now.tv_sec - bucket->since >= bucket_time) {
        bucket->since = now.tv_sec;
        bucket->num_records = 0;
    }
    return bucket->num_records++ <= bucket_quantity;
}

doca_error_t
doca_log_rate_limit(uint32_t level, int source, int line, int bucket, const char *format, ...) {
    doca_error_t result = DOCA_SUCCESS;
    pthread_mutex_lock(&buckets_lock);
    const bool known = bucket >= 0 && bucket < num_buckets;
    const bool writes = known && has_room(&buckets[bucket]);
    pthread_mutex_unlock(&buckets_lock);
    if (!known) {
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (writes) {
        LOG_RECORD(level, source, line, format, result);
    }
    return result;
}
