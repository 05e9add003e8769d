/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Log records of the emulated libraries. Like the real libraries' records, they reach only the SDK back ends; without
 * such a back end they are dropped.
 */
#ifndef DOCA_EMULATOR_SDK_LOG_H_
#define DOCA_EMULATOR_SDK_LOG_H_

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <doca_error.h>
#include <doca_log.h>

#include "shared.h"

void emulator_sdk_log(uint32_t level, const char *file, int line, const char *function, const char *format, ...)
        EMULATOR_SHARED(sdk_log) __attribute__((format(printf, 5, 6)));

/*
 * A back end may call the program, which may call the libraries or fork. So the records of a call are deferred while the
 * libraries change something. They are written at the end of the call, or when a callback of the program calls the
 * libraries, and never while the thread holds a lock. If there is no room for all of them, the most severe ones are kept.
 */

/* Take and release a lock of the libraries. The thread is not cancelled while it holds one. */
void emulator_lock(pthread_mutex_t *lock) EMULATOR_SHARED(lock);
void emulator_unlock(pthread_mutex_t *lock) EMULATOR_SHARED(unlock);

/* Defers records until emulator_write_records(), which is given the result: whether this is within another such section. */
bool emulator_defer_records(void) EMULATOR_SHARED(defer_records);
void emulator_write_records(bool nested) EMULATOR_SHARED(write_records);

/* Writes the records of a call that fails, at its end. Returns the error. */
doca_error_t emulator_write_refusal(doca_error_t error) EMULATOR_SHARED(write_refusal);

/* A call of the program, or another section in which the thread is not cancelled and defers records. */
struct sdk_section {
    bool nested;
    int cancel_state;
};

struct sdk_section emulator_begin_section(void) EMULATOR_SHARED(begin_section);
void emulator_end_section(struct sdk_section section) EMULATOR_SHARED(end_section);

/* DOCA_LOG_LEVEL_... of the current headers. In those of release 1.4 they are other numbers. */
#define SDK_LOG_LEVEL_ERROR 30
#define SDK_LOG_LEVEL_WARNING 40
#define SDK_LOG_LEVEL_INFO 50
#define SDK_LOG_LEVEL_DEBUG 60

#define SDK_LOG(level, ...) emulator_sdk_log((level), __FILE__, __LINE__, __func__, __VA_ARGS__)
#define SDK_LOG_ERR(...) SDK_LOG(SDK_LOG_LEVEL_ERROR, __VA_ARGS__)
#define SDK_LOG_WARN(...) SDK_LOG(SDK_LOG_LEVEL_WARNING, __VA_ARGS__)
#define SDK_LOG_INFO(...) SDK_LOG(SDK_LOG_LEVEL_INFO, __VA_ARGS__)
#define SDK_LOG_DBG(...) SDK_LOG(SDK_LOG_LEVEL_DEBUG, __VA_ARGS__)

/* Logs the reason why a call fails, and evaluates to the error. */
#define SDK_REFUSE(error, ...) (SDK_LOG_ERR(__VA_ARGS__), (error))

/* Returns the DOCA error for a failed system call, by its errno. */
doca_error_t emulator_system_error(int number) EMULATOR_SHARED(system_error);

doca_error_t emulator_refuse_system_error(
        int number, const char *file, int line, const char *function, const char *format, ...)
        EMULATOR_SHARED(refuse_system_error) __attribute__((format(printf, 5, 6)));

/* Like SDK_REFUSE() with emulator_system_error(number); the record ends with the text of errno. */
#define SDK_REFUSE_SYSTEM_ERROR(number, ...) \
    emulator_refuse_system_error((number), __FILE__, __LINE__, __func__, __VA_ARGS__)

#endif /* DOCA_EMULATOR_SDK_LOG_H_ */
