/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <stdlib.h>
#include <string.h>

#include "differences.h"
#include "rule.h"
#include "run.h"
#include "sdk.h"

enum result {
    RESULT_KEPT,
    RESULT_BROKEN,
    /* Broken in the way that the file of known differences lists. */
    RESULT_KNOWN,
    /* Kept, but listed as a difference. */
    RESULT_STALE,
    RESULT_NOT_AVAILABLE,
    /* Applies to another release. */
    RESULT_SKIPPED,
    NUM_RESULTS,
};

static const char *const result_names[NUM_RESULTS] = {"kept", "broken", "known difference", "no longer differs",
                                                      "not available", "of another release"};

static bool
is_selected(const struct rule *rule, const char *pattern) {
    return pattern == NULL || strstr(rule->name, pattern) != NULL || strstr(rule->theme, pattern) != NULL;
}

bool
has_rules(const char *pattern) {
    const struct rule *rule = first_rule();
    while (rule != NULL && !is_selected(rule, pattern)) {
        rule = rule->next;
    }
    return rule != NULL;
}

static void
write_json_text(FILE *file, const char *name, const char *text) {
    fprintf(file, "\"%s\": \"", name);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            fprintf(file, "\\%c", *c);
        } else if ((unsigned char)*c < ' ') {
            fprintf(file, "\\u%04x", (unsigned)*c);
        } else {
            fputc(*c, file);
        }
    }
    fputc('"', file);
}

static enum result
judge(const struct rule *rule, const struct answer *given, const struct difference *known) {
    if (given->kind == ANSWER_NOT_AVAILABLE) {
        return known == NULL ? RESULT_NOT_AVAILABLE : RESULT_STALE;
    }
    /* If a case crashes the process, the crash is its answer. Some rules expect this. */
    if (given->kind != ANSWER_BROKEN && strcmp(given->text, expected_answer(rule, sdk_release())) == 0) {
        return known == NULL || may_be_kept(known) ? RESULT_KEPT : RESULT_STALE;
    }
    return known != NULL && answer_matches(known, given->text) ? RESULT_KNOWN : RESULT_BROKEN;
}

static void
print_result(const struct rule *rule, enum result result, const char *text, const struct difference *known) {
    printf("%s: %s\n    %s\n", rule->name, result_names[result], rule->sentence);
    if (result == RESULT_NOT_AVAILABLE) {
        printf("    reason:   %s\n", text);
        return;
    }
    printf("    source:   %s\n    expected: %s\n    answer:   %s\n", source_name(rule->source),
           expected_answer(rule, sdk_release()), text);
    if (known != NULL) {
        printf("    known:    %s (%s: %s)\n", known->answer, known->kind, known->reason);
    }
}

static void
write_result(FILE *json, const struct rule *rule, enum result result, const char *text) {
    fprintf(json, ",\n  {");
    write_json_text(json, "rule", rule->name);
    fprintf(json, ", ");
    write_json_text(json, "theme", rule->theme);
    fprintf(json, ", ");
    write_json_text(json, "source", source_name(rule->source));
    fprintf(json, ", ");
    write_json_text(json, "sentence", rule->sentence);
    fprintf(json, ", ");
    write_json_text(json, "result", result_names[result]);
    fprintf(json, ", ");
    write_json_text(json, "expected", expected_answer(rule, sdk_release()));
    fprintf(json, ", ");
    write_json_text(json, "answer", text);
    fprintf(json, "}");
}

static void
describe_library(char *text, size_t size) {
    if (is_emulator()) {
        snprintf(text, size, "emulator %s, release %d.%d, %s, %s", sdk_version(), sdk_release() / 100,
                 sdk_release() % 100, is_threaded() ? "threaded" : "inline", is_strict() ? "strict" : "not strict");
    } else {
        snprintf(text, size, "DOCA %s", sdk_version());
    }
}

bool
run_rules(const struct run_options *options) {
    FILE *json = NULL;
    char library[256];
    describe_library(library, sizeof(library));
    if (options->json_path != NULL) {
        json = fopen(options->json_path, "w");
        if (json == NULL) {
            perror(options->json_path);
            return false;
        }
        fprintf(json, "[\n  {");
        write_json_text(json, "library", library);
        fprintf(json, "}");
    }
    unsigned counts[NUM_RESULTS] = {0};
    for (const struct rule *rule = first_rule(); rule != NULL; rule = rule->next) {
        if (!is_selected(rule, options->pattern)) {
            continue;
        }
        static struct answer given;
        memset(&given, 0, sizeof(given));
        enum result result = RESULT_SKIPPED;
        const struct difference *known = NULL;
        if (rule->since <= sdk_release() && (rule->until == 0 || rule->until >= sdk_release())) {
            run_case(rule, &given);
            known = find_difference(rule->name);
            result = judge(rule, &given, known);
        }
        counts[result]++;
        if (result == RESULT_BROKEN || result == RESULT_STALE || (!options->quiet && result != RESULT_SKIPPED)) {
            print_result(rule, result, given.text, known);
        }
        if (json != NULL) {
            write_result(json, rule, result, given.text);
        }
    }
    if (json != NULL) {
        fprintf(json, "\n]\n");
        fclose(json);
    }
    printf("%s:", library);
    for (int i = 0; i < NUM_RESULTS; i++) {
        printf("%s %u %s", i == 0 ? "" : ",", counts[i], result_names[i]);
    }
    printf("\n");
    return counts[RESULT_BROKEN] == 0 && counts[RESULT_STALE] == 0;
}

void
list_rules(const char *pattern) {
    for (const struct rule *rule = first_rule(); rule != NULL; rule = rule->next) {
        char releases[64];
        if (is_selected(rule, pattern)) {
            printf("%s\n    %s\n    %s, releases: %s, answer: %s", rule->name, rule->sentence,
                   source_name(rule->source), releases_of(rule, releases, sizeof(releases)), rule->answer);
            if (rule->answer_2_5 != NULL) {
                printf("; of 2.5: %s", rule->answer_2_5);
            }
            printf("\n");
        }
    }
}
