/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a part of the documentation: the number of rules by source, the assumed rules, and the rules that the emulator
 * breaks. The part is enclosed in two marks, and the build fails if it is outdated.
 */
#ifndef CONFORMANCE_DOCUMENT_H_
#define CONFORMANCE_DOCUMENT_H_

#include <stdbool.h>

/* Returns whether the page is up to date; reports it if not. */
bool check_document(const char *path);

bool write_document(const char *path);

#endif /* CONFORMANCE_DOCUMENT_H_ */
