/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The result codes of all libraries and their texts.
 */
#ifndef DOCA_ERROR_H_
#define DOCA_ERROR_H_

#include <doca_compat.h>
#if !API_BEFORE(2.2)
#include <doca_common_defines.h>
#endif

API_HEADER(common, 1.4)

#ifdef __cplusplus
extern "C" {
#endif

enum doca_error {
    DOCA_SUCCESS = 0,
    DOCA_ERROR_UNKNOWN = 1,
    DOCA_ERROR_NOT_PERMITTED = 2,
    DOCA_ERROR_IN_USE = 3,
    DOCA_ERROR_NOT_SUPPORTED = 4,
    DOCA_ERROR_AGAIN = 5,
    DOCA_ERROR_INVALID_VALUE = 6,
    DOCA_ERROR_NO_MEMORY = 7,
    DOCA_ERROR_INITIALIZATION = 8,
    DOCA_ERROR_TIME_OUT = 9,
    DOCA_ERROR_SHUTDOWN = 10,
    DOCA_ERROR_CONNECTION_RESET = 11,
    DOCA_ERROR_CONNECTION_ABORTED = 12,
    DOCA_ERROR_CONNECTION_INPROGRESS = 13,
    DOCA_ERROR_NOT_CONNECTED = 14,
    DOCA_ERROR_NO_LOCK = 15,
    DOCA_ERROR_NOT_FOUND = 16,
    DOCA_ERROR_IO_FAILED = 17,
    DOCA_ERROR_BAD_STATE = 18,
    DOCA_ERROR_UNSUPPORTED_VERSION = 19, API_SINCE(1.5)
    DOCA_ERROR_OPERATING_SYSTEM = 20, API_SINCE(1.5)
    DOCA_ERROR_DRIVER = 21, API_SINCE(1.5)
    DOCA_ERROR_UNEXPECTED = 22, API_SINCE(1.5)
    DOCA_ERROR_ALREADY_EXIST = 23, API_SINCE(2.2)
    DOCA_ERROR_FULL = 24, API_SINCE(2.2)
    DOCA_ERROR_EMPTY = 25, API_SINCE(2.2)
    DOCA_ERROR_IN_PROGRESS = 26, API_SINCE(2.2)
};

typedef enum doca_error doca_error_t;

__DOCA_EXPERIMENTAL API_SINCE(1.5) API_COMPAT(doca_error_get_name)
const char *doca_get_error_name(doca_error_t error);

__DOCA_EXPERIMENTAL API_COMPAT(doca_error_get_descr)
const char *doca_get_error_string(doca_error_t error);

/* Keeps the first error: overwrites the result only while that is DOCA_SUCCESS. */
#define DOCA_ERROR_PROPAGATE(result, next) \
    do { \
        if ((result) == DOCA_SUCCESS) { \
            (result) = (next); \
        } \
    } while (0)

#define DOCA_IS_ERROR(result) ((result) != DOCA_SUCCESS)

#ifdef __cplusplus
}
#endif

#endif /* DOCA_ERROR_H_ */
