/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers of cases: a text to which facts are appended, and which is compared with the expected one when the case has
 * ended. It survives the process of the case.
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

/* Adds a fact, after ", " if there is one already. */
void answer(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Adds the name of a result, without its prefix. */
void answer_code(doca_error_t code);

void answer_number(long long number);

/* Adds "yes" or "no". */
void answer_flag(bool flag);

/* The name of a result, without its prefix, from a table of this program. */
const char *code_name(doca_error_t code);

/* Ends the case: the library, the card or the machine lacks what it needs. */
_Noreturn void not_available(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the case unless the result is SUCCESS. */
void require_success(doca_error_t code, const char *call);

#define REQUIRE(call) require_success((call), #call)

#endif /* CONFORMANCE_ANSWER_H_ */
