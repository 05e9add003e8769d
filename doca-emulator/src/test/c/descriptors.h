/* SPDX-License-Identifier: Apache-2.0 */
/* Shortages of descriptors. */
#ifndef DOCA_EMULATOR_DESCRIPTORS_H_
#define DOCA_EMULATOR_DESCRIPTORS_H_

#include <sys/resource.h>

#include "check.h"

/* Limits the descriptors of the process to those that are less than the number. Returns the previous limit. */
static inline struct rlimit
set_descriptor_limit(rlim_t number) {
    struct rlimit before = {0};
    CHECK_EQUAL(0, getrlimit(RLIMIT_NOFILE, &before));
    CHECK_EQUAL(0, setrlimit(RLIMIT_NOFILE, &(struct rlimit){.rlim_cur = number, .rlim_max = before.rlim_max}));
    return before;
}

/* Returns the descriptor that the process would open next. */
static inline int
next_descriptor(void) {
    const int next = dup(STDERR_FILENO);
    CHECK_EQUAL(0, close(next));
    return next;
}

/* Limits the further descriptors that the process can open. Returns the previous limit. */
static inline struct rlimit
limit_descriptors(int num_left) {
    return set_descriptor_limit((rlim_t)(next_descriptor() + num_left));
}

static inline void
restore_descriptors(const struct rlimit *before) {
    CHECK_EQUAL(0, setrlimit(RLIMIT_NOFILE, before));
}

#endif /* DOCA_EMULATOR_DESCRIPTORS_H_ */
