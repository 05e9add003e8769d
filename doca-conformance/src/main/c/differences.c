/* SPDX-License-Identifier: Apache-2.0 */
#include "differences.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rule.h"
#include "sdk.h"

static struct difference *first;

/* Cuts the next field off the text, without the blanks around it; NULL at the end. */
static char *
next_field(char **rest) {
    char *field = strsep(rest, "|");
    if (field == NULL) {
        return NULL;
    }
    field += strspn(field, " ");
    size_t length = strlen(field);
    while (length > 0 && (field[length - 1] == ' ' || field[length - 1] == '\n')) {
        field[--length] = '\0';
    }
    return field;
}

bool
read_differences(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        return false;
    }
    struct difference **last = &first;
    char *line = NULL;
    size_t size = 0;
    bool good = true;
    for (int number = 1; getline(&line, &size, file) >= 0; number++) {
        if (line[0] == '#' || line[0] == '\n') {
            continue;
        }
        struct difference *difference = calloc(1, sizeof(*difference));
        char *rest = strdup(line);
        difference->when = next_field(&rest);
        difference->rule = next_field(&rest);
        difference->answer = next_field(&rest);
        difference->kind = next_field(&rest);
        difference->reason = next_field(&rest);
        if (difference->reason == NULL || difference->reason[0] == '\0' || rest != NULL
            || (strcmp(difference->kind, "by design") != 0 && strncmp(difference->kind, "not yet", 7) != 0)) {
            fprintf(stderr, "%s:%d: expected: when | rule | answer | \"by design\" or \"not yet\" | reason\n", path,
                    number);
            good = false;
        } else if (find_rule(difference->rule) == NULL) {
            fprintf(stderr, "%s:%d: there is no rule %s\n", path, number, difference->rule);
            good = false;
        }
        *last = difference;
        last = &difference->next;
    }
    free(line);
    fclose(file);
    return good;
}

const struct difference *
first_difference(void) {
    return first;
}

static bool
word_holds(const char *word) {
    const struct {
        const char *word;
        bool holds;
    } words[] = {
        {"always", true},
        {"sometimes", true},
        {"sdk", !is_emulator()},
        {"2.5", sdk_release() <= 205},
        {"3.0", sdk_release() > 205},
        {"strict", is_strict()},
        {"lenient", !is_strict()},
        {"threaded", is_threaded()},
        {"inline", !is_threaded()},
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(words[i].word, word) == 0) {
            return words[i].holds;
        }
    }
    return false;
}

const struct difference *
find_difference(const char *rule) {
    for (const struct difference *difference = first; difference != NULL; difference = difference->next) {
        const bool is_of_sdk = strstr(difference->when, "sdk") != NULL;
        if (strcmp(difference->rule, rule) != 0 || is_of_sdk == is_emulator()) {
            continue;
        }
        char *words = strdup(difference->when);
        char *position = words;
        bool holds = true;
        for (const char *word = strsep(&position, " "); word != NULL; word = strsep(&position, " ")) {
            holds = holds && word_holds(word);
        }
        free(words);
        if (holds) {
            return difference;
        }
    }
    return NULL;
}

bool
may_be_kept(const struct difference *difference) {
    return strstr(difference->when, "sometimes") != NULL;
}

bool
answer_matches(const struct difference *difference, const char *answer) {
    const size_t length = strlen(difference->answer);
    if (length > 0 && difference->answer[length - 1] == '*') {
        return strncmp(difference->answer, answer, length - 1) == 0;
    }
    return strcmp(difference->answer, answer) == 0;
}
