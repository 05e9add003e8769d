/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of the objects behind users' handles. The memory of a destroyed object is never freed, only reused later for
 * an object of the same class, so a stale or foreign handle is detected.
 */
#ifndef DOCA_EMULATOR_OBJECT_H_
#define DOCA_EMULATOR_OBJECT_H_

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared.h"

struct object_class;

/* The first member of every object. */
struct object {
    /* NULL after the object was destroyed. */
    const struct object_class *class;
    struct object *next_dead;
    /*
     * For object_pin.h: the lower half counts the threads that have pinned it, of the process whose generation is the
     * upper half. Reuse keeps it. Sequentially consistent.
     */
    _Atomic uint64_t pins;
};

struct object_class {
    /* The name in log records, such as "mmap". */
    const char *name;
    size_t size;
    /* A queue, so that memory stays unused for as long as possible. */
    struct object *first_dead;
    struct object *last_dead;
    size_t num_dead;
};

#define OBJECT_CLASS(object_name, type) {.name = (object_name), .size = sizeof(type)}

/* Creates a live object whose other members are zero, or returns NULL. */
void *object_create(struct object_class *class) EMULATOR_SHARED(object_create);

void object_destroy(struct object_class *class, void *object) EMULATOR_SHARED(object_destroy);

/*
 * Returns the number of live objects of all classes. May be called from any thread. C programs call it as
 * doca_emulator_num_objects().
 */
uint64_t emulator_num_objects(void) EMULATOR_SHARED(num_objects);

/* Logs that the function was called without a live object of the class. */
void object_report(const struct object_class *class, const void *handle, const char *file, int line,
                   const char *function) EMULATOR_SHARED(object_report);

static inline bool
object_is_live(
        const struct object_class *class, const void *handle, const char *file, int line, const char *function) {
    if (handle != NULL &&
        __atomic_load_n(&((const struct object *)handle)->class, __ATOMIC_RELAXED) == class) {
        return true;
    }
    object_report(class, handle, file, line, function);
    return false;
}

/*
 * Returns whether the handle is a live object of the class; if not, logs that under the name of the calling function.
 */
#define IS_LIVE(class, handle) object_is_live(&(class), (handle), __FILE__, __LINE__, __func__)

#endif /* DOCA_EMULATOR_OBJECT_H_ */
