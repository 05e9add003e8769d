/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What programs find behind any header of an SDK tree without including it: the side of the PCI bus, the version, and headers of C.
 * The build compiles this file with each tree, and SIDE is the macro that the tree has to define.
 */
#include <doca_error.h>
#if __has_include(<doca_bitfield.h>)
#include <doca_bitfield.h>
_Static_assert(DOCA_U8_GENMASK(5, 3) == 0x38 && DOCA_U8_SET(0x38, 5) == 0x28 && DOCA_U8_GET(0x38, 0x28) == 5, "fields");
/* These releases lead to more headers. */
_Static_assert(EXIT_SUCCESS == 0, "stdlib.h");
#ifndef assert
#error assert.h
#endif
#endif

#define TEXT(name) #name
#define EXPANDED(name) TEXT(name)

/* A macro that is defined expands to nothing. */
_Static_assert(sizeof(EXPANDED(SIDE)) == 1, "side of the PCI bus");
_Static_assert(UINT8_MAX == 255, "stdint.h");

size_t headers_lengths_of_versions(void);

size_t
headers_lengths_of_versions(void) {
    return strlen(doca_version()) + strlen(doca_version_runtime());
}
