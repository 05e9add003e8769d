/* SPDX-License-Identifier: Apache-2.0 */
/* Getters for the sources shared with the emulator. */
#ifndef DOCA_COMPAT_PROPERTY_H_
#define DOCA_COMPAT_PROPERTY_H_

#include "object.h"

#define GET_PROPERTY(object_class, object, value, out) \
    (!IS_LIVE(object_class, object) || (out) == NULL ? DOCA_ERROR_INVALID_VALUE : (*(out) = (value), DOCA_SUCCESS))

#endif /* DOCA_COMPAT_PROPERTY_H_ */
