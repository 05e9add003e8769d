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
    AIM_AND_SUBMIT = 7, /* object: a slot; first, second: the addresses to read from and to write to */
    AIM_AND_SUBMIT_FLAGS = 8, /* the same with flags */
};

/* DOCA_ERROR_UNKNOWN, the result of a command of an unknown kind. */
enum { UNKNOWN_KIND = 1 };

struct command {
    uint8_t kind;
    uint8_t flags;
    uint16_t length_low; /* the number of bytes of AIM_AND_SUBMIT, 48 bits */
    uint32_t length_high;
    void *object;
    uint64_t first;
    uint64_t second;
};

/* A task with buffers of its own, each over a whole memory map; NULL for a side that it does not have. */
struct slot {
    void *task;
    void *source;
    void *destination;
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
submit_task(void *task, int has_flags, uint32_t flags, const struct functions *functions) {
    return has_flags ? functions->submit_flags(task, flags) : functions->submit(task);
}

static inline int
reset_and_submit(const struct command *command, const struct functions *functions) {
    int result = functions->reset_data((void *)(uintptr_t)command->first);
    if (result != 0) {
        return result;
    }
    return submit_task(command->object, command->kind == RESET_AND_SUBMIT_FLAGS, command->flags, functions);
}

static inline int
aim_and_submit(const struct command *command, const struct functions *functions) {
    const struct slot *slot = command->object;
    if (slot->source != NULL) {
        uint64_t length = (uint64_t)command->length_high << 16 | command->length_low;
        int result = functions->set_data(slot->source, (void *)(uintptr_t)command->first, length);
        if (result != 0) {
            return result;
        }
    }
    if (slot->destination != NULL) {
        int result = functions->set_data(slot->destination, (void *)(uintptr_t)command->second, 0);
        if (result != 0) {
            return result;
        }
    }
    return submit_task(slot->task, command->kind == AIM_AND_SUBMIT_FLAGS, command->flags, functions);
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
    case AIM_AND_SUBMIT:
    case AIM_AND_SUBMIT_FLAGS:
        return aim_and_submit(command, functions);
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
