/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "number.h"

const char *
number_read(const char *text, int base, uint64_t min, uint64_t max, uint64_t *number) {
    const unsigned char first = (unsigned char)text[0];
    char *end;
    errno = 0;
    *number = strtoull(text, &end, base);
    return (base == 16 ? isxdigit(first) : isdigit(first)) && errno == 0 && *number >= min && *number <= max ? end : NULL;
}
