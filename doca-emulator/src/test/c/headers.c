/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What programs find behind any header of an SDK tree without including it: the side of the PCI bus, the version, and headers of C.
 * The build compiles this file with each tree, and SIDE is the macro that the tree has to define.
 */
#include <doca_error.h>

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
