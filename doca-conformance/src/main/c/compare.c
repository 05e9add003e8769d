/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

/* A line of a JSON file, which has one line for each rule. */
struct line {
    char *text;
    struct line *next;
};

/* Returns the value of a member as a new text, or NULL. */
static char *
member_of(const char *line, const char *name) {
    char key[64];
    snprintf(key, sizeof(key), "\"%s\": \"", name);
    const char *from = strstr(line, key);
    if (from == NULL) {
        return NULL;
    }
    from += strlen(key);
    char *value = calloc(1, strlen(from) + 1);
    for (char *to = value; *from != '\0' && *from != '"'; from++) {
        if (*from == '\\' && from[1] != '\0') {
            from++;
        }
        *to++ = *from;
    }
    return value;
}

/* Returns false if the file cannot be read. */
static bool
read_lines(const char *path, struct line **lines) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        return false;
    }
    struct line **last = lines;
    char *text = NULL;
    size_t size = 0;
    while (getline(&text, &size, file) >= 0) {
        struct line *line = calloc(1, sizeof(*line));
        line->text = strdup(text);
        *last = line;
        last = &line->next;
    }
    free(text);
    fclose(file);
    return true;
}

static const char *
find_line(const struct line *lines, const char *rule) {
    for (; lines != NULL; lines = lines->next) {
        char *name = member_of(lines->text, "rule");
        const bool found = name != NULL && strcmp(name, rule) == 0;
        free(name);
        if (found) {
            return lines->text;
        }
    }
    return NULL;
}

static char *
library_of(const struct line *lines) {
    for (; lines != NULL; lines = lines->next) {
        char *library = member_of(lines->text, "library");
        if (library != NULL) {
            return library;
        }
    }
    return NULL;
}

static bool
has_answer(const char *line) {
    char *result = member_of(line, "result");
    const bool answered =
            result != NULL && strcmp(result, "not available") != 0 && strcmp(result, "of another release") != 0;
    free(result);
    return answered;
}

int
compare_runs(const char *first_path, const char *second_path) {
    struct line *first = NULL;
    struct line *second = NULL;
    if (!read_lines(first_path, &first) || !read_lines(second_path, &second)) {
        return 2;
    }
    char *first_library = library_of(first);
    char *second_library = library_of(second);
    if (first_library == NULL || second_library == NULL) {
        fprintf(stderr, "%s: not written by --json\n", first_library == NULL ? first_path : second_path);
        return 2;
    }
    unsigned equal = 0;
    unsigned different = 0;
    unsigned one_sided = 0;
    for (const struct line *line = first; line != NULL; line = line->next) {
        char *rule = member_of(line->text, "rule");
        const char *other = rule == NULL ? NULL : find_line(second, rule);
        if (rule != NULL && (other == NULL || !has_answer(line->text) || !has_answer(other))) {
            one_sided++;
        } else if (rule != NULL) {
            char *answer = member_of(line->text, "answer");
            char *other_answer = member_of(other, "answer");
            if (strcmp(answer, other_answer) == 0) {
                equal++;
            } else {
                different++;
                char *sentence = member_of(line->text, "sentence");
                printf("%s: %s\n    %s: %s\n    %s: %s\n", rule, sentence, first_library, answer, second_library,
                       other_answer);
                free(sentence);
            }
            free(answer);
            free(other_answer);
        }
        free(rule);
    }
    printf("%s with %s: %u equal, %u different, %u not answered by both\n", first_library, second_library, equal,
           different, one_sided);
    return different == 0 ? 0 : 1;
}
