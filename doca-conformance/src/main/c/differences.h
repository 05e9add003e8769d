/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file of known differences: rules that the emulator breaks, by design or not kept yet, with its answer and the
 * reason. A line is
 *
 *     when | rule | answer | kind | reason
 *
 * where "when" is a list of conditions that must all hold: 2.5, 3.0 (the release followed), strict, lenient, inline,
 * threaded, always; or "sdk" for a library that is not the emulator. "sometimes" means that the rule may also be kept,
 * depending on timing. An answer that ends in * matches all answers with this beginning.
 */
#ifndef CONFORMANCE_DIFFERENCES_H_
#define CONFORMANCE_DIFFERENCES_H_

#include <stdbool.h>

struct difference {
    char *when;
    char *rule;
    char *answer;
    /* "by design" or "not yet: ..." */
    char *kind;
    char *reason;
    struct difference *next;
};

/* Reads the file. Returns false after reporting any error in it. */
bool read_differences(const char *path);

/* The difference of the rule that applies to the library in this run, or NULL. */
const struct difference *find_difference(const char *rule);

const struct difference *first_difference(void);

/* Returns whether the rule may also be kept. */
bool may_be_kept(const struct difference *difference);

bool answer_matches(const struct difference *difference, const char *answer);

#endif /* CONFORMANCE_DIFFERENCES_H_ */
