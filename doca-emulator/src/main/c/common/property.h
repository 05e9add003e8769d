/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that read one property of an object.
 */
#ifndef DOCA_EMULATOR_PROPERTY_H_
#define DOCA_EMULATOR_PROPERTY_H_

#include "object.h"
#include "sdk_log.h"

/*
 * The complete body of such a function: the value is evaluated only if the handle is live and the result pointer is
 * not NULL. Most of them are generated from the description of the API, into <getters/...>, which the source of the
 * object includes.
 */
#define GET_PROPERTY(class, handle, value, out) \
    (!IS_LIVE(class, (handle)) ? DOCA_ERROR_INVALID_VALUE \
     : (out) == NULL \
             ? SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "%p: Invalid input: " #out " is NULL", (const void *)(handle)) \
             : (*(out) = (value), DOCA_SUCCESS))

#endif /* DOCA_EMULATOR_PROPERTY_H_ */
