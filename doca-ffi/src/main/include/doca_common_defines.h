/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hints for the compiler.
 */
#ifndef DOCA_COMMON_DEFINES_H_
#define DOCA_COMMON_DEFINES_H_

#include <api_marks.h>

API_HEADER(common, 2.2)

#define doca_likely(x) __builtin_expect(!!(x), 1)
#define doca_unlikely(x) __builtin_expect(!!(x), 0)

#endif /* DOCA_COMMON_DEFINES_H_ */
