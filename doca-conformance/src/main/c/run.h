/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a case in its own process, so a crash or a hang counts as an answer.
 */
#ifndef CONFORMANCE_RUN_H_
#define CONFORMANCE_RUN_H_

#include "answer.h"
#include "rule.h"

/* The time limit of a case, in seconds. Set before cases are run. */
extern unsigned case_time_limit;

/* Runs the case and stores its answer. If the process dies or hangs, the end of the text says so. */
void run_case(const struct rule *rule, struct answer *result);

#endif /* CONFORMANCE_RUN_H_ */
