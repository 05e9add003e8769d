/* SPDX-License-Identifier: Apache-2.0 */
#include "document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differences.h"
#include "rule.h"

/* Each program writes its own part. */
#define BEGIN_MARK "<!-- Written by " PROGRAM " --write-document: begin -->\n"
#define END_MARK "<!-- Written by " PROGRAM " --write-document: end -->\n"

static unsigned
count_rules(const char *theme, int source) {
    unsigned count = 0;
    for (const struct rule *rule = first_rule(); rule != NULL; rule = rule->next) {
        count += (theme == NULL || strcmp(rule->theme, theme) == 0) && (source < 0 || (int)rule->source == source);
    }
    return count;
}

static bool
is_first_of_theme(const struct rule *rule) {
    const struct rule *other = first_rule();
    while (strcmp(other->theme, rule->theme) != 0) {
        other = other->next;
    }
    return other == rule;
}

static void
write_row(FILE *page, const char *title, const char *theme) {
    fprintf(page, "| %s |", title);
    for (int source = 0; source < NUM_SOURCES; source++) {
        const unsigned count = count_rules(theme, source);
        if (count == 0) {
            fprintf(page, " |");
        } else {
            fprintf(page, " %u |", count);
        }
    }
    fprintf(page, " %u |\n", count_rules(theme, -1));
}

static void
write_counts(FILE *page) {
    fprintf(page, "### Rules by theme and source\n\n| theme |");
    for (int source = 0; source < NUM_SOURCES; source++) {
        fprintf(page, " %s |", source_name(source));
    }
    fprintf(page, " all |\n|---|");
    for (int source = 0; source <= NUM_SOURCES; source++) {
        fprintf(page, "---|");
    }
    fprintf(page, "\n");
    for (const struct rule *rule = first_rule(); rule != NULL; rule = rule->next) {
        if (is_first_of_theme(rule)) {
            write_row(page, rule->theme, rule->theme);
        }
    }
    write_row(page, "all", NULL);
}

static void
write_assumed(FILE *page) {
    fprintf(page, "\n### Assumed\n\n");
    if (count_rules(NULL, ASSUMED) == 0) {
        fprintf(page, "No rule is assumed.\n");
        return;
    }
    fprintf(page, "%u rules. None was observed with NVIDIA's libraries yet; they must be confirmed on a card.\n\n",
            count_rules(NULL, ASSUMED));
    fprintf(page, "| rule | answer |\n|---|---|\n");
    for (const struct rule *rule = first_rule(); rule != NULL; rule = rule->next) {
        if (rule->source == ASSUMED) {
            fprintf(page, "| `%s`: %s | %s |\n", rule->name, rule->sentence, rule->answer);
        }
    }
}

static void
write_differences(FILE *page) {
    fprintf(page, "\n### Differences of the emulator\n\n");
    if (first_difference() == NULL) {
        fprintf(page, "None.\n");
        return;
    }
    fprintf(page, "| rule | when | the emulator | the rule | why |\n|---|---|---|---|---|\n");
    for (const struct difference *difference = first_difference(); difference != NULL; difference = difference->next) {
        const struct rule *rule = find_rule(difference->rule);
        fprintf(page, "| `%s` | %s | %s | %s | %s: %s |\n", rule->name, difference->when, difference->answer,
                expected_answer(rule, strstr(difference->when, "2.5") != NULL ? 205 : 300), difference->kind,
                difference->reason);
    }
}

/* Returns the part that this program writes. */
static char *
make_part(void) {
    char *part = NULL;
    size_t size = 0;
    FILE *page = open_memstream(&part, &size);
    fprintf(page, "%s\n", BEGIN_MARK);
    write_counts(page);
    write_assumed(page);
    write_differences(page);
    fprintf(page, "\n%s", END_MARK);
    fclose(page);
    return part;
}

static char *
read_file(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        return NULL;
    }
    char *text = NULL;
    size_t size = 0;
    if (getdelim(&text, &size, '\0', file) < 0) {
        fprintf(stderr, "%s: empty\n", path);
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

bool
check_document(const char *path) {
    const char *text = read_file(path);
    if (text == NULL || strstr(text, make_part()) == NULL) {
        fprintf(stderr, "%s is out of date: run this program with --differences and --write-document\n", path);
        return false;
    }
    return true;
}

bool
write_document(const char *path) {
    char *text = read_file(path);
    char *begin = text == NULL ? NULL : strstr(text, BEGIN_MARK);
    const char *end = begin == NULL ? NULL : strstr(begin, END_MARK);
    if (end == NULL) {
        fprintf(stderr, "%s: the marks are missing\n", path);
        return false;
    }
    FILE *page = fopen(path, "w");
    if (page == NULL) {
        perror(path);
        return false;
    }
    fprintf(page, "%.*s%s%s", (int)(begin - text), text, make_part(), end + strlen(END_MARK));
    return fclose(page) == 0;
}
