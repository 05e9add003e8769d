/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the commands for the sanitizers: each kind, their order, and stopping at a failure and continuing after it. */
#include "../../main/c/docajava_commands.c"

#include <stdio.h>
#include <string.h>

#define EXPECT(condition) \
    if (!(condition)) { \
        fprintf(stderr, "line %d: %s is not so\n", __LINE__, #condition); \
        return 1; \
    }

/* The calls, a letter each. */
static char calls[32];
static int failing_task;
static size_t last_length;
static void *last_pointer;

static int
note(char call, void *object) {
    size_t length = strlen(calls);
    calls[length] = call;
    calls[length + 1] = '\0';
    return object == &failing_task ? 17 : 0;
}

static int
submit(void *task) {
    return note('s', task);
}

static int
submit_flags(void *task, uint32_t flags) {
    return note(flags == 2 ? 'f' : '?', task);
}

static int
set_data(void *buf, void *data, size_t length) {
    last_pointer = data;
    last_length = length;
    return note('d', buf);
}

static int
reset_data(void *buf) {
    return note('r', buf);
}

static void
flush(void *ctx) {
    note('F', ctx);
}

static void
set_pointer(void *task, void *pointer) {
    last_pointer = pointer;
    note('p', task);
}

int
main(void) {
    struct functions functions = {
        .submit = submit,
        .submit_flags = submit_flags,
        .set_data = set_data,
        .reset_data = reset_data,
        .flush = flush,
    };
    int task, buf;
    struct slot slot = {.task = &task, .source = &buf, .destination = &buf};
    struct slot sending = {.task = &task, .source = &buf};
    struct slot receiving = {.task = &task, .destination = &buf};
    struct slot failing = {.task = &task, .source = &buf, .destination = &failing_task};
    struct command commands[] = {
        {.kind = SET_DATA, .object = &buf, .first = (uintptr_t)&task, .second = 5},
        {.kind = SUBMIT_FLAGS, .object = &task, .flags = 2},
        {.kind = SET_POINTER, .object = &task, .first = (uintptr_t)set_pointer, .second = (uintptr_t)&buf},
        {.kind = SET_DATA, .object = &buf},
        {.kind = SUBMIT, .object = &failing_task},
        {.kind = RESET_AND_SUBMIT_FLAGS, .object = &task, .first = (uintptr_t)&buf, .flags = 2},
        {.kind = RESET_AND_SUBMIT, .object = &task, .first = (uintptr_t)&buf},
        {.kind = RESET_AND_SUBMIT, .object = &task, .first = (uintptr_t)&failing_task},
        {.kind = 99, .object = &task, .first = (uintptr_t)set_pointer, .second = (uintptr_t)&buf},
        {.kind = FLUSH, .object = &buf},
        {.kind = AIM_AND_SUBMIT, .object = &sending, .first = 7, .length_low = 0xffff, .length_high = 0xffffffff},
        {.kind = AIM_AND_SUBMIT_FLAGS, .object = &receiving, .second = 8, .flags = 2},
        {.kind = AIM_AND_SUBMIT, .object = &slot, .first = 9, .second = 10, .length_low = 1},
        {.kind = AIM_AND_SUBMIT, .object = &failing, .first = 9, .second = 10, .length_low = 1},
    };

    EXPECT(docajava_run(&functions, commands, 0, 4) == 4);
    EXPECT(strcmp(calls, "dfpd") == 0 && last_length == 0 && last_pointer == NULL);
    EXPECT(docajava_run(&functions, commands, 2, 8) == ((uint64_t)17 << 32 | 4));
    EXPECT(strcmp(calls, "dfpdpds") == 0);
    calls[0] = '\0';
    EXPECT(docajava_run(&functions, commands, 5, 8) == ((uint64_t)17 << 32 | 7));
    EXPECT(strcmp(calls, "rfrsr") == 0);
    EXPECT(docajava_run(&functions, commands, 8, 8) == 8);
    EXPECT(docajava_run(&functions, commands, 8, 9) == ((uint64_t)UNKNOWN_KIND << 32 | 8));
    EXPECT(strcmp(calls, "rfrsr") == 0);
    calls[0] = '\0';
    EXPECT(docajava_run(&functions, commands, 9, 11) == 11);
    EXPECT(strcmp(calls, "Fds") == 0 && last_length == 0xffffffffffff && last_pointer == (void *)7);
    EXPECT(docajava_run(&functions, commands, 11, 12) == 12);
    EXPECT(strcmp(calls, "Fdsdf") == 0 && last_length == 0 && last_pointer == (void *)8);
    EXPECT(docajava_run(&functions, commands, 12, 14) == ((uint64_t)17 << 32 | 13));
    EXPECT(strcmp(calls, "Fdsdfddsdd") == 0 && last_length == 0 && last_pointer == (void *)10);
    return 0;
}
