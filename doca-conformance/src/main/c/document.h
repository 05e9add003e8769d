/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of the documentation that this program writes: how many rules are known from where, which are assumed, and
 * which the emulator breaks. It stands between two marks, and the build fails when it is not what would be written.
 */
#ifndef CONFORMANCE_DOCUMENT_H_
#define CONFORMANCE_DOCUMENT_H_

#include <stdbool.h>

/* Returns true if the page has what would be written, else says so. */
bool check_document(const char *path);

bool write_document(const char *path);

#endif /* CONFORMANCE_DOCUMENT_H_ */
