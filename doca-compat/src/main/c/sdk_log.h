/* SPDX-License-Identifier: Apache-2.0 */
/* The log for the sources shared with the emulator. */
#ifndef DOCA_COMPAT_SDK_LOG_H_
#define DOCA_COMPAT_SDK_LOG_H_

#include "refuse.h"

#define SDK_REFUSE(result, ...) REFUSE((result), __VA_ARGS__)
#define SDK_LOG_ERR(...) ((void)REFUSE(DOCA_ERROR_UNKNOWN, __VA_ARGS__))
/* The old SDK itself logs successes. */
#define SDK_LOG_INFO(...) ((void)0)

/* All records are errors. */
#define emulator_sdk_log(level, ...) ((void)refuse(DOCA_ERROR_INVALID_VALUE, __VA_ARGS__))

#endif /* DOCA_COMPAT_SDK_LOG_H_ */
