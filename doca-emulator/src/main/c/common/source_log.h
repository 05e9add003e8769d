/* SPDX-License-Identifier: Apache-2.0 */
/* Log records of programs for releases with work queues, which name their source instead of a file. */
#ifndef DOCA_EMULATOR_SOURCE_LOG_H_
#define DOCA_EMULATOR_SOURCE_LOG_H_

#include <stdarg.h>
#include <stdint.h>

#include <doca_error.h>

#include "shared.h"

/* Returns INVALID_VALUE if there is no such level or source. */
doca_error_t source_log(uint32_t level, int source, int line, const char *format, va_list arguments)
        EMULATOR_SHARED(source_log);

#endif /* DOCA_EMULATOR_SOURCE_LOG_H_ */
