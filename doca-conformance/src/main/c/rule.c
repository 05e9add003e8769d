/* SPDX-License-Identifier: Apache-2.0 */
#include "rule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct rule *first;
static struct rule **last = &first;

void
add_rule(struct rule *rule) {
    if (find_rule(rule->name) != NULL) {
        fprintf(stderr, "duplicate rule: %s\n", rule->name);
        abort();
    }
    *last = rule;
    last = &rule->next;
}

const struct rule *
first_rule(void) {
    return first;
}

const struct rule *
find_rule(const char *name) {
    const struct rule *rule = first;
    while (rule != NULL && strcmp(rule->name, name) != 0) {
        rule = rule->next;
    }
    return rule;
}

const char *
source_name(enum rule_source source) {
    static const char *const names[NUM_SOURCES] = {
        [OBSERVED_3_0] = "observed-3.0", [OBSERVED_2_5] = "observed-2.5", [OBSERVED_2_2] = "observed-2.2",
        [READ_2_10] = "read-2.10",
        [SAMPLE] = "sample",             [FIELD] = "field",               [HEADER] = "header",
        [GUIDE] = "guide",               [ASSUMED] = "assumed",
    };
    return names[source];
}

const char *
expected_answer(const struct rule *rule, int release) {
    return release <= 205 && rule->answer_2_5 != NULL ? rule->answer_2_5 : rule->answer;
}

const char *
releases_of(const struct rule *rule, char *text, size_t size) {
    if (rule->since == 0 && rule->until == 0) {
        snprintf(text, size, "all");
    } else if (rule->until == 0) {
        snprintf(text, size, "from %d.%d", rule->since / 100, rule->since % 100);
    } else if (rule->since == 0) {
        snprintf(text, size, "to %d.%d", rule->until / 100, rule->until % 100);
    } else {
        snprintf(text, size, "%d.%d to %d.%d", rule->since / 100, rule->since % 100, rule->until / 100,
                 rule->until % 100);
    }
    return text;
}
