/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a run by rule: as text, and as JSON with one line for each rule. */
#ifndef CONFORMANCE_REPORT_H_
#define CONFORMANCE_REPORT_H_

#include <stdbool.h>
#include <stdio.h>

/* Selects the rules whose name or theme contains the pattern; NULL selects all. */
struct run_options {
    const char *pattern;
    /* The file for the JSON, or NULL. */
    const char *json_path;
    /* Does not print rules that are kept. */
    bool quiet;
};

/* Returns whether the name or theme of any rule contains the pattern; NULL matches all. */
bool has_rules(const char *pattern);

/* Returns true if each rule is kept, known to differ, or not available. */
bool run_rules(const struct run_options *options);

void list_rules(const char *pattern);

/*
 * Prints the differences between two runs. Returns 0 if there are none, 1 if there are some, 2 if a file cannot be
 * read.
 */
int compare_runs(const char *first_path, const char *second_path);

#endif /* CONFORMANCE_REPORT_H_ */
