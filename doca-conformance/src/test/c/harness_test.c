/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the harness with cases that answer, crash, hang, lack a prerequisite or fail to start, and with known
 * differences.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "differences.h"
#include "fixture.h"
#include "peer.h"
#include "report.h"
#include "run.h"

#define THEME "harness"

static int failures;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition); \
            failures++; \
        } \
    } while (0)

static void
check_case(const char *name, enum answer_kind kind, const char *text) {
    static struct answer given;
    run_case(find_rule(name), &given);
    if (given.kind != kind || strcmp(given.text, text) != 0) {
        fprintf(stderr, "%s: expected kind %d \"%s\", got kind %d \"%s\"\n", name, kind, text, given.kind, given.text);
        failures++;
    }
}

RULE(harness_answers, "A case answers by facts.", .source = ASSUMED, .answer = "IN_USE, 5, yes, text",
     .answer_2_5 = "other") {
    answer_code(DOCA_ERROR_IN_USE);
    answer_number(5);
    answer_flag(true);
    answer("%s", "text");
}

RULE(harness_crashes, "A crash is an answer.", .source = ASSUMED, .answer = "") {
    answer("before");
    raise(SIGSEGV);
}

RULE(harness_exits, "An exit is an answer.", .source = ASSUMED, .answer = "") {
    _exit(3);
}

RULE(harness_hangs, "A hang is an answer.", .source = ASSUMED, .answer = "") {
    for (;;) {
        pause();
    }
}

RULE(harness_lacks_function, "A missing function makes a case not available.", .source = ASSUMED, .answer = "") {
    answer("before");
    create_engine();
}

RULE(harness_cannot_begin, "A failure before the question is reported.", .source = ASSUMED, .answer = "") {
    REQUIRE(DOCA_ERROR_NO_MEMORY);
}

static void
serve(void) {
    char text[16];
    const size_t length = receive_from_peer(text, sizeof(text));
    send_to_peer(text, length);
}

RULE(harness_has_peer, "A second process is this program once more.", .source = ASSUMED, .answer = "", .peer = serve) {
    char text[16] = "";
    send_to_peer("hello", 5);
    (void)receive_from_peer(text, sizeof(text));
    answer("%s", text);
}

RULE(harness_loses_peer, "The end of the second process is reported.", .source = ASSUMED, .answer = "", .peer = serve) {
    char text[16];
    kill_peer();
    (void)receive_from_peer(text, sizeof(text));
}

static void
write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        perror(path);
        exit(2);
    }
}

static void
check_differences(const char *path) {
    write_file(path, "# a comment\n\nsdk | harness_answers | IN_USE* | by design | a reason\n");
    CHECK(read_differences(path));
    const struct difference *difference = find_difference("harness_answers");
    CHECK(difference != NULL && strcmp(difference->reason, "a reason") == 0);
    CHECK(difference != NULL && answer_matches(difference, "IN_USE, 5") && !answer_matches(difference, "BAD_STATE"));
    CHECK(find_difference("harness_hangs") == NULL);
    /* Without a library, the release is none after 2.5. */
    write_file(path, "sdk 3.0 | harness_answers | x | by design | a reason\n"
                     "sdk 2.5 | harness_answers | y | by design | a reason\n");
    CHECK(read_differences(path));
    difference = find_difference("harness_answers");
    CHECK(difference != NULL && strcmp(difference->answer, "y") == 0);
    write_file(path, "sdk | no_such_rule | x | by design | a reason\n");
    CHECK(!read_differences(path));
    write_file(path, "sdk | harness_answers | x | because | a reason\n");
    CHECK(!read_differences(path));
}

static void
check_comparison(const char *first, const char *second) {
    char missing[4096];
    snprintf(missing, sizeof(missing), "%s.missing", first);
    write_file(first, "[\n  {\"library\": \"one\"},\n"
                      "  {\"rule\": \"a\", \"sentence\": \"s\", \"result\": \"kept\", \"answer\": \"x\"},\n"
                      "  {\"rule\": \"b\", \"sentence\": \"s\", \"result\": \"not available\", \"answer\": \"y\"}\n]\n");
    write_file(second, "[\n  {\"library\": \"two\"},\n"
                       "  {\"rule\": \"a\", \"sentence\": \"s\", \"result\": \"broken\", \"answer\": \"z\"},\n"
                       "  {\"rule\": \"b\", \"sentence\": \"s\", \"result\": \"kept\", \"answer\": \"z\"}\n]\n");
    CHECK(compare_runs(first, first) == 0);
    CHECK(compare_runs(first, second) == 1);
    write_file(second, "nothing\n");
    CHECK(compare_runs(first, second) == 2);
    CHECK(compare_runs(first, missing) == 2);
}

int
main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--peer") == 0) {
        run_peer(find_rule(argv[2]));
    }
    case_time_limit = 1;
    check_case("harness_answers", ANSWER_COMPLETE, "IN_USE, 5, yes, text");
    check_case("harness_crashes", ANSWER_UNFINISHED, "before, process died: Segmentation fault");
    check_case("harness_exits", ANSWER_UNFINISHED, "process exited with 3");
    check_case("harness_hangs", ANSWER_UNFINISHED, "no end within 1 s");
    check_case("harness_lacks_function", ANSWER_NOT_AVAILABLE, "the library has no doca_pe_create");
    check_case("harness_cannot_begin", ANSWER_BROKEN, "needed DOCA_ERROR_NO_MEMORY: NO_MEMORY");
    check_case("harness_has_peer", ANSWER_COMPLETE, "hello");
    check_case("harness_loses_peer", ANSWER_BROKEN, "the second process has ended");
    CHECK(strcmp(expected_answer(find_rule("harness_answers"), 205), "other") == 0);
    CHECK(strcmp(expected_answer(find_rule("harness_answers"), 300), "IN_USE, 5, yes, text") == 0);
    CHECK(has_rules(NULL) && has_rules("harness") && !has_rules("no_such_rule"));
    char folder[] = "/tmp/conformance-XXXXXX";
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        return 2;
    }
    char first[64];
    char second[64];
    snprintf(first, sizeof(first), "%s/first", folder);
    snprintf(second, sizeof(second), "%s/second", folder);
    check_differences(first);
    check_comparison(first, second);
    unlink(first);
    unlink(second);
    rmdir(folder);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
