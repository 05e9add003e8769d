/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executes calls of DOCA functions that Java has recorded in memory. A single native call executes all of them in
 * order, so that they share the cost of one transition into native code.
 *
 * NativeTaskCommands.java mirrors the layouts of `struct command` and `struct functions`.
 */
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

enum {
    SUBMIT = 0, /* object: the task */
    SUBMIT_FLAGS = 1, /* the same with flags */
    SET_DATA = 2, /* object: a buffer; first, second: the address and the length of its data */
    RESET_AND_SUBMIT = 3, /* object: the task; first: a buffer whose data are reset first */
    RESET_AND_SUBMIT_FLAGS = 4, /* the same with flags */
    SET_POINTER = 5, /* object: a task; first: the setter function; second: the pointer */
    FLUSH = 6, /* object: the context */
};

/* DOCA_ERROR_UNKNOWN, the result of a command of an unknown kind. */
enum { UNKNOWN_KIND = 1 };

struct command {
    uint32_t kind;
    uint32_t flags;
    void *object;
    uint64_t first;
    uint64_t second;
};

/* The functions of the loaded DOCA libraries. A command whose function is missing is never recorded. */
struct functions {
    int (*submit)(void *task);
    int (*submit_flags)(void *task, uint32_t flags);
    int (*set_data)(void *buf, void *data, size_t length);
    int (*reset_data)(void *buf);
    void (*flush)(void *ctx);
};

static inline int
reset_and_submit(const struct command *command, const struct functions *functions) {
    int result = functions->reset_data((void *)(uintptr_t)command->first);
    if (result != 0) {
        return result;
    }
    return command->kind == RESET_AND_SUBMIT ? functions->submit(command->object)
                                             : functions->submit_flags(command->object, command->flags);
}

static inline int
run(const struct command *command, const struct functions *functions) {
    switch (command->kind) {
    case SUBMIT:
        return functions->submit(command->object);
    case SUBMIT_FLAGS:
        return functions->submit_flags(command->object, command->flags);
    case SET_DATA:
        return functions->set_data(command->object, (void *)(uintptr_t)command->first, command->second);
    case RESET_AND_SUBMIT:
    case RESET_AND_SUBMIT_FLAGS:
        return reset_and_submit(command, functions);
    case SET_POINTER:
        ((void (*)(void *, void *))(uintptr_t)command->first)(command->object, (void *)(uintptr_t)command->second);
        return 0;
    case FLUSH:
        functions->flush(command->object);
        return 0;
    default:
        return UNKNOWN_KIND;
    }
}

/*
 * Executes the commands from `from` up to `count`, until one fails. The lower half of the result is the index of the
 * failed command, or `count`; the upper half is its error code.
 */
EXPORT uint64_t
docajava_run(const struct functions *functions, const struct command *commands, uint32_t from, uint32_t count) {
    /* A copy, as the compiler has to assume that the called functions change the memory. */
    const struct functions local = *functions;
    for (uint32_t i = from; i < count; i++) {
        int result = run(&commands[i], &local);
        if (result != 0) {
            return (uint64_t)(uint32_t)result << 32 | i;
        }
    }
    return count;
}
