/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The answer of a case: a text to which the case appends facts. It is compared with the expected answer after the case,
 * and survives the process of the case.
 */
#ifndef CONFORMANCE_ANSWER_H_
#define CONFORMANCE_ANSWER_H_

#include <stdbool.h>
#include <stddef.h>

#include <doca_error.h>

#define ANSWER_SIZE 2048

enum answer_kind {
    /* The case was still running when its process ended. */
    ANSWER_UNFINISHED,
    ANSWER_COMPLETE,
    ANSWER_NOT_AVAILABLE,
    /* The preparation of the case failed. */
    ANSWER_BROKEN,
};

struct answer {
    enum answer_kind kind;
    char text[ANSWER_SIZE];
};

/* The answer of the case in this process; shared with the process that started it. */
extern struct answer *answer_of_case;

/* Appends a fact, separated by ", " from an earlier one. */
void answer(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Appends the name of a result, without its prefix. */
void answer_code(doca_error_t code);

void answer_number(long long number);

/* Appends "yes" or "no". */
void answer_flag(bool flag);

/* Returns the name of a result, without its prefix, from a table of this program. */
const char *code_name(doca_error_t code);

/* Ends the case because the library, the card or the machine lacks something that it needs. */
_Noreturn void not_available(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the case unless the result is SUCCESS. */
void require_success(doca_error_t code, const char *call);

#define REQUIRE(call) require_success((call), #call)

#endif /* CONFORMANCE_ANSWER_H_ */
