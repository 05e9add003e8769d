/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that read one property of an object.
 */
#ifndef DOCA_EMULATOR_PROPERTY_H_
#define DOCA_EMULATOR_PROPERTY_H_

#include "object.h"
#include "sdk_log.h"

/* The whole of such a function: the value is looked at only when the handle is live and there is a place for it. */
#define GET_PROPERTY(class, handle, value, out) \
    (!IS_LIVE(class, (handle)) ? DOCA_ERROR_INVALID_VALUE \
     : (out) == NULL \
             ? SDK_REFUSE(DOCA_ERROR_INVALID_VALUE, "%p: Invalid input: " #out " is NULL", (const void *)(handle)) \
             : (*(out) = (value), DOCA_SUCCESS))

#endif /* DOCA_EMULATOR_PROPERTY_H_ */
