/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A rule about the behaviour of the libraries: a sentence, its source, the releases that it applies to, the expected
 * answer, and a case that determines the answer of a library.
 */
#ifndef CONFORMANCE_RULE_H_
#define CONFORMANCE_RULE_H_

#include <stdbool.h>
#include <stddef.h>

/* Sources of a rule, the strongest first. */
enum rule_source {
    /* Observed on NVIDIA's library of that release, on a fake card. Most of these rules hold in the later ones, too. */
    OBSERVED_3_0,
    OBSERVED_2_5,
    OBSERVED_2_2,
    /* Read in the machine code of NVIDIA's library of that release, which could not be run. */
    READ_2_10,
    /* NVIDIA's samples would not work otherwise. */
    SAMPLE,
    /* Programs that ran on a card rely on it. */
    FIELD,
    /* Stated by NVIDIA's headers or guides. Error codes in comments of headers have often proved wrong. */
    HEADER,
    GUIDE,
    /* Not observed yet: needs a card. */
    ASSUMED,
    NUM_SOURCES,
};

/* Releases are numbers: 205 is 2.5, 210 is 2.10. */
struct rule {
    const char *name;
    const char *theme;
    const char *sentence;
    enum rule_source source;
    /* The first and the last release that it applies to, 0 for any. */
    int since;
    int until;
    const char *answer;
    /* The answer of release 2.5, if it differs. */
    const char *answer_2_5;
    /* On the emulator, the case runs as a process of the host. */
    bool host;
    void (*check)(void);
    /* The body of the second process, or NULL. It is on the other side of the bus if the rule has peer_is_host. */
    void (*peer)(void);
    bool peer_is_host;
    struct rule *next;
};

void add_rule(struct rule *rule);

/* Returns the first rule, in the order of the files and of the rules in them. */
const struct rule *first_rule(void);

const struct rule *find_rule(const char *name);

const char *source_name(enum rule_source source);

/* Returns the answer that is expected for the release. */
const char *expected_answer(const struct rule *rule, int release);

/* Writes the releases as "2.5 to 3.0", "from 2.7" or "all". Returns text. */
const char *releases_of(const struct rule *rule, char *text, size_t size);

/*
 * Defines a rule; its case follows as a block:
 *
 *     RULE(dma_submit_in_flight, "A task in flight cannot be submitted.", .source = OBSERVED_2_5,
 *          .answer = "BAD_STATE") {
 *         ...
 *     }
 *
 * A file of cases defines THEME first.
 */
#define RULE(name_, sentence_, ...) \
    static void name_##_case(void); \
    static struct rule name_##_rule = { \
        .name = #name_, .theme = THEME, .sentence = sentence_, .check = name_##_case, __VA_ARGS__}; \
    __attribute__((constructor)) static void name_##_add(void) { \
        add_rule(&name_##_rule); \
    } \
    static void name_##_case(void)

#endif /* CONFORMANCE_RULE_H_ */
